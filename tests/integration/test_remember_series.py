"""Readings of devices, and what very many say again: what a write touches does not grow with them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from statistics import median
from time import perf_counter

import pytest

import graph
from tests.remembering import found, sound


async def touched(memory: graph.Memory, group: str) -> int:
    """Return how many standings the largest decision of a group changed."""
    result = await memory.store._driver.execute_query(
        "MATCH (d:Decision {group_id: $group}) RETURN max(COUNT { (d)-[:DECIDED]->() }) AS most", group=group
    )
    return int(result.records[0]["most"])


def reading(number: int, source: str = "thermostat", day: str = "2026-03-01", minute: int | None = None) -> graph.Event:
    at = number if minute is None else minute
    return graph.Event(
        event_id=f"{source}-{day}-{number}",
        text=f"{18 + number % 7} degrees",
        source_id=source,
        subject="living room",
        key="temperature",
        value=str(18 + number % 7),
        occurred_at=(datetime.fromisoformat(f"{day}T00:00:00+00:00") + timedelta(minutes=at)).isoformat(),
    )


@pytest.mark.timeout(900)
async def test_ten_thousand_readings_of_one_thermostat_are_no_conflict(
    seeded: graph.Memory, scope: graph.Scope, counted: Callable[[int], int]
) -> None:
    count, taken = counted(10_000), []
    verdicts: set[str | None] = set()
    for start in range(0, count, 250):
        before = perf_counter()
        receipts = await seeded.record_events(scope, [reading(number) for number in range(start, start + 250)])
        taken.append(perf_counter() - before)
        verdicts |= {one.ruled.verdict if one.ruled else None for one in receipts}
    assert verdicts == {"ADD", "UPDATE"}
    assert await touched(seeded, scope.group) <= 2
    # Compiling the statements falls on the first; the rest must not grow with what is known.
    quarter = len(taken) // 4
    print(f"\n{count} readings: {1e3 * median(taken[quarter : 2 * quarter]) / 250:.2f} ms each at first, "  # noqa: T201
          f"{1e3 * median(taken[-quarter:]) / 250:.2f} ms at last")  # fmt: skip
    assert median(taken[-quarter:]) < 3 * median(taken[quarter : 2 * quarter]), taken
    told = await seeded.timeline(scope, "living room", "temperature")
    last = str(18 + (count - 1) % 7)
    assert [one.value for one in told.periods if one.status == "active"] == [last]
    assert "conflict" not in {one.status for one in told.periods}

    (other,) = await seeded.record_events(scope, [reading(3, "sensor", "2026-04-02")])
    assert other.ruled is not None
    assert other.ruled.verdict == "ADD"
    told = await seeded.timeline(scope, "living room", "temperature")
    assert {(one.value, one.beside) for one in told.periods if one.status == "active"} == {
        (str(18 + 3), True),
        (last, False),
    }
    await sound(seeded, scope.group)


async def test_a_late_reading_takes_its_place_between_its_neighbours(seeded: graph.Memory, scope: graph.Scope) -> None:
    await seeded.record_events(scope, [reading(number) for number in (0, 10, 20, 30)])
    (late,) = await seeded.record_events(scope, [reading(1, minute=15)])
    assert late.ruled is not None
    assert (late.ruled.touched[0].before, late.ruled.touched[0].after) == (None, "superseded")
    told = await seeded.timeline(scope, "living room", "temperature")
    assert [one.value for one in told.periods] == ["18", "21", "19", "24", "20"]
    assert [one.until for one in told.periods[:-1]] == [one.since for one in told.periods[1:]]
    await sound(seeded, scope.group)


async def test_the_end_of_a_value_that_two_thousand_events_restate_changes_two_standings(
    seeded: graph.Memory, scope: graph.Scope
) -> None:
    for start in (0, 1_000):
        events = [
            graph.Event(event_id=f"e-{n}", text="We use Java", key="lang", value="Java", origin="user_stated")
            for n in range(start, start + 1_000)
        ]
        receipts = await seeded.record_events(scope, events)
        assert {one.ruled.verdict if one.ruled else None for one in receipts[1:]} == {"NOOP"}
    await seeded.remember(scope, [graph.Statement(text="I drink tea", key="drink", value="tea")])
    before = perf_counter()
    (ended,) = await seeded.remember(scope, [graph.Statement(text="We moved to Go now", key="lang", value="Go")])
    taken = perf_counter() - before
    assert ended.ruled.verdict == "UPDATE"
    assert len(ended.ruled.touched) == 2
    assert await touched(seeded, scope.group) <= 2
    assert taken < 5, "seconds, on a busy machine"
    current = await seeded.atoms(scope, first=500)
    assert {atom.value for atom in current.atoms} == {"tea", "Go"}
    assert await found(seeded, scope, "We use Java") == ["We moved to Go now"] or "We use Java" not in await found(
        seeded, scope, "We use Java"
    )
    history = await seeded.atoms(scope, first=500, include_history=True)
    assert {atom.status for atom in history.atoms if atom.value == "Java"} == {"superseded"}
    await sound(seeded, scope.group)
