"""Scoring of verdicts: accuracy by part, wrong replacements with their interval, and the files of pairs."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graph
from bench.arbitration import Pair, read_pairs, report, share, wilson95
from graph.errors import InvalidInput

V = graph.Verdict


def pair(expected: graph.Verdict, lang: str = "en", key: str | None = "user.home") -> Pair:
    return Pair(lang, key, {"text": "I live in Oslo", "value": "Oslo"}, {"text": "…", "value": None}, expected)


def ruled(verdict: graph.Verdict) -> graph.Ruled:
    return graph.Ruled(verdict, "a rule", "words")


def test_a_replacement_is_wrong_only_where_nothing_should_be_replaced() -> None:
    judged = [
        (pair(V.ADD), V.UPDATE),  # wrong
        (pair(V.NOOP), V.INVALIDATE),  # wrong
        (pair(V.CONFLICT), V.ADD),  # a miss, but nothing is replaced
        (pair(V.UPDATE), V.REFINE),  # a miss among the replacing ones
        (pair(V.UPDATE, "zh", None), V.UPDATE),
        (pair(V.ADD, "zh", None), V.ADD),
    ]
    found = report([one for one, _ in judged], [ruled(verdict) for _, verdict in judged])
    assert found["questions"] == 6
    assert found["accuracy"] == round(2 / 6, 4)
    assert found["wrong_replacements"]["count"] == 2
    assert found["wrong_replacements"]["denominator"] == 4
    assert found["wrong_replacements"]["share"] == 0.5
    assert found["accuracy_by"]["lang zh"] == {"rows": 2, "accuracy": 1.0}
    assert found["accuracy_by"]["with a key"] == {"rows": 4, "accuracy": 0.0}
    assert found["confusion"]["UPDATE"] == {"REFINE": 1, "UPDATE": 1}
    assert found["rows"][0] == {"expected": "ADD", "verdict": "UPDATE", "rule": "a rule", "words": "words"}


def test_wilsons_interval_is_that_of_the_paper() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    assert wilson95(81, 263) == (0.2553, 0.3662)
    assert wilson95(0, 20) == (0.0, 0.1611)
    assert wilson95(1, 29) == (0.0061, 0.1718)
    assert wilson95(0, 0) == (0.0, 1.0)


@given(st.integers(1, 3_000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_holds_the_share(counted: tuple[int, int]) -> None:
    count, total = counted
    low, high = wilson95(count, total)
    assert 0 <= low <= round(count / total, 4) <= high <= 1


def test_the_share_of_nothing_is_zero() -> None:
    assert share([]) == 0.0
    assert share([True, False, False]) == 0.3333


@pytest.mark.parametrize(
    "line",
    ["{", '{"lang": "en"}', '{"lang": "en", "key": null, "old": {}, "new": {}, "expected": "KEEP"}', "[]"],
)
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, line: str) -> None:
    good = {"lang": "en", "key": None, "old": {"text": "a"}, "new": {"text": "b"}, "expected": "ADD"}
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{json.dumps(good)}\n\n{line}\n", "utf-8")
    with pytest.raises(InvalidInput, match=r"pairs\.jsonl:3: "):
        read_pairs(path)
