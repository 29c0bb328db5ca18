"""What the memory needs from outside, as protocols."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:  # everything imports this module, and numpy takes a third of a second
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"


class Progress(Protocol):
    """Told how far a long task has come; draws nothing itself unless a caller gives one that does."""

    def __call__(self, task: str, done: int, total: int | None) -> None:
        """Report that `done` of `total` units of `task` are finished (`total` None: not known)."""
        ...


def no_progress(task: str, done: int, total: int | None) -> None:
    """Report to nobody."""


class Embedder(Protocol):
    """Turns texts into unit vectors of one dimension. Safe to call from a worker thread."""

    @property
    def name(self) -> str:
        """The model's name, kept in the schema: another name means other vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found, shape (len(texts), dimension)."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question, shape (len(texts), dimension)."""
        ...
