"""The records of arbitration: what is known, what is claimed, and what a claim changes. Pure."""

from dataclasses import dataclass
from typing import NamedTuple

from graph.ontology import Status
from graph.timelines.decide import KnownStatement, Ruling, Said, TimelineRole, Verdict
from graph.timelines.standing import Standing


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement on the working_set. `at` (ms) is when it was said; `opponents` those that it is in open conflict with.

    `restates` is the fact that an event says once more: the event is kept, and shares the end of that fact.
    """

    id: str
    timeline: str | None
    text: str
    value: str | None
    timeline_role: str
    origin: str
    user_id: str
    at: int
    standing: Standing
    opponents: frozenset[str] = frozenset()
    restates: str | None = None

    @property
    def last_said(self) -> int:
        """When it was stated last (ms): at first, or again."""
        return max(self.at, self.standing.last_evidence_at or self.at)

    @property
    def current(self) -> bool:
        """Whether it may decide what becomes of a new statement."""
        return self.standing.status in (Status.ACTIVE, Status.CONFLICT) and self.timeline_role != TimelineRole.OFF

    def known(self) -> KnownStatement:
        """Return it as the decision sees it."""
        return KnownStatement(
            self.id, self.text, self.value, self.standing.status, self.timeline_role, self.origin, self.user_id,
            self.standing.stated_by,
        )  # fmt: skip


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
    """What became of a claim: its ruling, the timeline it stands on, and all that changes with it.

    `cut` are supersessions that are undone.
    """

    claim: Claim
    ruling: Ruling
    timeline: str | None
    keeps: bool
    changes: tuple[Change, ...] = ()
    links: tuple[Link, ...] = ()
    closed: tuple[Link, ...] = ()
    cut: tuple[Link, ...] = ()

    @property
    def subject(self) -> str:
        """Whom it was taken to be about: the person whom it names, where it stands on their timeline."""
        other = self.claim.other
        return other.subject if other is not None and self.timeline == other.timeline else self.claim.said.subject

    @property
    def restates(self) -> str | None:
        """The fact that the claim says once more, if it does."""
        return restated(self.ruling)


def restated(ruling: Ruling) -> str | None:
    """Return the fact that a ruling finds to be said once more, if any."""
    return next(iter(ruling.targets), None) if ruling.verdict is Verdict.NOOP else None
