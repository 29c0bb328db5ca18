"""What must hold when statements are remembered, and conflicts that stay open, on the real server."""

from collections import Counter
from datetime import UTC, datetime

import pytest

import graph
from graph.search.planning import Filters
from graph.timelines.known import MOST_CURRENT
from tests.remembering import lang, say, sound, standings, values

# What must hold


async def test_same_key_and_wording_of_change_updates(memory: graph.Memory, scope: graph.Scope) -> None:
    old = await lang(memory, scope, "我们用 Java", "Java")
    new = await lang(memory, scope, "我们迁到 Go 了", "Go")
    assert (old.ruled.verdict, new.ruled.verdict) == ("ADD", "UPDATE")
    assert "迁" in new.ruled.words
    assert old.atom_id is not None
    assert {(one.atom_id, one.before, one.after) for one in new.ruled.touched} == {
        (new.atom_id, None, "active"),
        (old.atom_id, "active", "superseded"),
    }
    assert await standings(memory, scope) == [("我们用 Java", "superseded"), ("我们迁到 Go 了", "active")]
    atom = await memory.atom(scope, id=old.atom_id)
    assert atom.valid_until is not None
    assert (atom.valid_until == (await memory.atom(scope, id=new.atom_id)).valid_from) is True
    await sound(memory, scope.group)


async def test_another_key_is_added_and_both_are_active(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "我们用 Java", "Java")
    assert (await say(memory, scope, "我们用 Vim", key="editor", value="Vim")).ruled.verdict == "ADD"
    assert [status for _, status in await standings(memory, scope)] == ["active", "active"]


async def test_same_key_without_wording_is_a_conflict_of_lower_weight(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "我们用 Java", "Java")
    new = await lang(memory, scope, "我们用 Go", "Go")
    assert new.ruled.verdict == "CONFLICT"
    evidence = (await memory.search(scope, "我们用什么？ Java Go")).evidence
    assert {(one.atom.value, one.atom.status) for one in evidence} == {("Java", "conflict"), ("Go", "conflict")}
    assert [one.score.status_weight for one in evidence] == pytest.approx([0.5, 0.5], abs=1e-3)
    assert all("needs_confirmation" in one.atom.flags for one in evidence)
    assert (await memory.timeline(scope, "ann", "lang")).rendered.count("?") == 2
    await sound(memory, scope.group)


async def test_wording_of_addition_keeps_both(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "我用 Java", "Java")
    assert (await lang(memory, scope, "我用 Java 也用 Go", "Go")).ruled.verdict == "ADD"
    assert await values(memory, scope) == [("Java", "active"), ("Go", "active")]
    await sound(memory, scope.group)


