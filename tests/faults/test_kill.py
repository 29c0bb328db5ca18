"""The database is killed while events come in: what was acknowledged is there, and the same import goes on."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Callable

import psutil
import pytest

import graph
from graph import local_neo4j
from graph.errors import DatabaseUnavailable
from graph.ports import Embedder
from graph.settings import Settings

Outcomes = dict[str, graph.Outcome]
A_CALL = 40


@pytest.fixture(scope="module")
async def own_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """A server that these tests kill; whichever needs it starts it again."""
    settings = Settings(home=tmp_path_factory.mktemp("killed"), heap="512m", page_cache="64m")
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(settings.home, ignore_errors=True)


def made(count: int) -> list[graph.Event]:
    """Events that come out of order into three talks, name shared things, and are private now and then."""
    return [
        graph.Event(
            event_id=f"e-{number}",
            text=f"Line {number} about the boiler.",
            user_id=f"user-{number % 2}",
            conversation_id=f"talk-{number % 3}",
            occurred_at=f"2026-03-{1 + number % 28:02}T08:00:00Z",
            visibility="private" if number % 7 == 0 else "group",
            entities=("boiler", f"thing {number % 5}"),
        )
        for number in range(count)
    ]


async def import_all(memory: graph.Memory, scope: graph.Scope, events: list[graph.Event], done: Outcomes) -> None:
    """Record the events call by call; what was acknowledged is noted in `done`."""
    for start in range(0, len(events), A_CALL):
        receipts = await memory.record_events(scope, events[start : start + A_CALL])
        done.update({receipt.event_id: receipt.outcome for receipt in receipts})


def kill(pid: int) -> None:
    process = psutil.Process(pid)
    process.send_signal(signal.SIGKILL)
    process.wait(10)


async def is_whole(memory: graph.Memory, scope: graph.Scope, events: list[graph.Event]) -> None:
    """Check that each event is there once, with all that belongs to it, its vector too, in every index."""
    async with asyncio.timeout(120):
        await memory.catch_up()
    row = await memory.store._driver.execute_query(
        """
        MATCH (atom:Atom {group_id: $group})
        RETURN count(atom) AS atoms, count(DISTINCT atom.event_id) AS events,
          count(atom.embedding_a) AS vectors,
          sum(COUNT { (atom)-[:NEXT]->() }) AS next, sum(COUNT { (atom)-[:MENTIONS]->() }) AS mentions
        """,
        group=scope.group,
    )
    assert row.records[0].data() == {
        "atoms": len(events),
        "events": len(events),
        "vectors": len(events),
        "next": len(events) - 3,
        "mentions": 2 * len(events),
    }
    assert [finding for finding in await memory.audit() if finding.offenders] == []
    best = (await memory.search(scope, "Line 17 about the boiler.", profile="relevance")).evidence[0]
    assert best.atom.event_id == "e-17"
    assert {"vector", "english"} <= set(best.score.arms)


@pytest.mark.timeout(1_200)
async def test_an_import_goes_on_after_the_server_was_killed_in_the_middle_of_it(
    own_settings: Settings, vectors: Embedder, scope: graph.Scope, counted: Callable[[int], int]
) -> None:
    rounds = counted(10)
    everything = made(600 * rounds)
    acknowledged: Outcomes = {}
    for number in range(1, rounds + 1):
        events, known = everything[: 600 * number], len(acknowledged)
        async with graph.Memory.open(own_settings, embedder=vectors) as memory:
            instance = local_neo4j.status(own_settings)
            assert instance is not None
            importing = asyncio.create_task(import_all(memory, scope, events, acknowledged))
            async with asyncio.timeout(120):
                while len(acknowledged) < known + 4 * A_CALL:  # noqa: ASYNC110 - another task fills it
                    await asyncio.sleep(0)
            await asyncio.sleep(0.013 * number)  # not always at the same step of a transaction
            kill(instance.pid)
            importing.cancel()
            await asyncio.gather(importing, return_exceptions=True)
        assert known < len(acknowledged) < len(events)

        before, again = dict(acknowledged), Outcomes()
        async with graph.Memory.open(own_settings, embedder=vectors) as memory:
            kept = {atom.event_id for atom in await everyone(memory, scope)}
            assert kept >= set(before)
            await import_all(memory, scope, events, again)
            assert set(again) == {event.event_id for event in events}
            unchanged = {event_id for event_id, outcome in again.items() if outcome is graph.Outcome.UNCHANGED}
            assert unchanged == kept
            assert set(again.values()) <= {graph.Outcome.RECORDED, graph.Outcome.UNCHANGED}
            await is_whole(memory, scope, events)
        acknowledged |= again


async def everyone(memory: graph.Memory, scope: graph.Scope) -> list[graph.Atom]:
    """Return all atoms of the group, private ones too: as each of its users sees them."""
    found: dict[str, graph.Atom] = {}
    for viewer in ("user-0", "user-1"):
        cursor = None
        while True:
            page = await memory.atoms(graph.Scope(scope.group, viewer), first=500, after=cursor)
            found |= {atom.id: atom for atom in page.atoms}
            if (cursor := page.next_cursor) is None:
                break
    return list(found.values())


async def test_a_memory_that_was_open_goes_on_when_the_server_is_back(
    own_settings: Settings, vectors: Embedder, scope: graph.Scope
) -> None:
    events = made(80)
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        done: Outcomes = {}
        await import_all(memory, scope, events[:40], done)
        instance = local_neo4j.status(own_settings)
        assert instance is not None
        kill(instance.pid)
        # The driver tries again for half a minute before it gives up; a server that is back in time is used.
        importing = asyncio.create_task(import_all(memory, scope, events, done))
        again = await local_neo4j.ensure_running(own_settings)
        assert again.bolt_url == instance.bolt_url
        await importing
        assert set(done.values()) == {graph.Outcome.RECORDED, graph.Outcome.UNCHANGED}
        await is_whole(memory, scope, events)


async def test_a_server_that_does_not_come_back_is_one_clear_error(
    own_settings: Settings, vectors: Embedder, scope: graph.Scope, pytestconfig: pytest.Config
) -> None:
    if not pytestconfig.getoption("--long"):
        pytest.skip("The driver tries for half a minute and more; --long waits for it.")
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        instance = local_neo4j.status(own_settings)
        assert instance is not None
        kill(instance.pid)
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            async with asyncio.timeout(120):
                await memory.record_events(scope, made(1))
