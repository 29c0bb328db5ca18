"""API and database are killed together, again and again, while vectors wait and standings change."""

import asyncio
import random
import shutil
import signal
from collections.abc import AsyncIterator, Callable

import httpx2
import psutil
import pytest

import graph
from graph import local_neo4j
from graph.ontology import HISTORY
from graph.settings import Settings
from tests.api_process import api
from tests.conftest import free_port
from tests.over_http import ask

GROUPS = [f"small-{number}" for number in range(50)]
RECORD = 'mutation($g: String!, $e: [EventInput!]!) { recordEvents(group: $g, viewer: "ann", events: $e) { outcome } }'
REMEMBER = (
    "mutation($g: String!, $s: [StatementInput!]!) "
    '{ remember(group: $g, viewer: "ann", statements: $s) { verdict atomId } }'
)


@pytest.fixture
async def own_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    settings = Settings(
        home=tmp_path_factory.mktemp("everything"), heap="512m", page_cache="64m", port=free_port(), neo4j_uri=None
    )
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(settings.home, ignore_errors=True)


def event(number: int, turn: int) -> dict[str, str]:
    return {"eventId": f"{turn}-{number}", "text": f"Turn {turn}: the boiler 锅炉 shows error {number}."}


async def write(client: httpx2.AsyncClient, turn: int, draw: random.Random, kept: dict[str, set[str]]) -> None:
    """Write without end into groups; note what was acknowledged."""
    for number in range(10_000):
        group = draw.choice(GROUPS)
        made = [event(number * 10 + one, turn) for one in range(draw.randrange(1, 8))]
        receipts = await ask(client, RECORD, g=group, e=made)
        assert {one["outcome"] for one in receipts} == {"RECORDED"}
        kept[group] |= {one["eventId"] for one in made}
        said = {"text": f"We moved to place {number} of {turn} now", "key": "home", "value": f"{turn} {number}"}
        (answer,) = await ask(client, REMEMBER, g=group, s=[said])
        kept[group].add(answer["atomId"])


@pytest.mark.timeout(1_800)
async def test_nothing_acknowledged_is_lost_and_every_group_is_searched_by_every_index(
    own_settings: Settings, counted: Callable[[int], int]
) -> None:
    draw = random.Random(5)  # noqa: S311 - no secret
    kept: dict[str, set[str]] = {group: {f"first-{group}"} for group in GROUPS}
    async with graph.Memory.open(own_settings) as memory:
        for group in GROUPS:
            first = graph.Event(event_id=f"first-{group}", text="The boiler 锅炉 is new.")
            await memory.record_events(graph.Scope(group, "ann"), [first])
    for turn in range(counted(20)):
        process = await api(own_settings)
        server = local_neo4j.status(own_settings)
        assert server is not None
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{own_settings.port}", timeout=60) as client:
            writing = [asyncio.create_task(write(client, 2 * turn + of, draw, kept)) for of in (0, 1)]
            await asyncio.sleep(draw.uniform(1, 4))
            for pid in draw.sample([process.pid, server.pid], 2):
                psutil.Process(pid).send_signal(signal.SIGKILL)
            ended = await asyncio.gather(*writing, return_exceptions=True)
        assert not any(isinstance(error, AssertionError) for error in ended), ended
        process.wait(10)

        async with graph.Memory.open(own_settings) as memory:
            async with asyncio.timeout(120):
                await memory.catch_up()
            for group in GROUPS:
                await is_whole(memory, graph.Scope(group, "ann"), kept[group])
            assert [finding for finding in await memory.audit() if finding.offenders] == []


async def is_whole(memory: graph.Memory, scope: graph.Scope, kept: set[str]) -> None:
    """Check that a group holds what was acknowledged, and that each index finds something of it."""
    rows = await memory.store._driver.execute_query(
        "MATCH (atom:Atom {group_id: $group}) RETURN atom.id AS id, atom.event_id AS event_id, atom.status AS status",
        group=scope.group,
    )
    assert {row["id"] for row in rows.records} | {row["event_id"] for row in rows.records} >= kept
    assert {row["status"] for row in rows.records} <= {str(status) for status in HISTORY}
    answer = await memory.search(scope, "Which error does the boiler 锅炉 show?", limit=50)
    arms = {arm for one in answer.evidence for arm in one.score.arms}
    assert answer.degraded == ()
    assert {"vector", "english", "chinese"} <= arms, scope.group
