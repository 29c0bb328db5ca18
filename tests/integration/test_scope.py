"""Nothing crosses a group, and what is private is its user's alone: in windows, in each arm, in paths, in lists."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

import graph
from graph.errors import NotFound
from graph.search.planning import CANDIDATES, Question, plan_search

ASKED_AT = datetime(2026, 4, 1, tzinfo=UTC)
ARMS = ("vector", "english", "chinese", "entity")


def turn(number: int, text: str, user: str = "ben", **more: Any) -> graph.Event:
    """One turn of a talk in the kitchen."""
    at = f"2026-03-01T08:{number:02}:00Z"
    return graph.Event(
        event_id=f"k-{number}", text=text, user_id=user, conversation_id="kitchen", occurred_at=at, **more
    )


def secret(number: int, text: str, **more: Any) -> graph.Event:
    return turn(number, text, user="ann", visibility="private", **more)


async def found_by(
    memory: graph.Memory, scope: graph.Scope, arm: str, question: str, most: int = CANDIDATES
) -> list[str]:
    """Return the ids of the atoms that one arm alone finds; the others are given nothing to look for."""
    plan = plan_search(scope, Question(question, asked_at=ASKED_AT))
    others = {name: None for name in ("english", "chinese") if name != arm}
    rows = await memory.store.read(
        f"search/seeds_{memory.slot}",
        scope,
        statuses=plan.statuses,
        vector=await memory.embedding.query(question) if arm == "vector" else None,
        spans=[{**span, **others, "texts": most} for span in plan.spans],
        entities=plan.entities if arm == "entity" else [],
        limit=most,
        known_at=None,
    )
    seeds = rows[0]["seeds"]
    assert {hit[1] for seed in seeds for hit in seed[2]} <= {arm}
    return [seed[0] for seed in seeds]


async def windows(memory: graph.Memory, group: str) -> dict[str, str]:
    result = await memory.store._driver.execute_query(
        "MATCH (atom:Atom {group_id: $group}) RETURN atom.event_id, atom.window", group=group
    )
    return {record[0]: record[1] for record in result.records}


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (2, 0, 1, 3, 4), (0, 1, 3, 4, 2), (4, 3, 2, 1, 0)])
@pytest.mark.parametrize("together", [True, False])
async def test_a_private_middle_turn_leaves_no_word_in_its_neighbours_windows(
    seeded: graph.Memory, scope: graph.Scope, order: Sequence[int], together: bool
) -> None:
    turns = [
        turn(0, "Morning."),
        turn(1, "Coffee?"),
        secret(2, "The necklace 项链 is hidden."),
        turn(3, "With milk."),
        secret(4, "Mine alone."),
    ]
    calls = [[turns[number] for number in order]] if together else [[turns[number]] for number in order]
    for events in calls:
        await seeded.record_events(scope, events, wait=graph.Wait.VECTORS)
    held = await windows(seeded, scope.group)
    assert {event_id for event_id, window in held.items() if "necklace" in window or "项链" in window} == {"k-2", "k-4"}
    assert {event_id for event_id, window in held.items() if "Mine alone" in window} == {"k-2", "k-4"}
    assert "Coffee?" in held["k-2"]
    assert "Morning" in held["k-2"]


async def shown(memory: graph.Memory, scope: graph.Scope, question: str) -> list[Any]:
    """Return all that a search shows of each atom, ids left out: they hold the group's name."""
    answer = await memory.search(scope, question, profile="relevance", asked_at=ASKED_AT)
    return [
        (
            evidence.atom.event_id,
            evidence.score,
            [([node.caption for node in path.nodes], path.edges, path.score) for path in evidence.paths],
        )
        for evidence in answer.evidence
    ]


async def test_private_neighbour_text_never_lifts_another_users_result(seeded: graph.Memory, group: str) -> None:
    """Four talks in one index, so that word counts are the same for each: only the private turns differ."""
    talk = [turn(0, "Ben: It lies there, I think."), turn(4, "Ben: No, look again."), turn(6, "Ben: Coffee is out.")]
    private = {
        "none": [],
        "last": [secret(9, "Where is the necklace? The necklace lies in the blue teapot.")],
        "middle": [secret(2, "Where is the necklace? The necklace lies in the blue teapot.")],
        "other words": [secret(2, "Remember to call the dentist about the bill for the second filling, please.")],
    }
    of_ben, of_ann = {}, {}
    for name, turns in private.items():
        await seeded.record_events(graph.Scope(f"{group}-{name.split()[0]}", "ann"), [*talk, *turns])
    for name in private:
        of_ben[name] = await shown(seeded, graph.Scope(f"{group}-{name.split()[0]}", "ben"), "Where is the necklace?")
        of_ann[name] = await shown(seeded, graph.Scope(f"{group}-{name.split()[0]}", "ann"), "Where is the necklace?")
    assert of_ben["last"] == of_ben["none"]
    assert of_ben["middle"] == of_ben["other words"]
    totals = {name: {event_id: score.total for event_id, score, _ in rows} for name, rows in of_ben.items()}
    assert all(totals["middle"][event_id] <= total for event_id, total in totals["none"].items())
    assert of_ann["middle"][0][0] == "k-2"
    assert not any("english" in score.arms for _, score, _ in of_ben["middle"])


