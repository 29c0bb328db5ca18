"""The rules an event must keep, the defaults it gets, and by what a repeat is known."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from api.schema import schema
from graph.model import Event
from graph.naming import entity_key, stable_id
from graph.ontology import UNDATED
from graph.scope import GROUP_AUDIENCE, RULE_ACTOR, Right, Scope
from graph.timelines.doors import MARK
from graph.writing.fields import LONGEST, Fault
from graph.writing.validation import CheckedEvent, detect_language, draft

HUB = Scope("home", "hub")
ANN = Scope("home", "ann", frozenset({Right.READ, Right.WRITE}))
UTC = ZoneInfo("UTC")
SHANGHAI = ZoneInfo("Asia/Shanghai")
HALF_A_PAIR = "before \ud83d after"


def event(**more: Any) -> Event:
    return Event(**{"event_id": "e-1", "text": "Tea is at four.", **more})


def kept(of: Event, scope: Scope = HUB, zone: ZoneInfo = UTC) -> CheckedEvent:
    checked = draft(of, scope, zone)
    assert isinstance(checked, CheckedEvent), checked
    return checked


def refused(of: Event, scope: Scope = HUB) -> Fault:
    checked = draft(of, scope, UTC)
    assert isinstance(checked, Fault), checked
    return checked


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


# Rules


@pytest.mark.parametrize(
    ("more", "field", "reason"),
    [
        ({"event_id": ""}, "eventId", "It is empty"),
        ({"event_id": " \t"}, "eventId", "It is empty"),
        ({"text": ""}, "text", "It is empty"),
        ({"text": "\n\u3000"}, "text", "It is empty"),
        ({"conversation_id": ""}, "conversationId", "leave an optional field out"),
        ({"key": " ", "value": "v"}, "key", "leave an optional field out"),
        ({"event_id": "x" * 201}, "eventId", "It has 201 characters; at most 200"),
        ({"text": "x" * 400_001}, "text", "at most 400000"),
        ({"conversation_id": "x" * 201}, "conversationId", "at most 200"),
        ({"subject": "x" * 201}, "subject", "at most 200"),
        ({"key": "x" * 201, "value": "v"}, "key", "at most 200"),
        ({"key": "k", "value": "x" * 2_001}, "value", "at most 2000"),
        ({"language": "x" * 17}, "language", "at most 16"),
        ({"quote": "x" * 20_001}, "quote", "at most 20000"),
        ({"text": HALF_A_PAIR}, "text", "half a surrogate pair"),
        ({"event_id": HALF_A_PAIR}, "eventId", "half a surrogate pair"),
        ({"subject": HALF_A_PAIR}, "subject", "half a surrogate pair"),
        ({"user_id": HALF_A_PAIR}, "userId", "no user id"),
        ({"entities": (HALF_A_PAIR,)}, "entities", "well-formed Unicode"),
        ({"metadata": {"a": HALF_A_PAIR}}, "metadata", "well-formed"),
        ({"metadata": {HALF_A_PAIR: 1}}, "metadata", "well-formed"),
        ({"user_id": "a b"}, "userId", "letters or digits of any script"),
        ({"user_id": ""}, "userId", "letters or digits of any script"),
        ({"user_id": GROUP_AUDIENCE}, "userId", 'is neither "group" nor "rule"'),
        ({"user_id": RULE_ACTOR}, "userId", 'is neither "group" nor "rule"'),
        ({"user_id": "ben", "visibility": "private", "key": "k", "value": "v"}, "visibility", "Only its own user"),
        ({"related_users": ("ben", "a b")}, "relatedUsers", "letters or digits of any script"),
        ({"related_users": tuple(f"u{n}" for n in range(51))}, "relatedUsers", "at most 50"),
        ({"entities": tuple(f"n{n}" for n in range(51))}, "entities", "at most 50"),
        ({"entities": ("Weber", " ")}, "entities", "1 to 200 characters"),
        ({"entities": ("x" * 201,)}, "entities", "1 to 200 characters"),
        ({"visibility": "public"}, "visibility", "private, group"),
        ({"visibility": "Group"}, "visibility", "private, group"),
        ({"origin": "guessed"}, "origin", "user_stated, observed, inferred, external"),
        ({"urgency": ""}, "urgency", "low, normal, high"),
        ({"act": "switches"}, "act", "asserts, replaces, ends, adds, plans"),
        ({"act": ""}, "act", "asserts, replaces, ends, adds, plans"),
        ({"act": "ENDS"}, "act", "asserts, replaces, ends, adds, plans"),
        ({"importance": 0.49}, "importance", "between 0.5 and 2.0"),
        ({"importance": 2.01}, "importance", "between 0.5 and 2.0"),
        ({"importance": math.nan}, "importance", "between 0.5 and 2.0"),
        ({"importance": math.inf}, "importance", "between 0.5 and 2.0"),
        ({"confidence": -0.01}, "confidence", "between 0 and 1"),
        ({"confidence": 1.01}, "confidence", "between 0 and 1"),
        ({"confidence": math.nan}, "confidence", "between 0 and 1"),
        ({"key": "lang"}, "value", "the end of a value is told by `remember`"),
        ({"value": "Go"}, "key", "needs the key that it is of"),
        ({"key": "lang", "value": ""}, "value", "It is empty"),
        ({"key": "lang", "value": " "}, "value", "It is empty"),
        ({"key": "lang", "value": "G\0o"}, "value", "NUL"),
        ({"subject": ""}, "subject", "It is empty"),
        ({"origin": "external"}, "origin", "configureGroup(external: true)"),
        ({"text": f"Tea. {MARK} [1] Tea is at four."}, "text", "own search output"),
        ({"key": "tea", "value": "four", "quote": "Tea is not at four"}, "quote", "says the opposite"),
        ({"quote": "Coffee"}, "quote", "does not stand in the record's text"),
        ({"record_id": "r", "record_text": "Other words.", "quote": "Tea"}, "quote", "does not stand"),
        ({"occurred_at": "yesterday"}, "occurredAt", "2024-05-01T10:00:00"),
        ({"occurred_at": "2024-02-30"}, "occurredAt", "no existing time"),
        ({"occurred_at": HALF_A_PAIR}, "occurredAt", "not a time"),
        ({"metadata": math.nan}, "metadata", "no JSON value"),
        ({"metadata": {"a": [math.inf]}}, "metadata", "no JSON value"),
        ({"metadata": {"a": {1, 2}}}, "metadata", "no JSON value"),
        ({"metadata": {"a": b"bytes"}}, "metadata", "no JSON value"),
        ({"metadata": {1: "a", "b": 2}}, "metadata", "no JSON value"),
        ({"metadata": nested(100_000)}, "metadata", "nests deeper"),
        ({"metadata": 10**5_000}, "metadata", "no JSON value"),
        ({"metadata": "x" * 20_001}, "metadata", "At most 20000 characters"),
    ],
)
def test_a_field_that_breaks_its_rule_is_named_with_the_way_out(
    more: Mapping[str, Any], field: str, reason: str
) -> None:
    fault = refused(event(**more))
    assert fault.field == field
    assert reason in fault.reason
    fault.reason.encode()  # it can be sent


@pytest.mark.parametrize("name", [*LONGEST, "user_id", "occurred_at", "related_users", "entities", "metadata"])
def test_a_fault_names_a_field_that_the_api_has(name: str) -> None:
    bad: Any = (HALF_A_PAIR,) if name in ("related_users", "entities") else HALF_A_PAIR
    fault = refused(event(**{"key": "k", "value": "v", name: bad}))
    head, _, inner = fault.field.partition(".")
    known: Any = schema._schema.type_map
    assert head in known["EventInput"].fields
    if inner:
        assert inner in known[f"{head.capitalize()}Input"].fields


@pytest.mark.parametrize("name", LONGEST)
def test_the_longest_text_of_a_field_is_kept(name: str) -> None:
    text = "x" * LONGEST[name]
    more = {"key": "k", "value": "v"} if name in ("key", "value") else {}
    more |= {"record_id": "r", "record_text": text} if name in ("quote", "record_text") else {}
    more |= {"record_id": text} if name == "record_id" else {}
    kept(event(**(more | {name: text})))


@pytest.mark.parametrize(
    "more",
    [
        {"importance": 0.5, "confidence": 0.0},
        {"importance": 2.0, "confidence": 1.0},
        {"visibility": "private", "origin": "inferred", "urgency": "high"},
        {"key": "由…组成", "value": "无"},
        {"key": "`für`", "value": "🙂"},
        {"quote": "at four"},
        {"record_id": "r", "record_text": "Ann: Tea is at four. Ben: Fine.", "quote": "Ben: Fine."},
        {"metadata": "x" * 19_998},
    ],
)
def test_what_keeps_the_rules_is_kept(more: Mapping[str, Any]) -> None:
    kept(event(**more))


def test_external_text_is_kept_where_the_group_takes_it_up() -> None:
    assert isinstance(draft(event(origin="external"), HUB, UTC, external=True), CheckedEvent)


def test_a_quote_may_stand_in_a_record_whose_text_another_event_brings() -> None:
    """The record's text is given once by one of the events that share it, so it cannot be missed here."""
    kept(event(text="Ben agrees.", record_id="r", quote="Ben: Fine."))


