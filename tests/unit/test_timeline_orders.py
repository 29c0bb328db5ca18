"""Timelines do not depend on the order of arrival: the same statements in every order, in calls, batches and late.

The graph is simulated: between two batches only what the settlements told to write is known, and no more is read of it
than the service reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.ontology import CURRENT, Edge, Origin, Status
from graph.timelines.facts import Claim, Fact, Link, Settlement, Utterance, net
from graph.timelines.history import periods, rendered
from graph.timelines.said import Act, KeyKind, Ruling, Said, TimelineRole
from graph.timelines.settling import MOST_RETOLD, WorkingSet
from graph.timelines.standing import Flag, Standing
from graph.timelines.step import GIVING

YEAR = 31_557_600_000
KEY = "user.thing"
RULINGS: dict[Any, Ruling] = {}
"""What was ruled on the same question before: all orders ask the same again and again."""


@dataclass(slots=True)
class Graph:
    """What the service would have written: atoms, and what was said on each timeline."""

    facts: dict[str, Fact] = field(default_factory=dict)
    told: dict[str, list[Utterance]] = field(default_factory=dict)

    def settle(self, claims: Sequence[Claim]) -> list[Settlement]:
        """Settle claims as one call does."""
        newest = {timeline: max(one.at for one in told) for timeline, told in self.told.items()}
        known = WorkingSet(rulings=RULINGS, newest=newest)
        known.facts |= {name: fact for name, fact in self.facts.items() if fact.current or fact.lane}
        late = known.late(claims)
        known.facts |= {name: fact for name, fact in self.facts.items() if fact.timeline in late}
        known.told |= {timeline: list(self.told[timeline]) for timeline in late}
        settled = [known.settle(claim) for claim in claims]
        for settlement in settled:
            self.write(settlement)
        # As the service writes them: all that are made, then all that are over.
        edges = net(settled)
        for link in [link for one in edges for link in one.links]:
            self._join(link, joined=True)
        for link in [link for one in edges for link in (*one.closed, *one.cut)]:
            self._join(link, joined=False)
        assert self.facts == {name: known.facts.get(name, fact) for name, fact in self.facts.items()}
        return settled

    def write(self, settlement: Settlement) -> None:
        """Write what a settlement says of atoms, and nothing else."""
        claim, said = settlement.claim, settlement.claim.said
        for change in settlement.changes:
            if change.before is None:
                self.facts[change.id] = Fact(
                    claim.id, settlement.timeline, said.text, said.value, said.origin, said.user_id, claim.at,
                    change.after, source_id=said.source_id, lane=settlement.lane,
                )  # fmt: skip
            else:
                assert self.facts[change.id].standing == change.before
                self.facts[change.id] = replace(self.facts[change.id], standing=change.after)
        if settlement.utterance is not None and settlement.timeline is not None:
            self.told.setdefault(settlement.timeline, []).append(settlement.utterance)

    def _join(self, link: Link, *, joined: bool) -> None:
        ways = [(link.start, link.end, link.type.lower())]
        if link.type == Edge.CONFLICTS_WITH:
            ways = [(link.start, link.end, "opponents"), (link.end, link.start, "opponents")]
        for start, end, name in ways:
            ends: frozenset[str] = getattr(self.facts[start], name)
            assert (end in ends) is not joined, f"{link} is told twice"
            changed: dict[str, Any] = {name: ends | {end} if joined else ends - {end}}
            self.facts[start] = replace(self.facts[start], **changed)

    def shown(self) -> str:
        """Return the timeline as one line."""
        return rendered(periods(self._rows()))

    def outcome(self) -> object:
        """Return what must not depend on the order: periods, what is current, and the edges between values."""
        told = [(one.value, one.since, one.until, one.status, one.beside) for one in periods(self._rows())]
        current = sorted(
            (str(fact.value), fact.standing.status, fact.standing.flags)
            for fact in self.facts.values()
            if fact.current and fact.timeline_role in GIVING
        )
        edges = {
            (name, fact.value, self.facts[end].value, self.facts[end].timeline_role is TimelineRole.END)
            for fact in self.facts.values()
            for name in ("supersedes", "refines", "opponents")
            for end in getattr(fact, name)
        }
        return sorted(told, key=str), current, sorted(edges, key=str)

    def _rows(self) -> list[dict[str, object]]:
        rows = [
            {"id": fact.id, "at": fact.at, "text": fact.text, "value": fact.value, "audience": "group",
             "lane": fact.lane, **{name: getattr(fact.standing, name) for name in Standing.__slots__}}
            for fact in self.facts.values()
        ]  # fmt: skip
        return sorted(rows, key=lambda row: int(str(row["at"])))


def claim(text: str, value: str | None, year: int, act: Act, *, kept: bool = False, **more: str) -> Claim:
    """Return a claim that states its act, so that what becomes of it does not hang on how its words are read."""
    at = (year - 1970) * YEAR + YEAR // 2
    said = Said(text, KEY, value, more.get("origin", Origin.USER_STATED), more.get("user", "ann"), "ann", act)
    return Claim(f"{year}-{text}", said, at, "timeline", kept=kept)


def uses(value: str, year: int) -> Claim:
    return claim(f"I use {value}", value, year, Act.ASSERTS)


def switched(value: str, year: int) -> Claim:
    return claim(f"I switched to {value}", value, year, Act.REPLACES)


def stopped(value: str, year: int) -> Claim:
    return claim(f"I no longer use {value}", value, year, Act.ENDS)


def splits(claims: Sequence[Claim]) -> Iterator[list[Sequence[Claim]]]:
    """Every way to part claims into calls, in their order."""
    if not claims:
        yield []
    for at in range(1, len(claims) + 1):
        for rest in splits(claims[at:]):
            yield [claims[:at], *rest]


def after(calls: Sequence[Sequence[Claim]]) -> Graph:
    graph = Graph()
    for call in calls:
        graph.settle(call)
    return graph


def one_timeline(claims: Sequence[Claim]) -> Graph:
    """Settle claims in order, and see that every other order gives the same."""
    first = after([[one] for one in claims])
    for order in permutations(claims):
        for calls in splits(order) if len(claims) < 5 else ([[one] for one in order], [order]):
            assert after(calls).outcome() == first.outcome(), [[one.id for one in call] for call in calls]
    return first


PAYMENTS = [
    ("I am on the Payments team", "Payments", "I am no longer on the Payments team", "I left the Payments team"),
    ("我在支付组", "支付组", "我不在支付组了", "我离开了支付组"),
]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(("on", "value", "off", "left"), PAYMENTS)
def test_one_who_comes_and_goes_twice_was_there_twice(on: str, value: str, off: str, left: str, kept: bool) -> None:
    told = [(on, Act.ASSERTS), (off, Act.ENDS), (on, Act.ASSERTS), (left, Act.ENDS)]
    graph = one_timeline([claim(text, value, 2021 + n, act, kept=kept) for n, (text, act) in enumerate(told)])
    assert graph.shown() == f"{value} (2021–2022) → {value} (2023–2024)"


@pytest.mark.parametrize("kept", [False, True])
def test_each_restatement_keeps_its_own_time(kept: bool) -> None:
    said = [uses("Zed", 2021), switched("Vim", 2022), uses("Zed", 2023)]
    graph = one_timeline([replace(one, kept=kept) for one in said])
    assert graph.shown() == "Zed (2021–2022) → Vim (2022–)? | Zed (2023–)?"


def test_what_was_restated_and_changed_back_is_three_periods_of_two_statements() -> None:
    graph = after([[uses("Zed", 2021)], [switched("Zed", 2023)], [switched("Vim", 2022)]])
    assert graph.shown() == "Zed (2021–2022) → Vim (2022–2023) → Zed (2023–)"
    zed, vim = graph.facts.values()
    assert (zed.standing.earlier, zed.standing.valid_from) == ((zed.at, vim.at), switched("Zed", 2023).at)
    assert (set(zed.supersedes), set(vim.supersedes)) == ({vim.id}, {zed.id})
    assert graph.outcome() == one_timeline([uses("Zed", 2021), switched("Vim", 2022), switched("Zed", 2023)]).outcome()


@pytest.mark.parametrize("texts", [("I use {}", "I switched to {}"), ("我用 {}", "我换成 {} 了")])
def test_three_values_are_one_after_the_other(texts: tuple[str, str]) -> None:
    first, change = texts
    said = [
        claim(first.format("Zed"), "Zed", 2021, Act.ASSERTS),
        claim(change.format("Vim"), "Vim", 2022, Act.REPLACES),
        claim(change.format("Helix"), "Helix", 2023, Act.REPLACES),
    ]
    assert one_timeline(said).shown() == "Zed (2021–2022) → Vim (2022–2023) → Helix (2023–)"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([stopped("Zed", 2021), uses("Zed", 2022)], "Zed (2022–)"),
        ([uses("Zed", 2021), stopped("Zed", 2022), switched("Vim", 2023)], "Zed (2021–2022) → Vim (2023–)"),
        ([uses("Zed", 2021), switched("Vim", 2022), stopped("Zed", 2023)], "Zed (2021–2022) → Vim (2022–)"),
        ([uses("Zed", 2021), uses("Vim", 2022), uses("Helix", 2023)], "Zed (2021–)? | Vim (2022–)? | Helix (2023–)?"),
        ([uses("Zed", 2021), uses("Vim", 2022), stopped("Zed", 2023)], "Zed (2021–2023) → Vim (2022–)"),
        (
            [uses("Zed", 2021), uses("Vim", 2022), switched("Helix", 2023), uses("Zed", 2024)],
            "Zed (2021–2023) → Vim (2022–2023) → Helix (2023–)? | Zed (2024–)?",
        ),
        ([uses("Java", 2021), uses("Java 21", 2022)], "Java (2021–2022) → Java 21 (2022–)"),
        (
            [uses("Java", 2021), uses("Java 21", 2022), uses("Go", 2023), switched("Rust", 2024)],
            "Java (2021–2022) → Java 21 (2022–2024) → Go (2023–2024) → Rust (2024–)",
        ),
        (
            [uses("Java", 2021), claim("I also use Go", "Go", 2022, Act.ADDS), stopped("Java", 2023)],
            "Java (2021–2023) + Go (2022–)",
        ),
        ([uses("Zed", 2021), claim("I may try Vim", "Vim", 2022, Act.PLANS), uses("Zed", 2023)], "Zed (2021–)"),
    ],
)
@pytest.mark.parametrize("kept", [False, True])
def test_what_is_said_in_any_order_gives_one_timeline(said: list[Claim], expected: str, kept: bool) -> None:
    assert one_timeline([replace(one, kept=kept) for one in said]).shown() == expected


def test_nobody_else_retires_what_a_user_stated_in_any_order() -> None:
    said = [
        uses("Zed", 2021),
        claim("Ann switched to Vim", "Vim", 2022, Act.REPLACES, user="ben", kept=True),
        claim("Ann uses Zed", "Zed", 2023, Act.ASSERTS, origin=Origin.OBSERVED, kept=True),
    ]
    graph = one_timeline([replace(one, kept=True) for one in said])
    assert {fact.value for fact in graph.facts.values() if fact.standing.status == Status.CONFLICT} == {"Zed", "Vim"}


# What a late statement is told to be


@pytest.mark.parametrize(
    ("known", "late", "verdict"),
    [
        ([uses("Zed", 2021), switched("Vim", 2024)], switched("Helix", 2022), "ADD"),
        ([uses("Zed", 2021), switched("Vim", 2024)], uses("Zed", 2022), "NOOP"),
        ([uses("Zed", 2021), switched("Vim", 2024)], stopped("Zed", 2022), "ADD"),
        ([uses("Zed", 2021), uses("Zed", 2024)], switched("Vim", 2022), "CONFLICT"),
        ([switched("Vim", 2024)], uses("Zed", 2022), "ADD"),
        ([uses("Zed", 2021), stopped("Vim", 2024)], switched("Helix", 2022), "UPDATE"),
        ([uses("Zed", 2021), stopped("Vim", 2024)], stopped("Zed", 2022), "INVALIDATE"),
    ],
)
def test_the_verdict_on_what_comes_late(known: list[Claim], late: Claim, verdict: str) -> None:
    (settlement,) = after([known]).settle([late])
    assert settlement.ruling.verdict == verdict
    assert settlement.keeps is (verdict != "NOOP")


def test_only_what_comes_late_asks_for_the_whole_timeline() -> None:
    graph = after([[uses("Zed", 2021), switched("Vim", 2023)]])
    known = WorkingSet(dict(graph.facts), newest={"timeline": switched("Vim", 2023).at})
    assert known.late([switched("Go", 2024)]) == []
    assert known.late([switched("Go", 2022)]) == ["timeline"]
    assert known.late([switched("Go", 2025), switched("Helix", 2024)]) == ["timeline"], "late within the batch"
    assert WorkingSet().late([switched("Go", 2025), switched("Helix", 2024)]) == [], "nothing is known of it"


# People have the last word


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.INVALID])
def test_where_a_person_decided_a_late_statement_is_history_only(status: str) -> None:
    graph = after([[uses("Zed", 2021), uses("Vim", 2023)]])
    zed, vim = graph.facts.values()
    chosen = vim.standing.alone() if status == Status.ACTIVE else vim.standing.taken_back(vim.at)
    graph.facts[vim.id] = replace(vim, standing=chosen, opponents=frozenset())
    graph.facts[zed.id] = replace(zed, standing=zed.standing.ended(Status.SUPERSEDED, vim.at), opponents=frozenset())
    (settlement,) = graph.settle([switched("Helix", 2022)])
    assert settlement.ruling.verdict == "ADD"
    assert graph.facts[vim.id].standing == chosen


def test_a_pin_stays_and_does_not_stop_a_timeline_from_being_told_anew() -> None:
    graph = after([[uses("Zed", 2021), switched("Vim", 2023)]])
    zed, _ = graph.facts.values()
    graph.facts[zed.id] = replace(zed, standing=zed.standing.flagged(Flag.PINNED))
    graph.settle([switched("Helix", 2022)])
    assert graph.shown() == "Zed (2021–2022) → Helix (2022–2023) → Vim (2023–)"
    assert graph.facts[zed.id].standing.flags == (Flag.PINNED,)


def test_a_very_long_timeline_is_not_told_anew() -> None:
    said = [replace(uses("Zed", 2021), id=f"s{at}", at=at, kept=True) for at in range(MOST_RETOLD + 1)]
    graph = after([said])
    (settlement,) = graph.settle([replace(switched("Vim", 1960), at=-1)])
    assert settlement.ruling.verdict == "ADD"
    assert len(settlement.changes) == 1


# Without a key


def test_what_is_said_again_without_its_key_is_said_on_its_timeline() -> None:
    first = uses("Zed", 2021)
    plain = replace(first.said, key=None, value=None)
    again = Claim("again", plain, uses("Zed", 2023).at, None, near=(first.id,))
    graph = after([[first], [again], [switched("Vim", 2022)]])
    assert graph.shown() == "Zed (2021–2022) → Vim (2022–)? | Zed (2023–)?"


# Readings


def reading(value: str, at: int, source: str = "hall", **more: str) -> Claim:
    said = Said(f"It is {value}", "temperature", value, Origin.OBSERVED, "ann", "home", source_id=source)
    return Claim(f"{source}-{at}", said, at, "readings", kind=KeyKind.SERIES, kept=more.get("kept") is not None)


def test_readings_of_a_thermostat_are_no_conflict_and_change_two_standings_each() -> None:
    graph = Graph()
    for at in range(120):
        (settlement,) = graph.settle([reading(str(18 + at % 7 // 2), at)])
        assert settlement.ruling.verdict in ("ADD", "UPDATE", "NOOP")
        assert len(settlement.changes) <= 2
        assert len(settlement.links) <= 1
    assert {fact.standing.status for fact in graph.facts.values()} == {"active", "superseded"}
    assert [fact.at for fact in graph.facts.values() if fact.standing.status in CURRENT] == [119]
    assert len(graph.facts) == 120, "each reading is kept"


def test_readings_give_one_timeline_in_every_order_and_the_second_source_stands_beside() -> None:
    said = [reading("20", 1), reading("21", 2), reading("21", 4), reading("19", 6)]
    assert len(periods(one_timeline(said)._rows())) == 3
    both = one_timeline([reading("20", 1), reading("30", 3, "attic"), reading("21", 4), reading("31", 5, "attic")])
    assert [(one.value, one.beside) for one in periods(both._rows())] == [
        ("20", False), ("30", True), ("21", False), ("31", True),
    ]  # fmt: skip


def test_a_reading_against_what_a_user_stated_is_one_conflict_that_later_readings_take_over() -> None:
    stated = Claim("said", Said("It is 25 here", "temperature", "25", Origin.USER_STATED, "ann", "home"), 3, "readings")
    said = [reading("20", 1), stated, reading("21", 5), reading("22", 6)]
    graph = one_timeline(said)
    in_conflict = {fact.value for fact in graph.facts.values() if fact.standing.status == Status.CONFLICT}
    assert in_conflict == {"25", "22"}
    assert len(graph.settle([reading("23", 7)])[0].changes) <= 3
    graph.settle([reading("25", 8)])
    assert not [fact for fact in graph.facts.values() if fact.standing.status == Status.CONFLICT]


def test_a_reading_that_a_user_stated_as_well_is_theirs_whenever_it_is_said() -> None:
    again = Claim("said", Said("It is 20", "temperature", "20", Origin.USER_STATED, "ann", "home"), 3, "readings")
    said = [reading("20", 1), again, reading("21", 5), reading("22", 6)]
    for order in permutations(said):
        graph = after([[one] for one in order])
        stands = {(fact.value, fact.standing.status) for fact in graph.facts.values() if fact.current}
        assert stands == {("20", Status.CONFLICT), ("22", Status.CONFLICT)}, [one.id for one in order]


# All kinds together


@st.composite
def stories(draw: st.DrawFn, kind: KeyKind = KeyKind.ONE) -> list[Claim]:
    """Statements of different times; some are events, which are kept whatever they are. Others than Ann send events."""
    values = st.sampled_from(["Zed", "Vim", "Java", "Java 21"])
    acts = st.sampled_from([*Act, Act.ASSERTS, Act.REPLACES])
    who = st.sampled_from([("ann", Origin.USER_STATED)] * 3 + [("ben", Origin.USER_STATED), ("ann", Origin.INFERRED)])
    said = draw(st.lists(st.tuples(acts, values, st.booleans(), who), min_size=2, max_size=6))
    added = {value for act, value, *_ in said if act is Act.ADDS}
    return [
        replace(
            # What is less specific than what it restates, or is said to hold besides, needs an atom of its own to be
            # told apart from it.
            claim(
                f"{act}: {value}",
                value,
                2000 + at,
                act,
                kept=kept or user != "ann" or value == "Java" or value in added,
                user=user,
                origin=origin,
            ),
            kind=kind,
        )
        for at, (act, value, kept, (user, origin)) in enumerate(said)
    ]


@settings(max_examples=150)
@given(st.sampled_from([KeyKind.ONE, KeyKind.ONE, KeyKind.MANY]).flatmap(stories), st.data())
def test_no_order_of_arrival_changes_a_timeline(said: list[Claim], data: st.DataObject) -> None:
    order = data.draw(st.permutations(said))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(said) - 1))))
    calls = [order[start:end] for start, end in zip([0, *cuts], [*cuts, len(order)], strict=True)]
    assert after(calls).outcome() == after([[one] for one in said]).outcome()


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.sampled_from(["20", "21", "22"]), st.sampled_from("ab")), min_size=2, max_size=8), st.data()
)
def test_no_order_of_arrival_changes_readings(read: list[tuple[str, str]], data: st.DataObject) -> None:
    said = [reading(value, at, source) for at, (value, source) in enumerate(read, start=1)]
    order = data.draw(st.permutations(said))
    assert after([order]).outcome() == after([[one] for one in order]).outcome() == after([said]).outcome()
