"""The frozen records that travel between the steps, and out of the front door."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One observation or statement as it arrives: raw fields, checked by `graph.ingest.validation`.

    Times are ISO-8601 text; `metadata` is any JSON value; `record_text` is the raw input that `quote` (default:
    the whole text) stands in, given once by one of the events that share `record_id`.
    """

    event_id: str
    text: str
    user_id: str | None = None
    source_id: str = "api"
    source_kind: str = "app"
    conversation_id: str | None = None
    occurred_at: str | None = None
    visibility: str = "group"
    origin: str = "observed"
    subject: str | None = None
    key: str | None = None
    value: str | None = None
    related_users: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    importance: float = 1.0
    urgency: str = "normal"
    confidence: float = 1.0
    language: str | None = None
    metadata: Any = None
    record_id: str | None = None
    record_text: str | None = None
    quote: str | None = None


class Outcome(StrEnum):
    """What became of an event."""

    RECORDED = "RECORDED"
    UNCHANGED = "UNCHANGED"
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to one event; RECORDED is said only after the commit.

    `field` and `reason` are given with REJECTED; `atom_id` with the other two.
    """

    event_id: str
    outcome: Outcome
    atom_id: str | None = None
    field: str | None = None
    reason: str | None = None


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
    related_users: tuple[str, ...]
    entities: tuple[str, ...]
    metadata: Any
    sources: tuple["SourceRef", ...]
    quotes: tuple["Quote", ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Atom":
        """Read an atom out of a row as the statements of `cypher/search` return it."""
        names = set(cls.__slots__) - {"sources", "quotes", "related_users", "entities"}
        return cls(
            **{name: row[name] for name in names},
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
    """Atoms in order of recording, and the cursor to go on from (None: there are no more)."""

    atoms: tuple[Atom, ...]
    next_cursor: str | None


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
    """One atom that supports an answer, why it ranks where it does, and the paths that lead to it."""

    rank: int
    atom: Atom
    score: ScoreParts
    paths: tuple[EvidencePath, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Evidence for a question, best first; `timings_ms` per step, `round_trips` to the database."""

    question: str
    profile: str
    asked_at: datetime
    evidence: tuple[Evidence, ...]
    timings_ms: Mapping[str, float]
    round_trips: int
