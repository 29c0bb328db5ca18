"""Settles the statements of a batch inside its transaction: lock, look, decide, and write what was decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from graph.arbitration.people import person_meant
from graph.naming import entity_key, stable_id
from graph.ontology import CURRENT, Edge
from graph.store import Row, Transaction
from graph.timelines.decide import KeyKind, Said, TimelineRole, Verdict, person_named
from graph.timelines.facts import Change, Claim, Fact, Link, Other, Settlement
from graph.timelines.known import near_ones, on_timelines, opponents, restatements, text_key, value_key
from graph.timelines.settling import WorkingSet
from graph.timelines.standing import Standing, milliseconds

RULE: Final = "rule"
"""The actor of a decision that no person made."""


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A new statement on its way into the graph.

    `at` (ms) is when it was said, None: when it is learned; `kept` tells that its atom is kept whatever the verdict, as
    an event's is; `kind` how the values of its key go together; the ids are those of its source and record.
    """

    id: str
    said: Said
    at: int | None
    group: str
    audience: str
    vector: Sequence[float]
    source_id: str
    record_id: str
    quote: str | None
    content_hash: str
    kind: KeyKind
    kept: bool

    @property
    def subject_id(self) -> str:
        """Id of the subject, within the statement's audience: private statements are settled among themselves."""
        return self.id_of(self.said.subject)

    @property
    def subjects(self) -> frozenset[str]:
        """Ids of all the subjects whose timelines it may change."""
        other = self.other()
        return frozenset((self.subject_id, *([self.id_of(other.subject)] if other else [])))

    def timeline(self, subject: str) -> str | None:
        """Id of the timeline of a subject and the statement's key; None without a key."""
        return timeline_id(self.group, self.audience, subject, self.said.key) if self.said.key else None

    def other(self) -> Other | None:
        """Return the subject that the text may be about instead; None where there is none, no key, or one was given."""
        words = person_named(self.said) if self.said.key and not self.said.subject_given else None
        person = person_meant(self.said.text, words) if words else None
        if words is None or person is None:
            return None
        subject = f"{self.said.subject}'s {person}"
        return Other(subject, self.timeline(subject) or "", words)

    def id_of(self, name: str) -> str:
        """Id of a subject within the statement's audience."""
        return stable_id("subject", self.group, self.audience, entity_key(name))


def timeline_id(group: str, audience: str, subject: str, key: str) -> str:
    """Return the id of the timeline of a subject and a key among those of one audience."""
    return stable_id("timeline", group, audience, entity_key(subject), entity_key(key))


async def lock(transaction: Transaction, subjects: Iterable[str]) -> None:
    """Lock subjects, so that writers who may touch the same statements wait for each other."""
    await transaction.run("timelines/lock_subjects", subjects=sorted(set(subjects)))


async def settle(
    transaction: Transaction, slot: str, statements: Sequence[NewStatement], now: datetime
) -> list[Settlement]:
    """Read what is known, and settle the statements in the order in which they came.

    Their subjects must be locked; `now` is when they were, and when what has no time was said.
    """
    claims = [_claim(one, milliseconds(now) if one.at is None else one.at) for one in statements]
    working_set = WorkingSet()
    keyed = [(one, claim) for one, claim in zip(statements, claims, strict=True) if claim.timeline]
    if keyed:
        places = [
            {"timeline": timeline, "at": claim.at, "value_key": value_key(one.said.value)}
            for one, claim in keyed
            for timeline in (claim.timeline, *([claim.other.timeline] if claim.other else []))
        ]
        working_set.facts |= await on_timelines(transaction, places)
    near = await near_ones(transaction, slot, working_set, [_asked(one) for one in statements if one.said.key is None])
    await opponents(transaction, working_set)
    settled: list[Settlement] = []
    of_subject: dict[str, list[str]] = {}  # statements of this batch, which no index knows yet
    for one, claim in zip(statements, claims, strict=True):
        earlier = of_subject.setdefault(one.subject_id, [])
        known = (*near.get(one.id, ()), *earlier) if one.said.key is None else ()
        settled.append(working_set.settle(replace(claim, near=known)))
        if settled[-1].keeps:
            earlier.append(one.id)
    return await _with_restatements(transaction, working_set, settled)


def _asked(one: NewStatement) -> Row:
    """Return a statement without a key as it is asked for what is near it."""
    said = text_key(one.said.text)
    return {
        "id": one.id,
        "subject_id": one.subject_id,
        "audience": one.audience,
        "vector": one.vector,
        "text_key": said,
    }


async def _with_restatements(
    transaction: Transaction, working_set: WorkingSet, settled: Sequence[Settlement]
) -> list[Settlement]:
    """Let events that restated a value end with it."""
    retired = {change.id for settlement in settled for change in settlement.changes if is_over(change)}
    if not retired:
        return list(settled)
    new = [fact for fact in working_set.facts.values() if fact.restates in retired and fact.standing.status in CURRENT]
    known = {fact.id: fact for fact in (*await restatements(transaction, retired, CURRENT), *new)}
    whole = []
    for settlement in settled:
        ended = {change.id: change.after for change in settlement.changes if is_over(change)}
        changes = tuple(
            restated_too(fact, ended[fact.restates])
            for fact in known.values()
            if fact.restates and fact.restates in ended
        )
        whole.append(replace(settlement, changes=(*settlement.changes, *changes)))
    return whole


