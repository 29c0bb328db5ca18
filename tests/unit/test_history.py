"""What timelines look like, as they held at a time and as they were known at a time."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.ontology import Status
from graph.timelines.history import as_held, holds_at, periods, rendered, standing_then
from graph.timelines.standing import Standing, instant, milliseconds


def year(number: int) -> int:
    return milliseconds(datetime(number, 1, 1, tzinfo=UTC))


def row(
    value: str,
    since: int,
    until: int | None = None,
    *,
    timeline_role: str = "value",
    name: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A statement as `timelines/timeline` gives it: said at the beginning of a year, valid until that of another."""
    return {
        "id": name or f"{value}-{since}",
        "at": year(since),
        "text": f"We use {value}",
        "value": value,
        "timeline_role": timeline_role,
        "status": Status.ACTIVE if until is None else Status.SUPERSEDED,
        "flags": [],
        "valid_from": year(since),
        "valid_until": None if until is None else year(until),
        "before": None,
        "audience": "group",
        **more,
    }


JAVA, GO = row("Java", 2024, 2026), row("Go", 2026)


def test_a_change_is_an_arrow() -> None:
    assert rendered(periods([GO, JAVA])) == "Java (2024–2026) → Go (2026–)"


def test_one_value_in_two_disjoint_periods_is_two_periods() -> None:
    rows = [row("Java", 2020, 2022, status=Status.INVALID), row("Java", 2024)]
    assert rendered(periods(rows)) == "Java (2020–2022) → Java (2024–)"
    assert [holds_at(Standing.of(one), year(2023)) for one in rows] == [False, False]


def test_one_value_in_periods_that_meet_is_one_period_of_two_atoms() -> None:
    (found,) = periods([row("Java", 2020, 2022), row("JAVA", 2022)])
    assert (found.value, found.since, found.until, found.status) == ("Java", instant(year(2020)), None, "active")
    assert found.atoms == ("Java-2020", "JAVA-2022")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], ""),
        ([row("Java", 2024, 2024)], "Java (2024)"),
        ([{**row("Java", 2024), "valid_from": None}], "Java (–)"),
        ([{**row("Java", 2020, 2024), "valid_from": None}], "Java (–2024)"),
        ([row("Java", 2024, status="conflict"), row("Go", 2025, status="conflict")], "Java (2024–)? | Go (2025–)?"),
        (
            [row("Perl", 2020, 2024), row("Java", 2024, status="conflict"), row("Go", 2025, status="conflict")],
            "Perl (2020–2024) → Java (2024–)? | Go (2025–)?",
        ),
        ([JAVA, row("Zig", 2025, timeline_role="addition"), GO], "Java (2024–2026) → Go (2026–) + Zig (2025–)"),
        (
            [row("Zig", 2025, timeline_role="addition"), row("Go", 2026, timeline_role="addition")],
            "Zig (2025–) + Go (2026–)",
        ),
        ([JAVA, row("Rust", 2025, audience="ann"), GO], "Java (2024–2026) → Go (2026–); private: Rust (2025–)"),
        ([row("Rust", 2025, audience="ann")], "private: Rust (2025–)"),
        # What was taken back: it held for no time, while another went on.
        ([row("Java", 2024), row("Go", 2025, 2025, status="invalid")], "Java (2024–)"),
        ([JAVA, row("Go", 2025, timeline_role="off"), row("Java", 2026, timeline_role="end")], "Java (2024–2026)"),
        ([JAVA, row("Go", 2026, status="quarantined"), row("Zig", 2026, status="erased")], "Java (2024–2026)"),
        ([{**row("Java", 2024), "value": None}], "We use Java (2024–)"),
    ],
)
def test_a_timeline_as_one_line(rows: list[dict[str, Any]], expected: str) -> None:
    assert rendered(periods(rows)) == expected


