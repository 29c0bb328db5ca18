"""Events in, receipts out. The first way in; vectors follow (`graph.following`)."""

from collections.abc import Mapping, Sequence
from typing import Final

from graph.errors import InvalidInput
from graph.model import Event, Outcome, Receipt
from graph.ontology import Status
from graph.scope import Right, Scope
from graph.store import Row
from graph.writing.call import UNKNOWN, Call, ruled_of
from graph.writing.fields import Fault
from graph.writing.together import MOST_TOGETHER, Writers
from graph.writing.validation import CheckedEvent

MOST_EVENTS: Final = 1_000
"""Events that one call may bring."""


async def record_events(writers: Writers, slot: str, scope: Scope, events: Sequence[Event]) -> list[Receipt]:
    """Keep the events and return a receipt for each, in their order; sending them again changes nothing.

    Raises:
        AccessDenied: the scope may not write.
        InvalidInput: more than `MOST_EVENTS` events (then none is kept).
    """
    scope.require(Right.WRITE)
    if len(events) > MOST_EVENTS:
        raise InvalidInput(f"events: {len(events)} in one call; send at most {MOST_EVENTS}.")
    receipts: list[Receipt] = []
    settings = UNKNOWN
    for start in range(0, len(events), MOST_TOGETHER):
        call = _Events(scope, slot, events[start : start + MOST_TOGETHER], settings)
        await writers.carry_out(call)
        receipts += call.receipts()
        settings = call.settings
    return receipts


class _Events(Call):
    def admit(self) -> Sequence[CheckedEvent]:
        """Of those that have one id, the first is let in that has no fault."""
        firsts: dict[str, CheckedEvent] = {}
        for item in self.drafts:
            if isinstance(item, CheckedEvent):
                firsts.setdefault(item.event.event_id, item)
        return list(firsts.values())

    def compared(self) -> Sequence[CheckedEvent]:
        return [item for item in self.admitted if item.states and item.event.key is None]

    def repeatable(self) -> Sequence[CheckedEvent]:
        return self.admitted

    def receipts(self) -> list[Receipt]:
        """Return what became of each event."""
        firsts = {item.event.event_id: item for item in self.admitted}
        first_receipts = {event_id: self._receipt(item) for event_id, item in firsts.items()}
        return [
            self._told(event, item, firsts, first_receipts)
            for event, item in zip(self.events, self.drafts, strict=True)
        ]

    def _told(
        self,
        event: Event,
        item: CheckedEvent | Fault,
        firsts: Mapping[str, CheckedEvent],
        receipts: Mapping[str, Receipt],
    ) -> Receipt:
        """Return what became of one event of the call; a repeat within the call is compared with the first."""
        if isinstance(item, Fault):
            return Receipt(event.event_id, Outcome.REJECTED, field=item.field, reason=item.reason)
        first, receipt = firsts[event.event_id], receipts[event.event_id]
        if item is first or receipt.outcome is Outcome.REJECTED:
            return receipt
        # The caller brought both, and so may be told of both.
        of_first = {"content_hash": first.content_hash, "status": Status.ACTIVE, "audience": item.placed.audience}
        return _repeat(item, of_first, self.scope)

    def _receipt(self, item: CheckedEvent) -> Receipt:
        event_id = item.event.event_id
        if (known := self.known.get(event_id)) is not None:
            return _repeat(item, known, self.scope)
        if (decided := self.decided.get(item.placed.id)) is not None:  # a statement bears this id that became no atom
            return _repeat(item, {"content_hash": "", "status": "", "audience": decided["audience"]}, self.scope)
        if (fault := self.faults.get(event_id)) is not None:
            return Receipt(event_id, Outcome.REJECTED, field=fault.field, reason=fault.reason)
        settlement = self.settlements.get(item.placed.id)
        ruled = ruled_of(settlement) if settlement else None
        return Receipt(event_id, Outcome.RECORDED, atom_id=item.placed.id, ruled=ruled, without_time=not item.timed)


def _repeat(item: CheckedEvent, known: Row, scope: Scope) -> Receipt:
    """Return the receipt of an event whose id is taken.

    An id stands for one event in the whole group, so that it cannot be given once more; but of an event that neither
    the writer nor the user it writes for may see, nothing is told but that: not what it says, nor what became of it.
    Whoever would keep even that to himself needs ids that nobody guesses. Who may record for others is told of theirs:
    a hub that sends again what it recorded must learn that it is known.
    """
    event_id = item.event.event_id
    if known["audience"] not in {*scope.audiences, item.placed.audience}:
        reason = "This event id is taken. Send another."
    elif known["status"] == Status.ERASED:
        reason = "This event was erased; it is not kept again."
    elif item.content_hash != known["content_hash"]:
        reason = "It is taken by an event with other content. Atoms do not change: send a new id."
    else:
        return Receipt(event_id, Outcome.UNCHANGED, atom_id=item.placed.id, without_time=not item.timed)
    return Receipt(event_id, Outcome.REJECTED, field="eventId", reason=reason)
