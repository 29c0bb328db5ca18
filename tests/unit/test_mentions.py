import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.times.days import Lean
from graph.times.instants import NO_TIME, When, parse_when
from graph.times.mentions import OPEN_END, OPEN_START, SCANNED, Mention, hull, mentions

CHINA = timezone(timedelta(hours=8))
SAID = "2023-05-08T10:00:00+08:00"  # a Monday
BERLIN = ZoneInfo("Europe/Berlin")


def read(text: str, said: str | None = SAID, lean: Lean = "nearest") -> list[tuple[str, str, str]]:
    """Give each mention as its words, first and last day, counted at +08:00."""
    return [
        (one.cue, _day(one.start), _day(one.end - timedelta(microseconds=1)))
        for one in mentions(text, parse_when(said, CHINA), CHINA, lean=lean)
    ]


def _day(instant: datetime) -> str:
    return instant.astimezone(CHINA).date().isoformat()


def midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), CHINA)


ENGLISH_FROM_THE_EVENT = [
    ("yesterday I went hiking", "yesterday", "2023-05-07", "2023-05-07"),
    ("Today I stayed in", "Today", "2023-05-08", "2023-05-08"),
    ("See you tomorrow morning!", "tomorrow morning", "2023-05-09", "2023-05-09"),
    ("the day before yesterday it rained", "the day before yesterday", "2023-05-06", "2023-05-06"),
    ("the kiln fires the day after tomorrow", "the day after tomorrow", "2023-05-10", "2023-05-10"),
    ("slept badly last night", "last night", "2023-05-07", "2023-05-07"),
    ("this morning the pipe burst", "this morning", "2023-05-08", "2023-05-08"),
    ("we danced tonight", "tonight", "2023-05-08", "2023-05-08"),
    ("last week was wild", "last week", "2023-05-01", "2023-05-07"),
    ("this week's topic", "this week", "2023-05-08", "2023-05-14"),
    ("see you next week", "next week", "2023-05-15", "2023-05-21"),
    ("the week before last", "the week before last", "2023-04-24", "2023-04-30"),
    ("two weeks ago", "two weeks ago", "2023-04-21", "2023-04-27"),
    ("3 days ago", "3 days ago", "2023-05-05", "2023-05-05"),
    ("a few days ago", "a few days ago", "2023-05-02", "2023-05-06"),
    ("a couple of weeks ago", "a couple of weeks ago", "2023-04-14", "2023-04-27"),
    ("two months ago", "two months ago", "2023-03-01", "2023-03-31"),
    ("half a year ago", "half a year ago", "2022-11-01", "2022-11-30"),
    ("five years ago", "five years ago", "2018-01-01", "2018-12-31"),
    ("a few years back", "a few years back", "2017-01-01", "2021-12-31"),
    ("12 hours ago", "12 hours ago", "2023-05-07", "2023-05-07"),
    ("three Fridays ago", "three Fridays ago", "2023-04-21", "2023-04-21"),
    ("two weekends ago", "two weekends ago", "2023-04-29", "2023-04-30"),
    ("3 weeks from now", "3 weeks from now", "2023-05-26", "2023-06-01"),
    ("last Friday we met", "last Friday", "2023-05-05", "2023-05-05"),
    ("last Monday we met", "last Monday", "2023-05-01", "2023-05-01"),
    ("Last Fri we met", "Last Fri", "2023-05-05", "2023-05-05"),
    ("next Monday", "next Monday", "2023-05-15", "2023-05-15"),
    ("this Friday evening", "this Friday evening", "2023-05-12", "2023-05-12"),
    ("on Tuesday after work", "Tuesday", "2023-05-09", "2023-05-09"),
    ("Friday of last week", "Friday of last week", "2023-05-05", "2023-05-05"),
    ("last weekend", "last weekend", "2023-05-06", "2023-05-07"),
    ("over the weekend", "over the weekend", "2023-05-06", "2023-05-07"),
    ("this weekend", "this weekend", "2023-05-13", "2023-05-14"),
    ("next month", "next month", "2023-06-01", "2023-06-30"),
    ("the past week", "the past week", "2023-05-01", "2023-05-08"),
    ("over the last two months", "last two months", "2023-03-08", "2023-05-08"),
    ("the next 3 days", "next 3 days", "2023-05-08", "2023-05-11"),
    ("at the end of the month", "end of the month", "2023-05-21", "2023-05-31"),
    ("the end of last year", "end of last year", "2022-10-01", "2022-12-31"),
    ("last summer", "last summer", "2022-06-01", "2022-08-31"),
    ("next winter", "next winter", "2023-12-01", "2024-02-29"),
    ("last August", "last August", "2022-08-01", "2022-08-31"),
    ("this October", "this October", "2023-10-01", "2023-10-31"),
    ("in June last year", "June last year", "2022-06-01", "2022-06-30"),
    ("last Christmas", "last Christmas", "2022-12-25", "2022-12-25"),
]