def test_an_event_of_another_user_needs_the_right() -> None:
    fault = refused(event(user_id="ben"), ANN)
    assert fault.field == "userId"
    assert "on_behalf" in fault.reason
    kept(event(user_id="ann"), ANN)
    kept(event(), ANN)
    kept(event(user_id="ben"), HUB)


# Metadata


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
@example({"a": {"b": [{"c": 1}]}})
def test_metadata_is_read_back_as_given(value: Any) -> None:
    stored = kept(event(metadata=value)).properties["metadata"]
    assert (None if stored is None else json.loads(stored)) == value


@pytest.mark.parametrize("depth", [2, 50, 500, 900, 950, 990])
def test_metadata_that_is_kept_can_be_read_from_deeper_in_the_program(depth: int) -> None:
    def read(text: str, calls: int) -> Any:
        return read(text, calls - 1) if calls else json.loads(text)

    checked = draft(event(metadata=nested(depth)), HUB, UTC)
    if isinstance(checked, Fault):
        assert checked.field == "metadata"
        return
    try:
        found = read(checked.properties["metadata"], 150)
    except RecursionError:
        pytest.fail("It is kept and cannot be read back.")
    assert found == nested(depth)


# Defaults


def test_the_viewer_is_the_user_and_the_subject_unless_said_otherwise() -> None:
    plain = kept(event()).properties
    assert (plain["user_id"], plain["subject"], plain["audience"]) == ("hub", "hub", GROUP_AUDIENCE)
    other = kept(event(user_id="ben", visibility="private")).properties
    assert (other["user_id"], other["subject"], other["audience"]) == ("ben", "ben", "ben")
    assert kept(event(subject="the boiler")).properties["subject"] == "the boiler"


