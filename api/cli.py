"""The `fusegraph` command: the same operations as the API, for people and scripts."""

from datetime import date, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from api import neo4j_commands, statement_commands
from api.console import emit, fail, progress_bars, run, told_time

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A long-term memory that shows its evidence.",
)
app.add_typer(neo4j_commands.app, name="neo4j", help="The managed Neo4j server.")
app.command()(statement_commands.remember)
app.command()(statement_commands.correct)
app.command()(statement_commands.to_confirm)
app.command()(statement_commands.timeline)
app.command()(statement_commands.decisions)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Group = Annotated[str, typer.Option(help="The group: a household, a team, one agent's user.")]
Viewer = Annotated[str, typer.Option(help="The user on whose behalf this runs.")]


@app.command()
def up(
    detach: Annotated[bool, typer.Option("--detach", help="Go on in the background.")] = False,
    as_json: Json = False,
) -> None:
    """Start the database and the API, in the foreground unless --detach."""
    from api import service

    if detach:
        emit(run(service.start()), as_json=as_json)
    else:
        service.serve()


@app.command()
def down(as_json: Json = False) -> None:
    """Stop the API and the managed database."""
    from api import service

    emit(run(service.stop()), as_json=as_json)


@app.command()
def status(
    group: Annotated[str | None, typer.Option(help="Only this group, as --viewer sees it.")] = None,
    viewer: Annotated[str | None, typer.Option(help="The user on whose behalf this runs.")] = None,
    as_json: Json = False,
) -> None:
    """Tell what runs and how much it holds; starts nothing."""
    from api import service

    emit(run(service.status(group, viewer)), as_json=as_json)


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="JSON Lines, LoCoMo or LifeBench.")],
    group: Annotated[str | None, typer.Option(help="Needed for JSON Lines; the public sets name their own.")] = None,
    viewer: Annotated[str, typer.Option(help="The user on whose behalf this runs.")] = "importer",
    wait: Annotated[
        bool, typer.Option(help="Wait for the vectors; else the next to open the memory makes them.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Record the events of files. It can be stopped and run again: what is known stays as it is."""
    from api import importing

    with progress_bars() as progress:
        report = run(importing.import_files(files, group, viewer, progress, wait=wait))
    emit(report, as_json=as_json)
    if report["rejected"]:
        raise typer.Exit(1)


@app.command()
def search(
    question: str,
    group: Group,
    viewer: Viewer,
    limit: Annotated[int, typer.Option(help="Pieces of evidence.")] = 5,
    profile: Annotated[str, typer.Option(help="default, qa, assistant, critical or relevance.")] = "default",
    asked_at: Annotated[str | None, typer.Option(help="Instant with offset that recency is relative to; now.")] = None,
    since: Annotated[str | None, typer.Option(help="Instant with offset, inclusive.")] = None,
    until: Annotated[str | None, typer.Option(help="Instant with offset, exclusive.")] = None,
    day: Annotated[str | None, typer.Option(help="Only this day, as 2026-03-12.")] = None,
    history: Annotated[bool, typer.Option("--history", help="What no longer holds, too.")] = False,
    as_of: Annotated[str | None, typer.Option(help="Instant with offset: what held in the world then.")] = None,
    known_at: Annotated[str | None, typer.Option(help="Instant with offset: what the memory knew then.")] = None,
    as_json: Json = False,
) -> None:
    """Answer a question with evidence and the paths that lead to it."""
    from api import answering

    only = told_time("--day", day, date.fromisoformat)
    request = answering.Request(
        question=question,
        group=group,
        viewer=viewer,
        limit=limit,
        profile=profile,
        asked_at=told_time("--asked-at", asked_at, datetime.fromisoformat),
        since=told_time("--since", since, datetime.fromisoformat),
        until=told_time("--until", until, datetime.fromisoformat),
        day=only,
        history=history,
        as_of=told_time("--as-of", as_of, datetime.fromisoformat),
        known_at=told_time("--known-at", known_at, datetime.fromisoformat),
    )
    with progress_bars() as progress:
        answer = run(answering.answer(request, progress))
    answering.show(answer, as_json=as_json)


@app.command()
def demo() -> None:
    """Record a household's five weeks and answer questions about them with paths."""
    from api import demonstration

    with progress_bars() as progress:
        answers = run(demonstration.run(progress))
    demonstration.show(answers)


@app.command()
def reembed(as_json: Json = False) -> None:
    """Embed everything anew with the model that FUSEGRAPH_MODEL names; reads go on meanwhile."""
    from api import maintenance

    with progress_bars() as progress:
        emit(run(maintenance.reembed(progress)), as_json=as_json)


@app.command()
def audit(as_json: Json = False) -> None:
    """Check the whole graph; exits with 1 where anything offends."""
    from api import maintenance

    with progress_bars() as progress:
        report = run(maintenance.audit(progress))
    maintenance.show_audit(report, as_json=as_json)
    if any(finding["offenders"] for finding in report["audits"]):
        raise typer.Exit(1)


def _add_bench() -> None:
    """Add `bench` where there is a checkout; say what it needs where there is none."""
    try:
        for entry in entry_points(group="fusegraph.commands", name="bench"):
            app.add_typer(entry.load(), name="bench")
    except ModuleNotFoundError:

        @app.command("bench", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
        def missing() -> None:
            """Benchmarks; they need a checkout of the repository."""
            fail("bench: The benchmarks are not part of the installed package; run this in a checkout.")


def main() -> None:
    """Run the command."""
    _add_bench()
    app()