ENGLISH_DATES = [
    ("on 7 May 2023", "7 May 2023", "2023-05-07", "2023-05-07"),
    ("on the 7th of May, 2021", "7th of May, 2021", "2021-05-07", "2021-05-07"),
    ("on May 7th", "May 7th", "2023-05-07", "2023-05-07"),
    ("December 1,2023", "December 1,2023", "2023-12-01", "2023-12-01"),
    ("Sept. 5 2023", "Sept. 5 2023", "2023-09-05", "2023-09-05"),
    ("December 28", "December 28", "2022-12-28", "2022-12-28"),
    ("29 February", "29 February", "2024-02-29", "2024-02-29"),
    ("March 10th-14th", "March 10th-14th", "2023-03-10", "2023-03-14"),
    ("in May 2023", "May 2023", "2023-05-01", "2023-05-31"),
    ("in 2022", "2022", "2022-01-01", "2022-12-31"),
    ("2023-05-07 14:20:00", "2023-05-07 14:20:00", "2023-05-07", "2023-05-07"),
    ("2023/5/7", "2023/5/7", "2023-05-07", "2023-05-07"),
    ("2023-05", "2023-05", "2023-05-01", "2023-05-31"),
    ("13/05/2023", "13/05/2023", "2023-05-13", "2023-05-13"),
    ("05/13/2023", "05/13/2023", "2023-05-13", "2023-05-13"),
    ("07.07.2023", "07.07.2023", "2023-07-07", "2023-07-07"),
    ("early March", "early March", "2023-03-01", "2023-03-10"),
    ("in mid-March 2024", "mid-March 2024", "2024-03-11", "2024-03-20"),
    ("late May", "late May", "2023-05-21", "2023-05-31"),
    ("the first week of April", "first week of April", "2023-04-01", "2023-04-07"),
    ("the last weekend of April", "last weekend of April", "2023-04-29", "2023-04-30"),
    ("the first weekend in April", "first weekend in April", "2023-04-01", "2023-04-02"),
    ("the last day of March", "last day of March", "2023-03-31", "2023-03-31"),
    ("the second half of 2022", "second half of 2022", "2022-07-01", "2022-12-31"),
    ("the last quarter of 2022", "last quarter of 2022", "2022-10-01", "2022-12-31"),
    ("Q3 2022", "Q3 2022", "2022-07-01", "2022-09-30"),
    ("a bottle from the 1980s", "the 1980s", "1980-01-01", "1989-12-31"),
    ("the summer of 2022", "summer of 2022", "2022-06-01", "2022-08-31"),
    ("New Year’s Day", "New Year’s Day", "2023-01-01", "2023-01-01"),
    ("Valentine's Day 2022", "Valentine's Day 2022", "2022-02-14", "2022-02-14"),
    ("at Halloween", "Halloween", "2023-10-31", "2023-10-31"),
    ("over the Christmas holidays", "Christmas holidays", "2022-12-24", "2023-01-01"),
    ("after the May Day holiday", "after the May Day holiday", "2023-05-06", "2023-05-08"),
    ("the week before 3 August 2023", "the week before 3 August 2023", "2023-07-27", "2023-08-02"),
    ("two weeks before 11 August 2023", "two weeks before 11 August 2023", "2023-07-25", "2023-07-31"),
    ("the week of 23 August 2023", "the week of 23 August 2023", "2023-08-21", "2023-08-27"),
    ("the Sunday before 25 May 2023", "the Sunday before 25 May 2023", "2023-05-21", "2023-05-21"),
    ("the weekend before 17 July 2023", "the weekend before 17 July 2023", "2023-07-15", "2023-07-16"),
    ("two days after Christmas", "two days after Christmas", "2022-12-27", "2022-12-27"),
]

