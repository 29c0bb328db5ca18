"""How far the service is from the database alone: the same graph written by hand, one raw filtered vector query.

Both sides run in turn, group by group and query by query, against one server, with the same vectors, embedded before
the clocks start. The hand-written side is given finished rows: it looks nothing up, checks nothing, and writes nodes
and edges of one kind after the other.
"""

import random
from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Any, Final, LiteralString

import numpy as np
from neo4j import AsyncDriver, AsyncGraphDatabase, RoutingControl

import graph
from bench.scratch import ingest, scratch_memory
from graph.ports import Progress, Vectors
from graph.writing.windows import tags

GROUPS: Final = 10
ATOMS: Final = 6_000
QUERIES: Final = 200
DIMENSION: Final = 384
SEED: Final = 1

_ROWS: Final = 500
_LIMIT: Final = 20

_NODES: Final[LiteralString] = """
MATCH (n) WHERE n.group_id = $group OR n:Group AND n.id = $group
RETURN labels(n)[0] AS label, n.id AS id, properties(n) AS properties
"""
_EDGES: Final[LiteralString] = """
MATCH (a)-[r]->(b) WHERE a.group_id = $group
RETURN labels(a)[0] AS start, a.id AS start_id, type(r) AS type, properties(r) AS properties,
  labels(b)[0] AS end, b.id AS end_id
"""
_CREATE: Final[LiteralString] = "CYPHER 25 UNWIND $rows AS row CREATE (n:$(row.label)) SET n = row.properties"
_JOIN: Final[LiteralString] = """
CYPHER 25
UNWIND $rows AS row
MATCH (a:$($start) {group_id: $group, id: row.start_id})
MATCH (b:$($end) {group_id: $group, id: row.end_id})
CREATE (a)-[r:$($type)]->(b)
SET r = row.properties
"""
_VECTOR: Final[LiteralString] = """
CYPHER 25
MATCH (n:Atom|Cluster)
  SEARCH n IN (VECTOR INDEX vector_a FOR $vector WHERE n.group_id = $group LIMIT $limit) SCORE AS score
RETURN n.id AS id, n.text AS text, score
"""

_NOUNS: Final = "boiler ticket garden lesson harbour recipe meeting parcel window bicycle doctor concert".split()
_VERBS: Final = "moved booked cleaned cancelled repaired ordered painted missed found planned shared".split()
_PLACES: Final = "kitchen station office market library school clinic garage balcony studio".split()


