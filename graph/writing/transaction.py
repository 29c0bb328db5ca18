"""Writes what is planned: lock, check that nobody came in between, and write all or nothing; else plan anew."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from graph.errors import ConflictingWrite, DatabaseRefused, SchemaMismatch
from graph.scope import GROUP_AUDIENCE, Scope
from graph.store import Row, Store, Transaction
from graph.timelines import clock
from graph.timelines.commit import Settled, parted
from graph.timelines.known import Read, outside
from graph.timelines.said import Verdict
from graph.timelines.writing import lock, write
from graph.writing.validation import CheckedEvent, record_fault
from graph.writing.windows import FETCH, Placed, splice, stream_bounds

Draft = tuple[CheckedEvent, list[float] | None]
"""What was checked, and its vector; None: the vector follows."""

_ATTEMPTS: Final = 6
_LONGEST_PAUSE_S: Final = 0.05
_FEW_EDGES: Final = 64
"""Edges up to which the server may keep a node as one of few, which it locks when an edge is added (it says 50)."""


class _ComeBetween(Exception):
    """Another writer was let in after the look."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A batch that is ready to be written: its drafts, and what became of those that state something."""

    drafts: Sequence[Draft]
    settled: Settled

    @property
    def staying(self) -> list[Draft]:
        """The drafts that become atoms."""
        settlements = self.settled.settlements
        return [(d, v) for d, v in self.drafts if d.placed.id not in settlements or settlements[d.placed.id].keeps]

    @property
    def witnessed(self) -> list[CheckedEvent]:
        """The drafts whose source and record are kept: as an atom's, or as those of what is said again."""
        settlements = self.settled.settlements
        return [
            draft
            for draft, _ in self.drafts
            if draft.placed.id not in settlements
            or settlements[draft.placed.id].keeps
            or settlements[draft.placed.id].ruling.verdict is Verdict.NOOP
        ]


async def write_planned(store: Store, slot: str, scope: Scope, plan: Callable[[Read], Awaitable[Planned]]) -> Planned:
    """Write what is planned, in one transaction; plan anew where another writer was let in after the look.

    The last time it is planned under the locks, so that it ends.

    Raises:
        SchemaMismatch: the database has been re-embedded since it was opened.
        ConflictingWrite: an event id, or a record's, was taken meanwhile.
    """
    planned = await plan(outside(store, scope))
    for attempt in range(1, _ATTEMPTS):
        try:
            await _write(store, slot, scope, planned)
        except _ComeBetween:
            await asyncio.sleep(random.uniform(0, attempt * _LONGEST_PAUSE_S))  # noqa: S311 - no secret
            planned = await plan(outside(store, scope))
        else:
            return planned

    async def locked(transaction: Transaction) -> Planned:
        await lock(transaction, [one["id"] for one in planned.settled.subjects])
        whole = await plan(transaction.run)
        await _run(transaction, slot, whole)
        return whole

    return await store.write(scope, locked)


async def _write(store: Store, slot: str, scope: Scope, planned: Planned) -> None:
    if planned.drafts:
        await store.write(scope, lambda transaction: _run(transaction, slot, planned))


async def _run(transaction: Transaction, slot: str, planned: Planned) -> None:
    """Write what is planned in a transaction."""
    staying, subjects = planned.staying, planned.settled.subjects
    (entered,) = await transaction.run(
        "writing/enter",
        batch={
            "subjects": [{name: one[name] for name in ("id", "sequence", "clock_us")} for one in subjects],
            "streams": sorted({draft.stream for draft, _ in staying}),
            "places": _places(staying),
        },
        reach=FETCH,
    )
    if entered["slot"] != slot:
        raise SchemaMismatch("It was re-embedded while this process was running. Restart it.")
    if {one["id"]: one["writes"] for one in entered["subjects"]} != {one["id"]: one["writes"] for one in subjects}:
        raise _ComeBetween
    if planned.witnessed:
        await _write_atoms(transaction, slot, planned, [Placed(**row) for row in entered["around"]])
    if planned.settled.settlements:
        await write(transaction, planned.settled.rows)


