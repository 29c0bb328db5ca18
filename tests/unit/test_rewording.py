"""Pairs said again in other ways: what each way makes of a text, and where it knows that it cannot."""

import pytest

from bench.labelled import pair_of
from bench.rewording import LONG, NAMES, Way, reword, third_person
from graph.timelines.said import Verdict


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I live in Oslo and my dog loves it.", "The user lives in Oslo and their dog loves it."),
        ("I also study geology.", "The user also studies geology."),
        ("I'm no longer vegan. I eat fish.", "The user is no longer vegan. They eat fish."),
        ("I've moved to Bergen, it suits me.", "The user has moved to Bergen, it suits them."),
        ("I don't smoke any more", "The user doesn't smoke any more"),
        ("I didn't move my account", "The user didn't move their account"),
        ("Last week I switched to Zed", "Last week the user switched to Zed"),
        ("My sister moved to N26", "The user's sister moved to N26"),
        ("Our family doctor is Dr Quist", "The user's family doctor is Dr Quist"),
        ("ditched Sublime, Helix is where I live now", "The user ditched Sublime, Helix is where they live now"),
        ("We moved to Go", None),
        ("I eat fish and drink wine", None),  # two verbs would need their -s
        ("Should I switch to Zed?", None),
        ('My boss said "I moved"', None),
        ("Oolong, that's the tea I drink.", None),
        ("I frobnicate daily", None),
        ("The deadline is May", None),
    ],
)
def test_the_third_person_in_english(text: str, said: str | None) -> None:
    assert third_person(text, "en", "The user") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("我搬到里昂了，我很喜欢。", "用户搬到里昂了，他很喜欢。"),
        ("我妈戒烟了", "用户的妈戒烟了"),
        ("电子烟我戒了。", "电子烟用户戒了。"),
        ("我们换成 Go 了", None),
        ("长发剪了，我现在是寸头", None),
        ("我说“换成 Go”", None),
        ("截止日期是五月", None),
    ],
)
def test_the_third_person_in_chinese(text: str, said: str | None) -> None:
    assert third_person(text, "zh", "用户") == said


def row(lang: str, old: str, new: str, expected: str = "UPDATE", **more: str) -> dict[str, object]:
    return {"lang": lang, "key": None, "old": {"text": old}, "new": {"text": new}, "expected": expected, **more}


@pytest.mark.parametrize(
    ("way", "english", "chinese"),
    [
        (Way.USER, "User switched to Zed", "用户换成 Zed 了"),
        (Way.THE_USER, "The user switched to Zed", "该用户换成 Zed 了"),
        (Way.NAME, "Ann switched to Zed", "林娜换成 Zed 了"),
        (Way.SAID, 'User said: "I switched to Zed"', "用户说：“我换成 Zed 了”"),
        (Way.GREETING, "Hi there! I switched to Zed", "你好！我换成 Zed 了"),
        (Way.THANKS, "I switched to Zed. Thanks!", "我换成 Zed 了。谢谢！"),
        (Way.CAPITALS, "I SWITCHED TO ZED", "我换成 ZED 了"),
    ],
)
def test_each_way(way: Way, english: str, chinese: str) -> None:
    for lang, old, new, said in (
        ("en", "I use Vim", "I switched to Zed", english),
        ("zh", "我用 Vim", "我换成 Zed 了", chinese),
    ):
        pair = reword(pair_of(row(lang, old, new)), way)
        assert pair is not None
        assert pair.new.text == said
        if way is Way.NAME and lang == "zh":
            assert pair.new.speaker == pair.old.speaker == NAMES["zh"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_other_text_in_front_is_long_enough(lang: str) -> None:
    for new in ("I switched to Zed", "Now I use Helix", "Kakoune it is", "我换成 Zed 了"):
        pair = reword(pair_of(row(lang, "I use Vim", new)), Way.LONG)
        assert pair is not None
        assert pair.new.text.endswith(f"\n\n{new}")
        assert len(pair.new.text) >= LONG + len(new)


def test_what_a_way_does_not_suit_is_left_out() -> None:
    small_talk = pair_of(row("en", "I use Vim", "Good night", Verdict.SKIPPED_EPHEMERAL))
    assert [way for way in Way if reword(small_talk, way)] == [Way.CAPITALS]
    assert reword(pair_of(row("zh", "我用笔", "我换成铅笔了")), Way.CAPITALS) is None
    assert reword(pair_of(row("en", "We use Vim", "I switched to Zed")), Way.USER) is None
    assert reword(pair_of(row("en", "I use Vim", "I switched to Zed", subject="jack")), Way.USER) is None
