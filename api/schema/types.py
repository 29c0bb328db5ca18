"""GraphQL types; each that shows a record of the memory is made by `of(record)`."""

from datetime import date, datetime
from typing import Any, NewType, Self

import strawberry
from graphql import GraphQLError
from strawberry.scalars import JSON
from strawberry.types.scalar import ScalarDefinition

import graph

OffsetDateTime = NewType("OffsetDateTime", datetime)


def parse_datetime(value: object) -> OffsetDateTime:
    """Read an ISO-8601 instant; it must say its offset.

    Raises:
        GraphQLError: naming the way out (any other error would be masked).
    """
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError:
        raise GraphQLError(f"DateTime {value!r} is not ISO-8601, as in 2026-03-01T09:30:00+01:00.") from None
    if instant.tzinfo is None:
        raise GraphQLError(f"DateTime {value!r} has no UTC offset; add one, as in +01:00 or Z.")
    return OffsetDateTime(instant)


SCALARS: dict[object, ScalarDefinition] = {
    OffsetDateTime: strawberry.scalar(
        name="DateTime",
        description="An ISO-8601 instant with its UTC offset.",
        serialize=lambda instant: instant.isoformat(),
        parse_value=parse_datetime,
    )
}

strawberry.enum(graph.Outcome, description="What became of an event.")


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
        )


@strawberry.type(description="The answer to one event. RECORDED is said only after the commit.")
class Receipt:
    """What became of an event."""

    event_id: str
    outcome: graph.Outcome
    atom_id: str | None
    field: str | None = strawberry.field(description="With REJECTED: the field at fault.")
    reason: str | None = strawberry.field(description="With REJECTED: what is wrong and the way out.")

    @classmethod
    def of(cls, receipt: graph.Receipt) -> Self:
        """Show a receipt."""
        return cls(
            event_id=receipt.event_id,
            outcome=receipt.outcome,
            atom_id=receipt.atom_id,
            field=receipt.field,
            reason=receipt.reason,
        )


@strawberry.type(description="A device, app or channel, and the user it belongs to.")
class Source:
    """Source of an atom."""

    id: strawberry.ID
    name: str
    kind: str
    user_id: str


@strawberry.type(description="Words of a record; no quote means the whole of it.")
class Quote:
    """Quote of an atom."""

    record_id: strawberry.ID
    record: str
    quote: str | None


@strawberry.type(description="One observation or statement; its content never changes.")
class Atom:
    """An atom."""

    id: strawberry.ID
    event_id: str
    text: str
    user_id: str
    subject: str
    visibility: str
    origin: str
    language: str
    status: str
    importance: float
    urgency: str
    confidence: float
    occurred_at: str | None = strawberry.field(description="With the offset it was told with.")
    occurred_precision: str = strawberry.field(description="instant, day, month or none.")
    mentioned_from: OffsetDateTime | None = strawberry.field(description="Begin of the time the text speaks of.")
    mentioned_to: OffsetDateTime | None = strawberry.field(description="End of that time, exclusive.")
    recorded_at: OffsetDateTime
    conversation_id: str | None
    key: str | None
    value: str | None
    related_users: list[str]
    entities: list[str]
    metadata: JSON | None
    sources: list[Source]
    quotes: list[Quote]

    @classmethod
    def of(cls, atom: graph.Atom) -> Self:
        """Show an atom."""
        lists = {
            "related_users": list(atom.related_users),
            "entities": list(atom.entities),
            "sources": [Source(**_fields(source)) for source in atom.sources],
            "quotes": [Quote(**_fields(quote)) for quote in atom.quotes],
        }
        return cls(**{**_fields(atom), **lists})


@strawberry.type(description="Atoms in order of recording; `nextCursor` goes on, null ends.")
class AtomPage:
    """A page of atoms."""

    atoms: list[Atom]
    next_cursor: str | None

    @classmethod
    def of(cls, page: graph.Page) -> Self:
        """Show a page."""
        return cls(atoms=[Atom.of(atom) for atom in page.atoms], next_cursor=page.next_cursor)


@strawberry.type
class PathNode:
    """A node of an evidence path."""

    label: str
    id: strawberry.ID
    caption: str


@strawberry.type
class PathEdge:
    """An edge of an evidence path."""

    type: str
    forward: bool = strawberry.field(description="Whether the edge points along the path.")
    score: float = strawberry.field(description="What following it leaves of a score.")


@strawberry.type(description="An ordered way through the graph: n nodes and n - 1 edges.")
class EvidencePath:
    """An evidence path."""

    nodes: list[PathNode]
    edges: list[PathEdge]
    score: float
    cypher: str = strawberry.field(description="Paste it into Neo4j Browser to see the path.")

    @classmethod
    def of(cls, path: graph.EvidencePath) -> Self:
        """Show a path."""
        return cls(
            nodes=[PathNode(**_fields(node)) for node in path.nodes],
            edges=[PathEdge(**_fields(edge)) for edge in path.edges],
            score=path.score,
            cypher=path.cypher,
        )


@strawberry.type
class ArmScore:
    """What one arm of the search gave; 1 is its best."""

    arm: str
    score: float


@strawberry.type(description="(relevance, recency, importance, weighted by the profile and summed) x statusWeight.")
class ScoreParts:
    """Parts of a ranking score."""

    total: float
    relevance: float
    recency: float
    importance: float
    status_weight: float
    arms: list[ArmScore]

    @classmethod
    def of(cls, parts: graph.ScoreParts) -> Self:
        """Show a score."""
        arms = [ArmScore(arm=arm, score=score) for arm, score in parts.arms.items()]
        return cls(**{**_fields(parts), "arms": arms})


@strawberry.type(description="One atom that supports an answer.")
class Evidence:
    """A piece of evidence."""

    rank: int
    atom: Atom
    score: ScoreParts
    paths: list[EvidencePath]

    @classmethod
    def of(cls, evidence: graph.Evidence) -> Self:
        """Show a piece of evidence."""
        return cls(
            rank=evidence.rank,
            atom=Atom.of(evidence.atom),
            score=ScoreParts.of(evidence.score),
            paths=[EvidencePath.of(path) for path in evidence.paths],
        )


@strawberry.type
class Timing:
    """How long a step took."""

    step: str
    ms: float


@strawberry.type(description="Evidence for a question, best first.")
class Answer:
    """An answer."""

    question: str
    profile: str
    asked_at: OffsetDateTime
    evidence: list[Evidence]
    timings: list[Timing]
    round_trips: int

    @classmethod
    def of(cls, answer: graph.Answer) -> Self:
        """Show an answer."""
        return cls(
            question=answer.question,
            profile=answer.profile,
            asked_at=OffsetDateTime(answer.asked_at),
            evidence=[Evidence.of(evidence) for evidence in answer.evidence],
            timings=[Timing(step=step, ms=ms) for step, ms in answer.timings_ms.items()],
            round_trips=answer.round_trips,
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

    def record_of(self) -> graph.Filters:
        """Return the filters as the memory takes them."""
        return graph.Filters(self.since, self.until, self.first_day, self.last_day, self.include_history)


@strawberry.type(description="What answers, and how much of the group its viewer may see.")
class Status:
    """Status of a group."""

    group: str
    atoms: int
    time_zone: str
    model: str
    dimension: int
    neo4j: str
    gds: str
    schema: int


def _fields(record: object) -> dict[str, Any]:
    """Return the fields of a frozen record without copying what they hold, as `asdict` would."""
    slots: tuple[str, ...] = type(record).__slots__  # type: ignore[attr-defined]
    return {name: getattr(record, name) for name in slots}