class SeededVectors:
    """Unit vectors drawn from a text's hash: they cost nothing and mean nothing. An `Embedder`."""

    name = "seeded"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, Vectors] = {}

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        return np.stack([self._vector(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question."""
        return self.passages(texts)

    def _vector(self, text: str) -> Vectors:
        if text not in self._known:
            drawn = np.random.default_rng([SEED, *text.encode()]).standard_normal(DIMENSION)
            self._known[text] = np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)
        return self._known[text]


def events(group: int, count: int) -> list[graph.Event]:
    """Return seeded events of one group: four people's chats over some weeks, ten turns a conversation."""
    draw = random.Random(f"{SEED} {group}")
    made = []
    for number in range(count):
        words = [draw.choice(kind) for kind in (_NOUNS, _VERBS, _PLACES, _NOUNS, _VERBS, _PLACES)]
        day, minute = number // 40, number % 40
        made.append(
            graph.Event(
                event_id=f"turn-{number}",
                text=f"The {words[0]} was {words[1]} near the {words[2]}, the {words[3]} {words[4]} at the "
                f"{words[5]} {draw.randrange(10_000)}",
                user_id=f"user-{draw.randrange(4)}",
                source_id="chat",
                conversation_id=f"talk-{number // 10}",
                occurred_at=f"2025-{1 + day // 28:02}-{1 + day % 28:02}T10:{minute:02}:00+00:00",
            )
        )
    return made


async def run(progress: Progress) -> dict[str, Any]:
    """Measure both ratios in one run and return the report."""
    embedder = SeededVectors()
    per_group = ATOMS // GROUPS
    for group in range(GROUPS):
        embedder.passages([event.text for event in events(group, per_group)])
    async with scratch_memory(progress, embedder) as (memory, server):
        auth = (server.username, server.password)
        async with AsyncGraphDatabase.driver(server.bolt_url, auth=auth) as driver:
            await _write_pair(memory, driver, "warm", events(GROUPS, per_group), progress)
            pairs = [
                await _write_pair(memory, driver, f"floor-{group}", events(group, per_group), progress)
                for group in range(GROUPS)
            ]
            searches = await _searches(memory, driver, embedder, progress)
        versions = memory.versions
    ours, floor = (sum(pair[side] for pair in pairs) for side in (0, 1))
    our_search, raw_search = (median(pair[side] for pair in searches) for side in (0, 1))
    return {
        "bench": "floor",
        "questions": QUERIES,
        "ratios": {"write": round(ours / floor, 3), "search_p50": round(our_search / raw_search, 3)},
        "ingest": {
            "atoms": ATOMS,
            "per_second": round(ATOMS / ours, 1),
            "overhead_ms": round(1e3 * ours / ATOMS, 3),
            "floor_per_second": round(ATOMS / floor, 1),
        },
        "latency_ms": {"p50": round(our_search, 2), "raw_vector_p50": round(raw_search, 2)},
        "settings": {
            "groups": GROUPS,
            "seed": SEED,
            "dimension": DIMENSION,
            "limit": _LIMIT,
            "vectors": "seeded",
        },
        "versions": versions,
    }


async def _write_pair(
    memory: graph.Memory, driver: AsyncDriver, group: str, made: list[graph.Event], progress: Progress
) -> tuple[float, float]:
    """Write a group through the service, copy its graph by hand, and return the seconds of both."""
    scope = graph.Scope(group, "bench")
    began = perf_counter()
    await ingest(memory, scope, made, f"recording {group}", progress)
    ours = perf_counter() - began
    nodes, edges = await _copied(driver, group, f"{group}-hand")
    began = perf_counter()
    for start in range(0, len(nodes), _ROWS):
        await driver.execute_query(_CREATE, rows=nodes[start : start + _ROWS])
    for (start_label, kind, end_label), rows in edges.items():
        for start in range(0, len(rows), _ROWS):
            await driver.execute_query(
                _JOIN,
                rows=rows[start : start + _ROWS],
                group=f"{group}-hand",
                start=start_label,
                type=kind,
                end=end_label,
            )
    return ours, perf_counter() - began


async def _copied(
    driver: AsyncDriver, group: str, copy: str
) -> tuple[list[dict[str, Any]], dict[tuple[str, str, str], list[dict[str, Any]]]]:
    """Return rows that write the same graph again under another group's name."""
    nodes = []
    for record in (await driver.execute_query(_NODES, group=group)).records:
        row = record.data()
        properties = row["properties"]
        properties |= {"id": copy} if row["label"] == "Group" else {"group_id": copy}
        if row["label"] == "Atom":
            properties["group_tag"], properties["audience_tag"] = tags(copy, properties["audience"])
            properties["stream_position"] = f"hand{properties['stream_position']}"
        nodes.append(row)
    edges: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for record in (await driver.execute_query(_EDGES, group=group)).records:
        row = record.data()
        edges.setdefault((row["start"], row["type"], row["end"]), []).append(row)
    return nodes, edges


async def _searches(
    memory: graph.Memory, driver: AsyncDriver, embedder: SeededVectors, progress: Progress
) -> list[tuple[float, float]]:
    """Return, for each of the questions, the ms of our search without embedding and of one raw query."""
    draw = random.Random(SEED)
    timed = []
    for number in range(QUERIES + 20):
        group = f"floor-{draw.randrange(GROUPS)}"
        question = f"Where was the {draw.choice(_NOUNS)} {draw.choice(_VERBS)} near the {draw.choice(_PLACES)}?"
        vector = embedder.queries([question])[0].tolist()
        answer = await memory.search(graph.Scope(group, "bench"), question, limit=_LIMIT, profile="relevance")
        began = perf_counter()
        await driver.execute_query(_VECTOR, vector=vector, group=group, limit=_LIMIT, routing_=RoutingControl.READ)
        raw = 1e3 * (perf_counter() - began)
        timed.append((sum(answer.timings_ms.values()) - answer.timings_ms["embedding"], raw))
        progress("searching", number + 1, QUERIES + 20)
    return timed[20:]