def test_a_statement_that_held_several_times_has_a_period_for_each() -> None:
    again = row("Java", 2024, earlier=[year(2018), year(2020), year(2021), year(2023)])
    found = periods([again, row("Go", 2020, 2021), row("Java", 2022, timeline_role="restatement", restates="x")])
    assert rendered(found) == "Java (2018–2020) → Go (2020–2021) → Java (2021–2023) → Java (2024–)"
    assert [one.status for one in found] == ["superseded", "superseded", "invalid", "active"]
    assert [one.value for one in periods([again], as_of=year(2022))] == ["Java"]
    assert periods([again], as_of=year(2020)) == []
    standing = Standing.of(again)
    assert [holds_at(standing, year(at)) for at in range(2017, 2026)] == [
        False, True, True, False, True, True, False, True, True,
    ]  # fmt: skip
    assert as_held(replace(standing, status=Status.CONFLICT), year(2019)).status == "active"


def test_periods_that_one_statement_bears_and_that_meet_are_one() -> None:
    (found,) = periods([row("Java", 2024, earlier=[year(2020), year(2024)])])
    assert (found.since, found.until, found.atoms) == (instant(year(2020)), None, ("Java-2024",))


def test_readings_of_a_second_source_stand_beside_those_of_the_first() -> None:
    rows = [row("20", 2020, 2022, lane="a"), row("21", 2022, lane="a"), row("30", 2021, lane="b")]
    assert rendered(periods(rows)) == rendered(periods(rows[::-1])) == "20 (2020–2022) → 21 (2022–) + 30 (2021–)"


def test_what_a_statement_was_before_a_later_decision_is_replayed() -> None:
    """A late statement may make a value a restatement, or off the timeline; before that it was known as a value."""
    before = Standing(valid_from=year(2024), timeline_role="value")
    now = row("Java", 2024, timeline_role="restatement", restates="x", before=before.to_json())
    assert standing_then(now) == before
    assert rendered(periods([now])) == "Java (2024–)"
    assert periods([{**now, "before": None}]) == []
    older = replace(before, timeline_role=None)
    assert standing_then({**row("Java", 2024), "before": older.to_json()}).timeline_role == "value"


def test_what_was_said_at_one_instant_keeps_the_order_in_which_it_was_learned() -> None:
    rows = [row(value, 2026, 2026 if value != "Zig" else None, name=name) for value, name in
            (("Java", "c"), ("Go", "a"), ("Rust", "b"), ("Zig", "0"))]  # fmt: skip
    assert [one.value for one in periods(rows)] == ["Java", "Go", "Rust", "Zig"]


@pytest.mark.parametrize(
    ("at", "held"), [(2023, []), (2024, ["Java"]), (2025, ["Java"]), (2026, ["Go"]), (2030, ["Go"])]
)
def test_as_of_leaves_what_held_then(at: int, held: list[str]) -> None:
    assert [one.value for one in periods([JAVA, GO], as_of=year(at))] == held


def test_what_the_memory_knew_is_what_stood_before_the_next_decision() -> None:
    before = Standing(valid_from=year(2024), last_evidence_at=year(2024))
    assert standing_then({**JAVA, "before": before.to_json()}) == replace(before, timeline_role="value")
    assert standing_then(JAVA).status == "superseded"
    assert rendered(periods([{**JAVA, "before": before.to_json()}])) == "Java (2024–)"


maybe = st.none() | st.integers(-10, 10)


@given(st.sampled_from(list(Status)), maybe, maybe, maybe, st.integers(-12, 12))
def test_what_held_at_an_instant_was_current_then(
    status: Status, since: int | None, until: int | None, conflict: int | None, at: int
) -> None:
    standing = Standing(status, valid_from=since, valid_until=until, conflict_since=conflict)
    held = as_held(standing, at)
    if status in (Status.QUARANTINED, Status.ERASED):
        assert not holds_at(standing, at)
        assert held == standing
    elif holds_at(standing, at):
        assert since is None or since <= at
        assert until is None or at < until
        assert held.status in (Status.ACTIVE, Status.CONFLICT)
        assert (held.status == Status.CONFLICT) == (status == Status.CONFLICT and (conflict is None or conflict <= at))


def test_an_end_is_exclusive_and_a_beginning_inclusive() -> None:
    standing = Standing(Status.SUPERSEDED, valid_from=5, valid_until=9)
    assert [at for at in range(3, 12) if holds_at(standing, at)] == [5, 6, 7, 8]
