"""Who may retire what, which doors stay shut, and what people correct, on the real server."""

from datetime import UTC, datetime
from typing import Any

import pytest

import graph
from graph.errors import AccessDenied, InvalidInput, NotFound
from tests.remembering import found, lang, say, size, sound, standings, values

# Authority


async def test_an_inference_never_retires_what_a_user_stated(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "I use Java", "Java")
    for text, value in (("Ann switched to Go", "Go"), ("Ann uses Rust", "Rust")):
        inferred = await lang(memory, scope, text, value, origin="inferred", subject="ann")
        assert inferred.ruled.verdict in ("CONFLICT", "ADD"), text
        assert inferred.atom_id is not None
        assert "needs_confirmation" in (await memory.atom(scope, id=inferred.atom_id)).flags
    ended = await lang(memory, scope, "Ann no longer uses Java", None, origin="inferred", subject="ann")
    assert ended.ruled.verdict == "ADD"
    assert dict(await standings(memory, scope))["I use Java"] in ("active", "conflict")
    await sound(memory, scope.group)


async def test_an_unconfirmed_inference_weighs_half_until_a_person_confirms_it(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    inferred = await lang(memory, scope, "Ann uses Java", "Java", origin="inferred", subject="ann")
    assert inferred.atom_id is not None
    assert [one.score.status_weight for one in (await memory.search(scope, "Ann Java")).evidence] == [0.5]
    await memory.confirm(scope, inferred.atom_id)
    assert [one.score.status_weight for one in (await memory.search(scope, "Ann Java")).evidence] == [1.0]
    with pytest.raises(InvalidInput, match="needs no confirmation"):
        await memory.confirm(scope, inferred.atom_id)


@pytest.mark.parametrize("origin", ["observed", "inferred"])
async def test_an_observation_does_not_retire_what_a_user_stated(
    memory: graph.Memory, scope: graph.Scope, origin: str
) -> None:
    await lang(memory, scope, "I use Java", "Java")
    event = graph.Event(
        event_id="seen", text="Ann switched to Go", subject="ann", key="lang", value="Go", origin=origin
    )
    (receipt,) = await memory.record_events(scope, [event])
    assert receipt.ruled is not None
    assert receipt.ruled.verdict == "CONFLICT"
    assert await values(memory, scope) == [("Java", "conflict"), ("Go", "conflict")]


async def test_somebody_else_does_not_retire_what_ann_stated_of_herself(memory: graph.Memory, group: str) -> None:
    ann, ben = graph.Scope(group, "ann"), graph.Scope(group, "ben")
    await lang(memory, ann, "I use Java", "Java")
    moved = await lang(memory, ben, "Ann moved to Go now", "Go", subject="ann")
    assert moved.ruled.verdict == "CONFLICT"
    over = await lang(memory, ben, "Ann no longer uses Java", None, subject="ann")
    assert over.ruled.verdict == "ADD"
    assert await values(memory, ann) == [("Java", "conflict"), ("Go", "conflict")]
    assert (await lang(memory, ann, "I moved to Rust now", "Rust")).ruled.verdict == "UPDATE"
    assert await values(memory, ann) == [("Java", "superseded"), ("Go", "superseded"), ("Rust", "active")]
    await sound(memory, group)


async def test_private_statements_are_settled_among_themselves_and_hidden(memory: graph.Memory, group: str) -> None:
    ann, ben = graph.Scope(group, "ann"), graph.Scope(group, "ben")
    await lang(memory, ann, "I use Java", "Java")
    secret = await lang(memory, ann, "I moved to Go now, secretly", "Go", visibility="private")
    assert secret.ruled.verdict == "ADD", "what the group knows is not touched"
    newer = await lang(memory, ann, "I moved to Zig now, secretly", "Zig", visibility="private")
    assert newer.ruled.verdict == "UPDATE"
    assert await standings(memory, ben) == [("I use Java", "active")]
    assert await values(memory, ben, subject="ann") == [("Java", "active")]
    assert await values(memory, ann) == [("Java", "active"), ("Go", "superseded"), ("Zig", "active")]
    assert await found(memory, ben, "secretly Go Zig", include_history=True) == ["I use Java"]
    assert secret.atom_id is not None
    for reading in (memory.decisions, memory.confirm, memory.retract, memory.pin):
        with pytest.raises(NotFound):
            await reading(ben, secret.atom_id)
    assert [one.verdict for one in await memory.decisions(ann, secret.atom_id)] == ["ADD", "UPDATE"]
    await sound(memory, group)


# Doors


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": "We use Java", "record_id": "r", "record_text": "We use Go.", "quote": "Java"}, "quote"),
        ({"text": "We use Java", "record_id": "r", "quote": "Java"}, "record.text"),
        (
            {"text": "We use Java", "record_id": "r", "record_text": "We do not use Java.", "quote": "do not use Java"},
            "quote",
        ),
        (
            {"text": "We don't use Java", "record_id": "r", "record_text": "We use Java.", "quote": "We use Java"},
            "quote",
        ),
        ({"text": "We use Java", "occurred_at": "last Tuesday"}, "occurredAt"),
        ({"text": "   "}, "text"),
        ({"text": "We use Java", "value": "Java"}, "key"),
        ({"text": "We use Java", "origin": "external"}, "origin"),
        ({"text": "We use Java", "origin": "rumour"}, "origin"),
        ({"text": "We use Java", "client_id": ""}, "clientId"),
    ],
)
async def test_a_door_that_does_not_open_leaves_nothing_written(
    memory: graph.Memory, scope: graph.Scope, fields: dict[str, Any], field: str
) -> None:
    (refused,) = await memory.remember(scope, [graph.Statement(**fields)])
    assert (refused.ruled.verdict, refused.field, refused.atom_id) == ("REFUSED", field, None)
    assert refused.reason
    assert await size(memory, scope.group) == (0, 0)


