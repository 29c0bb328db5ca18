"""Verdicts on labelled pairs: the old statement is remembered first, two days before the new one, each pair alone.

`bench.scoring` says when a verdict is right. With a key it must be the label; without one a proposal of the right
supersession is as good, and so is ADD for a restatement in other words.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import graph
from bench.labelled import Pair, Spoken, read_pairs
from bench.scoring import Judged, report
from bench.scratch import scratch_memory
from graph.ports import Progress

SPOKEN: Final = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
BEFORE: Final = timedelta(days=2)


async def run(data: Path, progress: Progress, name: str | None = None) -> dict[str, Any]:
    """Judge every pair of a file, or of one set in it, through the memory's front door, and return the report."""
    pairs = read_pairs(data, name)
    async with scratch_memory(progress) as (memory, _):
        verdicts = []
        for number, pair in enumerate(pairs):
            verdicts.append(await judge(memory, f"pair-{number}", pair))
            progress("judging pairs", number + 1, len(pairs))
        versions = memory.versions
    chosen = {"set": name} if name else {}
    return {"bench": "arbitration", "data": data.name, **chosen, **report(pairs, verdicts), "versions": versions}


async def judge(memory: graph.Memory, group: str, pair: Pair) -> Judged:
    """Judge one pair in a group of its own."""
    old = await _remembered(memory, group, pair, pair.old, SPOKEN - BEFORE)
    new = await _remembered(memory, group, pair, pair.new, SPOKEN)
    return judged(new.ruled, old.atom_id)


def judged(ruled: graph.Ruled, old: str | None) -> Judged:
    """Return what was decided, of which the id of the old statement's atom is told."""
    proposed = [(one.atom_id, one.verdict) for one in ruled.proposed]
    of_old = next((verdict for atom_id, verdict in proposed if atom_id == old), None)
    return Judged(ruled.verdict, ruled.rule, ruled.words, of_old, any(atom_id != old for atom_id, _ in proposed))


async def _remembered(memory: graph.Memory, group: str, pair: Pair, said: Spoken, at: datetime) -> graph.Remembered:
    told: dict[str, Any] = {"source_id": said.source, "act": said.act}
    given = {name: value for name, value in told.items() if value is not None}
    statement = graph.Statement(
        text=said.text, subject=said.subject, key=pair.key, value=said.value, occurred_at=at.isoformat(), **given
    )
    (remembered,) = await memory.remember(graph.Scope(group, said.speaker), [statement])
    return remembered
