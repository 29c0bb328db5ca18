"""What the graph knows that may decide about a new statement: read in its transaction, put on the board."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from graph.arbitration.facts import Fact
from graph.arbitration.standing import Standing
from graph.arbitration.timeline import Board
from graph.arbitration.values import tokens
from graph.naming import stable_id
from graph.ontology import CURRENT, Status
from graph.store import Row, Transaction

MOST_CURRENT: Final = 100
"""Current statements of one timeline that are looked at; of the same value all are found besides."""

MOST_NEAR: Final = 24
"""Neighbours that a statement without a key is compared with."""

_NEAR: Final = {"a": "arbitration/near_a", "b": "arbitration/near_b"}  # by the slot of the vectors in use


async def on_timelines(transaction: Transaction, places: Sequence[Row]) -> dict[str, Fact]:
    """Return what decides at places of timelines, by id."""
    rows = await transaction.run("arbitration/statements", places=places, most=MOST_CURRENT)
    return {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}


async def near_ones(
    transaction: Transaction, slot: str, board: Board, asked: Sequence[Row]
) -> dict[str, tuple[str, ...]]:
    """Put the neighbours of statements without a key on the board; return their ids by statement."""
    if not asked:
        return {}
    statuses = [str(status) for status in CURRENT]
    rows = await transaction.run(_NEAR[slot], claims=asked, statuses=statuses, most=MOST_NEAR)
    found: dict[str, list[str]] = {}
    for row in rows:
        fact = fact_of(row["fact"])
        board.facts[fact.id] = fact
        found.setdefault(row["claim"], []).append(fact.id)
    return {claim: tuple(dict.fromkeys(ids)) for claim, ids in found.items()}


async def opponents(transaction: Transaction, board: Board) -> None:
    """Put on the board whom its statements are in conflict with, however far they are from what is said now."""
    while missing := {one for fact in board.facts.values() for one in fact.opponents} - board.facts.keys():
        board.facts |= await by_ids(transaction, missing)


async def by_ids(transaction: Transaction, ids: Iterable[str]) -> dict[str, Fact]:
    """Return statements by id."""
    rows = await transaction.run("arbitration/by_ids", ids=sorted(ids))
    return {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}


async def echoes(transaction: Transaction, ids: Iterable[str], statuses: Iterable[Status]) -> list[Fact]:
    """Return the events of these statuses that restate these facts."""
    if not (wanted := sorted(ids)):
        return []
    rows = await transaction.run("arbitration/echoes", ids=wanted, statuses=[str(one) for one in statuses])
    return [fact_of(row["fact"]) for row in rows]


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
        row.get("restates"),
    )


def value_key(value: str | None) -> str | None:
    """Return the form in which equal values are found."""
    return " ".join(sorted(tokens(value))) or value if value is not None else None


def said_key(text: str) -> str:
    """Return the form in which equal texts are found."""
    return stable_id("said", " ".join(tokens(text)) or text)