ENGLISH_QUESTIONS = [
    ("What did she do in January?", "January", "2023-01-01", "2023-01-31"),
    ("What happened between March and May 2025?", "March and May 2025", "2025-03-01", "2025-05-31"),
    ("Where was she between May and June?", "May and June", "2023-05-01", "2023-06-30"),
    ("Where was he from 2019 to 2021?", "2019 to 2021", "2019-01-01", "2021-12-31"),
    ("And from January 6th to January 9th?", "January 6th to January 9th", "2023-01-06", "2023-01-09"),
    ("What changed since June?", "since June", "2022-06-01", "2023-05-08"),
    ("Who came since last week?", "since last week", "2023-05-01", "2023-05-08"),
    ("What came after 3 May?", "after 3 May", "2023-05-04", "2023-05-08"),
    ("What must be done by Friday?", "by Friday", "2023-05-08", "2023-05-12"),
    ("How long does it run, until December?", "until December", "2023-05-08", "2023-12-31"),
    ("What came after yesterday's talk?", "yesterday", "2023-05-07", "2023-05-07"),
    ("What is due before Thursday?", "before Thursday", "2023-05-08", "2023-05-10"),
]

CHINESE_FROM_THE_EVENT = [
    ("昨天我去爬山了", "昨天", "2023-05-07", "2023-05-07"),
    ("昨天后悔了", "昨天", "2023-05-07", "2023-05-07"),
    ("今天前女友来了", "今天", "2023-05-08", "2023-05-08"),
    ("前天下雨", "前天", "2023-05-06", "2023-05-06"),
    ("大前天修好了水管", "大前天", "2023-05-05", "2023-05-05"),
    ("今早跑了五公里", "今早", "2023-05-08", "2023-05-08"),
    ("昨晚没睡好", "昨晚", "2023-05-07", "2023-05-07"),
    ("明天下午见", "明天下午", "2023-05-09", "2023-05-09"),
    ("后天出发", "后天", "2023-05-10", "2023-05-10"),
    ("大后天考试", "大后天", "2023-05-11", "2023-05-11"),
    ("上周很忙", "上周", "2023-05-01", "2023-05-07"),
    ("上周五和妈妈吃饭", "上周五", "2023-05-05", "2023-05-05"),
    ("上周一直很忙", "上周", "2023-05-01", "2023-05-07"),
    ("上周一开会", "上周一", "2023-05-01", "2023-05-01"),
    ("上个星期天晚上", "上个星期天晚上", "2023-05-07", "2023-05-07"),
    ("这周三交稿", "这周三", "2023-05-10", "2023-05-10"),
    ("下周五交稿", "下周五", "2023-05-19", "2023-05-19"),
    ("下下周三", "下下周三", "2023-05-24", "2023-05-24"),
    ("上上周", "上上周", "2023-04-24", "2023-04-30"),
    ("下周末去钓鱼", "下周末", "2023-05-20", "2023-05-21"),
    ("上个周末", "上个周末", "2023-05-06", "2023-05-07"),
    ("上个月搬家了", "上个月", "2023-04-01", "2023-04-30"),
    ("下个月开学", "下个月", "2023-06-01", "2023-06-30"),
    ("上个月5号", "上个月5号", "2023-04-05", "2023-04-05"),
    ("这个月底发工资", "这个月底", "2023-05-21", "2023-05-31"),
    ("下月初体检", "下月初", "2023-06-01", "2023-06-10"),
    ("上个季度", "上个季度", "2023-01-01", "2023-03-31"),
    ("三天前买的", "三天前", "2023-05-05", "2023-05-05"),
    ("两周前", "两周前", "2023-04-21", "2023-04-27"),
    ("三个月前", "三个月前", "2023-02-01", "2023-02-28"),
    ("半年前", "半年前", "2022-11-01", "2022-11-30"),
    ("半个月前", "半个月前", "2023-04-21", "2023-04-27"),
    ("五年以前", "五年以前", "2018-01-01", "2018-12-31"),
    ("十二年前", "十二年前", "2011-01-01", "2011-12-31"),
    ("十几年前", "十几年前", "2004-01-01", "2012-12-31"),
    ("好几天前", "好几天前", "2023-05-02", "2023-05-06"),
    ("前几天", "前几天", "2023-05-02", "2023-05-07"),
    ("十二小时前", "十二小时前", "2023-05-07", "2023-05-07"),
    ("三天后", "三天后", "2023-05-11", "2023-05-11"),
    ("最近三天", "最近三天", "2023-05-05", "2023-05-08"),
    ("过去的两个月", "过去的两个月", "2023-03-08", "2023-05-08"),
    ("未来三天有雨", "未来三天", "2023-05-08", "2023-05-11"),
    ("去年学会了游泳", "去年", "2022-01-01", "2022-12-31"),
    ("前年", "前年", "2021-01-01", "2021-12-31"),
    ("今年春天", "今年春天", "2023-03-01", "2023-05-31"),
    ("去年夏天去了海边", "去年夏天", "2022-06-01", "2022-08-31"),
    ("去年冬天", "去年冬天", "2022-12-01", "2023-02-28"),
    ("上个冬天", "上个冬天", "2022-12-01", "2023-02-28"),
    ("去年的五月七日", "去年的五月七日", "2022-05-07", "2022-05-07"),
    ("去年三月份", "去年三月份", "2022-03-01", "2022-03-31"),
    ("去年国庆", "去年国庆", "2022-10-01", "2022-10-07"),
    ("去年年底", "去年年底", "2022-10-01", "2022-12-31"),
    ("明年上半年", "明年上半年", "2024-01-01", "2024-06-30"),
    ("去年第三季度", "去年第三季度", "2022-07-01", "2022-09-30"),
    ("上半年", "上半年", "2023-01-01", "2023-06-30"),
    ("月底", "月底", "2023-05-21", "2023-05-31"),
]

