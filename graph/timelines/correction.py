"""What a person decides about an atom: which side of a conflict is right, that it is wrong, that it stays in sight."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from graph.errors import InvalidInput, NotFound
from graph.ontology import CURRENT, PAST, Edge, Status
from graph.scope import Right, Scope
from graph.store import Row, Store, Transaction
from graph.timelines.clock import Tick
from graph.timelines.commit import add_edges, decision, no_edges, standings
from graph.timelines.decide import TimelineRole, Verdict, may_say
from graph.timelines.facts import Change, Fact, Link
from graph.timelines.known import by_ids, fact_of, whole, with_opponents
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Flag, Standing
from graph.timelines.writing import lock, write

CONFIRMED: Final = "confirmed by a person"
REINSTATED: Final = "reinstated by a person"
RETRACTED: Final = "retracted by a person"
PINNED: Final = "pinned by a person"
UNPINNED: Final = "unpinned by a person"


@dataclass(frozen=True, slots=True)
class _Corrected:
    """What a correction changes: standings, edges to make, conflicts to close, supersessions to cut; and its rule."""

    rule: str
    changes: tuple[Change, ...]
    made: tuple[Link, ...] = ()
    closed: tuple[Link, ...] = ()
    cut: tuple[Link, ...] = ()


_Correction = Callable[[WorkingSet, Fact, str | None, int], _Corrected]
"""Takes what is known, the atom, what took its place (None: nothing did) and the time (ms)."""


async def confirm(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is right; return what changed.

    The other sides of its conflicts are superseded. What was superseded or ended holds again, and the statement that
    took its place is taken back as wrong: a change that was misread is undone.

    Raises:
        AccessDenied: the viewer is neither its user nor its subject, and no administrator; or would retire with it what
            another user stated of somebody else than the viewer.
        NotFound: there is no such atom in this scope.
        InvalidInput: it is current and in no doubt, or another value than the one that took its place stands now.
    """

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> _Corrected:
        if chosen.standing.status == Status.QUARANTINED:
            raise InvalidInput(
                "atomId: It is external and stays in quarantine. Remember it as a statement of your own."
            )
        if chosen.standing.status in PAST:
            return _reinstated(working_set, chosen, successor, now)
        if chosen.timeline_role == TimelineRole.OFF and Flag.NEEDS_CONFIRMATION in chosen.standing.flags:
            raise InvalidInput(
                "atomId: It was told with doubt, and stands beside what is known. Remember it anew, without the doubt."
            )
        if chosen.standing.status != Status.CONFLICT and Flag.NEEDS_CONFIRMATION not in chosen.standing.flags:
            raise InvalidInput("atomId: It is current, in no conflict, and needs no confirmation.")
        return _chosen(working_set, chosen, now)

    return await _correct(store, scope, atom_id, Verdict.UPDATE, corrected)


def _chosen(working_set: WorkingSet, chosen: Fact, now: int) -> _Corrected:
    """Let one side of a conflict be right."""
    after = chosen.standing.alone() if chosen.standing.status == Status.CONFLICT else chosen.standing
    changes = {chosen.id: after.unflagged(Flag.NEEDS_CONFIRMATION).stated_again(now)}
    others = sorted(chosen.opponents)
    closed, alone = working_set.close(others)
    ends = chosen.timeline_role == TimelineRole.END
    for one in others:
        other = working_set.facts[one]
        # What was said before held until the chosen was; what was said after it never did.
        until = max(chosen.at, other.standing.valid_from or other.at)
        changes[one] = other.standing.ended(Status.INVALID if ends else Status.SUPERSEDED, until)
    changes |= {one: working_set.facts[one].standing.alone() for one in alone if one != chosen.id}
    made = () if ends else tuple(Link(Edge.SUPERSEDES, chosen.id, one) for one in others)
    return _Corrected(CONFIRMED, _changes(working_set, changes), made, tuple(closed))


