"""Named checks of the whole graph: each is a file of `cypher/audits` and returns what offends."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

from graph import schema
from graph.errors import DatabaseRefused
from graph.scope import System
from graph.store import Row, Store, declared, statements, title

MOST_OFFENDERS: Final = 20
"""Offenders that one audit names."""

_AGAIN_S: Final = 0.5
"""What offends is looked at once more: a commit shows in a node before it shows in an index."""

_SYSTEM: Final = System("audit")


@dataclass(frozen=True, slots=True)
class Finding:
    """What an audit found: its name, what it looks for, and the rows that offend (none: all is well)."""

    name: str
    looks_for: str
    offenders: tuple[dict[str, Any], ...]


async def run(store: Store, slot: str) -> list[Finding]:
    """Run every audit, one after the other, and return their findings in order of name."""
    meta = await schema.read_meta(store)
    known = {
        "limit": MOST_OFFENDERS,
        "slot": slot,
        "dimension": meta.dimension if meta else 0,
        "declared": schema.declared(),
    }
    findings = []
    for name in statements("audits"):
        if name.endswith(tuple(f"_{other}" for other in schema.SLOTS if other != slot)):
            continue  # what is not read from may be empty, or in the making
        params = {key: value for key, value in known.items() if key in declared(name)}
        rows = await _offenders(store, name, params)
        if rows:
            await asyncio.sleep(_AGAIN_S)
            rows = [row for row in await _offenders(store, name, params) if row in rows]
        findings.append(Finding(name.partition("/")[2], title(name), tuple(rows)))
    return findings


async def _offenders(store: Store, name: str, params: dict[str, Any]) -> list[Row]:
    try:
        return await store.read(name, _SYSTEM, **params)
    except DatabaseRefused as error:  # an index that does not answer is what audits are for
        return [{"error": str(error)}]
