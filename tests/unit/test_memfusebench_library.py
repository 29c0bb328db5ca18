import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bench.memfusebench.library import VALUES, check_slots, load, view_of
from bench.memfusebench.model import CATEGORIES, Both, Kind, View
from bench.memfusebench.texts import shown, token
from bench.memfusebench.words import cues, plain

LIBRARY = load()
KINDS = list(LIBRARY.kinds.values())
HAN = re.compile(r"[\u4e00-\u9fff]")

CHOICE = re.compile(r"\[([^\[\]]*)\]")

each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def views(kind: Kind) -> list[View]:
    return [view for view in (*kind.views, kind.by_id, kind.by_wording) if view]


def variants(template: str) -> list[str]:
    """Return all choices of a template written out, slots unfilled."""
    first = CHOICE.search(template)
    if first is None:
        return [template]
    head, tail = template[: first.start()], template[first.end() :]
    return [whole for option in first[1].split("|") for whole in variants(head + option + tail)]


@each_kind
def test_every_text_is_in_both_languages(kind: Kind) -> None:
    texts = (
        [view.say for view in views(kind)]
        + [ask.say for ask in kind.asks]
        + [*kind.facts.values(), *kind.text.values()]
    )
    for text in texts:
        assert not HAN.search(text.en), text
        assert HAN.search(text.zh) or text.zh in ("{trace}", "{thing_alt} — {spent}{cur}") or "{" in text.zh, text


@each_kind
def test_questions_are_of_the_six_categories_and_name_facts_of_their_kind(kind: Kind) -> None:
    assert {ask.category for ask in kind.asks} <= set(CATEGORIES)
    assert {fact for ask in kind.asks for fact in ask.facts} | set(kind.key) <= kind.facts.keys()


def test_a_template_that_names_an_unknown_slot_is_refused() -> None:
    kind = KINDS[0]
    spoilt = replace(kind, views=(replace(kind.views[0], say=Both("{nobody}", "{nobody}")),))
    with pytest.raises(ValueError, match="nobody"):
        check_slots(spoilt)


@each_kind
def test_facts_asked_for_stand_in_events_of_both_languages_and_of_no_private_source(kind: Kind) -> None:
    for fact in {fact for ask in kind.asks for fact in ask.facts} | set(kind.key):
        names = [f"{fact}_{role}" for role in kind.roles[1:]] if f"{fact}_a" in kind.slots else [fact]
        for name in names:
            for lang in (0, 1):
                holding = [
                    view
                    for view in kind.views
                    if "private" not in view.flags
                    and all(f"{{{name}}}" in choice for choice in variants(view.say[lang]))
                ]
                assert holding, (name, lang)


@each_kind
def test_no_view_names_a_cause_but_the_one_made_for_it(kind: Kind) -> None:
    for view in (*kind.views, *([kind.by_id] if kind.by_id else [])):
        assert not [cue for text in view.say for cue in cues(text)], view
    if kind.by_wording:
        for text in kind.by_wording.say:
            assert all(cues(choice) and "{because}" in choice for choice in variants(text))
    if kind.by_id:
        assert all("{their_ref}" in choice for text in kind.by_id.say for choice in variants(text))


@pytest.mark.parametrize("kind", LIBRARY.family("scene"), ids=lambda kind: kind.name)
def test_an_effect_says_why_is_carried_both_ways_and_has_causes_that_exist(kind: Kind) -> None:
    assert kind.ref
    for lang in (0, 1):
        assert any(all("{ref}" in choice for choice in variants(view.say[lang])) for view in kind.views)
    assert {"thing", "clause", "because"} <= kind.text.keys()
    if kind.causes:
        assert "why" in kind.text
        assert kind.by_id
        assert kind.by_wording
        assert set(kind.causes) <= LIBRARY.kinds.keys()


@pytest.mark.parametrize("kind", LIBRARY.family("scene"), ids=lambda kind: kind.name)
def test_what_a_scene_is_known_by_is_no_number_and_stands_in_its_clause(kind: Kind) -> None:
    (key,) = kind.key
    assert not isinstance(kind.slots[key], str)
    assert all(f"{{{key}}}" in text for text in kind.text["clause"])


def test_what_has_ended_is_answered_with_yes() -> None:
    en, zh = LIBRARY.tables["frames"]["ended"]["says"]
    assert en.startswith("Yes")
    assert zh.startswith("是的")


def test_a_view_reports_after_what_it_reports_the_length_of() -> None:
    view = view_of("v", {"see": "camera a +stay core", "say": ["", ""]})
    assert (view.until, view.after) == ("stay", timedelta())
    assert view_of("v", {"see": "calendar a -14h ahead", "say": ["", ""]}).after == timedelta(hours=-14)


@pytest.mark.parametrize("kind", LIBRARY.family("value"), ids=lambda kind: kind.name)
def test_a_value_made_more_exact_contains_the_value(kind: Kind) -> None:
    rows = [[Both(*row[i : i + 2]) for i in (0, 2, 4)] for row in kind.slots[VALUES[0]]]
    assert len(rows) >= 6
    for value, trace, fine in rows:
        for lang in (0, 1):
            assert plain(shown(value[lang])) in plain(shown(fine[lang]))
            assert token(fine[lang]) != shown(fine[lang])
            assert token(trace[lang]) != trace[lang]
            assert plain(token(value[lang])) not in plain(trace[lang])


def test_patterns_hold_every_verdict_and_say_each_step_in_a_view() -> None:
    steps = [step for pattern in LIBRARY.patterns.values() for step in pattern]
    assert {step.verdict for step in steps} - {""} == {"ADD", "NOOP", "UPDATE", "REFINE", "CONFLICT", "INVALIDATE"}
    for kind in LIBRARY.family("value"):
        assert {step.view for step in steps} <= {view.step for view in kind.views}
    assert LIBRARY.patterns.keys() == LIBRARY.tables["frames"].keys()
