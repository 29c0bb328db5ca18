"""The baselines of MemFuseBench's harness, on texts whose ranks are known."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bench.baselines import BASELINES, Corpus, Scores, best, reciprocal_ranks, tokens
from graph.ports import Vectors


class Letters:
    """An embedder that counts letters: what it holds alike is known beforehand."""

    name = "letters"
    dimension = 26

    def passages(self, texts: Sequence[str]) -> Vectors:
        counts = [[text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts]
        vectors = np.array(counts, dtype=np.float32) + np.float32(1e-3)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    queries = passages


TEXTS = ["The boiler in the hall broke down", "Repairs of boilers", "A ferry to the island", "锅炉又坏了", "zzz"]
ALL = np.ones(len(TEXTS), dtype=np.bool_)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(TEXTS, Letters())


def test_terms_are_stems_and_pairs_of_signs_without_fillers() -> None:
    assert tokens("The boilers of 12:30 weren't repaired") == ["boiler", "12:30", "repair"]
    assert tokens("锅炉又坏了") == ["锅炉", "坏"]
    assert tokens("Ann说锅炉") == ["ann", "说锅", "锅炉"]
    assert tokens("is it of the ?") == []


def test_bm25_finds_what_shares_a_term_and_nothing_else(corpus: Corpus) -> None:
    assert best(corpus.bm25("Which boilers?", ALL), 5) == [1, 0]  # the shorter text first
    assert best(corpus.bm25("锅炉怎么样？", ALL), 5) == [3]
    assert best(corpus.bm25("submarine", ALL), 5) == []
    assert best(corpus.bm25("is it?", ALL), 5) == []


def test_embeddings_rank_by_cosine(corpus: Corpus) -> None:
    assert best(corpus.embedding("zz", ALL), 1) == [4]
    scores = corpus.embedding(TEXTS[0], ALL)
    assert scores[0] == pytest.approx(1, abs=1e-5)
    assert best(scores, 5)[0] == 0


def test_hybrid_sums_reciprocal_ranks(corpus: Corpus) -> None:
    question = "boiler repairs zzz"
    text, meaning = (best(score(corpus, question, ALL), 5) for score in (Corpus.bm25, Corpus.embedding))
    scores = corpus.hybrid(question, ALL)
    for place in range(len(TEXTS)):
        expected = 1 / (61 + meaning.index(place))
        if place in text:
            expected += 1 / (61 + text.index(place))
        assert scores[place] == pytest.approx(expected)


@pytest.mark.parametrize("name", BASELINES)
@given(hidden=st.sets(st.integers(0, len(TEXTS) - 1)))
def test_what_is_not_to_be_found_is_not_found_and_moves_no_rank(name: str, hidden: set[int]) -> None:
    corpus = Corpus(TEXTS, Letters())
    among = np.array([place not in hidden for place in range(len(TEXTS))])
    shown = best(BASELINES[name](corpus, "boiler in the island hall zzz", among), 5)
    assert hidden.isdisjoint(shown)
    if name.startswith("hybrid"):
        scores = BASELINES[name](corpus, "boiler in the island hall zzz", among)
        assert not shown or scores[shown[0]] >= 1 / 61
    else:
        whole = best(BASELINES[name](corpus, "boiler in the island hall zzz", ALL), 5)
        assert shown == [place for place in whole if place not in hidden]


found = st.one_of(st.just(-np.inf), st.integers(-5, 5).map(float))


@given(arrays(np.float64, st.integers(1, 12), elements=found), st.integers(1, 12))
def test_the_best_are_in_order_and_ties_keep_theirs(scores: Scores, limit: int) -> None:
    places = best(scores, limit)
    assert len(places) == min(limit, int(np.isfinite(scores).sum()))
    assert places == sorted(places, key=lambda place: (-scores[place], place))
    left = [scores[place] for place in range(len(scores)) if place not in places]
    assert not places or not left or scores[places[-1]] >= max(left)


@given(arrays(np.float64, st.integers(1, 12), elements=found))
def test_reciprocal_ranks_give_nothing_to_what_is_not_found(scores: Scores) -> None:
    ranks = reciprocal_ranks(scores)
    assert [value > 0 for value in ranks] == list(np.isfinite(scores))
    assert sorted(ranks[ranks > 0], reverse=True) == pytest.approx(
        [1 / (61 + n) for n in range(int((ranks > 0).sum()))]
    )


def test_who_and_when_are_found_where_they_are_written_before_the_text() -> None:
    told = [f"ann 3 May 2026 5月3日 {text}" if place == 1 else text for place, text in enumerate(TEXTS)]
    corpus = Corpus(TEXTS, Letters(), told)
    assert best(corpus.bm25("3 May 2026", ALL), 5) == []
    assert best(corpus.bm25_told("3 May 2026", ALL), 5) == [1]
    assert best(corpus.bm25_told("5月3日", ALL), 5) == [1]
