"""What a person's word changes: which side is right, and that what was misread is undone. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from graph.errors import InvalidInput
from graph.ontology import PAST, Edge, Status
from graph.timelines.facts import Change, Fact, Link
from graph.timelines.said import TimelineRole
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Flag, Standing

CONFIRMED: Final = "confirmed by a person"
REINSTATED: Final = "reinstated by a person"


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction changes: standings, edges to make, to close and to cut, proposals answered; and its rule."""

    rule: str
    changes: tuple[Change, ...]
    made: tuple[Link, ...] = ()
    closed: tuple[Link, ...] = ()
    cut: tuple[Link, ...] = ()
    answered: tuple[Mapping[str, Any], ...] = ()


def chosen_side(working_set: WorkingSet, chosen: Fact, now: int) -> Corrected:
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
    return Corrected(CONFIRMED, differing(working_set, changes), made, tuple(closed))


def reinstated(working_set: WorkingSet, chosen: Fact, successor: str | None, now: int) -> Corrected:
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
        if one.timeline_role == TimelineRole.VALUE and not taken_back(one)
    ]
    if undone is not None and undone.standing.status in PAST and not taken_back(undone):
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
        return Corrected(REINSTATED, differing(working_set, changes))
    cut = (Link(Edge.SUPERSEDES, undone.id, chosen.id),)
    closed: list[Link] = []
    if undone.current:
        closed, alone = working_set.close([undone.id])
        changes |= {one: working_set.facts[one].standing.alone() for one in alone}
    if undone.current and undone.at < chosen.at:
        ends = chosen.timeline_role == TimelineRole.END
        changes[undone.id] = undone.standing.ended(Status.INVALID if ends else Status.SUPERSEDED, chosen.at)
        made = () if ends else (Link(Edge.SUPERSEDES, chosen.id, undone.id),)
        return Corrected(REINSTATED, differing(working_set, changes), made, tuple(closed), cut)
    changes[undone.id] = undone.standing.taken_back(undone.standing.valid_from or undone.at)
    return Corrected(REINSTATED, differing(working_set, changes), (), tuple(closed), cut)


def taken_back(fact: Fact) -> bool:
    """Tell whether a person has taken a statement back as wrong."""
    return Flag.RETRACTED in fact.standing.flags


def decided_about(chosen: Fact, *, last: bool) -> Standing:
    """Return the standing of what has been decided about, unless something else of it waits for a decision."""
    waits = not last or chosen.standing.status == Status.CONFLICT
    return chosen.standing if waits else chosen.standing.unflagged(Flag.NEEDS_CONFIRMATION)


def differing(working_set: WorkingSet, after: Mapping[str, Standing]) -> tuple[Change, ...]:
    """Return what differs from what is on the working_set."""
    return tuple(
        Change(one, working_set.facts[one].standing, standing)
        for one, standing in after.items()
        if standing != working_set.facts[one].standing
    )
