"""Supersessions that are proposed where there is no key: not in force before somebody with the right accepts them."""

import pytest

import graph
from graph.errors import AccessDenied, InvalidInput
from tests.remembering import say, sound, standings

OLD, NEW = "I work at Acme", "I no longer work at Acme"


async def proposed(memory: graph.Memory, scope: graph.Scope, old: str, new: str) -> tuple[str, str]:
    """Say two statements of which the second may supersede the first; return their ids."""
    first = await say(memory, scope, old)
    second = await say(memory, scope, new)
    assert second.ruled.verdict == "ADD"
    assert [one.atom_id for one in second.ruled.proposed] == [first.atom_id]
    assert first.atom_id is not None
    assert second.atom_id is not None
    assert (await memory.atom(scope, id=second.atom_id)).flags == ("needs_confirmation",)
    assert {status for _, status in await standings(memory, scope)} == {"active"}
    await sound(memory, scope.group)
    return first.atom_id, second.atom_id


async def test_accepting_does_what_was_proposed(memory: graph.Memory, scope: graph.Scope) -> None:
    old, new = await proposed(memory, scope, OLD, NEW)
    touched = await memory.accept(scope, new, old)
    assert {(one.atom_id, one.before, one.after) for one in touched} == {
        (old, "active", "invalid"),
        (new, "active", "active"),
    }
    assert (await memory.atom(scope, id=new)).flags == ()
    assert (await memory.atom(scope, id=new)).timeline_role == "end"
    (kept,) = [one for one in await memory.decisions(scope, old) if one.actor == "ann"]
    assert (kept.verdict, kept.rule, kept.cause) == ("INVALIDATE", "accepted by a person", new)
    with pytest.raises(InvalidInput, match="not proposed"):
        await memory.accept(scope, new, old)
    await sound(memory, scope.group)
    # What a person accepted by mistake is undone like any other end.
    await memory.confirm(scope, old)
    assert [status for _, status in await standings(memory, scope)] == ["active", "invalid"]
    await sound(memory, scope.group)


async def test_declining_lets_both_stand(memory: graph.Memory, scope: graph.Scope) -> None:
    old, new = await proposed(memory, scope, OLD, NEW)
    touched = await memory.decline(scope, new, old)
    assert [(one.atom_id, one.after) for one in touched] == [(new, "active")]
    assert (await memory.atom(scope, id=new)).flags == ()
    assert {status for _, status in await standings(memory, scope)} == {"active"}
    with pytest.raises(InvalidInput, match="not proposed"):
        await memory.decline(scope, new, old)
    await sound(memory, scope.group)


async def test_what_is_current_no_more_is_not_superseded_by_a_proposal(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    old, new = await proposed(memory, scope, OLD, NEW)
    (waiting,) = await memory.to_confirm(scope)
    assert (waiting.atom.id, waiting.why, [one.id for one in waiting.others]) == (new, "proposal", [old])
    await memory.retract(scope, old)
    (waiting,) = await memory.to_confirm(scope)
    assert (waiting.atom.id, waiting.why, waiting.others) == (new, "doubt", ()), "its flag is on, so it waits"
    with pytest.raises(InvalidInput, match="not current"):
        await memory.accept(scope, new, old)
    await memory.decline(scope, new, old)
    assert await memory.to_confirm(scope) == []
    await sound(memory, scope.group)


async def test_nobody_else_accepts_or_declines(memory: graph.Memory, scope: graph.Scope) -> None:
    old, new = await proposed(memory, scope, OLD, NEW)
    ben = graph.Scope(scope.group, "ben", frozenset({graph.Right.READ, graph.Right.WRITE}))
    for answer in (memory.accept, memory.decline):
        with pytest.raises(AccessDenied):
            await answer(ben, new, old)
        with pytest.raises(InvalidInput, match="not proposed"):
            await answer(scope, old, new)
    await sound(memory, scope.group)
