"""The commands that remember and correct, and that show timelines and decisions."""

from datetime import datetime
from typing import Annotated, Any

import typer

import graph
from api.console import progress_bars, run, told_time

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Group = Annotated[str, typer.Option(help="The group: a household, a team, one agent's user.")]
Viewer = Annotated[str, typer.Option(help="The user on whose behalf this runs.")]


def remember(
    text: str,
    group: Group,
    viewer: Viewer,
    key: Annotated[str | None, typer.Option(help="What it is about, as in user.home.")] = None,
    value: Annotated[str | None, typer.Option(help="With --key: its value; without it tells of an end.")] = None,
    subject: Annotated[str | None, typer.Option(help="Whom it is about; the viewer.")] = None,
    at: Annotated[str | None, typer.Option(help="When it was said, ISO-8601; now.")] = None,
    origin: Annotated[str, typer.Option(help="user_stated, observed, inferred or external.")] = "user_stated",
    private: Annotated[bool, typer.Option("--private", help="Only the viewer may see it.")] = False,
    act: Annotated[
        str | None, typer.Option(help="What it does: asserts, replaces, ends, adds or plans; its wording tells.")
    ] = None,
    importance: Annotated[float, typer.Option(min=0.5, max=2, help="How much it matters, 0.5 to 2.")] = 1.0,
    user: Annotated[str | None, typer.Option(help="Who said it; the viewer.")] = None,
    record: Annotated[str | None, typer.Option(help="Id of the record that it comes from.")] = None,
    record_text: Annotated[
        str | None, typer.Option(help="With --record: the record's whole text, where it is new.")
    ] = None,
    quote: Annotated[str | None, typer.Option(help="With --record: its words in the record.")] = None,
    client_id: Annotated[str | None, typer.Option(help="Makes a retry known as one.")] = None,
    as_json: Json = False,
) -> None:
    """Remember a statement: decide what becomes of it and of what was known."""
    from api import remembering

    async def remembered() -> graph.Remembered:
        statement = graph.Statement(
            text=text,
            client_id=client_id,
            subject=subject,
            key=key,
            value=value,
            origin=origin,
            occurred_at=at,
            visibility="private" if private else "group",
            source_id="command",
            importance=importance,
            user_id=user,
            record_id=record,
            record_text=record_text,
            quote=quote,
            act=act,
        )
        return await remembering.remember(graph.Scope(group, viewer), statement, progress)

    with progress_bars() as progress:
        answer = run(remembered())
    remembering.show_remembered(answer, as_json=as_json)
    if answer.ruled.verdict == graph.Verdict.REFUSED:
        raise typer.Exit(1)


_CORRECTIONS = ("confirm", "retract", "pin", "unpin", "accept", "decline")


def correct(
    correction: Annotated[str, typer.Argument(help="confirm, retract, pin, unpin, accept or decline.")],
    atom_id: str,
    group: Group,
    viewer: Viewer,
    supersedes: Annotated[
        str | None, typer.Option(help="With accept and decline: the atom that it was proposed to supersede.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say that an atom is right (confirm) or wrong (retract), or keep it from going stale (pin, unpin).

    To confirm what was superseded or ended undoes that. Accept or decline that it supersedes another, where this was
    proposed.
    """
    if correction not in _CORRECTIONS:
        raise typer.BadParameter(f"{correction!r} is none of {', '.join(_CORRECTIONS)}.")
    if (correction in ("accept", "decline")) != (supersedes is not None):
        raise typer.BadParameter("Give --supersedes with accept and decline, and with nothing else.")

    from api import remembering

    async def corrected() -> Any:
        return await remembering.correct(graph.Scope(group, viewer), atom_id, correction, supersedes, progress)

    with progress_bars() as progress:
        touched = run(corrected())
    remembering.show_touched(touched, as_json=as_json)


def to_confirm(
    group: Group,
    viewer: Viewer,
    first: Annotated[int, typer.Option(help="Most entries.")] = 50,
    as_json: Json = False,
) -> None:
    """Show what waits for somebody to decide: conflicts, proposals and doubts, the latest first."""
    from api import remembering

    async def found() -> Any:
        return await remembering.to_confirm(graph.Scope(group, viewer), first, progress)

    with progress_bars() as progress:
        waiting = run(found())
    remembering.show_waiting(waiting, as_json=as_json)


def timeline(
    subject: str,
    key: str,
    group: Group,
    viewer: Viewer,
    as_of: Annotated[str | None, typer.Option(help="Instant with offset: what held in the world then.")] = None,
    known_at: Annotated[str | None, typer.Option(help="Instant with offset: what the memory knew then.")] = None,
    as_json: Json = False,
) -> None:
    """Show the values of a subject and key in order of time."""
    times = {
        "as_of": told_time("--as-of", as_of, _instant),
        "known_at": told_time("--known-at", known_at, _instant),
    }

    from api import remembering

    async def found() -> graph.Timeline:
        return await remembering.timeline(graph.Scope(group, viewer), subject, key, times, progress)

    with progress_bars() as progress:
        shown = run(found())
    remembering.show_timeline(shown, as_json=as_json)


def _instant(text: str) -> datetime:
    """Read an instant; raise a `ValueError` that says how one is written."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError(f"{text!r} is no instant with an offset; write it as in 2026-05-17T12:00:00Z")
    return moment


def decisions(atom_id: str, group: Group, viewer: Viewer, as_json: Json = False) -> None:
    """Show all that was decided of an atom, oldest first."""
    from api import remembering

    async def found() -> Any:
        return await remembering.decisions(graph.Scope(group, viewer), atom_id, progress)

    with progress_bars() as progress:
        decided = run(found())
    remembering.show_decisions(decided, as_json=as_json)
