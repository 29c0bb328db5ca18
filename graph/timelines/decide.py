"""What becomes of a new statement, given what is known: the verdict, the rule, and the words that decided. Pure.

The order of the rules is the design's ("Two ways in"). It is conservative: to keep a doubtful thing can be repaired,
to retire a true one cannot.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from graph.arbitration.changes import moves
from graph.arbitration.contents import overlap
from graph.arbitration.ends import names_another
from graph.arbitration.lexicon import Cue, Kind, key_words, many_valued_words, singular_words
from graph.arbitration.moods import Mood
from graph.arbitration.neighbours import narrowed
from graph.arbitration.topics import Relation, relate
from graph.arbitration.values import is_nothing, names_value, refines, same
from graph.arbitration.wording import Reading, read
from graph.naming import entity_key
from graph.ontology import Origin


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


_OWNERS: Final = frozenset(("kids", "children", "friends", "members", "pets", "siblings", "cars", "devices"))
_SPEAKERS: Final = frozenset(("user", "me", "my", "family", "team", "home", "household"))

PARTLY: Final = "a change that holds only in part"
_NO_MORE: Final = re.compile(
    r"\b(?:no|not|never|quit|stop\w*|cancel\w*|gave|given|end\w*|left|leav\w*|dropped)\b|n’t|any ?more"
    r"|[不没戒退停辞离分]|取消"
)
_PLURAL: Final = re.compile(r"[a-z]{3,}[a-rt-z]s|[a-z]{2,}(?:ies|xes|ches|shes)")
DENIED: Final = "a change that is denied"
OF_ANOTHER: Final = "said of another"
"""The rule of what is about another person than the subject."""

_AUTHORITY: Final = {Origin.USER_STATED: 3, Origin.OBSERVED: 2, Origin.INFERRED: 1, Origin.EXTERNAL: 0}


def kind_of(key: str, declared: Mapping[str, str], origin: str) -> KeyKind:
    """Return how the values of a key go together: as the group declares, else as what is observed, else by its words.

    `declared` holds kinds by the names of keys as `entity_key` gives them.
    """
    if (kind := declared.get(entity_key(key))) is not None:
        return KeyKind(kind)
    if origin == Origin.OBSERVED:
        return KeyKind.SERIES
    return KeyKind.MANY if _holds_many(key) else KeyKind.ONE


def _holds_many(key: str) -> bool:
    """Tell whether a word of a key says that it may hold several values at once."""
    parts = key.casefold().replace("_", ".").replace("-", ".").replace(" ", ".").split(".")
    words = many_valued_words()
    # "user.kids" are several; "bedtime.kids" is the bedtime of the kids.
    last = parts[-1] if len(parts) == 1 or parts[-1] not in _OWNERS or parts[0] in _SPEAKERS else ""
    return last in words or any(key.endswith(word) and "最" not in key for word in words if not word.isascii())


def looks_plural(key: str | None) -> bool:
    """Tell whether a key has the form of a plural: it may hold several values, though no word of the lists says so."""
    last = re.split(r"[._ -]", (key or "").casefold())[-1]
    return _PLURAL.fullmatch(last) is not None and last not in singular_words()


def person_named(said: Said) -> str | None:
    """Return the person whom a statement may be about instead of its subject; the timeline to look into besides."""
    return read(said.text, value=said.value, context=f"{said.subject}\n{_spaced(said.key)}").other


def decide(said: Said, known: Sequence[KnownStatement], *, kind: KeyKind = KeyKind.ONE, person: str = "") -> Ruling:
    """Return what becomes of a statement. `known` holds its timeline, or its near statements where it has no key.

    `person` is the one whom `person_named` found in it, where `known` is that person's timeline.
    """
    # What told of an end is known by its wording of that, which must count when it is said again.
    told = (f"{one.text}\n{one.value or ''}" for one in known if one.timeline_role != TimelineRole.END)
    context = "\n".join([person, said.subject, _spaced(said.key), *told])
    values = [one.value for one in known if one.value is not None]
    reading = read(said.text, value=said.value, known=values, context=context)
    if said.subject_given and said.subject != said.user_id:  # whom the text names is the subject, by another name
        reading = replace(reading, other=None)
    if said.key is None:
        return _authorised(said, known, _without_key(said, reading, known))
    return _authorised(said, known, _with_key(said, reading, known, many=kind is KeyKind.MANY))


# One return for each of the design's rules, in their order.
def _with_key(  # noqa: PLR0911
    said: Said, reading: Reading, known: Sequence[KnownStatement], *, many: bool
) -> Ruling:
    value = None if is_nothing(said.value) else said.value
    held = [one for one in known if one.timeline_role in (TimelineRole.VALUE, TimelineRole.ADDITION)]
    equal = tuple(one.id for one in held if value and one.value and same(value, one.value))
    more = any(value and one.value and refines(value, one.value) for one in held)
    if untouched := _untouched(replace(reading, thing=None) if more else reading, equal):
        return untouched
    if reading.over and not equal and (held or _NO_MORE.search(reading.over.words)):
        return Ruling(Verdict.ADD, "the end of nothing known", _words(reading.over), timeline_role=TimelineRole.END)
    if value is None or equal:
        return _ended(said, reading, held, equal, many=many)
    if reading.denied and not (reading.change or reading.end or more):
        return Ruling(Verdict.ADD, DENIED, _words(reading.denied), timeline_role=TimelineRole.OFF)
    if reading.uncertain and held:
        return Ruling(
            Verdict.ADD, "uncertain", _words(reading.uncertain), timeline_role=TimelineRole.OFF, to_confirm=True
        )
    if many:
        return Ruling(Verdict.ADD, "the key holds many values", said.key or "", timeline_role=TimelineRole.ADDITION)
    if reading.addition and not (reading.change and moves(reading.change)):
        return Ruling(Verdict.ADD, "wording of addition", _words(reading.addition), timeline_role=TimelineRole.ADDITION)
    return _other_value(said, value, reading, held, known)


# As above.
def _untouched(reading: Reading, equal: tuple[str, ...]) -> Ruling | None:  # noqa: PLR0911
    """Return the ruling for what says nothing new of the timeline; None where it may change it."""
    kept = reading.still or reading.reverted
    if reading.refuted and reading.other is None and not (reading.change or reading.end):
        return Ruling(Verdict.ADD, DENIED, _words(reading.refuted), timeline_role=TimelineRole.OFF)
    if equal and kept and reading.other is None and reading.mood is not Mood.QUESTION and not reading.negates:
        return Ruling(Verdict.NOOP, "restated", _words(kept), equal)
    if aside := _not_asserted(reading, restates=bool(equal)):
        return aside
    if reading.negates and equal:
        rule = "the opposite of what is known, no wording of change"
        return Ruling(Verdict.CONFLICT, rule, _words(reading.negates), equal, TimelineRole.END)
    if reading.negates:
        return Ruling(Verdict.ADD, "a value that is denied", _words(reading.negates), timeline_role=TimelineRole.OFF)
    if reading.thing:
        return Ruling(Verdict.ADD, "a change of something else", reading.thing, timeline_role=TimelineRole.OFF)
    if equal and not reading.end:
        doubt = reading.uncertain
        return Ruling(Verdict.NOOP, "restated", _words(reading.denied), equal, to_confirm=doubt is not None)
    return None


# One return for each of the design's rules.
def _other_value(  # noqa: PLR0911
    said: Said, value: str, reading: Reading, held: Sequence[KnownStatement], known: Sequence[KnownStatement]
) -> Ruling:
    """Return the ruling for a single-valued key and a value that is not the known one."""
    every = tuple(one.id for one in held)
    specific = tuple(one.id for one in held if one.value and refines(one.value, value))
    cue = reading.change or reading.end
    if cue and every and reading.rest:
        return Ruling(Verdict.ADD, PARTLY, _words(reading.rest), timeline_role=TimelineRole.OFF)
    if cue and every and (back := _changed_back(said, reading, held)):
        return Ruling(Verdict.ADD, "changed, and changed back", _words(back), timeline_role=TimelineRole.OFF)
    general = tuple(one.id for one in held if one.value and refines(value, one.value))
    # "Now" says no more of a change than "still" does, where the value is the known one in general.
    if cue and not (specific and cue.kind is Kind.NOW) and not (general and "since" in cue.words):
        ended = tuple(one.id for one in known if one.timeline_role == TimelineRole.END)
        if every:
            return Ruling(Verdict.UPDATE, "wording of change", _words(cue), every + ended)
        return Ruling(Verdict.ADD, "first of its key", _words(cue), ended)
    if general:
        return Ruling(Verdict.REFINE, "more specific", targets=general)
    if specific:
        return Ruling(Verdict.NOOP, "restated in general", targets=specific)
    if every and reading.strays:
        return Ruling(Verdict.ADD, "of nothing known", timeline_role=TimelineRole.OFF, to_confirm=True)
    if every and looks_plural(said.key) and not value[:1].isdigit():
        return Ruling(Verdict.ADD, "the key names several", timeline_role=TimelineRole.ADDITION)
    if every:
        return Ruling(Verdict.CONFLICT, "another value, no wording of change", targets=every)
    ended = tuple(one.id for one in known if one.timeline_role == TimelineRole.END)
    doubt = reading.uncertain
    return Ruling(Verdict.ADD, "first of its key", _words(doubt), ended, to_confirm=doubt is not None)


def _changed_back(said: Said, reading: Reading, held: Sequence[KnownStatement]) -> Cue | None:
    """Return the wording by which a text goes back to what is known: "moved to Bergen, then moved back to Oslo"."""
    back = reading.reverted
    if back is None or reading.end is not None or "mind" in back.words:
        return None
    return back if any(names_value(said.text[back.start :], one.value or "") for one in held) else None


def _ended(
    said: Said, reading: Reading, held: Sequence[KnownStatement], equal: tuple[str, ...], *, many: bool
) -> Ruling:
    """Return the ruling for what gives no value, or says that the known one is over."""
    cue = reading.end
    if cue is None:
        return Ruling(Verdict.ADD, "no value", timeline_role=TimelineRole.OFF)
    named = equal or tuple(one.id for one in held if one.value and names_value(said.text, one.value))
    context = " ".join([_spaced(said.key), *(f"{one.text} {one.value or ''}" for one in held)])
    ends_all = not names_another(said.text, cue, _spaced(said.key) if many else context)
    targets = named or (tuple(one.id for one in held) if ends_all else ())
    narrows = targets and _narrowed(said, cue, [one for one in held if one.id in targets])
    if narrows:
        return Ruling(Verdict.ADD, PARTLY, _words(narrows), timeline_role=TimelineRole.OFF)
    if not targets:
        return Ruling(Verdict.ADD, "the end of nothing known", _words(cue), timeline_role=TimelineRole.END)
    return Ruling(Verdict.INVALIDATE, "ended without successor", _words(cue), targets, TimelineRole.END)


def _narrowed(said: Said, cue: Cue, held: Sequence[KnownStatement]) -> Cue | None:
    """Return the wording that an end or a change holds only in part, where that is not said of what is known."""
    before = "\n".join([_spaced(said.key), *(f"{one.text} {one.value or ''}" for one in held)])
    return narrowed(before, said.text, cue)


def _without_key(said: Said, reading: Reading, known: Sequence[KnownStatement]) -> Ruling:
    if reading.small_talk:
        return Ruling(Verdict.SKIPPED_EPHEMERAL, "small talk", timeline_role=TimelineRole.OFF)
    related = [(relate(one.text, said.text, reading), one) for one in known]
    for relation, verdict, rule, timeline_role in _BY_RELATION:
        near = [(overlap(one.text, said.text), one, cue) for (found, cue), one in related if found is relation]
        if near:
            _, best, cue = max(near, key=lambda item: (item[0], item[1].id))
            if verdict in (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE):
                rule = f"may be: {rule}"
                return Ruling(Verdict.ADD, rule, _words(cue), to_confirm=True, proposes=(best.id,), proposed=verdict)
            return Ruling(verdict, rule, _words(cue), (best.id,), timeline_role)
    aside = _not_asserted(reading, restates=False)
    doubt = reading.uncertain
    told = _words(reading.addition or doubt)
    return aside or Ruling(Verdict.ADD, "apart from what is known", told, to_confirm=doubt is not None)


_BY_RELATION: Final = (
    (Relation.SAME, Verdict.NOOP, "restated", TimelineRole.VALUE),
    (Relation.LESS, Verdict.NOOP, "restated in general", TimelineRole.VALUE),
    (Relation.REPLACES, Verdict.UPDATE, "wording of change", TimelineRole.VALUE),
    (Relation.ENDS, Verdict.INVALIDATE, "ended without successor", TimelineRole.END),
    (Relation.MORE, Verdict.REFINE, "more specific", TimelineRole.VALUE),
    (Relation.CONTRADICTS, Verdict.CONFLICT, "another value, no wording of change", TimelineRole.VALUE),
)


def _not_asserted(reading: Reading, *, restates: bool) -> Ruling | None:
    """Return the ruling for what is not an assertion about the subject; None where it is one."""
    if reading.other is not None:
        return Ruling(Verdict.ADD, OF_ANOTHER, reading.other, timeline_role=TimelineRole.OFF)
    if reading.mood is not Mood.ASSERTION and not (restates and reading.mood is Mood.PAST):
        return Ruling(
            Verdict.ADD, f"no assertion: {reading.mood}", _words(reading.mood_cue), timeline_role=TimelineRole.OFF
        )
    return None


def _authorised(said: Said, known: Sequence[KnownStatement], ruling: Ruling) -> Ruling:
    """Lower a ruling that would retire what its speaker may not retire."""
    retires = ruling.verdict in (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE)
    standing = {one.id: one for one in known}
    if not retires or all(may_retire(said, standing[target]) for target in ruling.targets):
        return ruling
    rule = f"{ruling.rule}, without the authority to retire"
    if ruling.verdict is Verdict.UPDATE:
        return Ruling(Verdict.CONFLICT, rule, ruling.words, ruling.targets, to_confirm=True)
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


def _spaced(key: str | None) -> str:
    """Return the words of a key, in both languages where they are common: "user.wake_time" names a time."""
    words = (key or "").replace(".", " ").replace("_", " ").replace("-", " ")
    return " ".join([words, *(key_words().get(word, "") for word in words.casefold().split())]).strip()


def _words(cue: Cue | None) -> str:
    return cue.words if cue else ""