async def _write_atoms(transaction: Transaction, slot: str, planned: Planned, around: Sequence[Placed]) -> None:
    now = clock.now()
    staying, settled = planned.staying, planned.settled
    spliced = splice([draft.placed for draft, _ in staying], around)
    windows = {rewrite.id: rewrite.window for rewrite in spliced.windows}
    atoms = []
    for number, (draft, vector) in enumerate(staying):
        learned = {"recorded_at": now, "recorded_order": _order(draft, now, number)}
        extra = {**learned, **settled.atoms.get(draft.placed.id, {})}
        atoms.append(_row(draft, vector, slot, windows.pop(draft.placed.id), extra))
    (written,) = await transaction.run(
        "writing/write",
        batch={
            **_anchors(planned.witnessed),
            "atoms": atoms,
            "cut": _edges(spliced.cut),
            "joined": _edges(spliced.join),
            "windows": [{"id": atom_id, "window": window} for atom_id, window in windows.items()],
        },
        few=_FEW_EDGES,
    )
    if written["created"] != len(atoms):
        raise DatabaseRefused(f"Of {len(atoms)} atoms only {written['created']} were written; none is kept.")
    records = {one["id"]: one for one in written["records"]}
    if not all(_fits(draft, records[draft.record["id"]]) for draft in planned.witnessed if draft.event.record_id):
        raise ConflictingWrite("A record was given another text, or another audience.")


def _fits(draft: CheckedEvent, record: Row) -> bool:
    """Tell whether a named record is as it was when the draft was compared with it."""
    seen = record["audience"] in (GROUP_AUDIENCE, draft.placed.audience, draft.source["user_id"])
    return seen and record_fault(draft, record["text"]) is None


def _places(drafts: Sequence[Draft]) -> list[dict[str, str]]:
    bounds = ((draft.placed.stream_position, *stream_bounds(draft.placed.stream_position)) for draft, _ in drafts)
    return [{"stream_position": place, "low": low, "high": high} for place, low, high in bounds]


def _anchors(drafts: Sequence[CheckedEvent]) -> dict[str, Any]:
    """Return the provenance nodes that the drafts need, sorted by id; the statement merges what they disagree on."""
    sources = {draft.source["id"]: draft.source for draft in drafts}
    records = {tuple(map(str, draft.record.values())): draft for draft in drafts}
    entities = {(entity_id, key) for draft in drafts for entity_id, key, _ in draft.entities}
    return {
        "users": sorted({draft.source["user_id"] for draft in drafts}),
        "sources": [{name: sources[one][name] for name in ("id", "name", "user_id")} for one in sorted(sources)],
        "records": [
            {name: draft.record[name] for name in ("id", "name", "text", "audience")}
            | {"named": draft.event.record_id is not None}
            for draft in sorted(records.values(), key=_record_order)
        ],
        "entities": [{"id": entity_id, "key": key} for entity_id, key in sorted(entities)],
    }


def _record_order(draft: CheckedEvent) -> tuple[str, bool, str]:
    """What is told to the group comes first: a record of the group stays one."""
    return draft.record["id"], draft.record["audience"] != GROUP_AUDIENCE, str(draft.record["text"] or "")


def _row(draft: CheckedEvent, vector: list[float] | None, slot: str, window: str, extra: Mapping[str, Any]) -> Row:
    return {
        **parted({**draft.properties, f"embedding_{slot}": vector, "window": window, **extra}),
        "labels": [] if vector is not None else ["Pending"],
        "source_id": draft.source["id"],
        "source_kind": draft.source["kind"],
        "record_id": draft.record["id"],
        "quote": draft.record["quote"],
        "entities": [{"id": entity_id, "name": name} for entity_id, _, name in draft.entities],
    }


def _order(draft: CheckedEvent, now: datetime, number: int) -> str:
    """Return the order in which the memory learned things: by commit time, then as they came. Cursors go by it."""
    moment = now + timedelta(microseconds=number)
    return f"{moment.isoformat(timespec='microseconds')} {draft.placed.id}"


def _edges(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"earlier": earlier, "later": later} for earlier, later in pairs]
