"""User text as a Lucene query: it finds words and never speaks the query language."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.scope import GROUP_AUDIENCE, tag
from graph.search.lucene import MOST_PAIRS, MOST_WORDS, left_out, lucene_query, runs, words

GROUP = "home"
AUDIENCES = (GROUP_AUDIENCE, "ann")
STATUSES = ("active", "conflict")
DAYS = (20240101, 20241231)

TAG = "[0-9a-f]{24}"
QUERY = re.compile(
    rf"\+group_tag:{TAG}\^0 \+\(audience_tag:{TAG}(?: audience_tag:{TAG})*\)\^0 "
    r"\+\(status:[a-z]+(?: status:[a-z]+)*\)\^0(?: \+day_token:\[\d{8} TO \d{8}\]\^0)? \+window:\((?P<terms>.+)\)",
    re.DOTALL,
)
TERM = re.compile(r'"[^"\\]+"|[^\W_]+')
OPERATORS = {"AND", "OR", "NOT", "TO"}
LUCENE_CLAUSES = 1_024

# Cases that broke systems of this kind, and their neighbours.
SYNTAX = [
    "tb-", "node:", "C++", "(x", '"open', "~alien", "AND", "NOT", "a && b", "*", "/b testing", r"C:\a\b.py",
    "OR ^2 [a TO", "window:(x) OR group_tag:*", 'end") +group_tag:(*', "x\u3000AND\u3000y", "a'b\"c", "ＡＮＤ",
    "汇率 AND 外币", "“开放”", "\\", '"', "!", "-", "a:b:c", "it’s", "_", "{1 TO 2}", "²", "İSTANBUL", "𝐀𝐍𝐃",
]  # fmt: skip


def asked(text: str, days: tuple[int, int] | None = None) -> list[str]:
    """The queries of both indexes for a text."""
    both = (lucene_query(terms, GROUP, AUDIENCES, STATUSES, days) for terms in (words(text), runs(text)))
    return [query for query in both if query is not None]


def terms_of(query: str) -> list[str]:
    form = QUERY.fullmatch(query)
    assert form, query
    return form["terms"].split(" ")


def check(text: str, days: tuple[int, int] | None = None) -> None:
    for query in asked(text, days):
        for term in terms_of(query):
            assert TERM.fullmatch(term), term
            assert term not in OPERATORS
        assert query.count('"') % 2 == 0
        assert query.startswith(f"+group_tag:{tag(GROUP)}^0 +(")
        for audience in AUDIENCES:
            assert f"audience_tag:{tag(GROUP, audience)}" in query
        assert query.count("audience_tag:") == len(AUDIENCES)
        assert query.count("group_tag:") == 1
        assert ("day_token:" in query) == (days is not None)


@pytest.mark.parametrize("text", SYNTAX)
def test_signs_of_the_query_language_become_words(text: str) -> None:
    check(text)
    check(text, DAYS)


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from('+-&|!(){}[]^"~*?:\\/ ANDORT汉字')))
def test_any_text_gives_quoted_or_plain_words_within_the_scope(text: str) -> None:
    check(text)


@given(st.text(min_size=1, max_size=9), st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=3))
def test_names_of_any_script_are_required_as_tags(group: str, audiences: list[str]) -> None:
    query = lucene_query(["word"], group, audiences, STATUSES)
    assert query is not None
    assert QUERY.fullmatch(query)
    seen_by = " ".join(f"audience_tag:{tag(group, audience)}" for audience in audiences)
    assert query.startswith(f"+group_tag:{tag(group)}^0 +({seen_by})^0 +(")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("tb-", ["tb"], []),
        ("node:", ["node"], []),
        ("C++", ["c"], []),
        ("(x", ["x"], []),
        ('"open', ["open"], []),
        ("~alien", ["alien"], []),
        ("a && b", ["b"], []),
        ("/b testing", ["b", "testing"], []),
        (r"C:\a\b.py", ["c", "b.py"], []),
        ("*", [], []),
        ("汇率换算", [], ["汇率换算"]),
        ("Neo4j 的汇率，外币 汇率", ["neo4j"], ["的汇率", "外币", "汇率"]),
        ("我的猫，猫", ["猫"], ["我的猫"]),
        ("Ben's plan at 10:30", ["ben's", "plan", "10:30"], []),
        ("When did Ben move?", ["ben", "move"], []),
        ("tea Tea TEA", ["tea"], []),
        ("", [], []),
    ],
)
def test_words_and_runs(text: str, english: list[str], chinese: list[str]) -> None:
    assert words(text) == english
    assert runs(text) == chinese


def test_a_question_of_empty_words_is_still_asked() -> None:
    assert words("What did you do?") == ["what", "did", "you", "do"]


def test_a_word_with_more_than_letters_and_digits_is_quoted() -> None:
    query = lucene_query(
        ["plan", "b.py", "ben's", "snake_case", "汇率", "おちゃ", "カメラ"], GROUP, AUDIENCES, STATUSES
    )
    assert query is not None
    assert terms_of(query) == ["plan", '"b.py"', '"ben\'s"', '"snake_case"', "汇率", '"おちゃ"', "カメラ"]


def test_without_words_there_is_no_query() -> None:
    assert lucene_query([], GROUP, AUDIENCES, STATUSES, DAYS) is None
    assert asked("*") == asked("?!") == asked(" ") == []


def test_the_scope_is_required_and_scores_nothing() -> None:
    query = lucene_query(["tea"], GROUP, AUDIENCES, STATUSES, DAYS)
    assert query == (
        f"+group_tag:{tag(GROUP)}^0 "
        f"+(audience_tag:{tag(GROUP, GROUP_AUDIENCE)} audience_tag:{tag(GROUP, 'ann')})^0 "
        "+(status:active status:conflict)^0 "
        "+day_token:[20240101 TO 20241231]^0 "
        "+window:(tea)"
    )


@pytest.mark.parametrize(
    ("days", "span"), [((0, 20240101), "[00000000 TO 20240101]"), ((101, 9991231), "[00000101 TO 09991231]")]
)
def test_days_are_compared_as_eight_digits(days: tuple[int, int], span: str) -> None:
    query = lucene_query(["tea"], GROUP, AUDIENCES, STATUSES, days)
    assert query is not None
    assert f"+day_token:{span}^0" in query


@given(st.text(st.sampled_from("汇率换算外币工具东西南北 ，a1")), st.integers(1, 300))
@example("汇率换算外币工具东西南北", 170)
@example("汇率换算外币工具东西南北" * 3 + "，", 55)
def test_a_long_text_keeps_within_the_clauses_that_lucene_allows(text: str, times: int) -> None:
    """The Chinese index cuts a run into pairs of signs, and each pair is a clause."""
    long = "".join(f"{text}{chr(0x4E00 + number)}" for number in range(times))[:2_000]
    scope = len(AUDIENCES) + len(STATUSES) + 2
    assert sum(len(run) - 1 for run in runs(long)) + scope <= LUCENE_CLAUSES
    assert len(words(long)) + scope <= LUCENE_CLAUSES


def test_of_a_long_question_the_first_the_last_and_the_longest_words_are_looked_for() -> None:
    short = [f"w{number:03}" for number in range(200)]
    text = " ".join(["first", *short[:100], "telling", *short[100:], "end"])
    kept, left = words(text), left_out(text)
    assert len(kept) == MOST_WORDS
    assert kept[0] == "first"
    assert kept[-1] == "end"
    assert "telling" in kept
    assert sorted([*kept, *left]) == sorted({"first", "telling", "end", *short})
    assert kept == [word for word in ["first", *short[:100], "telling", *short[100:], "end"] if word in kept]
    assert left_out(" ".join(short[:MOST_WORDS])) == []


def test_of_a_long_chinese_question_both_ends_are_looked_for() -> None:
    signs = "".join(chr(0x4E00 + number) for number in range(990))
    for text in (signs, "，".join(signs[at : at + 9] for at in range(0, 990, 9))):
        kept, left = runs(text), left_out(text)
        assert sum(len(run) - 1 for run in kept) == MOST_PAIRS
        assert kept[0][:2] == signs[:2]
        assert kept[-1][-1] == text[-1]
        assert all(stretch in text for stretch in (*kept, *left))
        pairs = {run[at : at + 2] for run in re.split("，", text) for at in range(len(run) - 1)}
        assert {run[at : at + 2] for run in (*kept, *left) for at in range(len(run) - 1)} == pairs
    assert left_out(signs[: MOST_PAIRS + 1]) == []
