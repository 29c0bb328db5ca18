"""The review of a stage: checkers state faults as data, correctors repair them, until none is left."""

from collections.abc import Callable
from typing import Final, TypeVar

from bench.memfusebench.model import Fault, Review
from graph.errors import FuseGraphError

T = TypeVar("T")

MOST_ROUNDS: Final = 30


class NotCorrected(FuseGraphError):
    """A stage's faults could not be repaired."""


def reviewed(
    state: T, check: Callable[[T], list[Fault]], correct: Callable[[T, Fault], T]
) -> tuple[T, tuple[Review, ...]]:
    """Return the state without faults, and the rounds it took.

    Raises:
        NotCorrected: faults are left after `MOST_ROUNDS` rounds.
    """
    rounds: list[Review] = []
    while faults := check(state):
        if len(rounds) == MOST_ROUNDS:
            raise NotCorrected(f"{len(faults)} faults are left, the first: {faults[:20]}")
        rounds.append(Review(len(rounds) + 1, tuple(faults)))
        for fault in faults:
            state = correct(state, fault)
    return state, tuple(rounds)
