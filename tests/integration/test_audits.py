"""Each audit finds the fault that it is for, names its group, and says nothing of a sound graph.

They look at the whole database, so they have a server of their own here.
"""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, LiteralString

import pytest

import graph
from graph import audit, local_neo4j, schema
from graph.ports import Embedder
from graph.settings import Settings

Offenders = dict[str, list[dict[str, Any]]]
LONG = "x" * 2_001
"""A text too long to be lent: NEXT edges round it can be broken without making a window wrong as well."""


@pytest.fixture(scope="module")
async def memory(tmp_path_factory: pytest.TempPathFactory, vectors: Embedder) -> AsyncIterator[graph.Memory]:
    folder = tmp_path_factory.mktemp("audits")
    settings = Settings(home=folder, heap="512m", page_cache="64m")
    try:
        async with graph.Memory.open(settings, embedder=vectors) as memory:
            yield memory
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(folder, ignore_errors=True)


async def offenders(memory: graph.Memory) -> Offenders:
    """Return the offenders of the audits that found any."""
    return {finding.name: list(finding.offenders) for finding in await memory.audit() if finding.offenders}


async def run(memory: graph.Memory, statement: LiteralString, **params: Any) -> bool:
    """Change the graph behind the memory's back; tell whether anything was changed."""
    return (await memory.store._driver.execute_query(statement, params)).summary.counters.contains_updates


async def forget(memory: graph.Memory, *groups: str) -> None:
    for group in groups:
        await run(
            memory, "MATCH (n) WHERE n.group_id = $group OR n:Group AND n.id = $group DETACH DELETE n", group=group
        )


def talk(*texts: str, name: str = "talk", user: str = "ann", **more: Any) -> list[graph.Event]:
    return [
        graph.Event(
            event_id=f"{name}-{number}",
            text=text,
            user_id=user,
            conversation_id=name,
            occurred_at=f"2026-03-01T08:{number:02}:00Z",
            **more,
        )
        for number, text in enumerate(texts)
    ]


def stated(event_id: str, text: str, key: str, value: str, at: str | None = None) -> graph.Event:
    return graph.Event(
        event_id=event_id, text=text, user_id="ann", key=key, value=value, occurred_at=at, origin="user_stated"
    )


STATED = [
    stated("lang-0", "We use Java.", "lang", "Java", "2024-01-01T08:00:00Z"),
    stated("lang-1", "We moved to Go now.", "lang", "Go", "2026-01-01T08:00:00Z"),
    stated("lang-2", "We use Go.", "lang", "Go", "2026-02-01T08:00:00Z"),
    stated("edit-0", "We use Vim.", "editor", "Vim", "2025-01-01T08:00:00Z"),
    stated("team-0", "We are five.", "team", "five", "2025-01-01T08:00:00Z"),
    stated("team-1", "We are six.", "team", "six", "2025-02-01T08:00:00Z"),
    graph.Event(event_id="mail", text="Part.", record_id="letter", record_text="All of it.", quote="of it"),
]
"""Something replaced, something restated, something by itself, a conflict, a quote."""


async def test_a_sound_graph_offends_none(memory: graph.Memory, group: str) -> None:
    events = [
        *talk("Morning.", "早上好。", "Coffee?", "With milk.", "Yes.", entities=("coffee", "Coffee")),
        *talk("Mine.", "Mine again.", name="diary", visibility="private"),
        *talk("Mine too.", name="diary-2", user="ben", visibility="private"),
        *talk("Short.", LONG, "Short again.", "🙂" * 1_500, "Odd.", "🙂" * 2_001, "Even.", name="long"),
        *[graph.Event(event_id=f"undated-{number}", text="Undated.") for number in range(3)],
        *[graph.Event(event_id=f"day-{number}", text="That day.", occurred_at="2026-03-01") for number in range(3)],
        graph.Event(event_id="month", text="That month.", occurred_at="2026-03"),
        *STATED,
        graph.Event(event_id="late", text="Said between.", conversation_id="talk", occurred_at="2026-03-01T08:01:30Z"),
        graph.Event(
            event_id="aside",
            text="Thought between.",
            user_id="ben",
            conversation_id="talk",
            visibility="private",
            occurred_at="2026-03-01T08:01:40Z",
        ),
    ]
    for name in (group, f"{group}-more"):
        for start in range(0, len(events), 5):
            receipts = await memory.record_events(graph.Scope(name, "ann"), events[start : start + 5])
            assert {receipt.outcome for receipt in receipts} == {graph.Outcome.RECORDED}
    findings = await memory.audit()
    assert {finding.name for finding in findings} >= {
        "next_is_a_chain",
        "no_private_text_in_windows",
        "schema_complete",
        "supersedes_in_time_order",
        "one_current_value",
        "conflicts_symmetric",
        "quotes_match",
        "every_change_decided",
    }
    assert [finding for finding in findings if finding.offenders] == []
    assert all(finding.looks_for.endswith(".") for finding in findings)


