"""Where a statement stands among those of its subject, and what that changes. Pure: statements in, changes out.

Statements are settled one after the other on a board that holds what is known; each leaves its changes there, so that
a batch is arbitrated as if its statements had come alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from graph.arbitration.decide import OF_ANOTHER, Known, Ruling, Said, Stance, Verdict, decide
from graph.arbitration.standing import Flag, Standing
from graph.arbitration.values import same
from graph.ontology import Edge, Origin, Status


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement on the board. `at` (ms) is when it was said; `opponents` those that it is in open conflict with."""

    id: str
    timeline: str | None
    text: str
    value: str | None
    stance: str
    origin: str
    user_id: str
    at: int
    standing: Standing
    opponents: frozenset[str] = frozenset()

    @property
    def current(self) -> bool:
        """Whether it may decide what becomes of a new statement."""
        return self.standing.status in (Status.ACTIVE, Status.CONFLICT) and self.stance != Stance.ASIDE

    def known(self) -> Known:
        """Return it as the decision sees it."""
        return Known(self.id, self.text, self.value, self.standing.status, self.stance, self.origin, self.user_id)


@dataclass(frozen=True, slots=True)
class Claim:
    """A new statement to be settled.

    `timeline` is that of its subject and key (None: no key); `other` is that of the person whom it names instead, and
    the words that name them;
    `near` are the known statements that may be of the same thing, where there is no key. `at` (ms) is when it was
    said. `kept` tells that its atom is kept whatever the verdict, as an event's is.
    """

    id: str
    said: Said
    at: int
    timeline: str | None
    other: tuple[str, str] | None = None
    near: tuple[str, ...] = ()
    many: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A change of standing; `before` is None for what is new."""

    id: str
    before: Standing | None
    after: Standing


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to make, or to close or cut, between two atoms."""

    type: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of a claim: its ruling, the timeline it stands on, and all that changes with it."""

    claim: Claim
    ruling: Ruling
    timeline: str | None
    keeps: bool
    changes: tuple[Change, ...] = ()
    links: tuple[Link, ...] = ()
    closed: tuple[Link, ...] = ()
    cut: tuple[Link, ...] = ()


LATE: Final = "placed in its timeline, where a newer value stands"
_GONE: Final = (Verdict.SKIPPED_EPHEMERAL, Verdict.REFUSED, Verdict.NOOP)


@dataclass(slots=True)
class Board:
    """The statements that are known while a batch is settled, by id."""

    facts: dict[str, Fact] = field(default_factory=dict)

    def settle(self, claim: Claim) -> Settlement:
        """Settle a claim and leave its changes on the board."""
        draft = _Draft(self, claim)
        settlement = draft.settled()
        for change in settlement.changes:
            if change.id in self.facts:
                self.facts[change.id] = replace(self.facts[change.id], standing=change.after)
        return settlement

    def on(self, timeline: str | None) -> list[Fact]:
        """Return the statements of a timeline in order of time."""
        found = [fact for fact in self.facts.values() if timeline is not None and fact.timeline == timeline]
        return sorted(found, key=lambda fact: (fact.at, fact.id))


class _Draft:
    """One claim being settled: gathers changes and edges."""

    def __init__(self, board: Board, claim: Claim) -> None:
        self._board = board
        self._claim = claim
        self._after: dict[str, Standing] = {}
        self._links: list[Link] = []
        self._closed: list[Link] = []
        self._cut: list[Link] = []

    def settled(self) -> Settlement:
        """Decide, and gather what the decision changes."""
        claim = self._claim
        timeline = claim.timeline
        facts = self._facts(timeline)
        ruling = decide(claim.said, [fact.known() for fact in facts], many=claim.many)
        if ruling.rule == OF_ANOTHER and claim.other is not None:
            timeline, person = claim.other
            facts = self._facts(timeline)
            ruling = decide(claim.said, [fact.known() for fact in facts], many=claim.many, person=person)
        if ruling.rule == OF_ANOTHER and timeline is None:  # it stands, and is compared with what is said of them later
            ruling = replace(ruling, stance=Stance.VALUE)
        newer = self._newer(timeline)
        if newer is not None and not claim.many and ruling.stance in (Stance.VALUE, Stance.END):
            return self._late(ruling, timeline, newer)
        return self._in_order(ruling, timeline)

    def _facts(self, timeline: str | None) -> list[Fact]:
        claim = self._claim
        facts = self._board.facts
        found = [facts[one] for one in claim.near] if timeline is None else self._board.on(timeline)
        # An older statement never retires a newer one.
        return [fact for fact in found if fact.current and (timeline is not None or fact.at <= claim.at)]

    def _newer(self, timeline: str | None) -> Fact | None:
        later = [fact for fact in self._board.on(timeline) if fact.stance == Stance.VALUE and fact.at > self._claim.at]
        return later[0] if later else None

    # In order of time

    def _in_order(self, ruling: Ruling, timeline: str | None) -> Settlement:
        claim, at = self._claim, self._claim.at
        mine = Standing(valid_from=at, last_evidence_at=at)
        if ruling.verdict is Verdict.NOOP:
            self._restated(ruling.targets)
        elif ruling.verdict is Verdict.UPDATE:
            self._retire(ruling.targets, Status.SUPERSEDED, Edge.SUPERSEDES)
        elif ruling.verdict is Verdict.REFINE:
            self._retire(ruling.targets, Status.SUPERSEDED, Edge.REFINES)
        elif ruling.verdict is Verdict.INVALIDATE:
            self._retire(ruling.targets, Status.INVALID, None)
        elif ruling.verdict is Verdict.CONFLICT:
            mine = self._oppose(ruling.targets, mine)
        elif ruling.targets:  # what was over has begun again
            self._retire(ruling.targets, Status.SUPERSEDED, Edge.SUPERSEDES)
        return self._settlement(ruling, timeline, mine)

    def _restated(self, targets: Iterable[str]) -> None:
        for target in targets:
            fact = self._board.facts[target]
            self._after[target] = self._standing(fact).stated_again(self._claim.at)
            for opponent in fact.opponents:
                if opponent in self._board.facts:
                    standing = self._standing(self._board.facts[opponent])
                    self._after[opponent] = replace(standing, opposed=standing.opposed + 1)

    def _retire(self, targets: Iterable[str], status: Status, edge: Edge | None) -> None:
        for target in targets:
            fact = self._board.facts[target]
            self._after[target] = self._standing(fact).ended(status, self._claim.at)
            if edge is not None:
                self._links.append(Link(edge, self._claim.id, target))
        self._close(targets)

    def _close(self, retired: Iterable[str]) -> None:
        """Close the conflicts of what is retired; an opponent that has none left stands alone again."""
        gone = set(retired)
        for target in sorted(gone):
            for opponent in sorted(self._board.facts[target].opponents):
                self._closed.append(Link(Edge.CONFLICTS_WITH, target, opponent))
                other = self._board.facts.get(opponent)
                if other is not None:
                    left = other.opponents - gone
                    if not left and opponent not in gone:
                        self._after[opponent] = self._standing(other).alone()
                    self._board.facts[opponent] = replace(other, opponents=left)
            self._board.facts[target] = replace(self._board.facts[target], opponents=frozenset())

    def _oppose(self, targets: Iterable[str], mine: Standing) -> Standing:
        at = self._claim.at
        for target in targets:
            fact = self._board.facts[target]
            self._after[target] = self._standing(fact).in_conflict(at)
            self._board.facts[target] = replace(fact, opponents=fact.opponents | {self._claim.id})
            self._links.append(Link(Edge.CONFLICTS_WITH, self._claim.id, target))
        return mine.in_conflict(at)

    # Out of order

    def _late(self, ruling: Ruling, timeline: str | None, newer: Fact) -> Settlement:
        """Place a statement that is older than a known value: it is history, whatever its wording."""
        claim = self._claim
        if ruling.verdict is Verdict.NOOP and not (claim.said.value and newer.value):
            return self._in_order(ruling, timeline)
        values = [fact for fact in self._board.on(timeline) if fact.stance == Stance.VALUE and fact.at <= claim.at]
        before = values[-1] if values else None
        value = claim.said.value or ""
        if before is not None and before.value and same(before.value, value):
            return self._settled_late(Verdict.NOOP, "restated, late", before, ruling, timeline)
        if newer.value and same(newer.value, value):
            standing = self._standing(newer)
            self._after[newer.id] = replace(standing, valid_from=claim.at, evidence_count=standing.evidence_count + 1)
            if before is not None and self._follows(newer, before):
                self._after[before.id] = replace(self._standing(before), valid_until=claim.at)
            return self._settlement(Ruling(Verdict.NOOP, "restated, late", targets=(newer.id,)), timeline, None)
        until = newer.standing.valid_from if newer.standing.valid_from is not None else newer.at
        mine = Standing(Status.SUPERSEDED, valid_from=claim.at, valid_until=until, last_evidence_at=claim.at)
        placed = Ruling(Verdict.ADD, LATE, ruling.words, (newer.id,), ruling.stance)
        if ruling.stance is Stance.VALUE:
            self._links.append(Link(Edge.SUPERSEDES, newer.id, claim.id))
        if before is not None and self._follows(newer, before):
            self._cut.append(Link(Edge.SUPERSEDES, newer.id, before.id))
            self._after[before.id] = replace(self._standing(before), valid_until=claim.at)
            if ruling.stance is Stance.VALUE:
                self._links.append(Link(Edge.SUPERSEDES, claim.id, before.id))
        return self._settlement(placed, timeline, mine)

    def _settled_late(
        self, verdict: Verdict, rule: str, target: Fact, ruling: Ruling, timeline: str | None
    ) -> Settlement:
        self._restated((target.id,))
        return self._settlement(Ruling(verdict, rule, ruling.words, (target.id,)), timeline, None)

    def _follows(self, newer: Fact, before: Fact) -> bool:
        """Tell whether the older value was valid until the newer one began."""
        begun = newer.standing.valid_from if newer.standing.valid_from is not None else newer.at
        return before.standing.status == Status.SUPERSEDED and before.standing.valid_until == begun

    # Result

    def _settlement(self, ruling: Ruling, timeline: str | None, mine: Standing | None) -> Settlement:
        claim = self._claim
        keeps = claim.kept or ruling.verdict not in _GONE
        if ruling.verdict in _GONE:
            ruling = replace(ruling, stance=Stance.ASIDE)
        changes = [
            Change(one, self._board.facts[one].standing, after)
            for one, after in sorted(self._after.items())
            if after != self._board.facts[one].standing
        ]
        if keeps:
            standing = self._own(ruling, mine)
            opponents = frozenset(link.end for link in self._links if link.type == Edge.CONFLICTS_WITH)
            said = claim.said
            self._board.facts[claim.id] = Fact(
                claim.id, timeline, said.text, said.value, ruling.stance, said.origin, said.user_id, claim.at, standing,
                opponents,
            )  # fmt: skip
            changes.insert(0, Change(claim.id, None, standing))
        return Settlement(
            claim, ruling, timeline, keeps, tuple(changes), tuple(self._links), tuple(self._closed), tuple(self._cut)
        )

    def _own(self, ruling: Ruling, mine: Standing | None) -> Standing:
        at, origin = self._claim.at, self._claim.said.origin
        standing = mine or Standing(valid_from=at, last_evidence_at=at)
        if origin == Origin.EXTERNAL:
            return replace(standing, status=Status.QUARANTINED).flagged(Flag.NEEDS_CONFIRMATION)
        if ruling.to_confirm or (origin == Origin.INFERRED and ruling.stance is not Stance.ASIDE):
            return standing.flagged(Flag.NEEDS_CONFIRMATION)
        return standing

    def _standing(self, fact: Fact) -> Standing:
        return self._after.get(fact.id, fact.standing)
