"""How two statements without a key relate: do they speak of the same thing, and does one say more? Pure.

Only clear cases are told; everything else is `Relation.APART`, which changes nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import snowballstemmer

from graph.arbitration.lexicon import Cue, Kind, cues, empty_words, plain, slight, synonyms, topics
from graph.arbitration.values import tokens
from graph.arbitration.clauses import Clause, split
from graph.arbitration.wording import Mood, Reading


class Relation(StrEnum):
    """How a new statement stands to a known one."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    REPLACES = "replaces"
    ENDS = "ends"
    CONTRADICTS = "contradicts"
    APART = "apart"


_EMPTY: Final = frozenset(
    "i me my mine we us our you your he him his she her it its they them their this that these those there here "
    "is are was were be been being am do does did have has had having will would can could to of in on at by for from "
    "with as and or but so if then than just very really quite only own all some any each every about into over after "
    "before up down out off again got get gets getting go goes going s t ve re ll d m one who whom which what when "
    "where why how because while no not n't never still already finally btw way said say says yep please dear since until both same more "
    "yes ok oh well call called name names named profession dont doesnt didnt isnt arent wasnt wont cant havent hasnt "
    "im ive youre theyre work works working".split()
)
_EMPTY_SIGNS: Final = frozenset(
    "的课了我你您他她它们是在有没也不就都很和跟与把被给这那个一上下来去到说要会能着过得地吧啊呀哦呢吗嘛啦而且但以之其所于对"
    "因为从向由让叫做用家现已经还再又才只最太更当名字职业姓什么怎样哪些每种些点样位只条张块件台辆间里外中前后时候年月日天号周星期"
)
_CHANGING: Final = (
    Kind.CHANGE, Kind.ONTO, Kind.NOW, Kind.END, Kind.ADDITION, Kind.STILL, Kind.NEGATION,
)  # fmt: skip
_OF_SPEAKER: Final = frozenset(("i", "we", "i’m", "i’ve", "we’re", "we’ve", "i'm", "i've", "we're", "we've", "me", "us", "我", "咱"))
_WAS: Final = frozenset(("was", "were"))
_FEW: Final = 2
_STEM: Final = 6  # letters: "allergy" and "allergic" are one
_SHORT: Final = 2
_LONGEST_NAME: Final = 3
_SPEAKS: Final = re.compile(r"(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!的|家|们的|[哥弟姐妹爸妈])")
_SPEAKER: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|me|us|my|our)\b|我")
_PASSIVE: Final = re.compile(
    r"(?:is|are|was|were|has been|have been|been|got|gets?|isn’t|aren’t|has|have|now|any ?more)\b"
)
_GOES_ON: Final = re.compile(r"\s*(?:and |so |but |then )?(?:now,? |instead,? )?(?:it|he|she|they|that)(?:’s|’re| is| are| \w+s)\b|(?:而)?是")
_AND: Final = re.compile(r"\b(?:and|then)\b")
_OWN_SUBJECT: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|so|and|then)\b|我(?!的|家)|(?<=[以之过])后|后(?=我)")
_TAKES: Final = re.compile(r"换(?![成为到去作掉给])|換(?![成為到去作掉給])")
_DONE_TO: Final = re.compile(r".?[换改停切退关卖戒取不没]")
_NEAR: Final = 26  # characters between a denial and the wording of change that it denies
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_SETTLED: Final = re.compile(
    r"\b(?:is|are|was|were|am|called|named|lives?|born)\b|’(?:s|m|re)\b|=|:|是|：|为|叫|在|姓|住"
)
_NUMBER: Final = re.compile(r"\d")


