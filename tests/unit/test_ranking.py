"""Fusion of the arms and the ranking score."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graph.model import ScoreParts
from graph.search.ranking import (
    ARM_WEIGHTS,
    PROFILES,
    Profile,
    Seed,
    fuse,
    ranking_score,
    recency,
)

ASKED_AT = datetime(2026, 3, 31, 12, tzinfo=UTC)
DAY_MS = 86_400_000
NOW = int(1e3 * ASKED_AT.timestamp())
ARMS = tuple(ARM_WEIGHTS)

Hits = Sequence[tuple[str, str, float]]

raw_scores = st.integers(1, 40).map(lambda score: score / 2)
hit_keys = st.tuples(st.sampled_from(("all", "asked")), st.sampled_from(ARMS))
all_hits = st.dictionaries(hit_keys, raw_scores, min_size=1, max_size=4).map(
    lambda hits: [(span, arm, score) for (span, arm), score in hits.items()]
)


def seed(name: str, hits: Hits = (("all", "english", 1.0),), **more: Any) -> Seed:
    signs = {"instant": NOW, "dated": False, "subject": "", "user_id": "", "length": 0, "asks": False}
    return Seed(name, "Atom", hits, "active", 1.0, **{**signs, **more})


@st.composite
def all_seeds(draw: st.DrawFn) -> list[Seed]:
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1))
    return [
        seed(
            name,
            draw(all_hits),
            dated=draw(st.booleans()),
            subject=draw(st.sampled_from(("ann", "ben", "小明"))),
            length=draw(st.integers(0, 2_000)),
            asks=draw(st.booleans()),
        )
        for name in names
    ]


def relevance(seeds: Sequence[Seed], question: str = "?", *, asks_when: bool = False) -> dict[str, float]:
    return {candidate.seed.id: candidate.relevance for candidate in fuse(seeds, question, asks_when=asks_when)}


@settings(deadline=None, max_examples=60)
@given(all_seeds(), st.sampled_from(("When did Ann call?", "小明在哪里？", "")), st.booleans())
def test_relevance_and_arms_are_between_0_and_1_and_the_best_is_1(
    seeds: list[Seed], question: str, asks_when: bool
) -> None:
    candidates = fuse(seeds, question, asks_when=asks_when)
    assert len(candidates) == len(seeds)
    assert candidates[0].relevance == pytest.approx(1)
    assert all(0 <= candidate.relevance <= 1 for candidate in candidates)
    assert all(0 <= score <= 1 for candidate in candidates for score in candidate.arms.values())
    assert all(better.relevance >= worse.relevance for better, worse in pairwise(candidates))


@settings(deadline=None, max_examples=60)
@given(all_seeds(), st.data(), raw_scores)
def test_a_higher_score_in_any_arm_never_lowers_a_seed(seeds: list[Seed], data: st.DataObject, gain: float) -> None:
    at = data.draw(st.integers(0, len(seeds) - 1))
    which = data.draw(st.integers(0, len(seeds[at].hits) - 1))
    span, arm, score = seeds[at].hits[which]
    hits = [*seeds[at].hits[:which], (span, arm, score + gain), *seeds[at].hits[which + 1 :]]
    before, after = relevance(seeds), relevance([*seeds[:at], seeds[at]._replace(hits=hits), *seeds[at + 1 :]])
    name = seeds[at].id
    assert after[name] >= before[name] - 1e-9
    for other in before:
        assert not (before[name] > before[other] + 1e-9 and after[name] < after[other] - 1e-9), "overtaken by " + other


@settings(deadline=None, max_examples=60)
@given(all_seeds(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(seeds: list[Seed], random: Any) -> None:
    shuffled = [one._replace(hits=random.sample(one.hits, len(one.hits))) for one in random.sample(seeds, len(seeds))]
    assert [one._replace(hits=()) for one, _, _ in fuse(shuffled, "?", asks_when=False)] == [
        one._replace(hits=()) for one, _, _ in fuse(seeds, "?", asks_when=False)
    ]
    assert relevance(shuffled) == relevance(seeds)


def test_ties_go_by_id() -> None:
    assert list(relevance([seed("b"), seed("c"), seed("a")])) == ["a", "b", "c"]


def test_no_seeds_no_candidates() -> None:
    assert fuse([], "?", asks_when=True) == []


def test_text_scores_are_shares_of_the_best_and_cosines_are_spread() -> None:
    text = [seed("a", [("all", "english", 8.0)]), seed("b", [("all", "english", 2.0)])]
    assert [dict(one.arms)["english"] for one in fuse(text, "?", asks_when=False)] == [1.0, 0.25]
    close = [seed(name, [("all", "vector", score)]) for name, score in (("a", 0.92), ("b", 0.91), ("c", 0.90))]
    assert [dict(one.arms)["vector"] for one in fuse(close, "?", asks_when=False)] == pytest.approx([1.0, 0.5, 0.0])


def test_text_weighs_more_than_vectors_and_both_more_than_one() -> None:
    far = ("all", "vector", 0.1)
    seeds = [
        seed("text", [("all", "english", 5.0)]),
        seed("vector", [("all", "vector", 0.9)]),
        seed("both", [("all", "english", 5.0), ("all", "vector", 0.9)]),
        seed("neither", [far]),
    ]
    assert list(relevance(seeds)) == ["both", "text", "vector", "neither"]


def test_text_that_matches_nothing_lifts_nothing() -> None:
    """A question of stop words matches all of a group's atoms with a score of 0."""
    seeds = [seed("any", [("all", "english", 0.0)]), seed("near", [("all", "vector", 0.9)])]
    assert relevance(seeds)["near"] > relevance(seeds)["any"]


