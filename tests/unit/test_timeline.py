"""Statements settled one after the other: what changes, in order and out of order; a batch is as good as calls.

Statements here state their act; what their words mean is tested with the wording.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.ontology import Edge, Origin, Status
from graph.timelines.facts import Change, Claim, Fact, Link, Settlement, Utterance
from graph.timelines.history import periods, rendered
from graph.timelines.history_only import LATE, RESTATED_LATE
from graph.timelines.said import Act, KeyKind, Ruling, Said, TimelineRole, Verdict
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Standing
from graph.timelines.step import Statements, Step

YEAR = 31_557_600_000


def claim(
    name: str,
    text: str,
    value: str | None,
    at: int,
    *,
    key: str = "lang",
    origin: str = Origin.USER_STATED,
    user: str = "ann",
    kind: KeyKind = KeyKind.ONE,
    kept: bool = False,
    act: Act = Act.ASSERTS,
) -> Claim:
    said = Said(text, key, value, origin, user, "ann", act)
    return Claim(name, said, at, key, kind=kind, kept=kept)


def uses(name: str, value: str, at: int, **more: str | bool) -> Claim:
    return claim(name, f"We use {value}", value, at, **more)  # type: ignore[arg-type]


def moved(name: str, value: str, at: int, **more: str | bool) -> Claim:
    return claim(name, f"We moved to {value} now", value, at, act=Act.REPLACES, **more)  # type: ignore[arg-type]


def ended(name: str, value: str, at: int) -> Claim:
    return claim(name, f"We no longer use {value}", value, at, act=Act.ENDS)


def settled(*claims: Claim, working_set: WorkingSet | None = None) -> tuple[WorkingSet, list[Settlement]]:
    working_set = working_set if working_set is not None else WorkingSet()
    return working_set, [working_set.settle(one) for one in claims]


def statuses(working_set: WorkingSet) -> dict[str, str]:
    return {name: str(fact.standing.status) for name, fact in working_set.facts.items()}


def shown(working_set: WorkingSet, key: str = "lang") -> str:
    rows = [
        {
            "id": f.id,
            "at": f.at,
            "text": f.text,
            "value": f.value,
            "audience": "group",
            **_standing(f.standing),
        }
        for f in working_set.on(key)
    ]
    return rendered(periods(rows))


def _standing(standing: Standing) -> dict[str, object]:
    return {name: getattr(standing, name) for name in Standing.__slots__}


def at_year(number: int) -> int:
    return (number - 1970) * YEAR + YEAR // 2


# In order


def test_an_update_supersedes_and_the_timeline_is_kept() -> None:
    working_set, (first, second) = settled(uses("a", "Java", at_year(2024)), moved("b", "Go", at_year(2026)))
    assert (first.ruling.verdict, second.ruling.verdict) == ("ADD", "UPDATE")
    assert shown(working_set) == "Java (2024–2026) → Go (2026–)"
    assert second.links == (Link("SUPERSEDES", "b", "a"),)
    assert [(one.id, one.before and one.before.status, one.after.status) for one in second.changes] == [
        ("b", None, "active"),
        ("a", "active", "superseded"),
    ]
    assert working_set.facts["a"].standing.valid_until == working_set.facts["b"].standing.valid_from == at_year(2026)


def test_what_has_no_news_keeps_nothing_but_its_evidence() -> None:
    working_set, (_, again) = settled(uses("a", "Java", 1), uses("b", "java", 5))
    assert (again.ruling.verdict, again.keeps, list(working_set.facts)) == ("NOOP", False, ["a"])
    standing = working_set.facts["a"].standing
    assert (standing.evidence_count, standing.last_evidence_at, standing.valid_from) == (2, 5, 1)


def test_an_event_is_kept_beside_its_timeline_when_it_restates() -> None:
    working_set, (_, again) = settled(uses("a", "Java", 1, kept=True), uses("b", "Java", 5, kept=True))
    assert again.keeps
    assert (working_set.facts["b"].timeline_role, working_set.facts["b"].restates) == (TimelineRole.RESTATEMENT, "a")
    assert shown(working_set).count("Java") == 1


def test_a_restatement_has_the_standing_of_its_fact_and_none_of_its_own() -> None:
    """However many events restate a value, its end changes the value alone."""
    working_set, (*_, end) = settled(
        uses("a", "Java", 1, kept=True), uses("b", "Java", 3, kept=True), uses("c", "Java", 5, kept=True),
        moved("d", "Go", 9, kept=True), uses("late", "Java", 7, kept=True),
    )  # fmt: skip
    assert statuses(working_set) == {"a": "superseded", "b": "active", "c": "active", "d": "active", "late": "active"}
    assert {name: fact.restates for name, fact in working_set.facts.items() if fact.restates} == dict.fromkeys(
        ("b", "c", "late"), "a"
    )
    assert (end.ruling.verdict, end.ruling.rule) == ("NOOP", RESTATED_LATE)
    assert shown(working_set).count("Java") == 1


def test_the_end_of_a_value_that_many_events_restate_changes_two_standings() -> None:
    said = [uses(f"s{at:02}", "Java", at, kept=True) for at in range(30)]
    _, (*_, end) = settled(*said, moved("go", "Go", 99, kept=True))
    assert [change.id for change in end.changes] == ["go", "s00"]


def test_what_was_over_begins_again() -> None:
    working_set, (_, _, again) = settled(
        uses("a", "Java", at_year(2020)), ended("b", "Java", at_year(2022)), uses("c", "Java", at_year(2024))
    )
    assert again.ruling.verdict == "ADD"
    assert shown(working_set) == "Java (2020–2022) → Java (2024–)"
    assert statuses(working_set) == {"a": "invalid", "b": "superseded", "c": "active"}


def test_external_text_decides_nothing() -> None:
    working_set, (_, change, same) = settled(
        uses("a", "Java", 1),
        moved("b", "Go", 2, origin=Origin.EXTERNAL),
        uses("c", "Java", 3, origin=Origin.EXTERNAL),
    )
    assert statuses(working_set) == {"a": "active", "b": "quarantined", "c": "quarantined"}
    assert (change.timeline, same.timeline, change.links) == (None, None, ())
    assert working_set.facts["a"].standing.evidence_count == 1
    _, (late,) = settled(moved("d", "Zig", 1), working_set=working_set)
    assert late.ruling.verdict == "UPDATE", "what is in quarantine is no newer value"


# Conflicts


def test_three_values_are_one_conflict_and_an_update_closes_it() -> None:
    working_set, answers = settled(uses("a", "Java", 1), uses("b", "Go", 2), uses("c", "Rust", 3))
    assert [one.ruling.verdict for one in answers] == ["ADD", "CONFLICT", "CONFLICT"]
    assert {name: fact.opponents for name, fact in working_set.facts.items()} == {
        "a": {"b", "c"},
        "b": {"a", "c"},
        "c": {"a", "b"},
    }
    assert all(fact.standing.flags == ("needs_confirmation",) for fact in working_set.facts.values())
    _, (closing,) = settled(moved("d", "Zig", 4), working_set=working_set)
    assert statuses(working_set) == {"a": "superseded", "b": "superseded", "c": "superseded", "d": "active"}
    assert {frozenset((one.start, one.end)) for one in closing.closed} == {
        frozenset("ab"), frozenset("ac"), frozenset("bc"),
    }  # fmt: skip
    assert not any(fact.opponents for fact in working_set.facts.values())


def test_a_restatement_strengthens_its_side_and_counts_against_the_other() -> None:
    working_set, _ = settled(uses("a", "Java", 1), uses("b", "Go", 2), uses("c", "Java", 7))
    mine, other = working_set.facts["a"].standing, working_set.facts["b"].standing
    assert (mine.restated, mine.restated_at, mine.counter_statements) == (1, 7, 0)
    assert (other.restated, other.restated_at, other.counter_statements) == (0, None, 1)
    assert mine.conflict_since == other.conflict_since == 2


def test_the_more_specific_inherits_the_conflict_of_the_general() -> None:
    working_set, _ = settled(uses("a", "Java", 1), uses("b", "Go", 2), uses("c", "Java 21", 3))
    assert statuses(working_set) == {"a": "superseded", "b": "conflict", "c": "conflict"}
    assert working_set.facts["b"].opponents == {"c"}
    assert working_set.facts["c"].opponents == {"b"}


def test_what_is_left_of_a_conflict_stands_alone() -> None:
    working_set, _ = settled(uses("a", "Java", 1), uses("b", "Go", 2), ended("c", "Java", 3))
    assert statuses(working_set) == {"a": "invalid", "b": "active", "c": "active"}
    assert working_set.facts["b"].standing.flags == ()


@pytest.mark.parametrize(("user", "second"), [("ann", "superseded"), ("ben", "conflict")])
def test_an_update_of_one_side_reaches_the_other_where_it_may(user: str, second: str) -> None:
    """Of the two sides only one is near in meaning; the other is replaced too, or disputes the new one from now on."""
    side = Standing(Status.CONFLICT, conflict_since=2, timeline_role="value")
    one = Fact("a", None, "I live in Lyon", None, Origin.USER_STATED, "ann", 1, side, frozenset("b"))
    other = Fact("b", None, "I live in Oslo", None, Origin.USER_STATED, user, 2, side, frozenset("a"))
    statements = Statements({"a": one, "b": other})
    said = Said("I moved to Paris", None, None, Origin.USER_STATED, "ann", "cem")
    Step(statements, Utterance("c", said, 3, "c"), None).take(Ruling(Verdict.UPDATE, "", targets=("a",)))
    new = "active" if second == "superseded" else "conflict"
    assert {name: fact.standing.status for name, fact in statements.facts.items()} == {
        "a": "superseded", "b": second, "c": new,
    }  # fmt: skip
    assert statements.facts["b"].opponents == (frozenset() if second == "superseded" else {"c"})


# Authority


@pytest.mark.parametrize(
    ("origin", "user"),
    [(Origin.OBSERVED, "ann"), (Origin.INFERRED, "ann"), (Origin.INFERRED, "ben"), (Origin.USER_STATED, "ben")],
)
def test_nobody_else_retires_what_a_user_stated(origin: Origin, user: str) -> None:
    for change in (moved("b", "Go", 2), uses("b", "Java 21", 2), ended("b", "Java", 2)):
        said = replace(change.said, origin=origin, user_id=user)
        working_set, _ = settled(uses("a", "Java", 1), replace(change, said=said))
        assert statuses(working_set)["a"] in ("active", "conflict")


@pytest.mark.parametrize("change", [moved("b", "Go", 2), uses("b", "Go", 2)])
def test_an_inference_is_to_be_confirmed(change: Claim) -> None:
    said = replace(change.said, origin=Origin.INFERRED)
    working_set, _ = settled(uses("a", "Java", 1), replace(change, said=said))
    assert "needs_confirmation" in working_set.facts["b"].standing.flags


# Out of order


@pytest.mark.parametrize(
    ("late", "expected"),
    [
        (moved("x", "Rust", at_year(2023)), "Java (2020–2023) → Rust (2023–2026) → Go (2026–)"),
        # Without wording of change the two were in conflict, until the third value replaced both.
        (uses("x", "Rust", at_year(2023)), "Java (2020–2026) → Rust (2023–2026) → Go (2026–)"),
        (moved("x", "Rust", at_year(2018)), "Rust (2018–2026) → Java (2020–2026) → Go (2026–)"),
        (uses("x", "Java", at_year(2023)), "Java (2020–2026) → Go (2026–)"),
        (uses("x", "Java", at_year(2018)), "Java (2018–2026) → Go (2026–)"),
        (moved("x", "Go", at_year(2023)), "Java (2020–2023) → Go (2023–)"),
        (ended("x", "Java", at_year(2023)), "Java (2020–2023) → Go (2026–)"),
    ],
)
def test_a_late_statement_takes_its_place(late: Claim, expected: str) -> None:
    working_set, _ = settled(uses("a", "Java", at_year(2020)), moved("b", "Go", at_year(2026)), late)
    assert shown(working_set) == expected


def test_a_late_statement_comes_between_the_links() -> None:
    _, (*_, late) = settled(uses("a", "Java", 1), moved("b", "Go", 9), moved("x", "Rust", 5))
    assert late.cut == (Link("SUPERSEDES", "b", "a"),)
    assert set(late.links) == {Link("SUPERSEDES", "b", "x"), Link("SUPERSEDES", "x", "a")}
    assert late.ruling.rule == LATE


def test_two_late_statements_come_one_after_the_other() -> None:
    working_set, answers = settled(
        uses("a", "Java", at_year(2018)),
        moved("b", "Go", at_year(2026)),
        moved("x", "Rust", at_year(2020)),
        moved("y", "Zig", at_year(2022)),
    )
    assert shown(working_set) == "Java (2018–2020) → Rust (2020–2022) → Zig (2022–2026) → Go (2026–)"
    edges = {(link.start, link.end) for one in answers for link in one.links}
    cut = {(link.start, link.end) for one in answers for link in one.cut}
    assert edges - cut == {("b", "y"), ("y", "x"), ("x", "a")}


def test_the_end_of_another_value_ends_nothing_that_comes_late() -> None:
    working_set, (*_, late) = settled(
        uses("a", "Java", at_year(2020)), ended("b", "Java", at_year(2024)), moved("x", "Go", at_year(2022))
    )
    assert shown(working_set) == "Java (2020–2022) → Go (2022–)"
    assert statuses(working_set) == {"a": "superseded", "b": "active", "x": "active"}
    assert not [link for link in late.links if (link.start, link.end) == ("x", "b")]


def test_the_end_of_a_value_is_not_the_value() -> None:
    at = at_year(2024)
    end = Fact(
        "b",
        "lang",
        "We no longer use Go",
        "Go",
        Origin.USER_STATED,
        "ann",
        at,
        Standing(valid_from=at, timeline_role="end"),
    )
    working_set, (late,) = settled(uses("x", "Go", at_year(2022)), working_set=WorkingSet({"b": end}))
    assert late.ruling.verdict == "ADD"
    assert shown(working_set) == "Go (2022–2024)"
    assert statuses(working_set) == {"b": "active", "x": "invalid"}


def test_an_older_statement_never_retires_what_was_added_later() -> None:
    also = claim("a", "We also use Go", "Go", 9, act=Act.ADDS)
    working_set, _ = settled(also, moved("x", "Java", 5))
    assert statuses(working_set) == {"a": "active", "x": "active"}
    working_set, _ = settled(uses("a", "Go", 9, kind=KeyKind.MANY), replace(ended("x", "Go", 5), kind=KeyKind.MANY))
    assert statuses(working_set)["a"] == "active"


def test_what_had_ended_and_is_said_late_is_a_period_of_its_own() -> None:
    working_set, _ = settled(
        uses("a", "Java", at_year(2020)),
        ended("b", "Java", at_year(2022)),
        moved("c", "Go", at_year(2024)),
        uses("x", "Java", at_year(2023)),
    )
    assert shown(working_set) == "Java (2020–2022) → Java (2023–2024) → Go (2024–)"


# All orders

VALUES = ("Java", "Go", "Rust")


@st.composite
def told(draw: st.DrawFn) -> Claim:
    """A claim without id or time, to be given both."""
    value = draw(st.sampled_from(VALUES))
    make = draw(st.sampled_from([uses, moved, ended]))
    one = make("", value, 0)
    origin = draw(
        st.sampled_from([Origin.USER_STATED, Origin.USER_STATED, Origin.OBSERVED, Origin.INFERRED, Origin.EXTERNAL])
    )
    said = replace(one.said, origin=origin, user_id=draw(st.sampled_from(["ann", "ann", "ben"])))
    return replace(
        one,
        said=said,
        kept=draw(st.booleans()),
        kind=draw(st.sampled_from([KeyKind.ONE, KeyKind.ONE, KeyKind.ONE, KeyKind.MANY])),
    )


def named(claims: Sequence[Claim], times: Sequence[int]) -> list[Claim]:
    return [replace(one, id=f"s{number:02}", at=at) for number, (one, at) in enumerate(zip(claims, times, strict=True))]


stories = st.lists(told(), min_size=1, max_size=8).flatmap(
    lambda claims: st.tuples(
        st.just(claims), st.lists(st.integers(1, 12), min_size=len(claims), max_size=len(claims))
    ).map(lambda pair: named(*pair))
)


def loaded(working_set: WorkingSet) -> WorkingSet:
    """Return the working_set as it would be read anew."""
    return WorkingSet({name: replace(fact) for name, fact in working_set.facts.items()}, told=working_set.told)


@settings(max_examples=150)
@given(stories)
def test_a_working_set_settles_a_batch_as_it_would_one_by_one(claims: list[Claim]) -> None:
    together, answers = settled(*claims)
    apart, alone = WorkingSet(), []
    for one in claims:
        apart = loaded(apart)
        alone.append(apart.settle(one))
    assert answers == alone
    assert together.facts == apart.facts


@settings(max_examples=300)
@given(stories)
def test_conflicts_are_symmetric_changes_are_told_and_nothing_ends_before_it_began(claims: list[Claim]) -> None:
    working_set = WorkingSet()
    for one in claims:
        before = {name: fact.standing for name, fact in working_set.facts.items()}
        settlement = working_set.settle(one)
        seen: dict[str, Change] = {change.id: change for change in settlement.changes}
        assert len(seen) == len(settlement.changes)
        for name, fact in working_set.facts.items():
            assert (name in seen) == (before.get(name) != fact.standing), name
            if name in seen:
                assert (seen[name].before, seen[name].after) == (before.get(name), fact.standing)
        for name, fact in working_set.facts.items():
            assert (fact.standing.status == Status.CONFLICT) == bool(fact.opponents), name
            assert all(name in working_set.facts[other].opponents for other in fact.opponents)
            start, end = fact.standing.valid_from, fact.standing.valid_until
            assert start is None or end is None or start <= end, name
        for link in settlement.links:
            older, newer = working_set.facts[link.end], working_set.facts[link.start]
            # A conflict has no direction in time. What began again is older than what it took the place of.
            assert older.at <= max(newer.at, newer.standing.valid_from or 0) or link.type == Edge.CONFLICTS_WITH


@settings(max_examples=300)
@given(stories)
def test_a_single_valued_timeline_has_one_current_value_or_an_open_conflict(claims: list[Claim]) -> None:
    working_set, _ = settled(*(replace(one, kind=KeyKind.ONE) for one in claims))
    active = [
        one
        for one in working_set.on("lang")
        if one.timeline_role == TimelineRole.VALUE and one.standing.status == Status.ACTIVE
    ]
    assert len({one.value for one in active}) <= 1


@settings(max_examples=300)
@given(stories, told(), st.integers(0, 11))
def test_a_late_arrival_never_changes_which_value_is_current(claims: list[Claim], last: Claim, at: int) -> None:
    working_set, _ = settled(*(replace(one, kind=KeyKind.ONE) for one in claims), moved("now", "Zig", 100))
    current = {
        name: fact.standing.status
        for name, fact in working_set.facts.items()
        if fact.current and fact.timeline_role == TimelineRole.VALUE
    }
    assert current["now"] in (Status.ACTIVE, Status.CONFLICT)
    working_set.settle(replace(last, id="late", at=at, kind=KeyKind.ONE))
    after = {
        name: fact.standing.status
        for name, fact in working_set.facts.items()
        if fact.current and fact.timeline_role == TimelineRole.VALUE
    }
    assert after == current
