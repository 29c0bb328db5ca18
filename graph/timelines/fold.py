"""A timeline told from the beginning: all that was said on it, in order of time, each in the step that it takes. Pure.

So a timeline does not depend on the order in which its statements arrive.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

from graph.ontology import HISTORY
from graph.timelines.facts import Fact, Utterance, lane_of
from graph.timelines.said import Ruling, Verdict
from graph.timelines.series import read
from graph.timelines.standing import Flag, Standing
from graph.timelines.step import GIVING, Statements, Step
from graph.wording.tokens import same

FLEETING: Final = (Verdict.SKIPPED_EPHEMERAL, Verdict.REFUSED, Verdict.NOOP)
"""The verdicts on what is not kept, unless it is an event."""


def advance(statements: Statements, utterance: Utterance, timeline: str | None, ruling: Ruling, *, keeps: bool) -> None:
    """Let a statement that has an atom of its own take its step, as was ruled."""
    Step(statements, utterance, timeline).take(ruling, keeps=keeps or ruling.verdict not in FLEETING)


@dataclass(slots=True)
class Retold:
    """A timeline told from the beginning: its statements as they stand at the end, and how each was ruled on."""

    statements: Statements
    rulings: dict[str, Ruling] = field(default_factory=dict)


def retold(
    utterances: Sequence[Utterance],
    timeline: str,
    known: Statements,
    *,
    last: Utterance | None = None,
    kept: bool = True,
) -> Retold:
    """Tell a timeline from the beginning; `utterances` are in the order in which they were learned.

    `known` holds the atoms that carry what was not kept. `last` is one more that was learned just now, and `kept` tells
    whether it stands whatever the verdict on it.
    """
    told = [*utterances, *([last] if last is not None else [])]
    result = Retold(Statements(rulings=known.rulings))
    key = next((one.said.key for one in told if one.said.key is not None), None)
    for one in sorted(told, key=attrgetter("at")):  # of one instant: in the order in which they were learned
        # What was said without a key, of a statement that has one, is said on its timeline as well.
        said = replace(one.said, key=key) if one.said.key is None else one.said
        utterance = replace(one, said=said)
        result.rulings[one.id] = _told(
            result.statements, utterance, timeline, known.facts, kept=kept or one is not last
        )
    return result


def _told(
    statements: Statements, utterance: Utterance, timeline: str, atoms: Mapping[str, Fact], *, kept: bool
) -> Ruling:
    if (lane := lane_of(utterance, timeline)) is not None:
        return read(statements, utterance, timeline, lane)
    ruling = statements.ruling(utterance, timeline)
    if utterance.atom_id == utterance.id and utterance.id not in statements.facts:
        advance(statements, utterance, timeline, ruling, keeps=kept)
    else:
        _carried(statements, utterance, timeline, ruling, atoms)
    return ruling


def _carried(
    statements: Statements, utterance: Utterance, timeline: str, ruling: Ruling, atoms: Mapping[str, Fact]
) -> None:
    """Let a statement that was not kept take its step: where it is news at its place, its carrier begins again."""
    step = Step(statements, utterance, timeline)
    if ruling.verdict is Verdict.NOOP or ruling.timeline_role not in GIVING:
        if ruling.verdict in (Verdict.NOOP, Verdict.INVALIDATE):
            step.take(ruling, keeps=False)
        return
    carrier = _carrier(statements, utterance, atoms)
    if carrier is None:  # its atom is gone for good
        return
    if carrier.id in statements.facts and carrier.current:
        step.restate([carrier.id], doubtful=ruling.to_confirm)
        return
    borne = replace(utterance, atom_id=carrier.id)
    Step(statements, borne, timeline).take(ruling, carrier=carrier)


def _carrier(statements: Statements, utterance: Utterance, atoms: Mapping[str, Fact]) -> Fact | None:
    """Return the atom that bears what was not kept: what it restated, or what that one restates of the same value."""
    one = statements.facts.get(utterance.atom_id)
    value = utterance.said.value or ""
    if one is not None and (restated := statements.facts.get(one.restates or "")) is not None:
        return restated if same(restated.value or "", value) else one
    if one is None and (atom := atoms.get(utterance.atom_id)) is not None:
        nothing = Standing(evidence_count=0)  # it begins here, before it was said itself
        return replace(atom, standing=nothing, opponents=frozenset(), supersedes=frozenset(), refines=frozenset())
    return one


def reproduces(told: Statements, stored: Iterable[Fact]) -> bool:
    """Tell whether a timeline told anew is what is stored.

    It is not where a person decided otherwise, or something changed it that was not said on it: they have the last
    word.
    """
    found = {fact.id: fact for fact in stored if fact.standing.status in HISTORY}
    return found.keys() == told.facts.keys() and all(_alike(found[id], one) for id, one in told.facts.items())  # noqa: A001


def _alike(stored: Fact, told: Fact) -> bool:
    one, other = stored.standing, told.standing
    return (
        (one.status, one.valid_from, one.valid_until, one.earlier, one.restates)
        == (other.status, other.valid_from, other.valid_until, other.earlier, other.restates)
        and one.unflagged(Flag.PINNED).flags == other.flags
        and stored.opponents == told.opponents
        and (stored.timeline_role == told.timeline_role or _both_read(stored, told))
    )


def _both_read(stored: Fact, told: Fact) -> bool:
    """Tell whether both are readings: which source came first is not what they are about."""
    return stored.lane is not None and stored.timeline_role in GIVING and told.timeline_role in GIVING


def overlaid(stored: Fact, before: Fact, after: Fact) -> Fact:
    """Return a stored statement as it is told anew, with what was not told: that it is pinned, and other evidence."""
    standing = after.standing
    if Flag.PINNED in stored.standing.flags:
        standing = standing.flagged(Flag.PINNED)
    if _both_read(stored, after):
        standing = replace(standing, timeline_role=stored.standing.timeline_role)
    more = stored.standing.evidence_count - before.standing.evidence_count
    if more > 0:
        standing = replace(standing, evidence_count=standing.evidence_count + more)
    return replace(
        stored, standing=standing, opponents=after.opponents, supersedes=after.supersedes, refines=after.refines
    )