def test_what_stands_in_the_time_asked_for_is_lifted() -> None:
    hits = ("all", "english", 5.0)
    seeds = [seed("a", [hits]), seed("b", [hits, ("asked", "english", 5.0)])]
    assert list(relevance(seeds)) == ["b", "a"]
    assert fuse(seeds, "?", asks_when=False)[0].arms.keys() == {"english", "asked:english"}


@pytest.mark.parametrize(
    ("question", "subject", "named"),
    [
        ("Where does Ann work?", "ann", True),
        ("Where does ANN work?", "Ann", True),
        ("Where does Annabel work?", "ann", False),
        ("Did Ann Lee call?", "ann-lee", True),
        ("Did Ann call?", "ann-lee", False),
        ("小明在哪里工作？", "小明", True),
        ("小红在哪里工作？", "小明", False),
        ("", "ann", False),
        ("-", "-", False),
    ],
)
def test_an_atom_about_a_named_person_says_so(question: str, subject: str, named: bool) -> None:
    for one in (seed("a", subject=subject), seed("a", user_id=subject)):
        candidate = fuse([one], question, asks_when=False)[0]
        assert ("person" in candidate.arms) == named


def test_an_atoms_own_signs_decide_between_equals() -> None:
    plain, named = seed("a"), seed("b", subject="ann")
    assert list(relevance([plain, named], "Where is Ann?")) == ["b", "a"]
    assert list(relevance([seed("a"), seed("b", dated=True)], asks_when=True)) == ["b", "a"]
    assert list(relevance([seed("a"), seed("b", dated=True)], asks_when=False)) == ["a", "b"]
    assert list(relevance([seed("a", length=10), seed("b", length=200)])) == ["b", "a"]
    assert list(relevance([seed("a", length=301), seed("b", length=90_000)])) == ["a", "b"]
    assert list(relevance([seed("a", asks=True), seed("b")])) == ["b", "a"]


# The ranking score


def score(
    *,
    relevance: float = 0.5,
    days: float | None = 0.0,
    importance: float = 1.0,
    weight: float = 1.0,
    profile: Profile = PROFILES["default"],
    arms: Mapping[str, float] | None = None,
) -> ScoreParts:
    return ranking_score(
        relevance=relevance,
        instant=None if days is None else NOW - int(days * DAY_MS),
        importance=importance,
        weight=weight,
        asked_at=NOW,
        profile=profile,
        arms=arms or {},
    )


def test_profiles_are_shares_of_one() -> None:
    for name, profile in PROFILES.items():
        assert sum(profile) == pytest.approx(1), name
        assert min(profile) >= 0, name
    assert PROFILES["default"] == (0.5, 0.3, 0.2)
    assert PROFILES["qa"] == (0.7, 0.2, 0.1)
    assert PROFILES["assistant"] == (0.4, 0.4, 0.2)
    assert PROFILES["critical"] == (0.5, 0.2, 0.3)
    assert PROFILES["relevance"] == (1, 0, 0)


def test_recency_halves_every_thirty_days() -> None:
    ages = [recency(NOW - days * DAY_MS, NOW) for days in (0, 30, 60, 90)]
    assert ages == pytest.approx([1, 0.5, 0.25, 0.125])
    assert recency(NOW + 90 * DAY_MS, NOW) == 1
    assert recency(None, NOW) == 0
    assert recency(-62_135_596_800_000, NOW) == pytest.approx(0), "the year 1"


def test_the_score_is_the_weighted_sum_times_the_weight_of_the_standing() -> None:
    parts = score(relevance=0.8, days=30, importance=1.5, weight=0.5, arms={"english": 0.4})
    assert parts.total == pytest.approx((0.5 * 0.8 + 0.3 * 0.5 + 0.2 * 1.5) * 0.5)
    shown = (parts.relevance, parts.recency, parts.importance, parts.status_weight)
    assert shown == pytest.approx((0.8, 0.5, 1.5, 0.5))
    assert parts.arms == {"english": 0.4}


def test_what_weighs_nothing_scores_nothing() -> None:
    assert score(relevance=1.0, importance=2.0, weight=0.0).total == 0


shares = st.floats(0, 1)


@given(shares, shares, st.floats(0, 10_000), st.floats(0.5, 2), st.sampled_from(tuple(PROFILES)))
def test_the_score_grows_with_each_part_and_stays_within_bounds(
    lower: float, higher: float, days: float, importance: float, profile: str
) -> None:
    assume(lower <= higher)
    weights = PROFILES[profile]
    parts = score(relevance=lower, days=days, importance=importance, profile=weights)
    assert 0 <= parts.total <= weights.relevance + weights.recency + 2 * weights.importance
    assert score(relevance=higher, days=days, importance=importance, profile=weights).total >= parts.total
    assert score(relevance=lower, days=days / 2, importance=importance, profile=weights).total >= parts.total
    assert score(relevance=lower, days=days, importance=2, profile=weights).total >= parts.total
    assert score(relevance=lower, days=days, importance=importance, profile=weights, weight=0.5).total <= parts.total
    assert score(relevance=lower, days=None, importance=importance, profile=weights).total <= parts.total


def test_an_old_plain_memory_that_answers_beats_a_fresh_one_that_does_not() -> None:
    assert score(relevance=1.0, days=3_650).total > score(relevance=0.3, days=0).total


def test_what_was_said_tomorrow_is_as_fresh_as_what_was_said_now() -> None:
    tomorrow = ranking_score(
        relevance=0.5,
        instant=int(1e3 * (ASKED_AT + timedelta(days=1)).timestamp()),
        importance=1.0,
        weight=1.0,
        asked_at=NOW,
        profile=PROFILES["default"],
        arms={},
    )
    assert tomorrow.total == score().total
