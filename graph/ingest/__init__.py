"""Events in, receipts out: check, compare with what is known, commit; vectors follow (`graph.following`).

Each chunk is one transaction.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from graph.embedding import Embedding
from graph.errors import ConflictingWrite, InvalidInput
from graph.ingest.commit import KnownEvent, commit, known_events, known_records
from graph.ingest.fields import Fault
from graph.ingest.validation import HIDDEN, CheckedEvent, draft, record_fault
from graph.model import Event, GroupSettings, Outcome, Proposal, Receipt, Ruled, Touched
from graph.ontology import Status
from graph.scope import Right, Scope
from graph.store import Store
from graph.timelines.facts import Settlement
from graph.times.instants import parse_zone

MOST_EVENTS: Final = 1_000
"""Events that one call may bring."""

CHUNK: Final = 256
"""Events a transaction: large enough to batch round trips, small enough to be held in memory by server and client."""

_ATTEMPTS: Final = 5


async def record_events(
    store: Store, embedding: Embedding, slot: str, scope: Scope, events: Sequence[Event], settings: GroupSettings
) -> list[Receipt]:
    """Keep the events and return a receipt for each, in their order; sending them again changes nothing.

    Raises:
        AccessDenied: the scope may not write.
        InvalidInput: more than `MOST_EVENTS` events (then none is kept).
    """
    scope.require(Right.WRITE)
    if len(events) > MOST_EVENTS:
        raise InvalidInput(f"events: {len(events)} in one call; send at most {MOST_EVENTS}.")
    zone = parse_zone(settings.time_zone)
    checked = [draft(event, scope, zone, external=settings.external) for event in events]
    firsts: dict[str, CheckedEvent] = {}
    for item in checked:
        if isinstance(item, CheckedEvent):
            firsts.setdefault(item.event.event_id, item)
    settled = await _settle(store, scope, list(firsts.values()))
    fresh = [item for event_id, item in firsts.items() if event_id not in settled]
    for start in range(0, len(fresh), CHUNK):
        chunk = fresh[start : start + CHUNK]
        settled |= await _keep(store, slot, scope, chunk, await _needed(embedding, chunk), settings.key_kinds)
    return [_receipt(event, item, firsts, settled, scope) for event, item in zip(events, checked, strict=True)]


async def _needed(embedding: Embedding, chunk: Sequence[CheckedEvent]) -> list[list[float] | None]:
    """Return the vectors of what is compared by meaning before it is written; None for all else, which waits."""
    compared = [item.states and item.event.key is None for item in chunk]
    texts = [item.event.text for item, needed in zip(chunk, compared, strict=True) if needed]
    vectors = iter(await embedding.passages(texts))
    return [next(vectors) if needed else None for needed in compared]


async def _keep(
    store: Store,
    slot: str,
    scope: Scope,
    chunk: Sequence[CheckedEvent],
    vectors: Sequence[list[float] | None],
    key_kinds: Mapping[str, str],
) -> dict[str, Receipt]:
    """Commit a chunk; where another writer took one of its ids meanwhile, settle that one and go on."""
    settled: dict[str, Receipt] = {}
    ruled: dict[str, Settlement] = {}
    for attempt in range(1, _ATTEMPTS + 1):
        left = [(item, v) for item, v in zip(chunk, vectors, strict=True) if item.event.event_id not in settled]
        try:
            ruled = dict(await commit(store, slot, scope, left, key_kinds))
        except ConflictingWrite:
            if attempt == _ATTEMPTS:
                raise
            settled |= await _settle(store, scope, [item for item, _ in left])
        else:
            break
    for item, _ in left:
        event_id, settlement = item.event.event_id, ruled.get(item.placed.id)
        told = ruled_of(settlement) if settlement else None
        settled[event_id] = Receipt(
            event_id, Outcome.RECORDED, atom_id=item.placed.id, ruled=told, without_time=not item.timed
        )
    return settled


def ruled_of(settlement: Settlement) -> Ruled:
    """Return what a settlement decided, as callers see it."""
    ruling = settlement.ruling
    touched = tuple(
        Touched(change.id, change.before.status if change.before else None, change.after.status)
        for change in sorted(settlement.changes, key=lambda change: (change.before is not None, change.id))
    )
    return Ruled(ruling.verdict, ruling.rule, ruling.words, touched, proposals(ruling.proposes, ruling.proposed))


def proposals(atom_ids: Sequence[str], verdict: str | None) -> tuple[Proposal, ...]:
    """Return what is proposed to be superseded, with the verdict that accepting it gives (None: nothing is)."""
    return tuple(Proposal(one, verdict) for one in atom_ids) if verdict is not None else ()


async def _settle(store: Store, scope: Scope, drafts: Sequence[CheckedEvent]) -> dict[str, Receipt]:
    """Return the receipts of the events whose ids, or whose records' ids, are taken in the graph."""
    known = await known_events(store, scope, [item.event.event_id for item in drafts])
    faults = await record_faults(store, scope, drafts)
    receipts = {}
    for item in drafts:
        event_id = item.event.event_id
        if event_id in known:
            receipts[event_id] = _repeat(item, known[event_id], scope)
        elif fault := faults.get(event_id):
            receipts[event_id] = Receipt(event_id, Outcome.REJECTED, field=fault.field, reason=fault.reason)
    return receipts


