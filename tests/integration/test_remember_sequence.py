"""The memory's own order: a subject's sequence and clock, retries after an unclear commit, what comes late."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest

import graph
from graph.timelines import clock
from tests.remembering import lang, say, sound, standings, values


async def test_a_clock_that_was_ahead_and_is_set_back_makes_no_later_statement_lose(
    memory: graph.Memory, scope: graph.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = datetime.now(UTC) + timedelta(days=730)
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: ahead)
        java = await lang(memory, scope, "We moved to Java now", "Java")
        tea = await say(memory, scope, "I drink tea")
    go = await lang(memory, scope, "We moved to Go now", "Go")
    again = await say(memory, scope, "I drink tea")
    rust = await lang(memory, scope, "We moved to Rust now", "Rust")
    assert [one.ruled.verdict for one in (java, tea, go, again, rust)] == ["ADD", "ADD", "UPDATE", "NOOP", "UPDATE"]
    assert await values(memory, scope) == [("Java", "superseded"), ("Go", "superseded"), ("Rust", "active")]
    made = await memory.decisions(scope, go.atom_id or "")
    assert [one.verdict for one in made] == ["UPDATE", "UPDATE"]
    assert ahead < made[0].at < made[1].at
    undone = await memory.confirm(scope, go.atom_id or "")
    assert {one.atom_id: one.after for one in undone} == {go.atom_id: "active", rust.atom_id: "invalid"}
    then = await memory.timeline(scope, "ann", "lang", known_at=made[0].at)
    assert [(one.value, one.status) for one in then.periods] == [("Java", "superseded"), ("Go", "active")]
    await sound(memory, scope.group)


async def test_a_transaction_that_is_run_again_after_its_commit_answers_as_the_first_time(
    memory: graph.Memory, scope: graph.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = neo4j.AsyncSession.execute_write
    runs: list[int] = []

    async def twice(self: neo4j.AsyncSession, work: Callable[..., Awaitable[Any]], *args: Any) -> Any:
        runs.append(1)
        if len(runs) == 1:
            await once(self, work, *args)  # committed, and the answer was lost
        return await once(self, work, *args)

    monkeypatch.setattr(neo4j.AsyncSession, "execute_write", twice)
    said = [graph.Statement(text="We use Java", key="lang", value="Java"), graph.Statement(text="I drink tea")]
    answers = await memory.remember(scope, said)
    assert [one.ruled.verdict for one in answers] == ["ADD", "ADD"]
    assert [one.ruled.touched[0].atom_id for one in answers] == [one.atom_id for one in answers]
    assert await standings(memory, scope) == [("We use Java", "active"), ("I drink tea", "active")]
    assert {one.evidence_count for one in (await memory.atoms(scope)).atoms} == {1}
    await sound(memory, scope.group)


@pytest.mark.parametrize("kept", [False, True])
async def test_a_late_change_parts_what_was_said_again_from_what_it_restated(
    memory: graph.Memory, scope: graph.Scope, *, kept: bool
) -> None:
    first = await lang(memory, scope, "We use Java", "Java", "2026-01-01")
    if kept:
        again = graph.Event(
            event_id="again",
            text="We use Java",
            key="lang",
            value="Java",
            origin="user_stated",
            occurred_at="2026-03-01",
        )
        (receipt,) = await memory.record_events(scope, [again])
        assert receipt.ruled is not None
        assert receipt.ruled.verdict == "NOOP"
    else:
        assert (await lang(memory, scope, "We use Java", "Java", "2026-03-01")).ruled.verdict == "NOOP"
    between = datetime.now(UTC)
    late = await lang(memory, scope, "We switched to Go", "Go", "2026-02-01")
    told = await memory.timeline(scope, "ann", "lang")
    # Said without wording of change, Java in March disputes Go, and is no mere echo of January.
    assert [one.value for one in told.periods] == ["Java", "Go", "Java"]
    assert first.atom_id in told.periods[0].atoms
    assert len({late.atom_id, *told.periods[0].atoms, *told.periods[2].atoms}) == (3 if kept else 2)
    assert await values(memory, scope, known_at=between) == [("Java", "active")]
    await sound(memory, scope.group)


async def test_the_order_of_arrival_does_not_count(memory: graph.Memory, group: str) -> None:
    said = [
        ("I joined the Payments team", "Payments", "2026-01-10"),
        ("I am no longer on Payments", None, "2026-03-10"),
        ("I moved to Payments now", "Payments", "2026-07-10"),
        ("I left Payments", None, "2026-09-10"),
    ]
    told = set()
    for number, order in enumerate(((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1))):
        scope = graph.Scope(f"{group}-{number}", "ann")
        for at in order:
            text, value, day = said[at]
            await lang(memory, scope, text, value, day)
        periods = (await memory.timeline(scope, "ann", "lang")).periods
        told.add(tuple((one.value, one.since, one.until, one.status) for one in periods))
        await sound(memory, scope.group)
    assert len(told) == 1, told
    assert len(next(iter(told))) == 2
