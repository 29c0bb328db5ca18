"""What a write may cost: in exchanges with the database, in time of the event loop, in what it touches."""

import graph
from tests.remembering import sound


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
