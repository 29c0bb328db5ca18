"""What comes late where its timeline may not be told anew: a person decided on it, or it is too long. Pure.

Then a late statement is history, whatever its wording; what stands, stands.
"""

from dataclasses import replace
from typing import Final

from graph.ontology import HISTORY, PAST, Status
from graph.timelines.facts import Fact, Utterance
from graph.timelines.fold import advance
from graph.timelines.said import KeyKind, Ruling, TimelineRole, Verdict
from graph.timelines.standing import Flag
from graph.timelines.step import Statements, Step
from graph.wording.tokens import same

LATE: Final = "placed in its timeline, where a newer value stands"
RESTATED_LATE: Final = "restated, late"
STATED_AGAIN: Final = "what it would replace was stated again later"
_SETTLING: Final = (TimelineRole.VALUE, TimelineRole.END)


def not_backwards(statements: Statements, utterance: Utterance, ruling: Ruling) -> Ruling:
    """Leave out of a ruling what was said later: an older statement never retires a newer one, nor disputes it."""
    if ruling.verdict is Verdict.NOOP:
        return ruling
    facts = [statements.facts[one] for one in ruling.targets]
    given = [one for one in facts if one.timeline_role != TimelineRole.END]
    again = any(one.at <= utterance.at < one.last_said for one in given)
    if again and ruling.verdict is not Verdict.REFINE:  # what says more of it contradicts nothing
        if ruling.verdict is Verdict.INVALIDATE:
            return Ruling(Verdict.ADD, STATED_AGAIN, ruling.words, timeline_role=TimelineRole.OFF, to_confirm=True)
        sides = tuple(one.id for one in given)
        return replace(ruling, verdict=Verdict.CONFLICT, rule=STATED_AGAIN, targets=sides, to_confirm=True)
    older = tuple(one.id for one in facts if one.at <= utterance.at)
    if older or older == ruling.targets:
        return replace(ruling, targets=older)
    return Ruling(Verdict.ADD, LATE, ruling.words, (), ruling.timeline_role)


def placed(statements: Statements, utterance: Utterance, timeline: str, ruling: Ruling, *, keeps: bool) -> Ruling:
    """Place a late statement among those of its timeline, which stay as they are; return what became of it."""
    before, after = _neighbours(statements, utterance, timeline)
    settles = utterance.kind is not KeyKind.MANY and ruling.timeline_role in _SETTLING
    if after is None or not settles or (ruling.verdict is Verdict.NOOP and not (utterance.said.value and after.value)):
        ruling = not_backwards(statements, utterance, ruling)
        advance(statements, utterance, timeline, ruling, keeps=keeps)
        return ruling
    at, value = utterance.at, utterance.said.value or ""
    gives = ruling.timeline_role is TimelineRole.VALUE
    held = before is not None and before.standing.status in PAST and _holds_beyond(before, at)
    if gives and before is not None and (before.current or held) and same(before.value or "", value):
        return _restated(statements, utterance, timeline, ruling, before, keeps=keeps)
    if gives and after.timeline_role is TimelineRole.VALUE and same(after.value or "", value):
        restated = _restated(statements, utterance, timeline, ruling, after, keeps=keeps)
        widened = replace(statements.facts[after.id].standing, valid_from=at)
        statements.put(replace(statements.facts[after.id], standing=widened))
        if before is not None and held:
            _until(statements, before, at)
        return restated
    _between(statements, utterance, timeline, ruling, (before if held else None, after))
    return Ruling(Verdict.ADD, LATE, ruling.words, (after.id,), ruling.timeline_role)


def _neighbours(statements: Statements, utterance: Utterance, timeline: str) -> tuple[Fact | None, Fact | None]:
    """Return the value before a late statement, and what gave or ended a value first after it.

    What is in quarantine, erased or taken back has no place.
    """
    facts = [one for one in statements.on(timeline) if one.standing.status in HISTORY]
    facts = [one for one in facts if Flag.RETRACTED not in one.standing.flags]
    values = [one for one in facts if one.timeline_role is TimelineRole.VALUE and one.at <= utterance.at]
    later = [one for one in facts if one.timeline_role in _SETTLING and one.at > utterance.at]
    value = utterance.said.value
    # The end of another value says nothing of this one.
    told = (
        one
        for one in later
        if one.timeline_role is TimelineRole.VALUE or not (one.value and value) or same(one.value, value)
    )
    return values[-1] if values else None, next(told, None)


def _restated(
    statements: Statements, utterance: Utterance, timeline: str, ruling: Ruling, fact: Fact, *, keeps: bool
) -> Ruling:
    again = Ruling(Verdict.NOOP, RESTATED_LATE, ruling.words, (fact.id,), to_confirm=ruling.to_confirm)
    advance(statements, utterance, timeline, again, keeps=keeps)
    return again


def _between(
    statements: Statements, utterance: Utterance, timeline: str, ruling: Ruling, around: tuple[Fact | None, Fact]
) -> None:
    """Let a statement hold from its time until the next one begins, and the one before it until its time."""
    (before, after), at = around, utterance.at
    ended = after.timeline_role is TimelineRole.END
    begun = after.standing.valid_from
    # A value whose period was widened by an earlier late statement may have begun before; then it holds besides.
    until = begun if begun is not None and begun > at else after.at
    Step(statements, utterance, timeline).keep(ruling, ruling.timeline_role)
    mine = statements.facts[utterance.id]
    status = Status.INVALID if ended else Status.SUPERSEDED
    standing = replace(mine.standing.unflagged(Flag.NEEDS_CONFIRMATION), status=status, valid_until=until)
    gives = ruling.timeline_role is TimelineRole.VALUE
    follows = after.supersedes
    if before is not None and before.id in follows:
        follows -= {before.id}
        mine = replace(mine, supersedes=frozenset({before.id} if gives else ()))
    statements.put(replace(mine, standing=standing))
    if gives and not ended:
        follows |= {utterance.id}
    statements.put(replace(after, supersedes=follows))
    if before is not None:
        _until(statements, before, at)


def _until(statements: Statements, fact: Fact, at: int) -> None:
    statements.put(replace(fact, standing=replace(fact.standing, valid_until=at)))


def _holds_beyond(fact: Fact, at: int) -> bool:
    until: int | None = fact.standing.valid_until
    return until is None or until > at
