"""What a person decides about an atom: which side of a conflict is right, that one is wrong, that one stays in sight."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

from graph.arbitration.commit import change_standing, decision, fact_of, link
from graph.arbitration.decide import Ruling, Said, Verdict
from graph.arbitration.standing import Flag, milliseconds
from graph.arbitration.timeline import Change, Claim, Fact, Link, Settlement
from graph.errors import InvalidInput, NotFound
from graph.ontology import Edge, Status
from graph.scope import Right, Scope
from graph.store import Row, Store, Transaction

CONFIRMED: Final = "confirmed by a person"
RETRACTED: Final = "retracted by a person"
PINNED: Final = "pinned by a person"
UNPINNED: Final = "unpinned by a person"

_Corrected = tuple[tuple[Change, ...], tuple[Link, ...], tuple[Link, ...]]


async def confirm(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is right: the other sides of its conflicts are superseded; return what changed.

    Raises:
        AccessDenied: the viewer is neither its user nor its subject, and no administrator.
        NotFound: there is no such atom in this scope.
        InvalidInput: it neither is in conflict nor needs confirmation.
    """

    def corrected(chosen: Fact, others: list[Fact], now: int) -> _Corrected:
        if chosen.standing.status != Status.CONFLICT and Flag.NEEDS_CONFIRMATION not in chosen.standing.flags:
            raise InvalidInput("atomId: It is not in conflict and needs no confirmation.")
        after = chosen.standing.alone() if chosen.standing.status == Status.CONFLICT else chosen.standing
        after = after.unflagged(Flag.NEEDS_CONFIRMATION).stated_again(now)
        changes = [Change(chosen.id, chosen.standing, after)]
        changes += [Change(one.id, one.standing, one.standing.ended(Status.SUPERSEDED, now)) for one in others]
        made = tuple(Link(Edge.SUPERSEDES, chosen.id, one.id) for one in others)
        return tuple(changes), made, tuple(Link(Edge.CONFLICTS_WITH, chosen.id, one.id) for one in others)

    return await _correct(store, scope, atom_id, Verdict.UPDATE, CONFIRMED, corrected)


async def retract(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is wrong or no longer true: it is kept, out of current answers; return what changed.

    Raises: as `confirm`; `InvalidInput` where it is not current.
    """

    def corrected(chosen: Fact, others: list[Fact], now: int) -> _Corrected:
        if chosen.standing.status not in (Status.ACTIVE, Status.CONFLICT):
            raise InvalidInput(f"atomId: It is {chosen.standing.status} already.")
        changes = [Change(chosen.id, chosen.standing, chosen.standing.ended(Status.INVALID, now))]
        changes += [
            Change(one.id, one.standing, one.standing.alone()) for one in others if one.opponents == {chosen.id}
        ]
        return tuple(changes), (), tuple(Link(Edge.CONFLICTS_WITH, chosen.id, one.id) for one in others)

    return await _correct(store, scope, atom_id, Verdict.INVALIDATE, RETRACTED, corrected)


async def pin(store: Store, scope: Scope, atom_id: str, *, pinned: bool) -> list[Change]:
    """Pin an atom, so that it never goes stale, or unpin it; return what changed. Raises: as `confirm`."""

    def corrected(chosen: Fact, others: list[Fact], now: int) -> _Corrected:
        del others, now
        standing = chosen.standing
        after = standing.flagged(Flag.PINNED) if pinned else standing.unflagged(Flag.PINNED)
        return ((Change(chosen.id, standing, after),) if after != standing else ()), (), ()

    return await _correct(store, scope, atom_id, Verdict.NOOP, PINNED if pinned else UNPINNED, corrected)


async def _correct(
    store: Store,
    scope: Scope,
    atom_id: str,
    verdict: Verdict,
    rule: str,
    corrected: Callable[[Fact, list[Fact], int], _Corrected],
) -> list[Change]:
    scope.require(Right.WRITE)

    async def work(transaction: Transaction) -> list[Change]:
        row = await _read(transaction, atom_id)
        if about := row["about"]:
            await transaction.run("arbitration/lock_subjects", subjects=[about])
            row = await _read(transaction, atom_id)  # as it is under the lock
        if scope.viewer not in (row["user_id"], row["subject"]):
            scope.require(Right.ADMIN)
        chosen = fact_of(row)
        others = [fact_of(await _read(transaction, one)) for one in sorted(chosen.opponents)]
        now = datetime.now(UTC)
        changes, made, closed = corrected(chosen, others, milliseconds(now))
        said = Said(chosen.text, None, chosen.value, chosen.origin, chosen.user_id, row["subject"])
        settlement = Settlement(
            Claim(chosen.id, said, chosen.at, chosen.timeline),
            Ruling(verdict, rule),
            chosen.timeline,
            keeps=True,
            changes=changes,
            links=made,
            closed=closed,
        )
        await change_standing(transaction, {change.id: change.after for change in changes})
        await link(transaction, [settlement], now)
        kept = decision(
            str(uuid4()), settlement, now, verdict=verdict, rule=rule, words="", actor=scope.viewer, atom_id=chosen.id
        )
        if changes:
            await transaction.run("arbitration/decide", decisions=[kept])
        return list(changes)

    return await store.write(scope, work)


async def _read(transaction: Transaction, atom_id: str) -> Row:
    rows = await transaction.run("arbitration/standing", id=atom_id)
    if not rows:
        raise NotFound(f"(atom {atom_id!r})")
    row: Mapping[str, Any] = rows[0]["fact"]
    # An observation has no time of saying of its own.
    return {**row, "at": row["at"] or 0}
