"""Many writers of one timeline at the same instant: one timeline comes of it, nothing is lost and nothing doubled."""

import asyncio
from collections import Counter
from datetime import UTC, datetime

import pytest

import graph

WRITERS = 16
KEY = "lang"


@pytest.fixture(autouse=True, scope="module")
async def _warm(memory: graph.Memory) -> None:
    """Let the server plan the statements once, and not for sixteen writers at the same time."""
    scope = graph.Scope("at-once", "ann")
    await memory.remember(scope, [statement(0, "Java", one_user=True)])
    await memory.record_events(scope, [event(0, "Java")])


def statement(number: int, value: str, *, one_user: bool) -> graph.Statement:
    user = "ann" if one_user else f"user-{number}"
    return graph.Statement(text=f"We use {value}", user_id=user, subject="team", key=KEY, value=value)


def event(number: int, value: str, at: str | None = None) -> graph.Event:
    return graph.Event(
        event_id=f"e-{number}",
        text=f"We use {value}",
        user_id=f"user-{number % 3}",
        subject="team",
        key=KEY,
        value=value,
        origin="user_stated",
        occurred_at=at,
        conversation_id="talk" if number % 2 else None,
    )


async def sound(memory: graph.Memory, group: str) -> None:
    """Assert that no audit finds fault with this group."""
    offenders = [(finding.name, row) for finding in await memory.audit() for row in finding.offenders]
    assert [(name, row) for name, row in offenders if row.get("group_id") == group] == []


async def current(memory: graph.Memory, scope: graph.Scope) -> dict[str, graph.Atom]:
    """Return the atoms that give a current value, by value, after seeing that no value has two."""
    atoms = [atom for atom in (await memory.atoms(scope, first=100)).atoms if atom.timeline_role == "value"]
    assert len({atom.value for atom in atoms}) == len(atoms)
    return {atom.value or "": atom for atom in atoms}


@pytest.mark.parametrize("one_user", [True, False])
async def test_two_values_from_sixteen_writers_are_two_sides_of_one_conflict(
    memory: graph.Memory, scope: graph.Scope, one_user: bool
) -> None:
    said = [statement(number, "Java" if number % 2 else "Go", one_user=one_user) for number in range(WRITERS)]
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*(memory.remember(scope, [one]) for one in said))
    verdicts = Counter(str(answer.ruled.verdict) for (answer,) in answers)
    assert verdicts == {"ADD": 1, "CONFLICT": 1, "NOOP": WRITERS - 2}
    sides = await current(memory, scope)
    assert {value: atom.status for value, atom in sides.items()} == {"Java": "conflict", "Go": "conflict"}
    assert {value: atom.evidence_count for value, atom in sides.items()} == {"Java": 8, "Go": 8}
    assert {answer.atom_id for (answer,) in answers} == {atom.id for atom in sides.values()}
    periods = (await memory.timeline(scope, "team", KEY)).periods
    assert sorted((one.value, one.status) for one in periods) == [("Go", "conflict"), ("Java", "conflict")]
    await sound(memory, scope.group)


@pytest.mark.parametrize("key", [KEY, None])
async def test_sixteen_equal_statements_are_one_that_was_said_sixteen_times(
    memory: graph.Memory, scope: graph.Scope, key: str | None
) -> None:
    one = graph.Statement(text="We use Java", key=key, value="Java" if key else None)
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*(memory.remember(scope, [one]) for _ in range(WRITERS)))
    assert Counter(str(answer.ruled.verdict) for (answer,) in answers) == {"ADD": 1, "NOOP": WRITERS - 1}
    (atom,) = (await memory.atoms(scope)).atoms
    assert (atom.status, atom.evidence_count, len(atom.quotes)) == ("active", WRITERS, WRITERS)
    await sound(memory, scope.group)


async def test_sixteen_retries_at_once_are_one_statement(memory: graph.Memory, scope: graph.Scope) -> None:
    one = graph.Statement(text="We use Java", key=KEY, value="Java", client_id="c-1")
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*(memory.remember(scope, [one]) for _ in range(WRITERS)))
    assert len({(answer.atom_id, str(answer.ruled.verdict)) for (answer,) in answers}) == 1
    (atom,) = (await memory.atoms(scope)).atoms
    assert (atom.status, atom.evidence_count) == ("active", 1)
    await sound(memory, scope.group)


async def test_sixteen_changes_leave_one_current_value_and_fifteen_before_it(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    def moved(number: int) -> graph.Statement:
        return graph.Statement(text=f"We moved to Lang{number} now", key=KEY, value=f"Lang{number}", act="replaces")

    async with asyncio.timeout(60):
        await asyncio.gather(*(memory.remember(scope, [moved(number)]) for number in range(WRITERS)))
    assert [atom.status for atom in (await current(memory, scope)).values()] == ["active"]
    told = await memory.timeline(scope, "ann", KEY)
    assert {one.value for one in told.periods} == {f"Lang{number}" for number in range(WRITERS)}
    assert [one.status for one in told.periods] == ["superseded"] * (WRITERS - 1) + ["active"]
    for earlier, later in zip(told.periods, told.periods[1:], strict=False):
        assert earlier.until == later.since
    chain = await memory.store._driver.execute_query(
        "MATCH (:Atom {group_id: $group, status: 'active'})-[:SUPERSEDES]->*(old:Atom) RETURN count(old) AS found",
        group=scope.group,
    )
    assert chain.records[0]["found"] == WRITERS
    await sound(memory, scope.group)


@pytest.mark.parametrize("at", [None, "2026-03-01T08:00:00Z"])
async def test_two_values_from_sixteen_events_are_two_sides_and_every_event_is_kept(
    memory: graph.Memory, scope: graph.Scope, at: str | None
) -> None:
    events = [event(number, "Java" if number % 2 else "Go", at) for number in range(WRITERS)]
    async with asyncio.timeout(60):
        receipts = await asyncio.gather(*(memory.record_events(scope, [one]) for one in events))
    assert {receipt.outcome for (receipt,) in receipts} == {graph.Outcome.RECORDED}
    verdicts = Counter(str(receipt.ruled.verdict) for (receipt,) in receipts if receipt.ruled)
    assert verdicts == {"ADD": 1, "CONFLICT": 1, "NOOP": WRITERS - 2}
    assert len((await memory.atoms(scope, first=100)).atoms) == WRITERS
    assert {atom.status for atom in (await current(memory, scope)).values()} == {"conflict"}
    assert len((await memory.timeline(scope, "team", KEY)).periods) == 2
    await sound(memory, scope.group)


async def test_both_ways_in_at_once_meet_in_one_timeline(memory: graph.Memory, scope: graph.Scope) -> None:
    began = datetime.now(UTC)
    async with asyncio.timeout(60):
        await asyncio.gather(
            *(memory.remember(scope, [statement(number, "Java", one_user=False)]) for number in range(WRITERS // 2)),
            *(memory.record_events(scope, [event(number, "Go")]) for number in range(WRITERS // 2)),
            *(memory.remember(scope, [statement(number, "Rust", one_user=True)]) for number in range(WRITERS // 2)),
        )
    sides = await current(memory, scope)
    assert {value: atom.status for value, atom in sides.items()} == dict.fromkeys(("Java", "Go", "Rust"), "conflict")
    assert all(atom.valid_from and atom.valid_from >= began.replace(microsecond=0) for atom in sides.values())
    await sound(memory, scope.group)
