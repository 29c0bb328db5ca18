"""What becomes of a new statement: the design's rules, and what must never happen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.naming import entity_key
from graph.ontology import Origin
from graph.timelines.authority import may_retire
from graph.timelines.decide import decide, person_named
from graph.timelines.keys import kind_of
from graph.timelines.said import KeyKind, KnownStatement, Said, TimelineRole, Verdict

RETIRES = (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE)


def said(
    text: str, value: str | None = None, *, key: str | None = None, origin: str = "user_stated", by: str = "ann"
) -> Said:
    return Said(text, key, value, origin, by, "ann")


def known(
    text: str, value: str | None = None, *, origin: str = "user_stated", by: str = "ann", id_: str = "old"
) -> KnownStatement:
    return KnownStatement(id_, text, value, "active", TimelineRole.VALUE, origin, by)


@pytest.mark.parametrize(
    ("old", "old_value", "new", "value", "verdict"),
    [
        ("我们用 Java", "Java", "我们迁到 Go 了", "Go", Verdict.UPDATE),
        ("我们用 Java", "Java", "我们用 Go", "Go", Verdict.CONFLICT),
        ("我用 Java", "Java", "我用 Java 也用 Go", "Go", Verdict.ADD),
        ("用 Java", "Java", "用 Java 21 + Spring Boot 3", "Java 21 + Spring Boot 3", Verdict.REFINE),
        ("用 Java", "Java", "不用 Java 了", None, Verdict.INVALIDATE),
        ("用 Java", "Java", "我用 Java", "java", Verdict.NOOP),
        ("用 Java 21", "Java 21", "我用 Java", "Java", Verdict.NOOP),
        ("we use Java", "Java", "we use JavaScript", "JavaScript", Verdict.CONFLICT),
        ("we use Java", "Java", "we switched to Go", "Go", Verdict.UPDATE),
        ("we use Java", "Java", "maybe we use Go", "Go", Verdict.ADD),
        ("we use Java", "Java", "we didn't switch to Go, still Java", "Java", Verdict.NOOP),
        ("we use Java", "Java", "my brother switched to Go", "Go", Verdict.ADD),
        ("we use Java", "Java", "the mobile folks moved to Go", "Go", Verdict.ADD),
        ("I smoke", "yes", "I quit smoking", None, Verdict.INVALIDATE),
    ],
)
def test_same_key(old: str, old_value: str, new: str, value: str | None, verdict: Verdict) -> None:
    ruling = decide(said(new, value, key="user.lang"), [known(old, old_value)])
    assert ruling.verdict is verdict
    if verdict in (Verdict.UPDATE, Verdict.CONFLICT, Verdict.REFINE, Verdict.INVALIDATE, Verdict.NOOP):
        assert ruling.targets == ("old",)


def test_wording_that_decided_is_named() -> None:
    ruling = decide(said("we switched to Go", "Go", key="lang"), [known("we use Java", "Java")])
    assert "switched" in ruling.words
    assert ruling.words in "we switched to Go"


def test_other_key_is_added() -> None:
    assert decide(said("我们迁到 Go 了", "Go", key="team.lang"), []).verdict is Verdict.ADD


def test_case_2_without_keys() -> None:
    memory = [
        known("Kiran lives in Lyon", id_="home"),
        known("Kiran works on project A", id_="work"),
    ]
    moved = decide(said("Kiran moved to Oslo"), memory)
    assert (moved.verdict, moved.proposes, moved.proposed) == (Verdict.ADD, ("home",), Verdict.UPDATE)
    works = decide(said("Kiran is on project B now"), memory)
    assert (works.verdict, works.proposes, works.proposed) == (Verdict.ADD, ("work",), Verdict.UPDATE)


def test_case_3_without_keys() -> None:
    old = known("5 years at Harbor")
    assert decide(said("5 years at Harbor"), [old]).verdict is Verdict.NOOP
    now = decide(said("now 6 years at Harbor"), [old])
    assert (now.verdict, now.proposed) == (Verdict.ADD, Verdict.UPDATE)


def test_case_3_with_a_key() -> None:
    old = known("5 years at Harbor", "5 years")
    assert decide(said("5 years at Harbor", "5 years", key="tenure"), [old]).verdict is Verdict.NOOP
    assert decide(said("now 6 years at Harbor", "6 years", key="tenure"), [old]).verdict is Verdict.UPDATE


def test_key_of_many_values() -> None:
    ruling = decide(
        said("I switched to Dutch", "Dutch", key="user.languages"), [known("I speak Thai", "Thai")], kind=KeyKind.MANY
    )
    assert (ruling.verdict, ruling.timeline_role) == (Verdict.ADD, TimelineRole.ADDITION)


@pytest.mark.parametrize("key", ["user.languages", "user.pets", "拥有", "用药列表", "user.reading_list"])
def test_keys_that_hold_many(key: str) -> None:
    assert kind_of(key, {}, "user_stated") is KeyKind.MANY
    assert kind_of(key, {entity_key(key): "one"}, "user_stated") is KeyKind.ONE


@pytest.mark.parametrize("key", ["user.lang", "user.glasses", "最喜欢的歌手", "孩子学号", "team.standup"])
def test_keys_that_hold_one(key: str) -> None:
    assert kind_of(key, {}, "user_stated") is KeyKind.ONE
    assert kind_of(key.upper(), {entity_key(key): "many"}, "user_stated") is KeyKind.MANY


def test_what_is_observed_is_a_series_unless_it_is_declared_otherwise() -> None:
    assert kind_of("home.temperature", {}, "observed") is KeyKind.SERIES
    assert kind_of("user.languages", {}, "observed") is KeyKind.SERIES
    assert kind_of("order.state", {"order.state": "ordered"}, "observed") is KeyKind.ORDERED


def test_person_named() -> None:
    person = person_named(said("my brother moved to Go", "Go", key="lang"))
    assert person is not None
    assert (person.words, person.name) == ("brother", "brother")
    assert person_named(said("I moved to Go", "Go", key="lang")) is None


def test_uncertain_is_to_be_confirmed() -> None:
    ruling = decide(said("可能是 Go", "Go", key="lang"), [known("用 Java", "Java")])
    assert (ruling.verdict, ruling.to_confirm, ruling.timeline_role) == (Verdict.ADD, True, TimelineRole.OFF)


def test_a_doubt_beside_another_one_in_the_same_words_disputes_nothing() -> None:
    ruling = decide(said("Maybe we use Go", "Go", key="lang"), [known("Maybe we use Java", "Java")])
    assert (ruling.verdict, ruling.rule, ruling.timeline_role) == (Verdict.ADD, "uncertain", TimelineRole.OFF)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("I no longer use Python", Verdict.ADD),
        ("我不用 Python 了", Verdict.ADD),
        ("I no longer use Java", Verdict.INVALIDATE),
        ("I no longer use it", Verdict.INVALIDATE),
        ("I stopped using it on New Year's", Verdict.INVALIDATE),
    ],
)
def test_the_end_of_something_else_ends_nothing(text: str, verdict: Verdict) -> None:
    ruling = decide(said(text, None, key="lang"), [known("I use Java", "Java")])
    assert ruling.verdict is verdict
    assert bool(ruling.targets) is (verdict is Verdict.INVALIDATE)


def test_small_talk_is_skipped_without_a_key_only() -> None:
    assert decide(said("今天很热"), [known("我养龟")]).verdict is Verdict.SKIPPED_EPHEMERAL
    assert decide(said("今天很热", "热", key="天气"), []).verdict is Verdict.ADD


TEXTS = st.sampled_from([
    "I switched to Go", "I no longer use Java", "now Go", "Java 21", "我换成 Go 了", "不用 Java 了", "用 Go",
])  # fmt: skip
VALUES = st.sampled_from(["Go", "Java", "Java 21", None])
ORIGINS = st.sampled_from([origin.value for origin in Origin])
PEOPLE = st.sampled_from(["ann", "bob"])
KEYS = st.sampled_from(["user.lang", None])


@given(TEXTS, VALUES, KEYS, ORIGINS, PEOPLE, ORIGINS, PEOPLE)
def test_nothing_is_retired_without_authority(
    text: str, value: str | None, key: str | None, origin: str, by: str, old_origin: str, old_by: str
) -> None:
    new = said(text, value, key=key, origin=origin, by=by)
    old = known("I use Java", "Java", origin=old_origin, by=old_by)
    ruling = decide(new, [old])
    assert may_retire(new, old) or ruling.verdict not in RETIRES


SUBJECTS = st.sampled_from(["Kiran", "My gate code", "阿岚", "仓库", "I"])
VERBS = st.sampled_from([" lives in ", " is ", "住在", "在"])
THINGS = st.sampled_from(["Lyon", "4471", "桂林", "嘉定", "Tampere"])


@given(SUBJECTS, VERBS, THINGS)
def test_exact_repetition_is_no_news(subject: str, verb: str, thing: str) -> None:
    text = subject + verb + thing
    assert decide(said(text), [known(text)]).verdict is Verdict.NOOP
    assert decide(said(text, thing, key="k"), [known(text, thing)]).verdict is Verdict.NOOP


FRAMES = st.sampled_from([
    "Should I switch to {}?", "Did we move to {}?", "I'm thinking of switching to {}", "next year we'll move to {}",
    "If I could I'd switch to {}", "I nearly switched to {}", "I didn't switch to {}", "we never moved to {}",
    "要不要换成{}？", "我打算换成{}", "下个月搬到{}", "要是换成{}就好了", "差点换成{}", "我没有换成{}", "并没换成{}",
])  # fmt: skip


@given(FRAMES, st.sampled_from(["Turku", "Zed", "德阳"]), st.booleans())
def test_what_is_not_asserted_changes_nothing(frame: str, value: str, with_key: bool) -> None:
    text = frame.format(value)
    new = said(text, value, key="user.thing") if with_key else said(text)
    ruling = decide(new, [known("I use Tampere", "Tampere" if with_key else None)])
    assert ruling.verdict in (Verdict.ADD, Verdict.NOOP)


@given(st.text(), st.none() | st.text(max_size=20), KEYS, st.text(), st.none() | st.text(max_size=20))
def test_any_statement_is_ruled_on(
    text: str, value: str | None, key: str | None, old: str, old_value: str | None
) -> None:
    assert decide(said(text, value, key=key), [known(old, old_value)]).verdict in Verdict
