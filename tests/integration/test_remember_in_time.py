"""Late arrivals, what held and what was known at a time; events, batches and retries, on the real server."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

import graph
from graph.errors import InvalidInput
from graph.search.planning import Filters
from tests.remembering import found, lang, say, size, sound, standings, values

# Late arrivals


@pytest.mark.parametrize(
    ("day", "value", "rendered"),
    [
        ("2022-01-01", "Rust", "Java (2020–2022) → Rust (2022–2024) → Go (2024–)"),
        ("2018-01-01", "Rust", "Rust (2018–2020) → Java (2020–2024) → Go (2024–)"),
        ("2022-01-01", "Java", "Java (2020–2024) → Go (2024–)"),
        ("2022-01-01", "Go", "Java (2020–2022) → Go (2022–)"),
        ("2018-01-01", "Java", "Java (2018–2024) → Go (2024–)"),
        ("2018-01-01", "Go", "Go (2018–2020) → Java (2020–2024) → Go (2024–)"),
    ],
)
async def test_a_late_arrival_is_placed_where_it_belongs(
    memory: graph.Memory, scope: graph.Scope, day: str, value: str, rendered: str
) -> None:
    await lang(memory, scope, "We moved to Java now", "Java", "2020-01-01")
    await lang(memory, scope, "We moved to Go now", "Go", "2024-01-01")
    late = await lang(memory, scope, f"We moved to {value} now", value, day)
    assert late.ruled.verdict in ("ADD", "NOOP")
    told = await memory.timeline(scope, "ann", "lang")
    assert told.rendered == rendered
    assert [one.value for one in told.periods if one.status == "active"] == ["Go"]
    await sound(memory, scope.group)


async def test_a_late_arrival_before_an_end_does_not_begin_anew(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "I use Java", "Java", "2020-01-01")
    await lang(memory, scope, "I no longer use Java", None, "2024-01-01")
    await lang(memory, scope, "I moved to Go now", "Go", "2022-01-01")
    told = await memory.timeline(scope, "ann", "lang")
    assert told.rendered == "Java (2020–2022) → Go (2022–)", "the end of Java is none of Go"
    assert [one.value for one in told.periods if one.status == "active"] == ["Go"]
    await sound(memory, scope.group)


async def test_a_late_change_does_not_retire_what_was_added_later(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "I also use Go", "Go", "2024-01-01")
    await lang(memory, scope, "I moved to Java now", "Java", "2022-01-01")
    assert dict(await values(memory, scope))["Go"] == "active"
    await sound(memory, scope.group)


async def test_as_of_and_known_at_before_and_after_a_supersession(memory: graph.Memory, scope: graph.Scope) -> None:
    start = datetime.now(UTC)
    await lang(memory, scope, "We use Java", "Java", "2024-01-01")
    between = datetime.now(UTC)
    await lang(memory, scope, "We moved to Go now", "Go", "2026-01-01")
    after = datetime.now(UTC)
    told = memory.timeline
    known = [(await told(scope, "ann", "lang", known_at=at)).rendered for at in (start, between, after)]
    assert known == ["", "Java (2024–)", "Java (2024–2026) → Go (2026–)"]
    years = [datetime(year, 6, 1, tzinfo=UTC) for year in (2023, 2025, 2026)]
    assert [[one for one, _ in await values(memory, scope, as_of=at)] for at in years] == [[], ["Java"], ["Go"]]
    question = "What do we use, Java or Go?"
    assert [await found(memory, scope, question, as_of=at) for at in years] == [
        [],
        ["We use Java"],
        ["We moved to Go now"],
    ]
    assert await found(memory, scope, question, known_at=start) == []
    assert await found(memory, scope, question, known_at=between) == ["We use Java"]
    answer = await memory.search(scope, question, filters=Filters(known_at=between))
    assert [(one.atom.status, one.atom.valid_until) for one in answer.evidence] == [("active", None)]
    assert (await found(memory, scope, question, known_at=after))[0] == "We moved to Go now"
    both = {"as_of": datetime(2026, 6, 1, tzinfo=UTC), "known_at": between}
    assert await found(memory, scope, question, **both) == ["We use Java"]


async def test_what_is_retracted_held_before_and_not_after(memory: graph.Memory, scope: graph.Scope) -> None:
    event = graph.Event(event_id="seen", text="The boiler shows error 17", occurred_at="2024-01-01T12:00:00Z")
    (receipt,) = await memory.record_events(scope, [event])
    assert receipt.atom_id is not None
    before = datetime.now(UTC)
    await memory.retract(scope, receipt.atom_id)
    after = datetime.now(UTC) + timedelta(seconds=1)
    assert await found(memory, scope, "boiler error", as_of=before) == ["The boiler shows error 17"]
    assert await found(memory, scope, "boiler error", as_of=after) == []
    assert await found(memory, scope, "boiler error", known_at=before) == ["The boiler shows error 17"]
    await sound(memory, scope.group)


# Events, batches, retries


async def test_events_with_key_and_value_are_arbitrated_and_sending_them_again_changes_nothing(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    texts = [("We use Java", "Java"), ("We use Java", "Java"), ("We moved to Go now", "Go"), ("Tea at four", None)]
    events = [
        graph.Event(event_id=f"e-{n}", text=text, key="lang" if value else None, value=value)
        for n, (text, value) in enumerate(texts)
    ]
    receipts = [(await memory.record_events(scope, [event]))[0] for event in events]
    assert [one.ruled.verdict if one.ruled else None for one in receipts] == ["ADD", "NOOP", "UPDATE", None]
    before = await size(memory, scope.group), await standings(memory, scope)
    again = await memory.record_events(scope, events)
    assert {one.outcome for one in again} == {graph.Outcome.UNCHANGED}
    assert [one.atom_id for one in again] == [one.atom_id for one in receipts]
    assert (await size(memory, scope.group), await standings(memory, scope)) == before
    await sound(memory, scope.group)


async def test_an_event_that_restated_a_value_ends_with_it(memory: graph.Memory, scope: graph.Scope) -> None:
    events = [
        graph.Event(
            event_id=f"e-{n}", text=f"We use Java, said {n} times", key="lang", value="Java", origin="user_stated"
        )
        for n in (1, 2, 3)
    ]
    await memory.record_events(scope, events)
    (last,) = await memory.record_events(
        scope, [graph.Event(event_id="go", text="We moved to Go now", key="lang", value="Go", origin="user_stated")]
    )
    assert await found(memory, scope, "What do we use, Java or Go?") == ["We moved to Go now"]
    late = graph.Event(
        event_id="late",
        text="We use Java, said late",
        key="lang",
        value="Java",
        occurred_at="2020-01-01T00:00:00Z",
        origin="user_stated",
    )
    await memory.record_events(scope, [late])
    assert await found(memory, scope, "What do we use, Java or Go?") == ["We moved to Go now"]
    assert last.atom_id is not None
    await memory.retract(scope, last.atom_id)
    assert await found(memory, scope, "What do we use, Java or Go?") == []
    await sound(memory, scope.group)


BATCH: Sequence[tuple[str, str | None, str | None]] = [
    (text.format(n), key, value and value.format(n))
    for n in range(5)
    for text, key, value in (
        ("We use Java{}", "lang", "Java{}"),
        ("We moved to Go{} now", "lang", "Go{}"),
        ("We also use Zig{}", "lang", "Zig{}"),
        ("The boiler shows error {} again", None, None),
        ("We use Vim{}", "editor", "Vim{}"),
        ("The boiler shows error {} again", None, None),
    )
]


async def test_thirty_statements_in_one_call_give_what_thirty_calls_give(memory: graph.Memory, group: str) -> None:
    one, many = graph.Scope(f"{group}-one", "ann"), graph.Scope(f"{group}-many", "ann")
    said = [graph.Statement(text=text, key=key, value=value) for text, key, value in BATCH]
    together = await memory.remember(one, said)
    apart = [answer for statement in said for answer in await memory.remember(many, [statement])]
    assert len(said) == 30
    assert {answer.ruled.verdict for answer in together} >= {"ADD", "UPDATE", "CONFLICT", "NOOP"}
    shown = [
        [(a.ruled.verdict, a.ruled.rule, a.ruled.words, sorted((t.before or "", t.after) for t in a.ruled.touched))
         for a in answers]
        for answers in (together, apart)
    ]  # fmt: skip
    assert shown[0] == shown[1]
    assert await standings(memory, one) == await standings(memory, many)
    for key in ("lang", "editor"):
        told = [(await memory.timeline(scope, "ann", key)).periods for scope in (one, many)]
        assert [[(p.value, p.status) for p in ps] for ps in told[:1]] == [[(p.value, p.status) for p in told[1]]]
    await sound(memory, one.group, many.group)


@pytest.mark.parametrize(("text", "value"), [("We use Java", "Java"), ("We moved to Go now", "Go")])
async def test_a_retry_with_a_client_id_is_no_restatement(
    memory: graph.Memory, scope: graph.Scope, text: str, value: str
) -> None:
    await lang(memory, scope, "We use Java", "Java")
    first = await lang(memory, scope, text, value, client_id="remember:c-1")
    before = await size(memory, scope.group)
    for _ in range(3):
        assert await lang(memory, scope, text, value, client_id="remember:c-1") == first
    assert await size(memory, scope.group) == before
    assert first.atom_id is not None
    assert (await memory.atom(scope, id=first.atom_id)).evidence_count == (2 if value == "Java" else 1)
    other = await lang(memory, scope, "We use Rust", "Rust", client_id="remember:c-1")
    assert (other.ruled.verdict, other.field) == ("REFUSED", "clientId")
    event = graph.Event(event_id="remember:c-1", text="We use Rust", key="lang", value="Rust")
    (receipt,) = await memory.record_events(scope, [event])
    assert (receipt.outcome, receipt.field) == (graph.Outcome.REJECTED, "eventId")
    assert await size(memory, scope.group) == before


async def test_the_id_of_an_event_is_no_client_id(memory: graph.Memory, scope: graph.Scope) -> None:
    await memory.record_events(scope, [graph.Event(event_id="e-1", text="Tea at four")])
    refused = await say(memory, scope, "Tea at four", client_id="e-1")
    assert (refused.ruled.verdict, refused.field) == ("REFUSED", "clientId")


async def test_two_statements_of_one_call_need_ids_of_their_own(memory: graph.Memory, scope: graph.Scope) -> None:
    twice = [graph.Statement(text=text, client_id="c") for text in ("Tea", "Coffee")]
    with pytest.raises(InvalidInput, match="clientId"):
        await memory.remember(scope, twice)
    with pytest.raises(InvalidInput, match="at most 100"):
        await memory.remember(scope, [graph.Statement(text="Tea")] * 101)
