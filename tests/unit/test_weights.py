"""What standing and age leave of a score: bounded, falling with age, in the order of standings."""

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from graph.ontology import Origin, Status
from graph.timelines.said import TimelineRole
from graph.timelines.standing import Flag, Standing
from graph.timelines.weights import DAY_MS, Staleness, conflict_weight, is_stale, status_weight

NOW = 1_772_323_200_000
days = st.floats(0, 20_000)
timeline_roles = st.sampled_from([None, *TimelineRole])
origins = st.sampled_from(list(Origin))


def ago(age: float) -> int:
    return NOW - int(age * DAY_MS)


def conflict(age: float = 0.0, *, again: float | None = None, counter_statements: int = 0) -> Standing:
    """A side of a conflict, last stated so many days ago; `again`: as a restatement."""
    return Standing(
        Status.CONFLICT,
        last_evidence_at=ago(age if again is None else min(age, again)),
        conflict_since=ago(age),
        restated=int(again is not None),
        restated_at=None if again is None else ago(again),
        counter_statements=counter_statements,
    )


def weight(
    standing: Standing,
    *,
    timeline_role: str | None = TimelineRole.VALUE,
    origin: str = Origin.USER_STATED,
    at: int = NOW,
    past: bool = False,
    stale_after: float = 365.0,
) -> float:
    return status_weight(
        standing, timeline_role=timeline_role, origin=origin, stale_after=stale_after, at=at, past=past
    )


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    evidence = draw(st.none() | days)
    return Standing(
        draw(st.sampled_from(list(Status))),
        tuple(sorted(draw(st.sets(st.sampled_from(list(Flag)))))),
        last_evidence_at=None if evidence is None else ago(evidence),
        restated_at=draw(st.none() | st.just(None if evidence is None else ago(evidence))),
        counter_statements=draw(st.integers(0, 50)),
    )


@given(standings(), timeline_roles, origins, st.booleans(), days)
def test_a_weight_is_between_0_and_1(
    standing: Standing, timeline_role: str | None, origin: str, past: bool, age: float
) -> None:
    assert 0 <= weight(standing, timeline_role=timeline_role, origin=origin, past=past, at=NOW + int(age * DAY_MS)) <= 1


@given(standings(), timeline_roles, origins, st.booleans(), days, days)
def test_a_weight_never_grows_with_age(
    standing: Standing, timeline_role: str | None, origin: str, past: bool, first: float, second: float
) -> None:
    at = sorted(NOW + int(age * DAY_MS) for age in (first, second))
    sooner, later = (weight(standing, timeline_role=timeline_role, origin=origin, past=past, at=one) for one in at)
    assert sooner >= later


@given(days, st.integers(0, 20))
def test_a_restatement_of_the_other_side_never_lifts(age: float, counter_statements: int) -> None:
    assert weight(conflict(age, counter_statements=counter_statements)) >= weight(
        conflict(age, counter_statements=counter_statements + 1)
    )


@given(days, days)
def test_stated_again_never_lowers(age: float, again: float) -> None:
    assume(again <= age)
    assert weight(conflict(age, again=again)) >= weight(conflict(age))


