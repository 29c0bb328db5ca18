"""Writes the drafts of a batch: look, settle, lock, check that nobody came in between, and write all or nothing."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from graph.errors import ConflictingWrite, DatabaseRefused, SchemaMismatch
from graph.ingest.validation import CheckedEvent, record_fault
from graph.ingest.windows import FETCH, Placed, splice, stream_bounds
from graph.naming import entity_key, stable_id
from graph.scope import Scope
from graph.store import Row, Store, Transaction
from graph.timelines import clock
from graph.timelines.commit import Batch, Settled, parted
from graph.timelines.facts import Settlement
from graph.timelines.keys import kind_of
from graph.timelines.known import Asked, Looked, Read, look, outside, whole, with_opponents
from graph.timelines.said import Act, KeyKind, Said, Verdict
from graph.timelines.settling import MOST_RETOLD
from graph.timelines.standing import milliseconds
from graph.timelines.statements import NewStatement, decision_id, other_meant
from graph.timelines.writing import lock, write

Draft = tuple[CheckedEvent, list[float] | None]
"""What was checked, and its vector; None: the vector follows."""

_ATTEMPTS: Final = 6
_LONGEST_PAUSE_S: Final = 0.05
_DAY: Final = timedelta(days=1)


class _ComeBetween(Exception):
    """Another writer was let in after the look."""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """What the graph holds under an event id."""

    content_hash: str
    status: str
    audience: str


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


async def known_events(store: Store, scope: Scope, event_ids: Sequence[str]) -> dict[str, KnownEvent]:
    """Return the events of these ids that are known, by id; an id that a statement bears is known without content."""
    events = [{"event_id": one, "decision_id": decision_id(stable_id("atom", scope.group, one))} for one in event_ids]
    found = await store.read("ingest/known_events", scope, events=events)
    return {row["event_id"]: KnownEvent(row["content_hash"], row["status"], row["audience"]) for row in found}


async def known_records(store: Store, scope: Scope, record_ids: Sequence[str]) -> dict[str, tuple[str | None, str]]:
    """Return the text and the audience of the records of these ids that are known, by id."""
    found = await store.read("ingest/known_records", scope, record_ids=list(record_ids))
    return {row["record_id"]: (row["text"], row["audience"]) for row in found}


async def commit(
    store: Store, slot: str, scope: Scope, drafts: Sequence[Draft], key_kinds: Mapping[str, str]
) -> Mapping[str, Settlement]:
    """Write events and their vectors, joined into their streams, or none of them; return what became of each statement.

    Raises:
        SchemaMismatch: the database has been re-embedded since it was opened.
        ConflictingWrite: an event id was taken meanwhile.
    """
    if not drafts:
        return {}
    stated = await asyncio.to_thread(stated_by, drafts, scope, key_kinds, kept=True)

    async def plan(read: Read) -> Planned:
        return Planned(drafts, await settled_now(read, slot, stated))

    return (await write_planned(store, slot, scope, plan)).settled.settlements


def stated_by(drafts: Sequence[Draft], scope: Scope, key_kinds: Mapping[str, str], *, kept: bool) -> list[NewStatement]:
    """Return what drafts state, to be settled. `kept`: an event is kept whatever is decided of what it states.

    `key_kinds` are the kinds that the group has declared, by key.
    """
    now = clock.now()
    kinds = {entity_key(key): kind for key, kind in key_kinds.items()}
    return [statement(draft, vector, scope, kinds, now, kept=kept) for draft, vector in drafts if draft.states]


async def settled_now(read: Read, slot: str, stated: Sequence[NewStatement]) -> Settled:
    """Look at what may decide about statements, and settle them."""
    if not stated:
        return Settled({}, (), {}, {})
    now = clock.now()
    return await settled_by(read, await look(read, slot, stated, Asked(), milliseconds(now)), stated, now)


async def settled_by(read: Read, looked: Looked, stated: Sequence[NewStatement], now: datetime) -> Settled:
    """Settle statements, off the event loop: it may take a while. Where one comes late, all its timeline is read."""
    batch = Batch(stated, looked, now)
    if late := await asyncio.to_thread(batch.late):
        facts, told = await whole(read, late, most=MOST_RETOLD + 1)
        batch.tell(await with_opponents(read, facts), told)
    return await asyncio.to_thread(batch.settle)


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
        "ingest/enter",
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
        "ingest/write",
        batch={
            **_anchors(planned.witnessed),
            "atoms": atoms,
            "cut": _edges(spliced.cut),
            "joined": _edges(spliced.join),
            "windows": [{"id": atom_id, "window": window} for atom_id, window in windows.items()],
        },
    )
    if written["created"] != len(atoms):
        raise DatabaseRefused(f"Of {len(atoms)} atoms only {written['created']} were written; none is kept.")
    texts = {one["id"]: one["text"] for one in written["records"]}
    named = (draft for draft in planned.witnessed if draft.event.record_id is not None)
    if any(record_fault(draft, texts[draft.record["id"]]) for draft in named):
        raise ConflictingWrite("A record was given another text.")


def statement(
    draft: CheckedEvent,
    vector: list[float] | None,
    scope: Scope,
    key_kinds: Mapping[str, str],
    now: datetime,
    *,
    kept: bool,
) -> NewStatement:
    """Return what a draft states, to be settled; what was told without a time, or today, is said when it is learned.

    `key_kinds` are the kinds that the group has declared, by the keys' names as `entity_key` gives them.
    """
    event, about = draft.event, draft.properties
    moment = about["occurred_at"] if event.occurred_at else None
    if moment is not None and about["said_precision"] == "day" and moment <= now < moment + _DAY:
        moment = None  # else it would be older than what was said this morning
    said = Said(
        event.text,
        event.key,
        event.value,
        event.origin,
        about["user_id"],
        about["subject"],
        act=Act(event.act) if event.act is not None else None,
        source_id=draft.source["id"],
        subject_given=event.subject is not None,
    )
    return NewStatement(
        id=draft.placed.id,
        said=said,
        at=milliseconds(moment) if moment is not None else None,
        group=scope.group,
        audience=about["audience"],
        vector=vector or (),
        source_id=draft.source["id"],
        record_id=draft.record["id"],
        quote=draft.record["quote"],
        content_hash=draft.content_hash,
        kind=kind_of(event.key, key_kinds, event.origin) if event.key is not None else KeyKind.ONE,
        kept=kept,
        other=other_meant(said, scope.group, about["audience"]),
    )


def _places(drafts: Sequence[Draft]) -> list[dict[str, str]]:
    bounds = ((draft.placed.stream_position, *stream_bounds(draft.placed.stream_position)) for draft, _ in drafts)
    return [{"stream_position": place, "low": low, "high": high} for place, low, high in bounds]


def _anchors(drafts: Sequence[CheckedEvent]) -> dict[str, Any]:
    """Return the provenance nodes that the drafts need, sorted by id; the statement merges what they disagree on."""
    sources = {tuple(draft.source.values()): draft.source for draft in drafts}
    records = {tuple(map(str, draft.record.values())): draft.record for draft in drafts}
    entities = {entity for draft in drafts for entity in draft.entities}
    return {
        "users": sorted({draft.source["user_id"] for draft in drafts}),
        "sources": [sources[row] for row in sorted(sources)],
        "records": [records[row] for row in sorted(records)],
        "entities": [{"id": entity_id, "key": key, "name": name} for entity_id, key, name in sorted(entities)],
    }


def _row(draft: CheckedEvent, vector: list[float] | None, slot: str, window: str, extra: Mapping[str, Any]) -> Row:
    return {
        **parted({**draft.properties, f"embedding_{slot}": vector, "window": window, **extra}),
        "labels": [] if vector is not None else ["Pending"],
        "source_id": draft.source["id"],
        "record_id": draft.record["id"],
        "quote": draft.record["quote"],
        "entity_ids": [entity_id for entity_id, _, _ in draft.entities],
    }


def _order(draft: CheckedEvent, now: datetime, number: int) -> str:
    """Return the order in which the memory learned things: by commit time, then as they came. Cursors go by it."""
    moment = now + timedelta(microseconds=number)
    return f"{moment.isoformat(timespec='microseconds')} {draft.placed.id}"


def _edges(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"earlier": earlier, "later": later} for earlier, later in pairs]
