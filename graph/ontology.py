"""The graph's vocabulary in one table: labels, edge types, which may join what, statuses and their weights."""

from enum import StrEnum
from typing import Final


class Label(StrEnum):
    """Node labels."""

    ATOM = "Atom"
    CLUSTER = "Cluster"
    RECORD = "Record"
    SOURCE = "Source"
    USER = "User"
    ENTITY = "Entity"


class Edge(StrEnum):
    """Relationship types."""

    MEMBER_OF = "MEMBER_OF"
    CAUSED = "CAUSED"
    SUPERSEDES = "SUPERSEDES"
    MAY_SUPERSEDE = "MAY_SUPERSEDE"
    REFINES = "REFINES"
    CONFLICTS_WITH = "CONFLICTS_WITH"
    RELATED = "RELATED"
    NEXT = "NEXT"
    MENTIONS = "MENTIONS"
    QUOTED_FROM = "QUOTED_FROM"
    OBSERVED_BY = "OBSERVED_BY"
    OWNED_BY = "OWNED_BY"


ALLOWED: Final = frozenset(
    {
        (Label.ATOM, Edge.MEMBER_OF, Label.CLUSTER),
        (Label.ATOM, Edge.CAUSED, Label.ATOM),
        (Label.CLUSTER, Edge.CAUSED, Label.CLUSTER),
        (Label.ATOM, Edge.SUPERSEDES, Label.ATOM),
        (Label.ATOM, Edge.MAY_SUPERSEDE, Label.ATOM),
        (Label.ATOM, Edge.REFINES, Label.ATOM),
        (Label.ATOM, Edge.CONFLICTS_WITH, Label.ATOM),
        (Label.ATOM, Edge.RELATED, Label.ATOM),
        (Label.ATOM, Edge.NEXT, Label.ATOM),
        (Label.ATOM, Edge.MENTIONS, Label.ENTITY),
        (Label.ATOM, Edge.QUOTED_FROM, Label.RECORD),
        (Label.ATOM, Edge.OBSERVED_BY, Label.SOURCE),
        (Label.SOURCE, Edge.OWNED_BY, Label.USER),
    }
)
"""The triples (from, type, to) that may stand in the graph."""


class Status(StrEnum):
    """Stored standing of an atom. `stale` is computed at read and not listed here."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    INVALID = "invalid"
    CONFLICT = "conflict"
    QUARANTINED = "quarantined"
    ERASED = "erased"


CURRENT: Final = (Status.ACTIVE, Status.CONFLICT)
"""What a read gives by default."""

PAST: Final = (Status.SUPERSEDED, Status.INVALID)
"""What held once."""

HISTORY: Final = (*CURRENT, *PAST)
"""What a read gives when it asks for the past."""


class Origin(StrEnum):
    """How a statement came to be known."""

    USER_STATED = "user_stated"
    OBSERVED = "observed"
    INFERRED = "inferred"
    EXTERNAL = "external"


class Visibility(StrEnum):
    """Who may see an atom: its user alone, or its group."""

    PRIVATE = "private"
    GROUP = "group"


class Urgency(StrEnum):
    """How soon somebody should know."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


LONG_AGO_MS: Final = -(10**15)
"""The `occurred_ms` (milliseconds since 1970) of an atom without a time: before every year of the calendar."""

UNDATED: Final = 0
"""The `day` of an atom without a time: an integer, so that the vector index holds the atom."""