def test_the_record_is_the_event_itself_unless_one_is_named() -> None:
    own = kept(event()).record
    assert (own["name"], own["text"], own["quote"]) == ("e-1", "Tea is at four.", None)
    named = kept(event(record_id="r", record_text="Ann: Tea is at four.", quote="Tea is at four")).record
    assert (named["name"], named["text"], named["quote"]) == ("r", "Ann: Tea is at four.", "Tea is at four")
    assert kept(event(record_id="r")).record["text"] is None


def test_a_source_belongs_to_its_user() -> None:
    ann, ben = (kept(event(user_id=user, source_id="phone", source_kind="phone")).source for user in ("ann", "ben"))
    assert ann == {"id": ann["id"], "name": "phone", "kind": "phone", "user_id": "ann"}
    assert ann["id"] != ben["id"]


def test_ids_are_the_same_in_one_group_and_differ_between_groups() -> None:
    here, again, there = (kept(event(), Scope(group, "hub")) for group in ("home", "home", "work"))
    assert here == again
    assert here.placed.id == stable_id("atom", "home", "e-1")
    for one, other in ((here.placed.id, there.placed.id), (here.stream, there.stream)):
        assert one != other
    assert here.source["id"] != there.source["id"]
    assert here.record["id"] != there.record["id"]


def test_a_naive_time_is_read_in_the_groups_zone_and_its_day_is_its_own() -> None:
    naive = kept(event(occurred_at="2024-05-01T01:00:00"), zone=SHANGHAI).properties
    assert naive["occurred_iso"] == "2024-05-01T01:00:00+08:00"
    assert naive["occurred_at"].isoformat() == "2024-04-30T17:00:00+00:00"
    assert (naive["day"], naive["day_token"]) == (20240501, "20240501")
    with_offset = kept(event(occurred_at="2025-07-25T02:00:00Z"), zone=SHANGHAI).properties
    assert with_offset["day"] == 20250725


@pytest.mark.parametrize("occurred_at", [None, ""])
def test_without_a_known_day_there_is_no_day(occurred_at: str | None) -> None:
    properties = kept(event(occurred_at=occurred_at)).properties
    assert (properties["day"], properties["day_token"]) == (UNDATED, None)