def _reinstated(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> _Corrected:
    """Let what is over hold again, and take back the statement that ended it.

    Where that had been ended by the chosen one before, it goes back to that: an undo is undone. Other statements that
    it ended stay as they are.

    Raises:
        InvalidInput: what took its place is over itself, another value came in between, or another one stands now.
    """
    undone = working_set.facts[successor] if successor in working_set.facts and successor != chosen.id else None
    placed = [
        one
        for one in working_set.on(chosen.timeline)
        if one.timeline_role == TimelineRole.VALUE and not _taken_back(one)
    ]
    if undone is not None and undone.standing.status in PAST and not _taken_back(undone):
        raise InvalidInput(
            f"atomId: What took its place is over itself. Confirm {undone.id} first, or remember this one anew."
        )
    if undone is not None and any(chosen.at < one.at < undone.at for one in placed):
        raise InvalidInput("atomId: A value that was told late stands between it and what ended it. Remember it anew.")
    standing = [one for one in placed if one.current and one.id not in (chosen.id, successor)]
    if standing and chosen.timeline_role == TimelineRole.VALUE:
        raise InvalidInput(
            f"atomId: Another value stands on its timeline. Retract {standing[-1].id} first, or remember this one anew."
        )
    changes = {chosen.id: chosen.standing.again(now)}
    if undone is None:
        return _Corrected(REINSTATED, _changes(working_set, changes))
    cut = (Link(Edge.SUPERSEDES, undone.id, chosen.id),)
    closed: list[Link] = []
    if undone.current:
        closed, alone = working_set.close([undone.id])
        changes |= {one: working_set.facts[one].standing.alone() for one in alone}
    if undone.current and undone.at <= chosen.at:
        ends = chosen.timeline_role == TimelineRole.END
        changes[undone.id] = undone.standing.ended(Status.INVALID if ends else Status.SUPERSEDED, chosen.at)
        made = () if ends else (Link(Edge.SUPERSEDES, chosen.id, undone.id),)
        return _Corrected(REINSTATED, _changes(working_set, changes), made, tuple(closed), cut)
    changes[undone.id] = undone.standing.taken_back(undone.standing.valid_from or undone.at)
    return _Corrected(REINSTATED, _changes(working_set, changes), (), tuple(closed), cut)


def _taken_back(fact: Fact) -> bool:
    return Flag.RETRACTED in fact.standing.flags


async def retract(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is wrong or no longer true: it is kept, out of current answers; return what changed.

    Raises: as `confirm`; `InvalidInput` where it is not current.
    """

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> _Corrected:
        del successor
        if chosen.standing.status not in CURRENT:
            raise InvalidInput(f"atomId: It is {chosen.standing.status}, and not current: nothing is left to retract.")
        closed, alone = working_set.close([chosen.id])
        changes = {chosen.id: chosen.standing.taken_back(now)}
        changes |= {one: working_set.facts[one].standing.alone() for one in alone}
        return _Corrected(RETRACTED, _changes(working_set, changes), (), tuple(closed))

    return await _correct(store, scope, atom_id, Verdict.INVALIDATE, corrected)


async def pin(store: Store, scope: Scope, atom_id: str, *, pinned: bool) -> list[Change]:
    """Pin an atom, so that it never goes stale, or unpin it; return what changed. Raises: as `confirm`."""

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> _Corrected:
        del successor, now
        standing = chosen.standing
        after = standing.flagged(Flag.PINNED) if pinned else standing.unflagged(Flag.PINNED)
        return _Corrected(PINNED if pinned else UNPINNED, _changes(working_set, {chosen.id: after}))

    return await _correct(store, scope, atom_id, Verdict.NOOP, corrected)


def _changes(working_set: WorkingSet, after: Mapping[str, Standing]) -> tuple[Change, ...]:
    """Return what differs from what is known."""
    return tuple(
        Change(one, working_set.facts[one].standing, standing)
        for one, standing in after.items()
        if standing != working_set.facts[one].standing
    )


async def _correct(
    store: Store,
    scope: Scope,
    atom_id: str,
    verdict: Verdict,
    corrected: _Correction,
) -> list[Change]:
    scope.require(Right.WRITE)

    async def work(transaction: Transaction) -> list[Change]:
        row = await _read(transaction, atom_id)
        if verdict is Verdict.UPDATE and row["fact"]["restates"] and Flag.RETRACTED not in row["fact"]["flags"]:
            # What an event says again is confirmed where it was said.
            row = await _read(transaction, row["fact"]["restates"])
        tick = await _lock(transaction, row)
        row = await _read(transaction, row["fact"]["id"])  # as it is under the lock
        chosen = fact_of(row["fact"])
        if scope.viewer not in (chosen.user_id, row["subject"]):
            scope.require(Right.ADMIN)
        facts = {chosen.id: chosen}
        successor = None
        if chosen.standing.status in PAST:
            successor = await _successor(transaction, chosen)
            facts |= await by_ids(transaction.run, [successor])
            facts |= await whole(transaction.run, [chosen.timeline]) if chosen.timeline is not None else {}
        working_set = WorkingSet(await with_opponents(transaction.run, facts))
        made = corrected(working_set, working_set.facts[chosen.id], successor, tick.ms)
        over = [change.id for change in made.changes if change.after.status in PAST]
        if any(not may_say(scope.viewer, working_set.facts[one].known(), row["subject"]) for one in over):
            scope.require(Right.ADMIN)
        if made.changes:
            edges = no_edges()
            add_edges(edges, made.made, made.closed, made.cut, tick.at)
            kept = decision(
                str(uuid4()),
                made.changes,
                tick,
                verdict=verdict,
                rule=made.rule,
                words="",
                actor=scope.viewer,
                atom_id=chosen.id,
                subject=row["subject"],
                subject_id=row["subject_id"],
            )
            after = {change.id: change.after for change in made.changes}
            await write(transaction, {**edges, "standings": standings(after), "restated": [], "decisions": [kept]})
        return list(made.changes)

    return await store.write(scope, work)


async def _lock(transaction: Transaction, row: Row) -> Tick:
    """Lock whom an atom is about, so that all who may change it wait for each other; return the step of this change.

    An observation is about no subject, and stands for one itself.
    """
    about = row["subject_id"] or row["fact"]["id"]
    return (await lock(transaction, [about]))[about]


async def _successor(transaction: Transaction, chosen: Fact) -> str:
    """Return what took the place of what is over.

    Raises:
        InvalidInput: it was never current.
    """
    rows = await transaction.run("timelines/retired_by", id=chosen.id)
    if not rows:
        raise InvalidInput("atomId: It was history when it came, and never current. Remember it anew if it holds now.")
    cause: str = rows[0]["cause"]
    return cause


async def _read(transaction: Transaction, atom_id: str) -> Row:
    rows = await transaction.run("timelines/standing", id=atom_id)
    if not rows:
        raise NotFound(f"(atom {atom_id!r})")
    # An observation has no time of saying of its own.
    return {**rows[0], "fact": {**rows[0]["fact"], "at": rows[0]["fact"]["at"] or 0}}
