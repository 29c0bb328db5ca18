"""Statements in, verdicts out. The second way in; the first is `graph.writing.events`."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from graph.errors import InvalidInput
from graph.model import Event, Remembered, Ruled, Statement, Touched
from graph.scope import Right, Scope
from graph.timelines import clock
from graph.timelines.doors import FLIPPED, OWN_OUTPUT, is_own_output, polarity_flipped
from graph.timelines.said import Verdict
from graph.writing.call import Call, proposals, ruled_of
from graph.writing.fields import Fault
from graph.writing.together import Writers
from graph.writing.validation import CheckedEvent

MOST_STATEMENTS: Final = 100
"""Statements that one call may bring."""

_TAKEN: Final = "It is taken by a statement with other content. Send a new id."
_AHEAD: Final = timedelta(days=1)  # clocks and zones of clients may be wrong by so much
_LIES_AHEAD: Final = Fault(
    "occurredAt",
    "It lies ahead. Give the time at which the statement was made; what it tells of the future stays text.",
)
_API_NAMES: Final = {"eventId": "clientId"}


async def remember(writers: Writers, slot: str, scope: Scope, statements: Sequence[Statement]) -> list[Remembered]:
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
    call = _Statements(scope, slot, [_event(one) for one in statements], frozenset(ids))
    await writers.carry_out(call)
    return call.answers()


class _Statements(Call):
    def __init__(self, scope: Scope, slot: str, said: Sequence[Event], named: frozenset[str]) -> None:
        super().__init__(scope, slot, said)
        self.said_at = clock.now()
        self._named = named  # ids that clients gave: a retry bears them
        self._at_the_door: Sequence[Remembered | None] = ()

    def admit(self) -> Sequence[CheckedEvent]:
        pairs = list(zip(self.events, self.drafts, strict=True))
        self._at_the_door = [_at_the_door(event, item, self.said_at or clock.now()) for event, item in pairs]
        answered = zip(self.drafts, self._at_the_door, strict=True)
        return [item for item, answer in answered if answer is None and isinstance(item, CheckedEvent)]

    def compared(self) -> Sequence[CheckedEvent]:
        return self.admitted

    def repeatable(self) -> Sequence[CheckedEvent]:
        return [item for item in self.admitted if item.event.event_id in self._named]

    def answers(self) -> list[Remembered]:
        """Return what became of each statement."""
        return [
            answer or _refused(self.faults.get(event.event_id)) or self._answer(item)
            for event, item, answer in zip(self.events, self.drafts, self._at_the_door, strict=True)
        ]

    def _answer(self, item: CheckedEvent | Fault) -> Remembered:
        if isinstance(item, Fault):
            raise TypeError("a fault is answered at the door")
        before = self.decided.get(item.placed.id)
        known = before is not None or item.event.event_id in self.known
        if known and (before is None or before["content_hash"] != item.content_hash):
            return Remembered(Ruled(Verdict.REFUSED, "a door that does not open", ""), field="clientId", reason=_TAKEN)
        if before is not None:
            touched = tuple(Touched(one["id"], one["before"], one["after"]) for one in before["touched"])
            proposed = proposals(before["proposes"] or (), before["proposed"])
            ruled = Ruled(before["verdict"], before["rule"], before["words"], touched, proposed)
            return Remembered(ruled, before["atom_id"], subject=before["subject"], without_time=not item.timed)
        settlement = self.settlements[item.placed.id]
        targets = settlement.ruling.targets
        atom_id = item.placed.id if settlement.keeps else next(iter(targets), None)
        return Remembered(ruled_of(settlement), atom_id, subject=settlement.subject, without_time=not item.timed)


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