def test_days_sort_as_text_as_they_do_as_numbers() -> None:
    early, late = (kept(event(occurred_at=day)).properties for day in ("0999-05-01", "2024-05-01"))
    assert early["day"] < late["day"]
    assert early["day_token"] < late["day_token"]
    assert len(early["day_token"]) == len("20240501")


def test_the_times_that_a_text_speaks_of_count_from_its_own() -> None:
    said = kept(event(text="Yesterday I went hiking.", occurred_at="2023-05-08T10:00:00+08:00")).properties
    assert said["mentioned_from"].isoformat() == "2023-05-06T16:00:00+00:00"
    assert said["mentioned_to"].isoformat() == "2023-05-07T16:00:00+00:00"
    silent = kept(event()).properties
    assert (silent["mentioned_from"], silent["mentioned_to"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The boiler shows error 17.", "en"),
        ("今天很热", "zh"),
        ("我把项目从 Java 换成了 Go", "zh"),
        ("The word 热 means hot in the language that Jun speaks.", "en"),
        ("12:30 — 17.5", "en"),
        ("🙂", "en"),
        ("Für Übungen", "en"),
        ("", "en"),
    ],
)
def test_language_is_told_by_the_letters(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_a_stated_language_wins() -> None:
    assert kept(event(language="de")).properties["language"] == "de"
    assert kept(event(text="今天很热")).properties["language"] == "zh"


# Entities


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Weber", "WEBER"),
        ("Weber GmbH", "  Weber \t GmbH "),
        ("Weber", "Ｗｅｂｅｒ"),
        ("für", "fu\u0308r"),
        ("Straße", "STRASSE"),
        ("外币汇率", "外币汇率 "),
        ("Café", "CAFE\u0301"),
    ],
)
def test_spellings_of_one_entity(one: str, other: str) -> None:
    assert entity_key(one) == entity_key(other)


@pytest.mark.parametrize(("one", "other"), [("Java", "JavaScript"), ("C", "C++"), ("Bob", "Rob"), ("ab", "a b")])
def test_names_of_two_entities(one: str, other: str) -> None:
    assert entity_key(one) != entity_key(other)


@given(st.text(min_size=1))
def test_an_entity_key_has_no_outer_or_double_space(name: str) -> None:
    key = entity_key(name)
    assert key == " ".join(key.split())
    assert entity_key(f" {name}\n") == key


def test_an_event_that_spells_an_entity_twice_mentions_it_once() -> None:
    entities = kept(event(entities=("Weber", "weber", "  WEBER", "Boiler"))).entities
    assert len({entity_id for entity_id, _, _ in entities}) == 2
    assert len(entities) == 2


def test_entities_come_in_no_order_but_their_own() -> None:
    one, other = (kept(event(entities=names)) for names in (("Weber", "Boiler"), ("Boiler", "Weber")))
    assert one.entities == other.entities
    assert [name for _, _, name in one.entities] == [
        name for _, name in sorted((stable_id("entity", "home", name.casefold()), name) for name in ("Boiler", "Weber"))
    ]


# Repeats


FULL = event(
    user_id="ann",
    source_id="phone",
    conversation_id="kitchen",
    occurred_at="2024-05-01T00:00:00+02:00",
    subject="the kettle",
    key="place",
    value="shelf",
    related_users=("ben", "cleo"),
    entities=("Kettle", "Shelf"),
    metadata={"b": 1, "a": [1, 2]},
    record_id="r-1",
    record_text="Ann: Tea is at four.",
    quote="Tea",
)


@pytest.mark.parametrize(
    "again",
    [
        FULL,
        replace(FULL, related_users=("cleo", "ben", "ben")),
        replace(FULL, entities=("Shelf", " Kettle", "Kettle")),
        replace(FULL, metadata={"a": [1, 2], "b": 1}),
        replace(FULL, importance=1, confidence=1),
        replace(FULL, occurred_at=" 2024-05-01 00:00+02:00"),
        replace(FULL, record_text=None),
    ],
)
def test_the_same_said_otherwise_is_a_repeat(again: Event) -> None:
    assert kept(again).content_hash == kept(FULL).content_hash


def test_a_default_and_the_same_said_outright_are_a_repeat() -> None:
    outright = event(
        user_id="hub", subject="hub", source_id="api", visibility="group", origin="observed", urgency="normal"
    )
    assert kept(outright).content_hash == kept(event()).content_hash
    assert kept(event(occurred_at="")).content_hash == kept(event(occurred_at=None)).content_hash


