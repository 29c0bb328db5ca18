"""Locks subjects, and writes what was decided of their statements."""

from collections.abc import Iterable, Mapping, Sequence

from graph.store import Row, Transaction
from graph.timelines import clock
from graph.timelines.clock import Tick, microseconds


async def lock(transaction: Transaction, subjects: Iterable[str]) -> dict[str, Tick]:
    """Lock subjects, so that all who may change what is said of them wait; return the next step of each."""
    rows = await transaction.run(
        "timelines/lock_subjects", subjects=sorted(set(subjects)), now_us=microseconds(clock.now())
    )
    return {row["id"]: Tick(row["clock_us"], row["sequence"]) for row in rows}


async def write(transaction: Transaction, rows: Mapping[str, Sequence[Row]]) -> None:
    """Write standings, edges and decisions, as `commit.rows` makes them; the atoms that are kept must stand already."""
    await transaction.run("timelines/write", batch=dict(rows))