async def test_a_refused_statement_does_not_hold_up_the_good_one_beside_it(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    answers = await memory.remember(scope, [graph.Statement(text=" "), graph.Statement(text="We use Java")])
    assert [answer.ruled.verdict for answer in answers] == ["REFUSED", "ADD"]
    assert await standings(memory, scope) == [("We use Java", "active")]


async def test_a_quote_is_looked_for_in_the_record_that_is_known_and_may_be_seen(
    memory: graph.Memory, group: str
) -> None:
    ann, ben = graph.Scope(group, "ann"), graph.Scope(group, "ben")
    letter = {"record_id": "letter", "record_text": "Dear all, we use Java."}
    await say(memory, ann, "We use Java", quote="we use Java", **letter)
    good = await say(memory, ann, "It began with Dear all", record_id="letter", quote="Dear all")
    bad = await say(memory, ann, "We use Go", record_id="letter", quote="we use Go")
    other = await say(memory, ann, "We use Go", record_id="letter", record_text="Dear all, we use Go.")
    assert [one.ruled.verdict for one in (good, bad, other)] == ["ADD", "REFUSED", "REFUSED"]
    assert [one.field for one in (bad, other)] == ["quote", "record.id"]
    await say(memory, ann, "My diary", record_id="diary", record_text="The necklace is hidden.", visibility="private")
    probes = [
        await say(memory, ben, text, record_id="diary", quote=quote)
        for text, quote in (("The necklace", "necklace"), ("The ring", "ring"))
    ]
    assert len({(one.ruled.verdict, one.field, one.reason) for one in probes}) == 1
    assert (probes[0].ruled.verdict, probes[0].field) == ("REFUSED", "record.id")
    await sound(memory, group)


# Corrections


async def test_decisions_say_who_by_which_rule_and_from_what_to_what(memory: graph.Memory, scope: graph.Scope) -> None:
    old = await lang(memory, scope, "We use Java", "Java")
    new = await lang(memory, scope, "We moved to Go now", "Go")
    assert old.atom_id is not None
    first, second = await memory.decisions(scope, old.atom_id)
    assert (first.actor, first.verdict, first.before, first.cause) == ("rule", "ADD", None, old.atom_id)
    assert first.after["status"] == "active"
    assert (second.actor, second.verdict, second.rule, second.cause) == (
        "rule",
        "UPDATE",
        "wording of change",
        new.atom_id,
    )
    assert second.words
    assert second.before is not None
    assert (second.before["status"], second.after["status"]) == ("active", "superseded")
    assert first.at < second.at
    await memory.pin(scope, old.atom_id)
    third = (await memory.decisions(scope, old.atom_id))[-1]
    assert (third.actor, third.after["flags"]) == ("ann", ["pinned"])
    assert await memory.pin(scope, old.atom_id) == [], "it is pinned already"
    assert len(await memory.decisions(scope, old.atom_id)) == 3
    with pytest.raises(NotFound):
        await memory.decisions(graph.Scope(f"{scope.group}x", "ann"), old.atom_id)


@pytest.mark.parametrize("correction", ["confirm", "retract", "pin"])
async def test_user_subject_and_administrator_may_correct_and_nobody_else(
    memory: graph.Memory, group: str, correction: str
) -> None:
    rights = graph.ALL_RIGHTS - {graph.Right.ADMIN}
    scopes = {name: graph.Scope(group, name, rights) for name in ("ann", "ben", "cem")}
    told: dict[str, list[str]] = {}
    for name in ("writer", "subject", "other", "admin"):
        keys = {"key": f"lang-{name}", "subject": "ben"}
        first = await say(memory, scopes["ann"], "Ben uses Java", value="Java", **keys)
        await say(memory, scopes["ann"], "Ben uses Go", value="Go", **keys)
        told[name] = [first.atom_id or ""]
    do = {"confirm": memory.confirm, "retract": memory.retract, "pin": memory.pin}[correction]
    assert await do(scopes["ann"], told["writer"][0])
    assert await do(scopes["ben"], told["subject"][0])
    with pytest.raises(AccessDenied, match="admin"):
        await do(scopes["cem"], told["other"][0])
    assert await do(graph.Scope(group, "cem"), told["admin"][0])
    with pytest.raises(AccessDenied, match="write"):
        await do(graph.Scope(group, "ann", frozenset({graph.Right.READ})), told["other"][0])
    await sound(memory, group)


async def test_confirming_ones_own_word_does_not_retire_what_another_said_of_herself(
    memory: graph.Memory, group: str
) -> None:
    rights = graph.ALL_RIGHTS - {graph.Right.ADMIN}
    ann, ben = (graph.Scope(group, name, rights) for name in ("ann", "ben"))
    hers = await lang(memory, ann, "I use Java", "Java")
    his = await lang(memory, ben, "Ann uses Go", "Go", subject="ann")
    assert his.ruled.verdict == "CONFLICT"
    with pytest.raises(AccessDenied, match="admin"):
        await memory.confirm(ben, his.atom_id or "")
    assert await values(memory, ann) == [("Java", "conflict"), ("Go", "conflict")]
    await memory.retract(ben, his.atom_id or "")
    assert await values(memory, ann) == [("Java", "active"), ("Go", "invalid")]
    assert hers.atom_id is not None
    assert [one.after["status"] for one in await memory.decisions(ann, hers.atom_id)] == [
        "active",
        "conflict",
        "active",
    ]
    await sound(memory, group)


async def test_what_is_pinned_does_not_go_stale(memory: graph.Memory, scope: graph.Scope) -> None:
    await memory.configure_group(scope, stale_days=30)
    old = await lang(memory, scope, "We use Java", "Java", "2020-01-01")
    (evidence,) = (await memory.search(scope, "Java")).evidence
    assert (evidence.stale, evidence.score.status_weight) == (True, 0.5)
    assert old.atom_id is not None
    await memory.pin(scope, old.atom_id)
    (evidence,) = (await memory.search(scope, "Java")).evidence
    assert (evidence.stale, evidence.score.status_weight) == (False, 1.0)
    await memory.pin(scope, old.atom_id, pinned=False)
    await memory.configure_group(scope, stale_keys={"LANG": 10_000})
    (evidence,) = (await memory.search(scope, "Java")).evidence
    assert evidence.stale is False


async def test_small_talk_is_not_kept_and_a_decision_says_so(memory: graph.Memory, scope: graph.Scope) -> None:
    skipped = await say(memory, scope, "今天很热")
    assert (skipped.ruled.verdict, skipped.atom_id) == ("SKIPPED_EPHEMERAL", None)
    found = await memory.store._driver.execute_query(
        "MATCH (n) WHERE n.group_id = $group RETURN labels(n)[0] AS label, n.verdict AS v, n.text AS text",
        group=scope.group,
    )
    assert {tuple(record.values()) for record in found.records} == {
        ("Subject", None, None),
        ("Decision", "SKIPPED_EPHEMERAL", "今天很热"),
    }
    # Sent again with an id of its own it is known, and not decided anew.
    first, again = [await say(memory, scope, "今天很热", client_id="hot") for _ in range(2)]
    assert first == again
    await sound(memory, scope.group)


# What was misread


async def test_confirming_what_was_superseded_takes_back_what_replaced_it(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    old = await lang(memory, scope, "We use Java", "Java", "2024-03-01")
    new = await lang(memory, scope, "We moved to Go now", "Go", "2025-03-01")
    touched = await memory.confirm(scope, old.atom_id or "")
    assert {one.atom_id: (one.before, one.after) for one in touched} == {
        old.atom_id: ("superseded", "active"),
        new.atom_id: ("active", "invalid"),
    }
    told = await memory.timeline(scope, "ann", "lang")
    assert told.rendered == "Java (2024–)"
    assert (await memory.decisions(scope, old.atom_id or ""))[-1].rule == "reinstated by a person"
    # What comes next is decided as if the misread statement had never been.
    third = await lang(memory, scope, "We switched to Rust", "Rust")
    assert [one.atom_id for one in third.ruled.touched] == [third.atom_id, old.atom_id]
    assert await values(memory, scope) == [("Java", "superseded"), ("Go", "invalid"), ("Rust", "active")]
    await sound(memory, scope.group)


async def test_confirming_what_was_ended_takes_back_the_end_and_what_restated_it_holds_again(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    event = graph.Event(
        event_id="e",
        text="We use Java",
        user_id="ann",
        occurred_at="2025-03-01T12:00:00Z",
        key="lang",
        value="Java",
        origin="user_stated",
    )
    old = await lang(memory, scope, "We use Java", "Java", "2024-03-01")
    await memory.record_events(scope, [event])
    await lang(memory, scope, "We no longer use Java", None, "2025-06-01")
    assert [status for _, status in await standings(memory, scope)] == ["invalid", "invalid", "active"]
    await memory.confirm(scope, old.atom_id or "")
    assert await standings(memory, scope) == [
        ("We use Java", "active"),
        ("We use Java", "active"),
        ("We no longer use Java", "invalid"),
    ]
    await sound(memory, scope.group)


async def test_confirming_what_was_retracted_undoes_that(memory: graph.Memory, scope: graph.Scope) -> None:
    old = await lang(memory, scope, "We use Java", "Java")
    await memory.retract(scope, old.atom_id or "")
    await memory.confirm(scope, old.atom_id or "")
    assert await values(memory, scope) == [("Java", "active")]
    await sound(memory, scope.group)


async def test_without_a_key_a_change_accepted_by_mistake_is_undone_as_well(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    old = await say(memory, scope, "I live in Lyon", occurred_at="2024-03-01T12:00:00Z")
    new = await say(memory, scope, "I moved to Oslo", occurred_at="2025-03-01T12:00:00Z", act="replaces")
    assert [(one.atom_id, one.verdict) for one in new.ruled.proposed] == [(old.atom_id, "UPDATE")]
    await memory.accept(scope, new.atom_id or "", old.atom_id or "")
    assert await standings(memory, scope) == [("I live in Lyon", "superseded"), ("I moved to Oslo", "active")]
    await memory.confirm(scope, old.atom_id or "")
    assert await standings(memory, scope) == [("I live in Lyon", "active"), ("I moved to Oslo", "invalid")]
    await sound(memory, scope.group)


async def test_what_another_value_stands_for_is_not_reinstated_beside_it(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    first, second, third = [
        await lang(memory, scope, text, value, day)
        for text, value, day in (
            ("We use Java", "Java", "2023-03-01"),
            ("We moved to Go now", "Go", "2024-03-01"),
            ("We moved to Rust now", "Rust", "2025-03-01"),
        )
    ]
    with pytest.raises(InvalidInput, match=f"Confirm {second.atom_id} first"):
        await memory.confirm(scope, first.atom_id or "")
    await memory.retract(scope, third.atom_id or "")
    fourth = await lang(memory, scope, "We use Zig", "Zig", "2026-03-01")
    with pytest.raises(InvalidInput, match=f"Retract {fourth.atom_id} first"):
        await memory.confirm(scope, third.atom_id or "")
    late = await lang(memory, scope, "We use Perl", "Perl", "2020-03-01")
    with pytest.raises(InvalidInput, match="It was history when it came"):
        await memory.confirm(scope, late.atom_id or "")
    await sound(memory, scope.group)


async def test_an_undo_is_undone_and_the_old_period_is_back(memory: graph.Memory, scope: graph.Scope) -> None:
    old = await lang(memory, scope, "We use Java", "Java", "2024-03-01")
    new = await lang(memory, scope, "We moved to Go now", "Go", "2025-03-01")
    await memory.confirm(scope, old.atom_id or "")
    await memory.confirm(scope, new.atom_id or "")
    assert (await memory.timeline(scope, "ann", "lang")).rendered == "Java (2024–2025) → Go (2025–)"
    await sound(memory, scope.group)


async def test_an_event_that_says_it_again_is_confirmed_where_it_was_said(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    events = [
        graph.Event(event_id=name, text=text, user_id="ann", occurred_at=f"2025-0{month}-01T12:00:00Z", key="lang",
                    value=value, origin="user_stated")
        for name, text, value, month in (
            ("e1", "We use Java", "Java", 1), ("e2", "We use Java", "Java", 2), ("e3", "We switched to Go", "Go", 3),
        )
    ]  # fmt: skip
    receipts = await memory.record_events(scope, events)
    await memory.confirm(scope, receipts[1].atom_id or "")
    assert await values(memory, scope) == [("Java", "active"), ("Go", "invalid")]
    assert [status for _, status in await standings(memory, scope)] == ["active", "active", "invalid"]
    await sound(memory, scope.group)


async def test_what_holds_besides_is_reinstated_beside_another_value(memory: graph.Memory, scope: graph.Scope) -> None:
    await lang(memory, scope, "We use Java", "Java", "2024-01-01")
    go = await lang(memory, scope, "We also use Go", "Go", "2024-02-01")
    await lang(memory, scope, "We no longer use Go", None, "2024-03-01")
    await memory.confirm(scope, go.atom_id or "")
    assert await values(memory, scope) == [("Java", "active"), ("Go", "active")]
    await sound(memory, scope.group)


async def test_what_was_retracted_orders_no_late_arrival(memory: graph.Memory, scope: graph.Scope) -> None:
    wrong = await lang(memory, scope, "We use Go", "Go", "2024-03-01")
    await memory.retract(scope, wrong.atom_id or "")
    assert (await lang(memory, scope, "We use Java", "Java", "2024-02-01")).ruled.rule == "first of its key"
    assert ("Java", "active") in await values(memory, scope)
    await sound(memory, scope.group)


@pytest.mark.parametrize(
    ("first", "again", "last"),
    [
        ({"origin": "observed"}, {}, {"origin": "observed"}),
        ({"origin": "inferred"}, {}, {"origin": "inferred"}),
        ({"user_id": "bob"}, {}, {"user_id": "bob"}),
    ],
)
async def test_what_a_user_says_herself_is_hers_whoever_said_it_first(
    memory: graph.Memory, scope: graph.Scope, first: dict[str, str], again: dict[str, str], last: dict[str, str]
) -> None:
    told = [
        await lang(memory, scope, text, value, subject="ann", **more)
        for text, value, more in (
            ("Ann uses Java", "Java", first), ("I use Java", "Java", again), ("Ann switched to Go", "Go", last),
        )
    ]  # fmt: skip
    assert [one.ruled.verdict for one in told] == ["ADD", "NOOP", "CONFLICT"]
    assert told[1].subject == "ann"
    await sound(memory, scope.group)


async def test_doubt_is_marked_and_stays_beside_what_is_known(memory: graph.Memory, scope: graph.Scope) -> None:
    first = await lang(memory, scope, "Maybe we use Java", "Java")
    assert (await memory.atom(scope, id=first.atom_id or "")).flags == ("needs_confirmation",)
    doubtful = await lang(memory, scope, "Maybe we use Go", "Go")
    with pytest.raises(InvalidInput, match="Remember it anew, without the doubt"):
        await memory.confirm(scope, doubtful.atom_id or "")
    await sound(memory, scope.group)


async def test_nobody_else_remembers_in_private(memory: graph.Memory, scope: graph.Scope) -> None:
    told = await say(memory, scope, "I live in Oslo", user_id="bob", visibility="private")
    assert (told.ruled.verdict, told.field) == ("REFUSED", "visibility")


async def test_what_is_told_of_today_is_newer_than_what_was_said_this_morning(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    await lang(memory, scope, "We use Java", "Java")
    today = datetime.now(UTC).date().isoformat()
    told = await say(memory, scope, "We moved to Go", key="lang", value="Go", occurred_at=today)
    assert told.ruled.verdict == "UPDATE"
    assert await values(memory, scope) == [("Java", "superseded"), ("Go", "active")]


async def test_confirming_one_side_and_then_the_other_makes_no_circle(memory: graph.Memory, scope: graph.Scope) -> None:
    java = await lang(memory, scope, "We use Java", "Java", "2024-03-01")
    go = await lang(memory, scope, "We use Go", "Go", "2025-03-01")
    await memory.confirm(scope, java.atom_id or "")
    await memory.confirm(scope, go.atom_id or "")
    assert (await memory.timeline(scope, "ann", "lang")).rendered == "Java (2024–2025) → Go (2025–)"
    await memory.confirm(scope, java.atom_id or "")
    assert await values(memory, scope) == [("Java", "active"), ("Go", "invalid")]
    await sound(memory, scope.group)


async def test_what_took_its_place_and_ended_is_not_undone_in_one_step(
    memory: graph.Memory, scope: graph.Scope
) -> None:
    java = await lang(memory, scope, "We use Java", "Java", "2023-03-01")
    go = await lang(memory, scope, "We moved to Go now", "Go", "2024-03-01")
    await lang(memory, scope, "We no longer use Go", None, "2025-03-01")
    with pytest.raises(InvalidInput, match=f"Confirm {go.atom_id} first"):
        await memory.confirm(scope, java.atom_id or "")
    perl = await lang(memory, scope, "We use Perl", "Perl", "2023-09-01")
    await memory.confirm(scope, go.atom_id or "")
    with pytest.raises(InvalidInput, match="told late"):
        await memory.confirm(scope, java.atom_id or "")
    assert perl.ruled.verdict == "ADD"
    await sound(memory, scope.group)


async def test_who_restates_a_side_does_not_settle_the_conflict(memory: graph.Memory, scope: graph.Scope) -> None:
    java = await lang(memory, scope, "Ann uses Java", "Java", user_id="bob", subject="ann")
    await lang(memory, scope, "Ann uses Go", "Go", user_id="bob", subject="ann")
    await lang(memory, scope, "I use Java", "Java", subject="ann")
    atom = await memory.atom(scope, id=java.atom_id or "")
    assert (atom.status, atom.flags) == ("conflict", ("needs_confirmation",))
    await sound(memory, scope.group)


async def test_doubt_is_over_once_it_is_said_without(memory: graph.Memory, scope: graph.Scope) -> None:
    first = await lang(memory, scope, "Maybe we use Java", "Java")
    for text, flags in (("Maybe we use Java", ("needs_confirmation",)), ("We use Java", ())):
        assert (await lang(memory, scope, text, "Java")).ruled.verdict == "NOOP"
        assert (await memory.atom(scope, id=first.atom_id or "")).flags == flags, text
    await sound(memory, scope.group)
