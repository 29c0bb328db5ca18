"""Readings: of one source and key the later one is current, and the one before it ends there. Pure.

Each source has a lane of its own on the timeline. A reading changes at most the one before it, however many there are.
A reading that a user stated as well is theirs, and no later reading ends it: they are in conflict.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

from graph.ontology import CURRENT, HISTORY, Edge, Origin, Status
from graph.timelines.facts import Fact, Utterance
from graph.timelines.said import Ruling, TimelineRole, Verdict
from graph.timelines.standing import Flag, Standing
from graph.timelines.step import GIVING, Statements, Step
from graph.wording.tokens import same

LATER_READING: Final = "a later reading of the same source"
SAME_READING: Final = "the same reading again"
OTHER_SOURCE: Final = "another source's reading"
AGAINST_A_USER: Final = "a reading against what a user stated"
FIRST: Final = "first of its key"
EARLIER_READING: Final = "placed among the readings of its source"


def read(statements: Statements, utterance: Utterance, timeline: str, lane: str) -> Ruling:
    """Let a reading take its place in its lane; return what became of it. Those of other lanes stay as they are."""
    facts = statements.on(timeline)
    place = bisect_right(facts, utterance.at, key=attrgetter("at"))
    before = next((one for one in reversed(facts[:place]) if _reads(one, lane)), None)
    after = next((one for one in facts[place:] if _reads(one, lane)), None)
    if after is not None:
        return _between(statements, utterance, timeline, before, after)
    return _latest(statements, utterance, timeline, [one for one in facts if one.lane != lane or stated(one)], before)


def _reads(fact: Fact, lane: str) -> bool:
    """Tell whether a fact is a reading of a lane; what a person took back is none."""
    standing = fact.standing
    if fact.lane != lane or standing.timeline_role not in GIVING or standing.status not in HISTORY:
        return False
    return Flag.RETRACTED not in standing.flags


def stated(fact: Fact) -> bool:
    """Tell whether a fact is what a user stated: at first, or after it had been read."""
    return bool(fact.standing.stated_by) or (fact.lane is None and fact.origin == Origin.USER_STATED)


def _latest(
    statements: Statements, utterance: Utterance, timeline: str, facts: Sequence[Fact], before: Fact | None
) -> Ruling:
    """Let a reading be the latest of its lane; `facts` are those that are not in it, or that a user stated as well."""
    value = utterance.said.value or ""
    others = [fact for fact in facts if fact.current]
    beside = [one for one in others if one.timeline_role in GIVING]
    disputed = [one for one in beside if stated(one) and one.value is not None and not same(one.value, value)]
    ended = [one for one in others if one.timeline_role is TimelineRole.END]
    step = Step(statements, utterance, timeline)
    role = before.timeline_role if before else TimelineRole.ADDITION if beside and not disputed else TimelineRole.VALUE
    holds = before is not None and before.current and before not in disputed
    taken_over = before.standing.conflict_since if before is not None and holds and before.opponents else None
    step.oppose([one.id for one in disputed], since=taken_over)
    if before is not None and holds:
        step.retire([before.id], Status.SUPERSEDED, Edge.SUPERSEDES)
    elif ended:
        step.retire([one.id for one in ended], Status.SUPERSEDED, Edge.SUPERSEDES)
    if disputed and taken_over is None:
        ruling = Ruling(Verdict.CONFLICT, AGAINST_A_USER, "", tuple(one.id for one in disputed), role)
    elif before is not None and holds:
        verdict, rule = _compared(before, value)
        ruling = Ruling(verdict, rule, "", (before.id,), role)
    else:
        ruling = Ruling(Verdict.ADD, OTHER_SOURCE if role is TimelineRole.ADDITION else FIRST, timeline_role=role)
    step.keep(ruling, role)
    return ruling


def _between(statements: Statements, utterance: Utterance, timeline: str, before: Fact | None, after: Fact) -> Ruling:
    """Place a late reading: it ends where the next one begins, and the one before it ends where it begins."""
    at, said = utterance.at, utterance.said
    begun = after.standing.valid_from if after.standing.valid_from is not None else after.at
    standing = Standing(
        Status.SUPERSEDED, valid_from=at, valid_until=max(at, begun), last_evidence_at=at,
        timeline_role=str(after.timeline_role),
    )  # fmt: skip
    reading = Fact(
        utterance.id, timeline, said.text, said.value, said.origin, said.user_id, at, standing,
        source_id=said.source_id, lane=after.lane,
    )  # fmt: skip
    ruling = Ruling(Verdict.ADD, EARLIER_READING, timeline_role=after.timeline_role)
    follows = after.supersedes
    if before is not None:
        until = before.standing.valid_until
        theirs = before.current and stated(before) and not same(before.value or "", said.value or "")
        if not theirs and (until is None or until > at):
            over = Status.SUPERSEDED if before.standing.status in CURRENT else before.standing.status
            statements.put(replace(before, standing=replace(before.standing, status=over, valid_until=at)))
        if before.id in follows:
            reading = replace(reading, supersedes=frozenset({before.id}))
            follows -= {before.id}
        if same(before.value or "", said.value or ""):
            ruling = Ruling(Verdict.NOOP, SAME_READING, "", (before.id,), after.timeline_role)
    statements.put(reading)
    statements.put(replace(after, supersedes=follows | {reading.id}))
    return ruling


def _compared(before: Fact, value: str) -> tuple[Verdict, str]:
    return (Verdict.NOOP, SAME_READING) if same(before.value or "", value) else (Verdict.UPDATE, LATER_READING)