@given(st.floats(0, 200), st.sampled_from([Status.SUPERSEDED, Status.INVALID]), origins, timeline_roles)
@example(0, Status.SUPERSEDED, Origin.USER_STATED, TimelineRole.VALUE)
def test_active_over_conflict_over_the_past_over_quarantine(
    age: float, gone: Status, origin: str, timeline_role: str | None
) -> None:
    """Of one age; a conflict that nobody has spoken of for seven months sinks below what is known to be past."""
    more: dict[str, Any] = {"origin": origin, "timeline_role": timeline_role}
    active = weight(Standing(last_evidence_at=ago(age)), **more)
    disputed = weight(conflict(age), **more)
    past = weight(Standing(gone, last_evidence_at=ago(age)), **more)
    assert active >= disputed >= past > 0
    for status in (Status.QUARANTINED, Status.ERASED):
        for history in (False, True):
            assert weight(Standing(status, last_evidence_at=ago(age)), past=history, **more) == 0


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (conflict(), 0.5),
        (conflict(90), 0.25),
        (conflict(180), 0.125),
        (conflict(counter_statements=1), 0.4),
        (conflict(counter_statements=3), 0.5 * 0.8**3),
        (conflict(10, again=0), 1.0),
        (conflict(10, again=0, counter_statements=2), min(1, 2 * 0.8**2)),
        (conflict(10, again=0, counter_statements=4), 2 * 0.8**4),
        (conflict(90, again=30), min(1, 2 * 0.5 ** (30 / 90))),
        (conflict(90, again=30, counter_statements=5), 2 * 0.5 ** (30 / 90) * 0.8**5),
        (conflict(90, again=31), 0.5 * 0.5 ** (31 / 90)),
    ],
)
def test_the_conflict_formula(standing: Standing, expected: float) -> None:
    assert conflict_weight(standing, NOW) == pytest.approx(expected)
    assert weight(standing) == pytest.approx(expected)


def test_a_conflict_weighs_the_same_when_the_past_is_asked_for() -> None:
    assert weight(conflict(90), past=True) == weight(conflict(90)) == 0.25


def test_the_numbers_of_the_standings() -> None:
    fresh: dict[str, Any] = {"last_evidence_at": NOW}
    assert weight(Standing(**fresh)) == 1.0
    assert weight(Standing(last_evidence_at=ago(366))) == 0.5
    assert weight(Standing(flags=(Flag.NEEDS_CONFIRMATION,), **fresh), origin=Origin.INFERRED) == 0.5
    assert weight(Standing(**fresh), origin=Origin.INFERRED) == 1.0, "it was confirmed"
    assert weight(Standing(flags=(Flag.NEEDS_CONFIRMATION,), **fresh)) == 1.0
    assert weight(conflict(10, again=0), origin=Origin.INFERRED) == 1.0
    for gone in (Status.SUPERSEDED, Status.INVALID):
        assert (weight(Standing(gone, **fresh)), weight(Standing(gone, **fresh), past=True)) == (0.1, 1.0)


@given(days, days, timeline_roles)
def test_what_is_pinned_is_never_stale(age: float, stale_after: float, timeline_role: str | None) -> None:
    pinned = Standing(flags=(Flag.PINNED,), last_evidence_at=ago(age))
    assert not is_stale(pinned, timeline_role=timeline_role, stale_after=stale_after, at=NOW)
    assert weight(pinned, timeline_role=timeline_role, stale_after=stale_after) == 1.0


@pytest.mark.parametrize(
    ("standing", "timeline_role", "stale"),
    [
        (Standing(last_evidence_at=ago(10)), TimelineRole.VALUE, False),
        (Standing(last_evidence_at=ago(10.01)), TimelineRole.VALUE, True),
        (Standing(last_evidence_at=ago(11)), TimelineRole.ADDITION, True),
        (Standing(last_evidence_at=ago(11)), TimelineRole.OFF, False),
        (Standing(last_evidence_at=ago(11)), TimelineRole.END, False),
        (Standing(last_evidence_at=ago(11)), None, False),
        (Standing(Status.CONFLICT, last_evidence_at=ago(11)), TimelineRole.VALUE, False),
        (Standing(Status.SUPERSEDED, last_evidence_at=ago(11)), TimelineRole.VALUE, False),
        (Standing(), TimelineRole.VALUE, False),
    ],
)
def test_what_goes_stale_after_ten_days(standing: Standing, timeline_role: str | None, stale: bool) -> None:
    assert is_stale(standing, timeline_role=timeline_role, stale_after=10, at=NOW) is stale


def test_staleness_is_by_key_whatever_its_case_or_width() -> None:
    staleness = Staleness(100.0, {"user home": 7.0})
    assert [staleness.days(key) for key in ("user home", "User  Home", "ｕser home", "lang", None)] == [
        7.0, 7.0, 7.0, 100.0, 100.0,
    ]  # fmt: skip
    assert Staleness().days("lang") == 365.0
