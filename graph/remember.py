"""Statements in, verdicts out: doors, embedding, arbitration. The second way in; the first is `graph.ingest`."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import uuid4

from graph.arbitration.wording import read
from graph.embedding import Embedding
from graph.errors import ConflictingWrite, InvalidInput
from graph.ingest import proposals, record_faults, ruled_of
from graph.ingest.commit import commit, known_events
from graph.ingest.fields import Fault
from graph.ingest.validation import CheckedEvent, draft
from graph.model import Event, GroupSettings, Remembered, Ruled, Statement, Touched
from graph.scope import GROUP_AUDIENCE, Right, Scope
from graph.store import Row, Store
from graph.timelines.commit import decision_id
from graph.timelines.decide import Verdict
from graph.timelines.doors import FLIPPED, OWN_OUTPUT, is_own_output, polarity_flipped
from graph.timelines.facts import Settlement
from graph.times.instants import parse_zone

MOST_STATEMENTS: Final = 100
"""Statements that one call may bring."""

_ATTEMPTS: Final = 5
_TAKEN: Final = "It is taken by a statement with other content. Send a new id."
_AHEAD: Final = timedelta(days=1)  # clocks and zones of clients may be wrong by so much
_LIES_AHEAD: Final = Fault(
    "occurredAt",
    "It lies ahead. Give the time at which the statement was made; what it tells of the future stays text.",
)
_NOT_YOURS: Final = Fault(
    "visibility", "Only its own user may remember in private. Send it as that user, or for the group."
)
_API_NAMES: Final = {"eventId": "clientId"}


async def remember(
    store: Store,
    embedding: Embedding,
    slot: str,
    scope: Scope,
    statements: Sequence[Statement],
    settings: GroupSettings,
) -> list[Remembered]:
    """Decide what becomes of each statement, in their order, and return it; all is kept or nothing is.

    Raises:
        AccessDenied: the scope may not write.
        InvalidInput: more than `MOST_STATEMENTS` statements, or two with one client id.
    """
    scope.require(Right.WRITE)
    if len(statements) > MOST_STATEMENTS:
        raise InvalidInput(f"statements: {len(statements)} in one call; send at most {MOST_STATEMENTS}.")
    ids = [one.client_id for one in statements if one.client_id is not None]
    if len(ids) != len(set(ids)):
        raise InvalidInput("clientId: Two statements of one call have the same. Each needs its own.")
    now = datetime.now(UTC)
    zone = parse_zone(settings.time_zone)
    said = [_event(one) for one in statements]
    drafts = [draft(event, scope, zone, external=settings.external, said_at=now) for event in said]
    answers = [_at_the_door(event, item, now, scope.viewer) for event, item in zip(said, drafts, strict=True)]
    open_ = [
        item for item, answer in zip(drafts, answers, strict=True) if answer is None and isinstance(item, CheckedEvent)
    ]
    named = [item for item in open_ if item.event.event_id in set(ids)]
    for attempt in range(1, _ATTEMPTS + 1):
        known = await _known(store, scope, named)
        faults = await record_faults(store, scope, [item for item in open_ if item.placed.id not in known])
        fresh = [item for item in open_ if item.placed.id not in known and item.event.event_id not in faults]
        vectors = await embedding.passages([item.event.text for item in fresh])
        try:
            settled = await commit(
                store,
                slot,
                scope,
                list(zip(fresh, vectors, strict=True)),
                key_kinds=settings.key_kinds,
                kept=False,
            )
        except ConflictingWrite:
            if attempt == _ATTEMPTS:
                raise
        else:
            break
    return [
        answer or _refused(faults.get(event.event_id)) or _answer(item, known, settled)
        for event, item, answer in zip(said, drafts, answers, strict=True)
    ]


def _event(one: Statement) -> Event:
    """Return a statement as the event that its atom is made of."""
    return Event(
        event_id=one.client_id if one.client_id is not None else f"remember:{uuid4()}",
        text=one.text,
        user_id=one.user_id,
        source_id=one.source_id,
        source_kind=one.source_kind,
        occurred_at=one.occurred_at,
        visibility=one.visibility,
        origin=one.origin,
        subject=one.subject,
        key=one.key,
        value=one.value,
        entities=one.entities,
        importance=one.importance,
        record_id=one.record_id,
        record_text=one.record_text,
        quote=one.quote,
        act=one.act,
    )


# One return for each door.
def _at_the_door(  # noqa: PLR0911
    event: Event, item: CheckedEvent | Fault, now: datetime, viewer: str
) -> Remembered | None:
    """Return the answer to what is not let in, or is not worth keeping; None for what is to be settled."""
    if is_own_output(event.text):
        return Remembered(Ruled(Verdict.NOOP, "our own output", OWN_OUTPUT.reason))
    if isinstance(item, Fault):
        return _refused(item)
    if item.placed.audience not in (GROUP_AUDIENCE, viewer):  # the answer would tell what the viewer may not see
        return _refused(_NOT_YOURS)
    said_at = item.properties["occurred_at"]
    if said_at is not None and said_at > now + _AHEAD:
        return _refused(_LIES_AHEAD)
    if polarity_flipped(event.text, event.quote):
        return _refused(Fault(FLIPPED.field, FLIPPED.reason))
    if event.key is None and read(event.text).small_talk:
        return Remembered(Ruled(Verdict.SKIPPED_EPHEMERAL, "small talk", ""))
    return None


def _refused(fault: Fault | None) -> Remembered | None:
    if fault is None:
        return None
    field = _API_NAMES.get(fault.field, fault.field)
    return Remembered(Ruled(Verdict.REFUSED, "a door that does not open", ""), field=field, reason=fault.reason)


async def _known(store: Store, scope: Scope, named: Sequence[CheckedEvent]) -> dict[str, Row]:
    """Return what was decided before of these very statements, which bear an id of their own, by atom id."""
    if not named:
        return {}
    ids = {decision_id(item.placed.id): item.placed.id for item in named}
    rows = await store.read("timelines/known_decisions", scope, ids=sorted(ids))
    known: dict[str, Row] = {ids[row["decision"]["id"]]: row["decision"] for row in rows}
    events = await known_events(store, scope, [item.event.event_id for item in named])
    for item in named:
        event = events.get(item.event.event_id)
        if event is not None and item.placed.id not in known:
            known[item.placed.id] = {"content_hash": event.content_hash + " of an event"}
    return known


def _answer(item: CheckedEvent | Fault, known: dict[str, Row], settled: dict[str, Settlement]) -> Remembered:
    if isinstance(item, Fault):
        raise TypeError("a fault is answered at the door")
    if before := known.get(item.placed.id):
        if before["content_hash"] != item.content_hash:
            return Remembered(Ruled(Verdict.REFUSED, "a door that does not open", ""), field="clientId", reason=_TAKEN)
        touched = tuple(Touched(one["id"], one["before"], one["after"]) for one in before["touched"])
        proposed = proposals(before["proposes"] or (), before["proposed"])
        ruled = Ruled(before["verdict"], before["rule"], before["words"], touched, proposed)
        return Remembered(ruled, before["atom_id"], subject=before["subject"])
    settlement = settled[item.placed.id]
    targets = settlement.ruling.targets
    atom_id = item.placed.id if settlement.keeps else next(iter(targets), None)
    return Remembered(ruled_of(settlement), atom_id, subject=settlement.subject)