@pytest.mark.parametrize("arm", ARMS)
async def test_private_text_is_in_no_arm_of_another(seeded: graph.Memory, group: str, arm: str) -> None:
    text = "Ann: The necklace, a 珍珠项链, lies in the teapot."
    events = [turn(0, "Ben: Morning. 早上好。"), secret(1, text, entities=("necklace",))]
    receipts = await seeded.record_events(graph.Scope(group, "ann"), events, wait=graph.Wait.VECTORS)
    assert receipts[1].atom_id in await found_by(seeded, graph.Scope(group, "ann"), arm, text)
    assert receipts[1].atom_id not in await found_by(seeded, graph.Scope(group, "ben"), arm, text)
    assert receipts[1].atom_id not in await found_by(seeded, graph.Scope(f"{group}x", "ann"), arm, text)


@pytest.mark.parametrize("bridge", ["NEXT", "MENTIONS"])
async def test_no_path_of_another_passes_a_private_turn(seeded: graph.Memory, group: str, bridge: str) -> None:
    events = [
        turn(0, "Ben: The teapot is blue.", entities=("teapot",), source_id="phone-a"),
        secret(1, "Ann: The necklace lies in the teapot.", entities=("teapot", "necklace"), source_id="phone-b"),
        turn(2, "Ben: A jeweller called.", entities=("necklace",), source_id="phone-c"),
    ]
    if bridge == "NEXT":
        events = [replace(event, entities=()) for event in events]
    else:
        events = [replace(event, conversation_id=event.event_id) for event in events]
    await seeded.record_events(graph.Scope(group, "ann"), events, wait=graph.Wait.VECTORS)
    ways: dict[str, set[str]] = {}
    for viewer in ("ann", "ben"):
        answer = await seeded.search(graph.Scope(group, viewer), "What colour is the teapot?", asked_at=ASKED_AT)
        paths = [path for evidence in answer.evidence for path in evidence.paths]
        ways[viewer] = {edge.type for path in paths for edge in path.edges}
        seen = {node.caption for path in paths for node in path.nodes}
        assert {"Ben: The teapot is blue.", "Ben: A jeweller called."} <= seen
        assert ("Ann: The necklace lies in the teapot." in seen) is (viewer == "ann")
    assert ways["ann"] == {bridge, "OBSERVED_BY", "OWNED_BY"}
    assert ways["ben"] == {"OBSERVED_BY", "OWNED_BY"}


async def test_private_atoms_are_in_no_list_of_another_and_cannot_be_asked_for(
    seeded: graph.Memory, group: str
) -> None:
    ann, ben = graph.Scope(group, "ann"), graph.Scope(group, "ben")
    receipts = await seeded.record_events(
        ann, [turn(0, "Ben: Morning."), secret(1, "Ann: My secret.")], wait=graph.Wait.VECTORS
    )
    assert [atom.event_id for atom in (await seeded.atoms(ann)).atoms] == ["k-0", "k-1"]
    assert [atom.event_id for atom in (await seeded.atoms(ben)).atoms] == ["k-0"]
    assert (await seeded.atom(ann, event_id="k-1")).text == "Ann: My secret."
    messages = []
    for scope in (ben, graph.Scope(f"{group}x", "ann")):
        for name in ({"id": receipts[1].atom_id}, {"event_id": "k-1"}, {"event_id": "k-7"}):
            with pytest.raises(NotFound) as refusal:
                await seeded.atom(scope, **name)
            messages.append(str(refusal.value).replace("k-7", "k-1"))
    assert len(set(messages)) == 2  # one names the id, one the event: that the atom is there is not told
    assert [(await seeded.status(scope))["atoms"] for scope in (ann, ben)] == [2, 1]


