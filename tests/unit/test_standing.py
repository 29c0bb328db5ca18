"""What may change about an atom, and that nothing of it is lost on the way through JSON and the database."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.ontology import Status
from graph.timelines.said import TimelineRole
from graph.timelines.standing import TIMES, Flag, Standing, instant, milliseconds

times = st.integers(-62_135_596_800_000, 253_402_300_799_999)
counts = st.integers(0, 1_000)


def standings() -> st.SearchStrategy[Standing]:
    maybe = st.none() | times
    return st.builds(
        Standing,
        status=st.sampled_from(list(Status)),
        flags=st.sets(st.sampled_from(list(Flag))).map(lambda flags: tuple(sorted(flags))),
        valid_from=maybe,
        valid_until=maybe,
        last_evidence_at=maybe,
        evidence_count=st.integers(1, 1_000),
        conflict_since=maybe,
        restated=counts,
        restated_at=maybe,
        counter_statements=counts,
        timeline_role=st.none() | st.sampled_from([role.value for role in TimelineRole]),
        restates=st.none() | st.text(min_size=1, max_size=4),
        earlier=st.lists(times, max_size=4).map(tuple),
    )


@given(standings())
def test_a_standing_survives_json(standing: Standing) -> None:
    assert Standing.of(json.loads(standing.to_json())) == standing


@given(standings())
def test_a_standing_survives_the_properties_of_a_node(standing: Standing) -> None:
    kept = standing.properties()
    assert all(isinstance(kept[name], datetime) for name in TIMES if getattr(standing, name) is not None)
    row = {name: milliseconds(value) if isinstance(value, datetime) else value for name, value in kept.items()}
    assert Standing.of(row) == standing


@given(times)
def test_milliseconds_and_instants_are_the_same(at: int) -> None:
    assert milliseconds(instant(at)) == at
    assert instant(at).tzinfo is UTC


def test_instants_of_other_offsets_are_the_same_milliseconds() -> None:
    moment = datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert milliseconds(moment.astimezone(datetime.fromisoformat("2026-01-01T00:00:00+09:00").tzinfo)) == milliseconds(
        moment
    )
    assert milliseconds(moment + timedelta(microseconds=999)) == milliseconds(moment)


def test_what_is_missing_in_a_row_has_its_default() -> None:
    assert Standing.of({"status": None, "flags": None}) == Standing()
    assert Standing.of({"status": "conflict", "counter_statements": 0, "other": 1}) == Standing(status="conflict")


@given(standings(), times)
def test_another_statement_of_the_same_refreshes_and_counts(standing: Standing, at: int) -> None:
    again = standing.stated_again(at)
    assert again.evidence_count == standing.evidence_count + 1
    assert again.last_evidence_at == max(at, standing.last_evidence_at if standing.last_evidence_at is not None else at)
    in_conflict = standing.status == Status.CONFLICT
    assert again.restated == standing.restated + in_conflict
    assert (again.restated_at == standing.restated_at) or in_conflict
    assert (again.status, again.flags, again.valid_from) == (standing.status, standing.flags, standing.valid_from)


@given(standings(), times, st.sampled_from([Status.SUPERSEDED, Status.INVALID]))
def test_what_is_over_ends_once_and_asks_for_nothing(standing: Standing, at: int, status: Status) -> None:
    ended = standing.ended(status, at)
    assert ended.status == status
    assert ended.valid_until == (at if standing.valid_until is None else min(at, standing.valid_until))
    assert Flag.NEEDS_CONFIRMATION not in ended.flags
    assert (Flag.PINNED in ended.flags) == (Flag.PINNED in standing.flags)
    assert (ended.conflict_since, ended.restated, ended.restated_at, ended.counter_statements) == (None, 0, None, 0)


def test_a_conflict_keeps_its_beginning_until_it_is_over() -> None:
    one = Standing(valid_from=1, last_evidence_at=1).in_conflict(5)
    assert (one.status, one.flags, one.conflict_since) == ("conflict", ("needs_confirmation",), 5)
    assert one.in_conflict(9).conflict_since == 5
    alone = one.stated_again(7).alone()
    assert alone == Standing(valid_from=1, last_evidence_at=7, evidence_count=2)


@pytest.mark.parametrize("at", [-5, 0, 5])
def test_the_first_millisecond_of_1970_is_a_time_like_others(at: int) -> None:
    standing = Standing(valid_from=0, last_evidence_at=0, valid_until=0, status=Status.CONFLICT, restated_at=0)
    again = standing.stated_again(at)
    assert again.last_evidence_at == max(at, 0)
    assert again.restated_at == max(at, 0)
    assert standing.ended(Status.INVALID, at).valid_until == min(at, 0)
    assert standing.properties()["valid_from"] == datetime(1970, 1, 1, tzinfo=UTC)


def test_flags_are_sorted_and_single() -> None:
    both = Standing().flagged(Flag.PINNED, Flag.NEEDS_CONFIRMATION).flagged(Flag.PINNED)
    assert both.flags == ("needs_confirmation", "pinned")
    assert both.unflagged(Flag.PINNED).unflagged(Flag.PINNED).flags == ("needs_confirmation",)
