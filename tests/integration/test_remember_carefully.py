"""What must not be retired by mistake: what was stated again later, what another end speaks of, what lies ahead."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import graph
from graph.timelines.statements import timeline_id, value_key


async def say(memory: graph.Memory, scope: graph.Scope, text: str, at: str | None = None, **fields: Any) -> str:
    (told,) = await memory.remember(scope, [graph.Statement(text=text, occurred_at=at, **fields)])
    return told.ruled.verdict


async def values(memory: graph.Memory, scope: graph.Scope) -> list[tuple[str, str]]:
    timeline = await memory.timeline(scope, "ann", "lang")
    return [(one.value, one.status) for one in timeline.periods]


async def sound(memory: graph.Memory) -> None:
    assert [finding for finding in await memory.audit() if finding.offenders] == []


async def test_what_was_stated_again_is_not_retired_by_an_older_change(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    java = {"key": "lang", "value": "Java"}
    assert await say(memory, scope, "I use Java", "2020-01-01", **java) == "ADD"
    assert await say(memory, scope, "I use Java", "2024-01-01", **java) == "NOOP"
    assert await say(memory, scope, "I switched to Go", "2022-01-01", key="lang", value="Go") == "CONFLICT"
    assert await say(memory, scope, "I stopped using Java", "2023-01-01", **java) == "ADD"
    # Java until the change, and again since it was stated anew: as if all had come in order.
    assert await values(memory, scope) == [("Java", "superseded"), ("Go", "conflict"), ("Java", "conflict")]
    await sound(memory)


async def test_the_late_end_of_an_older_value_is_no_restatement(memory: graph.Memory, scope: graph.Scope) -> None:
    await say(memory, scope, "I use Java", "2020-01-01", key="lang", value="Java")
    await say(memory, scope, "I switched to Go", "2024-01-01", key="lang", value="Go")
    assert await say(memory, scope, "I stopped using Java", "2022-01-01", key="lang", value="Java") == "ADD"
    (java, go) = (await memory.timeline(scope, "ann", "lang")).periods
    assert (java.value, java.until) == ("Java", datetime(2022, 1, 1, tzinfo=UTC))
    assert (go.value, go.status) == ("Go", "active")
    await sound(memory)


async def test_an_end_of_something_else_ends_nothing(memory: graph.Memory, scope: graph.Scope) -> None:
    await say(memory, scope, "I use Java", key="lang", value="Java")
    for text in ("I no longer use Python", "我不用 Python 了"):
        assert await say(memory, scope, text, key="lang") == "ADD"
    assert await values(memory, scope) == [("Java", "active")]
    assert await say(memory, scope, "I no longer use Java", key="lang") == "INVALIDATE"


async def test_what_was_said_in_the_future_is_refused_and_nothing_is_written(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    ahead = (datetime.now(UTC) + timedelta(days=400)).isoformat()
    (told,) = await memory.remember(
        scope, [graph.Statement(text="I moved to Mars", key="home", value="Mars", occurred_at=ahead)]
    )
    assert (told.ruled.verdict, told.field) == ("REFUSED", "occurredAt")
    assert (await memory.atoms(scope, include_history=True)).atoms == ()
    assert await say(memory, scope, "I live in Paris", key="home", value="Paris") == "ADD"


async def test_what_was_known_then_is_what_was_current_then(memory: graph.Memory, scope: graph.Scope) -> None:
    await say(memory, scope, "I use Java", key="lang", value="Java")
    await asyncio.sleep(0.01)
    between = datetime.now(UTC)
    await asyncio.sleep(0.01)
    await say(memory, scope, "I switched to Go", key="lang", value="Go")
    for known_at, expected in ((between, ["I use Java"]), (None, ["I switched to Go"])):
        answer = await memory.search(scope, "What do I use? Java Go", filters=graph.Filters(known_at=known_at))
        assert [one.atom.text for one in answer.evidence] == expected


async def test_settings_set_at_once_are_all_kept(memory: graph.Memory, scope: graph.Scope) -> None:
    await memory.configure_group(scope, time_zone="Europe/Paris")
    await asyncio.gather(
        memory.configure_group(scope, external=True),
        memory.configure_group(scope, stale_days=9),
        memory.configure_group(scope, key_kinds={"lang": "many"}),
        memory.configure_group(scope, stale_keys={"mood": 1.0}),
    )
    settings = await memory.settings_of(scope)
    assert (settings.time_zone, settings.external, settings.stale_days) == ("Europe/Paris", True, 9)
    assert (dict(settings.key_kinds), dict(settings.stale_keys)) == ({"lang": "many"}, {"mood": 1.0})


async def test_a_pin_and_a_retraction_at_once_keep_both(memory: graph.Memory, scope: graph.Scope) -> None:
    for number in range(4):
        (receipt,) = await memory.record_events(scope, [graph.Event(event_id=f"e{number}", text="The tap drips.")])
        assert receipt.atom_id is not None
        await asyncio.gather(memory.pin(scope, receipt.atom_id), memory.retract(scope, receipt.atom_id))
        atom = await memory.atom(scope, id=receipt.atom_id)
        assert (atom.status, atom.flags) == ("invalid", ("pinned", "retracted"))


async def test_a_value_stated_by_very_many_events_is_found_at_the_same_cost(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    timeline = timeline_id(scope.group, "group", "ann", "room")
    said = [
        {"at": 4_000_000_000_000, "value_key": value_key("22")},
        {"at": 4_000_000_000_000, "value_key": value_key("21")},
    ]
    places = [{"timeline": timeline, "lanes": [], "said": said}]
    hits = []
    for count in (5, 200):
        events = [
            graph.Event(event_id=f"{count}-{number}", text="21 degrees", key="room", value="21", origin="user_stated")
            for number in range(count)
        ]
        receipts = await memory.record_events(scope, events)
        assert receipts[-1].ruled is not None
        assert receipts[-1].ruled.verdict == "NOOP"
        asked = {
            **dict.fromkeys(("subjects", "decided", "events", "records", "claims", "statuses"), ()),
            "places": places,
        }
        hits.append(await memory.store.profile("timelines/look_a", scope, asked=asked, most=100, most_near=24))
    assert hits[1] <= hits[0] + 5