@pytest.mark.timeout(1_200)
async def test_of_a_thousand_groups_each_arm_finds_its_own_in_full(
    seeded: graph.Memory, group: str, counted: Callable[[int], int]
) -> None:
    groups, per_group = [f"{group}-{number}" for number in range(counted(1_000))], 25

    async def fill(names: Sequence[str]) -> None:
        for name in names:
            events = [
                graph.Event(
                    event_id=f"{name} {number}",
                    text=f"The kettle boils again {number}, 水壶又开了。",
                    entities=("kettle",),
                )
                for number in range(per_group)
            ]
            await seeded.record_events(graph.Scope(name, "ann"), events, wait=graph.Wait.VECTORS)

    await asyncio.gather(*(fill(groups[start::8]) for start in range(8)))
    for name in groups[:: max(1, len(groups) // 25)]:
        scope = graph.Scope(name, "ann")
        own = {atom.id for atom in (await seeded.atoms(scope)).atoms}
        assert len(own) == per_group
        for arm in ARMS:
            found = await found_by(seeded, scope, arm, "Does the kettle boil? 水壶开了吗？")
            assert sorted(found) == sorted(own), arm
            few = await found_by(seeded, scope, arm, "Does the kettle boil? 水壶开了吗？", most=10)
            assert len(few) == 10, arm
            assert own.issuperset(few), arm
        answer = await seeded.search(scope, "Does the kettle boil? 水壶开了吗？", limit=20)
        assert len(answer.evidence) == 20
        assert {evidence.atom.event_id.partition(" ")[0] for evidence in answer.evidence} == {name}


async def test_twenty_writes_at_once_over_four_groups_are_counted_exactly(seeded: graph.Memory, group: str) -> None:
    scopes = [graph.Scope(f"{group}-{number}", "ann") for number in range(4)]

    async def write(number: int) -> list[graph.Receipt]:
        events = [
            graph.Event(
                event_id=f"{number % 4}-{number}-{one}",
                text=f"Write {number}, note {one}.",
                conversation_id="shared",
                entities=("shared",),
            )
            for one in range(7)
        ]
        return await seeded.record_events(scopes[number % 4], events, wait=graph.Wait.VECTORS)

    receipts = [one for answers in await asyncio.gather(*map(write, range(20))) for one in answers]
    assert [receipt.outcome for receipt in receipts] == [graph.Outcome.RECORDED] * 140
    for number, scope in enumerate(scopes):
        listed = (await seeded.atoms(scope, first=100)).atoms
        assert len(listed) == (await seeded.status(scope))["atoms"] == 35
        assert {atom.event_id.partition("-")[0] for atom in listed} == {str(number)}


@pytest.mark.parametrize(
    ("short", "longer"), [("team", ["team-alpha", "team:1", "team.x", "te"]), ("团队", ["团队甲", "团"])]
)
async def test_a_group_whose_name_begins_another_sees_its_own_only(
    seeded: graph.Memory, group: str, short: str, longer: Sequence[str]
) -> None:
    text = "The meeting is at nine. 站会九点开始。"
    for name in (short, *longer):
        name_here = f"{name}.{group}" if name == short else f"{name}.{group}.more"
        scope = graph.Scope(name_here, "ann")
        await seeded.record_events(scope, [turn(0, text, entities=("meeting",))], wait=graph.Wait.VECTORS)
    scope = graph.Scope(f"{short}.{group}", "ann")
    own = [atom.id for atom in (await seeded.atoms(scope)).atoms]
    assert len(own) == 1
    for arm in ARMS:
        assert await found_by(seeded, scope, arm, text) == own


@pytest.mark.parametrize("question", ["汇率换算", "外币"])
async def test_chinese_words_inside_a_run_are_found_by_the_keyword_arm_alone(
    seeded: graph.Memory, scope: graph.Scope, question: str
) -> None:
    noise = [turn(number, f"今天的天气很好，出去散步第{number}次。") for number in range(1, 9)]
    receipts = await seeded.record_events(scope, [turn(0, "外币汇率换算工具"), *noise], wait=graph.Wait.VECTORS)
    lonely = [
        replace(event, conversation_id=f"talk of {event.event_id}") for event in (turn(0, "外币汇率换算工具"), *noise)
    ]
    apart = graph.Scope(f"{scope.group}-apart", "ann")
    lonely_receipts = await seeded.record_events(apart, lonely, wait=graph.Wait.VECTORS)
    assert receipts[0].atom_id in await found_by(seeded, scope, "chinese", question)
    assert await found_by(seeded, apart, "chinese", question) == [lonely_receipts[0].atom_id]


@pytest.mark.parametrize(("question", "text"), [("run", "She was running late."), ("Did it run?", "Ann runs daily.")])
async def test_english_is_stemmed_in_the_keyword_arm(
    seeded: graph.Memory, scope: graph.Scope, question: str, text: str
) -> None:
    events = [graph.Event(event_id="a", text=text), graph.Event(event_id="b", text="The rung of a ladder broke.")]
    receipts = await seeded.record_events(
        scope, [replace(event, conversation_id=event.event_id) for event in events], wait=graph.Wait.VECTORS
    )
    assert await found_by(seeded, scope, "english", question) == [receipts[0].atom_id]
