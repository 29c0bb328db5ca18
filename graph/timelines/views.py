"""What was decided, and what timelines look like, as a viewer may see them."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from graph.errors import InvalidInput, NotFound
from graph.model import Decided, Timeline
from graph.scope import Right, Scope
from graph.store import Store
from graph.timelines.history import periods, rendered
from graph.timelines.said import TimelineRole
from graph.timelines.standing import milliseconds
from graph.timelines.statements import timeline_id

_SHOWN: Final = [str(TimelineRole.VALUE), str(TimelineRole.ADDITION), str(TimelineRole.END)]


async def decisions(store: Store, scope: Scope, atom_id: str) -> list[Decided]:
    """Return all that was decided of an atom, oldest first.

    Raises:
        AccessDenied: the scope may not read.
        NotFound: there is no such atom in this scope.
    """
    scope.require(Right.READ)
    rows = await store.read("timelines/decisions", scope, id=atom_id)
    if not rows:
        raise NotFound(f"(atom {atom_id!r})")
    return [_decided(decision) for decision in rows[0]["decisions"]]


def _decided(row: Mapping[str, Any]) -> Decided:
    return Decided(
        row["id"],
        row["verdict"],
        row["rule"],
        row["words"],
        row["actor"],
        datetime.fromisoformat(row["at"]),
        row["cause"],
        json.loads(row["before"]) if row["before"] else None,
        json.loads(row["after"]),
    )


async def timeline(
    store: Store,
    scope: Scope,
    subject: str,
    key: str,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Timeline:
    """Return the values of a subject and key in order of time, as the viewer may see them.

    `as_of` leaves what held in the world at that instant, `known_at` shows what the memory knew at one. Private
    statements have a timeline of their own; what both show is put in order of time.

    Raises:
        AccessDenied: the scope may not read.
        InvalidInput: an empty subject or key, or a time without an offset.
    """
    scope.require(Right.READ)
    for field, text in (("subject", subject), ("key", key)):
        if not text.strip():
            raise InvalidInput(f"{field}: It is empty.")
    for field, moment in (("asOf", as_of), ("knownAt", known_at)):
        if moment is not None and moment.tzinfo is None:
            raise InvalidInput(f"{field}: {moment.isoformat()} has no UTC offset; add one, as in +02:00 or Z.")
    ids = [timeline_id(scope.group, audience, subject, key) for audience in scope.audiences]
    roles = _SHOWN if known_at is None else [str(role) for role in TimelineRole]  # it may have done something else then
    found_rows = await store.read("timelines/timeline", scope, timelines=ids, roles=roles, known_at=known_at)
    rows = [row["fact"] for row in found_rows]
    found = periods(rows, as_of=milliseconds(as_of) if as_of is not None else None)
    return Timeline(subject, key, tuple(found), rendered(found))
