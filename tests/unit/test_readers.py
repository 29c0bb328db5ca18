"""Files of events: JSON Lines, and the shapes of the public sets on made-up files of a few lines."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import graph
from api.readers import EventLine, event_of, read_events, user_name
from api.schema import schema
from bench import sets
from graph.errors import InvalidInput

LINE = {"eventId": "e-1", "text": "Tea is at four."}

CHAT: dict[str, Any] = {
    "sample_id": "pair-7",
    "conversation": {
        "speaker_a": "Ann Lee",
        "speaker_b": "Ben",
        "session_10_date_time": "9:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Happy new year!"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ann Lee", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red kite over a lake"},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "Lovely.", "img_url": ["kite.jpg"]},
        ],
        "session_11_date_time": "12:00 am on 2 January, 2024",
    },
    "qa": [
        {"question": "What flew?", "answer": "A kite", "category": 4, "evidence": ["D2:1"]},
        {"question": "Who and when?", "answer": "…", "category": 1, "evidence": ["D2:01; D10:1", "D9:9"]},
        {"question": "Who sang?", "adversarial_answer": "Ben", "category": 5, "evidence": []},
    ],
}

YEAR: dict[str, Any] = {
    "user": "Mei Lin",
    "memories": [
        {"id": "m-1", "source": "note", "time": "2025-01-03T08:00:00", "text": "Bought skates."},
        {"id": "m-2", "source": "calendar", "time": "2025-01-04", "text": "Ice rink."},
        {"id": "m-3", "source": "photo", "time": "", "text": "A frozen lake."},
        {"id": "m-4", "source": "photo", "time": None, "text": "A cup of cocoa."},
    ],
    "qa": [
        {"question": "What for?", "type": "multi", "evidence": ["m-1", "m-2", "m-404"], "ask_time": "2025-02"},
        {"question": "Where?", "type": "single", "evidence": [], "ask_time": "2025-01-05T10:00:00"},
        {"question": "Which day?", "type": "single", "evidence": ["m-2"], "ask_time": "2024-02"},
    ],
}


def file(folder: Path, content: object) -> Path:
    path = folder / "events.jsonl"
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
    return path


def lines(*made: object) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in made)


def events(folder: Path, content: object) -> list[graph.Event]:
    (batch,) = read_events(file(folder, content))
    return list(batch.events)


# JSON Lines


def test_a_line_is_an_event_as_the_api_takes_it(tmp_path: Path) -> None:
    full = {
        "eventId": "e-2",
        "text": "茶在四点。",
        "userId": "ann",
        "source": {"id": "phone", "kind": "phone"},
        "conversationId": "kitchen",
        "occurredAt": "2026-03-01T16:00:00+01:00",
        "visibility": "private",
        "origin": "user_stated",
        "subject": "tea",
        "key": "time",
        "value": "four",
        "relatedUsers": ["ben"],
        "entities": ["Tea"],
        "importance": 2,
        "urgency": "high",
        "confidence": 0.5,
        "language": "zh",
        "metadata": {"a": {"b": [{"c": 1}]}},
        "record": {"id": "r", "text": "Ann: 茶在四点。"},
        "quote": "茶",
    }
    plain, read = events(tmp_path, lines(LINE, full))
    assert plain == graph.Event(event_id="e-1", text="Tea is at four.", source_id="import")
    assert read == graph.Event(
        event_id="e-2",
        text="茶在四点。",
        user_id="ann",
        source_id="phone",
        source_kind="phone",
        conversation_id="kitchen",
        occurred_at="2026-03-01T16:00:00+01:00",
        visibility="private",
        origin="user_stated",
        subject="tea",
        key="time",
        value="four",
        related_users=("ben",),
        entities=("Tea",),
        importance=2.0,
        urgency="high",
        confidence=0.5,
        language="zh",
        metadata={"a": {"b": [{"c": 1}]}},
        record_id="r",
        record_text="Ann: 茶在四点。",
        quote="茶",
    )
    assert event_of(full) == read


def test_a_line_has_the_fields_of_the_api_and_no_others() -> None:
    api: Any = schema._schema.type_map
    for model, kind in ((EventLine, "EventInput"), *_inner("source", "SourceInput"), *_inner("record", "RecordInput")):
        assert {field.alias for field in model.model_fields.values()} == set(api[kind].fields)


def _inner(field: str, kind: str) -> list[tuple[Any, str]]:
    annotation: Any = EventLine.model_fields[field].annotation
    model = next((part for part in getattr(annotation, "__args__", ()) if hasattr(part, "model_fields")), annotation)
    return [(model, kind)]


def test_lines_may_be_blank_end_in_cr_and_hold_any_sign(tmp_path: Path) -> None:
    odd = {**LINE, "eventId": "e-2", "text": "one\u2028two\u0085three\x0bfour"}
    text = "\ufeff\n" + json.dumps(LINE) + "\r\n \n" + json.dumps(odd, ensure_ascii=False)
    assert [event.text for event in events(tmp_path, text)] == [LINE["text"], odd["text"]]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_holds_no_events(tmp_path: Path, text: str) -> None:
    assert events(tmp_path, text) == []


def test_a_file_of_one_line_is_read_as_lines(tmp_path: Path) -> None:
    assert [event.event_id for event in events(tmp_path, lines(LINE))] == ["e-1"]


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"text": "Tea."}, "eventId"),
        ({**LINE, "eventId": 5}, "eventId"),
        ({**LINE, "text": None}, "text"),
        ({**LINE, "occured_at": "2026-03-01"}, "occured_at"),
        ({**LINE, "event_id": "e-3"}, "event_id"),
        ({**LINE, "source": {"kind": "phone"}}, "source.id"),
        ({**LINE, "source": "phone"}, "source"),
        ({**LINE, "record": {"id": "r", "body": "x"}}, "record.body"),
        ({**LINE, "relatedUsers": ["ann", 5]}, "relatedUsers.1"),
        ({**LINE, "relatedUsers": None}, "relatedUsers"),
        ({**LINE, "importance": "1.0"}, "importance"),
        ({**LINE, "importance": True}, "importance"),
        ([LINE], "line"),
        ("e-1", "line"),
        (5, "line"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, bad: object, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_events(file(tmp_path, lines(LINE, LINE, bad, LINE)))
    assert f"events.jsonl:3: {field}: " in str(refusal.value)


@pytest.mark.parametrize("bad", ["{", '{"eventId": "e-1", "text": "cut', "not JSON", "{'eventId': 'e-1'}", "\x00"])
def test_a_line_that_is_no_json_is_named(tmp_path: Path, bad: str) -> None:
    with pytest.raises(InvalidInput, match=r"events\.jsonl:2: line: "):
        read_events(file(tmp_path, lines(LINE) + bad))


@pytest.mark.parametrize("content", ["3", '"text"', "null", "true"])
def test_a_file_of_something_else_is_refused_as_lines(tmp_path: Path, content: str) -> None:
    with pytest.raises(InvalidInput, match=r"events\.jsonl:1: line: "):
        read_events(file(tmp_path, content))


@pytest.mark.parametrize("content", ["[1]", "[[]]", '["conversation"]', "[null, {}]", "[" + json.dumps(LINE) + "]"])
def test_a_list_of_something_else_is_refused_with_what_it_should_be(tmp_path: Path, content: str) -> None:
    with pytest.raises(InvalidInput, match=r"events\.jsonl: .*LoCoMo \(a list of conversations\)"):
        read_events(file(tmp_path, content))


@pytest.mark.parametrize(
    "content",
    [
        [CHAT, 1],
        [CHAT, {}],
        [{"conversation": {}}],
        [{"conversation": 1, "sample_id": "x"}],
        [{**CHAT, "conversation": {**CHAT["conversation"], "session_2_date_time": "yesterday"}}],
        [
            {
                **CHAT,
                "conversation": {"session_1": [{"speaker": "Ann"}], "session_1_date_time": "9:05 am on 1 May, 2024"},
            }
        ],
        {"memories": []},
        {"user": "Mei", "memories": [{"id": "m-1"}]},
        {"user": "Mei", "memories": 1},
    ],
)
def test_a_damaged_set_is_refused_and_does_not_break_the_program(tmp_path: Path, content: object) -> None:
    with pytest.raises(InvalidInput):
        read_events(file(tmp_path, content))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff\xfe\xfa")
    for path in (tmp_path / "missing", tmp_path, tmp_path / "latin"):
        with pytest.raises(InvalidInput, match=path.name):
            read_events(path)


def test_a_file_nested_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        read_events(file(tmp_path, "[" * 100_000))


# LoCoMo


def test_a_conversation_is_a_group_its_turns_events_its_sessions_conversations(tmp_path: Path) -> None:
    other = {**CHAT, "sample_id": "pair-8"}
    batches = read_events(file(tmp_path, [CHAT, other]))
    assert [batch.group for batch in batches] == ["pair-7", "pair-8"]
    told = [
        (event.event_id, event.user_id, event.conversation_id, event.occurred_at, event.text)
        for event in batches[0].events
    ]
    assert told == [
        ("D2:1", "Ann-Lee", "session_2", "2023-05-08T13:56:00", "Ann Lee: Look! [image: a red kite over a lake]"),
        ("D2:2", "Ben", "session_2", "2023-05-08T13:56:00", "Ben: Lovely."),
        ("D10:1", "Ben", "session_10", "2024-01-01T09:05:00", "Ben: Happy new year!"),
    ]
    assert {event.origin for event in batches[0].events} == {"user_stated"}


def test_locomo_questions_need_the_turns_that_exist(tmp_path: Path) -> None:
    (part,) = sets.locomo(file(tmp_path, [CHAT]))
    assert [(one.category, one.needs) for one in part.questions] == [
        ("4", {"D2:1"}),
        ("1", {"D2:1", "D10:1"}),
        ("5", frozenset()),
    ]
    assert {one.asked_at for one in part.questions} == {datetime(2024, 1, 2, 9, 5, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("stated", "ids"),
    [
        (["D1:3"], {"D1:3"}),
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D1:3", "D1:3 D2:4"], {"D1:3", "D2:4"}),
        (["D"], set()),
        (["", "turn 3"], set()),
        ([], set()),
    ],
)
def test_evidence_ids_are_split_and_normalised(stated: list[str], ids: set[str]) -> None:
    assert sets.evidence_ids(stated) == ids


# LifeBench


def test_a_year_is_a_group_its_records_events_their_kinds_sources(tmp_path: Path) -> None:
    (batch,) = read_events(file(tmp_path, YEAR))
    assert batch.group == "lifebench-Mei-Lin"
    assert [(event.event_id, event.source_id, event.source_kind, event.occurred_at) for event in batch.events] == [
        ("m-1", "note", "note", "2025-01-03T08:00:00"),
        ("m-2", "calendar", "calendar", "2025-01-04"),
        ("m-3", "photo", "photo", None),
        ("m-4", "photo", "photo", None),
    ]
    assert {event.user_id for event in batch.events} == {"Mei-Lin"}


def test_lifebench_questions_are_asked_at_a_months_end_where_only_a_month_is_named(tmp_path: Path) -> None:
    (part,) = sets.lifebench(file(tmp_path, YEAR))
    assert [(one.category, one.needs, one.asked_at) for one in part.questions] == [
        ("multi", {"m-1", "m-2"}, datetime(2025, 2, 28, 23, 59, 59, tzinfo=UTC)),
        ("single", frozenset(), datetime(2025, 1, 5, 10, tzinfo=UTC)),
        ("single", {"m-2"}, datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)),
    ]


@pytest.mark.parametrize("content", [[CHAT], YEAR])
def test_what_a_set_gives_can_be_recorded(tmp_path: Path, content: object) -> None:
    for batch in read_events(file(tmp_path, content)):
        assert batch.group is not None
        scope = graph.Scope(batch.group, "importer")
        for event in batch.events:
            assert event.user_id is not None
            graph.Scope(scope.group, event.user_id)


def test_a_name_becomes_a_user_id() -> None:
    assert user_name("Ann  Lee") == "Ann-Lee"
    assert user_name("小明") == "小明"