CHANGED: Mapping[str, Any] = {
    "event_id": "e-2",
    "text": "Tea is at five.",
    "user_id": "ben",
    "source_id": "laptop",
    "conversation_id": "garden",
    "occurred_at": "2024-05-01T00:00:00+01:00",
    "visibility": "private",
    "origin": "user_stated",
    "subject": "the pot",
    "key": "spot",
    "value": "table",
    "related_users": ("ben",),
    "entities": ("Kettle",),
    "importance": 1.5,
    "urgency": "high",
    "confidence": 0.5,
    "language": "de",
    "metadata": {"a": [2, 1], "b": 1},
    "record_id": "r-2",
    "quote": "four",
    "act": "ends",
}
OF_OTHER_NODES = {"source_kind", "record_text"}  # they belong to a source and a record, which other events share


@pytest.mark.parametrize("name", [field.name for field in fields(Event) if field.name not in OF_OTHER_NODES])
def test_a_change_of_any_field_is_other_content(name: str) -> None:
    scope = Scope("home", "ann")  # who may state something in private
    assert kept(replace(FULL, **{name: CHANGED[name]}), scope).content_hash != kept(FULL, scope).content_hash


def test_without_an_act_the_content_is_as_it_was_before_there_were_acts() -> None:
    assert "act" not in kept(FULL).properties
    said = kept(replace(FULL, act="ends")).properties
    assert (said["act"], type(said["act"])) == ("ends", str)


def test_a_time_of_another_precision_is_other_content() -> None:
    times = ("2024-05-01T00:00:00", "2024-05-01", "2024-05")
    said = [kept(event(occurred_at=time)) for time in times]
    assert [one.properties["occurred_precision"] for one in said] == ["instant", "day", "month"]
    assert len({one.content_hash for one in said}) == len(times)


# Whatever comes in

any_text = st.text(st.characters(exclude_categories=()), max_size=20)
some = st.sampled_from
fit_text = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=20).filter(str.strip)
fit_event = st.builds(
    Event,
    event_id=fit_text,
    text=fit_text,
    conversation_id=st.none() | fit_text,
    occurred_at=st.none() | some(["0001-01-03", "9999-12-31", "2024-05-01T10:00:00+14:00", "2024-05"]),
    visibility=some(["group", "private"]),
    subject=st.none() | fit_text,
    entities=st.lists(fit_text, max_size=3).map(tuple),
    language=st.none() | fit_text.filter(lambda text: len(text) <= LONGEST["language"]),
    metadata=json_values,
    record_id=st.none() | fit_text,
)


anything: Mapping[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys((field.name for field in fields(Event)), any_text),
    "text": any_text | some(["Yesterday at noon.", "去年夏天", "9999-12-31", "0001-01-01", "in 99999 years"]),
    "occurred_at": any_text | some(["0001-01-01", "0001-01-01T00:00+01:00", "9999-12-31T23:59:59-18:00", "2024-05"]),
    "related_users": st.lists(any_text | some(["ann"]), max_size=2).map(tuple),
    "entities": st.lists(any_text, max_size=2).map(tuple),
    "importance": st.floats(),
    "confidence": st.floats(),
    "metadata": json_values | st.floats() | any_text | some([object(), {1, 2}, {None: 1, "a": 2}, 10**5_000, b""]),
}


@st.composite
def any_event(draw: st.DrawFn) -> Event:
    """An event that keeps the rules, but for some of its fields."""
    changed = draw(st.sets(some(sorted(anything)), max_size=3))
    return replace(draw(fit_event), **{name: draw(anything[name]) for name in sorted(changed)})


@settings(deadline=None)
@given(any_event(), some([HUB, ANN]), some([UTC, SHANGHAI]))
def test_any_event_is_a_draft_or_a_fault(of: Event, scope: Scope, zone: ZoneInfo) -> None:
    checked = draft(of, scope, zone)
    if isinstance(checked, Fault):
        assert checked.field
        checked.reason.encode()
    assert draft(of, scope, zone) == checked


@settings(deadline=None)
@given(fit_event)
def test_a_draft_holds_what_the_database_can_keep(of: Event) -> None:
    checked = kept(of)
    assert checked.placed.stream_position.isascii()
    assert checked.stream == checked.placed.stream_position.split(" ")[0]
    assert checked.properties["id"] == checked.placed.id
    assert checked.properties["text"] == of.text
    assert checked.properties["language"].strip()
    json.dumps(checked.properties, default=str).encode()
