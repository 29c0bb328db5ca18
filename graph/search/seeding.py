"""The first candidates of a search, by every index that answers: in one statement, or each alone where one fails."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from graph.errors import DatabaseRefused
from graph.search.planning import Plan
from graph.store import Reader, Row

INDEXES: Final = ("vector", "english", "chinese")
"""The indexes that are searched."""

_ALL: Final = {"a": "search/seeds_a", "b": "search/seeds_b"}  # by the slot of the vectors in use
_LEFT_OUT_S: Final = 15.0
"""For so long an index that failed is left out: it may fail only after a while, and every search would wait for it."""


@dataclass(slots=True)
class Failing:
    """The indexes that failed of late, and until when they are left out (s, by the monotonic clock)."""

    until: dict[str, float] = field(default_factory=dict)

    def add(self, index: str) -> None:
        """Leave an index out for a while."""
        self.until[index] = monotonic() + _LEFT_OUT_S

    def now(self) -> frozenset[str]:
        """Return the indexes that are left out now."""
        return frozenset(index for index, until in self.until.items() if monotonic() < until)


async def find_seeds(
    reader: Reader, slot: str, plan: Plan, vector: list[float], limit: int, failing: Failing
) -> tuple[Row, tuple[str, ...]]:
    """Return the row of `search/seeds`, and the indexes that had no part in it.

    Raises:
        DatabaseRefused: no index answers.
    """
    asked = {
        "statuses": plan.statuses,
        "spans": plan.spans,
        "entities": plan.entities,
        "limit": limit,
        "known_at": plan.filters.known_at,
    }
    if not failing.now():
        try:
            return (await reader.read(_ALL[slot], vector=vector, **asked))[0], ()
        except DatabaseRefused:
            pass  # which of them fails is seen when each is asked alone
    rows: list[Row] = []
    refused: DatabaseRefused | None = None
    left_out = set(failing.now())
    for index, name, params in _one_by_one(slot, vector, asked):
        if index in left_out:
            continue
        try:
            rows += await reader.read(name, **params)
        except DatabaseRefused as error:
            failing.add(index)
            left_out.add(index)
            refused = error
    if not rows:
        raise DatabaseRefused("(search) None of its indexes answers. Run `fusegraph audit`.") from refused
    return _merged(rows), tuple(sorted(left_out))


def _one_by_one(slot: str, vector: list[float], asked: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield for each index the statement and the parameters that ask it alone; entities come with the last."""
    spans = asked["spans"]
    for index in INDEXES:
        alone = [{**span, **{text: None for text in ("english", "chinese") if text != index}} for span in spans]
        params = {**asked, "spans": alone, "entities": asked["entities"] if index == INDEXES[-1] else []}
        if index == "vector":
            yield index, _ALL[slot], {**params, "vector": vector}
        else:
            yield index, "search/seeds_words", params


def _merged(rows: list[Row]) -> Row:
    """Return rows as one: what several indexes found has the hits of all."""
    seeds: dict[str, list[Any]] = {}
    for row in rows:
        for seed in row["seeds"]:
            known = seeds.setdefault(seed[0], [*seed[:2], [], *seed[3:]])
            known[2] = [*known[2], *seed[2]]
    return {**rows[0], "seeds": list(seeds.values())}
