"""What clients send; each gives the record of the memory by `record_of`."""

from collections.abc import Sequence
from datetime import date

import strawberry
from strawberry.scalars import JSON

import graph
from api.schema.scalars import OffsetDateTime
from graph.errors import InvalidInput

strawberry.enum(graph.Act, description="What a statement does to what is known.")
strawberry.enum(
    graph.KeyKind,
    description="ONE value at a time, MANY at once, a SERIES of readings of each source, or states that are ORDERED.",
)

_ACT = "What it does to what is known, where the sender knows; by default its wording tells."


@strawberry.input(description="The device, app or channel that observed an event.")
class SourceInput:
    """Source of an event."""

    id: str
    kind: str = "app"


@strawberry.input(description="The raw input that an event was taken from.")
class RecordInput:
    """Record of an event."""

    id: str
    text: str | None = strawberry.field(
        default=None, description="The raw text; give it with one of the events that share the record."
    )


@strawberry.input(description="One observation or statement.")
class EventInput:
    """An event as it arrives."""

    event_id: str = strawberry.field(description="Unique in the group; sending it again changes nothing.")
    text: str
    user_id: str | None = strawberry.field(default=None, description="Whose event it is; the viewer by default.")
    source: SourceInput | None = None
    conversation_id: str | None = None
    occurred_at: str | None = strawberry.field(
        default=None,
        description="ISO-8601 instant, day or month. Without an offset it is read in the group's time zone.",
    )
    visibility: str = strawberry.field(default="group", description="group or private.")
    origin: str = strawberry.field(default="observed", description="user_stated, observed, inferred or external.")
    subject: str | None = strawberry.field(default=None, description="Whom it is about; its user by default.")
    key: str | None = None
    value: str | None = None
    related_users: list[str] = strawberry.field(default_factory=list)
    entities: list[str] = strawberry.field(default_factory=list, description="Names of things it mentions.")
    importance: float = strawberry.field(default=1.0, description="0.5 to 2.0.")
    urgency: str = strawberry.field(default="normal", description="low, normal or high.")
    confidence: float = strawberry.field(default=1.0, description="0 to 1.")
    language: str | None = None
    metadata: JSON | None = strawberry.field(default=None, description="Any JSON value; given back as it is.")
    record: RecordInput | None = None
    quote: str | None = strawberry.field(default=None, description="The words of the record that it rests on.")
    act: graph.Act | None = strawberry.field(default=None, description=_ACT)

    def record_of(self) -> graph.Event:
        """Return the event as the memory takes it."""
        source = self.source or SourceInput(id="api")
        return graph.Event(
            event_id=self.event_id,
            text=self.text,
            user_id=self.user_id,
            source_id=source.id,
            source_kind=source.kind,
            conversation_id=self.conversation_id,
            occurred_at=self.occurred_at,
            visibility=self.visibility,
            origin=self.origin,
            subject=self.subject,
            key=self.key,
            value=self.value,
            related_users=tuple(self.related_users),
            entities=tuple(self.entities),
            importance=self.importance,
            urgency=self.urgency,
            confidence=self.confidence,
            language=self.language,
            metadata=self.metadata,
            record_id=self.record.id if self.record else None,
            record_text=self.record.text if self.record else None,
            quote=self.quote,
            act=self.act.value if self.act else None,
        )


@strawberry.input(description="What a search is restricted to. Times: since is inclusive, until exclusive.")
class SearchFilter:
    """Filters of a search."""

    since: OffsetDateTime | None = None
    until: OffsetDateTime | None = None
    first_day: date | None = strawberry.field(
        default=None, description="Days are days of each event's own offset; inclusive."
    )
    last_day: date | None = None
    include_history: bool = False
    as_of: OffsetDateTime | None = strawberry.field(default=None, description="Only what held in the world then.")
    known_at: OffsetDateTime | None = strawberry.field(default=None, description="Only what the memory knew then.")

    def record_of(self) -> graph.Filters:
        """Return the filters as the memory takes them."""
        return graph.Filters(
            self.since, self.until, self.first_day, self.last_day, self.include_history, self.as_of, self.known_at
        )


@strawberry.input(description="Something to be remembered, as it is told.")
class StatementInput:
    """A statement."""

    text: str
    client_id: str | None = strawberry.field(default=None, description="Makes a retry known as one.")
    user_id: str | None = strawberry.field(default=None, description="Who says it; the viewer by default.")
    subject: str | None = strawberry.field(
        default=None,
        description="Whom it is about, as it is given; by default who says it, or whom the text names instead.",
    )
    key: str | None = strawberry.field(default=None, description="What it is about, as in user.home.")
    value: str | None = strawberry.field(default=None, description="With a key: its value; null tells of an end.")
    origin: str = strawberry.field(default="user_stated", description="user_stated, observed, inferred or external.")
    occurred_at: str | None = strawberry.field(default=None, description="When it was said; now by default.")
    importance: float = strawberry.field(default=1.0, description="0.5 to 2.0.")
    visibility: str = strawberry.field(default="group", description="group or private.")
    source: SourceInput | None = None
    entities: list[str] = strawberry.field(default_factory=list, description="Names of things it mentions.")
    record: RecordInput | None = None
    quote: str | None = strawberry.field(default=None, description="The words of the record that it rests on.")
    act: graph.Act | None = strawberry.field(default=None, description=_ACT)

    def record_of(self) -> graph.Statement:
        """Return the statement as the memory takes it."""
        source = self.source or SourceInput(id="api")
        return graph.Statement(
            text=self.text,
            client_id=self.client_id,
            user_id=self.user_id,
            subject=self.subject,
            key=self.key,
            value=self.value,
            origin=self.origin,
            occurred_at=self.occurred_at,
            importance=self.importance,
            visibility=self.visibility,
            source_id=source.id,
            source_kind=source.kind,
            entities=tuple(self.entities),
            record_id=self.record.id if self.record else None,
            record_text=self.record.text if self.record else None,
            quote=self.quote,
            act=self.act.value if self.act else None,
        )


@strawberry.input(description="How the values of a key go together.")
class KeyKindInput:
    """Kind of a key."""

    key: str
    kind: graph.KeyKind


def kinds_of(key_kinds: Sequence[KeyKindInput]) -> dict[str, str]:
    """Return kinds by key.

    Raises:
        InvalidInput: a key stands in the list twice.
    """
    kinds = {one.key: one.kind.value for one in key_kinds}
    if len(kinds) != len(key_kinds):
        twice = next(key for key in kinds if sum(one.key == key for one in key_kinds) > 1)
        raise InvalidInput(f"keyKinds: {twice!r} is given twice. Give it one kind.")
    return kinds


@strawberry.input(description="After how many days without new evidence statements with a key are stale.")
class StaleKeyInput:
    """Staleness of a key."""

    key: str
    days: float
