"""Where a statement stands among those of its subject, and what that changes. Pure: statements in, changes out.

Statements are settled one after the other on a working_set that holds what is known; each leaves its changes there, so that
a batch is arbitrated as if its statements had come alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

from graph.arbitration.values import same
from graph.ontology import HISTORY, PAST, Edge, Origin, Status
from graph.timelines.decide import OF_ANOTHER, KeyKind, Ruling, TimelineRole, Verdict, decide, may_retire
from graph.timelines.facts import Change, Claim, Fact, Link, Settlement, restated
from graph.timelines.standing import Flag, Standing

LATE: Final = "placed in its timeline, where a newer value stands"
QUARANTINED: Final = "external, kept in quarantine"
RESTATED_LATE: Final = "restated, late"
STATED_AGAIN: Final = "what it would replace was stated again later"
_SETTLING: Final = (TimelineRole.VALUE, TimelineRole.END)
_GONE: Final = (Verdict.SKIPPED_EPHEMERAL, Verdict.REFUSED, Verdict.NOOP)


@dataclass(slots=True)
class WorkingSet:
    """The statements that are known while a batch is settled, by id."""

    facts: dict[str, Fact] = field(default_factory=dict)

    def settle(self, claim: Claim) -> Settlement:
        """Settle a claim and leave its changes on the working_set."""
        settling = _Settling(self, claim)
        settlement = settling.settled()
        for change in settlement.changes:
            if change.id in self.facts:
                self.facts[change.id] = replace(self.facts[change.id], standing=change.after)
        return settlement

    def close(self, retired: Iterable[str]) -> tuple[list[Link], list[str]]:
        """Close the conflicts of what is retired; return their edges, and the opponents that have none left."""
        gone = set(retired)
        closed: list[Link] = []
        alone: list[str] = []
        for target in sorted(gone):
            for opponent in sorted(self.facts[target].opponents):
                closed.append(Link(Edge.CONFLICTS_WITH, target, opponent))
                other = self.facts[opponent]
                left = other.opponents - {target}
                self.facts[opponent] = replace(other, opponents=left)
                if not left and opponent not in gone:
                    alone.append(opponent)
            self.facts[target] = replace(self.facts[target], opponents=frozenset())
        return closed, alone

    def on(self, timeline: str | None) -> list[Fact]:
        """Return the statements of a timeline in order of time."""
        found = [fact for fact in self.facts.values() if timeline is not None and fact.timeline == timeline]
        return sorted(found, key=attrgetter("at"))  # of one instant: in the order in which they were learned


class _Settling:
    """One claim being settled: gathers changes and edges."""

    def __init__(self, working_set: WorkingSet, claim: Claim) -> None:
        self._working_set = working_set
        self._claim = claim
        self._after: dict[str, Standing] = {}
        self._links: list[Link] = []
        self._closed: list[Link] = []
        self._cut: list[Link] = []

    def settled(self) -> Settlement:
        """Decide, and gather what the decision changes."""
        claim = self._claim
        timeline = claim.timeline
        if claim.said.origin == Origin.EXTERNAL:  # data, and never an instruction: it decides nothing
            ruling = Ruling(Verdict.ADD, QUARANTINED, timeline_role=TimelineRole.OFF)
            return self._settlement(ruling, None, None)
        facts = self._facts(timeline)
        # That a statement names its own subject makes it no statement about somebody else.
        named = claim.said.subject
        ruling = decide(claim.said, [fact.known() for fact in facts], kind=claim.kind, person=named)
        if ruling.rule == OF_ANOTHER and claim.other is not None:
            timeline = claim.other.timeline
            facts = self._facts(timeline)
            ruling = decide(claim.said, [fact.known() for fact in facts], kind=claim.kind, person=claim.other.words)
        if ruling.rule == OF_ANOTHER and timeline is None:  # it stands, and is compared with what is said of them later
            ruling = replace(ruling, timeline_role=TimelineRole.VALUE)
        newer = self._newer(timeline)
        if newer is not None and claim.kind is not KeyKind.MANY and ruling.timeline_role in _SETTLING:
            return self._late(ruling, timeline, newer)
        return self._in_order(self._not_backwards(ruling), timeline)

    def _not_backwards(self, ruling: Ruling) -> Ruling:
        """Leave out of a ruling what was said later: an older statement never retires a newer one, nor disputes it."""
        if ruling.verdict is Verdict.NOOP:
            return ruling
        facts = [self._working_set.facts[one] for one in ruling.targets]
        given = [one for one in facts if one.timeline_role != TimelineRole.END]
        again = any(one.at <= self._claim.at < one.last_said for one in given)
        if again and ruling.verdict is not Verdict.REFINE:  # what says more of it contradicts nothing
            if ruling.verdict is Verdict.INVALIDATE:
                return Ruling(Verdict.ADD, STATED_AGAIN, ruling.words, timeline_role=TimelineRole.OFF, to_confirm=True)
            sides = tuple(one.id for one in given)
            return replace(ruling, verdict=Verdict.CONFLICT, rule=STATED_AGAIN, targets=sides, to_confirm=True)
        older = tuple(one.id for one in facts if one.at <= self._claim.at)
        if older == ruling.targets:
            return ruling
        return (
            replace(ruling, targets=older)
            if older
            else Ruling(Verdict.ADD, LATE, ruling.words, (), ruling.timeline_role)
        )

    def _facts(self, timeline: str | None) -> list[Fact]:
        claim = self._claim
        facts = self._working_set.facts
        found = [facts[one] for one in claim.near] if timeline is None else self._working_set.on(timeline)
        # An older statement never retires a newer one.
        return [fact for fact in found if fact.current and (timeline is not None or fact.at <= claim.at)]

    def _newer(self, timeline: str | None) -> Fact | None:
        """Return the first statement after the claim that gave a value or ended one."""
        value = self._claim.said.value
        return next(
            (
                one
                for one in self._placed(timeline)
                if one.timeline_role in _SETTLING
                and one.at > self._claim.at
                # The end of another value says nothing of this one.
                and not (one.timeline_role == TimelineRole.END and one.value and value and not same(one.value, value))
            ),
            None,
        )

    def _placed(self, timeline: str | None) -> list[Fact]:
        """Return the statements of a timeline that count: what is in quarantine, erased or taken back has no place."""
        placed = (one for one in self._working_set.on(timeline) if one.standing.status in HISTORY)
        return [one for one in placed if Flag.RETRACTED not in one.standing.flags]

    # In order of time

    def _in_order(self, ruling: Ruling, timeline: str | None) -> Settlement:
        at = self._claim.at
        mine = Standing(valid_from=at, last_evidence_at=at)
        if ruling.verdict is Verdict.NOOP:
            self._restated(ruling.targets, doubtful=ruling.to_confirm)
        elif ruling.verdict is Verdict.UPDATE:
            # What replaces one side of a conflict replaces the other as well, or is in conflict with it from now on.
            opponents = self._opponents(ruling.targets)
            also = tuple(one for one in opponents if self._may_retire(one))
            self._retire((*ruling.targets, *also), Status.SUPERSEDED, Edge.SUPERSEDES)
            mine = self._oppose([one for one in opponents if one not in also], mine)
        elif ruling.verdict is Verdict.REFINE:
            opponents = self._opponents(ruling.targets)
            self._retire(ruling.targets, Status.SUPERSEDED, Edge.REFINES)
            mine = self._oppose(opponents, mine)  # the more specific takes the place of the general in its conflict
        elif ruling.verdict is Verdict.INVALIDATE:
            self._retire(ruling.targets, Status.INVALID, None)
        elif ruling.verdict is Verdict.CONFLICT:
            mine = self._oppose(ruling.targets, mine)
        elif ruling.targets:  # what was over has begun again
            self._retire(ruling.targets, Status.SUPERSEDED, Edge.SUPERSEDES)
        return self._settlement(ruling, timeline, mine)

    def _restated(self, targets: Iterable[str], *, doubtful: bool) -> None:
        for target in targets:
            fact = self._working_set.facts[target]
            self._after[target] = self._vouched(
                fact, self._standing(fact).stated_again(self._claim.at), doubtful=doubtful
            )
            for opponent in fact.opponents:
                if opponent in self._working_set.facts:
                    standing = self._standing(self._working_set.facts[opponent])
                    self._after[opponent] = replace(standing, counter_statements=standing.counter_statements + 1)

    def _vouched(self, fact: Fact, standing: Standing, *, doubtful: bool) -> Standing:
        """Return the standing of what is said again: what a user says without doubt is theirs as well."""
        said = self._claim.said
        if said.origin != Origin.USER_STATED or doubtful:
            return standing
        mine = fact.origin == Origin.USER_STATED and fact.user_id == said.user_id
        return standing.vouched_for(None if mine else said.user_id)

    def _retire(self, targets: Iterable[str], status: Status, edge: Edge | None) -> None:
        for target in targets:
            fact = self._working_set.facts[target]
            self._after[target] = self._standing(fact).ended(status, self._claim.at)
            if edge is not None:
                self._links.append(Link(edge, self._claim.id, target))
        self._close(targets)

    def _close(self, retired: Iterable[str]) -> None:
        """Close the conflicts of what is retired; an opponent that has none left stands alone again."""
        closed, alone = self._working_set.close(retired)
        self._closed += closed
        for opponent in alone:
            self._after[opponent] = self._standing(self._working_set.facts[opponent]).alone()

    def _opponents(self, targets: Sequence[str]) -> list[str]:
        """Return with whom else the targets are in conflict."""
        return sorted({one for target in targets for one in self._working_set.facts[target].opponents} - set(targets))

    def _may_retire(self, one: str) -> bool:
        fact = self._working_set.facts[one]
        return fact.at <= self._claim.at and may_retire(self._claim.said, fact.known())

    def _oppose(self, targets: Sequence[str], mine: Standing) -> Standing:
        """Set the claim against others; return its standing, which is as it was where there are none."""
        at = self._claim.at
        for target in targets:
            fact = self._working_set.facts[target]
            self._after[target] = self._standing(fact).in_conflict(at)
            self._working_set.facts[target] = replace(fact, opponents=fact.opponents | {self._claim.id})
            self._links.append(Link(Edge.CONFLICTS_WITH, self._claim.id, target))
        return mine.in_conflict(at) if targets else mine

    # Out of order

    def _late(self, ruling: Ruling, timeline: str | None, newer: Fact) -> Settlement:
        """Place a statement that is older than a known value: it is history, whatever its wording."""
        claim = self._claim
        if ruling.verdict is Verdict.NOOP and not (claim.said.value and newer.value):
            return self._in_order(ruling, timeline)
        values = [
            one for one in self._placed(timeline) if one.timeline_role == TimelineRole.VALUE and one.at <= claim.at
        ]
        before = values[-1] if values else None
        value = claim.said.value or ""
        gives = ruling.timeline_role is TimelineRole.VALUE
        if gives and before is not None and before.value and same(before.value, value) and self._holds(before):
            self._restated((before.id,), doubtful=ruling.to_confirm)
            return self._settlement(Ruling(Verdict.NOOP, RESTATED_LATE, ruling.words, (before.id,)), timeline, None)
        if gives and newer.timeline_role == TimelineRole.VALUE and newer.value and same(newer.value, value):
            standing = self._standing(newer)
            standing = replace(standing, valid_from=claim.at, evidence_count=standing.evidence_count + 1)
            self._after[newer.id] = self._vouched(newer, standing, doubtful=ruling.to_confirm)
            if before is not None and self._held(before):
                self._after[before.id] = replace(self._standing(before), valid_until=claim.at)
            return self._settlement(Ruling(Verdict.NOOP, RESTATED_LATE, targets=(newer.id,)), timeline, None)
        ended = newer.timeline_role == TimelineRole.END
        begun = newer.standing.valid_from
        # A value whose period was widened by an earlier late statement may have begun before; then it holds besides.
        until = begun if begun is not None and begun > claim.at else newer.at
        status = Status.INVALID if ended else Status.SUPERSEDED
        mine = Standing(status, valid_from=claim.at, valid_until=until, last_evidence_at=claim.at)
        placed = Ruling(Verdict.ADD, LATE, ruling.words, (newer.id,), ruling.timeline_role)
        if ruling.timeline_role is TimelineRole.VALUE and not ended:
            self._links.append(Link(Edge.SUPERSEDES, newer.id, claim.id))
        if before is not None and self._follows(newer, before):
            self._cut.append(Link(Edge.SUPERSEDES, newer.id, before.id))
            if ruling.timeline_role is TimelineRole.VALUE:
                self._links.append(Link(Edge.SUPERSEDES, claim.id, before.id))
        if before is not None and self._held(before):
            self._after[before.id] = replace(self._standing(before), valid_until=claim.at)
        return self._settlement(placed, timeline, mine)

    def _follows(self, newer: Fact, before: Fact) -> bool:
        """Tell whether the older value was valid until the newer one began."""
        begun = newer.standing.valid_from if newer.standing.valid_from is not None else newer.at
        return before.standing.status in PAST and before.standing.valid_until == begun

    def _holds(self, before: Fact) -> bool:
        """Tell whether an older value still held when the claim was made."""
        return before.current or self._held(before)

    def _held(self, before: Fact) -> bool:
        """Tell whether an older value, which holds no longer, was known to have held beyond the claim."""
        until = before.standing.valid_until
        return before.standing.status in PAST and (until is None or until > self._claim.at)

    # Result

    def _settlement(self, ruling: Ruling, timeline: str | None, mine: Standing | None) -> Settlement:
        claim = self._claim
        keeps = claim.kept or ruling.verdict not in _GONE
        if ruling.verdict in _GONE:
            role = TimelineRole.RESTATEMENT if ruling.verdict is Verdict.NOOP else TimelineRole.OFF
            ruling = replace(ruling, timeline_role=role)
        changes = [
            Change(one, self._working_set.facts[one].standing, after)
            for one, after in sorted(self._after.items())
            if after != self._working_set.facts[one].standing
        ]
        if keeps:
            standing = replace(
                self._own(ruling, mine), timeline_role=str(ruling.timeline_role), restates=restated(ruling)
            )
            opponents = frozenset(link.end for link in self._links if link.type == Edge.CONFLICTS_WITH)
            said = claim.said
            self._working_set.facts[claim.id] = Fact(
                claim.id, timeline, said.text, said.value, said.origin, said.user_id, claim.at, standing, opponents,
                source_id=said.source_id, lane=claim.lane,
            )  # fmt: skip
            changes.insert(0, Change(claim.id, None, standing))
        proposals = tuple(Link(Edge.MAY_SUPERSEDE, claim.id, one) for one in ruling.proposes)
        return Settlement(
            claim, ruling, timeline, keeps, tuple(changes), tuple(self._links), tuple(self._closed), tuple(self._cut),
            proposals,
        )  # fmt: skip

    def _own(self, ruling: Ruling, mine: Standing | None) -> Standing:
        at, origin = self._claim.at, self._claim.said.origin
        standing = mine or Standing(valid_from=at, last_evidence_at=at)
        fact = restated(ruling)
        if fact is not None and (theirs := self._working_set.facts[fact].standing).status in PAST:
            standing = replace(standing, status=theirs.status, valid_until=theirs.valid_until)
        if origin == Origin.EXTERNAL:
            return replace(standing, status=Status.QUARANTINED).flagged(Flag.NEEDS_CONFIRMATION)
        if (
            ruling.to_confirm
            or ruling.proposes
            or (origin == Origin.INFERRED and ruling.timeline_role is not TimelineRole.OFF)
        ):
            return standing.flagged(Flag.NEEDS_CONFIRMATION)
        return standing

    def _standing(self, fact: Fact) -> Standing:
        return self._after.get(fact.id, fact.standing)
