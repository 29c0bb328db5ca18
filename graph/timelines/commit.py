"""Settles the statements of a batch against what was looked at, and turns what was decided into rows to write. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from graph.ontology import Edge
from graph.scope import RULE_ACTOR
from graph.timelines.clock import Clocks, Tick, microseconds
from graph.timelines.facts import Change, Fact, Link, Settlement, Utterance
from graph.timelines.known import Looked
from graph.timelines.said import Verdict
from graph.timelines.settling import MOST_RETOLD, WorkingSet
from graph.timelines.standing import Standing
from graph.timelines.statements import NewStatement, decision_id, text_key, value_key

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of the statements of a batch, by id, in order: settlements, and the step at which each was learned.

    `subjects` are the subjects that the batch locks: how often each had been written to when it was looked at, and how
    far the batch brings it. `atoms` is what atoms that are kept have beside an event's, `rows` what else is written.
    """

    settlements: Mapping[str, Settlement]
    subjects: Sequence[Row]
    atoms: Mapping[str, Row]
    rows: Mapping[str, Sequence[Row]]


class Batch:
    """Statements that are settled one after the other; `now` is the time of the process.

    What has no time was said when it is learned.
    """

    def __init__(self, statements: Sequence[NewStatement], looked: Looked, now: datetime) -> None:
        self._statements = statements
        self._looked = looked
        self._clocks = Clocks(microseconds(now), looked.subjects)
        self._ticks = {one.id: self._clocks.tick(one.subjects) for one in statements}
        self._claims = {one.id: one.claim(self._ticks[one.id].ms) for one in statements}
        self._working_set = WorkingSet(dict(looked.facts), newest=dict(looked.newest))

    def late(self) -> list[str]:
        """Return the timelines of which all must be known, because something comes late."""
        return self._working_set.late(self._claims.values())

    def tell(self, facts: Mapping[str, Fact], told: Mapping[str, list[Utterance]]) -> None:
        """Let all be known of timelines."""
        self._working_set = WorkingSet(
            {**facts, **self._looked.facts},
            newest=dict(self._looked.newest),
            told={timeline: list(one) for timeline, one in told.items() if len(one) <= MOST_RETOLD},
        )

    def settle(self) -> Settled:
        """Settle the statements in the order in which they came."""
        settled: dict[str, Settlement] = {}
        of_subject: dict[str, list[str]] = {}  # statements of this batch, which no index knows yet
        for one in self._statements:
            earlier = of_subject.setdefault(one.subject_id, [])
            known = (*self._looked.near.get(one.id, ()), *earlier) if one.said.key is None else ()
            settled[one.id] = self._working_set.settle(replace(self._claims[one.id], near=known))
            if settled[one.id].keeps:
                earlier.append(one.id)
        batch = [(one, settled[one.id], self._ticks[one.id]) for one in self._statements]
        atoms = {one.id: _properties(one, settlement, tick) for one, settlement, tick in batch if settlement.keeps}
        return Settled(settled, self._locked(), atoms, _rows(batch))

    def _locked(self) -> list[Row]:
        found = self._looked.subjects
        return [
            {
                "id": subject,
                "writes": found[subject].writes if subject in found else 0,
                "sequence": state.sequence,
                "clock_us": state.clock_us,
            }
            for subject, state in sorted(self._clocks.reached.items())
        ]


def _properties(one: NewStatement, settlement: Settlement, tick: Tick) -> Row:
    """Return what a statement's atom has beside an event's: where it stands, and its standing."""
    mine = next(change.after for change in settlement.changes if change.id == one.id)
    subject = settlement.subject
    return {
        **mine.properties(),
        **_told(settlement),
        "subject": subject,
        "subject_id": one.id_of(subject),
        "lane": settlement.lane,
        "sequence": tick.sequence,
        "value_key": value_key(one.said.value) if settlement.timeline else None,
        "text_key": text_key(one.said.text),
        "recorded_at": tick.at,
    }


def _told(settlement: Settlement) -> Row:
    """Return what is needed beside its content where the timeline of a statement is told anew."""
    claim = settlement.claim
    return {
        "timeline": settlement.timeline,
        "stated_at_ms": claim.at,
        "act": claim.said.act,
        "subject_given": claim.said.subject_given,
        "source_node_id": claim.said.source_id,
        "key_kind": claim.kind,
    }


