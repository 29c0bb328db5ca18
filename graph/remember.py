"""Statements in, verdicts out: doors, embedding, arbitration. The second way in; the first is `graph.ingest`."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from graph.embedding import Embedding
from graph.errors import ConflictingWrite, InvalidInput
from graph.groups import settings_in
from graph.ingest import faults_in, proposals, ruled_of
from graph.ingest.commit import Planned, settled_by, stated_by, write_planned
from graph.ingest.fields import Fault
from graph.ingest.validation import CheckedEvent, draft
from graph.model import Event, GroupSettings, Remembered, Ruled, Statement, Touched
from graph.ontology import Origin
from graph.scope import Right, Scope
from graph.store import Row, Store
from graph.timelines import clock
from graph.timelines.doors import FLIPPED, OWN_OUTPUT, is_own_output, polarity_flipped
from graph.timelines.facts import Settlement
from graph.timelines.known import Asked, Looked, Read, look
from graph.timelines.said import Verdict
from graph.timelines.standing import milliseconds
from graph.timelines.statements import NewStatement, decision_id
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
_API_NAMES: Final = {"eventId": "clientId"}


async def remember(
    store: Store, embedding: Embedding, slot: str, scope: Scope, statements: Sequence[Statement]
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
    call = _Call(scope, slot, [_event(one) for one in statements], frozenset(ids))
    await call.draft()
    await call.embed(embedding)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            planned = await write_planned(store, slot, scope, call.plan)
        except ConflictingWrite:
            if attempt == _ATTEMPTS:
                raise
        else:
            return call.answers(planned.settled.settlements)
    raise AssertionError("the last attempt returns or raises")


class _Call:
    """The statements of one call, from their draft to the answers."""

    def __init__(self, scope: Scope, slot: str, said: Sequence[Event], named: frozenset[str]) -> None:
        self._scope = scope
        self._slot = slot
        self._said = said
        self._named = named  # ids that clients gave: a retry bears them
        self._now = clock.now()
        # What a group has set is looked at together with all else. Until then the most usual is taken for it.
        self._settings = GroupSettings(external=True)
        self._drafts: list[CheckedEvent | Fault] = []
        self._at_the_door: list[Remembered | None] = []
        self._stated: dict[str, NewStatement] = {}
        self._vectors: dict[str, list[float]] = {}
        self._known: dict[str, Row] = {}
        self._faults: dict[str, Fault] = {}
        self._planned = 0

    async def draft(self) -> None:
        """Check the statements with the settings as they are known, off the event loop."""
        await asyncio.to_thread(self._draft)

    def _draft(self) -> None:
        zone, external = parse_zone(self._settings.time_zone), self._settings.external
        self._drafts = [draft(one, self._scope, zone, external=external, said_at=self._now) for one in self._said]
        self._at_the_door = [
            _at_the_door(event, item, self._now) for event, item in zip(self._said, self._drafts, strict=True)
        ]
        if self._vectors:
            self._state()

    def _state(self) -> None:
        drafts = [(item, self._vectors[item.placed.id]) for item in self._open]
        key_kinds = self._settings.key_kinds
        self._stated = {one.id: one for one in stated_by(drafts, self._scope, key_kinds, kept=False)}

    @property
    def _open(self) -> list[CheckedEvent]:
        """The drafts that are let in."""
        answered = zip(self._drafts, self._at_the_door, strict=True)
        return [item for item, answer in answered if answer is None and isinstance(item, CheckedEvent)]

    async def embed(self, embedding: Embedding) -> None:
        """Make the vectors of what is let in."""
        open_ = self._open
        vectors = await embedding.passages([item.event.text for item in open_])
        self._vectors = {item.placed.id: vector for item, vector in zip(open_, vectors, strict=True)}
        await asyncio.to_thread(self._state)

    async def plan(self, read: Read) -> Planned:
        """Look at all that may decide, and settle what is new."""
        now = clock.now()
        looked = await self._look(read, now)
        settings = settings_in(looked.settings)
        before = self._settings
        if settings != before:
            self._settings = settings
            places = {(one.id, one.at) for one in self._stated.values()}
            if settings.time_zone != before.time_zone or any(one.origin == Origin.EXTERNAL for one in self._said):
                await self.draft()
            else:
                await asyncio.to_thread(self._state)
            if not {(one.id, one.at) for one in self._stated.values()} <= places:
                looked = await self._look(read, now)
        self._planned += 1
        open_ = self._open
        self._known = self._known_in(looked, open_)
        records = {row["id"]: (row["text"], row["audience"]) for row in looked.records}
        self._faults = faults_in(records, self._scope, [one for one in open_ if one.placed.id not in self._known])
        fresh = [
            item for item in open_ if item.placed.id not in self._known and item.event.event_id not in self._faults
        ]
        settled = await settled_by(read, looked, [self._stated[item.placed.id] for item in fresh], now)
        return Planned([(item, self._vectors[item.placed.id]) for item in fresh], settled)

    async def _look(self, read: Read, now: datetime) -> Looked:
        open_ = self._open
        named = [item for item in open_ if item.event.event_id in self._named]
        # A commit whose answer was lost is tried again: then what it left is looked for under the ids made for it.
        asked = Asked(
            [decision_id(item.placed.id) for item in (open_ if self._planned else named)],
            [item.event.event_id for item in named],
            sorted({item.record["id"] for item in open_}),
        )
        return await look(read, self._slot, list(self._stated.values()), asked, milliseconds(now))

    def _known_in(self, looked: Looked, open_: Sequence[CheckedEvent]) -> dict[str, Row]:
        """Return what was decided before of these very statements, by atom id."""
        ids = {decision_id(item.placed.id): item.placed.id for item in open_}
        known: dict[str, Row] = {ids[row["id"]]: row for row in looked.decisions}
        events = {row["event_id"]: row["content_hash"] for row in looked.events}
        for item in open_:
            if item.event.event_id in events and item.placed.id not in known:
                known[item.placed.id] = {"content_hash": f"{events[item.event.event_id]} of an event"}
        return known

    def answers(self, settled: Mapping[str, Settlement]) -> list[Remembered]:
        """Return what became of each statement."""
        return [
            answer or _refused(self._faults.get(event.event_id)) or _answer(item, self._known, settled)
            for event, item, answer in zip(self._said, self._drafts, self._at_the_door, strict=True)
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
def _at_the_door(event: Event, item: CheckedEvent | Fault, now: datetime) -> Remembered | None:
    """Return the answer to what is not let in, or is not worth keeping; None for what is to be settled."""
    if is_own_output(event.text):
        return Remembered(Ruled(Verdict.NOOP, "our own output", OWN_OUTPUT.reason))
    if isinstance(item, Fault):
        return _refused(item)
    said_at = item.properties["occurred_at"]
    if said_at is not None and said_at > now + _AHEAD:
        return _refused(_LIES_AHEAD)
    if polarity_flipped(event.text, event.quote):
        return _refused(Fault(FLIPPED.field, FLIPPED.reason))
    return None


def _refused(fault: Fault | None) -> Remembered | None:
    if fault is None:
        return None
    field = _API_NAMES.get(fault.field, fault.field)
    return Remembered(Ruled(Verdict.REFUSED, "a door that does not open", ""), field=field, reason=fault.reason)


def _answer(item: CheckedEvent | Fault, known: Mapping[str, Row], settled: Mapping[str, Settlement]) -> Remembered:
    if isinstance(item, Fault):
        raise TypeError("a fault is answered at the door")
    if before := known.get(item.placed.id):
        if before["content_hash"] != item.content_hash:
            return Remembered(Ruled(Verdict.REFUSED, "a door that does not open", ""), field="clientId", reason=_TAKEN)
        touched = tuple(Touched(one["id"], one["before"], one["after"]) for one in before["touched"])
        proposed = proposals(before["proposes"] or (), before["proposed"])
        ruled = Ruled(before["verdict"], before["rule"], before["words"], touched, proposed)
        return Remembered(ruled, before["atom_id"], subject=before["subject"], without_time=not item.timed)
    settlement = settled[item.placed.id]
    targets = settlement.ruling.targets
    atom_id = item.placed.id if settlement.keeps else next(iter(targets), None)
    return Remembered(ruled_of(settlement), atom_id, subject=settlement.subject, without_time=not item.timed)
