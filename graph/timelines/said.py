"""What is said, what is known, and what is decided of it: the records that a decision takes and gives. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What became of a statement."""

    ADD = "ADD"
    NOOP = "NOOP"
    UPDATE = "UPDATE"
    REFINE = "REFINE"
    CONFLICT = "CONFLICT"
    INVALIDATE = "INVALIDATE"
    SKIPPED_EPHEMERAL = "SKIPPED_EPHEMERAL"
    REFUSED = "REFUSED"


class Act(StrEnum):
    """What a statement does, as its caller may say: agents know it, and wording is only the fallback."""

    ASSERTS = "asserts"
    REPLACES = "replaces"
    ENDS = "ends"
    ADDS = "adds"
    PLANS = "plans"


class KeyKind(StrEnum):
    """How the values of a key go together: one at a time, many at once, readings of a source, states in order."""

    ONE = "one"
    MANY = "many"
    SERIES = "series"
    ORDERED = "ordered"


class TimelineRole(StrEnum):
    """What an atom is on its timeline: a value, one more beside it, an end, a restatement, or off it."""

    VALUE = "value"
    ADDITION = "addition"
    END = "end"
    RESTATEMENT = "restatement"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Said:
    """A new statement. `act` is what its caller says that it does, None: its wording tells.

    `subject_given` tells that its caller said whom it is about, and not the text.
    """

    text: str
    key: str | None
    value: str | None
    origin: str
    user_id: str
    subject: str
    act: Act | None = None
    source_id: str = ""
    subject_given: bool = False


@dataclass(frozen=True, slots=True)
class KnownStatement:
    """A statement that is current or in conflict: of the same subject and key, or near in meaning where no key is.

    `stated_by` are the users who said it themselves after somebody else had.
    """

    id: str
    text: str
    value: str | None
    status: str
    timeline_role: str
    origin: str
    user_id: str
    stated_by: tuple[str, ...] = ()
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict, the rule that gave it, the words that decided, and the known statements that it is about.

    `proposes` are known statements that it may supersede, where a person or an agent with the right says so;
    `proposed` is the verdict that accepting gives: UPDATE, REFINE or INVALIDATE.
    """

    verdict: Verdict
    rule: str
    words: str = ""
    targets: tuple[str, ...] = ()
    timeline_role: TimelineRole = TimelineRole.VALUE
    to_confirm: bool = False
    proposes: tuple[str, ...] = ()
    proposed: Verdict | None = None
