"""Ten memories, three of them outdated and two important: the right one is among the first three, for each profile."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

import graph

ASKED_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
FIRST = 3


class Told(NamedTuple):
    """A memory: how many days before the question it was told, and what of."""

    days: int
    text: str
    key: str | None = None
    value: str | None = None
    importance: float = 1.0


TOLD = [
    Told(400, "The team builds the gateway in Java", "gateway.language", "Java"),
    Told(380, "我住在青岛", "home.city", "青岛"),
    Told(300, "Standup is at nine in the morning", "standup.time", "nine"),
    Told(250, "Ann is allergic to peanuts, even traces are dangerous", importance=2.0),
    Told(200, "生产数据库的备份必须每晚加密保存到异地机房", importance=2.0),
    Told(20, "We switched to Rust", "gateway.language", "Rust"),
    Told(15, "我搬到成都了", "home.city", "成都"),
    Told(10, "Standup moved to half past ten now", "standup.time", "half past ten"),
    Told(5, "The printer on the third floor is out of toner again"),
    Told(2, "周末我和小林去爬了青城山"),
]
RIGHT = {
    "Which language is the gateway written in now? Java, Rust?": "We switched to Rust",
    "我现在住在哪个城市？": "我搬到成都了",
    "When is the standup?": "Standup moved to half past ten now",
    "Does Ann have an allergy to peanuts?": "Ann is allergic to peanuts, even traces are dangerous",
    "数据库备份要保存到哪里？": "生产数据库的备份必须每晚加密保存到异地机房",
}


@pytest.fixture(scope="module")
async def told(memory: graph.Memory) -> graph.Scope:
    scope = graph.Scope("ranking-check", "ann")
    for one in TOLD:
        at = (ASKED_AT - timedelta(days=one.days)).isoformat()
        fields: dict[str, Any] = {"key": one.key, "value": one.value, "importance": one.importance}
        await memory.remember(scope, [graph.Statement(text=one.text, occurred_at=at, **fields)])
    return scope


async def test_three_are_outdated_and_the_rest_is_current(memory: graph.Memory, told: graph.Scope) -> None:
    atoms = (await memory.atoms(told, include_history=True)).atoms
    assert len(atoms) == len(TOLD)
    assert {atom.text for atom in atoms if atom.status == "superseded"} == {one.text for one in TOLD[:3]}
    assert {atom.text for atom in atoms if atom.status == "active"} == {one.text for one in TOLD[3:]}


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("profile", ["default", "qa", "assistant", "critical"])
async def test_the_right_one_is_among_the_first_three(
    memory: graph.Memory, told: graph.Scope, profile: str, history: bool
) -> None:
    """With the outdated ones among what is looked at, too: then their age alone must keep them behind."""
    filters = graph.Filters(include_history=history)
    for question, right in RIGHT.items():
        answer = await memory.search(told, question, profile=profile, asked_at=ASKED_AT, filters=filters)
        assert right in [one.atom.text for one in answer.evidence[:FIRST]], (profile, question)
