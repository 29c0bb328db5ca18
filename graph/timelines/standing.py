"""What may change about an atom, as one value: status, flags, validity and evidence times. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Self

from graph.ontology import Status

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Flag(StrEnum):
    """What is said of an atom beside its status."""

    PINNED = "pinned"
    NEEDS_CONFIRMATION = "needs_confirmation"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of an atom. Times are in milliseconds since 1970.

    `valid_until` is exclusive; None means that it still holds. `earlier` are periods before the present one in which
    the same statement held: a beginning and an end, and so on. `evidence_count` counts the times it was stated;
    `restated` and `restated_at` those since a conflict arose (`conflict_since`), `counter_statements` the restatements
    of the opposite side. `stated_by` are the users who said themselves what others had said before. `timeline_role` is
    what it is on its timeline (None: it is on none), `restates` the statement that it says once more.
    """

    status: str = Status.ACTIVE
    flags: tuple[str, ...] = ()
    valid_from: int | None = None
    valid_until: int | None = None
    last_evidence_at: int | None = None
    evidence_count: int = 1
    conflict_since: int | None = None
    restated: int = 0
    restated_at: int | None = None
    counter_statements: int = 0
    stated_by: tuple[str, ...] = ()
    timeline_role: str | None = None
    restates: str | None = None
    earlier: tuple[int, ...] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Read a standing out of a row or of JSON as `to_json` writes it; what is missing has its default."""
        known = {field.name: row[field.name] for field in fields(cls) if row.get(field.name) is not None}
        lists = {name: tuple(known.get(name, ())) for name in LISTS}
        return cls(**{**known, **lists})

    def properties(self) -> dict[str, Any]:
        """Return the standing as properties of a node, with instants as the database keeps them."""
        return {
            name: instant(value) if name in TIMES and value is not None else list(value) if name in LISTS else value
            for name, value in asdict(self).items()
        }

    def to_json(self) -> str:
        """Return the standing as JSON, as decisions keep it."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def flagged(self, *flags: Flag) -> Self:
        """Return the standing with flags added."""
        return replace(self, flags=_sorted({*self.flags, *flags}))

    def unflagged(self, flag: Flag) -> Self:
        """Return the standing without a flag."""
        return replace(self, flags=_sorted(set(self.flags) - {flag}))

    def stated_again(self, at: int) -> Self:
        """Return the standing after another statement of the same."""
        in_conflict = self.status == Status.CONFLICT
        return replace(
            self,
            last_evidence_at=_latest(at, self.last_evidence_at),
            evidence_count=self.evidence_count + 1,
            restated=self.restated + in_conflict,
            restated_at=_latest(at, self.restated_at) if in_conflict else self.restated_at,
        )

    def vouched_for(self, user: str | None) -> Self:
        """Return the standing after a user has said it without doubt: it is theirs as well (None: it was before).

        Outside a conflict it needs no confirmation any more.
        """
        theirs = replace(self, stated_by=_sorted({*self.stated_by, user})) if user is not None else self
        return theirs if self.status == Status.CONFLICT else theirs.unflagged(Flag.NEEDS_CONFIRMATION)

    def in_conflict(self, since: int) -> Self:
        """Return the standing of one side of a conflict; a conflict that is open already keeps its beginning."""
        if self.status == Status.CONFLICT:
            return self.flagged(Flag.NEEDS_CONFIRMATION)
        return replace(self, status=Status.CONFLICT, conflict_since=since).flagged(Flag.NEEDS_CONFIRMATION)

    def ended(self, status: Status, at: int) -> Self:
        """Return the standing of what no longer holds from `at` on."""
        return replace(
            self._settled(status), valid_until=at if self.valid_until is None else min(at, self.valid_until)
        ).unflagged(Flag.NEEDS_CONFIRMATION)

    def again(self, at: int) -> Self:
        """Return the standing of what was over, and holds again as if it had not been."""
        return replace(self._settled(Status.ACTIVE), valid_until=None).unflagged(Flag.RETRACTED).stated_again(at)

    def taken_back(self, at: int) -> Self:
        """Return the standing of what a person takes back; it held until `at`, if at all."""
        return self.ended(Status.INVALID, at).flagged(Flag.RETRACTED)

    def alone(self) -> Self:
        """Return the standing of a side of a conflict that has no opponent left."""
        return self._settled(Status.ACTIVE).unflagged(Flag.NEEDS_CONFIRMATION)

    def _settled(self, status: Status) -> Self:
        return replace(self, status=status, conflict_since=None, restated=0, restated_at=None, counter_statements=0)


LISTS: Final = frozenset({"flags", "stated_by", "earlier"})
"""The fields of a standing that hold several."""

TIMES: Final = frozenset({"valid_from", "valid_until", "last_evidence_at", "conflict_since", "restated_at"})
"""The fields of a standing that are instants."""


def instant(milliseconds: int) -> datetime:
    """Return the instant so many milliseconds after the beginning of 1970."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def milliseconds(moment: datetime) -> int:
    """Return the milliseconds from the beginning of 1970 to an instant."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def _latest(at: int, before: int | None) -> int:
    return at if before is None else max(at, before)


def _sorted(flags: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(flags))
