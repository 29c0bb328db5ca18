"""Atoms out of rows: for those who list them as for those who search."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from graph.model import Atom

_INSTANTS: Final = (
    "valid_from", "valid_until", "last_evidence_at", "mentioned_from", "mentioned_to", "recorded_at",
)  # fmt: skip


def read_atom(row: Mapping[str, Any]) -> Atom:
    """Return the atom out of a row as the statements of `cypher/search` give it."""
    return Atom.of(
        {
            **row,
            "entities": [entity["name"] for entity in row["mentions"]],
            "metadata": json.loads(row["metadata"]) if row["metadata"] is not None else None,
            **{name: datetime.fromisoformat(row[name]) if row[name] is not None else None for name in _INSTANTS},
        }
    )
