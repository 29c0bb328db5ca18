"""What waits for somebody to decide: open conflicts, proposed supersessions, and what was told with doubt."""

from typing import Final

from graph.atoms import read_atom
from graph.errors import InvalidInput
from graph.model import ToConfirm, Why
from graph.scope import Right, Scope
from graph.store import Store

MOST_WAITING: Final = 500
"""Entries that one answer may hold."""


async def to_confirm(store: Store, scope: Scope, *, first: int) -> list[ToConfirm]:
    """Return what waits for somebody to decide and the viewer may see, the latest first.

    Raises:
        AccessDenied: the scope may not read.
        InvalidInput: `first` is not between 1 and `MOST_WAITING`.
    """
    scope.require(Right.READ)
    if not 1 <= first <= MOST_WAITING:
        raise InvalidInput(f"first: {first} is not between 1 and {MOST_WAITING}.")
    rows = await store.read("timelines/to_confirm", scope, first=first)
    if not rows:
        return []
    ids = sorted({one for row in rows for one in (row["id"], *row["others"])})
    atoms = {
        row["atom"]["id"]: read_atom(row["atom"]) for row in await store.read("search/atoms_by_id", scope, ids=ids)
    }
    return [
        ToConfirm(
            atoms[row["id"]],
            Why(row["why"]),
            row["verdict"],
            tuple(atoms[one] for one in row["others"] if one in atoms),
        )
        for row in rows
        if row["id"] in atoms  # it may have been erased between the two reads
    ]
