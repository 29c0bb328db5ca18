"""What the graph knows that may decide about new statements: looked at in one exchange, before anything is locked."""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from graph.ontology import CURRENT
from graph.scope import Scope
from graph.store import Row, Store
from graph.timelines.clock import SubjectState
from graph.timelines.facts import Fact, Utterance, lane_id
from graph.timelines.said import Act, KeyKind, Said, TimelineRole
from graph.timelines.standing import Standing
from graph.timelines.statements import NewStatement, value_key

MOST_CURRENT: Final = 100
"""Current statements of one timeline that are looked at; of the same value all are found besides."""

MOST_NEAR: Final = 24
"""Neighbours that a statement without a key is compared with."""

_MOST_STEPS: Final = 8  # from opponent to opponent
_LOOK: Final = {"a": "timelines/look_a", "b": "timelines/look_b"}  # by the slot of the vectors in use


class Read(Protocol):
    """Runs a reading statement by its name: by itself, or in a transaction."""

    def __call__(self, name: str, /, **params: Any) -> Awaitable[list[Row]]:
        """Return its rows."""


def outside(store: Store, scope: Scope) -> Read:
    """Return how to read outside any transaction."""

    async def read(name: str, /, **params: Any) -> list[Row]:
        return await store.look(name, scope, **params)

    return read


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for beside what is known of statements: decisions, events and records by id."""

    decisions: Sequence[str] = ()
    events: Sequence[str] = ()
    records: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found: `subjects` tell how far each had come, `near` the ids of what is near a statement, by its id.

    `newest` tells when something was said last on a timeline (ms), whatever became of it.
    """

    subjects: Mapping[str, SubjectState]
    facts: Mapping[str, Fact]
    near: Mapping[str, tuple[str, ...]]
    newest: Mapping[str, int]
    settings: Mapping[str, Any]
    decisions: Sequence[Row]
    events: Sequence[Row]
    records: Sequence[Row]


async def look(read: Read, slot: str, statements: Sequence[NewStatement], asked: Asked, at: int) -> Looked:
    """Return all that may decide about statements; `at` (ms) is when those are said that have no time."""
    keyed = [one for one in statements if one.said.key is not None]
    (row,) = await read(
        _LOOK[slot],
        asked={
            "subjects": sorted({subject for one in statements for subject in one.subjects}),
            "decided": sorted(asked.decisions),
            "events": sorted(asked.events),
            "records": sorted(asked.records),
            "places": _places(keyed, at),
            "claims": [one.asked() for one in statements if one.said.key is None],
            "statuses": [str(status) for status in CURRENT],
        },
        most=MOST_CURRENT,
        most_near=MOST_NEAR,
    )
    facts = facts_of(row["facts"])
    return Looked(
        {one["id"]: _state(one) for one in row["subjects"]},
        await with_opponents(read, facts),
        {one["id"]: tuple(one["known"]) for one in row["near"]},
        {one["timeline"]: one["at"] for one in row["newest"] if one["at"] is not None},
        row["settings"] or {},
        row["decided"],
        row["events"],
        row["records"],
    )


def _places(keyed: Iterable[NewStatement], at: int) -> list[Row]:
    """Return the places of statements on their timelines, and on the timelines of whom else they may be about."""
    said: dict[str, list[Row]] = {}
    lanes: dict[str, set[str]] = {}
    for one in keyed:
        row = {"at": at if one.at is None else one.at, "value_key": value_key(one.said.value)}
        for timeline in (one.timeline, one.other.timeline if one.other else None):
            if timeline is not None and row not in said.setdefault(timeline, []):
                said[timeline].append(row)
            if timeline is not None:
                lanes.setdefault(timeline, set()).add(lane_id(timeline, one.said.source_id))
    return [{"timeline": one, "lanes": sorted(lanes[one]), "said": rows} for one, rows in said.items()]


def _state(row: Row) -> SubjectState:
    return SubjectState(row["writes"] or 0, row["sequence"] or 0, row["clock_us"] or 0)


async def with_opponents(read: Read, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return facts and whom they are in conflict with, however far they are from what is said now.

    Opponents that are not there are left out, and so are those beyond a number of steps.
    """
    found = dict(facts)
    asked: set[str] = set()
    for _ in range(_MOST_STEPS):
        missing = {one for fact in found.values() for one in fact.opponents} - found.keys() - asked
        if not missing:
            break
        asked |= missing
        found |= await by_ids(read, missing)
    return {one: replace(fact, opponents=fact.opponents & found.keys()) for one, fact in found.items()}


async def by_ids(read: Read, ids: Iterable[str]) -> dict[str, Fact]:
    """Return statements by id."""
    return facts_of([row["fact"] for row in await read("timelines/by_ids", ids=sorted(ids))])


async def whole(
    read: Read, timelines: Iterable[str], *, roles: Iterable[TimelineRole] = TimelineRole, most: int
) -> tuple[dict[str, Fact], dict[str, list[Utterance]]]:
    """Return the statements of timelines by id, and all that was said on each, in the order in which it was learned.

    A timeline on which more than `most` was said of one kind is not whole: the last is returned.
    """
    timelines = sorted(timelines)
    rows = await read("timelines/whole", timelines=timelines, roles=[str(one) for one in roles], most=most)
    told: dict[str, list[Row]] = {one: [] for one in timelines}
    for row in rows:
        told[row["timeline"]].append(row["told"])
    facts = facts_of([row["fact"] for row in rows if row["fact"] is not None])
    return facts, {one: [_utterance(row) for row in sorted(found, key=_learned)] for one, found in told.items()}


def _utterance(row: Row) -> Utterance:
    said = Said(
        row["text"],
        row["key"],
        row["value"],
        row["origin"],
        row["user_id"],
        row["subject"],
        act=Act(row["act"]) if row["act"] else None,
        source_id=row["source_id"] or "",
        subject_given=bool(row["subject_given"]),
    )
    return Utterance(row["id"], said, row["at"], row["atom_id"], KeyKind(row["key_kind"] or KeyKind.ONE))


def _learned(row: Row) -> int:
    return row["sequence"] or 0


def facts_of(rows: Sequence[Row]) -> dict[str, Fact]:
    """Return facts by id, in the order in which they were learned."""
    return {row["id"]: fact_of(row) for row in sorted(rows, key=_learned)}


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
        frozenset(row["supersedes"]),
        frozenset(row["refines"]),
        row["source_id"] or "",
        row["lane"],
    )