def _rows(batch: Iterable[tuple[NewStatement, Settlement, Tick]]) -> dict[str, list[Row]]:
    """Return all that is written of a batch beside its atoms, as `cypher/timelines/write` takes it."""
    latest: dict[str, Standing] = {}
    edges = no_edges()
    restated: list[Row] = []
    decisions: list[Row] = []
    for one, settlement, tick in batch:
        latest |= {change.id: change.after for change in settlement.changes}
        add_edges(edges, settlement.links, settlement.closed, settlement.cut, tick.at)
        add_proposals(edges, settlement, tick.at)
        if settlement.ruling.verdict is Verdict.NOOP:
            restated += [
                {
                    "id": target,
                    "source_id": one.source_id,
                    "source_kind": one.source_kind,
                    "record_id": one.record_id,
                    "quote": one.quote,
                }
                for target in settlement.ruling.targets
            ]
        decisions.append(_decision(one, settlement, tick))
    return {**edges, "standings": standings(latest), "restated": restated, "decisions": decisions}


def no_edges() -> dict[str, list[Row]]:
    """Return the edges that a write makes, closes and cuts, by their parameter: none yet."""
    return {
        name: []
        for name in ("supersedes", "refines", "conflicts", "proposals", "closed", "answered", "cut")
    }  # fmt: skip


_MADE: Final = {
    Edge.SUPERSEDES: "supersedes",
    Edge.REFINES: "refines",
    Edge.CONFLICTS_WITH: "conflicts",
}


def add_edges(
    edges: Mapping[str, list[Row]], made: Iterable[Link], closed: Iterable[Link], cut: Iterable[Link], at: datetime
) -> None:
    """Add the edges that a decision makes, closes and cuts."""
    for link in made:
        edges[_MADE[Edge(link.type)]].append(_edge(link, at))
    edges["closed"].extend(_edge(link, at) for link in closed)
    edges["cut"].extend({"start": link.start, "end": link.end} for link in cut)


def add_proposals(edges: Mapping[str, list[Row]], settlement: Settlement, at: datetime) -> None:
    """Add the supersessions that a settlement proposes."""
    verdict = settlement.ruling.proposed
    edges["proposals"].extend({**_edge(link, at), "verdict": verdict} for link in settlement.proposals)


def _edge(link: Link, at: datetime) -> Row:
    return {"start": link.start, "end": link.end, "at": at.isoformat()}


def standings(after: Mapping[str, Standing]) -> list[Row]:
    """Return standings as they are written."""
    return [{"id": one, **parted(standing.properties())} for one, standing in sorted(after.items())]


def parted(properties: Mapping[str, Any]) -> Row:
    """Return properties, and apart from them their instants as text."""
    times = {name: value.isoformat() for name, value in properties.items() if isinstance(value, datetime)}
    return {"properties": {name: value for name, value in properties.items() if name not in times}, "times": times}


def _decision(one: NewStatement, settlement: Settlement, tick: Tick) -> Row:
    ruling = settlement.ruling
    atom_id = one.id if settlement.keeps else next(iter(ruling.targets), None)
    said = {} if settlement.keeps else _said(settlement)
    return decision(
        decision_id(one.id),
        settlement.changes,
        tick,
        verdict=ruling.verdict,
        rule=ruling.rule,
        words=ruling.words,
        proposes=list(ruling.proposes),
        proposed=ruling.proposed,
        actor=RULE_ACTOR,
        atom_id=atom_id,
        subject=settlement.subject,
        subject_id=one.id_of(settlement.subject),
        audience=one.audience,
        content_hash=one.content_hash,
        **said,
    )


def _said(settlement: Settlement) -> Row:
    """Return what was said, for the decision on a statement that became no atom: nothing said is lost."""
    claim, utterance = settlement.claim, settlement.utterance
    said = utterance.said if utterance is not None else claim.said
    return {
        **_told(settlement),
        "statement_id": claim.id,
        "text": said.text,
        "key": said.key,
        "value": said.value,
        "origin": said.origin,
        "user_id": said.user_id,
    }


def decision(id: str, changes: Iterable[Change], tick: Tick, **told: Any) -> Row:  # noqa: A002
    """Return a decision as the statement that keeps it takes it."""
    return {
        "id": id,
        "at": tick.at.isoformat(),
        "properties": {"sequence": tick.sequence, **told},
        "touched": [
            {
                "id": change.id,
                "before": change.before.to_json() if change.before else None,
                "after": change.after.to_json(),
                "before_status": change.before.status if change.before else None,
                "after_status": change.after.status,
            }
            for change in changes
        ],
    }
