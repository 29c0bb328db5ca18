"""What is read back: atoms with their sources, and evidence with the paths that lead to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """An atom as read back: content, time, standing and sources."""

    id: str
    event_id: str
    text: str
    user_id: str
    subject: str
    visibility: str
    origin: str
    language: str
    status: str
    flags: tuple[str, ...]
    timeline_role: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    last_evidence_at: datetime | None
    evidence_count: int | None
    importance: float
    urgency: str
    confidence: float
    occurred_at: str | None
    occurred_precision: str
    mentioned_from: datetime | None
    mentioned_to: datetime | None
    recorded_at: datetime
    conversation_id: str | None
    key: str | None
    value: str | None
    act: str | None
    related_users: tuple[str, ...]
    entities: tuple[str, ...]
    metadata: Any
    sources: tuple["SourceRef", ...]
    quotes: tuple["Quote", ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Atom":
        """Read an atom out of a row as the statements of `cypher/search` return it."""
        names = set(cls.__slots__) - {"sources", "quotes", "related_users", "entities", "flags"}
        return cls(
            **{name: row[name] for name in names},
            flags=tuple(row["flags"] or ()),
            related_users=tuple(row["related_users"] or ()),
            entities=tuple(row["entities"]),
            sources=tuple(SourceRef(**source) for source in row["sources"]),
            quotes=tuple(Quote(**quote) for quote in row["quotes"]),
        )


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A device, app or channel that observed an atom, and the user it belongs to."""

    id: str
    name: str
    kind: str
    user_id: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a record that an atom rests on; `quote` None means the whole record."""

    record_id: str
    record: str
    quote: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """Atoms in order of recording, and the cursor to go on from (None: there are no more).

    `group_exists` tells a group that nothing was ever recorded in from one where the viewer may see nothing.
    """

    atoms: tuple[Atom, ...]
    next_cursor: str | None
    group_exists: bool = True


class Why(StrEnum):
    """Why an atom waits for somebody to decide."""

    CONFLICT = "conflict"
    PROPOSAL = "proposal"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """An atom that waits for somebody to decide, why, and the other atoms that it is about.

    `others` are the older sides of its conflict, or what it may supersede; `verdict` is what accepting gives.
    """

    atom: Atom
    why: Why
    verdict: str | None
    others: tuple[Atom, ...]


@dataclass(frozen=True, slots=True, order=True)
class PathNode:
    """A node of an evidence path: its label, its id in the graph, and a caption for people."""

    label: str
    id: str
    caption: str


@dataclass(frozen=True, slots=True)
class PathEdge:
    """An edge of an evidence path; `forward` tells whether it points along the path; `score` is its factor."""

    type: str
    forward: bool
    score: float


@dataclass(frozen=True, slots=True)
class EvidencePath:
    """An ordered way through the graph, n nodes and n - 1 edges, with the Cypher that shows it."""

    nodes: tuple[PathNode, ...]
    edges: tuple[PathEdge, ...]
    score: float
    cypher: str


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """What a score is made of. `total` is the ranking score.

    Relevance, recency and the status weight are in 0..1, importance in 0.5..2.
    """

    total: float
    relevance: float
    recency: float
    importance: float
    status_weight: float
    arms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One atom that supports an answer, why it ranks where it does, and the paths that lead to it.

    `stale` tells that it is a statement that has gone without new evidence for too long.
    """

    rank: int
    atom: Atom
    stale: bool
    score: ScoreParts
    paths: tuple[EvidencePath, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Evidence for a question, best first; `timings_ms` per step, `round_trips` to the database.

    `pending` atoms of the group that its viewer may see have no vector yet: they are found by their words alone.

    `grounded_context` is the evidence as text for a model's prompt; each line carries the mark by which this memory
    knows its own output. `left_out` are words of a long question that full text did not look for. `group_exists` tells
    a group that nothing was ever recorded in from one where nothing was found. `degraded` are indexes that failed, so
    that the answer is by the others: `vector`, `english` or `chinese`.
    """

    question: str
    profile: str
    asked_at: datetime
    evidence: tuple[Evidence, ...]
    grounded_context: str
    timings_ms: Mapping[str, float]
    round_trips: int
    pending: int
    left_out: tuple[str, ...] = ()
    group_exists: bool = True
    degraded: tuple[str, ...] = ()
