"""The graph does not depend on how its events came: in which order, in which calls, how often."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, LiteralString

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graph

NODES: LiteralString = """
MATCH (n) WHERE n.group_id = $group OR n:Group AND n.id = $group
RETURN labels(n)[0] AS label, elementId(n) AS key, properties(n) AS properties
"""
EDGES: LiteralString = """
MATCH (a)-[r]->(b) WHERE a.group_id = $group
RETURN elementId(a) AS start, type(r) AS type, properties(r) AS properties, elementId(b) AS end
"""
OF_THE_RUN = {
    "locked",
    "embedding_a",  # it follows
    "id",
    "group_id",
    "group_tag",
    "audience_tag",
    "stream_position",
    "recorded_at",
    "recorded_order",
} | {
    "received_at",
    "writes",
}
"""Properties that hold the group's name, or when and how often something was written."""

SHARED_TEXTS = {"mail-1": "The boiler man comes on Tuesday.", "mail-2": "锅炉周二修好。"}

_groups = count(1)


@st.composite
def made_events(draw: st.DrawFn) -> list[graph.Event]:
    """A few events that meet wherever events can meet: in streams, at one instant, in sources, entities, records."""
    picked = draw(st.lists(st.integers(1, 30), min_size=2, max_size=12, unique=True))
    return [draw(made_event(f"e{number}")) for number in picked]


@st.composite
def made_event(draw: st.DrawFn, event_id: str) -> graph.Event:
    user, visibility = (
        draw(st.sampled_from(["ann", "ben", "chi"])),
        draw(st.sampled_from(["group", "group", "private"])),
    )
    # Records are shared within an audience: one that the writer may not see is refused, whoever came first.
    mail = draw(st.sampled_from([None, None, *SHARED_TEXTS]))
    brings_text = draw(st.booleans())
    return graph.Event(
        event_id=event_id,
        text=f"{draw(st.sampled_from(['Yes, since May.', 'The boiler hums.', '锅炉响了。']))} {event_id}",
        user_id=user,
        source_id=draw(st.sampled_from(["phone", "hub"])),
        source_kind=draw(st.sampled_from(["app", "phone"])),
        conversation_id=draw(st.sampled_from([None, "kitchen", "kitchen", "garden"])),
        occurred_at=draw(
            st.sampled_from(
                [
                    None,
                    "2026-03",
                    "2026-03-01",
                    "2026-03-01T08:00:00Z",
                    "2026-03-01T09:00:00+01:00",
                    "2026-03-01T08:00:00.5Z",
                    "2026-03-02T07:59:59+08:00",
                ]
            )
        ),
        visibility=visibility,
        entities=tuple(draw(st.lists(st.sampled_from(["Weber", "WEBER", "boiler", "锅炉"]), max_size=2))),
        record_id=mail and f"{mail}-{'all' if visibility == 'group' else user}",
        record_text=SHARED_TEXTS[mail] if mail and brings_text else None,
    )


@st.composite
def made_calls(draw: st.DrawFn, events: Sequence[graph.Event]) -> list[list[graph.Event]]:
    """The events in any order, some of them twice or more, cut into calls anywhere."""
    repeats = draw(st.lists(st.sampled_from(events), max_size=4))
    arriving = draw(st.permutations([*events, *repeats]))
    cuts = sorted(draw(st.sets(st.integers(1, len(arriving) - 1), max_size=5)))
    return [arriving[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(arriving)], strict=True)]


async def recorded(memory: graph.Memory, calls: Sequence[Sequence[graph.Event]]) -> tuple[str, list[graph.Receipt]]:
    """Record the calls in a group of its own."""
    group = f"order-{next(_groups)}"
    scope = graph.Scope(group, "ann")
    receipts = [receipt for events in calls for receipt in await memory.record_events(scope, events)]
    return group, receipts


async def drawn(memory: graph.Memory, group: str) -> tuple[list[Any], list[Any]]:
    """Return nodes and edges of a group, named by what the events say instead of by ids."""
    driver = memory.store._driver
    rows = [record.data() for record in (await driver.execute_query(NODES, group=group)).records]
    streams: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["label"] == "Atom":
            streams[row["properties"]["stream_position"].partition(" ")[0]].append(row["properties"]["event_id"])
    names, nodes = {}, []
    for row in rows:
        has = row["properties"]
        names[row["key"]] = name = (row["label"], name_of(row["label"], has, streams))
        kept = {key: value for key, value in has.items() if key not in OF_THE_RUN}
        if "stream_position" in has:
            kept["place in its stream"] = has["stream_position"].partition(" ")[2]
        nodes.append((name, kept))
    edges = [
        (names[record["start"]], record["type"], names[record["end"]], record["properties"])
        for record in (await driver.execute_query(EDGES, group=group)).records
    ]
    return sorted(nodes, key=lambda node: str(node[0])), sorted(edges, key=str)