@dataclass(frozen=True)
class Fault:
    """A change of a sound graph that one audit must find; `texts` are the turns of the talk it is made in."""

    audit: str
    statement: LiteralString
    texts: tuple[str, ...] = ("Morning.", "Coffee?", "With milk.", "No sugar.")


FAULTS = {
    "atom without a record": Fault(
        "provenance_complete", "MATCH (:Atom {group_id: $group, event_id: 'talk-1'})-[edge:QUOTED_FROM]->() DELETE edge"
    ),
    "atom without a source": Fault(
        "provenance_complete", "MATCH (:Atom {group_id: $group, event_id: 'talk-1'})-[edge:OBSERVED_BY]->() DELETE edge"
    ),
    "source without an owner": Fault(
        "provenance_complete", "MATCH (:Source {group_id: $group})-[edge:OWNED_BY]->() DELETE edge"
    ),
    "source of another user": Fault(
        "provenance_complete",
        """
        MATCH (source:Source {group_id: $group})-[edge:OWNED_BY]->()
        DELETE edge CREATE (source)-[:OWNED_BY]->(:User {group_id: $group, id: 'mallory'})
        """,
    ),
    "mention of another group's entity": Fault(
        "nothing_crosses_a_group",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}), (entity:Entity {group_id: $other})
        CREATE (atom)-[:MENTIONS]->(entity)
        """,
    ),
    "atom owned by two groups' sources": Fault(
        "nothing_crosses_a_group",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}), (source:Source {group_id: $other})
        CREATE (atom)-[:OBSERVED_BY]->(source)
        """,
    ),
    "private text in another's window": Fault(
        "no_private_text_in_windows",
        "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.window = atom.window + '\\nThe necklace.'",
    ),
    "private text in place of a neighbour's, of the same length": Fault(
        "no_private_text_in_windows",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'})
        SET atom.window = replace(atom.window, 'Morning.\\nMorning.', 'Morning.\\nNecklace')
        """,
    ),
    "neighbour's text missing": Fault(
        "no_private_text_in_windows",
        "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.window = atom.text",
    ),
    "window as it was before the text of a neighbour came": Fault(
        "no_private_text_in_windows",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'talk-0'})
        SET atom.window = 'Morning.\\nMorning.\\nMorning.\\nMorning.'
        """,
    ),
    "gap in a stream": Fault(
        "next_is_a_chain",
        "MATCH (:Atom {group_id: $group, event_id: 'talk-1'})-[edge:NEXT]->() DELETE edge",
        (LONG, LONG, LONG),
    ),
    "fork in a stream": Fault(
        "next_is_a_chain",
        """
        MATCH (a:Atom {group_id: $group, event_id: 'talk-0'}), (b:Atom {group_id: $group, event_id: 'talk-2'})
        CREATE (a)-[:NEXT]->(b)
        """,
        (LONG, LONG, LONG),
    ),
    "step twice": Fault(
        "next_is_a_chain",
        """
        MATCH (a:Atom {group_id: $group, event_id: 'talk-0'})-[:NEXT]->(b)
        CREATE (a)-[:NEXT]->(b)
        """,
        (LONG, LONG, LONG),
    ),
    "step back in time": Fault(
        "next_is_a_chain",
        """
        MATCH (a:Atom {group_id: $group, event_id: 'talk-1'})-[edge:NEXT]->(b)
        DELETE edge CREATE (b)-[:NEXT]->(a)
        """,
        (LONG, LONG, LONG),
    ),
    "step into another stream": Fault(
        "next_is_a_chain",
        """
        MATCH (a:Atom {group_id: $group, event_id: 'talk-2'}), (b:Atom {group_id: $group, event_id: 'else-0'})
        CREATE (a)-[:NEXT]->(b)
        """,
        (LONG, LONG, LONG),
    ),
    "node without an id": Fault("ids_unique", "CREATE (:Entity {group_id: $group, key: 'x', name: 'x'})"),
    "atom without an event": Fault(
        "ids_unique", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.event_id = NULL"
    ),
    "vector missing": Fault(
        "indexes_agree", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.embedding_a = NULL"
    ),
    "vector of another length": Fault(
        "indexes_agree", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.embedding_a = [1.0, 0.0]"
    ),
    "window missing": Fault(
        "indexes_agree", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.window = NULL"
    ),
    "day missing": Fault(
        "indexes_agree", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.day = NULL"
    ),
    "tag of the group missing": Fault(
        "indexes_agree", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.group_tag = NULL"
    ),
    "tag of the audience that is another's": Fault(
        "indexes_agree",
        "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.audience_tag = 'feedfeedfeedfeedfeedfeed'",
    ),
    "tag that is no group's": Fault(
        "indexes_agree",
        "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.group_tag = 'feedfeedfeedfeedfeedfeed'",
    ),
}


