"""What an atom's standing and age leave of its score, computed at every read. Pure.

The weights are multiplied onto a sum (`graph.search.ranking`), never stored: what is stored is what happened.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from graph.naming import entity_key
from graph.ontology import Origin, Status
from graph.timelines.said import TimelineRole
from graph.timelines.standing import Flag, Standing

_FACTS: Final = (TimelineRole.VALUE, TimelineRole.ADDITION)
DAY_MS: Final = 86_400_000

ACTIVE: Final = 1.0
STALE: Final = 0.5
UNCONFIRMED: Final = 0.5
PAST: Final = 0.1
"""Weights of standings (design: "Weights"): what is superseded or invalid counts a tenth, unless it is asked for."""

CONFLICT_HALF_LIFE_DAYS: Final = 90.0
STATED_AGAIN: Final = 2.0
NOT_STATED_AGAIN: Final = 0.5
STATED_AGAIN_WITHIN_DAYS: Final = 30.0
OPPOSED: Final = 0.8
"""The conflict formula (design: "Weights"): `min(1, 0.5^(age/90) · e · 0.8^recurrences)`."""

STALE_AFTER_DAYS: Final = 365.0
"""Default age without new evidence from which a statement is stale."""


@dataclass(frozen=True, slots=True)
class Staleness:
    """After how many days without new evidence a statement is stale: by key, else by default."""

    default: float = STALE_AFTER_DAYS
    by_key: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def days(self, key: str | None) -> float:
        """Return the days for a key; names of keys are compared without case or width."""
        return self.by_key.get(entity_key(key), self.default) if key else self.default


def status_weight(
    standing: Standing, *, timeline_role: str | None, origin: str, stale_after: float, at: int, past: bool
) -> float:
    """Return the weight of a standing, 0 to 1, as read at an instant (ms).

    `stale_after` is in days; `past` tells that the question asks for what no longer holds.
    """
    if standing.status in (Status.QUARANTINED, Status.ERASED):
        return 0.0
    if standing.status in (Status.SUPERSEDED, Status.INVALID):
        return ACTIVE if past else PAST
    unconfirmed = origin == Origin.INFERRED and Flag.NEEDS_CONFIRMATION in standing.flags
    weight = UNCONFIRMED if unconfirmed else ACTIVE
    if standing.status == Status.CONFLICT:
        return min(weight, conflict_weight(standing, at))
    return (
        min(weight, STALE)
        if is_stale(standing, timeline_role=timeline_role, stale_after=stale_after, at=at)
        else weight
    )


def conflict_weight(standing: Standing, at: int) -> float:
    """Return the weight of one side of a conflict, 0 to 1: `min(1, 0.5^(age/90) · e · 0.8^recurrences)`.

    The age is that of its last evidence; e is 2 where it was stated again after the conflict arose and within 30 days
    before the read, else 0.5; a recurrence is another statement of the opposite side.
    """
    evidence = standing.last_evidence_at if standing.last_evidence_at is not None else at
    age = max(0.0, (at - evidence) / DAY_MS)
    again = standing.restated_at is not None and (at - standing.restated_at) / DAY_MS <= STATED_AGAIN_WITHIN_DAYS
    factor = STATED_AGAIN if again else NOT_STATED_AGAIN
    return float(min(1.0, 0.5 ** (age / CONFLICT_HALF_LIFE_DAYS) * factor * OPPOSED**standing.counter_statements))


def is_stale(standing: Standing, *, timeline_role: str | None, stale_after: float, at: int) -> bool:
    """Tell whether a current statement has gone without new evidence for too long; what is pinned never does.

    Observations do not go stale: they say what was, not what holds.
    """
    if standing.status != Status.ACTIVE or timeline_role not in _FACTS or Flag.PINNED in standing.flags:
        return False
    return standing.last_evidence_at is not None and at - standing.last_evidence_at > stale_after * DAY_MS
