"""What a memory must beat: BM25, embeddings alone, and the two by reciprocal ranks, exact and in this process.

Each ranks only what its viewer may see and what had arrived when the question was asked, as a perfect filter would.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import bm25s
import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from graph.ports import Embedder, Vectors

_RRF_K: Final = 60  # Cormack et al. 2009, "Reciprocal Rank Fusion", section 2
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_WORD: Final = re.compile(r"[a-z0-9]+(?:['.:-][a-z0-9]+)*")
_STEM: Final = snowballstemmer.stemmer("english")

Scores = NDArray[np.float64]


def tokens(text: str) -> list[str]:
    """Return the terms of a text: stemmed words, and pairs of Han signs."""
    lowered = text.lower()
    pairs = [run[i : i + 2] for run in _HAN_RUN.findall(lowered) for i in range(max(1, len(run) - 1))]
    return [*_STEM.stemWords(_WORD.findall(lowered)), *pairs]


class Corpus:
    """The texts of one group, indexed for the baselines."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._bm25 = bm25s.BM25(k1=1.2, b=0.75)
        self._bm25.index([tokens(text) for text in texts], show_progress=False)
        self._vectors: Vectors = embedder.passages(texts)
        self._embedder = embedder

    def bm25(self, question: str) -> Scores:
        """Score every text by BM25."""
        return np.asarray(self._bm25.get_scores(tokens(question)), dtype=np.float64)

    def embedding(self, question: str) -> Scores:
        """Score every text by the cosine of its vector and the question's."""
        return np.asarray(self._vectors @ self._embedder.queries([question])[0], dtype=np.float64)

    def hybrid(self, question: str) -> Scores:
        """Score every text by the reciprocal ranks of the two."""
        return _reciprocal_ranks(self.bm25(question)) + _reciprocal_ranks(self.embedding(question))


BASELINES: Final[Mapping[str, Callable[[Corpus, str], Scores]]] = {
    "bm25": Corpus.bm25,
    "embedding": Corpus.embedding,
    "hybrid": Corpus.hybrid,
}


def _reciprocal_ranks(scores: Scores) -> Scores:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return 1 / (_RRF_K + ranks)