FAULTS |= {
    "older statement that supersedes a newer one": Fault(
        "supersedes_in_time_order",
        """
        MATCH (older:Atom {group_id: $group, event_id: 'lang-0'}), (other:Atom {group_id: $group, event_id: 'edit-0'})
        SET other.stated_at_ms = older.stated_at_ms + 1
        CREATE (older)-[:SUPERSEDES]->(other)
        """,
    ),
    "circle of statements that supersede each other": Fault(
        "supersedes_in_time_order",
        """
        MATCH (newer:Atom {group_id: $group, event_id: 'lang-1'})-[:SUPERSEDES]->(older:Atom)
        SET newer.stated_at_ms = older.stated_at_ms
        CREATE (older)-[:SUPERSEDES]->(newer)
        """,
    ),
    "second current value of one key": Fault(
        "one_current_value",
        """
        MATCH (now:Atom {group_id: $group, event_id: 'lang-1'}), (other:Atom {group_id: $group, event_id: 'edit-0'})
        SET other.timeline = now.timeline
        """,
    ),
    "conflict of which one side knows nothing": Fault(
        "conflicts_symmetric",
        """
        MATCH (one:Atom {group_id: $group, event_id: 'lang-1'}), (other:Atom {group_id: $group, event_id: 'edit-0'})
        CREATE (one)-[:CONFLICTS_WITH]->(other)
        """,
    ),
    "side of a conflict without an opponent": Fault(
        "conflicts_symmetric",
        """
        MATCH (:Atom {group_id: $group, event_id: 'team-0'})-[edge:CONFLICTS_WITH]-(:Atom)
        SET edge.closed_at = datetime()
        """,
    ),
    "proposal between two audiences": Fault(
        "proposals_in_order",
        """
        MATCH (newer:Atom {group_id: $group, event_id: 'lang-1'}), (older:Atom {group_id: $group, event_id: 'diary-0'})
        CREATE (newer)-[:MAY_SUPERSEDE {verdict: 'UPDATE', at: datetime()}]->(older)
        """,
    ),
    "proposal that was accepted without a decision": Fault(
        "proposals_in_order",
        """
        MATCH (newer:Atom {group_id: $group, event_id: 'lang-1'}), (older:Atom {group_id: $group, event_id: 'edit-0'})
        CREATE (newer)-[open:MAY_SUPERSEDE {verdict: 'UPDATE', at: datetime()}]->(older)
        SET open.closed_at = datetime(), open.accepted = true
        """,
    ),
    "quote that does not stand in its record": Fault(
        "quotes_match",
        "MATCH (:Atom {group_id: $group, event_id: 'mail'})-[from:QUOTED_FROM]->() SET from.quote = 'none of it'",
    ),
    "quote of a record whose text is gone": Fault(
        "quotes_match", "MATCH (:Atom {group_id: $group, event_id: 'mail'})-[:QUOTED_FROM]->(r) SET r.text = NULL"
    ),
    "standing changed without a decision": Fault(
        "every_change_decided", "MATCH (atom:Atom {group_id: $group, event_id: 'edit-0'}) SET atom.status = 'invalid'"
    ),
    "decision taken out of the middle": Fault(
        "every_change_decided",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'lang-0'})<-[edge:DECIDED]-(first)
        WITH edge, first ORDER BY first.at LIMIT 1
        SET edge.after = replace(edge.after, 'active', 'invalid')
        """,
    ),
    "beginning without a decision": Fault(
        "every_change_decided",
        """
        MATCH (atom:Atom {group_id: $group, event_id: 'edit-0'})<-[edge:DECIDED]-(first)
        WITH edge, first ORDER BY first.at LIMIT 1
        SET edge.before = edge.after
        """,
    ),
    "observation withdrawn without a decision": Fault(
        "every_change_decided", "MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}) SET atom.status = 'invalid'"
    ),
    "statement whose decisions are gone": Fault(
        "every_change_decided", "MATCH (:Atom {group_id: $group, event_id: 'edit-0'})<-[edge:DECIDED]-() DELETE edge"
    ),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_found_by_its_audit_alone(memory: graph.Memory, group: str, name: str) -> None:
    fault, other = FAULTS[name], f"{group}-other"
    for scope in (graph.Scope(group, "ann"), graph.Scope(other, "ann")):
        await memory.record_events(
            scope,
            [
                *talk(*fault.texts, entities=("coffee",)),
                *talk(fault.texts[-1], name="else"),
                *talk(fault.texts[-1], name="diary", visibility="private"),
                *STATED,
            ],
            wait=graph.Wait.VECTORS,
        )
    try:
        assert await run(
            memory, fault.statement, group=group, **({"other": other} if "$other" in fault.statement else {})
        )
        found = await offenders(memory)
        assert list(found) == [fault.audit], found
        assert {row["group_id"] for row in found[fault.audit]} == {group}
    finally:
        await forget(memory, group, other)
    assert await offenders(memory) == {}


async def test_an_atom_tagged_with_another_group_shows_in_both(memory: graph.Memory, group: str) -> None:
    groups = [group, f"{group}-other"]
    for name in groups:
        await memory.record_events(graph.Scope(name, "ann"), talk("Morning.", "Coffee?"))
    try:
        await run(
            memory,
            """
            MATCH (atom:Atom {group_id: $group, event_id: 'talk-1'}), (stranger:Atom {group_id: $other})
            SET atom.group_tag = stranger.group_tag
            """,
            group=groups[0],
            other=groups[1],
        )
        found = await offenders(memory)
        assert list(found) == ["indexes_agree"]
        assert {row["group_id"] for row in found["indexes_agree"]} == set(groups)
    finally:
        await forget(memory, *groups)


async def test_two_nodes_of_one_id_are_found_where_the_constraint_is_gone(memory: graph.Memory, group: str) -> None:
    await memory.record_events(graph.Scope(group, "ann"), talk("Morning.", entities=("coffee",)))
    try:
        await run(memory, "DROP CONSTRAINT unique_entity")
        await run(
            memory, "MATCH (e:Entity {group_id: $group}) CREATE (twin:Entity) SET twin = properties(e)", group=group
        )
        found = await offenders(memory)
        assert set(found) == {"ids_unique", "schema_complete"}
        assert [(row["group_id"], row["kind"], row["times"]) for row in found["ids_unique"]] == [(group, "Entity", 2)]
        assert found["schema_complete"] == [{"missing": "unique_entity"}]
    finally:
        await forget(memory, group)
        await schema.apply(memory.store, memory.embedding.name, memory.embedding.dimension)
    assert await offenders(memory) == {}


@pytest.mark.parametrize("index", ["range_stream_position", "vector_a", "vector_b", "text_english", "text_chinese"])
async def test_a_dropped_index_is_missed_and_made_again(memory: graph.Memory, group: str, index: str) -> None:
    scope = graph.Scope(group, "ann")
    await memory.record_events(scope, talk("Morning, the kettle boils.", "水壶开了。"))
    try:
        # The name comes from the list above, not from data.
        await run(memory, f"DROP INDEX {index}")
        found = await offenders(memory)
        assert found["schema_complete"] == [{"missing": index}]
        assert not [row for rows in found.values() for row in rows if row.get("group_id") not in (None, group)]
    finally:
        await schema.apply(memory.store, memory.embedding.name, memory.embedding.dimension)
    assert await offenders(memory) == {}
    assert len((await memory.search(scope, "Does the kettle boil? 水壶")).evidence) == 2
    await forget(memory, group)


async def test_no_more_offenders_are_named_than_can_be_read(memory: graph.Memory, group: str) -> None:
    await memory.record_events(graph.Scope(group, "ann"), talk(*["Morning."] * 30))
    try:
        await run(memory, "MATCH (:Atom {group_id: $group})-[edge:QUOTED_FROM]->() DELETE edge", group=group)
        found = await offenders(memory)
        assert len(found["provenance_complete"]) == audit.MOST_OFFENDERS
    finally:
        await forget(memory, group)
