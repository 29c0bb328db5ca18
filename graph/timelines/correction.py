"""What a person decides about an atom: which side of a conflict is right, that it is wrong, that it stays in sight."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol
from uuid import uuid4

from graph.errors import InvalidInput, NotFound
from graph.ontology import CURRENT, PAST, Edge, Status
from graph.scope import Right, Scope
from graph.store import Row, Store, Transaction
from graph.timelines.authority import may_say
from graph.timelines.clock import Tick
from graph.timelines.commit import add_edges, decision, no_edges, standings
from graph.timelines.corrected import Corrected, chosen_side, decided_about, differing, reinstated
from graph.timelines.facts import DECIDING, Change, Fact, Link
from graph.timelines.known import by_ids, fact_of, whole, with_opponents
from graph.timelines.said import TimelineRole, Verdict
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Flag
from graph.timelines.writing import lock, write

RETRACTED: Final = "retracted by a person"
PINNED: Final = "pinned by a person"
UNPINNED: Final = "unpinned by a person"
ACCEPTED: Final = "accepted by a person"
DECLINED: Final = "declined by a person"

_MOST_LOADED: Final = 1_000  # statements of a timeline that are looked at, the last first


class _Answer(Protocol):
    """Takes the working set, the two atoms, what is proposed, and whether the first one proposes nothing else."""

    def __call__(
        self, working_set: WorkingSet, chosen: Fact, target: Fact, verdict: Verdict, /, *, last: bool
    ) -> Corrected:
        """Return what the answer changes."""


_Correction = Callable[[WorkingSet, Fact, str | None, int], Corrected]
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

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> Corrected:
        if chosen.standing.status == Status.QUARANTINED:
            raise InvalidInput(
                "atomId: It is external and stays in quarantine. Remember it as a statement of your own."
            )
        if chosen.standing.status in PAST:
            return reinstated(working_set, chosen, successor, now)
        if chosen.timeline_role == TimelineRole.OFF and Flag.NEEDS_CONFIRMATION in chosen.standing.flags:
            raise InvalidInput(
                "atomId: It was told with doubt, and stands beside what is known. Remember it anew, without the doubt."
            )
        if chosen.standing.status != Status.CONFLICT and Flag.NEEDS_CONFIRMATION not in chosen.standing.flags:
            raise InvalidInput("atomId: It is current, in no conflict, and needs no confirmation.")
        return chosen_side(working_set, chosen, now)

    return await _correct(store, scope, atom_id, Verdict.UPDATE, corrected)


async def retract(store: Store, scope: Scope, atom_id: str) -> list[Change]:
    """Say that an atom is wrong or no longer true: it is kept, out of current answers; return what changed.

    Raises: as `confirm`; `InvalidInput` where it is not current.
    """

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> Corrected:
        del successor
        if chosen.standing.status not in CURRENT:
            raise InvalidInput(f"atomId: It is {chosen.standing.status}, and not current: nothing is left to retract.")
        closed, alone = working_set.close([chosen.id])
        changes = {chosen.id: chosen.standing.taken_back(now)}
        changes |= {one: working_set.facts[one].standing.alone() for one in alone}
        return Corrected(RETRACTED, differing(working_set, changes), (), tuple(closed))

    return await _correct(store, scope, atom_id, Verdict.INVALIDATE, corrected)


async def pin(store: Store, scope: Scope, atom_id: str, *, pinned: bool) -> list[Change]:
    """Pin an atom, so that it never goes stale, or unpin it; return what changed. Raises: as `confirm`."""

    def corrected(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> Corrected:
        del successor, now
        standing = chosen.standing
        after = standing.flagged(Flag.PINNED) if pinned else standing.unflagged(Flag.PINNED)
        return Corrected(PINNED if pinned else UNPINNED, differing(working_set, {chosen.id: after}))

    return await _correct(store, scope, atom_id, Verdict.NOOP, corrected)


async def accept(store: Store, scope: Scope, atom_id: str, target_id: str) -> list[Change]:
    """Let an atom supersede another, as was proposed when it was said; return what changed.

    Raises: as `confirm`; `InvalidInput` where this is not proposed, or one of the two is current no more.
    """

    def accepted(working_set: WorkingSet, chosen: Fact, target: Fact, verdict: Verdict, *, last: bool) -> Corrected:
        for field, fact in (("atomId", chosen), ("supersedes", target)):
            if fact.standing.status not in CURRENT:
                raise InvalidInput(f"{field}: It is {fact.standing.status}, and not current. Decline the proposal.")
        mine = decided_about(chosen, last=last)
        if verdict is Verdict.INVALIDATE:
            mine = replace(mine, timeline_role=str(TimelineRole.END))
        status = Status.INVALID if verdict is Verdict.INVALIDATE else Status.SUPERSEDED
        until = max(chosen.at, target.standing.valid_from or target.at)
        closed, alone = working_set.close([target.id])
        changes = {chosen.id: mine, target.id: target.standing.ended(status, until)}
        changes |= {one: working_set.facts[one].standing.alone() for one in alone if one != chosen.id}
        if chosen.id in alone:
            changes[chosen.id] = replace(mine.alone(), flags=mine.flags)
        edge = {Verdict.UPDATE: Edge.SUPERSEDES, Verdict.REFINE: Edge.REFINES}.get(verdict)
        made = (Link(edge, chosen.id, target.id),) if edge is not None else ()
        return Corrected(ACCEPTED, differing(working_set, changes), made, tuple(closed))

    return await _answer(store, scope, (atom_id, target_id), accepted)


async def decline(store: Store, scope: Scope, atom_id: str, target_id: str) -> list[Change]:
    """Let two atoms stand beside each other, though it was proposed that the one supersedes the other.

    Returns what changed. Raises: as `confirm`; `InvalidInput` where this is not proposed.
    """

    def declined(working_set: WorkingSet, chosen: Fact, target: Fact, verdict: Verdict, *, last: bool) -> Corrected:
        del target, verdict
        return Corrected(DECLINED, differing(working_set, {chosen.id: decided_about(chosen, last=last)}))

    return await _answer(store, scope, (atom_id, target_id), declined)


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
        row, tick = await _locked(transaction, scope, row)
        chosen = fact_of(row["fact"])
        facts = {chosen.id: chosen}
        successor = None
        if chosen.standing.status in PAST:
            successor = await _successor(transaction, chosen)
            if chosen.timeline is not None:
                facts |= (await whole(transaction.run, [chosen.timeline], roles=DECIDING, most=_MOST_LOADED))[0]
            facts |= await by_ids(transaction.run, [successor])
        working_set = WorkingSet(await with_opponents(transaction.run, facts))
        made = corrected(working_set, working_set.facts[chosen.id], successor, tick.ms)
        return await _written(transaction, scope, (working_set, row, tick), verdict, made)

    return await store.write(scope, work)


async def _answer(store: Store, scope: Scope, ids: tuple[str, str], answered: _Answer) -> list[Change]:
    scope.require(Right.WRITE)
    atom_id, target_id = ids

    async def work(transaction: Transaction) -> list[Change]:
        row, tick = await _locked(transaction, scope, await _read(transaction, atom_id))
        target = await _read(transaction, target_id)
        found = await transaction.run("timelines/proposal", id=atom_id, target_id=target_id)
        if not found:
            raise InvalidInput("supersedes: This is not proposed, or has been decided already.")
        facts = {one.id: one for one in (fact_of(row["fact"]), fact_of(target["fact"]))}
        working_set = WorkingSet(await with_opponents(transaction.run, facts))
        chosen, old = working_set.facts[atom_id], working_set.facts[target_id]
        proposed = Verdict(found[0]["verdict"])
        made = answered(working_set, chosen, old, proposed, last=found[0]["others"] == 0)
        accepted = made.rule == ACCEPTED
        told = replace(made, answered=({"start": atom_id, "end": target_id, "accepted": accepted},))
        verdict = proposed if accepted else Verdict.ADD
        return await _written(transaction, scope, (working_set, row, tick), verdict, told)

    return await store.write(scope, work)


async def _locked(transaction: Transaction, scope: Scope, row: Row) -> tuple[Row, Tick]:
    """Lock whom an atom is about, and see that the viewer may correct it; return it as it is under the lock."""
    tick = await _lock(transaction, row)
    row = await _read(transaction, row["fact"]["id"])
    if scope.viewer not in (row["fact"]["user_id"], row["subject"]):
        scope.require(Right.ADMIN)
    return row, tick


async def _written(
    transaction: Transaction,
    scope: Scope,
    looked: tuple[WorkingSet, Row, Tick],
    verdict: Verdict,
    made: Corrected,
) -> list[Change]:
    """Write a correction and its decision, where the viewer may retire what it retires."""
    working_set, row, tick = looked
    over = [change.id for change in made.changes if change.after.status in PAST]
    if any(not may_say(scope.viewer, working_set.facts[one].known(), row["subject"]) for one in over):
        scope.require(Right.ADMIN)
    if not made.changes and not made.answered:
        return []
    kept = decision(
        str(uuid4()),
        made.changes,
        tick,
        verdict=verdict,
        rule=made.rule,
        words="",
        actor=scope.viewer,
        atom_id=row["fact"]["id"],
        subject=row["subject"],
        subject_id=row["subject_id"],
    )
    edges = no_edges()
    add_edges(edges, made.made, made.closed, made.cut, tick.at)
    edges["answered"] += [{**one, "decision_id": kept["id"], "at": tick.at.isoformat()} for one in made.answered]
    after = {change.id: change.after for change in made.changes}
    await write(transaction, {**edges, "standings": standings(after), "restated": [], "decisions": [kept]})
    return list(made.changes)


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
