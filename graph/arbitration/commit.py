"""Settles the statements of a batch inside its transaction: lock, look, decide, and write what was decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from graph.arbitration.decide import Said, Stance, Verdict, person_named
from graph.arbitration.standing import Standing
from graph.arbitration.timeline import Board, Claim, Fact, Link, Settlement
from graph.arbitration.values import tokens
from graph.naming import entity_key, stable_id
from graph.ontology import CURRENT, Edge
from graph.store import Row, Transaction

MOST_CURRENT: Final = 100
"""Current statements of one timeline that are looked at; of the same value all are found besides."""

MOST_NEAR: Final = 50
"""Neighbours that a statement without a key is compared with."""

RULE: Final = "rule"
"""The actor of a decision that no person made."""

_NEAR: Final = {"a": "arbitration/near_a", "b": "arbitration/near_b"}  # by the slot of the vectors in use


@dataclass(frozen=True, slots=True)
class Statement:
    """A new statement on its way into the graph.

    `at` (ms) is when it was said; `kept` tells that its atom is kept whatever the verdict, as an event's is; `many`
    that its key holds many values; the ids are those of its source and record.
    """

    id: str
    said: Said
    at: int
    group: str
    audience: str
    vector: Sequence[float]
    source_id: str
    record_id: str
    quote: str | None
    content_hash: str
    many: bool
    kept: bool

    @property
    def about(self) -> str:
        """Id of the subject, within the statement's audience: private statements are settled among themselves."""
        return stable_id("subject", self.group, self.audience, entity_key(self.said.subject))

    def timeline(self, subject: str) -> str | None:
        """Id of the timeline of a subject and the statement's key; None without a key."""
        return timeline_id(self.group, self.audience, subject, self.said.key) if self.said.key else None

    def other(self) -> tuple[str, str] | None:
        """Return the subject that the text may be about instead, and the words that name them."""
        person = person_named(self.said)
        return (f"{self.said.subject}'s {person}", person) if person else None


def timeline_id(group: str, audience: str, subject: str, key: str) -> str:
    """Return the id of the timeline of a subject and a key among those of one audience."""
    return stable_id("timeline", group, audience, entity_key(subject), entity_key(key))


async def settle(transaction: Transaction, slot: str, statements: Sequence[Statement]) -> list[Settlement]:
    """Lock the subjects, read what is known, and settle the statements in the order in which they came."""
    await transaction.run("arbitration/lock_subjects", subjects=sorted({one.about for one in statements}))
    claims = [_claim(one) for one in statements]
    board = Board()
    keyed = [(one, claim) for one, claim in zip(statements, claims, strict=True) if claim.timeline]
    if keyed:
        places = [
            {"timeline": timeline, "at": claim.at, "value_key": value_key(one.said.value)}
            for one, claim in keyed
            for timeline in (claim.timeline, *(claim.other[:1] if claim.other else ()))
        ]
        rows = await transaction.run("arbitration/statements", places=places, most=MOST_CURRENT)
        board.facts |= {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}
    near = await _near(transaction, slot, board, [one for one in statements if one.said.key is None])
    settled: list[Settlement] = []
    of_subject: dict[str, list[str]] = {}  # statements of this batch, which no index knows yet
    for one, claim in zip(statements, claims, strict=True):
        earlier = of_subject.setdefault(one.about, [])
        known = (*near.get(one.id, ()), *earlier) if one.said.key is None else ()
        settled.append(board.settle(replace(claim, near=known)))
        if settled[-1].keeps:
            earlier.append(one.id)
    return settled


def _claim(one: Statement) -> Claim:
    other = one.other()
    timeline = one.timeline(one.said.subject)
    theirs = one.timeline(other[0]) if other else None
    named = (theirs, other[1]) if theirs and other else None
    return Claim(one.id, one.said, one.at, timeline, named, many=one.many, kept=one.kept)


async def _near(
    transaction: Transaction, slot: str, board: Board, statements: Sequence[Statement]
) -> dict[str, tuple[str, ...]]:
    """Put the neighbours of statements without a key on the board; return their ids by statement."""
    if not statements:
        return {}
    asked = [
        {
            "id": one.id,
            "about": one.about,
            "audience": one.audience,
            "vector": one.vector,
            "said_key": said_key(one.said.text),
        }
        for one in statements
    ]
    statuses = [str(status) for status in CURRENT]
    rows = await transaction.run(_NEAR[slot], claims=asked, statuses=statuses, most=MOST_NEAR)
    found: dict[str, list[str]] = {}
    for row in rows:
        fact = fact_of(row["fact"])
        board.facts[fact.id] = fact
        found.setdefault(row["claim"], []).append(fact.id)
    return {claim: tuple(dict.fromkeys(ids)) for claim, ids in found.items()}


