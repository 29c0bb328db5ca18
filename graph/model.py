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
class Touched:
    """An atom whose standing was decided: its status before (None: it is new) and after."""

    atom_id: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was decided of a statement: the verdict, the rule, the words that decided, and the atoms touched."""

    verdict: str
    rule: str
    words: str
    touched: tuple[Touched, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to one event; RECORDED is said only after the commit.

    `field` and `reason` are given with REJECTED; `atom_id` with the other two; `ruled` with RECORDED where the event
    has a key and a value.
    """

    event_id: str
    outcome: Outcome
    atom_id: str | None = None
    field: str | None = None
    reason: str | None = None
    ruled: Ruled | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something to be remembered, as it is told: raw fields, checked like those of an `Event`.

    With `key` and no `value` it tells that a value is over. Without `occurred_at` it is said now. A `client_id` makes
    a retry known as one.
    """

    text: str
    client_id: str | None = None
    user_id: str | None = None
    subject: str | None = None
    key: str | None = None
    value: str | None = None
    origin: str = "user_stated"
    occurred_at: str | None = None
    importance: float = 1.0
    visibility: str = "group"
    source_id: str = "api"
    source_kind: str = "app"
    entities: tuple[str, ...] = ()
    record_id: str | None = None
    record_text: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a statement.

    `atom_id` is the atom that now carries it, None where none does; `subject` whom it was taken to be about, where it
    was settled.
    `field` and `reason` are given with REFUSED.
    """

    ruled: Ruled
    atom_id: str | None = None
    field: str | None = None
    reason: str | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision on an atom: who or which rule, when, on account of which atom, from what standing to what.

    `before` and `after` are standings as mappings of their fields, times in milliseconds since 1970.
    """

    id: str
    verdict: str
    rule: str
    words: str
    actor: str
    at: datetime
    cause: str | None
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Period:
    """A value and the time for which it holds (`until` exclusive, None: still), with the atoms that state it.

    `beside` tells that it was said to hold besides others; `private` that only the viewer may see it.
    """

    value: str
    since: datetime | None
    until: datetime | None
    status: str
    atoms: tuple[str, ...]
    beside: bool
    private: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """The values of a subject and key in order of time; `rendered` is the same as one line."""

    subject: str
    key: str
    periods: tuple[Period, ...]
    rendered: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSettings:
    """What a group has set.

    `many_valued` are keys that may hold several values at once; `external` tells that text from outside is taken up,
    in quarantine; `stale_days` and `stale_keys` say after how many days without new evidence a statement is stale.
    """

    time_zone: str = "UTC"
    many_valued: tuple[str, ...] = ()
    external: bool = False
    stale_days: float = 365.0
    stale_keys: Mapping[str, float] = field(default_factory=dict)


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

    `grounded_context` is the evidence as text for a model's prompt; each line carries the mark by which this memory
    knows its own output.
    """

    question: str
    profile: str
    asked_at: datetime
    evidence: tuple[Evidence, ...]
    grounded_context: str
    timings_ms: Mapping[str, float]
    round_trips: int
