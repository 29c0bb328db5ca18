"""One step of a timeline: what a statement changes among those that are known. Pure.

A statement takes this step when it comes in order, and again wherever its timeline is told anew from the beginning:
both give the same, since it is the same step.
"""

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from graph.ontology import PAST, Edge, Origin, Status
from graph.timelines.authority import may_retire
from graph.timelines.decide import decide
from graph.timelines.facts import Change, Fact, Link, Utterance, lane_of, restated
from graph.timelines.said import KeyKind, KnownStatement, Ruling, Said, TimelineRole, Verdict
from graph.timelines.standing import Flag, Standing
from graph.wording.tokens import tokens

MOST_COMPARED: Final = 100
"""Known statements that a new one is compared with; of the same value, or the same text, all are besides."""

GIVING: Final = (TimelineRole.VALUE, TimelineRole.ADDITION)
"""The roles of statements that give a value."""

_Question = tuple[Said, KeyKind, tuple[KnownStatement, ...]]


class Differences(NamedTuple):
    """What differs after a step: standings, edges made, conflicts closed, other edges cut."""

    changes: tuple[Change, ...]
    made: tuple[Link, ...]
    closed: tuple[Link, ...]
    cut: tuple[Link, ...]


@dataclass(slots=True)
class Statements:
    """The statements that are known, by id. Remembers how those stood that a step changes."""

    facts: dict[str, Fact] = field(default_factory=dict)
    rulings: dict[_Question, Ruling] = field(default_factory=dict, repr=False, compare=False)
    _before: dict[str, Fact | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    _on: dict[str, list[tuple[int, str]]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _counted: int = field(default=0, init=False, repr=False, compare=False)

    def put(self, fact: Fact) -> None:
        """Let a statement be known as it is now."""
        self._before.setdefault(fact.id, self.facts.get(fact.id))
        self.facts[fact.id] = fact

    def on(self, timeline: str | None) -> list[Fact]:
        """Return the statements of a timeline in order of time."""
        if self._counted != len(self.facts):  # statements never leave, and never change their timeline
            for fact in islice(self.facts.values(), self._counted, None):
                if fact.timeline is not None:  # of one instant: in the order in which they were learned
                    insort(self._on.setdefault(fact.timeline, []), (fact.at, fact.id), key=itemgetter(0))
            self._counted = len(self.facts)
        return [self.facts[one] for _, one in self._on.get(timeline or "", ())]

    def close(self, retired: Iterable[str]) -> tuple[list[Link], list[str]]:
        """Close the conflicts of what is retired; return their edges, and the opponents that have none left."""
        gone = set(retired)
        closed: list[Link] = []
        alone: list[str] = []
        for target in sorted(gone):
            for opponent in sorted(self.facts[target].opponents):
                closed.append(Link(Edge.CONFLICTS_WITH, target, opponent))
                if (other := self.facts.get(opponent)) is None:  # it is gone for good
                    continue
                left = other.opponents - {target}
                self.put(replace(other, opponents=left))
                if not left and opponent not in gone:
                    alone.append(opponent)
            self.put(replace(self.facts[target], opponents=frozenset()))
        return closed, alone

    def differences(self) -> Differences:
        """Return what has changed since the last call; what is new comes first."""
        before, self._before = self._before, {}
        changes: list[Change] = []
        made: list[Link] = []
        closed: list[Link] = []
        cut: list[Link] = []
        for id, then in sorted(before.items(), key=lambda item: (item[1] is not None, item[0])):  # noqa: A001
            now = self.facts[id]
            if then is None or then.standing != now.standing:
                changes.append(Change(id, then.standing if then else None, now.standing))
            for edge, old, new in _edges(then, now):
                made += [Link(edge, id, one) for one in sorted(new - old)]
                cut += [Link(edge, id, one) for one in sorted(old - new)]
            old, new = then.opponents if then else frozenset(), now.opponents
            made += [Link(Edge.CONFLICTS_WITH, id, one) for one in sorted(new - old) if self._told_by(id, one, before)]
            closed += [Link(Edge.CONFLICTS_WITH, id, one) for one in sorted(old - new) if one > id or one not in before]
        return Differences(tuple(changes), tuple(made), tuple(closed), tuple(cut))

    def _told_by(self, one: str, other: str, before: dict[str, Fact | None]) -> bool:
        """Tell whether the edge of a new conflict leaves the one side, which is new, or was said later."""
        if other not in before:
            return True
        if (before[one] is None) != (before[other] is None):
            return before[one] is None
        return (self.facts[one].at, one) > (self.facts[other].at, other)

    def compared(self, utterance: Utterance, timeline: str | None, near: Sequence[str] = ()) -> list[Fact]:
        """Return the known statements that may decide about a new one, a bounded number of them.

        `near` are those that may be of the same thing, where there is no timeline; none of them is newer.
        """
        said = utterance.said
        if timeline is not None:
            facts = [fact for fact in self.on(timeline) if fact.current]
            if len(facts) <= MOST_COMPARED:
                return facts
            value = sorted(tokens(said.value or ""))
            equal = [one for one in facts[:-MOST_COMPARED] if sorted(tokens(one.value or "")) == value]
            return [*equal[-MOST_COMPARED:], *facts[-MOST_COMPARED:]]
        known = (self.facts[one] for one in dict.fromkeys(near) if one in self.facts)
        facts = [fact for fact in known if fact.current and fact.at <= utterance.at]
        text = said.text.casefold()
        equal = [one for one in facts[MOST_COMPARED:] if one.text.casefold() == text]
        return [*facts[:MOST_COMPARED], *equal[:MOST_COMPARED]]

    def ruling(self, utterance: Utterance, timeline: str | None, near: Sequence[str] = ()) -> Ruling:
        """Return what becomes of a statement by what is known; the same question is asked once."""
        known = tuple(fact.known() for fact in self.compared(utterance, timeline, near))
        said, kind = utterance.said, utterance.kind
        question = (said, kind, known)
        if (ruling := self.rulings.get(question)) is None:
            # That a statement names its own subject makes it no statement about somebody else: of "Ann's brother" it
            # may speak as the brother.
            ruling = decide(said, known, kind=kind, person=said.subject.rpartition("'s ")[2])
            self.rulings[question] = ruling
        return ruling


def _edges(then: Fact | None, now: Fact) -> tuple[tuple[Edge, frozenset[str], frozenset[str]], ...]:
    return (
        (Edge.SUPERSEDES, then.supersedes if then else frozenset(), now.supersedes),
        (Edge.REFINES, then.refines if then else frozenset(), now.refines),
    )


class Step:
    """One statement taking its place among those that are known."""

    def __init__(self, statements: Statements, utterance: Utterance, timeline: str | None) -> None:
        self._statements = statements
        self._utterance = utterance
        self._timeline = timeline
        self._at = utterance.at
        self._opposed: list[str] = []
        self._supersedes: list[str] = []
        self._refines: list[str] = []
        self._since = utterance.at

    def take(self, ruling: Ruling, *, carrier: Fact | None = None, keeps: bool = True) -> None:
        """Let what a ruling says come about.

        `keeps` tells that the statement is to stand itself; `carrier` is the atom that bears it where it has no own.
        """
        me, facts = self._utterance.atom_id, self._statements.facts
        targets = [one for one in ruling.targets if one in facts and (one != me or ruling.verdict is Verdict.NOOP)]
        if ruling.verdict is Verdict.NOOP:
            self.restate(targets, doubtful=ruling.to_confirm)
        elif ruling.verdict is Verdict.UPDATE:
            # What replaces one side of a conflict replaces the other as well, or is in conflict with it from now on.
            opponents = self._opponents(targets)
            also = [one for one in opponents if self._may_retire(one)]
            self.oppose([one for one in opponents if one not in also])
            self.retire([*targets, *also], Status.SUPERSEDED, Edge.SUPERSEDES)
        elif ruling.verdict is Verdict.REFINE:
            self.oppose(self._opponents(targets))  # the more specific takes the place of the general in its conflict
            self.retire(targets, Status.SUPERSEDED, Edge.REFINES)
        elif ruling.verdict is Verdict.INVALIDATE:
            self.retire(targets, Status.INVALID, None)
        elif ruling.verdict is Verdict.CONFLICT:
            self.oppose(targets)
        elif targets:  # what was over has begun again
            self.retire(targets, Status.SUPERSEDED, Edge.SUPERSEDES)
        if keeps:
            role = TimelineRole.RESTATEMENT if ruling.verdict is Verdict.NOOP else ruling.timeline_role
            self.keep(ruling, role, carrier)

    def restate(self, targets: Iterable[str], *, doubtful: bool) -> None:
        """Count the statement for what it says once more, and against the other side of that one's conflict."""
        facts = self._statements.facts
        for target in targets:
            standing = facts[target].standing.stated_again(self._at)
            self._stand(target, self._vouched(facts[target], standing, doubtful=doubtful))
            for opponent in facts[target].opponents & facts.keys():
                theirs = facts[opponent].standing
                self._stand(opponent, replace(theirs, counter_statements=theirs.counter_statements + 1))

    def retire(self, targets: Sequence[str], status: Status, edge: Edge | None) -> None:
        """End what no longer holds, and its conflicts; an opponent that has none left stands alone again."""
        for target in targets:
            self._stand(target, self._statements.facts[target].standing.ended(status, self._at))
        if edge is Edge.SUPERSEDES:
            self._supersedes += targets
        elif edge is Edge.REFINES:
            self._refines += targets
        _, alone = self._statements.close(targets)
        for opponent in alone:
            self._stand(opponent, self._statements.facts[opponent].standing.alone())

    def oppose(self, targets: Iterable[str], *, since: int | None = None) -> None:
        """Set the statement against others, in a conflict that began at `since`: when it was said, if not before."""
        self._since = self._at if since is None else since
        me = self._utterance.atom_id
        for target in targets:
            fact = self._statements.facts[target]
            self._statements.put(
                replace(fact, standing=fact.standing.in_conflict(self._since), opponents=fact.opponents | {me})
            )
            self._opposed.append(target)

    def keep(self, ruling: Ruling, role: TimelineRole, carrier: Fact | None = None) -> None:
        """Let the statement stand itself, or where it was not kept, the atom that carries it begin again."""
        utterance, said = self._utterance, self._utterance.said
        standing = Standing(valid_from=self._at, last_evidence_at=self._at)
        told = replace(
            self._flagged(standing, ruling, role),
            timeline_role=str(role),
            restates=restated(ruling) if role is TimelineRole.RESTATEMENT else None,
        )
        if carrier is None:
            fact = Fact(
                utterance.id, self._timeline, said.text, said.value, said.origin, said.user_id, self._at, told,
                source_id=said.source_id, lane=lane_of(utterance, self._timeline),
            )  # fmt: skip
        else:
            again = begun_again(carrier.standing, told)
            fact = replace(carrier, standing=self._vouched(carrier, again, doubtful=ruling.to_confirm))
        if self._opposed:
            fact = replace(fact, standing=fact.standing.in_conflict(self._since))
        self._statements.put(
            replace(
                fact,
                opponents=fact.opponents | frozenset(self._opposed),
                supersedes=fact.supersedes | frozenset(self._supersedes),
                refines=fact.refines | frozenset(self._refines),
            )
        )

    def _flagged(self, standing: Standing, ruling: Ruling, role: TimelineRole) -> Standing:
        doubt = ruling.to_confirm or bool(ruling.proposes)
        kept = role not in (TimelineRole.OFF, TimelineRole.RESTATEMENT)
        if doubt or (self._utterance.said.origin == Origin.INFERRED and kept):
            return standing.flagged(Flag.NEEDS_CONFIRMATION)
        return standing

    def _vouched(self, fact: Fact, standing: Standing, *, doubtful: bool) -> Standing:
        """Return the standing of what is said again: what a user says without doubt is theirs as well."""
        said = self._utterance.said
        if said.origin != Origin.USER_STATED or doubtful:
            return standing
        mine = fact.origin == Origin.USER_STATED and fact.user_id == said.user_id
        return standing.vouched_for(None if mine else said.user_id)

    def _opponents(self, targets: Sequence[str]) -> list[str]:
        """Return with whom else the targets are in conflict."""
        facts = self._statements.facts
        return sorted({one for target in targets for one in facts[target].opponents} & facts.keys() - set(targets))

    def _may_retire(self, one: str) -> bool:
        fact = self._statements.facts[one]
        return fact.at <= self._at and may_retire(self._utterance.said, fact.known())

    def _stand(self, one: str, standing: Standing) -> None:
        self._statements.put(replace(self._statements.facts[one], standing=standing))


def begun_again(before: Standing, now: Standing) -> Standing:
    """Return the standing of a value that holds again after a time in which it did not."""
    held = before.timeline_role in GIVING and before.status in PAST
    since, until = before.valid_from, before.valid_until
    period = (since, until) if held and since is not None and until is not None and since < until else ()
    return replace(
        now,
        evidence_count=before.evidence_count + 1,
        stated_by=before.stated_by,
        earlier=(*before.earlier, *period),
    )
