"""Which days, words and entities a question is looked for by."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.errors import AccessDenied, InvalidInput
from graph.naming import entity_key, stable_id
from graph.scope import Right, Scope
from graph.search import search
from graph.search.lucene import MOST_WORDS, lucene_query, runs, words
from graph.search.planning import MOST_QUESTION, Filters, Plan, Question, plan_search
from graph.search.seeding import Failing
from graph.times.instants import parse_when

ANN = Scope("home", "ann")
TUESDAY = datetime(2026, 3, 10, 12, tzinfo=timezone(timedelta(hours=1)))
EVER = ("all", 0, 99_991_231)


def plan(question: str = "Where is the boiler?", *, asked_at: datetime = TUESDAY, **filters: Any) -> Plan:
    return plan_search(ANN, Question(question, profile="qa", asked_at=asked_at, filters=Filters(**filters)))


def spans(of: Plan) -> list[tuple[str, int, int]]:
    return [(span["name"], span["first_day"], span["last_day"]) for span in of.spans]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did Ben say yesterday?", 20260309, 20260309),
        ("What happened today?", 20260310, 20260310),
        ("What did we buy last week?", 20260302, 20260308),
        ("Who called last Friday?", 20260306, 20260306),
        ("What broke in May 2025?", 20250501, 20250531),
        ("What broke in May?", 20250501, 20250531),
        ("Who came on 7 May 2023?", 20230507, 20230507),
        ("What did Ann plan in 2024?", 20240101, 20241231),
        ("昨天谁来过？", 20260309, 20260309),
        ("上周我们买了什么？", 20260302, 20260308),
        ("2025年5月锅炉怎么了？", 20250501, 20250531),
        ("去年夏天我们去了哪里？", 20250601, 20250831),
        ("3月7日谁打过电话？", 20260307, 20260307),
    ],
)
def test_the_time_that_a_question_speaks_of_is_a_span_of_its_own(question: str, first: int, last: int) -> None:
    assert spans(plan(question)) == [EVER, ("asked", first, last)]


@pytest.mark.parametrize("question", ["Where is the boiler?", "锅炉在哪里？", "When did Ben move?", "什么时候搬家？"])
def test_a_question_of_no_time_is_asked_of_all_times_and_of_what_has_none(question: str) -> None:
    assert spans(plan(question)) == [EVER]


def test_days_are_those_of_the_offset_in_which_the_question_is_asked() -> None:
    instant = datetime(2026, 3, 9, 16, 30, tzinfo=UTC)
    east, west = (instant.astimezone(timezone(timedelta(hours=hours))) for hours in (8, -8))
    assert spans(plan("Who came today?", asked_at=east))[1:] == [("asked", 20260310, 20260310)]
    assert spans(plan("Who came today?", asked_at=west))[1:] == [("asked", 20260309, 20260309)]


def test_at_most_two_times_of_a_question_are_looked_at() -> None:
    found = spans(plan("Was it in May 2023, in June 2024 or in July 2025?"))
    assert found == [EVER, ("asked", 20230501, 20230531), ("asked", 20240601, 20240630)]


def test_every_span_asks_both_full_texts_within_the_scope_and_its_days() -> None:
    question = "What did Ben say about 汇率 yesterday?"
    whole, asked = plan(question).spans
    for span, days in ((whole, None), (asked, (20260309, 20260309))):
        statuses = ["active", "conflict"]
        assert span["english"] == lucene_query(words(question), "home", ANN.audiences, statuses, days)
        assert span["chinese"] == lucene_query(runs(question), "home", ANN.audiences, statuses, days)


def test_without_words_of_a_language_its_index_is_not_asked() -> None:
    assert plan("汇率？").spans[0]["english"] is None
    assert plan("Rates?").spans[0]["chinese"] is None


def test_history_is_looked_at_when_asked_for() -> None:
    assert plan().statuses == ["active", "conflict"]
    with_history = plan(include_history=True)
    assert with_history.statuses == ["active", "conflict", "superseded", "invalid"]
    assert "status:superseded" in with_history.spans[0]["english"]


@pytest.mark.parametrize(("question", "past"), [("Who cleaned before?", True), ("Who cleans before noon?", False)])
def test_history_is_looked_at_where_the_question_asks_for_the_past(question: str, past: bool) -> None:
    assert plan(question).past is past
    assert ("superseded" in plan(question).statuses) is past


# Filters


def test_a_range_of_instants_is_widened_by_a_day_for_other_offsets() -> None:
    since, until = datetime(2025, 7, 25, tzinfo=UTC), datetime(2025, 7, 26, tzinfo=UTC)
    assert spans(plan(since=since, until=until)) == [("all", 20250724, 20250727)]
    elsewhere = timezone(timedelta(hours=9))
    assert spans(plan(since=since.astimezone(elsewhere), until=until.astimezone(elsewhere))) == [
        ("all", 20250724, 20250727)
    ]


instants = st.datetimes(  # it wants naive bounds
    datetime(2, 1, 1),  # noqa: DTZ001
    datetime(9998, 12, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
offsets = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(instants, st.integers(0, 10**6), st.integers(1, 10**6), offsets)
def test_no_event_in_the_range_is_on_a_day_outside_the_span(
    event: datetime, before: int, after: int, offset: timezone
) -> None:
    since, until = event - timedelta(seconds=before), event + timedelta(seconds=after)
    ((_, first, last),) = spans(plan(since=since, until=until))
    when = parse_when(event.astimezone(offset).isoformat(timespec="microseconds"), UTC)
    day = when.local_day()
    assert day is not None
    assert first <= int(day.strftime("%Y%m%d")) <= last


def test_days_are_taken_as_they_are() -> None:
    day = date(2025, 7, 25)
    assert spans(plan(first_day=day, last_day=day)) == [("all", 20250725, 20250725)]
    assert "+day_token:[20250725 TO 20250725]^0" in plan(first_day=day, last_day=day).spans[0]["english"]


@pytest.mark.parametrize("filters", [{"last_day": date(2025, 7, 25)}, {"first_day": date(2025, 7, 25)}])
def test_what_has_no_day_is_not_let_through_by_a_filter_of_days(filters: dict[str, Any]) -> None:
    undated = 0
    assert plan(**filters).spans[0]["first_day"] > undated


def test_filters_narrow_each_other_and_the_time_asked_for() -> None:
    since = datetime(2026, 3, 5, 12, tzinfo=UTC)
    narrow = plan("What did we buy last week?", since=since, last_day=date(2026, 3, 7))
    assert spans(narrow) == [("all", 20260304, 20260307), ("asked", 20260304, 20260307)]


def test_a_time_outside_the_filter_is_not_asked_for() -> None:
    found = plan("What broke in May 2023?", first_day=date(2025, 1, 1), last_day=date(2025, 12, 31))
    assert spans(found) == [("all", 20250101, 20251231)]


@pytest.mark.parametrize(
    "filters",
    [
        {"since": datetime(1, 1, 1, tzinfo=UTC)},
        {"until": datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)},
        {"since": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))},
        {"until": datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))},
        {"first_day": date.min, "last_day": date.max},
    ],
    ids=["since", "until", "since, east", "until, west", "days"],
)
def test_a_range_may_reach_to_the_ends_of_the_calendar(filters: dict[str, Any]) -> None:
    ((_, first, last),) = spans(plan(**filters))
    assert first <= 1_01_05
    assert last >= 9999_12_30


@pytest.mark.parametrize(
    "asked_at",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_a_question_may_be_asked_at_the_ends_of_the_calendar(asked_at: datetime) -> None:
    assert spans(plan("Who came yesterday, and who on 7 May 2023?", asked_at=asked_at))[0] == EVER


# What is asked


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When did Ben move?", True),
        ("Since when is the boiler broken?", True),
        ("How long did it take?", True),
        ("Which year was it?", True),
        ("On what day did she call?", True),
        ("WHAT TIME is tea?", True),
        ("什么时候搬家？", True),
        ("何时搬家？", True),
        ("会议在几点？", True),
        ("哪一年毕业？", True),
        ("哪天来？", True),
        ("住了多久？", True),
        ("Where is Ben?", False),
        ("Whenever it rains, who mops?", False),
        ("Is Maywhen a name?", False),
        ("谁来过？", False),
        ("那天谁来过？", False),
    ],
)
def test_whether_a_time_is_asked_for(question: str, asks: bool) -> None:
    assert plan(question).asks_when is asks


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Where is Weber?", "Weber"),
        ("where is WEBER", "Weber"),
        ("Did Weber GmbH call?", "weber gmbh"),
        ('Who said "Weber"?', "Weber"),
        ("What is Ben's plan with C++?", "C++"),
        ("Who met Dr. Weber?", "Dr. Weber"),
        ("Is St. John's open?", "St. John's"),
        ("王医生什么时候来？", "王医生"),
        ("我和王医生说了什么？", "王医生"),
        ("Ｗｅｂｅｒ 在哪里？", "Weber"),
        ("Neo4j的备份在哪里？", "Neo4j"),
        ("What about Ben's boiler?", "Ben"),
        ("Tell me of the Hamburg trip budget.", "Hamburg trip budget"),
    ],
)
def test_an_entity_that_a_question_names_is_looked_at(question: str, name: str) -> None:
    assert stable_id("entity", "home", entity_key(name)) in plan(question).entities


@pytest.mark.parametrize(("question", "name"), [("Is JavaScript fun?", "Java"), ("Who sang?", "Ann")])
def test_an_entity_that_a_question_does_not_name_is_not(question: str, name: str) -> None:
    assert stable_id("entity", "home", entity_key(name)) not in plan(question).entities


def test_the_first_entity_of_a_long_question_is_looked_at() -> None:
    question = "王医生" + "".join(chr(0x4E00 + number) for number in range(400))
    assert stable_id("entity", "home", "王医生") in plan(question).entities


def test_entities_are_of_the_group_and_few() -> None:
    assert set(plan("Where is Weber?").entities).isdisjoint(
        plan_search(Scope("work", "ann"), Question("Where is Weber?", asked_at=TUESDAY)).entities
    )
    assert len(plan("词" * 2_000 + " word" * 2_000).entities) <= 1_000


# Whatever is asked


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8") | st.sampled_from("when 昨天去年 2025-05-07 AND")), instants, offsets)
@example("in 99999 years, before 2019, from June on", datetime(2026, 1, 1, tzinfo=UTC), UTC)
def test_any_question_has_a_plan(question: str, asked_at: datetime, offset: timezone) -> None:
    found = plan(question, asked_at=asked_at.astimezone(offset))
    assert spans(found)[0] == EVER
    assert len(found.spans) <= 3
    assert all(0 < first <= last < 10**8 for _, first, last in spans(found)[1:])
    assert found.question == question


def test_the_plan_says_what_is_not_looked_for() -> None:
    assert plan("Where is the tea?").left_out == ()
    assert len(plan(" ".join(f"word{number}" for number in range(100))).left_out) == 100 - MOST_WORDS


@pytest.mark.parametrize(
    ("question", "more", "told"),
    [
        ("", {}, "question: It is empty"),
        (" \n", {}, "question: It is empty"),
        ("x" * (MOST_QUESTION + 1), {}, f"question: It has {MOST_QUESTION + 1} characters"),
        ("half \ud83d a pair", {}, "question: "),
        ("?", {"profile": "best"}, "profile: 'best' is none of default, qa, "),
        ("?", {"limit": 0}, "limit: 0 is not between 1 and 100"),
        ("?", {"limit": 101}, "limit: 101 is not between 1 and 100"),
        ("?", {"asked_at": datetime(2026, 1, 1)}, "askedAt: 2026-01-01T00:00:00 has no UTC offset"),  # noqa: DTZ001
        ("?", {"filters": Filters(since=datetime(2026, 1, 1))}, "since: 2026-01-01T00:00:00"),  # noqa: DTZ001
        ("?", {"filters": Filters(until=datetime(2026, 1, 1))}, "until: 2026-01-01T00:00:00"),  # noqa: DTZ001
    ],
)
async def test_what_cannot_be_asked_is_refused_before_anything_is_read(
    question: str, more: dict[str, Any], told: str
) -> None:
    nothing: Any = None
    with pytest.raises(InvalidInput) as refusal:
        await search(nothing, nothing, "a", ANN, Question(question, **more), Failing())
    assert told in str(refusal.value)


async def test_a_scope_that_may_not_read_is_refused_before_anything_is_read() -> None:
    nothing: Any = None
    may_write = Scope("home", "ann", frozenset({Right.WRITE}))
    with pytest.raises(AccessDenied):
        await search(nothing, nothing, "a", may_write, Question("Where is the boiler?"), Failing())
