"""When two values are the same, and when one says more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.wording.tokens import names_value, refines, same, tokens

WORDS = st.lists(
    st.sampled_from(["Java", "21", "the", "咖啡", "茶", "C++", "not", "3", "月", "May", "a", "Ａ"]), max_size=5
)
VALUES = WORDS.map(" ".join) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Go", "ＧＯ"),
        ("early mornings", "Early Mornings"),
        ("the Guardian", "Guardian"),
        ("三月", "3月"),
        ("seven hours", "7 hours"),
    ],
)
def test_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Java", "JavaScript"), ("C", "C++"), ("3月9日", "9月3日"), ("A+", "B+"), ("2.5 bar", "2.2 bar"), ("", "x")],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Java 21 + Spring Boot 3", "Java"),
        ("border terrier", "terrier"),
        ("绵阳涪城区", "绵阳"),
        ("PostgreSQL 16 on Hetzner", "postgresql 16"),
    ],
)
def test_refines(more: str, less: str) -> None:
    assert refines(more, less)
    assert not refines(less, more)


@pytest.mark.parametrize(
    ("more", "less"),
    [("JavaScript", "Java"), ("20", "2"), ("not spicy food", "spicy"), ("Java", "Java"), ("Java", "")],
)
def test_does_not_refine(more: str, less: str) -> None:
    assert not refines(more, less)


@given(VALUES)
def test_same_is_reflexive(value: str) -> None:
    assert same(value, value)


@given(VALUES, VALUES)
def test_same_is_symmetric(one: str, other: str) -> None:
    assert same(one, other) == same(other, one)


@given(VALUES, VALUES)
def test_refines_never_both_ways(one: str, other: str) -> None:
    assert not refines(one, one)
    assert not (refines(one, other) and refines(other, one))


def test_tokens() -> None:
    assert tokens("C++ 与 Node.js 21.5") == ("c++", "与", "node.js", "21.5")


@pytest.mark.parametrize(
    ("text", "value", "named"),
    [("I sold the Corsa", "Corsa", True), ("I sold the Clio", "Corsa", False), ("团子走了", "团子", True)],
)
def test_mentions(text: str, value: str, *, named: bool) -> None:
    assert names_value(text, value) is named