CHINESE_DATES = [
    ("2023年5月7日去了医院", "2023年5月7日", "2023-05-07", "2023-05-07"),
    ("二〇二一年十二月二十三日", "二〇二一年十二月二十三日", "2021-12-23", "2021-12-23"),
    ("２０２１年３月", "２０２１年３月", "2021-03-01", "2021-03-31"),
    ("22年11月", "22年11月", "2022-11-01", "2022-11-30"),
    ("5月7号", "5月7号", "2023-05-07", "2023-05-07"),
    ("五月三十一日", "五月三十一日", "2023-05-31", "2023-05-31"),
    ("5月3日到5日", "5月3日到5日", "2023-05-03", "2023-05-05"),
    ("5月", "5月", "2023-05-01", "2023-05-31"),
    ("三月份", "三月份", "2023-03-01", "2023-03-31"),
    ("3到5月", "3到5月", "2023-03-01", "2023-05-31"),
    ("2019年", "2019年", "2019-01-01", "2019-12-31"),
    ("2019到2021年", "2019到2021年", "2019-01-01", "2021-12-31"),
    ("2019年3月至2020年2月", "2019年3月至2020年2月", "2019-03-01", "2020-02-29"),
    ("5月上旬", "5月上旬", "2023-05-01", "2023-05-10"),
    ("四月底", "四月底", "2023-04-21", "2023-04-30"),
    ("4月的第一周", "4月的第一周", "2023-04-01", "2023-04-07"),
    ("四月最后一个周末", "四月最后一个周末", "2023-04-29", "2023-04-30"),
    ("国庆期间加班", "国庆期间", "2023-10-01", "2023-10-07"),
    ("五一我们去了杭州", "五一", "2023-05-01", "2023-05-05"),
    ("五一当天", "五一当天", "2023-05-01", "2023-05-01"),
    ("元旦", "元旦", "2023-01-01", "2023-01-01"),
    ("2022年双十一", "2022年双十一", "2022-11-11", "2022-11-11"),
    ("国庆前三天", "国庆前三天", "2023-09-28", "2023-09-28"),
    ("五一前一周", "五一前一周", "2023-04-24", "2023-04-30"),
]

