"""The figures of the benchmarks, on examples worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.metrics import CUTS, Asked, by_category, complete, hit, latency, metrics, percentile, recall


def asked(needs: str, found: str, category: str = "1", search_ms: float = 1.0, embedding_ms: float = 2.0) -> Asked:
    return Asked(category, frozenset(needs.split()), found.split(), search_ms, embedding_ms)


@pytest.mark.parametrize(
    ("needs", "found", "k", "shares"),
    [
        ("a b", "a x b", 1, (0.5, 1, 0)),
        ("a b", "a x b", 2, (0.5, 1, 0)),
        ("a b", "a x b", 3, (1, 1, 1)),
        ("a b c", "x y c b", 3, (1 / 3, 1, 0)),
        ("a", "x y", 5, (0, 0, 0)),
        ("a", "", 5, (0, 0, 0)),
        ("a b", "a a a b", 3, (0.5, 1, 0)),
    ],
)
def test_recall_hit_and_all_at_k(needs: str, found: str, k: int, shares: tuple[float, float, float]) -> None:
    one = asked(needs, found)
    assert (recall(one, k), hit(one, k), complete(one, k)) == pytest.approx(shares)


def test_figures_are_averages_over_the_questions_that_have_evidence() -> None:
    found = metrics([asked("a b", "a x x x x b"), asked("c", "x c"), asked("", "a b c")])
    assert found == {
        "questions": 2,
        "recall@5": 0.75,
        "recall@10": 1.0,
        "recall@20": 1.0,
        "recall@50": 1.0,
        "hit@5": 1.0,
        "hit@10": 1.0,
        "hit@20": 1.0,
        "hit@50": 1.0,
        "all@5": 0.5,
        "all@10": 1.0,
        "all@20": 1.0,
        "all@50": 1.0,
    }


def test_without_evidence_there_are_no_figures() -> None:
    assert metrics([]) == metrics([asked("", "a")]) == {"questions": 0}


def test_every_category_has_its_own_figures() -> None:
    found = by_category([asked("a", "a", "2"), asked("a", "x", "1"), asked("b", "b", "1")])
    assert list(found) == ["1", "2"]
    assert found["1"]["recall@5"] == 0.5
    assert found["2"]["recall@5"] == 1.0


names = st.sampled_from("abcdefgh")


@given(st.sets(names, min_size=1), st.lists(names, unique=True))
def test_figures_grow_with_k_and_keep_their_order(needs: set[str], found: list[str]) -> None:
    one = Asked("1", frozenset(needs), found, 1.0, 1.0)
    for k in range(len(found)):
        assert 0 <= complete(one, k) <= recall(one, k) <= hit(one, k) <= 1
        assert recall(one, k) <= recall(one, k + 1)
    figures = metrics([one])
    assert [figures[f"recall@{k}"] for k in CUTS] == sorted(figures[f"recall@{k}"] for k in CUTS)


def test_latency_is_told_apart_from_embedding() -> None:
    timed = [asked("a", "a", search_ms=float(ms), embedding_ms=10.0 * ms) for ms in (5, 1, 3, 2, 4)]
    assert latency(timed) == {"p50": 3.0, "p95": 4.8, "embedding_p50": 30.0}


def test_percentiles_of_known_values() -> None:
    values = [float(value) for value in range(101)]
    assert [percentile(values, percent) for percent in (1, 50, 95, 99)] == pytest.approx([1, 50, 95, 99])
