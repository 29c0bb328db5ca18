"""The wording families, one table each, in both languages; and what holds for any text at all."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.arbitration.lexicon import LONGEST_READ, Kind, cues, plain
from graph.arbitration.moods import Mood
from graph.arbitration.wording import read

CHANGES = [
    ("I switched to Helix", "Helix"),
    ("we’ve moved over to Buildkite", "Buildkite"),
    ("Ive swapped squash for padel", "padel"),
    ("The release got pushed back to 9 May", "9 May"),
    ("my dose went from 5 to 10 mg", "10 mg"),
    ("Noor took over from Tariq", "Noor"),
    ("I drink rooibos these days", "rooibos"),
    ("jumped ship to Linux", "Linux"),
    ("编辑器改成 Zed 了", "Zed"),
    ("我们迁到 TiDB 了", "TiDB"),
    ("牙医換成阮醫生了", "阮医生"),
    ("会议推迟到周五", "周五"),
    ("现在住在柳州", "柳州"),
    ("我用 Zed 了", "Zed"),
    ("重新买了台荣耀", "荣耀"),
]

ENDS = [
    "I no longer smoke",
    "I don't play squash any more",
    "dont use it anymore",
    "We cancelled the gym",
    "they broke up in May",
    "let my licence lapse",
    "the shop has shut down",
    "came off the tablets",
    "我戒烟了",
    "会员退订了",
    "周会取消了",
    "我不學吉他了",
    "和阿宽分手了",
    "店上个月关门了",
]

ADDITIONS = ["I also play the oboe", "I climb too", "padel as well", "我也练太极", "另外还养了只龟", "我还学古筝"]

UNCERTAIN = ["maybe it is Turku", "I might use Zed", "I think it's Go", "可能是德阳", "好像换成 Zed 了", "听说要换人"]

MOODS = [
    ("Should I switch to Zed?", Mood.QUESTION),
    ("要不要换 Zed 呢？", Mood.QUESTION),
    ("我该换 Zed 吗", Mood.QUESTION),
    ("I'm thinking of switching to Zed", Mood.PLAN),
    ("next month we'll move to Turku", Mood.PLAN),
    ("下个月打算换 Zed", Mood.PLAN),
    ("我想搬去德阳", Mood.PLAN),
    ("If it rains I'd switch to Zed", Mood.HYPOTHETICAL),
    ("the board rejected the move to Zed", Mood.HYPOTHETICAL),
    ("要是换成 Zed 就好了", Mood.HYPOTHETICAL),
    ("差点换成 Zed", Mood.HYPOTHETICAL),
    ('The banner says "switch to Zed today"', Mood.QUOTATION),
    ("海报写着：换成 Zed", Mood.QUOTATION),
    ("Back in college I used Zed", Mood.PAST),
    ("以前用 Zed", Mood.PAST),
]

OTHERS = [
    "My brother switched to Zed",
    "my cousin Ana uses Zed now",
    "The team next door moved to Zed",
    "我弟换成 Zed 了",
    "隔壁组改用 Zed 了",
    "我发小也用 Zed 了",
]

DENIALS = [
    "I didn't switch to Zed",
    "we never moved to Zed",
    "I havent switched to Zed",
    "我没有换成 Zed",
    "并没改用 Zed",
]

SMALL_TALK = [
    "good morning!",
    "lol",
    "thanks a lot",
    "so foggy today",
    "今天好热",
    "哈哈哈",
    "好的",
    "晚安~",
    "笑死我了",
]

NO_SMALL_TALK = [
    "I'm training for a race",
    "Hana leads the rewrite",
    "oat latte, extra hot please",
    "我是潮汕人",
    "我晕船",
]


@pytest.mark.parametrize(("text", "value"), CHANGES)
def test_change(text: str, value: str) -> None:
    reading = read(text, value=value)
    assert reading.change is not None
    assert reading.mood is Mood.ASSERTION
    assert reading.other is None


@pytest.mark.parametrize("text", ENDS)
def test_end(text: str) -> None:
    assert read(text).end is not None


@pytest.mark.parametrize("text", ADDITIONS)
def test_addition(text: str) -> None:
    assert read(text).addition is not None


@pytest.mark.parametrize("text", UNCERTAIN)
def test_uncertain(text: str) -> None:
    assert read(text).uncertain is not None


@pytest.mark.parametrize(("text", "mood"), MOODS)
def test_mood(text: str, mood: Mood) -> None:
    assert read(text, value="Zed" if "Zed" in text else None).mood is mood


@pytest.mark.parametrize("text", OTHERS)
def test_said_of_another(text: str) -> None:
    assert read(text, value="Zed").other is not None


def test_person_of_the_key_is_no_other() -> None:
    assert read("My brother lives in Brno now", value="Brno", context="brother city").other is None


@pytest.mark.parametrize("text", DENIALS)
def test_denied_change(text: str) -> None:
    reading = read(text, value="Zed")
    assert reading.denied is not None
    assert reading.change is None


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk(text: str) -> None:
    assert read(text).small_talk


@pytest.mark.parametrize("text", NO_SMALL_TALK)
def test_no_small_talk(text: str) -> None:
    assert not read(text).small_talk


@pytest.mark.parametrize(
    ("text", "value", "known", "context"),
    [
        ("The retro moved to 10:00", "10:00", "9:30", "standup\nStandup is at 9:30"),
        ("the film club elected Prakash", "Prakash", "Odette", "chair\nOdette chairs the book club"),
        ("客厅的窗帘换成鹅黄的了", "鹅黄", "藏蓝", "colour\n最喜欢藏蓝色"),
        ("数学课代表换成乐乐了", "乐乐", "小满", "课代表\n语文课代表是小满"),
    ],
)
def test_change_of_another_thing(text: str, value: str, known: str, context: str) -> None:
    reading = read(text, value=value, known=[known], context=context)
    assert reading.change is None
    assert reading.thing is not None


def test_wording_that_names_the_thing_says_nothing() -> None:
    context = "wedding\n结婚纪念日是 5 月 20 日"
    assert read("结婚纪念日是 5 月 2 日", value="5 月 2 日", known=["5 月 20 日"], context=context).change is None


def test_set_phrases_are_blanked_and_keep_their_place() -> None:
    text = "As you know, I use Zed, remember?"
    assert len(plain(text)) == len(text)
    assert read(text).mood is Mood.ASSERTION


def test_traditional_signs_keep_their_place() -> None:
    assert plain("換İ車") == "换İ车"


def test_lookalikes_do_not_count() -> None:
    assert not any(cue.kind is Kind.CHANGE for cue in cues(plain("换季了")))
    assert read("It is too expensive").addition is None


@given(st.text(), st.none() | st.text(max_size=20), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=60))
def test_any_text_is_read(text: str, value: str | None, known: list[str], context: str) -> None:
    read(text, value=value, known=known, context=context)


PIECES = [
    "我",
    "不再",
    "换成",
    "了",
    "，",
    "no ",
    "now ",
    "moved to ",
    "isn't ",
    '"',
    "?",
    "Go",
    "。",
    "也",
    "my brother ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_wording_is_read(text: str) -> None:
    reading = read(text, value="Go", known=["Java"], context="user lang Java")
    for cue in (reading.change, reading.end, reading.denied):
        assert cue is None or plain(text)[cue.start : cue.end].startswith(cue.words)


@pytest.mark.parametrize(
    "piece",
    [
        ",",
        "no ",
        "我不再用了",
        "现在换成了",
        "?",
        '"',
        "'",
        "“",
        "一",
        "十",
        "1,",
        "从",
        "没有",
        "a",
        "so ",
        "😀",
        " ",
        "。",
    ],
)
def test_reading_takes_no_time(piece: str) -> None:
    text = piece * (4 * LONGEST_READ // len(piece))
    read("warm up")
    spent = []
    for _ in range(3):
        start = time.perf_counter()
        read(text, value="Go", known=["Java"], context="user lang Java")
        spent.append(time.perf_counter() - start)
    # Tens of milliseconds; a pattern that backtracks takes seconds.
    assert min(spent) < 0.25