CHINESE_QUESTIONS = [
    ("她1月份做了什么？", "1月份", "2023-01-01", "2023-01-31"),
    ("2019年以来换过几次工作？", "2019年以来", "2019-01-01", "2023-05-08"),
    ("从去年开始他学什么？", "去年开始", "2022-01-01", "2023-05-08"),
    ("五一之后呢？", "五一之后", "2023-05-06", "2023-05-08"),
    ("国庆前要做完什么？", "国庆前", "2023-05-08", "2023-09-30"),
    ("在3月和5月之间呢？", "3月和5月", "2023-03-01", "2023-05-31"),
]


@pytest.mark.parametrize(
    ("text", "cue", "first", "last"),
    [
        *ENGLISH_FROM_THE_EVENT,
        *ENGLISH_DATES,
        *ENGLISH_QUESTIONS,
        *CHINESE_FROM_THE_EVENT,
        *CHINESE_DATES,
        *CHINESE_QUESTIONS,
    ],
)
def test_an_expression_is_placed_from_the_events_own_time(text: str, cue: str, first: str, last: str) -> None:
    assert read(text) == [(cue, first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "I may go, and you may 7 times",
        "May I come in? May it be so.",
        "march forward, I march 5 miles",
        "in may",
        "the second one, in a second",
        "sat in the sun and wed her",
        "ask April and June, a book for Jan",
        "on Wednesday evenings",
        "every Sunday, on Sundays, Sunday mornings",
        "in the morning, at night, on the weekend",
        "Christmas tree, every Christmas, Halloween party",
        "Spring Festival, summer camp, I fall",
        "07/05/2023",
        "1.5.2023",
        "version 2023.5.7.1, number 20230507, room 2019",
        "in 2000 steps, 2,019 people, in 2019 people terms",
        "31 June",
        "today's world",
        "I was back in two years, back at school",
        "since we last talked, the last time, the last year of school",
        "以前天天跑步，然后天黑了",
        "目前天气不错，明天气",
        "马上周五了，这周围没人，网上周边",
        "早上月亮很圆",
        "李国庆住在五一路，买了圣诞树",
        "农历五月，五月初五，八月十五",
        "每年5月，一月一次，3个月，正月，五月天",
        "以前年轻，过去年轻，失去年货",
        "每周三，周三晚上，周末",
        "考试第三天前",
        "2月30日",
        "今日头条",
        "我在学习线性代数",
        "",
    ],
)
def test_words_that_only_look_like_dates_are_left_alone(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["May", "MAY", "in May, maybe"])
def test_a_capital_may_is_a_month_only_beside_a_word_of_time(text: str) -> None:
    assert bool(read(text)) == text.startswith("in")


def test_mentions_come_in_order_of_appearance_and_share_a_year() -> None:
    assert read("In 2021, then last week; 昨天 again, December 2nd, December 6th and December 8th, 2020") == [
        ("2021", "2021-01-01", "2021-12-31"),
        ("last week", "2023-05-01", "2023-05-07"),
        ("昨天", "2023-05-07", "2023-05-07"),
        ("December 2nd", "2020-12-02", "2020-12-02"),
        ("December 6th", "2020-12-06", "2020-12-06"),
        ("December 8th, 2020", "2020-12-08", "2020-12-08"),
    ]


def test_open_sides_reach_the_ends_of_time_where_the_event_sets_no_bound() -> None:
    text = "before 2019, 2021年以前; from June on; after Christmas 2023"
    found = mentions(text, parse_when(SAID, CHINA), CHINA)

    assert [(one.cue, one.start, one.end) for one in found] == [
        ("before 2019", OPEN_START, midnight("2019-01-01")),
        ("2021年以前", OPEN_START, midnight("2021-01-01")),
        ("from June on", midnight("2023-06-01"), OPEN_END),
        ("after Christmas 2023", midnight("2023-12-26"), OPEN_END),
    ]
    for offset in (-18, 18):  # neither end leaves the calendar in any offset
        assert OPEN_START.astimezone(timezone(timedelta(hours=offset))) < OPEN_END


