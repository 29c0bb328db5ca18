"""Where a statement stands among those of its subject, and what that changes. Pure: statements in, changes out.

Statements are settled one after the other on a working set that holds what is known; each leaves its changes there, so
that a batch is settled as if its statements had come alone. What comes in order is settled against what is current;
what comes late takes its place in its timeline, which is told anew from the beginning.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from graph.ontology import PAST, Edge, Origin, Status
from graph.timelines.decide import OF_ANOTHER
from graph.timelines.facts import Claim, Fact, Link, Settlement, Utterance, lane_of
from graph.timelines.fold import Retold, advance, overlaid, reproduces, retold
from graph.timelines.history_only import LATE, RESTATED_LATE, STATED_AGAIN, not_backwards, placed
from graph.timelines.said import Ruling, TimelineRole, Verdict
from graph.timelines.series import read, stated
from graph.timelines.standing import Flag, Standing
from graph.timelines.step import GIVING, Statements

QUARANTINED: Final = "external, kept in quarantine"

MOST_RETOLD: Final = 200
"""Utterances of a timeline up to which it is told anew; on a longer one what comes late is history only."""


@dataclass(slots=True)
class WorkingSet(Statements):
    """The statements that are known while a batch is settled, by id.

    `newest` tells when something was said last on a timeline (ms), whatever became of it. `told` holds all that was
    said on a timeline, in the order in which it was learned: where something comes late, it must be known, and with it
    all statements of the timeline among the facts. Of a timeline that nothing is known of, all is known.
    """

    newest: dict[str, int] = field(default_factory=dict)
    told: dict[str, list[Utterance]] = field(default_factory=dict)

    def late(self, claims: Iterable[Claim]) -> list[str]:
        """Return the timelines of which all must be known before these claims are settled: something comes late."""
        within: dict[tuple[str, bool], int] = {}  # what these claims themselves say last, readings and others apart
        found: dict[str, None] = {}
        for claim in claims:
            for timeline in (claim.timeline, claim.other.timeline if claim.other else None):
                if timeline is None or timeline in self.told or claim.said.origin == Origin.EXTERNAL:
                    continue
                reads = lane_of(_utterance(claim), timeline) is not None
                of = (False,) if reads else (False, True)
                latest = [within[timeline, one] for one in of if (timeline, one) in within]
                known = self._latest(timeline, reads=reads)
                if not self._unknown(timeline) and any(one > claim.at for one in (*latest, known) if one is not None):
                    found[timeline] = None
                within[timeline, reads] = max(claim.at, within.get((timeline, reads), claim.at))
        return list(found)

    def settle(self, claim: Claim) -> Settlement:
        """Settle a claim and leave its changes on the working set."""
        if claim.said.origin == Origin.EXTERNAL:  # data, and never an instruction: it decides nothing
            return self._quarantined(claim)
        if claim.timeline is None:
            return self._without_key(claim)
        settlement = self._on_timeline(claim, _utterance(claim), claim.timeline, elsewhere=claim.other is not None)
        if settlement is None and claim.other is not None:
            theirs = _utterance(claim, claim.other.subject)
            settlement = self._on_timeline(claim, theirs, claim.other.timeline, elsewhere=False)
        if settlement is None:
            raise AssertionError("what is said of nobody else is said of its subject")
        return settlement

    def _quarantined(self, claim: Claim) -> Settlement:
        said = claim.said
        standing = Standing(
            Status.QUARANTINED, valid_from=claim.at, last_evidence_at=claim.at, timeline_role=str(TimelineRole.OFF)
        )
        kept = standing.flagged(Flag.NEEDS_CONFIRMATION)
        self.put(Fact(claim.id, None, said.text, said.value, said.origin, said.user_id, claim.at, kept))
        return self._settlement(claim, None, Ruling(Verdict.ADD, QUARANTINED, timeline_role=TimelineRole.OFF), None)

    def _without_key(self, claim: Claim) -> Settlement:
        utterance = _utterance(claim)
        ruling = self.ruling(utterance, None, claim.near)
        if ruling.rule == OF_ANOTHER:  # it stands, and is compared with what is said of them later
            ruling = replace(ruling, timeline_role=TimelineRole.VALUE)
        ruling = not_backwards(self, utterance, ruling)
        advance(self, utterance, None, ruling, keeps=claim.kept)
        restated = self.facts[ruling.targets[0]] if ruling.verdict is Verdict.NOOP else None
        if restated is None or restated.timeline is None or claim.kept:
            return self._settlement(claim, None, ruling, None)
        # What has a key was said again without one: on its timeline, too.
        said = replace(claim.said, value=restated.value)
        return self._settlement(claim, restated.timeline, ruling, replace(utterance, said=said))

    def _on_timeline(self, claim: Claim, utterance: Utterance, timeline: str, *, elsewhere: bool) -> Settlement | None:
        """Settle a claim on a timeline; None where it is about somebody else, who has another one."""
        if self._unknown(timeline):  # then all that was said on it is known
            self.told[timeline] = []
        lane = lane_of(utterance, timeline)
        latest = self._latest(timeline, reads=lane is not None)
        late = latest is not None and latest > claim.at
        anew = self._retold(claim, utterance, timeline) if late else None
        if anew is not None:
            before, after = anew
            ruling = after.rulings[claim.id]
            if elsewhere and ruling.rule == OF_ANOTHER:
                return None
            ruling = self._overlaid(claim, ruling, before.statements, after.statements)
        elif lane is not None:
            ruling = read(self, utterance, timeline, lane)
        else:
            ruling = self.ruling(utterance, timeline)
            if elsewhere and ruling.rule == OF_ANOTHER:
                return None
            if late:
                ruling = placed(self, utterance, timeline, ruling, keeps=claim.kept)
            else:
                advance(self, utterance, timeline, ruling, keeps=claim.kept)
        return self._settlement(claim, timeline, ruling, utterance)

    def _unknown(self, timeline: str) -> bool:
        """Tell whether nothing was said on a timeline yet."""
        return timeline not in self.told and timeline not in self.newest and not self.on(timeline)

    def _latest(self, timeline: str, *, reads: bool) -> int | None:
        """Return when something was said last on a timeline; None: nothing was, that a new one is placed against.

        A reading takes its place in its lane, and is placed only against what was not read, or was stated, too.
        """
        known = [fact.last_said for fact in self.on(timeline) if not reads or fact.lane is None or stated(fact)]
        told = [] if reads else [one.at for one in self.told.get(timeline, ())]
        newest = [self.newest[timeline]] if timeline in self.newest and not reads else []
        return max((*known, *told, *newest), default=None)

    def _retold(self, claim: Claim, utterance: Utterance, timeline: str) -> tuple[Retold, Retold] | None:
        """Tell a timeline anew, without a late statement and with it; None where it must stay as it is."""
        told = self.told.get(timeline)
        if told is None or len(told) > MOST_RETOLD:
            return None
        before = retold(told, timeline, self)
        if not reproduces(before.statements, self.on(timeline)):
            return None
        return before, retold(told, timeline, self, last=utterance, kept=claim.kept)

    def _overlaid(self, claim: Claim, ruling: Ruling, before: Statements, after: Statements) -> Ruling:
        """Let the statements stand as they are told anew; return what became of the late one by that."""
        retired = False
        for one, fact in after.facts.items():
            stored = self.facts.get(one)
            new = overlaid(stored, before.facts[one], fact) if stored is not None else fact
            if new == stored:
                continue
            self.put(new)
            gave = stored is not None and stored.current and stored.timeline_role in GIVING
            retired = retired or (gave and new.standing.status in PAST)
        mine = self.facts.get(claim.id)
        if ruling.verdict is Verdict.NOOP:
            return replace(ruling, rule=RESTATED_LATE)
        if mine is None or mine.timeline_role is TimelineRole.OFF:
            return ruling
        if mine.standing.status == Status.CONFLICT:
            rule = ruling.rule if ruling.verdict is Verdict.CONFLICT else STATED_AGAIN
            return replace(ruling, verdict=Verdict.CONFLICT, rule=rule, targets=tuple(sorted(mine.opponents)))
        if retired and (mine.current or ruling.verdict is Verdict.INVALIDATE):
            changes = (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE)
            return ruling if ruling.verdict in changes else replace(ruling, verdict=Verdict.UPDATE, rule=LATE)
        return replace(ruling, verdict=Verdict.ADD, rule=LATE)

    def _settlement(
        self, claim: Claim, timeline: str | None, ruling: Ruling, utterance: Utterance | None
    ) -> Settlement:
        """Return what became of a claim, with all that has changed since the last one."""
        keeps = claim.id in self.facts
        if keeps:
            ruling = replace(ruling, timeline_role=self.facts[claim.id].timeline_role)
        elif utterance is not None:
            ruling = replace(ruling, timeline_role=TimelineRole.OFF)
            utterance = replace(utterance, atom_id=next(iter(ruling.targets), claim.id))
        if utterance is not None and timeline in self.told:
            self.told[timeline].append(utterance)
        changes, made, closed, cut = self.differences()
        proposals = tuple(Link(Edge.MAY_SUPERSEDE, claim.id, one) for one in ruling.proposes if keeps)
        return Settlement(claim, ruling, timeline, keeps, changes, made, closed, cut, proposals, utterance)


def _utterance(claim: Claim, subject: str | None = None) -> Utterance:
    said = claim.said if subject is None else replace(claim.said, subject=subject)
    return Utterance(claim.id, said, claim.at, claim.id, claim.kind)