def properties(one: Statement, settlement: Settlement) -> Row:
    """Return what a statement's atom has beside an event's: where it stands, and its standing."""
    ruling = settlement.ruling
    mine = next(change.after for change in settlement.changes if change.id == one.id)
    on_timeline = ruling.stance is not Stance.ASIDE
    other = one.other()
    subject = other[0] if other and settlement.timeline != one.timeline(one.said.subject) else one.said.subject
    return {
        **mine.properties(),
        "subject": subject,
        "about": one.about,
        "stance": ruling.stance,
        "timeline": settlement.timeline if on_timeline else None,
        "said_ms": one.at,
        "value_key": value_key(one.said.value) if on_timeline and settlement.timeline else None,
        "said_key": said_key(one.said.text),
    }


async def write(
    transaction: Transaction, statements: Sequence[Statement], settlements: Sequence[Settlement], now: datetime
) -> None:
    """Write the changes of standing, the edges and the decisions; the atoms that are kept must stand already."""
    by_id = {one.id: one for one in statements}
    latest: dict[str, Standing] = {}
    for settlement in settlements:
        latest |= {change.id: change.after for change in settlement.changes}
    if latest:
        await change_standing(transaction, latest)
    await link(transaction, settlements, now)
    restated = [
        {"id": target, "source_id": one.source_id, "record_id": one.record_id, "quote": one.quote}
        for settlement in settlements
        if settlement.ruling.verdict is Verdict.NOOP
        for one in [by_id[settlement.claim.id]]
        for target in settlement.ruling.targets
    ]
    if restated:
        await transaction.run("arbitration/restate", statements=restated)
    # Decisions of one batch are told apart in time by their order.
    decided = [
        _decision(by_id[settlement.claim.id], settlement, now + timedelta(microseconds=number))
        for number, settlement in enumerate(settlements)
    ]
    await transaction.run("arbitration/decide", decisions=[row for row in decided if row["touched"]])


async def change_standing(transaction: Transaction, standings: Mapping[str, Standing]) -> None:
    """Give atoms their standing."""
    rows = [{"id": one, "properties": standing.properties()} for one, standing in sorted(standings.items())]
    await transaction.run("arbitration/change_standing", changes=rows)


async def link(transaction: Transaction, settlements: Iterable[Settlement], now: datetime) -> None:
    """Make, close and cut the edges between statements."""
    made: list[Link] = []
    closed: list[Link] = []
    cut: list[Link] = []
    for settlement in settlements:
        made += settlement.links
        closed += settlement.closed
        cut += settlement.cut
    if made or closed or cut:
        await transaction.run(
            "arbitration/link",
            supersedes=_edges((one for one in made if one.type == Edge.SUPERSEDES), now),
            refines=_edges((one for one in made if one.type == Edge.REFINES), now),
            conflicts=_edges((one for one in made if one.type == Edge.CONFLICTS_WITH), now),
            closed=_edges(closed, now),
            cut=_edges(cut, now),
        )


def _edges(links: Iterable[Link], now: datetime) -> list[Row]:
    return [{"start": one.start, "end": one.end, "at": now} for one in links]


def decision_id(statement_id: str) -> str:
    """Return the id of the decision that the arrival of a statement makes."""
    return stable_id("decision", statement_id)


def _decision(one: Statement, settlement: Settlement, now: datetime) -> Row:
    ruling = settlement.ruling
    return decision(
        decision_id(one.id),
        settlement,
        now,
        verdict=ruling.verdict,
        rule=ruling.rule,
        words=ruling.words,
        actor=RULE,
        atom_id=one.id if settlement.keeps else (ruling.targets or (None,))[0],
        content_hash=one.content_hash,
    )


def decision(id: str, settlement: Settlement, now: datetime, **said: Any) -> Row:  # noqa: A002
    """Return a decision as the statement that keeps it takes it."""
    return {
        "id": id,
        "properties": {"at": now, **said},
        "touched": [
            {
                "id": change.id,
                "before": change.before.to_json() if change.before else None,
                "after": change.after.to_json(),
                "before_status": change.before.status if change.before else None,
                "after_status": change.after.status,
            }
            for change in settlement.changes
        ],
    }


def fact_of(row: Mapping[str, Any]) -> Fact:
    """Return the fact out of a row of `cypher/arbitration`."""
    return Fact(
        row["id"],
        row["timeline"],
        row["text"],
        row["value"],
        row["stance"],
        row["origin"],
        row["user_id"],
        row["at"],
        Standing.of(row),
        frozenset(row["opponents"]),
    )


def value_key(value: str | None) -> str | None:
    """Return the form in which equal values are found."""
    return " ".join(sorted(tokens(value))) or value if value is not None else None


def said_key(text: str) -> str:
    """Return the form in which equal texts are found."""
    return stable_id("said", " ".join(tokens(text)) or text)