@pytest.mark.parametrize(
    ("text", "said", "lean", "first"),
    [
        ("in January", "2025-12-31", "nearest", "2026-01-01"),
        ("in January", "2025-12-31", "past", "2025-01-01"),
        ("in March", "2025-12-31", "past", "2025-03-01"),
        ("in January", "2025-02-01", "future", "2026-01-01"),
        ("5月7日", "2025-05-06", "past", "2024-05-07"),
        ("5月7日", "2025-05-07", "past", "2025-05-07"),
        ("on Friday", "2025-05-08", "past", "2025-05-02"),
        ("this Christmas was fine", "2025-01-03", "nearest", "2024-12-25"),
        ("the exam is this October", "2025-03-08", "nearest", "2025-10-01"),
        ("29 February", "2026-01-05", "nearest", "2024-02-29"),
    ],
)
def test_a_date_without_a_year_is_the_nearest_or_leans_as_asked(text: str, said: str, lean: Lean, first: str) -> None:
    assert [found for _, found, _ in read(text, said, lean)] == [first]


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("yesterday, 昨天, last month, on Friday, 3 days ago, in January", None, []),
        ("7 May, 5月, 去年, since June, 2 hours ago", None, []),
        ("7 May 2023", None, ["2023-05-07"]),
        ("between March and May 2025", None, ["2025-03-01"]),
        ("2019年和since 2021", None, ["2019-01-01", "2021-01-01"]),
        ("yesterday, 昨天, last week, on Friday, over the weekend, 3 days ago", "2023-05", []),
        ("last month", "2023-05", ["2023-04-01"]),
        ("去年, 三个月前", "2023-05", ["2022-01-01", "2023-02-01"]),
        ("in January, 7 May", "2023-05", ["2023-01-01", "2023-05-07"]),
        ("in May和June 2020", None, ["2020-05-01", "2020-06-01"]),
        ("2 hours ago", "2023-05-08", []),
        ("yesterday", "2023-05-08", ["2023-05-07"]),
    ],
)
def test_nothing_finer_than_the_events_own_time_is_said(text: str, said: str | None, found: list[str]) -> None:
    assert [first for _, first, _ in read(text, said)] == found


@pytest.fixture(params=["Pacific/Kiritimati", "Pacific/Midway"])
def _server_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_server_zone")
@pytest.mark.parametrize("zone", [UTC, CHINA, ZoneInfo("America/New_York")])
def test_yesterday_is_the_day_before_in_the_events_offset_wherever_the_server_stands(
    zone: timezone | ZoneInfo,
) -> None:
    found = mentions("yesterday I went hiking", parse_when(SAID, zone), zone)

    assert found == [Mention(midnight("2023-05-07"), midnight("2023-05-08"), "yesterday")]
    assert found[0].start.tzinfo is UTC


def test_days_follow_the_clock_changes_of_the_groups_zone() -> None:
    (sunday,) = mentions("yesterday", parse_when("2024-04-01T09:00:00", BERLIN), BERLIN)
    (january,) = mentions("in January", parse_when("2024-07-01T09:00:00+02:00", BERLIN), BERLIN)

    assert sunday.end - sunday.start == timedelta(hours=23)
    assert january.start == datetime(2023, 12, 31, 23, tzinfo=UTC)


def test_days_follow_the_events_own_offset_where_it_is_another() -> None:
    (january,) = mentions("in January", parse_when("2024-07-01T09:00:00+09:00", BERLIN), BERLIN)

    assert january.start == datetime(2023, 12, 31, 15, tzinfo=UTC)


def test_a_day_that_a_zone_left_out_is_no_mention() -> None:
    apia = ZoneInfo("Pacific/Apia")  # went from 29 to 31 December 2011

    assert mentions("on 30 December 2011", parse_when("2012-01-05", apia), apia) == []
    assert len(mentions("on 31 December 2011", parse_when("2012-01-05", apia), apia)) == 1


def test_the_hull_covers_the_first_three_mentions() -> None:
    found = mentions("last week, yesterday, in 2022, in 1999", parse_when(SAID, CHINA), CHINA)

    assert len(found) == 4
    assert hull(found) == (midnight("2022-01-01"), midnight("2023-05-08"))
    assert hull(found[1:2]) == (found[1].start, found[1].end)
    assert hull([]) is None


