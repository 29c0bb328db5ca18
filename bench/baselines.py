"""What a memory must beat: BM25, embeddings alone, and the two by reciprocal ranks, exact and in this process.

Each ranks only what its viewer may see and what had arrived when the question was asked, as a perfect filter would; the
statistics of words are those of the whole group, as in an index that its viewers share.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import bm25s
import numpy as np
import snowballstemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS
from numpy.typing import NDArray

from bench.memfusebench.words import tokens as han_pairs
from graph.ports import Embedder, Vectors

_RRF_K: Final = 60  # Cormack et al. 2009, "Reciprocal Rank Fusion", section 2
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_WORD: Final = re.compile(r"[a-z0-9]+(?:['.:-][a-z0-9]+)*")
_STEM: Final = snowballstemmer.stemmer("english")
_STOP: Final = frozenset(STOPWORDS_EN_PLUS)

Scores = NDArray[np.float64]
"""One score a text; -inf where it is not found or not to be shown."""
Mask = NDArray[np.bool_]
"""One flag a text: whether it may be found."""


def tokens(text: str) -> list[str]:
    """Return the terms of a text: stems of words and pairs of Han signs, without what only holds sentences together."""
    lowered = text.lower()
    words = [word for word in _WORD.findall(lowered) if word not in _STOP]
    return [*_STEM.stemWords(words), *han_pairs(" ".join(_HAN_RUN.findall(lowered)))]


class Corpus:
    """The texts of one group, indexed for the baselines: alone, and with who and when written before them (`told`)."""

    def __init__(self, texts: Sequence[str], embedder: Embedder, told: Sequence[str] | None = None) -> None:
        self._texts = _index(texts)
        self._told = _index(told) if told is not None else self._texts
        self._vectors: Vectors = embedder.passages(texts)
        self._embedder = embedder

    def bm25(self, question: str, among: Mask) -> Scores:
        """Score texts by BM25; one that shares no term with the question is not found."""
        return _found(self._texts, question, among)

    def bm25_told(self, question: str, among: Mask) -> Scores:
        """Score texts by BM25 over what they say with who said it and when."""
        return _found(self._told, question, among)

    def embedding(self, question: str, among: Mask) -> Scores:
        """Score texts by the cosine of their vectors and the question's."""
        return np.where(among, self._vectors @ self._embedder.queries([question])[0], -np.inf)

    def hybrid(self, question: str, among: Mask) -> Scores:
        """Score texts by the sum of their reciprocal ranks in the two."""
        return _joined(self.bm25(question, among), self.embedding(question, among))

    def hybrid_told(self, question: str, among: Mask) -> Scores:
        """Score texts by the sum of their reciprocal ranks, those of BM25 with who and when."""
        return _joined(self.bm25_told(question, among), self.embedding(question, among))


def _index(texts: Sequence[str]) -> bm25s.BM25:
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index([tokens(text) for text in texts], show_progress=False)
    return index


def _found(index: bm25s.BM25, question: str, among: Mask) -> Scores:
    terms = tokens(question)
    if not terms:
        return np.full(len(among), -np.inf)
    scores = np.asarray(index.get_scores(terms), dtype=np.float64)
    return np.where(among & (scores > 0), scores, -np.inf)


def _joined(one: Scores, other: Scores) -> Scores:
    summed = reciprocal_ranks(one) + reciprocal_ranks(other)
    return np.where(summed > 0, summed, -np.inf)


BASELINES: Final[Mapping[str, Callable[[Corpus, str, Mask], Scores]]] = {
    "bm25": Corpus.bm25,
    "embedding": Corpus.embedding,
    "hybrid": Corpus.hybrid,
    "bm25, who and when": Corpus.bm25_told,
    "hybrid, who and when": Corpus.hybrid_told,
}
"""A person and a day, which questions name, stand in an event's fields and not in its text: "who and when" is BM25 with
both written before the text."""


def best(scores: Scores, limit: int) -> list[int]:
    """Return the places of the greatest scores, best first, equal ones in order; what is not found is left out."""
    return [int(place) for place in np.argsort(-scores, kind="stable")[:limit] if np.isfinite(scores[place])]


def reciprocal_ranks(scores: Scores) -> Scores:
    """Return 1 / (60 + rank) of every text that is found, and 0 for the others."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(np.isfinite(scores), 1 / (_RRF_K + ranks), 0.0)
