"""What the graph knows that may decide about a new statement: read in its transaction, put on the working_set."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from graph.arbitration.values import tokens
from graph.naming import stable_id
from graph.ontology import CURRENT, Status
from graph.store import Row, Transaction
from graph.timelines.facts import Fact
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Standing

MOST_CURRENT: Final = 100
"""Current statements of one timeline that are looked at; of the same value all are found besides."""

MOST_NEAR: Final = 24
"""Neighbours that a statement without a key is compared with."""

_NEAR: Final = {"a": "timelines/near_a", "b": "timelines/near_b"}  # by the slot of the vectors in use


async def on_timelines(transaction: Transaction, places: Sequence[Row]) -> dict[str, Fact]:
    """Return what decides at places of timelines, by id."""
    rows = await transaction.run("timelines/statements", places=places, most=MOST_CURRENT)
    return {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}


async def near_ones(
    transaction: Transaction, slot: str, working_set: WorkingSet, asked: Sequence[Row]
) -> dict[str, tuple[str, ...]]:
    """Put the neighbours of statements without a key on the working_set; return their ids by statement."""
    if not asked:
        return {}
    statuses = [str(status) for status in CURRENT]
    rows = await transaction.run(_NEAR[slot], claims=asked, statuses=statuses, most=MOST_NEAR)
    found: dict[str, list[str]] = {}
    for row in rows:
        fact = fact_of(row["fact"])
        working_set.facts[fact.id] = fact
        found.setdefault(row["claim"], []).append(fact.id)
    return {claim: tuple(dict.fromkeys(ids)) for claim, ids in found.items()}


async def opponents(transaction: Transaction, working_set: WorkingSet) -> None:
    """Put on the working_set whom its statements are in conflict with, however far they are from what is said now."""
    while missing := {one for fact in working_set.facts.values() for one in fact.opponents} - working_set.facts.keys():
        working_set.facts |= await by_ids(transaction, missing)


async def by_ids(transaction: Transaction, ids: Iterable[str]) -> dict[str, Fact]:
    """Return statements by id."""
    rows = await transaction.run("timelines/by_ids", ids=sorted(ids))
    return {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}


async def restatements(transaction: Transaction, ids: Iterable[str], statuses: Iterable[Status]) -> list[Fact]:
    """Return the events of these statuses that restate these facts."""
    if not (wanted := sorted(ids)):
        return []
    rows = await transaction.run("timelines/restatements", ids=wanted, statuses=[str(one) for one in statuses])
    return [fact_of(row["fact"]) for row in rows]


def fact_of(row: Mapping[str, Any]) -> Fact:
    """Return the fact out of a row of `cypher/timelines`."""
    return Fact(
        row["id"],
        row["timeline"],
        row["text"],
        row["value"],
        row["origin"],
        row["user_id"],
        row["at"],
        Standing.of(row),
        frozenset(row["opponents"]),
    )


def value_key(value: str | None) -> str | None:
    """Return the form in which equal values are found."""
    return " ".join(sorted(tokens(value))) or value if value is not None else None


def text_key(text: str) -> str:
    """Return the form in which equal texts are found."""
    return stable_id("said", " ".join(tokens(text)) or text)