_SAME: Final = re.compile(
    "|".join(rf"\b{word}\b" if word.isascii() else word for word in sorted(synonyms(), key=len, reverse=True))
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a text speaks of: its telling words, in order, the topics that they belong to, and whether it denies."""

    words: tuple[str, ...]
    topics: frozenset[str]
    denies: bool


def content(text: str) -> Content:
    """Return the telling words of a text: stems of Latin words, single Han signs; wording of change is left out."""
    whole = (
        _SAME.sub(lambda match: synonyms()[match.group()], plain(text)) if _SAME.search(plain(text)) else plain(text)
    )
    found = cues(whole)
    # Chinese wording of change is blanked; the words between the parts of an English one count ("don't use it any more").
    blank = list(whole)
    for cue in found:
        if cue.kind in _CHANGING and _HAN.match(cue.words):
            kept = cue.kind in (Kind.END, Kind.NEGATION)
            blank[cue.start : cue.end] = [sign if kept and sign not in "不再没有了" else " " for sign in cue.words]
    words = tuple(
        _stem(word)
        for word in tokens("".join(blank).replace("’", " ").replace("-", " "))
        if word not in _EMPTY and word not in _EMPTY_SIGNS and word not in empty_words()
    )
    changing = [cue for cue in found if cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.REVERT)]
    denies = any(
        cue.kind is Kind.NEGATION and not any(cue.start <= one.end and one.start <= cue.end + _NEAR for one in changing)
        for cue in found
    )
    return Content(words, frozenset(_topics(whole)), denies)


def relate(old: str, new: str, reading: Reading) -> tuple[Relation, Cue | None]:
    """Tell how a new statement, read as `reading`, stands to a known one, and the wording that says so."""
    before, after = content(old), content(new)
    known, told = set(before.words), set(after.words)
    shared = _shared(before, after)
    left, right = _words(old), _words(new)
    if right[: len(left)] == left and reading.mood is not Mood.QUESTION and not (reading.change or reading.end):
        return (Relation.SAME if told <= known else Relation.MORE), None
    if reading.mood is not Mood.ASSERTION or reading.other or reading.uncertain or _possessed(left, right):
        return Relation.APART, reading.mood_cue or reading.uncertain
    kept = reading.still or reading.reverted or reading.denied
    if known and any(_restates(clause, before, exactly=kept is None) for clause in split(plain(new))):
        if kept or told <= known:
            return Relation.SAME, kept
    elif not reading.denied and not reading.addition and (shared or before.topics & after.topics):
        found = _replaced_or_ended(old, new, reading, known, told, shared)
        if found is not None:
            return found
    if not known or not told or reading.addition or reading.change or reading.end or reading.denied:
        return Relation.APART, reading.addition
    if before.denies != after.denies:
        return Relation.APART, None
    if told <= known:
        return (Relation.SAME if told == known else Relation.LESS), None
    if known < told:
        return (Relation.MORE if _says_it_too(left, right) else Relation.APART), None
    return (Relation.CONTRADICTS if _one_value_differs(left, right, before, after) else Relation.APART), None


def _words(text: str) -> tuple[str, ...]:
    return tokens(plain(text).replace("-", " "))


def _shared(before: Content, after: Content) -> set[str]:
    shared = set(before.words) & set(after.words)
    lone = len(shared) == 1 and bool(_HAN.match(next(iter(shared))))
    # One Han sign is hardly a word.
    return set() if lone and len(set(before.words)) > _FEW and not before.topics & after.topics else shared


def _restates(clause: Clause, before: Content, *, exactly: bool) -> bool:
    """Tell whether a clause says all that is known, denied or not as it is, without wording of an end."""
    inside = content(clause.text)
    said = set(inside.words)
    enough = said == set(before.words) if exactly else said >= set(before.words)
    return enough and inside.denies == before.denies and not clause.has(Kind.END)


def _says_it_too(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether a longer text still says it of the same one, and of the same time."""
    speaks = bool(_OF_SPEAKER & set(left))
    return (not speaks or bool(_OF_SPEAKER & set(right))) and not (_WAS & set(right)) - set(left)


def _possessed(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether the new text is about what belongs to the subject of the old: "Rosa's parents" and not Rosa."""
    for length in range(1, _LONGEST_NAME + 1):
        name = left[:length]
        after = right[length : length + 1]
        if right[:length] == name and after == ("的",) and name[-1] not in _EMPTY_SIGNS:
            owned = right[length + 1 : length + 2]
            return owned != left[length : length + 1] and not set(owned) <= _EMPTY_SIGNS
    first = right[0] if right and right[1:2] != ("name",) else ""
    return first.endswith(("'s", "’s")) and left[:1] == (first[:-2],)


def _replaced_or_ended(
    old: str, new: str, reading: Reading, known: set[str], told: set[str], shared: set[str]
) -> tuple[Relation, Cue | None] | None:
    """Tell what wording of change or of an end does to the known statement, where it speaks of the same."""
    cue = reading.change or reading.end
    spoken = [one for one in (reading.change, reading.end) if one]
    if cue is None or not any(_same_subject(one, old, new, known, strict=not shared) for one in spoken):
        return None
    if reading.end and not _has_successor(reading, old, new, known):
        return (Relation.ENDS, reading.end) if shared else None
    return (Relation.REPLACES, cue) if told - known else None


def overlap(old: str, new: str) -> float:
    """Return the share of the shorter text's telling words that the other has too, 0 to 1."""
    before, after = set(content(old).words), set(content(new).words)
    return len(before & after) / max(1, min(len(before), len(after)))


def _has_successor(reading: Reading, old: str, new: str, known: set[str]) -> bool:
    """Tell whether the text says what has come instead: a change to something new, or words that go on to it."""
    if reading.end is None:
        return True
    before = content(old)
    for clause in split(plain(new)):
        for start, stop in _stretches(clause):
            part = clause.text[start:stop]
            said = content(part)
            here = [cue for cue in clause.cues if start <= cue.start - clause.start < stop]
            inside = [cue for cue in here if not (reading.end.start <= cue.start and cue.end <= reading.end.end)]
            if not set(said.words) - known or said.denies or any(cue.kind is Kind.END for cue in inside):
                continue
            if any(cue.kind in (Kind.ONTO, Kind.CHANGE) for cue in inside):
                return True
            now = any(cue.kind is Kind.NOW and cue.start >= reading.end.end for cue in inside)
            goes_on = bool(_GOES_ON.match(part))
            goes_on_now = goes_on or bool(_SPEAKS.match(part.strip()) and _SPEAKER.search(plain(old)))
            if (now and (goes_on_now or set(said.words) & known or said.topics & before.topics)) or (
                goes_on and reading.end not in here
            ):
                return True
    return False


def _stretches(clause: Clause) -> Iterable[tuple[int, int]]:
    """Yield where the parts of a clause begin and end that "and" joins."""
    start = 0
    for match in _AND.finditer(clause.text):
        yield start, match.start()
        start = match.start()
    yield start, len(clause.text)


def _same_subject(cue: Cue, old: str, new: str, known: set[str], *, strict: bool) -> bool:
    """Tell whether the clause of the wording is about what is known: "we moved to", and not "the film moved me".

    Strictly, nothing new stands before the wording or is moved by it; else what stands last before it is known. Where
    the speaker spoke of themselves, what they spoke of is not the one who acts ("Heineken replaced its head").
    """
    clause = next((one for one in split(plain(new)) if one.start <= cue.start < one.end), None)
    if clause is None:
        return False
    lead = _subject(clause.text[: cue.start - clause.start])
    before = content(slight().sub(" ", lead)).words
    inside = set(content(cue.words).words)
    if strict:
        return set(before) <= known and inside <= known and len(cue.words.split()) <= _SHORT
    if inside and not inside & known and cue.kind is not Kind.END:
        return False
    if before and before[0 if cue.kind is Kind.NOW else -1] not in known:
        return False
    if before and _TAKES.match(new, cue.start) and not _SPEAKER.search(clause.text):
        return False
    return not (before and _SPEAKS.match(plain(old)) and not _SPEAKER.search(clause.text) and _acts(cue))


def _subject(lead: str) -> str:
    """Return what stands before wording of change from its own subject on: "the tests were fine so I" gives "I"."""
    starts = [match.start() for match in _OWN_SUBJECT.finditer(lead)]
    return lead[starts[-1] :] if starts else lead


def _acts(cue: Cue) -> bool:
    """Tell whether the subject of the wording does something, rather than having it done to it."""
    if _HAN.match(cue.words):
        return cue.kind is not Kind.END and _DONE_TO.match(cue.words) is None
    return _PASSIVE.match(cue.words) is None


def _one_value_differs(left: Sequence[str], right: Sequence[str], before: Content, after: Content) -> bool:
    """Tell whether two texts say one thing in the same words but for one stretch, in a form that gives one value."""
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    stop = 0
    while stop < min(len(left), len(right)) - start and left[-1 - stop] == right[-1 - stop]:
        stop += 1
    spans = left[start : len(left) - stop], right[start : len(right) - stop]
    kept = start + stop
    return (
        all(spans)
        and max(map(len, spans)) <= max(4, kept)
        and bool(set(before.words) & set(after.words))
        and bool(_SETTLED.search(" ".join(right[:start])) or all(_NUMBER.search(" ".join(span)) for span in spans))
    )


def _topics(whole: str) -> Iterable[str]:
    known = topics()
    for word in tokens(whole):
        if word in known:
            yield known[word]
    for word, name in known.items():
        if _HAN.match(word) and word in whole:
            yield name


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))[:_STEM] if word.isascii() else word
