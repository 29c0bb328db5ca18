"""Wording of change and of an end in a statement: does it reach the value, is it denied, of what is it said? Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from graph.arbitration.clauses import Clause, is_han, mentions_any, stands_in
from graph.arbitration.lexicon import Cue, Kind, slight, topics
from graph.arbitration.subjects import SPEAKER, other_thing, stranger
from graph.arbitration.values import tokens

CHANGES: Final = (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)
"""Kinds of wording by which a statement may change what is known."""

EMOJI: Final = "".join(map(chr, (*range(0x1F300, 0x1FAFF), *range(0x2600, 0x27BF), 0xFE0F)))
_DENYING: Final = re.compile(r"not|\w+n’?t|never|没有?|不|不是|并非|从没|从未")
_MOST_BESIDE: Final = 2.0  # words, a Han sign being half a one
_OF_WHAT: Final = re.compile(r"(?:(?:i|we|i’ve|we’ve) )?(?:switched|changed|swapped) (?:[\w-]+ ){0,2}([\w-]+)$")
_ANY_OF_THEM: Final = (
    "supplier",
    "provider",
    "vendor",
    "company",
    "companie",
    "plan",
    "number",
    "one",
    "place",
    "brand",
)
_WHEN: Final = re.compile(r"\b(?:after|before|when|until) [\w’]*\s*$")
_LONG: Final = 3  # letters
_DENIAL_REACH: Final = {True: 26, False: 6}
_MOVES: Final = re.compile(r"\w{0,3}(?:mov|switch|chang|migrat|upgrad|downgrad|swap|replac|convert)|.?[搬换改迁转切戒]")
_HAS_BECOME: Final = re.compile(
    r"[^，。,.!！太最极真好死坏没不过完错]{0,4}(?:了|啦|咯|喽)[\s。！!～~…，,；;" + EMOJI + "]*$"
)


class Found(NamedTuple):
    """Wording of change or of an end: whether it is denied, and the other thing that it is about, if any."""

    cue: Cue
    denied: bool
    thing: str | None


def wording_of_change(
    clauses: Sequence[Clause],
    focus: Sequence[Clause],
    named: Sequence[Clause],
    spoken: frozenset[str],
    about: frozenset[str] | None,
    value: str,
    known: Sequence[str],
    context: str,
) -> list[Found]:
    """Return the wording of change and end that can be about the value."""
    sentences = {clause.sentence for clause in focus}
    found = []
    for clause in clauses:
        if not focus or clause in focus or clause in named:
            kinds: tuple[Kind, ...] = CHANGES
        elif clause.sentence in sentences and (_bare(clause, spoken) or _names_what_changed(clause, spoken)):
            kinds = (Kind.CHANGE, Kind.END)
        else:
            kinds = ()
        become = _has_become(clause, value) if clause in focus else None
        thing = None
        for cue in (*clause.cues, *([become] if become else ())):
            if cue.kind in kinds:
                # What the first wording of a clause is about, the rest is.
                if about is not None:
                    thing = thing or other_thing(clause, cue, about, value, known, context)
                    thing = thing or _taken_over(clauses, clause, cue, value, known, context)
                found.append(Found(cue, _denied(cue, clause), thing))
    return found


def asserted(found: Sequence[Found], focus: Sequence[Clause]) -> tuple[Cue | None, Cue | None]:
    """Return the wording of an end and that of a change which the text asserts of what is known."""
    asserted = [one.cue for one in found if not one.denied and one.thing is None]
    ends = [cue for cue in asserted if cue.kind is Kind.END]
    # The end of one thing beside the value of another is wording of change: "quit the kitchen, I'm a courier now".
    beside = [cue for cue in ends if focus and not any(cue in clause.cues for clause in focus)]
    changes = [
        cue
        for cue in asserted
        if cue.kind is not Kind.END and not any(end.start <= cue.start and cue.end <= end.end for end in ends)
    ]
    changes.sort(key=lambda cue: (cue.kind is Kind.CHANGE, cue.start))
    return next((cue for cue in ends if cue not in beside), None), next(iter([*changes, *beside]), None)


def _taken_over(
    clauses: Sequence[Clause], clause: Clause, cue: Cue, value: str, known: Sequence[str], context: str
) -> str | None:
    """Return the strange subject that gave up what is known in the clause before, where a Chinese one has none."""
    if not is_han(cue.words) or cue.start - clause.start > 1 or SPEAKER.search(clause.text):
        return None
    before = next((one for one in clauses if one.end == clause.start and one.sentence == clause.sentence), None)
    return stranger(before, context, value, ()) if before and mentions_any(before.text, known) else None


def apart(cues: Iterable[Cue]) -> tuple[Cue, ...]:
    """Return wording in order, of what overlaps the end alone, else the longest."""
    kept: list[Cue] = []
    for cue in sorted(cues, key=lambda one: (one.kind is not Kind.END, one.start - one.end)):
        if not any(cue.start < one.end and one.start < cue.end for one in kept):
            kept.append(cue)
    return tuple(sorted(kept, key=lambda one: one.start))


def other_than_known(found: Sequence[Found], focus: Sequence[Clause]) -> str | None:
    """Return the other thing that the value itself is said of."""
    return next((one.thing for one in found if one.thing and (not focus or _within(one.cue, focus))), None)


def negating(clause: Clause, value: str) -> Cue | None:
    """Return the word that denies the value where it stands: "I haven't gone paleo"."""
    first = next(iter(value.split()), "")
    given = re.search(rf"(?<![a-z0-9]){re.escape(first)}", clause.text) if first else None
    if given is None:
        return None
    at = given.start()
    for cue in clause.cues:
        gap = clause.start + at - cue.end
        if cue.kind is Kind.NEGATION and _DENYING.fullmatch(cue.words) and 0 <= gap <= _reach(cue):
            return cue
    return None


def moves(cue: Cue) -> bool:
    """Tell whether wording of change says so by its verb: "switched", 换成, and not "started at"."""
    return cue.kind is Kind.CHANGE or is_verb_of_change(cue)


def is_verb_of_change(cue: Cue) -> bool:
    """Tell whether wording is a plain verb of moving, switching or changing."""
    return bool(_MOVES.match(cue.words))


def _within(cue: Cue, clauses: Sequence[Clause]) -> bool:
    return any(clause.start <= cue.start < clause.end for clause in clauses)


def _has_become(clause: Clause, value: str) -> Cue | None:
    """Return the 了 after the value that ends a clause: what was not so before is so now (我用 Zed 了)."""
    at = clause.text.find(value) if value else -1
    match = _HAS_BECOME.match(clause.text, at + len(value)) if at >= 0 else None
    if match is None or clause.has(Kind.ADDITION):
        return None
    start = clause.start + at + len(value)
    return Cue(Kind.NOW, match.group().strip(), start, start + len(match.group()))


def _bare(clause: Clause, context: frozenset[str]) -> bool:
    """Tell whether a clause says little besides its wording of change: "we moved", and not "the bakery closed"."""
    if any(cue.kind in CHANGES and _WHEN.search(clause.text[: cue.start - clause.start]) for cue in clause.cues):
        return False  # "after we changed rooms" tells of a time
    if any((other := _OF_WHAT.match(cue.words)) and not _is_of(other[1], context) for cue in clause.cues):
        return False  # "we changed florists", of a wedding's date
    inside = [cue for cue in clause.cues if cue.kind in (*CHANGES, Kind.NEGATION, Kind.STILL, Kind.ADDITION)]
    left = list(clause.text)
    for cue in inside:
        start, end = cue.start - clause.start, min(cue.end - clause.start, len(left))
        left[start:end] = " " * (end - start)
    after = min((cue.end - clause.start for cue in inside if cue.kind in (Kind.CHANGE, Kind.ONTO)), default=len(left))
    if any(not stands_in(word, context) for word in tokens(slight().sub(" ", "".join(left[after:])))):
        return False
    words = [word for word in tokens(slight().sub(" ", "".join(left))) if not stands_in(word, context)]
    return sum(0.5 if is_han(word) else 1.0 for word in words) <= _MOST_BESIDE


def _is_of(noun: str, context: frozenset[str]) -> bool:
    """Tell whether a noun is one of the key and of what is known, or of one topic with them."""
    topic = topics().get(noun) or topics().get(noun.removesuffix("s"))
    return (
        noun.removesuffix("s") in _ANY_OF_THEM
        or stands_in(noun, context)
        or (topic is not None and any(topics().get(word) == topic for word in context))
    )


def _names_what_changed(clause: Clause, spoken: frozenset[str]) -> bool:
    """Tell whether wording of change itself names what the key is about: "changed schools"."""
    changes = (cue for cue in clause.cues if cue.kind is Kind.CHANGE)
    return any(stands_in(word, spoken) for cue in changes for word in cue.words.split()[1:] if len(word) > _LONG)


def _denied(cue: Cue, clause: Clause) -> bool:
    """Tell whether a word of denial stands before the wording, in the same clause and near it."""
    near = [other for other in clause.cues if cue.start - 2 * _DENIAL_REACH[True] <= other.start <= cue.start]
    return any(
        other.kind is Kind.NEGATION
        and 0 <= cue.start - other.end <= _reach(cue)
        and not any(
            between.kind in CHANGES and between.start <= other.start and other.end <= between.end and between != cue
            for between in near
        )
        for other in near
    )


def _reach(cue: Cue) -> int:
    return _DENIAL_REACH[not is_han(cue.words)]