def test_signs_that_grow_in_lower_case_do_not_move_the_words() -> None:
    assert read("İİİ yesterday, ’tis 昨天") == [
        ("yesterday", "2023-05-07", "2023-05-07"),
        ("昨天", "2023-05-07", "2023-05-07"),
    ]


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert len(read("x" * (SCANNED - 20) + " yesterday")) == 1
    assert read("x" * SCANNED + " yesterday") == []


PIECES = [
    *"yesterday last this next the week weekend month year Friday fri summer May may March 7th 31 30 29 0 999".split(),
    *"February 2023 1900 2099 two few ago years days hours before after since until by from on to and between".split(),
    *"first of early mid end Christmas holidays 2023-05-07 13/05/2023 1990s 's - – , . \u3000 İ \n 🙂".split(" "),
    *"昨天 前天 上 下下 这 个 周 五 月 年 日 三 十 百 几 前 后 去年 明年 5 12 春天 国庆 五一 初 底 第 最后一".split(),
    *"到 之间 以来 起 半 最近 季度 末 号 至今 开始 天 两 未来 一 〇 和 、".split(),
]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
OFFSETS = st.integers(-18 * 60, 18 * 60)
TIMES = st.one_of(
    st.just(NO_TIME),
    st.builds(
        When,
        st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)),  # noqa: DTZ001 naive bounds
        OFFSETS,
        st.sampled_from(["instant", "day", "month"]),
    ),
    st.builds(
        When,
        st.datetimes(datetime(1995, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 naive bounds
        OFFSETS,
        st.just("instant"),
    ),
)
ZONES = st.sampled_from([UTC, BERLIN, ZoneInfo("Pacific/Apia"), ZoneInfo("America/Sao_Paulo"), CHINA])


@given(text=TEXTS, when=TIMES, zone=ZONES, lean=st.sampled_from(["nearest", "past", "future"]))
def test_whatever_is_said_mentions_are_true_stretches_of_time(
    text: str, when: When, zone: timezone | ZoneInfo, lean: Lean
) -> None:
    found = mentions(text, when, zone, lean=lean)

    place = 0
    for one in found:
        assert one.start < one.end
        assert one.start.tzinfo is one.end.tzinfo is UTC
        assert one.cue
        place = text.index(one.cue, place) + len(one.cue)
    if found:
        assert hull(found) is not None


@given(text=TEXTS, minutes=OFFSETS)
def test_the_same_wall_time_gives_the_same_days_at_every_offset(text: str, minutes: int) -> None:
    own = timezone(timedelta(minutes=minutes))
    wall = datetime(2024, 2, 29, 12, 30)  # noqa: DTZ001 offsets are put to it below
    here = mentions(text, parse_when(wall.replace(tzinfo=own), UTC), UTC)
    there = mentions(text, parse_when(wall.replace(tzinfo=UTC), UTC), UTC)

    shift = timedelta(minutes=minutes)
    ends = (OPEN_START, OPEN_END)
    assert [one.cue for one in here] == [one.cue for one in there]
    for one, other in zip(here, there, strict=True):
        for mine, theirs in ((one.start, other.start), (one.end, other.end)):
            assert mine == theirs if theirs in ends else mine + shift == theirs


@pytest.mark.parametrize(
    "piece",
    [
        "May ", "1 may ", "1 May ", "in May to ", "from May to ", "the first week of the month of ", "last ", "the ",
        "a few ", "the week before ", "the week before May 3, ", "yesterday ", "2023 ", "in 2023 ", "2023-", "1-",
        "3.", " ", "\n", "'", "x", "一", "月", "上", "下下", "前", "三天", "5月", "5月3", "5月前", "2023年",
        "国庆", "最近", "ſ",
    ],
)  # fmt: skip
def test_no_text_is_expensive(piece: str) -> None:
    text = (piece * (200_000 // len(piece)))[:200_000]
    when = parse_when(SAID, CHINA)

    def seconds() -> float:
        begin = time.process_time()
        mentions(text, when, CHINA)
        return time.process_time() - begin

    assert min(seconds() for _ in range(3)) < 0.15  # about 0.02 here; quadratic work takes seconds
