"""What becomes of a new statement, given what is known: the verdict, the rule, and the words that decided. Pure.

The order of the rules is the design's ("Two ways in"). It is conservative: to keep a doubtful thing can be repaired,
to retire a true one cannot. What the wording says is read elsewhere (`graph.wording`); where the caller states the act,
it is not read at all.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from graph.timelines.another import ends_another
from graph.timelines.authority import authorised
from graph.timelines.keys import follows, names_several
from graph.timelines.said import Act, KeyKind, KnownStatement, Ruling, Said, TimelineRole, Verdict
from graph.wording.features import Relation, relation
from graph.wording.lexicon import has
from graph.wording.marking import content, plain
from graph.wording.people import Person, person_spoken_of
from graph.wording.reading import Reading, Sense, counting, read, skim
from graph.wording.tokens import exclude_each_other, names_value, same, tokens, turned

OF_ANOTHER: Final = "said of another"
"""The rule of what is about another person than the subject."""

REPLACING: Final = 0.6
"""Probability from which wording replaces a value; set by the totals of pairs that were not fitted on."""

ENDING: Final = 0.5
"""Probability from which wording ends a value."""

REFINING: Final = 0.5
"""Probability from which a value that is not contained in the new one is said more exactly by it."""

RESTATING: Final = 0.5
"""Probability from which an equal value is said again; what is less sure is kept beside, so that nothing is lost."""

PROPOSING: Final = 0.5
"""Probability, of all senses that retire together, from which wording proposes to."""

_KEY_PARTS: Final = re.compile(r"[._-]")
_MOST_SHARING: Final = 6
_MOST_NEAR: Final = 4
_WORTH_READING: Final = 0.05

MOST_READ: Final = 3
"""Known statements without a key that a new one is read beside, the likeliest by a first look."""

APART: Final = 0.8
"""Probability from which a value is not asserted although no word of the lists says so."""

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
    return authorised(said, known, ruling)


def _with_key(said: Said, known: Sequence[KnownStatement], kind: KeyKind, names: tuple[str, ...]) -> Ruling:
    held = [one for one in known if one.timeline_role in (TimelineRole.VALUE, TimelineRole.ADDITION)]
    stands = {one.id: relation(said.value, one.value) for one in held}
    near = min(held[::-1], key=lambda one: _NEAREST.index(stands[one.id]), default=None)
    reading = _read(said, near, names)
    if near is None:
        return _first(said, known, reading)
    groups = {group: tuple(one.id for one in held if stands[one.id] is group) for group in Relation}
    if said.value is None:
        return _ended(said, held, reading, names, many=kind is KeyKind.MANY)
    if groups[Relation.EQUAL]:
        return _equal(said, groups[Relation.EQUAL], reading)
    if said.act is Act.ENDS:
        return Ruling(Verdict.ADD, "the end of nothing known", STATED, timeline_role=TimelineRole.END)
    return _other_value(said, held, groups, kind, reading)


_NEAREST: Final = (Relation.EQUAL, Relation.MORE, Relation.LESS, Relation.OTHER, Relation.FIRST, Relation.NONE)


def _nearest(said: Said, known: Sequence[KnownStatement]) -> Sequence[KnownStatement]:
    """Return the statements to compare with: the first given, which are nearest in meaning, and the most alike."""
    words = content(plain(said.text))
    sharing = sorted(known, key=lambda one: len(words & content(plain(one.text))), reverse=True)
    return list({one.id: one for one in (*sharing[:_MOST_SHARING], *known[:_MOST_NEAR])}.values())


def _telling(reading: Reading) -> float:
    return reading.share(*_RETIRES, Sense.ASSERTS)


def _skim(said: Said, old: KnownStatement, names: tuple[str, ...]) -> Reading:
    return skim(said.text, old=old.text, names=names)


def _read(said: Said, old: KnownStatement | None, names: tuple[str, ...]) -> Reading:
    if said.act is not None:
        kinds = frozenset({"also"} if said.act is Act.ADDS else ())
        return Reading({_SENSE_OF[said.act]: 1.0}, dict.fromkeys(Sense, STATED), kinds)
    text, value = (old.text, old.value) if old is not None else ("", None)
    if value is not None and has(plain(text.replace(value, " ")), "change", "end", "correct"):
        text = value  # how it once came about says nothing of what is said now
    subject = said.subject if said.subject != said.user_id else None
    return read(said.text, value=said.value, old=text, old_value=value, key=said.key, names=names, subject=subject)


def _first(said: Said, known: Sequence[KnownStatement], reading: Reading) -> Ruling:
    """Return the ruling for a key of which nothing is current; what has ended and is said again is new."""
    ended = tuple(one.id for one in known if one.timeline_role == TimelineRole.END)
    sense = reading.likeliest(Sense.ASSERTS, Sense.ENDS, Sense.APART)
    if said.value is None or (sense is Sense.ENDS and reading.share(sense) >= ENDING):
        return Ruling(Verdict.ADD, "the end of nothing known", reading.told_by(sense), timeline_role=TimelineRole.END)
    if sense is Sense.APART and reading.share(sense) >= APART:
        return _apart(said, reading)
    doubt = "doubt" in reading.kinds
    return Ruling(Verdict.ADD, "first of its key", targets=ended, to_confirm=doubt)


def _equal(said: Said, equal: tuple[str, ...], reading: Reading) -> Ruling:
    """Return the ruling for a value that is known: said again, over, or named without being asserted."""
    sense = reading.likeliest(Sense.ASSERTS, Sense.ENDS, Sense.APART)
    if sense is Sense.ENDS and reading.share(sense) >= ENDING:
        words = reading.told_by(sense)
        return Ruling(Verdict.INVALIDATE, "ended without successor", words, equal, TimelineRole.END)
    if reading.share(Sense.ASSERTS, Sense.REPLACES, Sense.REFINES) < RESTATING:
        return _apart(said, reading)
    return Ruling(Verdict.NOOP, "restated", targets=equal, to_confirm="doubt" in reading.kinds)


def _ended(
    said: Said, held: Sequence[KnownStatement], reading: Reading, names: tuple[str, ...], *, many: bool
) -> Ruling:
    """Return the ruling for what gives no value."""
    words = reading.told_by(Sense.ENDS)
    if reading.share(Sense.ENDS) < ENDING or "pause" in reading.kinds:
        return _apart(said, reading)
    named = tuple(one.id for one in held if one.value and names_value(said.text, one.value))
    if not named and said.act is None:
        known = [text for one in held for text in (one.text, one.value or "")]
        if ends_another(said.text, (*known, *names, *_KEY_PARTS.split(said.key or ""))):
            return Ruling(Verdict.ADD, "the end of something else", words, timeline_role=TimelineRole.OFF)
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
    sense = _sense(said, held, reading)
    named = tuple(one.id for one in held if one.value and names_value(said.text, one.value))
    if kind is KeyKind.MANY and sense is Sense.REPLACES and named:
        return Ruling(Verdict.UPDATE, "wording of change", reading.told_by(sense), named)
    if kind is KeyKind.MANY and (sense is not Sense.APART or "also" in reading.kinds):
        return Ruling(Verdict.ADD, "the key holds many values", said.key or "", timeline_role=TimelineRole.ADDITION)
    if said.act is Act.ADDS:
        return Ruling(Verdict.ADD, "wording of addition", STATED, timeline_role=TimelineRole.ADDITION)
    every = tuple(one.id for one in held)
    goes_on = said.act in (None, Act.ASSERTS) and not reading.kinds & _DOUBTFUL
    if goes_on and all(follows(said.key or "", said.value, one.value, kind) for one in held):
        return Ruling(Verdict.UPDATE, "a later state", said.value or "", every)
    if sense is Sense.APART:
        return _apart(said, reading)
    if sense is Sense.REPLACES:
        return Ruling(Verdict.UPDATE, "wording of change", reading.told_by(sense), every)
    if groups[Relation.MORE] or sense is Sense.REFINES:
        return Ruling(Verdict.REFINE, "more specific", targets=groups[Relation.MORE] or every)
    if groups[Relation.LESS]:
        return Ruling(Verdict.NOOP, "restated in general", targets=groups[Relation.LESS])
    reordered = any(sorted(tokens(one.value or "")) == sorted(tokens(said.value or "")) for one in held)
    if names_several(said.key or "") and not reordered and not (said.value or "")[:1].isdigit():
        return Ruling(Verdict.ADD, "the key names several", said.key or "", timeline_role=TimelineRole.ADDITION)
    return Ruling(Verdict.CONFLICT, "another value, no wording of change", targets=every)


def _sense(said: Said, held: Sequence[KnownStatement], reading: Reading) -> Sense:
    """Return what a statement with another value does: explicit evidence first, then what is likeliest."""
    kinds = reading.kinds
    if (sense := _explicit(said, held, reading)) is not None:
        return sense
    stated = reading.share(Sense.ASSERTS, Sense.REFINES)
    sense = reading.likeliest(Sense.REPLACES, Sense.APART)
    if sense is Sense.REPLACES and reading.share(sense) < REPLACING:
        sense = Sense.APART
    if stated >= reading.share(sense):
        return Sense.REFINES if reading.share(Sense.REFINES) >= REFINING else Sense.ASSERTS
    if sense is Sense.APART and said.act is None:
        if not kinds - _TELLING_NOTHING and reading.share(sense) < APART:
            return Sense.ASSERTS  # the value is given, and no word says that it does not count
        if said.subject_given and "person" in kinds and not kinds & (_DOUBTFUL | {"deny", "also"}):
            return reading.likeliest(Sense.ASSERTS, Sense.REPLACES)  # whom the text names is the subject
    return sense


def _explicit(said: Said, held: Sequence[KnownStatement], reading: Reading) -> Sense | None:
    """Return what a statement with another value does where that needs no weighing."""
    kinds = reading.kinds
    if said.act is not None:
        return None
    if "correct" in kinds and not kinds & {"person", "they", "ask", "if"}:
        return Sense.REPLACES  # a correction by the same speaker
    turns = bool(kinds & {"change", "end"}) and any(turned(said.value or "", one.value or "") for one in held)
    if turns and not kinds & _DOUBTFUL:
        return Sense.REPLACES
    if "doubt" in kinds and reading.share(Sense.ASSERTS) == 1:
        return Sense.APART  # the same sentence with another value, doubted like the first: it disputes nothing
    return None


_DOUBTFUL: Final = frozenset(("ask", "plan", "if", "doubt", "report"))
_TELLING_NOTHING: Final = frozenset(("speaker", "speakers", "compare", "reply", "past"))


def _apart(said: Said, reading: Reading) -> Ruling:
    """Return the ruling for what is no assertion about the subject now, or holds besides."""
    words = reading.told_by(Sense.APART)
    if (
        said.act is None
        and "person" in reading.kinds
        and person_named(said) is not None
        and "also" not in reading.kinds
    ):
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
    skimmed = [(_skim(said, one, names), one) for one in _nearest(said, known)]
    skimmed = sorted(skimmed, key=lambda item: _telling(item[0]), reverse=True)
    readings = [
        (_read(said, one, names) if _telling(skim) >= _WORTH_READING else skim, one)
        for skim, one in skimmed[:MOST_READ]
    ]
    said_of = content(plain(said.text))

    def fit(item: tuple[Reading, KnownStatement]) -> tuple[float, int, float]:
        """Of what is about as likely, the one with the same words is meant."""
        telling = _telling(item[0])
        return round(telling, 1), len(said_of & content(plain(item[1].text))), telling

    reading, old = max(readings, key=fit)
    sense = reading.likeliest(*Sense)
    if reading.share(*_RETIRES) >= PROPOSING:
        sense = reading.likeliest(*_RETIRES)
        words = reading.told_by(sense)
        rule = f"may be: {_RULE_OF[sense]}"
        proposed = _PROPOSED[sense]
        return Ruling(Verdict.ADD, rule, words, to_confirm=True, proposes=(old.id,), proposed=proposed)
    shared = content(plain(old.text)) & content(plain(said.text))
    told = counting(said.text, old=old.text, names=names)
    before = counting(old.text, names=names)
    if sense is Sense.ASSERTS and said.act is None and shared and exclude_each_other(before, told):
        words = reading.told_by(sense)
        return Ruling(Verdict.CONFLICT, "cannot both be true", words, (old.id,), to_confirm=True)
    return apart


_RULE_OF: Final = {
    Sense.REPLACES: "wording of change",
    Sense.ENDS: "ended without successor",
    Sense.REFINES: "more specific",
}
