"""What a write may cost: in exchanges with the database, in time of the event loop, in what it touches."""

import asyncio
from time import thread_time
from typing import Any

import pytest

import graph
from tests.remembering import say, sound

MOST_EXCHANGES = 6
LONGEST_HOLD_S = 0.05


async def test_the_longest_value_with_a_key_does_not_fail_its_chunk(memory: graph.Memory, scope: graph.Scope) -> None:
    longest = "㍿ " * 1_000  # compared as four letters each: 12,000 bytes
    events = [
        graph.Event(event_id="before", text="We use Java", key="lang", value="Java"),
        graph.Event(event_id="long", text="Such a face", key="face", value=longest),
        graph.Event(event_id="again", text="Such a face, still", key="face", value=longest),
        graph.Event(event_id="after", text="We use Vim", key="editor", value="Vim"),
    ]
    receipts = await memory.record_events(scope, events)
    assert [one.outcome for one in receipts] == [graph.Outcome.RECORDED] * 4
    assert [one.ruled.verdict if one.ruled else None for one in receipts] == ["ADD", "ADD", "NOOP", "ADD"]
    (said,) = await memory.remember(scope, [graph.Statement(text="Such a face", key="face", value=longest)])
    assert said.ruled.verdict == "NOOP"
    await sound(memory, scope.group)


async def test_remembering_one_statement_takes_six_exchanges(memory: graph.Memory, scope: graph.Scope) -> None:
    async def taken(text: str, **more: Any) -> int:
        before = memory.store.exchanges
        await say(memory, scope, text, **more)
        return memory.store.exchanges - before

    fields: list[dict[str, Any]] = [
        {"text": "We use Java", "key": "lang", "value": "Java"},
        {"text": "We use Java", "key": "lang", "value": "Java"},
        {"text": "We moved to Go now", "key": "lang", "value": "Go"},
        {"text": "We moved to Rust now", "key": "lang", "value": "Rust", "client_id": "rust"},
        {"text": "We use Zig", "key": "lang", "value": "Zig"},
        {"text": "We no longer use any of these", "key": "lang"},
        {"text": "The spare key is under the pot"},
        {"text": "The spare key is under the blue pot"},
        {"text": "今天很热"},
    ]
    assert max([await taken(**one) for one in fields]) <= MOST_EXCHANGES
    assert await taken("We moved to Rust now", key="lang", value="Rust", client_id="rust") == 1, "a retry only looks"
    await memory.configure_group(scope, time_zone="Asia/Tokyo", key_kinds={"pet": "many"})
    assert await taken("I have a cat", key="pet", value="cat") <= MOST_EXCHANGES
    await sound(memory, scope.group)


@pytest.mark.parametrize("keyed", [True, False])
async def test_a_hundred_events_take_six_exchanges_and_a_search_two(
    memory: graph.Memory, scope: graph.Scope, keyed: bool
) -> None:
    def events(first: int) -> list[graph.Event]:
        return [
            graph.Event(
                event_id=f"{number}",
                text=f"The boiler shows error {number}.",
                key=f"error of boiler {number % 7}" if keyed else None,
                value=str(number) if keyed else None,
            )
            for number in range(first, first + 100)
        ]

    before = memory.store.exchanges
    receipts = await memory.record_events(scope, events(0))
    assert {one.outcome for one in receipts} == {graph.Outcome.RECORDED}
    assert memory.store.exchanges - before <= MOST_EXCHANGES
    before = memory.store.exchanges
    receipts = await memory.record_events(scope, events(0))
    assert {one.outcome for one in receipts} == {graph.Outcome.UNCHANGED}
    assert memory.store.exchanges - before == 1, "a repeat only looks"
    before = memory.store.exchanges
    answer = await memory.search(scope, "Which error does the boiler show?")
    assert memory.store.exchanges - before == answer.round_trips == 2


async def test_a_hundred_statements_without_a_key_do_not_hold_the_event_loop(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    names = [f"{a}{b}" for a in ("Lu", "Mo", "Ka", "Ti", "Ra") for b in ("ra", "lin", "sey", "do", "mika")]
    said = [
        graph.Statement(text=text.format(name, number))
        for number, name in enumerate(names)
        for text in (
            "{} keeps the spare key of flat {} under the blue pot by the door",
            "{} now works on the {}th floor and no longer takes the lift",
            "{}刚刚搬到了{}号楼，不再养猫了",
            "The boiler of {} shows error {} again, and nobody has called anyone about it",
        )
    ]
    await memory.remember(scope, said[:2])  # statements are compiled once
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            # In processor time of the loop's own thread: that others use the machine holds it up as well.
            before = thread_time()
            await asyncio.sleep(0.001)
            longest = max(longest, thread_time() - before)

    for _ in range(2):  # the second time there is as much near them as is looked at
        ticker = asyncio.create_task(tick())
        answers = await memory.remember(scope, said)
        ticker.cancel()
        assert len(answers) == 100
    assert longest < LONGEST_HOLD_S
    await sound(memory, scope.group)
