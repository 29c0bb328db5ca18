"""The Cypher that an answer gives with a path shows that path, whole and alone, to whoever pastes it."""

import pytest

import graph


def events() -> list[graph.Event]:
    """A talk, things that two talks mention, and what one phone saw on one day."""
    talk = [
        graph.Event(
            event_id=f"talk-{number}",
            text=text,
            user_id=("ann", "ben")[number % 2],
            conversation_id="kitchen",
            source_id="hub",
            occurred_at=f"2026-03-01T08:0{number}:00Z",
            entities=names,
        )
        for number, (text, names) in enumerate(
            [
                ("The boiler shows error 17.", ("boiler",)),
                ("Again? Call Weber.", ("Weber",)),
                ("He comes on Tuesday.", ()),
                ("Good.", ()),
            ]
        )
    ]
    apart = [
        graph.Event(
            event_id="note",
            text="Weber's bill: a new pump, 120 euros.",
            user_id="ben",
            source_id="mail",
            occurred_at="2026-03-09T10:00:00Z",
            entities=("WEBER", "Weber", "pump"),
        ),
        graph.Event(
            event_id="seen-1",
            text="The meter jumped.",
            user_id="ann@home",
            source_id="meter",
            conversation_id="m1",
            occurred_at="2026-03-02T07:00:00Z",
        ),
        graph.Event(
            event_id="seen-2",
            text="Silence in the cellar.",
            user_id="ann@home",
            source_id="meter",
            conversation_id="m2",
            occurred_at="2026-03-02T09:00:00Z",
        ),
    ]
    return [*talk, *apart]


@pytest.mark.parametrize("name", ["paths", "团队:路径", "a_b.c-d"])
async def test_each_path_is_shown_by_its_cypher_exactly_once(seeded: graph.Memory, group: str, name: str) -> None:
    scope = graph.Scope(f"{name}.{group}", "ann")
    await seeded.record_events(scope, events(), wait=graph.Wait.VECTORS)
    ways = set()
    for question in ("Which error does the boiler show?", "What did Weber cost?", "The meter jumped?", "Tuesday"):
        answer = await seeded.search(scope, question, profile="relevance", limit=20)
        assert len(answer.evidence) >= 6
        for path in (path for evidence in answer.evidence for path in evidence.paths):
            # As Neo4j Browser runs it: the text alone, no parameters.
            rows = (await seeded.store._driver.execute_query(path.cypher)).records
            assert len(rows) == 1, path.cypher
            shown = rows[0]["path"]
            assert [node["id"] for node in shown.nodes] == [node.id for node in path.nodes]
            assert [next(iter(node.labels)) for node in shown.nodes] == [node.label for node in path.nodes]
            assert [edge.type for edge in shown.relationships] == [edge.type for edge in path.edges]
            forward = [edge.start_node == node for edge, node in zip(shown.relationships, shown.nodes, strict=False)]
            assert forward == [edge.forward for edge in path.edges]
            ways |= {(edge.type, edge.forward) for edge in path.edges}
    assert ways >= {("NEXT", True), ("NEXT", False), ("QUOTED_FROM", True), ("OWNED_BY", True)}
    assert ways >= {(kind, forward) for kind in ("MENTIONS", "OBSERVED_BY") for forward in (True, False)}
