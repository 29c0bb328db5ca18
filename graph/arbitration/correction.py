"""What a person decides about an atom: which side of a conflict is right, that it is wrong, that it stays in sight."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

from graph.arbitration.commit import change_standing, decision, echoed, is_over, keep, link, lock
from graph.arbitration.decide import Ruling, Said, Stance, Verdict
from graph.arbitration.facts import Change, Claim, Fact, Link, Settlement
from graph.arbitration.known import echoes, fact_of, opponents
from graph.arbitration.standing import Flag, Standing, milliseconds
from graph.arbitration.timeline import Board
from graph.errors import InvalidInput, NotFound
from graph.ontology import CURRENT, Edge, Origin, Status
from graph.scope import Right, Scope
from graph.store import Row, Store, Transaction

CONFIRMED: Final = "confirmed by a person"
RETRACTED: Final = "retracted by a person"
PINNED: Final = "pinned by a person"
UNPINNED: Final = "unpinned by a person"

_Corrected = tuple[tuple[Change, ...], tuple[Link, ...], tuple[Link, ...]]
_Correction = Callable[[Board, Fact, int], _Corrected]


async def confirm(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is right: the other sides of its conflicts are superseded; return what changed.

    Raises:
        AccessDenied: the viewer is neither its user nor its subject, and no administrator; or would retire with it what
            another user stated of somebody else than the viewer.
        NotFound: there is no such atom in this scope.
        InvalidInput: it neither is in conflict nor needs confirmation.
    """

    def corrected(board: Board, chosen: Fact, now: int) -> _Corrected:
        if chosen.standing.status == Status.QUARANTINED:
            raise InvalidInput(
                "atomId: It is external and stays in quarantine. Remember it as a statement of your own."
            )
        if chosen.standing.status != Status.CONFLICT and Flag.NEEDS_CONFIRMATION not in chosen.standing.flags:
            raise InvalidInput("atomId: It is not in conflict and needs no confirmation.")
        after = chosen.standing.alone() if chosen.standing.status == Status.CONFLICT else chosen.standing
        changes = {chosen.id: after.unflagged(Flag.NEEDS_CONFIRMATION).stated_again(now)}
        others = sorted(chosen.opponents)
        closed, alone = board.close(others)
        ends = chosen.stance == Stance.END
        changes |= _ended(board, others, Status.INVALID if ends else Status.SUPERSEDED, now)
        changes |= {one: board.facts[one].standing.alone() for one in alone if one != chosen.id}
        made = () if ends else tuple(Link(Edge.SUPERSEDES, chosen.id, one) for one in others)
        return _changes(board, changes), made, tuple(closed)

    return await _correct(store, scope, atom_id, Verdict.UPDATE, CONFIRMED, corrected)


async def retract(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is wrong or no longer true: it is kept, out of current answers; return what changed.

    Raises: as `confirm`; `InvalidInput` where it is not current.
    """

    def corrected(board: Board, chosen: Fact, now: int) -> _Corrected:
        if chosen.standing.status not in CURRENT:
            raise InvalidInput(f"atomId: It is {chosen.standing.status}, and not current.")
        closed, alone = board.close([chosen.id])
        changes = _ended(board, [chosen.id], Status.INVALID, now)
        changes |= {one: board.facts[one].standing.alone() for one in alone}
        return _changes(board, changes), (), tuple(closed)

    return await _correct(store, scope, atom_id, Verdict.INVALIDATE, RETRACTED, corrected)


async def pin(store: Store, scope: Scope, atom_id: str, *, pinned: bool) -> list[Change]:
    """Pin an atom, so that it never goes stale, or unpin it; return what changed. Raises: as `confirm`."""

    def corrected(board: Board, chosen: Fact, now: int) -> _Corrected:
        del now
        standing = chosen.standing
        after = standing.flagged(Flag.PINNED) if pinned else standing.unflagged(Flag.PINNED)
        return _changes(board, {chosen.id: after}), (), ()

    return await _correct(store, scope, atom_id, Verdict.NOOP, PINNED if pinned else UNPINNED, corrected)


def _ended(board: Board, ids: Iterable[str], status: Status, at: int) -> dict[str, Standing]:
    return {one: board.facts[one].standing.ended(status, at) for one in ids}


def _changes(board: Board, after: Mapping[str, Standing]) -> tuple[Change, ...]:
    """Return what differs from what is on the board."""
    return tuple(
        Change(one, board.facts[one].standing, standing)
        for one, standing in after.items()
        if standing != board.facts[one].standing
    )


async def _correct(
    store: Store,
    scope: Scope,
    atom_id: str,
    verdict: Verdict,
    rule: str,
    corrected: _Correction,
) -> list[Change]:
    scope.require(Right.WRITE)

    async def work(transaction: Transaction) -> list[Change]:
        row = await _read(transaction, atom_id)
        if about := row["about"]:
            await lock(transaction, [about])
        # An observation is about no subject, and is locked itself.
        await transaction.run("arbitration/lock_atom", id=atom_id)
        row = await _read(transaction, atom_id)  # as it is under the lock
        if scope.viewer not in (row["user_id"], row["subject"]):
            scope.require(Right.ADMIN)
        chosen = fact_of(row)
        board = Board({chosen.id: chosen})
        await opponents(transaction, board)
        now = datetime.now(UTC)
        changes, made, closed = corrected(board, chosen, milliseconds(now))
        ended = {change.id: change.after for change in changes if is_over(change)}
        if any(not _may_end(board.facts[one], scope.viewer, row["subject"]) for one in ended):
            scope.require(Right.ADMIN)
        changes += tuple(echoed(one, ended[one.restates]) for one in await echoes(transaction, ended) if one.restates)
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
            await keep(transaction, [kept])
        return list(changes)

    return await store.write(scope, work)


def _may_end(fact: Fact, viewer: str, subject: str) -> bool:
    """Tell whether a viewer may retire a statement: what a user said, only that user or its subject may."""
    return fact.origin != Origin.USER_STATED or viewer in (fact.user_id, subject)


async def _read(transaction: Transaction, atom_id: str) -> Row:
    rows = await transaction.run("arbitration/standing", id=atom_id)
    if not rows:
        raise NotFound(f"(atom {atom_id!r})")
    row: Mapping[str, Any] = rows[0]["fact"]
    # An observation has no time of saying of its own.
    return {**row, "at": row["at"] or 0}
