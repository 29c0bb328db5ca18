"""What comes in, what becomes of it, and what is told of it afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One observation or statement as it arrives: raw fields, checked by `graph.writing.validation`.

    Times are ISO-8601 text; `metadata` is any JSON value; `record_text` is the raw input that `quote` (default:
    the whole text) stands in, given once by one of the events that share `record_id`. `act` is what it does to what is
    known (`graph.Act`); None: its wording tells.
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
    act: str | None = None


class Outcome(StrEnum):
    """What became of an event."""

    RECORDED = "RECORDED"
    UNCHANGED = "UNCHANGED"
    REJECTED = "REJECTED"


class Wait(StrEnum):
    """What a writer waits for."""

    WRITTEN = "WRITTEN"
    """Events are kept, and found by their words."""

    VECTORS = "VECTORS"
    """Events are found by their meaning, too."""


@dataclass(frozen=True, slots=True)
class Touched:
    """An atom whose standing was decided: its status before (None: it is new) and after."""

    atom_id: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An atom that a statement may supersede, and the verdict that accepting this gives."""

    atom_id: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was decided of a statement: the verdict, the rule, the words that decided, and the atoms touched.

    `proposed` is not in force before a person, or an agent with the right, accepts it.
    """

    verdict: str
    rule: str
    words: str
    touched: tuple[Touched, ...] = ()
    proposed: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to one event; RECORDED is said only after the commit.

    `field` and `reason` are given with REJECTED; `atom_id` with the other two; `ruled` with RECORDED where the event
    has a key and a value, or comes from outside. `without_time` tells that no time was given: what the event states
    counts as said when it was recorded, and a search that is restricted to a time does not find it.
    """

    event_id: str
    outcome: Outcome
    atom_id: str | None = None
    field: str | None = None
    reason: str | None = None
    ruled: Ruled | None = None
    without_time: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something to be remembered, as it is told: raw fields, checked like those of an `Event`.

    With `key` and no `value` it tells that a value is over. Without `occurred_at` it is said now. A `client_id` makes
    a retry known as one. `act` is what it does to what is known (`graph.Act`); None: its wording tells. A `subject`
    that is given is taken as it is; without one, a text may name somebody else than its user.
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
    act: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a statement.

    `atom_id` is the atom that now carries it, None where none does; `subject` whom it was taken to be about, where it
    was settled.
    `field` and `reason` are given with REFUSED. `without_time` tells that no time was given, so that now was taken.
    """

    ruled: Ruled
    atom_id: str | None = None
    field: str | None = None
    reason: str | None = None
    subject: str | None = None
    without_time: bool = False


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

    `key_kinds` tells of keys how their values go together (`graph.KeyKind`); `external` that text from outside is taken
    up, in quarantine; `stale_days` and `stale_keys` say after how many days without new evidence a statement is stale.
    """

    time_zone: str = "UTC"
    key_kinds: Mapping[str, str] = field(default_factory=dict)
    external: bool = False
    stale_days: float = 365.0
    stale_keys: Mapping[str, float] = field(default_factory=dict)
