"""`fusegraph neo4j …`: the managed server at hand.

Every command imports these commands; each of them imports the server itself when it runs.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.console import emit, errors_reported, load_settings, progress_bars, run

if TYPE_CHECKING:
    from graph import local_neo4j

app = typer.Typer(no_args_is_help=True, help="The Neo4j server that FuseGraph manages on this machine.")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def start(as_json: AsJson = False) -> None:
    """Start the server, fetching it first if need be. It runs on after this command."""
    from graph import local_neo4j

    settings = load_settings()
    with progress_bars() as progress:
        instance = run(local_neo4j.ensure_running(settings, progress))
    emit(_facts(instance), as_json)


@app.command()
def stop(as_json: AsJson = False) -> None:
    """Stop the server."""
    from graph import local_neo4j

    emit({"stopped": run(local_neo4j.stop(load_settings()))}, as_json)


@app.command()
def status(as_json: AsJson = False) -> None:
    """Say whether the server runs, and where. Ends with status 1 if it does not."""
    from graph import local_neo4j

    with errors_reported():
        instance = local_neo4j.status(load_settings())
    emit(_facts(instance) if instance else {"running": False}, as_json)
    if not instance:
        raise typer.Exit(1)


@app.command()
def logs(lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many.")] = 40) -> None:
    """Print the last lines of the server's log."""
    from graph import local_neo4j

    with errors_reported():
        typer.echo(local_neo4j.log_tail(load_settings(), lines))


@app.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    help="Run neo4j-admin on the server's folder, such as: admin database dump neo4j --to-path=FOLDER",
)
def admin(arguments: Annotated[list[str] | None, typer.Argument(help="Passed on as they are.")] = None) -> None:
    """Run `neo4j-admin` and end with its exit status."""
    from graph import local_neo4j

    raise typer.Exit(run(local_neo4j.admin(load_settings(), arguments or [])))


def _facts(instance: "local_neo4j.Instance") -> dict[str, Any]:
    return {
        "running": True,
        "version": instance.version,
        "bolt_url": instance.bolt_url,
        "browser_url": f"{instance.http_url}/browser/",
        "username": instance.username,
        "password_file": instance.password_file,
        "pid": instance.pid,
        "log_file": instance.log_file,
    }