async def test_the_more_specific_refines_and_the_general_is_no_news_afterwards(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    await lang(memory, scope, "用 Java", "Java")
    new = await lang(memory, scope, "用 Java 21 + Spring Boot 3", "Java 21 + Spring Boot 3")
    again = await lang(memory, scope, "用 Java", "Java")
    assert (new.ruled.verdict, again.ruled.verdict) == ("REFINE", "NOOP")
    assert again.atom_id == new.atom_id
    assert await values(memory, scope) == [("Java", "superseded"), ("Java 21 + Spring Boot 3", "active")]
    other = await lang(memory, scope, "We use JavaScript", "JavaScript")
    assert other.ruled.verdict == "CONFLICT", "JavaScript is no Java"
    await sound(memory, scope.group)


async def test_what_ends_without_successor_is_invalid(memory: graph.Memory, scope: graph.Scope) -> None:
    old = await lang(memory, scope, "我用 Java", "Java")
    ended = await lang(memory, scope, "不用 Java 了", None)
    assert ended.ruled.verdict == "INVALIDATE"
    assert (old.atom_id, "active", "invalid") in {(t.atom_id, t.before, t.after) for t in ended.ruled.touched}
    assert await values(memory, scope) == [("Java", "invalid")]
    await sound(memory, scope.group)


async def test_what_was_over_begins_again_in_a_second_period(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "I use Java", "Java", "2020-01-01")
    await lang(memory, scope, "I no longer use Java", None, "2022-01-01")
    again = await lang(memory, scope, "I use Java", "Java", "2024-01-01")
    assert again.ruled.verdict == "ADD"
    told = await memory.timeline(scope, "ann", "lang")
    assert told.rendered == "Java (2020–2022) → Java (2024–)"
    gap = await memory.timeline(scope, "ann", "lang", as_of=datetime(2023, 1, 1, tzinfo=UTC))
    assert gap.periods == ()
    await sound(memory, scope.group)


# Conflicts


async def test_a_third_value_joins_an_open_conflict_and_an_update_closes_all(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    for value in ("Java", "Go", "Rust"):
        await lang(memory, scope, f"We use {value}", value)
    assert {status for _, status in await standings(memory, scope)} == {"conflict"}
    await sound(memory, scope.group)
    closing = await lang(memory, scope, "We switched to Zig", "Zig")
    assert closing.ruled.verdict == "UPDATE"
    assert Counter(status for _, status in await standings(memory, scope)) == {"superseded": 3, "active": 1}
    await sound(memory, scope.group)


async def test_confirming_one_of_three_sides_supersedes_the_others(memory: graph.Memory, scope: graph.Scope) -> None:
    sides = [await lang(memory, scope, f"We use {value}", value) for value in ("Java", "Go", "Rust")]
    assert sides[0].atom_id is not None
    touched = await memory.confirm(scope, sides[0].atom_id)
    assert {one.atom_id: one.after for one in touched} == {
        sides[0].atom_id: "active",
        sides[1].atom_id: "superseded",
        sides[2].atom_id: "superseded",
    }
    assert await values(memory, scope) == [("Java", "active"), ("Go", "superseded"), ("Rust", "superseded")]
    assert (await memory.atom(scope, id=sides[0].atom_id)).flags == ()
    await sound(memory, scope.group)


async def test_retracting_a_side_leaves_the_others_in_conflict_and_the_last_alone(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    sides = [(await lang(memory, scope, f"We use {value}", value)).atom_id or "" for value in ("Java", "Go", "Rust")]
    await memory.retract(scope, sides[0])
    assert await values(memory, scope) == [("Java", "invalid"), ("Go", "conflict"), ("Rust", "conflict")]
    await memory.retract(scope, sides[1])
    assert await values(memory, scope) == [("Java", "invalid"), ("Go", "invalid"), ("Rust", "active")]
    await sound(memory, scope.group)


async def test_refining_one_side_of_a_conflict_keeps_the_conflict(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "We use Java", "Java")
    await lang(memory, scope, "We use Go", "Go")
    assert (await lang(memory, scope, "We use Java 21", "Java 21")).ruled.verdict == "REFINE"
    assert await values(memory, scope) == [("Java", "superseded"), ("Go", "conflict"), ("Java 21", "conflict")]
    await sound(memory, scope.group)


async def test_stating_a_side_again_lifts_it_and_lowers_the_other(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "We use Java", "Java")
    await lang(memory, scope, "We use Go", "Go")
    assert (await lang(memory, scope, "We use Java", "Java")).ruled.verdict == "NOOP"
    evidence = (await memory.search(scope, "What do we use? Java or Go?")).evidence
    assert {one.atom.value: one.score.status_weight for one in evidence} == {
        "Java": pytest.approx(1.0, abs=1e-3),
        "Go": pytest.approx(0.5 * 0.8, abs=1e-3),
    }
    await sound(memory, scope.group)


async def test_a_conflict_that_arose_later_was_none_then(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "We use Java", "Java", "2024-01-01")
    await lang(memory, scope, "We use Go", "Go", "2025-01-01")
    then = datetime(2024, 6, 1, tzinfo=UTC)
    answer = await memory.search(scope, "What do we use?", asked_at=then, filters=Filters(as_of=then))
    assert [(one.atom.value, one.atom.status, one.score.status_weight) for one in answer.evidence] == [
        ("Java", "active", 1.0)
    ]


async def test_more_sides_and_more_restatements_than_are_looked_at_are_all_settled(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    said = [graph.Statement(text=f"We use L{n}x", key="lang", value=f"L{n}x") for n in range(MOST_CURRENT + 5)]
    for start in range(0, len(said), 50):
        await memory.remember(scope, said[start : start + 50])
    assert {status for _, status in await standings(memory, scope)} == {"conflict"}
    again = [
        graph.Event(event_id=f"again-{n}", text="We use L0x", key="lang", value="L0x") for n in range(MOST_CURRENT + 5)
    ]
    await memory.record_events(scope, again)
    moved = await lang(memory, scope, "We moved to Zig now", "Zig")
    assert moved.ruled.verdict == "UPDATE"
    counted = Counter(status for _, status in await standings(memory, scope))
    assert counted == {"superseded": len(said) + len(again), "active": 1}
    await sound(memory, scope.group)
