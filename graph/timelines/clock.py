"""The time as the writing paths take it, and the clock and sequence of a subject. Pure but for `now`.

A subject's clock is a hybrid logical clock (Kulkarni et al. 2014, "Logical Physical Clocks"): it shows the time of the
process that writes, and never goes back. So a statement that comes later is later, whatever clock its process has.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def now() -> datetime:
    """Return the time of this process: the one place where writing asks for it."""
    return datetime.now(UTC)


def microseconds(moment: datetime) -> int:
    """Return the microseconds from the beginning of 1970 to an instant."""
    return (moment - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True)
class Tick:
    """One step of a subject: when it was (µs since 1970), and its number in the subject's sequence."""

    us: int
    sequence: int

    @property
    def at(self) -> datetime:
        """When it was."""
        return _EPOCH + self.us * _MICROSECOND

    @property
    def ms(self) -> int:
        """When it was, in milliseconds."""
        return self.us // 1_000


@dataclass(frozen=True, slots=True)
class SubjectState:
    """How far a subject has come: how often it was locked for writing, its last number and its clock (µs)."""

    writes: int = 0
    sequence: int = 0
    clock_us: int = 0


@dataclass(slots=True)
class Clocks:
    """The clocks of the subjects of a batch: as they were looked at, and as they have gone on since."""

    now_us: int
    found: Mapping[str, SubjectState]
    reached: dict[str, SubjectState] = field(default_factory=dict)

    def tick(self, subjects: Iterable[str]) -> Tick:
        """Go one step on with these subjects; return the step, which is later than all that they have seen."""
        before = {one: self.reached.get(one) or self.found.get(one) or SubjectState() for one in subjects}
        us = max(self.now_us, *(state.clock_us + 1 for state in before.values()))
        sequence = 1 + max(state.sequence for state in before.values())
        self.reached |= {one: replace(state, sequence=sequence, clock_us=us) for one, state in before.items()}
        return Tick(us, sequence)
