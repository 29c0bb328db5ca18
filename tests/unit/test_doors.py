"""What is let in: origin, our own output coming back, and quotes that say the opposite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.ontology import Origin
from graph.timelines.doors import MARK, is_own_output, origin_refused, polarity_flipped


@pytest.mark.parametrize("external", [True, False])
@pytest.mark.parametrize("origin", list(Origin))
def test_external_text_needs_the_groups_consent_and_nothing_else_does(origin: Origin, external: bool) -> None:
    refusal = origin_refused(origin, external=external)
    assert (refusal is not None) == (origin is Origin.EXTERNAL and not external)
    if refusal is not None:
        assert refusal.field == "origin"
        assert "configureGroup(external: true)" in refusal.reason


@given(st.text(), st.text())
def test_a_text_with_our_mark_anywhere_is_our_own(before: str, after: str) -> None:
    assert is_own_output(before + MARK + after)


@given(st.text().filter(lambda text: MARK not in text))
def test_a_text_without_our_mark_is_not(text: str) -> None:
    assert not is_own_output(text)


@pytest.mark.parametrize(
    ("text", "quote", "flipped"),
    [
        ("We use Java", "we use Java", False),
        ("We use Java", None, False),
        ("We use Java", "we do not use Java", True),
        ("We don't use Java", "we use Java", True),
        ("We do not use Java", "we don’t use Java any more", False),
        ("We no longer use Java", "we stopped using Java", False),
        ("我们用 Java", "我们不用 Java 了", True),
        ("我们不用 Java 了", "我们已经不用 Java", False),
        ("我用 Java", "我用 Java", False),
        ("I smoke", "I quit smoking", True),
    ],
)
def test_a_quote_that_denies_what_the_text_states(text: str, quote: str | None, flipped: bool) -> None:
    assert polarity_flipped(text, quote) is flipped


@given(st.text(max_size=40))
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert not polarity_flipped(text, text)
