"""Writes the drafts of a chunk in one transaction: lock, look around, splice, write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graph.errors import ConflictingWrite, DatabaseRefused, SchemaMismatch
from graph.ingest.validation import CheckedEvent, record_fault
from graph.ingest.windows import FETCH, Placed, splice, stream_bounds
from graph.naming import entity_key, stable_id
from graph.scope import Scope
from graph.store import Store, Transaction
from graph.timelines.commit import NewStatement, decision_id, lock, properties, write
from graph.timelines.commit import settle as arbitrate
from graph.timelines.decide import Act, KeyKind, Said, kind_of
from graph.timelines.facts import Settlement
from graph.timelines.standing import milliseconds

_DAY = timedelta(days=1)
_NO_KINDS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """What the graph holds under an event id."""

    content_hash: str
    status: str


async def known_events(store: Store, scope: Scope, event_ids: Sequence[str]) -> dict[str, KnownEvent]:
    """Return the events of these ids that are known, by id; an id that a statement bears is known without content."""
    events = [{"event_id": one, "decision_id": decision_id(stable_id("atom", scope.group, one))} for one in event_ids]
    rows = await store.read("ingest/known_events", scope, events=events)
    return {row["event_id"]: KnownEvent(row["content_hash"], row["status"]) for row in rows}


async def known_records(store: Store, scope: Scope, record_ids: Sequence[str]) -> dict[str, tuple[str | None, str]]:
    """Return the text and the audience of the records of these ids that are known, by id."""
    rows = await store.read("ingest/known_records", scope, record_ids=list(record_ids))
    return {row["record_id"]: (row["text"], row["audience"]) for row in rows}


async def commit(
    store: Store,
    slot: str,
    scope: Scope,
    drafts: Sequence[tuple[CheckedEvent, list[float]]],
    *,
    key_kinds: Mapping[str, str] = _NO_KINDS,
    kept: bool = True,
) -> dict[str, Settlement]:
    """Write the drafts and their vectors, joined into their streams, or none of them.

    Statements are settled in the same transaction; returned is what became of each, by atom id. `kept`: an event is
    kept whatever is decided of what it states, a remembered statement only where it says something new.

    Raises:
        SchemaMismatch: the database has been re-embedded since it was opened.
        ConflictingWrite: an event id was taken meanwhile.
    """
    if not drafts:
        return {}
    kinds = {entity_key(key): kind for key, kind in key_kinds.items()}

    async def work(transaction: Transaction) -> dict[str, Settlement]:
        streams = sorted({draft.stream for draft, _ in drafts})
        locked = await transaction.run("ingest/lock_streams", streams=streams)
        if locked[0]["slot"] != slot:
            raise SchemaMismatch("It was re-embedded while this process was running. Restart it.")
        stated = [statement(draft, vector, scope, kinds, kept=kept) for draft, vector in drafts if draft.states]
        if stated:
            await lock(transaction, (subject for one in stated for subject in one.subjects))
        # Under the locks, so that of two writers the one who is let in first has also spoken first.
        now = datetime.now(UTC)
        settled = {one.claim.id: one for one in await arbitrate(transaction, slot, stated, now)} if stated else {}
        staying = [(d, v) for d, v in drafts if d.placed.id not in settled or settled[d.placed.id].keeps]
        await transaction.run("ingest/anchors", **_anchors([draft for draft, _ in drafts]))
        await _check_records(transaction, [draft for draft, _ in drafts if draft.event.record_id is not None])
        if staying:
            by_id = {one.id: one for one in stated}
            extra = {one: properties(by_id[one], settlement) for one, settlement in settled.items() if settlement.keeps}
            await _write_atoms(transaction, slot, staying, extra, now)
        if stated:
            await write(transaction, stated, list(settled.values()), now)
        return settled

    return await store.write(scope, work)


async def _write_atoms(
    transaction: Transaction,
    slot: str,
    drafts: Sequence[tuple[CheckedEvent, list[float]]],
    extra: Mapping[str, Mapping[str, Any]],
    now: datetime,
) -> None:
    around = await transaction.run("ingest/neighbours", places=_places(drafts), reach=FETCH)
    spliced = splice([draft.placed for draft, _ in drafts], [Placed(**row) for row in around])
    windows = {rewrite.id: rewrite.window for rewrite in spliced.windows}
    rows = [
        _row(
            draft,
            vector,
            slot,
            windows.pop(draft.placed.id),
            now,
            {"recorded_order": _order(draft, now, number), **extra.get(draft.placed.id, {})},
        )
        for number, (draft, vector) in enumerate(drafts)
    ]
    created = await transaction.run("ingest/create_atoms", atoms=rows)
    if created[0]["created"] != len(rows):
        raise DatabaseRefused(f"Of {len(rows)} atoms only {created[0]['created']} were written; none is kept.")
    if spliced.cut:
        await transaction.run("ingest/cut_next", edges=_edges(spliced.cut))
    if spliced.join:
        await transaction.run("ingest/join_next", edges=_edges(spliced.join))
    if windows:
        rewrites = [{"id": atom_id, "window": window} for atom_id, window in windows.items()]
        await transaction.run("ingest/rewrite_windows", windows=rewrites)


def statement(
    draft: CheckedEvent, vector: list[float], scope: Scope, key_kinds: Mapping[str, str], *, kept: bool
) -> NewStatement:
    """Return what a draft states, to be settled; what was told without a time, or today, is said when it is learned.

    `key_kinds` are the kinds that the group has declared, by the keys' names as `entity_key` gives them.
    """
    event, about = draft.event, draft.properties
    moment = about["occurred_at"] if event.occurred_at else None
    if moment is not None and about["said_precision"] == "day" and moment <= datetime.now(UTC) < moment + _DAY:
        moment = None  # else it would be older than what was said this morning
    return NewStatement(
        id=draft.placed.id,
        said=Said(
            event.text,
            event.key,
            event.value,
            event.origin,
            about["user_id"],
            about["subject"],
            act=Act(event.act) if event.act is not None else None,
            source_id=draft.source["id"],
            subject_given=event.subject is not None,
        ),
        at=milliseconds(moment) if moment is not None else None,
        group=scope.group,
        audience=about["audience"],
        vector=vector,
        source_id=draft.source["id"],
        record_id=draft.record["id"],
        quote=draft.record["quote"],
        content_hash=draft.content_hash,
        kind=kind_of(event.key, key_kinds, event.origin) if event.key is not None else KeyKind.ONE,
        kept=kept,
    )


async def _check_records(transaction: Transaction, drafts: Sequence[CheckedEvent]) -> None:
    """Refuse to go on where another writer brought another text for a record meanwhile.

    Raises:
        ConflictingWrite: the events must be settled anew.
    """
    if drafts:
        record_ids = sorted({draft.record["id"] for draft in drafts})
        rows = await transaction.run("ingest/known_records", record_ids=record_ids)
        texts = {row["record_id"]: row["text"] for row in rows}
        if any(record_fault(draft, texts[draft.record["id"]]) for draft in drafts):
            raise ConflictingWrite("A record was given another text.")


def _places(drafts: Sequence[tuple[CheckedEvent, list[float]]]) -> list[dict[str, str]]:
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


def _row(
    draft: CheckedEvent, vector: list[float], slot: str, window: str, now: datetime, extra: Mapping[str, Any]
) -> dict[str, Any]:
    written = {f"embedding_{slot}": vector, "window": window, "recorded_at": now}
    return {
        "properties": {**draft.properties, **written, **extra},
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