async def record_faults(store: Store, scope: Scope, drafts: Sequence[CheckedEvent]) -> dict[str, Fault]:
    """Return what is wrong between drafts and the records that they quote, known or brought along, by event id."""
    known = await known_records(store, scope, sorted({item.record["id"] for item in drafts}))
    return faults_in(known, scope, drafts)


def faults_in(
    records: Mapping[str, tuple[str | None, str]], scope: Scope, drafts: Sequence[CheckedEvent]
) -> dict[str, Fault]:
    """Return the same, where the records that are known are given with text and audience."""
    texts = {record_id: text for record_id, (text, _) in records.items()}
    for item in drafts:
        texts[item.record["id"]] = texts.get(item.record["id"]) or item.record["text"]
    faults = {
        item.event.event_id: _hidden(item, scope, records) or record_fault(item, texts[item.record["id"]])
        for item in drafts
    }
    return {event_id: fault for event_id, fault in faults.items() if fault}


def _hidden(item: CheckedEvent, scope: Scope, records: Mapping[str, tuple[str | None, str]]) -> Fault | None:
    """Refuse to take up a record that neither the writer nor the user it writes for may see."""
    _, audience = records.get(item.record["id"], (None, item.placed.audience))
    return None if audience in {*scope.audiences, item.placed.audience} else HIDDEN


def _receipt(
    event: Event,
    item: CheckedEvent | Fault,
    firsts: Mapping[str, CheckedEvent],
    settled: Mapping[str, Receipt],
    scope: Scope,
) -> Receipt:
    """Return what became of one event of the call; a repeat within the call is compared with the first."""
    if isinstance(item, Fault):
        return Receipt(event.event_id, Outcome.REJECTED, field=item.field, reason=item.reason)
    first, receipt = firsts[event.event_id], settled[event.event_id]
    if item is first or receipt.outcome is Outcome.REJECTED:
        return receipt
    # The caller brought both, and so may be told of both.
    return _repeat(item, KnownEvent(first.content_hash, Status.ACTIVE, item.placed.audience), scope)


def _repeat(item: CheckedEvent, known: KnownEvent, scope: Scope) -> Receipt:
    """Return the receipt of an event whose id is taken.

    An id stands for one event in the whole group, so that it cannot be given once more; but of an event that neither
    the writer nor the user it writes for may see, nothing is told but that: not what it says, nor what became of it.
    Whoever would keep even that to himself needs ids that nobody guesses. Who may record for others is told of theirs:
    a hub that sends again what it recorded must learn that it is known.
    """
    event_id = item.event.event_id
    if known.audience not in {*scope.audiences, item.placed.audience}:
        reason = "This event id is taken. Send another."
    elif known.status == Status.ERASED:
        reason = "This event was erased; it is not kept again."
    elif item.content_hash != known.content_hash:
        reason = "It is taken by an event with other content. Atoms do not change: send a new id."
    else:
        return Receipt(event_id, Outcome.UNCHANGED, atom_id=item.placed.id, without_time=not item.timed)
    return Receipt(event_id, Outcome.REJECTED, field="eventId", reason=reason)
