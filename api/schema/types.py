"""GraphQL types; each that shows a record of the memory is made by `of(record)`."""

from typing import Any, Self

import strawberry
from strawberry.scalars import JSON

import graph
from api.schema.scalars import OffsetDateTime
from api.schema.statements import Ruled

_GROUP_EXISTS = "False: nothing was ever recorded under this group's name, as where it is mistyped."

strawberry.enum(graph.Outcome, description="What became of an event.")
strawberry.enum(
    graph.Wait,
    description="Wait until events are kept and found by their words (WRITTEN), or found by their meaning, too.",
)
strawberry.enum(graph.Why, description="A CONFLICT, a PROPOSAL that may be accepted or declined, or DOUBT.")


@strawberry.type(description="The answer to one event. RECORDED is said only after the commit.")
class Receipt:
    """What became of an event."""

    event_id: str
    outcome: graph.Outcome
    atom_id: str | None
    field: str | None = strawberry.field(description="With REJECTED: the field at fault.")
    reason: str | None = strawberry.field(description="With REJECTED: what is wrong and the way out.")
    ruled: Ruled | None = strawberry.field(
        description="With RECORDED, of a key and a value or of text from outside: what was decided."
    )
    without_time: bool = strawberry.field(
        description="No time was given: what it states counts as said when it was recorded, and a search that is "
        "restricted to a time does not find it."
    )

    @classmethod
    def of(cls, receipt: graph.Receipt) -> Self:
        """Show a receipt."""
        return cls(
            event_id=receipt.event_id,
            outcome=receipt.outcome,
            atom_id=receipt.atom_id,
            field=receipt.field,
            reason=receipt.reason,
            ruled=Ruled.of(receipt.ruled) if receipt.ruled else None,
            without_time=receipt.without_time,
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
    status: str = strawberry.field(description="active, conflict, superseded, invalid, quarantined or erased.")
    flags: list[str] = strawberry.field(description="pinned, needs_confirmation, retracted (a person took it back).")
    timeline_role: str | None = strawberry.field(
        description="What a statement does: value, addition, end, restatement or off."
    )
    valid_from: OffsetDateTime | None
    valid_until: OffsetDateTime | None = strawberry.field(description="Exclusive; null: it still holds.")
    last_evidence_at: OffsetDateTime | None
    evidence_count: int | None = strawberry.field(description="How often it was stated.")
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
    act: graph.Act | None = strawberry.field(description="What its sender said that it does to what was known.")
    related_users: list[str]
    entities: list[str]
    metadata: JSON | None
    sources: list[Source]
    quotes: list[Quote]

    @classmethod
    def of(cls, atom: graph.Atom) -> Self:
        """Show an atom."""
        shown: dict[str, Any] = {
            "act": graph.Act(atom.act) if atom.act is not None else None,
            "flags": list(atom.flags),
            "related_users": list(atom.related_users),
            "entities": list(atom.entities),
            "sources": [Source(**_fields(source)) for source in atom.sources],
            "quotes": [Quote(**_fields(quote)) for quote in atom.quotes],
        }
        return cls(**{**_fields(atom), **shown})


@strawberry.type(description="Atoms in order of recording; `nextCursor` goes on, null ends.")
class AtomPage:
    """A page of atoms."""

    atoms: list[Atom]
    next_cursor: str | None
    group_exists: bool = strawberry.field(description=_GROUP_EXISTS)

    @classmethod
    def of(cls, page: graph.Page) -> Self:
        """Show a page."""
        atoms = [Atom.of(atom) for atom in page.atoms]
        return cls(atoms=atoms, next_cursor=page.next_cursor, group_exists=page.group_exists)


@strawberry.type(description="An atom that waits for somebody to decide.")
class ToConfirm:
    """What waits."""

    atom: Atom
    why: graph.Why
    verdict: graph.Verdict | None = strawberry.field(description="With PROPOSAL: what accepting gives.")
    others: list[Atom] = strawberry.field(description="The older sides of its conflict, or what it may supersede.")

    @classmethod
    def of(cls, waiting: graph.ToConfirm) -> Self:
        """Show what waits."""
        return cls(
            atom=Atom.of(waiting.atom),
            why=waiting.why,
            verdict=graph.Verdict(waiting.verdict) if waiting.verdict is not None else None,
            others=[Atom.of(one) for one in waiting.others],
        )


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
    stale: bool = strawberry.field(description="A statement without new evidence for too long.")
    score: ScoreParts
    paths: list[EvidencePath]

    @classmethod
    def of(cls, evidence: graph.Evidence) -> Self:
        """Show a piece of evidence."""
        return cls(
            rank=evidence.rank,
            atom=Atom.of(evidence.atom),
            stale=evidence.stale,
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
    grounded_context: str = strawberry.field(description="The evidence as text for a prompt, marked as this memory's.")
    left_out: list[str] = strawberry.field(
        description="Words of a long question that full text did not look for: of more than 64, the shorter ones."
    )
    group_exists: bool = strawberry.field(description=_GROUP_EXISTS)
    timings: list[Timing]
    round_trips: int
    pending: int = strawberry.field(
        description="Atoms that the viewer may see that have no vector yet: they are found by their words alone."
    )
    degraded: list[str] = strawberry.field(
        description="Indexes that do not answer now (vector, english, chinese): the answer is by the others."
    )

    @classmethod
    def of(cls, answer: graph.Answer) -> Self:
        """Show an answer."""
        return cls(
            question=answer.question,
            profile=answer.profile,
            asked_at=OffsetDateTime(answer.asked_at),
            evidence=[Evidence.of(evidence) for evidence in answer.evidence],
            grounded_context=answer.grounded_context,
            left_out=list(answer.left_out),
            group_exists=answer.group_exists,
            timings=[Timing(step=step, ms=ms) for step, ms in answer.timings_ms.items()],
            round_trips=answer.round_trips,
            pending=answer.pending,
            degraded=list(answer.degraded),
        )


@strawberry.type(description="What answers, and how much of the group its viewer may see.")
class Status:
    """Status of a group."""

    group: str
    atoms: int
    pending: int = strawberry.field(description="Of these, how many have no vector yet.")
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
