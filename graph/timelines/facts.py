"""The records of timelines: what is known, what is claimed, and what a claim changes. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from graph.naming import stable_id
from graph.ontology import CURRENT, Edge
from graph.timelines.said import Act, KeyKind, KnownStatement, Ruling, Said, TimelineRole, Verdict
from graph.timelines.standing import Standing

DECIDING: Final = (TimelineRole.VALUE, TimelineRole.ADDITION, TimelineRole.END)
"""The roles of statements that may decide what becomes of a new one."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that is known, as its atom holds it. `at` (ms) is when it was said.

    `opponents` are those that it is in open conflict with; `supersedes` and `refines` those that its edges of these
    types lead to. `lane` is set where it is a reading of a series: that of its timeline and source.
    """

    id: str
    timeline: str | None
    text: str
    value: str | None
    origin: str
    user_id: str
    at: int
    standing: Standing
    opponents: frozenset[str] = frozenset()
    supersedes: frozenset[str] = frozenset()
    refines: frozenset[str] = frozenset()
    source_id: str = ""
    lane: str | None = None

    @property
    def timeline_role(self) -> TimelineRole:
        """What it is on its timeline."""
        return TimelineRole(self.standing.timeline_role or TimelineRole.OFF)

    @property
    def restates(self) -> str | None:
        """The fact that it says once more: an event is kept although it brings no news."""
        return self.standing.restates

    @property
    def last_said(self) -> int:
        """When it was stated last (ms): at first, or again."""
        return max(self.at, self.standing.last_evidence_at or self.at)

    @property
    def current(self) -> bool:
        """Whether it may decide what becomes of a new statement."""
        return self.standing.status in CURRENT and self.timeline_role in DECIDING

    def known(self) -> KnownStatement:
        """Return it as the decision sees it."""
        return KnownStatement(
            self.id, self.text, self.value, self.standing.status, self.timeline_role, self.origin, self.user_id,
            self.standing.stated_by, self.source_id,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said once on a timeline, whether or not an atom was kept of it. `at` (ms) is when it was said.

    `atom_id` is the atom that carries it: its own, which has its `id`, or the one that it restated without being kept.
    """

    id: str
    said: Said
    at: int
    atom_id: str
    kind: KeyKind = KeyKind.ONE


_READINGS: Final = (None, Act.ASSERTS, Act.REPLACES, Act.ADDS)


def lane_of(utterance: Utterance, timeline: str | None) -> str | None:
    """Return the lane of a reading: that of its timeline and source; None for what is no reading.

    What is said to end, or planned, is no reading, though its key holds them.
    """
    said = utterance.said
    if timeline is None or utterance.kind is not KeyKind.SERIES or said.value is None or said.act not in _READINGS:
        return None
    return lane_id(timeline, said.source_id)


def lane_id(timeline: str, source_id: str) -> str:
    """Return the id of the readings that one source gives on a timeline."""
    return stable_id("lane", timeline, source_id)


class Other(NamedTuple):
    """The person whom a statement names instead of its subject: their name as one, their timeline, the words used."""

    subject: str
    timeline: str
    words: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A new statement to be settled.

    `timeline` is that of its subject and key (None: no key); `other` is the person whom it names instead; `near` are
    the known statements that may be of the same thing, where there is no key. `at` (ms) is when it was said. `kept`
    tells that its atom is kept whatever the verdict, as an event's is.
    """

    id: str
    said: Said
    at: int
    timeline: str | None
    other: Other | None = None
    near: tuple[str, ...] = ()
    kind: KeyKind = KeyKind.ONE
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
    """What became of a claim: its ruling, the timeline it stands on, and all that changes with it.

    `closed` are conflicts that are over, `cut` edges of supersession and refinement that are undone; `proposals` are
    supersessions that a person, or an agent with the right, may accept. `utterance` is what was said on the timeline,
    as it is to be loaded where that is told anew; None where it was said on none.
    """

    claim: Claim
    ruling: Ruling
    timeline: str | None
    keeps: bool
    changes: tuple[Change, ...] = ()
    links: tuple[Link, ...] = ()
    closed: tuple[Link, ...] = ()
    cut: tuple[Link, ...] = ()
    proposals: tuple[Link, ...] = ()
    utterance: Utterance | None = None

    @property
    def subject(self) -> str:
        """Whom it was taken to be about: the person whom it names, where it stands on their timeline."""
        other = self.claim.other
        return other.subject if other is not None and self.timeline == other.timeline else self.claim.said.subject

    @property
    def restates(self) -> str | None:
        """The fact that the claim's own atom says once more, if it does."""
        return next((change.after.restates for change in self.changes if change.before is None), None)

    @property
    def lane(self) -> str | None:
        """The lane of readings that the claim's own atom stands in, if it is a reading."""
        return lane_of(self.utterance, self.timeline) if self.utterance is not None else None


def restated(ruling: Ruling) -> str | None:
    """Return the fact that a ruling finds to be said once more, if any."""
    return next(iter(ruling.targets), None) if ruling.verdict is Verdict.NOOP else None


def net(settlements: Sequence[Settlement]) -> list[Settlement]:
    """Return the settlements of one batch with the edges that are made, closed and cut all in all.

    An edge that one makes and a later one cuts is not made; what one cuts and a later one makes again stays. A conflict
    that one opens and a later one closes is opened and closed.
    """
    told: dict[object, list[tuple[int, bool, Link]]] = {}  # by edge: in which settlement, whether it stands from there
    for number, one in enumerate(settlements):
        for link in one.links:
            told.setdefault(_edge(link), []).append((number, True, link))
        for link in (*one.closed, *one.cut):
            told.setdefault(_edge(link), []).append((number, False, link))
    left = {(number, link) for changes in told.values() for number, link in _left(changes)}
    return [
        replace(
            one,
            links=tuple(link for link in one.links if (number, link) in left),
            closed=tuple(link for link in one.closed if (number, link) in left),
            cut=tuple(link for link in one.cut if (number, link) in left),
        )
        for number, one in enumerate(settlements)
    ]


def _edge(link: Link) -> object:
    ends = frozenset((link.start, link.end)) if link.type == Edge.CONFLICTS_WITH else (link.start, link.end)
    return link.type, ends


def _left(changes: Sequence[tuple[int, bool, Link]]) -> list[tuple[int, Link]]:
    """Return the changes of one edge that count; they follow each other, and alternate."""
    (first, made, opened), (last, stands, link) = changes[0], changes[-1]
    if made is stands:
        return [(last, link)]
    over = made and link.type == Edge.CONFLICTS_WITH
    return [(first, opened), (last, link)] if over else []