def name_of(label: str, has: dict[str, Any], streams: dict[str, list[str]]) -> str:
    if label == "Group":
        return ""
    if label == "Stream":
        return " ".join(sorted(streams[has["id"]]))
    if label == "Source":
        return f"{has['name']} of {has['user_id']}"
    return str(has[{"Atom": "event_id", "Entity": "key", "Record": "name"}.get(label, "id")])


@pytest.mark.timeout(1_200)  # where it fails, the smallest example is looked for
async def test_any_order_in_any_calls_gives_the_same_graph(seeded: graph.Memory, counted: Callable[[int], int]) -> None:
    loop = asyncio.get_running_loop()
    groups: set[str] = set()

    async def compare(events: list[graph.Event], calls: list[list[graph.Event]]) -> None:
        plain, first = await recorded(seeded, [events])
        assert [receipt.outcome for receipt in first] == [graph.Outcome.RECORDED] * len(events)
        other, receipts = await recorded(seeded, calls)
        outcomes = [receipt.outcome for receipt in receipts]
        assert outcomes.count(graph.Outcome.RECORDED) == len(events)
        assert outcomes.count(graph.Outcome.UNCHANGED) == len(receipts) - len(events)
        assert await drawn(seeded, other) == await drawn(seeded, plain)
        groups.update((plain, other))

    # Hypothesis is not asynchronous: it runs on a thread of its own and each example on the loop of the server.
    @settings(max_examples=counted(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        events = data.draw(made_events())
        calls = data.draw(made_calls(events))
        asyncio.run_coroutine_threadsafe(compare(events, calls), loop).result(60)

    await asyncio.to_thread(holds)
    offenders = {
        finding.name: [row for row in finding.offenders if row.get("group_id") in groups]
        for finding in await seeded.audit()
    }
    assert not any(offenders.values()), offenders


async def test_an_entity_named_in_two_spellings_is_mentioned_once(seeded: graph.Memory, scope: graph.Scope) -> None:
    event = graph.Event(event_id="a", text="Weber called.", entities=("Weber", "WEBER", "Weber"))
    await seeded.record_events(scope, [event])
    nodes, edges = await drawn(seeded, scope.group)
    assert [name for name, _ in nodes if name[0] == "Entity"] == [("Entity", "weber")]
    assert [kind for _, kind, _, _ in edges].count("MENTIONS") == 1


async def test_a_second_text_for_a_record_is_rejected_in_the_same_call_as_in_the_next(
    seeded: graph.Memory, group: str
) -> None:
    first = graph.Event(event_id="a", text="He comes.", record_id="mail", record_text="He comes on Tuesday.")
    other = graph.Event(event_id="b", text="He came.", record_id="mail", record_text="He came on Friday.")
    shown = []
    for number, calls in enumerate([[[first, other]], [[first], [other]], [[other, first]], [[other], [first]]]):
        scope = graph.Scope(f"{group}-{number}", "ann")
        receipts = [one for events in calls for one in await seeded.record_events(scope, events)]
        shown.append([(receipt.outcome, receipt.field) for receipt in receipts])
    assert shown == [[(graph.Outcome.RECORDED, None), (graph.Outcome.REJECTED, "record.id")]] * 4


async def test_a_thousand_events_in_one_call_are_chained_over_the_chunks_they_are_written_in(
    seeded: graph.Memory, scope: graph.Scope, counted: Callable[[int], int]
) -> None:
    many = counted(1_000) + 300  # more than two chunks, also in the short run
    events = [
        graph.Event(event_id=f"t-{number}", text=f"Turn {number}.", conversation_id="long")
        for number in range(min(many, graph.MOST_EVENTS))
    ]
    backwards = [replace(event, conversation_id="backwards", event_id=f"b{event.event_id}") for event in events[::-1]]
    for one_call in (events, backwards):
        receipts = await seeded.record_events(scope, one_call)
        assert {receipt.outcome for receipt in receipts} == {graph.Outcome.RECORDED}
    _, edges = await drawn(seeded, scope.group)
    following = {start[1]: end[1] for start, kind, end, _ in edges if kind == "NEXT"}
    for prefix in ("t-", "bt-"):
        walked = [f"{prefix}0"]
        while walked[-1] in following:
            walked.append(following.pop(walked[-1]))
        assert walked == [f"{prefix}{number}" for number in range(len(events))]
    assert not following
