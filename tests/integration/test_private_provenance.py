"""What a private event brings along shows on no atom of the group, and takes nothing from it."""

import asyncio

import pytest

import graph

ANN, BEN = "ann", "ben"
RECORD = "The boiler was cleaned on Monday."


def event(name: str, user: str, *, private: bool = False, **more: object) -> graph.Event:
    return graph.Event(
        event_id=name,
        text=f"Said by {user}: {name}.",
        user_id=user,
        visibility="private" if private else "group",
        **more,  # type: ignore[arg-type]
    )


async def record(memory: graph.Memory, group: str, *events: graph.Event) -> list[graph.Receipt]:
    return [
        receipt
        for one in events
        for receipt in await memory.record_events(graph.Scope(group, one.user_id or ""), [one])
    ]


@pytest.mark.parametrize("private_first", [True, False])
async def test_a_private_spelling_and_kind_of_source_show_to_nobody_else(
    seeded: graph.Memory, group: str, private_first: bool
) -> None:
    events = [
        event("secret", ANN, private=True, entities=("PROJECT Heron",), source_id="phone", source_kind="burner"),
        event("open", ANN, entities=("project heron",), source_id="phone", source_kind="phone"),
    ]
    await record(seeded, group, *(events if private_first else events[::-1]))
    shown = await seeded.atom(graph.Scope(group, BEN), event_id="open")
    assert [one.kind for one in shown.sources] == ["phone"]
    answer = await seeded.search(graph.Scope(group, BEN), "What is said of project heron?")
    assert "PROJECT Heron" not in str(answer.evidence)
    assert "burner" not in str(answer.evidence)
    own = await seeded.atom(graph.Scope(group, ANN), event_id="secret")
    assert [one.kind for one in own.sources] == ["burner"]


async def test_a_private_quotation_leaves_a_record_to_the_group(seeded: graph.Memory, group: str) -> None:
    receipts = await record(
        seeded,
        group,
        event("first", ANN, record_id="note", record_text=RECORD, quote="cleaned on Monday"),
        event("mine", ANN, private=True, record_id="note", quote="boiler"),
        event("other", BEN, record_id="note", quote="The boiler"),
    )
    assert [one.outcome for one in receipts] == [graph.Outcome.RECORDED] * 3


async def test_a_private_text_is_not_given_to_a_record_of_the_group(seeded: graph.Memory, group: str) -> None:
    receipts = await record(
        seeded,
        group,
        event("first", ANN, record_id="note"),
        event("mine", ANN, private=True, record_id="note", record_text=RECORD),
        event("told", BEN, record_id="note", record_text=RECORD),
        event("again", ANN, private=True, record_id="note", quote="cleaned"),
    )
    assert [(one.outcome, one.field) for one in receipts] == [
        (graph.Outcome.RECORDED, None),
        (graph.Outcome.REJECTED, "record.text"),
        (graph.Outcome.RECORDED, None),
        (graph.Outcome.RECORDED, None),
    ]


async def test_a_private_record_is_hidden_until_its_text_is_told_to_the_group(seeded: graph.Memory, group: str) -> None:
    receipts = await record(
        seeded,
        group,
        event("mine", ANN, private=True, record_id="diary", record_text=RECORD),
        event("guess", BEN, record_id="diary", quote="boiler"),
        event("open", ANN, record_id="diary", record_text=RECORD),
        event("quoted", BEN, record_id="diary", quote="boiler"),
    )
    assert [(one.outcome, one.field) for one in receipts] == [
        (graph.Outcome.RECORDED, None),
        (graph.Outcome.REJECTED, "record.id"),
        (graph.Outcome.RECORDED, None),
        (graph.Outcome.RECORDED, None),
    ]


async def test_calls_that_wait_are_written_together_and_each_is_told_of_its_own(
    seeded: graph.Memory, group: str
) -> None:
    scopes = [graph.Scope(group, f"user-{number}") for number in range(20)]
    await seeded.record_events(scopes[0], [event("warm", "user-0")])
    before = seeded.store.exchanges
    calls = [
        seeded.record_events(scope, [event(f"of-{scope.viewer}", scope.viewer), event("shared", scope.viewer)])
        for scope in scopes
    ]
    answers = await asyncio.gather(*calls)
    assert [answer[0].outcome for answer in answers] == [graph.Outcome.RECORDED] * 20
    assert [answer[1].outcome for answer in answers].count(graph.Outcome.RECORDED) == 1
    alone = seeded.store.exchanges - before
    before = seeded.store.exchanges
    apart = [seeded.record_events(scope, [event(f"next-{scope.viewer}", scope.viewer)]) for scope in scopes]
    assert {receipt.outcome for (receipt,) in await asyncio.gather(*apart)} == {graph.Outcome.RECORDED}
    assert seeded.store.exchanges - before < alone / 2, "those that wait are in one transaction"


async def test_who_goes_away_while_waiting_leaves_the_others_their_answers(seeded: graph.Memory, group: str) -> None:
    scope = graph.Scope(group, ANN)
    calls = [asyncio.create_task(seeded.record_events(scope, [event(f"e-{number}", ANN)])) for number in range(6)]
    await asyncio.sleep(0.01)
    for call in calls[::2]:
        call.cancel()
    ended = await asyncio.gather(*calls, return_exceptions=True)
    assert [isinstance(one, asyncio.CancelledError) for one in ended[::2]] == [True] * 3
    assert [one[0].outcome for one in ended[1::2] if isinstance(one, list)] == [graph.Outcome.RECORDED] * 3
    (again,) = await seeded.record_events(scope, [event("e-7", ANN)])
    assert again.outcome is graph.Outcome.RECORDED
