from datetime import datetime, timedelta, timezone
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.memfusebench.library import load
from bench.memfusebench.measures import Bm25
from bench.memfusebench.model import Both
from bench.memfusebench.phrasing import phrases_of
from bench.memfusebench.texts import both, draw_value, expand, phrases, shown, token
from bench.memfusebench.words import content, cues, holds, jaccard, stem, tokens


def drawing(seed: int) -> Random:
    return Random(seed)  # noqa: S311


AT = datetime(2025, 3, 30, 22, 15, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("text", "phrase", "held"),
    [
        ("Hall 13.4 °C", "13.4", True),
        ("Hall 113.45 °C", "13.4", False),
        ("走廊13.4度", "13.4", True),
        ("Order WK-4471 shipped", "wk-4471", True),
        ("Order WK-44719 shipped", "WK-4471", False),
        ("the circulation pump failed", "circulation pump", True),
        ("the circulation pumps failed", "circulation pump", False),
        ("循环泵坏了", "循环泵", True),
        ("在屋里待了15分钟", "15分钟", True),
        ("在屋里待了115分钟", "15分钟", False),
        ("until 12 March.", "12 March", True),
        ("until 12 March.", "2 March", False),
    ],
)
def test_a_phrase_is_held_as_whole_words(text: str, phrase: str, held: bool) -> None:
    assert holds(text, [phrase]) is held


@pytest.mark.parametrize(
    ("one", "other"),
    [("repairs", "repair"), ("stopped", "stop"), ("parties", "party"), ("moved", "move"), ("glasses", "glass")],
)
def test_endings_are_cut(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_content_words_leave_out_what_only_holds_a_sentence_together() -> None:
    assert content("The boiler was out again, and we were cold.") == {"boiler", "cold"}
    assert tokens("我们的暖气又坏了") == ("暖气", "坏")


def test_causes_are_known_by_their_wording() -> None:
    assert cues("We stay home because it rains") == ["because"]
    assert cues("因为下雨，没去") == ["因为"]
    assert not cues("It rains. We stay home")


@given(st.frozensets(st.text(max_size=3), max_size=6), st.frozensets(st.text(max_size=3), max_size=6))
def test_likeness_is_symmetric_and_within_one(one: frozenset[str], other: frozenset[str]) -> None:
    assert jaccard(one, other) == jaccard(other, one)
    assert 0 <= jaccard(one, other) <= 1
    assert jaccard(one, one) in (0, 1)


def test_a_template_is_filled_chosen_and_counted() -> None:
    values = {"part": Both("the *gas valve*", "*燃气阀*"), "more": Both("[x|x]", "[x|x]")}
    text = expand("[On|At] {day+1} {time-20m}: {part} <7..7> {more}", values, "en", drawing(1), AT)
    assert text[2:] == " Monday 31 March 21:55: the gas valve 7 x"
    assert expand("{date}{part}", values, "zh", drawing(1), AT) == "3月30日燃气阀"


def test_a_slot_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        expand("{missing}", {}, "en", drawing(1))


def test_the_marked_part_of_a_value_is_what_an_answer_is_known_by() -> None:
    value = Both("a *torn belt* inside", "里面*皮带断了*")
    assert shown(value.en) == "a torn belt inside"
    assert token(value.en) == "torn belt"
    assert phrases(value) == ("torn belt", "皮带断了")


@given(st.integers(0, 10**6))
def test_drawn_values_keep_to_their_range_and_pattern(seed: int) -> None:
    draw = drawing(seed)
    ranged = draw_value("11.5..12.5", draw, set())[0].en
    assert 11.5 <= float(ranged) <= 12.5
    assert len(ranged) == 4
    made = draw_value("AB-##@", draw, set())[0].en
    assert made[:3] == "AB-"
    assert made[3:5].isdigit()
    assert made[5].isalpha()


def test_a_table_is_used_up_before_a_row_comes_again() -> None:
    taken: set[str] = set()
    rows = [["a", "甲"], ["b", "乙"], ["c", "丙"]]
    draw = drawing(3)
    assert sorted(draw_value(rows, draw, taken)[0].en for _ in range(3)) == ["a", "b", "c"]
    assert draw_value(rows, draw, taken)[0].en in taken


def test_bm25_ranks_the_document_with_the_rare_word_first_and_keeps_to_the_subset() -> None:
    index = Bm25({"one": ["tea", "pot"], "two": ["tea", "boat"], "three": ["tea", "tea"]})
    everything = frozenset({"one", "two", "three"})
    assert index.top(["boat", "tea"], 3, everything)[0] == "two"
    assert index.top(["boat"], 3, everything - {"two"}) == []


def test_a_short_number_is_known_by_its_unit_or_the_word_before_it() -> None:
    kind = load().kinds["tickets"]
    assert phrases_of(kind, "row", "row", {"row": both("14"), "cur": both("EUR")}) == ("row 14", "14排")
    kind = load().kinds["repair"]
    said = phrases_of(kind, "stay", "stay", {"stay": both("95"), "cur": both("EUR")})
    assert {"95 min", "95 minutes", "95分钟"} <= set(said)
    assert phrases_of(kind, "cost", "cost", {"cost": both("152.40"), "cur": both("EUR")}) == ("152.40",)
    kind = load().kinds["washer"]
    assert {"9.40 EUR", "€9.40"} <= set(phrases_of(kind, "fee", "fee", {"fee": both("9.40"), "cur": both("EUR")}))
