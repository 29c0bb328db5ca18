"""A vector index that does not answer: search goes on without it and says so, and it is made anew."""

import asyncio
import shutil
from collections.abc import AsyncIterator

import pytest

import graph
from graph import local_neo4j
from graph.ports import Embedder
from graph.settings import Settings

GROUPS = ("left", "right")


@pytest.fixture(scope="module")
async def own_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """A server whose indexes these tests drop."""
    settings = Settings(home=tmp_path_factory.mktemp("care"), heap="512m", page_cache="64m")
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(settings.home, ignore_errors=True)


async def fill(memory: graph.Memory) -> None:
    for group in GROUPS:
        events = [graph.Event(event_id=f"{number}", text=f"Line {number} of the boiler 锅炉.") for number in range(30)]
        await memory.record_events(graph.Scope(group, "ann"), events)
    await memory.catch_up()


async def run(memory: graph.Memory, statement: str) -> None:
    await memory.store._driver.execute_query(statement)


async def arms(memory: graph.Memory, group: str) -> tuple[set[str], tuple[str, ...]]:
    """Return the arms that found something of a group, and the indexes that did not answer."""
    answer = await memory.search(graph.Scope(group, "ann"), "What is Line 7 of the boiler 锅炉?", limit=30)
    assert len(answer.evidence) == 30
    return {arm for one in answer.evidence for arm in one.score.arms} & {
        "vector",
        "english",
        "chinese",
    }, answer.degraded


async def test_without_its_vector_index_search_answers_by_words_says_so_and_the_index_comes_back(
    own_settings: Settings, vectors: Embedder
) -> None:
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        await fill(memory)
        assert await arms(memory, "left") == ({"vector", "english", "chinese"}, ())
        await run(memory, "DROP INDEX vector_a")
        assert await arms(memory, "left") == ({"english", "chinese"}, ("vector",))
        await until_whole(memory, "right")
        assert await arms(memory, "right") == ({"vector", "english", "chinese"}, ())
        assert [finding for finding in await memory.audit() if finding.offenders] == []


async def test_without_a_full_text_search_answers_by_the_others(own_settings: Settings, vectors: Embedder) -> None:
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        await fill(memory)
        await run(memory, "DROP INDEX text_english")
        assert await arms(memory, "left") == ({"vector", "chinese"}, ("english",))
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        assert await arms(memory, "left") == ({"vector", "english", "chinese"}, ())


async def test_an_index_of_an_older_schema_is_made_anew_when_the_server_has_started(
    own_settings: Settings, vectors: Embedder
) -> None:
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        await fill(memory)
        await run(memory, "DROP INDEX vector_a")
        await run(
            memory,
            "CYPHER 25 CREATE VECTOR INDEX vector_a FOR (n:Atom|Cluster) ON n.embedding_a WITH [n.group_id, n.audience,"
            " n.status, n.subject_id, n.day, n.occurred_ms] OPTIONS {indexConfig: {`vector.dimensions`: 384}}",
        )
        await run(memory, "MATCH (meta:Schema) REMOVE meta.cared_since")
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        async with asyncio.timeout(60):
            while await quantised(memory):  # noqa: ASYNC110 - another task, and then the server, makes it
                await asyncio.sleep(0.5)
        await until_whole(memory, "right")
        assert await arms(memory, "right") == ({"vector", "english", "chinese"}, ())


async def until_whole(memory: graph.Memory, group: str) -> None:
    async with asyncio.timeout(60):
        while (await arms(memory, group))[1]:  # noqa: ASYNC110 - another task, and then the server, makes it
            await asyncio.sleep(0.5)


async def quantised(memory: graph.Memory) -> bool:
    rows = await memory.store._driver.execute_query(
        "SHOW INDEXES YIELD name, options WHERE name = 'vector_a' RETURN options.indexConfig AS settings"
    )
    return not rows.records or rows.records[0]["settings"].get("vector.quantization.type") != "NONE"
