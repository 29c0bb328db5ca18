"""Scoring of verdicts: what is right, accuracy by part, what went wrong in which way; and the files of pairs."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graph
from bench.arbitration import judged
from bench.judging import judge_one
from bench.labelled import Pair, Spoken, pair_of, read_pairs
from bench.scoring import Judged, is_right, report, share, wilson95
from graph.errors import InvalidInput
from graph.model import Proposal
from graph.timelines.said import Act

V = graph.Verdict


def pair(expected: graph.Verdict, lang: str = "en", key: str | None = "user.home", new: str = "…") -> Pair:
    return Pair(lang, key, Spoken("I live in Oslo", "Oslo" if key else None), Spoken(new), expected)


def said(verdict: graph.Verdict, proposed: graph.Verdict | None = None, *, other: bool = False) -> Judged:
    return Judged(verdict, "a rule", "words", proposed, other)


def test_a_replacement_is_wrong_only_where_nothing_should_be_replaced() -> None:
    both = [
        (pair(V.ADD), V.UPDATE),  # wrong
        (pair(V.NOOP), V.INVALIDATE),  # wrong
        (pair(V.CONFLICT), V.ADD),  # a miss, but nothing is replaced
        (pair(V.UPDATE), V.REFINE),  # a miss among the replacing ones
        (pair(V.UPDATE, "zh", None), V.UPDATE),
        (pair(V.ADD, "zh", None), V.ADD),
    ]
    found = report([one for one, _ in both], [said(verdict) for _, verdict in both])
    assert found["questions"] == 6
    assert found["accuracy"] == round(2 / 6, 4)
    assert found["wrong_replacements"] == {
        "count": 2, "denominator": 4, "share": 0.5, "wilson95": (0.15, 0.85),
    }  # fmt: skip
    assert found["accuracy_by"]["lang zh"] == {"rows": 2, "accuracy": 1.0}
    assert found["accuracy_by"]["with a key"] == {"rows": 4, "accuracy": 0.0}
    assert found["confusion"]["UPDATE"] == {"REFINE": 1, "UPDATE": 1}
    row = {"expected": "ADD", "verdict": "UPDATE", "rule": "a rule", "words": "words", "proposed": None}
    assert found["rows"][0] == row


@pytest.mark.parametrize(
    ("expected", "verdict", "proposed", "right"),
    [
        (V.UPDATE, V.ADD, V.UPDATE, True),
        (V.UPDATE, V.ADD, V.INVALIDATE, False),
        (V.UPDATE, V.ADD, V.REFINE, False),
        (V.UPDATE, V.ADD, None, False),
        (V.UPDATE, V.UPDATE, None, True),
        (V.INVALIDATE, V.ADD, V.INVALIDATE, True),
        (V.INVALIDATE, V.ADD, V.UPDATE, False),
        (V.REFINE, V.ADD, V.UPDATE, True),
        (V.REFINE, V.ADD, V.REFINE, True),
        (V.REFINE, V.ADD, None, False),
        (V.NOOP, V.ADD, None, True),
        (V.CONFLICT, V.ADD, None, False),
        (V.SKIPPED_EPHEMERAL, V.ADD, None, False),
        (V.ADD, V.ADD, V.UPDATE, True),  # a wrong proposal, which is counted apart
        (V.ADD, V.NOOP, None, False),
    ],
)
def test_what_is_right_without_a_key(
    expected: graph.Verdict, verdict: graph.Verdict, proposed: graph.Verdict | None, right: bool
) -> None:
    assert is_right(pair(expected, key=None, new="Bergen it is"), said(verdict, proposed)) is right
    assert is_right(pair(expected, new="Bergen it is"), said(verdict, proposed)) is (verdict == expected)


def test_the_same_tokens_are_a_restatement() -> None:
    assert not is_right(pair(V.NOOP, key=None, new="i live in OSLO!"), said(V.ADD))


def test_wrong_proposals() -> None:
    both = [
        (pair(V.ADD, key=None), said(V.ADD, V.UPDATE)),  # wrong
        (pair(V.ADD, key=None), said(V.ADD)),
        (pair(V.NOOP, key=None), said(V.ADD, V.REFINE)),  # wrong
        (pair(V.CONFLICT, key=None), said(V.ADD)),
        (pair(V.UPDATE, key=None), said(V.ADD, V.INVALIDATE)),  # the old one is meant: no wrong proposal
        (pair(V.UPDATE, key=None), said(V.ADD, other=True)),  # wrong: of another
        (pair(V.ADD), said(V.ADD, V.UPDATE)),  # with a key: not counted
    ]
    found = report([one for one, _ in both], [one for _, one in both])
    assert (found["wrong_proposals"]["count"], found["wrong_proposals"]["denominator"]) == (3, 5)


def test_what_is_seen_and_what_is_swallowed() -> None:
    both = [
        (pair(V.UPDATE), said(V.UPDATE)),
        (pair(V.UPDATE), said(V.ADD, V.UPDATE)),  # with a key a proposal is none
        (pair(V.REFINE, key=None), said(V.ADD, V.UPDATE)),
        (pair(V.INVALIDATE, key=None), said(V.ADD)),
        (pair(V.ADD, key=None), said(V.SKIPPED_EPHEMERAL)),  # swallowed
        (pair(V.UPDATE), said(V.NOOP)),  # swallowed
        (pair(V.NOOP), said(V.NOOP)),
        (pair(V.SKIPPED_EPHEMERAL, key=None), said(V.NOOP)),
    ]
    found = report([one for one, _ in both], [one for _, one in both])
    seen = {part: (of["count"], of["denominator"]) for part, of in found["replacements_seen"].items()}
    assert seen == {"with a key": (1, 3), "without a key": (1, 2)}
    assert found["swallowed"] == {"count": 2, "rows": [4, 5]}


def test_proposals_of_an_answer_are_told_apart_by_the_atom_that_they_name() -> None:
    def answer(*proposed: tuple[str, str]) -> graph.Ruled:
        return graph.Ruled("ADD", "a rule", "", (), tuple(Proposal(*one) for one in proposed))

    assert judged(answer(), "old") == Judged("ADD", "a rule")
    assert judged(answer(("old", "UPDATE")), "old") == Judged("ADD", "a rule", "", "UPDATE")
    assert judged(answer(("else", "UPDATE")), "old") == Judged("ADD", "a rule", "", None, proposes_other=True)
    assert judged(answer(("else", "UPDATE")), None) == Judged("ADD", "a rule", "", None, proposes_other=True)


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


def test_what_a_row_says_of_its_statements() -> None:
    row = {
        "lang": "en", "key": "owner", "old": {"text": "Jo", "value": "Jo", "speaker": "bob", "act": "asserts"},
        "new": {"text": "Al", "value": "Al", "source": "mail"}, "expected": "UPDATE",
        "subject": "shop", "speaker": "cara", "source": "chat", "act": "replaces", "set": "made", "looked_at": True,
    }  # fmt: skip
    assert pair_of(row) == Pair(
        "en",
        "owner",
        Spoken("Jo", "Jo", "shop", "bob", None, Act.ASSERTS),
        Spoken("Al", "Al", "shop", "cara", "mail", Act.REPLACES),
        V.UPDATE,
        "made",
    )


def test_the_speaker_is_the_subject_where_none_is_given() -> None:
    row: dict[str, Any] = {"lang": "en", "key": "home", "expected": "UPDATE"}
    row |= {"old": {"text": "I live in Oslo", "value": "Oslo"}}
    row |= {"new": {"text": "I no longer live in Oslo but in Bergen", "value": "Bergen"}}
    assert judge_one(pair_of(row)).verdict == V.UPDATE
    assert judge_one(pair_of({**row, "speaker": "bob"})).verdict == V.ADD
    assert judge_one(pair_of({**row, "speaker": "bob", "subject": "Ann"})).verdict == V.CONFLICT, "he may not retire it"


def test_rows_by_other_hands_are_read_leniently() -> None:
    plain = pair_of(GOOD)
    assert pair_of({**GOOD, "mood": "good", "new": {"text": "b", "value": "b", "mood": "good"}}) == plain
    assert pair_of({**GOOD, "speaker": "Assistant", "old": {"text": "a", "speaker": "user"}}) == plain
    assert pair_of({**GOOD, "speaker": "bob"}) != plain


GOOD = {"lang": "en", "key": None, "old": {"text": "a"}, "new": {"text": "b"}, "expected": "ADD"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", ""),
        ('{"lang": "en"}', "key"),
        ("[]", ""),
        (json.dumps({**GOOD, "expected": "KEEP"}), "KEEP"),
        (json.dumps({**GOOD, "act": "wishes"}), "wishes"),
        (json.dumps({**GOOD, "new": {"text": 5}}), "text is no text"),
        (json.dumps({**GOOD, "new": {}}), "text"),
        (json.dumps({**GOOD, "lang": "de"}), "'de'"),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n\n{line}\n", "utf-8")
    with pytest.raises(InvalidInput, match=rf"pairs\.jsonl:3: It is no labelled pair \(.*{reason}"):
        read_pairs(path)


def test_a_compressed_file_of_several_sets(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    lines = [json.dumps({**GOOD, "key": key, "set": name}) for key, name in (("a", "x"), ("b", "y"), ("c", "x"))]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert [one.key for one in read_pairs(path)] == ["a", "b", "c"]
    assert [one.key for one in read_pairs(path, "x")] == ["a", "c"]
    with pytest.raises(InvalidInput, match="no pairs of the set z"):
        read_pairs(path, "z")
