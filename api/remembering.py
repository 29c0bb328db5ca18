"""Remembers a statement, corrects an atom, shows a timeline and decisions, for the command line."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

import graph
from api.console import emit, load_settings
from graph.ports import Progress


async def remember(scope: graph.Scope, statement: graph.Statement, progress: Progress) -> graph.Remembered:
    """Open the memory and remember one statement."""
    async with graph.Memory.open(load_settings(), progress=progress) as memory:
        (remembered,) = await memory.remember(scope, [statement])
        return remembered


async def correct(
    scope: graph.Scope, atom_id: str, correction: str, supersedes: str | None, progress: Progress
) -> Sequence[graph.Touched]:
    """Open the memory and confirm, retract, pin or unpin an atom, or answer what was proposed of it."""
    async with graph.Memory.open(load_settings(), progress=progress) as memory:
        if supersedes is not None:
            answer = memory.accept if correction == "accept" else memory.decline
            return await answer(scope, atom_id, supersedes)
        if correction == "confirm":
            return await memory.confirm(scope, atom_id)
        if correction == "retract":
            return await memory.retract(scope, atom_id)
        return await memory.pin(scope, atom_id, pinned=correction == "pin")


async def to_confirm(scope: graph.Scope, first: int, progress: Progress) -> Sequence[graph.ToConfirm]:
    """Look at the database and read what waits for somebody to decide."""
    async with graph.Inspection.look(load_settings(), progress) as memory:
        return await memory.to_confirm(scope, first=first)


async def timeline(
    scope: graph.Scope, subject: str, key: str, times: dict[str, Any], progress: Progress
) -> graph.Timeline:
    """Look at the database and read a timeline."""
    async with graph.Inspection.look(load_settings(), progress) as memory:
        return await memory.timeline(scope, subject, key, **times)


async def decisions(scope: graph.Scope, atom_id: str, progress: Progress) -> Sequence[graph.Decided]:
    """Look at the database and read what was decided of an atom."""
    async with graph.Inspection.look(load_settings(), progress) as memory:
        return await memory.decisions(scope, atom_id)


def show_remembered(remembered: graph.Remembered, *, as_json: bool) -> None:
    """Print what became of a statement."""
    if as_json:
        emit(asdict(remembered), as_json=True)
        return
    ruled = remembered.ruled
    line = Text.assemble((ruled.verdict, "bold"), f"  {ruled.rule}")
    if ruled.words:
        line.append(f" “{ruled.words}”", style="yellow")
    if remembered.reason:
        line.append(f"  {remembered.field}: {remembered.reason}", style="red")
    if remembered.subject:
        line.append(f"  of {remembered.subject}", style="dim")
    if remembered.without_time:
        line.append("  no time given: taken as said now", style="yellow")
    console = Console()
    console.print(line)
    for one in ruled.touched:
        console.print(Text(f"  {one.atom_id}  {one.before or 'new'} → {one.after}", style="dim"))
    for proposal in ruled.proposed:
        console.print(
            Text(f"  may supersede {proposal.atom_id} ({proposal.verdict}); accept or decline it", style="yellow")
        )


def show_touched(touched: Sequence[graph.Touched], *, as_json: bool) -> None:
    """Print changes of status."""
    rows = [asdict(one) for one in touched]
    if as_json:
        emit({"touched": rows}, as_json=True)
        return
    for one in touched:
        Console().print(Text(f"{one.atom_id}  {one.before or 'new'} → {one.after}"))


def show_waiting(waiting: Sequence[graph.ToConfirm], *, as_json: bool) -> None:
    """Print what waits for somebody to decide."""
    if as_json:
        emit({"to_confirm": [asdict(one) for one in waiting]}, as_json=True)
        return
    console = Console()
    for one in waiting:
        told = f" ({one.verdict})" if one.verdict else ""
        console.print(Text.assemble((f"{one.why}{told}", "bold"), f"  {one.atom.id}  {one.atom.text}"))
        for other in one.others:
            console.print(Text(f"  {other.id}  {other.text}", style="dim"))
    if not waiting:
        console.print("nothing waits")


def show_timeline(found: graph.Timeline, *, as_json: bool) -> None:
    """Print a timeline."""
    if as_json:
        emit(asdict(found), as_json=True)
    else:
        Console().print(Text(found.rendered or "nothing that this viewer may see"))


def show_decisions(decided: Sequence[graph.Decided], *, as_json: bool) -> None:
    """Print decisions."""
    if as_json:
        emit({"decisions": [asdict(one) for one in decided]}, as_json=True)
        return
    for one in decided:
        before = one.before["status"] if one.before else "new"
        words = f" “{one.words}”" if one.words else ""
        told = f"{one.at.isoformat()}  {one.actor}: {one.verdict}, {one.rule}{words}  {before} → {one.after['status']}"
        Console().print(Text(told))
