import json
import re
from collections import Counter
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from api import sample

HOME = ZoneInfo("Europe/Berlin")
PEOPLE = {"mira", "jun"}
REQUIRED = {"eventId", "userId", "source", "text"}
OPTIONAL = {
    "conversationId", "occurredAt", "visibility", "relatedUsers", "entities", "key", "value",
    "importance", "urgency", "confidence", "language", "metadata",
}  # fmt: skip
DAY_ONLY = re.compile(r"\d{4}-\d\d-\d\d")
CHINESE = re.compile(r"[\u4e00-\u9fff]")

EVENTS = sample.events()
BY_ID = {event["eventId"]: event for event in EVENTS}
QUESTIONS = sample.questions()


def private(event: dict[str, Any]) -> bool:
    visibility: str = event.get("visibility", "group")
    return visibility == "private"


def visible(event: dict[str, Any], viewer: str) -> bool:
    owner: str = event["userId"]
    return not private(event) or owner == viewer


def each_question() -> pytest.MarkDecorator:
    names = [f"{number}-{question['kind']}-{question['viewer']}" for number, question in enumerate(QUESTIONS)]
    return pytest.mark.parametrize("question", QUESTIONS, ids=names)


def test_size() -> None:
    assert 180 <= len(EVENTS) <= 230
    assert 8 <= len(QUESTIONS) <= 10


def test_event_ids_are_unique() -> None:
    assert len(BY_ID) == len(EVENTS)


def test_events_have_the_fields_of_an_event() -> None:
    for event in EVENTS:
        assert REQUIRED <= event.keys() <= REQUIRED | OPTIONAL
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*-\d{4}", event["eventId"])
        assert event["userId"] in PEOPLE
        assert event["source"].keys() == {"id", "kind"}
        assert event["text"].strip() == event["text"] != ""
        assert event.get("visibility", "group") in {"group", "private"}
        assert set(event.get("relatedUsers", ())) <= PEOPLE - {event["userId"]}
        assert event.get("urgency", "normal") in {"low", "normal", "high"}
        assert 0.5 <= event.get("importance", 1.0) <= 2.0
        assert 0.0 <= event.get("confidence", 1.0) <= 1.0
        assert ("key" in event) == ("value" in event)


def test_times_carry_the_offset_that_holds_at_home_on_their_date() -> None:
    for stated in (event["occurredAt"] for event in EVENTS if "occurredAt" in event):
        if DAY_ONLY.fullmatch(stated):
            day = date.fromisoformat(stated)
        else:
            moment = datetime.fromisoformat(stated)
            assert moment.utcoffset() == moment.astimezone(HOME).utcoffset(), stated
            day = moment.date()
        assert date(2026, 3, 2) <= day <= date(2026, 4, 5)


def test_every_precision_and_both_offsets_occur() -> None:
    times = [event.get("occurredAt", "") for event in EVENTS]
    assert times.count("") == 1
    assert sum(bool(DAY_ONLY.fullmatch(time)) for time in times) >= 5
    assert {time[-6:] for time in times if "T" in time} == {"+01:00", "+02:00"}


def test_language_is_the_one_the_text_is_in() -> None:
    for event in EVENTS:
        assert (event.get("language", "en") == "zh") == bool(CHINESE.search(event["text"])), event


def test_both_languages_occur_in_events_and_questions() -> None:
    languages = Counter(event.get("language", "en") for event in EVENTS)
    assert languages.keys() == {"en", "zh"}
    assert languages["zh"] >= 20
    assert {bool(CHINESE.search(question["question"])) for question in QUESTIONS} == {True, False}


def test_a_source_belongs_to_one_user_and_is_of_one_kind() -> None:
    owners = {(event["source"]["id"], event["source"]["kind"], event["userId"]) for event in EVENTS}
    assert len(owners) == len({source for source, _, _ in owners})


def test_a_conversation_is_of_one_day_and_one_visibility() -> None:
    streams = {
        (event["conversationId"], event["occurredAt"][:10], event.get("visibility", "group"))
        for event in EVENTS
        if "conversationId" in event
    }
    assert all(conversation.endswith(day) for conversation, day, _ in streams)
    assert len(streams) == len({conversation for conversation, _, _ in streams})


def test_facts_are_few_and_each_key_changes_once() -> None:
    facts = Counter(event["key"] for event in EVENTS if "key" in event)
    assert facts == {"internet provider": 2, "cat food": 2, "Hamburg trip transport": 2}


def test_both_have_private_events() -> None:
    assert {event["userId"] for event in EVENTS if private(event)} == PEOPLE


@each_question()
def test_question_is_answered_by_several_sources_its_viewer_may_see(question: dict[str, Any]) -> None:
    needed = [BY_ID[event_id] for event_id in question["needs"]]
    assert question["viewer"] in PEOPLE
    assert len(set(question["needs"])) == len(question["needs"]) >= 2
    assert len({event["source"]["id"] for event in needed}) >= 2
    assert all(visible(event, question["viewer"]) for event in needed)
    assert question["about"].endswith(".")


@each_question()
def test_question_is_asked_after_what_it_needs(question: dict[str, Any]) -> None:
    asked = datetime.fromisoformat(question["askedAt"])
    assert asked.utcoffset() == asked.astimezone(HOME).utcoffset()
    times = [datetime.fromisoformat(BY_ID[event_id]["occurredAt"]) for event_id in question["needs"]]
    assert max(times) < asked


def test_every_kind_of_question_occurs() -> None:
    kinds = {question["kind"] for question in QUESTIONS}
    assert kinds == {"why", "who", "before_after", "two_person", "private", "chinese", "when"}


def test_the_private_question_is_asked_as_owner_and_as_the_other() -> None:
    owner, other = (question for question in QUESTIONS if question["kind"] == "private")
    hidden = set(other["mustNotShow"])
    assert owner["question"] == other["question"]
    assert owner["viewer"] != other["viewer"]
    assert set(owner["needs"]) <= hidden
    assert hidden == {event["eventId"] for event in EVENTS if not visible(event, other["viewer"])}


def test_no_group_event_gives_the_secret_away() -> None:
    secret = re.compile(r"halm|pendant|peridot|1188|11 april|红绸|konvikt", re.IGNORECASE)
    told = [event for event in EVENTS if secret.search(json.dumps(event, ensure_ascii=False))]
    assert len(told) > 5
    assert all(private(event) for event in told)
