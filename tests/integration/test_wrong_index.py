"""An index that has a declared name and is another is refused, naming it and the way out."""

import shutil
from collections.abc import AsyncIterator

import pytest

import graph
from graph import local_neo4j
from graph.errors import SchemaMismatch
from graph.ports import Embedder
from graph.settings import Settings

WRONG = {
    "text_english": (
        "CREATE FULLTEXT INDEX text_english FOR (n:Atom|Cluster) "
        "ON EACH [n.window, n.group_tag, n.audience_tag, n.status, n.day_token] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'german'}}"
    ),
    "text_chinese": (
        "CREATE FULLTEXT INDEX text_chinese FOR (n:Atom|Cluster) ON EACH [n.window] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}"
    ),
    "vector_a": (
        "CYPHER 25 CREATE VECTOR INDEX vector_a FOR (n:Atom|Cluster) ON n.embedding_a WITH [n.group_id] "
        "OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}"
    ),
}


@pytest.fixture(scope="module")
async def own_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    settings = Settings(home=tmp_path_factory.mktemp("wrong-index"), heap="512m", page_cache="64m")
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(settings.home, ignore_errors=True)


@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_index_is_refused_and_made_anew_when_it_is_dropped(
    own_settings: Settings, vectors: Embedder, name: str
) -> None:
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        for statement in (f"DROP INDEX {name}", WRONG[name]):
            await memory.store._driver.execute_query(statement)
    with pytest.raises(SchemaMismatch, match=f"'{name}'.*DROP INDEX {name}"):
        async with graph.Memory.open(own_settings, embedder=vectors):
            pass
    async with graph.Inspection.look(own_settings) as looked:
        await looked.store._driver.execute_query(f"DROP INDEX {name}")
    async with graph.Memory.open(own_settings, embedder=vectors) as memory:
        assert [finding for finding in await memory.audit() if finding.offenders] == []