def is_over(change: Change) -> bool:
    """Tell whether a change ends what was current."""
    return change.before is not None and change.before.status in CURRENT and change.after.status not in CURRENT


def restated_too(echo: Fact, ended: Standing) -> Change:
    """Return the change of an event whose fact has ended."""
    return Change(echo.id, echo.standing, replace(echo.standing, status=ended.status, valid_until=ended.valid_until))


def _claim(one: NewStatement, at: int) -> Claim:
    return Claim(one.id, one.said, at, one.timeline(one.said.subject), one.other(), kind=one.kind, kept=one.kept)


def properties(one: NewStatement, settlement: Settlement) -> Row:
    """Return what a statement's atom has beside an event's: where it stands, and its standing."""
    ruling = settlement.ruling
    mine = next(change.after for change in settlement.changes if change.id == one.id)
    restates = settlement.restates
    on_timeline = ruling.timeline_role is not TimelineRole.OFF
    subject = settlement.subject
    return {
        **mine.properties(),
        "subject": subject,
        "subject_id": one.id_of(subject),
        "timeline": settlement.timeline if on_timeline or restates else None,
        "stated_at_ms": settlement.claim.at,
        "value_key": value_key(one.said.value) if on_timeline and settlement.timeline else None,
        "text_key": text_key(one.said.text),
    }


async def write(
    transaction: Transaction, statements: Sequence[NewStatement], settlements: Sequence[Settlement], now: datetime
) -> None:
    """Write the changes of standing, the edges and the decisions; the atoms that are kept must stand already."""
    by_id = {one.id: one for one in statements}
    latest: dict[str, Standing] = {}
    for settlement in settlements:
        latest |= {change.id: change.after for change in settlement.changes}
    if latest:
        await change_standing(transaction, latest)
    await link(transaction, settlements, now)
    restated = [
        {"id": target, "source_id": one.source_id, "record_id": one.record_id, "quote": one.quote}
        for settlement in settlements
        if settlement.ruling.verdict is Verdict.NOOP
        for one in [by_id[settlement.claim.id]]
        for target in settlement.ruling.targets
    ]
    if restated:
        await transaction.run("timelines/restate", statements=restated)
    # Decisions of one batch are told apart in time by their order.
    decided = [
        _decision(by_id[settlement.claim.id], settlement, now + timedelta(microseconds=number))
        for number, settlement in enumerate(settlements)
    ]
    await keep(transaction, [row for row in decided if row["touched"]])


async def keep(transaction: Transaction, decisions: Sequence[Row]) -> None:
    """Keep decisions."""
    await transaction.run("timelines/decide", decisions=decisions)


async def change_standing(transaction: Transaction, standings: Mapping[str, Standing]) -> None:
    """Give atoms their standing."""
    rows = [{"id": one, "properties": standing.properties()} for one, standing in sorted(standings.items())]
    await transaction.run("timelines/change_standing", changes=rows)


async def link(transaction: Transaction, settlements: Iterable[Settlement], now: datetime) -> None:
    """Make, close and cut the edges between statements."""
    made: list[Link] = []
    closed: list[Link] = []
    cut: list[Link] = []
    for settlement in settlements:
        made += settlement.links
        closed += settlement.closed
        cut += settlement.cut
    if made or closed or cut:
        await transaction.run(
            "timelines/link",
            supersedes=_edges((one for one in made if one.type == Edge.SUPERSEDES), now),
            refines=_edges((one for one in made if one.type == Edge.REFINES), now),
            conflicts=_edges((one for one in made if one.type == Edge.CONFLICTS_WITH), now),
            closed=_edges(closed, now),
            cut=_edges(cut, now),
        )


def _edges(links: Iterable[Link], now: datetime) -> list[Row]:
    return [{"start": one.start, "end": one.end, "at": now} for one in links]


def decision_id(statement_id: str) -> str:
    """Return the id of the decision that the arrival of a statement makes."""
    return stable_id("decision", statement_id)


def _decision(one: NewStatement, settlement: Settlement, now: datetime) -> Row:
    ruling = settlement.ruling
    return decision(
        decision_id(one.id),
        settlement,
        now,
        verdict=ruling.verdict,
        rule=ruling.rule,
        words=ruling.words,
        proposes=list(ruling.proposes),
        proposed=ruling.proposed,
        actor=RULE,
        atom_id=one.id if settlement.keeps else (ruling.targets or (None,))[0],
        content_hash=one.content_hash,
    )


def decision(id: str, settlement: Settlement, now: datetime, **said: Any) -> Row:  # noqa: A002
    """Return a decision as the statement that keeps it takes it."""
    return {
        "id": id,
        "properties": {"at": now, **said},
        "touched": [
            {
                "id": change.id,
                "before": change.before.to_json() if change.before else None,
                "after": change.after.to_json(),
                "before_status": change.before.status if change.before else None,
                "after_status": change.after.status,
            }
            for change in settlement.changes
        ],
    }
