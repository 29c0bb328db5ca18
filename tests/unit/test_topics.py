"""How a statement without a key relates to a known one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.arbitration.contents import overlap
from graph.arbitration.topics import Relation, relate
from graph.arbitration.wording import read

TABLE = [
    ("Kiran lives in Lyon", "Kiran moved to Oslo", Relation.REPLACES),
    ("Pavel drives a van", "Pavel drives a school bus now", Relation.REPLACES),
    ("My gate code is 4471", "my gate code was changed to 9082", Relation.REPLACES),
    ("I'm learning Welsh", "I dropped Welsh and took up Irish instead", Relation.REPLACES),
    ("仓库在嘉定", "仓库迁到太仓了", Relation.REPLACES),
    ("我在学吉他", "吉他放下了，改学架子鼓", Relation.REPLACES),
    ("早会九点开", "早会改到九点半了", Relation.REPLACES),
    ("I keep bees", "I sold my bees", Relation.ENDS),
    ("I sing in the parish choir", "I've left the parish choir", Relation.ENDS),
    ("我开火锅店", "我的火锅店上个月关门了", Relation.ENDS),
    ("我養貓", "我不養貓了", Relation.ENDS),
    ("I'm left-handed", "i'm left handed", Relation.SAME),
    ("I'm vegetarian", "as I said, I'm vegetarian", Relation.SAME),
    ("我在学吉他", "我还在学吉他", Relation.SAME),
    ("我对花粉过敏", "你知道的，我对花粉过敏", Relation.SAME),
    ("Sven studies law in Lund", "Sven studies law", Relation.LESS),
    ("I jog in the mornings", "I jog in the mornings, usually 5k", Relation.MORE),
    ("我抽烟", "我抽烟，一天半包", Relation.MORE),
    ("My locker is number 88", "My locker is number 91", Relation.CONTRADICTS),
    ("我的生日是 3 月 9 日", "我的生日是 9 月 3 日", Relation.CONTRADICTS),
    ("仓库在嘉定", "仓库在太仓", Relation.CONTRADICTS),
    ("Marek lives in Olomouc", "Marek's sister moved to Brno", Relation.APART),
    ("Pavel drives a van", "I no longer drive a van", Relation.APART),
    ("We get our bread from Holt's", "Holt's has a new oven", Relation.APART),
    ("I rent a studio on Pine Street", "Prices for studios on Pine Street have gone up", Relation.APART),
    ("I take vitamin D", "Should I stop taking vitamin D?", Relation.APART),
    ("I take vitamin D", "I haven't stopped smoking", Relation.APART),
    ("我租了个车位", "车位费涨到 400 了", Relation.APART),
    ("我们班主任是祁老师", "祁老师换了新发型", Relation.APART),
    ("办公室在 12 楼", "12 楼的办公室漏水了", Relation.APART),
]


@pytest.mark.parametrize(("old", "new", "relation"), TABLE)
def test_relation(old: str, new: str, relation: Relation) -> None:
    assert relate(old, new, read(new, context=old))[0] is relation


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_compared(old: str, new: str) -> None:
    relate(old, new, read(new, context=old))
    assert 0 <= overlap(old, new) <= 1
