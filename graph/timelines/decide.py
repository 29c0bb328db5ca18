"""What becomes of a new statement, given what is known: the verdict, the rule, and the words that decided. Pure.

The order of the rules is the design's ("Two ways in"). It is conservative: to keep a doubtful thing can be repaired,
to retire a true one cannot. What the wording says is read elsewhere (`graph.wording`); where the caller states the act,
it is not read at all.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from graph.naming import entity_key
from graph.ontology import Origin
from graph.wording.features import Relation, relation
from graph.wording.lexicon import key_words, states
from graph.wording.people import Person, person_spoken_of
from graph.wording.reading import Reading, Sense, read
from graph.wording.tokens import names_value, same


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


OF_ANOTHER: Final = "said of another"
"""The rule of what is about another person than the subject."""

RETIRING: Final = 0.6
"""Probability from which wording retires a value; chosen by cross-validation (docs/decisions.md)."""

PROPOSING: Final = 0.5
"""Probability, of all senses that retire together, from which wording proposes to."""

APART: Final = 0.8
"""Probability from which a first statement is no assertion."""

STATED: Final = "stated by the caller"
_RETIRES: Final = (Sense.REPLACES, Sense.ENDS, Sense.REFINES)
_SENSE_OF: Final = {
    Act.ASSERTS: Sense.ASSERTS,
    Act.REPLACES: Sense.REPLACES,
    Act.ENDS: Sense.ENDS,
    Act.ADDS: Sense.ASSERTS,
    Act.PLANS: Sense.APART,
}
_PROPOSED: Final = {
    Sense.REPLACES: Verdict.UPDATE,
    Sense.ENDS: Verdict.INVALIDATE,
    Sense.REFINES: Verdict.REFINE,
}
_AUTHORITY: Final = {Origin.USER_STATED: 3, Origin.OBSERVED: 2, Origin.INFERRED: 1, Origin.EXTERNAL: 0}
_KEY_WORD: Final = re.compile(r"[._\- ]+")
_PLURAL: Final = re.compile(r"[a-z]{3,}[a-rt-z]s|[a-z]{2,}(?:ies|xes|ches|shes)")
_SINGULAR: Final = frozenset("address status news hours bus lens series species glasses always".split())


def kind_of(key: str, declared: Mapping[str, str], origin: str) -> KeyKind:
    """Return how the values of a key go together: as the group declares, else as what is observed, else by its words.

    `declared` holds kinds by the names of keys as `entity_key` gives them.
    """
    if (kind := declared.get(entity_key(key))) is not None:
        return KeyKind(kind)
    if origin == Origin.OBSERVED:
        return KeyKind.SERIES
    last = _KEY_WORD.split(key.casefold())[-1]
    for kind in (KeyKind.MANY, KeyKind.ORDERED):
        if last in (words := key_words(kind)) or key.casefold().replace(" ", "_") in words:
            return kind
    return KeyKind.ONE


def person_named(said: Said) -> Person | None:
    """Return the person whom a statement is about instead of its subject; a subject that the caller gives is that."""
    if said.subject_given and said.subject != said.user_id:
        return None
    return person_spoken_of(said.text, said.value, (said.subject,))


def decide(said: Said, known: Sequence[KnownStatement], *, kind: KeyKind = KeyKind.ONE, person: str = "") -> Ruling:
    """Return what becomes of a statement. `known` holds its timeline, or its near statements where it has no key.

    `person` is the one whom `person_named` found in it, where `known` is that person's timeline.
    """
    names = tuple(sorted({said.subject, person or said.subject}))
    ruling = _without_key(said, known, names) if said.key is None else _with_key(said, known, kind, names)
    return _authorised(said, known, ruling)


def _with_key(said: Said, known: Sequence[KnownStatement], kind: KeyKind, names: tuple[str, ...]) -> Ruling:
    held = [one for one in known if one.timeline_role in (TimelineRole.VALUE, TimelineRole.ADDITION)]
    stands = {one.id: relation(said.value, one.value) for one in held}
    near = min(held[::-1], key=lambda one: _NEAREST.index(stands[one.id]), default=None)
    reading = _read(said, near, names)
    if near is None:
        return _first(said, known, reading)
    groups = {group: tuple(one.id for one in held if stands[one.id] is group) for group in Relation}
    if said.value is None:
        return _ended(said, held, reading, many=kind is KeyKind.MANY)
    if groups[Relation.EQUAL]:
        return _equal(said, groups[Relation.EQUAL], reading)
    return _other_value(said, held, groups, kind, reading)


_NEAREST: Final = (Relation.EQUAL, Relation.MORE, Relation.LESS, Relation.OTHER, Relation.FIRST, Relation.NONE)


def _read(said: Said, old: KnownStatement | None, names: tuple[str, ...]) -> Reading:
    if said.act is not None:
        kinds = frozenset({"also"} if said.act is Act.ADDS else ())
        return Reading({_SENSE_OF[said.act]: 1.0}, dict.fromkeys(Sense, STATED), kinds)
    text, value = (old.text, old.value) if old is not None else ("", None)
    return read(said.text, value=said.value, old=text, old_value=value, key=said.key, names=names)


def _first(said: Said, known: Sequence[KnownStatement], reading: Reading) -> Ruling:
    """Return the ruling for a key of which nothing is current; what has ended and is said again is new."""
    ended = tuple(one.id for one in known if one.timeline_role == TimelineRole.END)
    sense = reading.likeliest(Sense.ASSERTS, Sense.ENDS, Sense.APART)
    if said.value is None or (sense is Sense.ENDS and reading.share(sense) >= RETIRING):
        return Ruling(Verdict.ADD, "the end of nothing known", reading.told_by(sense), timeline_role=TimelineRole.END)
    if sense is Sense.APART and reading.share(sense) >= APART:
        return _apart(said, reading)
    doubt = "doubt" in reading.kinds
    return Ruling(Verdict.ADD, "first of its key", targets=ended, to_confirm=doubt)


def _equal(said: Said, equal: tuple[str, ...], reading: Reading) -> Ruling:
    """Return the ruling for a value that is known: said again, over, or named without being asserted."""
    sense = reading.likeliest(Sense.ASSERTS, Sense.ENDS, Sense.APART)
    if sense is Sense.ENDS and reading.share(sense) >= RETIRING:
        words = reading.told_by(sense)
        return Ruling(Verdict.INVALIDATE, "ended without successor", words, equal, TimelineRole.END)
    if sense is not Sense.ASSERTS:
        return _apart(said, reading)
    return Ruling(Verdict.NOOP, "restated", targets=equal, to_confirm="doubt" in reading.kinds)


def _ended(said: Said, held: Sequence[KnownStatement], reading: Reading, *, many: bool) -> Ruling:
    """Return the ruling for what gives no value."""
    words = reading.told_by(Sense.ENDS)
    if reading.share(Sense.ENDS) < RETIRING:
        return _apart(said, reading)
    named = tuple(one.id for one in held if one.value and names_value(said.text, one.value))
    targets = named or (() if many and len(held) > 1 else tuple(one.id for one in held))
    if not targets:
        return Ruling(Verdict.ADD, "the end of nothing known", words, timeline_role=TimelineRole.END)
    return Ruling(Verdict.INVALIDATE, "ended without successor", words, targets, TimelineRole.END)


# One return for each of the design's rules, in their order.
def _other_value(  # noqa: PLR0911
    said: Said,
    held: Sequence[KnownStatement],
    groups: Mapping[Relation, tuple[str, ...]],
    kind: KeyKind,
    reading: Reading,
) -> Ruling:
    """Return the ruling for a value that is not a known one."""
    sense = reading.likeliest(Sense.ASSERTS, Sense.REPLACES, Sense.APART)
    if sense is Sense.REPLACES and reading.share(sense) < RETIRING:
        sense = reading.likeliest(Sense.ASSERTS, Sense.APART)
    if kind is KeyKind.MANY and (sense is not Sense.APART or "also" in reading.kinds):
        return Ruling(Verdict.ADD, "the key holds many values", said.key or "", timeline_role=TimelineRole.ADDITION)
    if said.act is Act.ADDS:
        return Ruling(Verdict.ADD, "wording of addition", STATED, timeline_role=TimelineRole.ADDITION)
    if sense is Sense.APART:
        return _apart(said, reading)
    every = tuple(one.id for one in held)
    if sense is Sense.REPLACES:
        return Ruling(Verdict.UPDATE, "wording of change", reading.told_by(sense), every)
    if groups[Relation.MORE]:
        return Ruling(Verdict.REFINE, "more specific", targets=groups[Relation.MORE])
    if groups[Relation.LESS]:
        return Ruling(Verdict.NOOP, "restated in general", targets=groups[Relation.LESS])
    if kind is KeyKind.ORDERED and all(_follows(said.value, one.value) for one in held):
        return Ruling(Verdict.UPDATE, "a later state", said.value or "", every)
    if _names_several(said.key or "") and not (said.value or "")[:1].isdigit():
        return Ruling(Verdict.ADD, "the key names several", said.key or "", timeline_role=TimelineRole.ADDITION)
    return Ruling(Verdict.CONFLICT, "another value, no wording of change", targets=every)


def _follows(value: str | None, before: str | None) -> bool:
    """Tell whether a state comes after another, as far as both are known to have a rank."""
    ranks = states()
    later, earlier = ranks.get((value or "").casefold()), ranks.get((before or "").casefold())
    return later is None or earlier is None or later > earlier


def _names_several(key: str) -> bool:
    """Tell whether a key has the form of a plural: it may hold several values, though no word of the lists says so."""
    last = _KEY_WORD.split(key.casefold())[-1]
    return _PLURAL.fullmatch(last) is not None and last not in _SINGULAR


def _apart(said: Said, reading: Reading) -> Ruling:
    """Return the ruling for what is no assertion about the subject now, or holds besides."""
    words = reading.told_by(Sense.APART)
    if said.act is None and person_named(said) is not None and "also" not in reading.kinds:
        return Ruling(Verdict.ADD, OF_ANOTHER, words, timeline_role=TimelineRole.OFF)
    doubt = "doubt" in reading.kinds
    if "also" in reading.kinds and said.value and not doubt and not reading.kinds & {"if", "plan", "ask", "deny"}:
        return Ruling(Verdict.ADD, "wording of addition", words, timeline_role=TimelineRole.ADDITION)
    rule = "uncertain" if doubt else "no assertion about what is known"
    return Ruling(Verdict.ADD, rule, words, timeline_role=TimelineRole.OFF, to_confirm=doubt)


def _without_key(said: Said, known: Sequence[KnownStatement], names: tuple[str, ...]) -> Ruling:
    """Return the ruling for a statement without a key: nothing is retired on a guess."""
    restated = tuple(one.id for one in known if same(one.text, said.text))
    if restated and said.act in (None, Act.ASSERTS):
        return Ruling(Verdict.NOOP, "restated", targets=restated[:1])
    alone = _read(said, None, names)
    if alone.small_talk:
        return Ruling(Verdict.SKIPPED_EPHEMERAL, "small talk", timeline_role=TimelineRole.OFF)
    doubt = "doubt" in alone.kinds
    apart = Ruling(Verdict.ADD, "apart from what is known", to_confirm=doubt)
    if not known or said.act in (Act.ADDS, Act.PLANS):
        return apart
    readings = [(_read(said, one, names), one) for one in known]
    reading, old = max(readings, key=lambda item: item[0].share(*_RETIRES, Sense.ASSERTS))
    sense = reading.likeliest(*Sense)
    if reading.share(*_RETIRES) >= PROPOSING:
        sense = reading.likeliest(*_RETIRES)
        words = reading.told_by(sense)
        rule = f"may be: {_RULE_OF[sense]}"
        proposed = _PROPOSED[sense]
        return Ruling(Verdict.ADD, rule, words, to_confirm=True, proposes=(old.id,), proposed=proposed)
    if sense is Sense.ASSERTS and said.act is None:
        words = reading.told_by(sense)
        return Ruling(Verdict.CONFLICT, "cannot both be true", words, (old.id,), to_confirm=True)
    return apart


_RULE_OF: Final = {
    Sense.REPLACES: "wording of change",
    Sense.ENDS: "ended without successor",
    Sense.REFINES: "more specific",
}


def _authorised(said: Said, known: Sequence[KnownStatement], ruling: Ruling) -> Ruling:
    """Lower a ruling that would retire what its speaker may not retire."""
    retires = ruling.verdict in (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE)
    standing = {one.id: one for one in known}
    if not retires or all(may_retire(said, standing[target]) for target in ruling.targets):
        return ruling
    rule = f"{ruling.rule}, without the authority to retire"
    if ruling.verdict is Verdict.UPDATE:
        return replace(ruling, verdict=Verdict.CONFLICT, rule=rule, to_confirm=True)
    return Ruling(Verdict.ADD, rule, ruling.words, timeline_role=TimelineRole.OFF, to_confirm=True)


def may_retire(said: Said, old: KnownStatement) -> bool:
    """Tell whether a statement may retire another: what users said, only they or its subject may, and only so."""
    if _users(old, said.subject):
        return said.origin == Origin.USER_STATED and may_say(said.user_id, old, said.subject)
    return _AUTHORITY[Origin(said.origin)] >= _AUTHORITY[Origin(old.origin)]


def may_say(user: str, old: KnownStatement, subject: str) -> bool:
    """Tell whether a user may say that a statement about a subject is over: who said it, or its subject.

    What its subject said, nobody else may.
    """
    users = _users(old, subject)
    return not users or user in {*users, subject}


def _users(old: KnownStatement, subject: str) -> set[str]:
    """Return the users whose word a statement is; its subject alone where it is one of them."""
    users = {*old.stated_by, *([old.user_id] if old.origin == Origin.USER_STATED else [])}
    return {subject} if subject in users else users
