"""What a statement says besides its value: mood, whom it is about, change, end, addition, denial. Pure.

A text is cut into clauses; the clause that holds the value is the one that counts, and wording elsewhere counts only
where it can be about the same thing (`Kind` tells how far each kind reaches).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from graph.arbitration.lexicon import Cue, Kind, cues, is_small_talk, plain, synonyms
from graph.arbitration.values import mentions, tokens

LONGEST_READ: Final = 4_000
"""Characters of a statement that are read for wording."""


class Mood(StrEnum):
    """What kind of utterance a statement is; only an assertion changes what is known."""

    ASSERTION = "assertion"
    QUESTION = "question"
    PLAN = "plan"
    HYPOTHETICAL = "hypothetical"
    QUOTATION = "quotation"
    PAST = "past"


class Clause(NamedTuple):
    """A stretch of the text between two marks of punctuation, with the wording in it."""

    start: int
    end: int
    sentence: int
    text: str
    cues: tuple[Cue, ...]

    def has(self, *kinds: Kind) -> Cue | None:
        """Return the first wording of these kinds."""
        return next((cue for cue in self.cues if cue.kind in kinds), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a statement. Each cue is the wording that says so, None where nothing does.

    `change`, `end` and `addition` are asserted; `denied` is a change or an end that the text says did not happen.
    `negates` is the word that denies the value itself, where nothing speaks of change.
    `other` names the person whom it is about, where that is not the one whose memory it is.
    """

    mood: Mood
    mood_cue: Cue | None = None
    other: str | None = None
    uncertain: Cue | None = None
    change: Cue | None = None
    end: Cue | None = None
    addition: Cue | None = None
    denied: Cue | None = None
    negates: Cue | None = None
    reverted: Cue | None = None
    still: Cue | None = None
    small_talk: bool = False


_SENTENCE: Final = re.compile(r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\bvs)(?<!\bno)[.](?=\s|$)|[!?。！？\n…;；]+")
_CLAUSE: Final = re.compile(r",(?!\d{3})|:(?!\d)|[，、：()（）]|\s[-–—]+\s|—+|\b(?:but|so that|whereas|although|though|because)\b|(?:但是?|不过|可是|只是|然后|所以)")
_QUOTED: Final = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|《[^》]*》|(?<![\w’])’[^’]{3,}’(?![\w’])")
_SPEAKER: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|my|our|me|us)\b|我|咱|俺|本人|自己")
_COPULA: Final = re.compile(r"\s*(?:is|’s|are|was|is now|now is|will be|called|named|是|叫|为|现在是|就是)")
_BECOMES: Final = re.compile(_COPULA.pattern + r"|\s*(?:has |was |is |’s )?\w*\s?(?:now|changed|switched|换成|改成|变成|成了|换了)")
_ROLE: Final = re.compile(r"manager|boss|lead|coach|doctor|teacher|mentor|landlord|partner|contact|owner|chair|captain")
_POSSESSIVE: Final = re.compile(r"的|’s |s’ |’s (?:\w+ )?")
_DENYING: Final = re.compile(r"not|\w+n’?t|never|没有?|不|不是|并非|从没|从未")
_MOST_BESIDE: Final = 2.0  # words, a Han sign being half a one
_SLIGHT: Final = frozenset(
    "i i’m i’ve we we’ve we’re it it’s they he she so and then in on at to of for with from by that this after last "
    "week month year today yesterday just all was is has have been got me us my our 我 们 了 的 都 就 已 经 上 个 周 月 "
    "年 天 今 昨 是 在 刚 才 把 给 被 啦 呢 吧 啊".split()
)
_COLON: Final = re.compile(r"\s*[:：](?!\d)")
_ADDRESS: Final = re.compile(r"\s*(?:们|们好)?\s*[:：!！]")
_SUBJECT_REACH: Final = {True: 24, False: 8}  # characters, Latin or Han, in which a clause names its subject
_ELIDED: Final = {True: 3, False: 1}  # characters before wording of change in a clause that leaves its subject out
_PRONOUN: Final = re.compile(r"\s*(?:and )?(?:he|she|they|他|她)")
_ACTS_ON_SPEAKER: Final = re.compile(r"\b(?:my|our|me|us)\b|[给让把对帮]我|我的|我们的")
_OBJECT: Final = re.compile(r"(?:有|个|位|找|是|跟|和|给|送|向|问|陪|叫|被|为|了|对|with|to|for|by|from|of|at)\s*$")
_DENIAL_REACH: Final = {True: 26, False: 6}
_ASKING: Final = "?？吗么"  # at the end of a sentence they make the whole of it a question
_CHANGES: Final = (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)


def read(text: str, *, value: str | None = None, known: Sequence[str] = (), context: str = "") -> Reading:
    """Read a statement that gives `value`.

    `known` are values that it may replace; `context` holds the words of the key and of what is known, in which a
    person may be named whom the statement is about all the same.
    """
    whole = plain(text[:LONGEST_READ])
    quoted = [match.span() for match in _QUOTED.finditer(whole)]
    clauses = split(whole, quoted, plain(value or ""))
    telling = [clause for clause in clauses if clause.has(*_CHANGES)]
    if is_small_talk(whole.strip(" .!?~。！？～…,，\n\t" + _EMOJI)) and not telling:
        return Reading(Mood.ASSERTION, small_talk=True)
    focus = holding(clauses, value) if value else []
    sharing = [clause for clause in clauses if not value and set(tokens(clause.text)) & set(tokens(plain(context)))]
    read_in = focus or telling or sharing or clauses
    sentences = {clause.sentence for clause in read_in}
    near = [clause for clause in clauses if clause.sentence in sentences]
    named = [clause for clause in clauses if mentions_any(clause.text, known)]
    found = _wording(clauses, focus, named, set(tokens(plain(context))))
    asserted = [cue for cue, denied in found if not denied]
    ends = [cue for cue in asserted if cue.kind is Kind.END]
    # The end of one thing beside the value of another is wording of change: "quit the kitchen, I'm a courier now".
    beside = [cue for cue in ends if focus and not any(cue in clause.cues for clause in focus)]
    changes = [
        cue
        for cue in asserted
        if cue.kind is not Kind.END and not any(end.start <= cue.start and cue.end <= end.end for end in ends)
    ]
    changes.sort(key=lambda cue: (cue.kind is Kind.CHANGE, cue.start))
    mood, mood_cue = _mood(whole, quoted, value, read_in, near, known)
    negates = next((cue for clause in focus if (cue := _negating(clause, value or ""))), None)
    return Reading(
        mood,
        mood_cue,
        other=_other(clauses, read_in, plain(context), value),
        uncertain=_first(near, Kind.UNCERTAIN),
        change=next(iter([*changes, *beside]), None),
        end=next((cue for cue in ends if cue not in beside), None),
        addition=_first(read_in, Kind.ADDITION),
        denied=next((cue for cue, denied in found if denied), None),
        negates=negates if not found else None,
        reverted=_first(clauses, Kind.REVERT),
        still=_first(near, Kind.STILL),
    )


def _negating(clause: Clause, value: str) -> Cue | None:
    """Return the word that denies the value where it stands: "I haven't gone paleo"."""
    words = tokens(plain(value))
    at = clause.text.find(words[0]) if words else -1
    if at < 0:
        return None
    for cue in clause.cues:
        gap = clause.start + at - cue.end
        if cue.kind is Kind.NEGATION and _DENYING.fullmatch(cue.words) and 0 <= gap <= _DENIAL_REACH[not _is_han(cue.words)]:
            return cue
    return None


_EMOJI: Final = "".join(map(chr, (*range(0x1F300, 0x1FAFF), *range(0x2600, 0x27BF), 0xFE0F)))


def split(whole: str, quoted: Sequence[tuple[int, int]] = (), value: str = "") -> list[Clause]:
    """Cut a plain text into clauses; wording in quotation marks is another's, and that in a value none: both go."""
    at = whole.find(value) if value else -1
    span = (at, at + len(value)) if at >= 0 else (0, 0)
    found = [
        cue
        for cue in cues(whole)
        if not any(start <= cue.start and cue.end <= end for start, end in quoted)
        and not (_reaches(cue) and cue.start < span[1] and span[0] < cue.end)
        and not (span[0] <= cue.start and cue.end <= span[1])
    ]
    found = _without_lookalikes(found)
    marks = sorted(
        [(match.start(), match.end(), 1) for match in _SENTENCE.finditer(whole)]
        + [(match.start(), match.end(), 0) for match in _CLAUSE.finditer(whole)]
    )
    clauses, start, sentence = [], 0, 0
    for begin, end, ends_sentence in [*marks, (len(whole), len(whole), 1)]:
        if any(opened < begin < closed for opened, closed in quoted):
            continue
        # What ends a clause belongs to it: a question mark is wording.
        stop = max(start, end)
        if whole[start:stop].strip(" \t\n"):
            inside = tuple(cue for cue in found if start <= cue.start < stop)
            clauses.append(Clause(start, stop, sentence, whole[start:stop], inside))
        start, sentence = max(start, end), sentence + ends_sentence
    return clauses


def _reaches(cue: Cue) -> bool:
    """Tell whether a short cue of one language may be cut out of a value by chance: 吃过 in 吃过桥米线."""
    return _is_han(cue.words) and cue.kind in (Kind.PAST, Kind.PLAN, Kind.ADDITION, Kind.STILL, Kind.UNCERTAIN)


def holding(clauses: Sequence[Clause], value: str) -> list[Clause]:
    """Return the clauses that hold the most of a value's words; none where no clause holds any."""
    wanted = tokens(plain(value))
    held = [(sum(_stands_in(word, tokens(clause.text)) for word in wanted), clause) for clause in clauses]
    most = max((count for count, _ in held), default=0)
    # One Han sign of many is no sign of the value.
    enough = most > 0 and (most > 1 or len(wanted) == 1 or not _is_han(wanted[0]))
    return [clause for count, clause in held if enough and count == most]


def _stands_in(word: str, words: Iterable[str]) -> bool:
    shortest = 4
    return any(
        word == other
        or (min(len(word), len(other)) >= shortest and (other.startswith(word) or word.startswith(other)))
        for other in words
    )


def mentions_any(text: str, known: Sequence[str]) -> bool:
    """Tell whether a plain text names one of the known values."""
    return any(mentions(text, plain(old)) for old in known)


def _wording(
    clauses: Sequence[Clause], focus: Sequence[Clause], named: Sequence[Clause], context: set[str]
) -> list[tuple[Cue, bool]]:
    """Return the wording of change and end that can be about the value, and whether it is denied."""
    sentences = {clause.sentence for clause in focus}
    found = []
    for clause in clauses:
        if not focus or clause in focus or clause in named:
            kinds: tuple[Kind, ...] = _CHANGES
        elif clause.sentence in sentences and _bare(clause, context):
            kinds = (Kind.CHANGE, Kind.END)
        else:
            kinds = ()
        found += [(cue, _denied(cue, clause)) for cue in clause.cues if cue.kind in kinds]
    return found


def _bare(clause: Clause, context: set[str]) -> bool:
    """Tell whether a clause says little besides its wording of change: "we moved", and not "the bakery closed"."""
    inside = [cue for cue in clause.cues if cue.kind in (*_CHANGES, Kind.NEGATION, Kind.STILL, Kind.ADDITION)]
    left = "".join(
        " " if any(cue.start <= clause.start + at < cue.end for cue in inside) else sign
        for at, sign in enumerate(clause.text)
    )
    words = [word for word in tokens(left) if word not in context and word not in _SLIGHT]
    return sum(0.5 if _is_han(word) else 1.0 for word in words) <= _MOST_BESIDE


def _denied(cue: Cue, clause: Clause) -> bool:
    """Tell whether a word of denial stands before the wording, in the same clause and near it."""
    return any(
        other.kind is Kind.NEGATION
        and other.end <= cue.start
        and cue.start - other.end <= _DENIAL_REACH[cue.words.isascii() or not _is_han(cue.words[0])]
        and not any(
            between.kind in _CHANGES and between.start <= other.start and other.end <= between.end and between != cue
            for between in clause.cues
        )
        for other in clause.cues
    )


def _mood(
    whole: str,
    quoted: Sequence[tuple[int, int]],
    value: str | None,
    focus: Sequence[Clause],
    near: Sequence[Clause],
    known: Sequence[str],
) -> tuple[Mood, Cue | None]:
    asked = [cue for clause in near for cue in clause.cues if cue.kind is Kind.QUESTION]
    if cue := _first(focus, Kind.QUESTION) or next((cue for cue in asked if cue.words[-1] in _ASKING), None):
        return Mood.QUESTION, cue
    if cue := _first(near, Kind.HYPOTHETICAL):
        return Mood.HYPOTHETICAL, cue
    if cue := _first(focus, Kind.PLAN):
        return Mood.PLAN, cue
    if cue := _reported(whole, quoted, value, near):
        return Mood.QUOTATION, cue
    past = _first(focus, Kind.PAST)
    if past and not any(clause.has(Kind.NOW) or mentions_any(clause.text, known) for clause in focus):
        return Mood.PAST, past
    return Mood.ASSERTION, None


def _reported(
    whole: str, quoted: Sequence[tuple[int, int]], value: str | None, near: Sequence[Clause]
) -> Cue | None:
    """Return the verb of saying, where the value or the news stands in quotation marks that it introduces."""
    says = _first(near, Kind.SAYS)
    for start, end in quoted:
        news = next((cue for cue in cues(whole[start:end]) if cue.kind in _CHANGES), None)
        given = bool(value and holding(split(whole[start:end]), value))
        is_value = bool(value) and tokens(whole[start:end]) == tokens(plain(value or ""))
        if (says and (news or given)) or (news and given and not is_value):
            return says or news
    introduced = next((cue for clause in near for cue in clause.cues if cue.kind is Kind.SAYS), None)
    own = introduced and _SPEAKER.search(whole[max(0, introduced.start - 4) : introduced.start])
    if introduced and not own and value and _COLON.match(whole, introduced.end):
        return introduced if holding(split(whole[introduced.end :]), value) else None
    return None


def _other(clauses: Sequence[Clause], focus: Sequence[Clause], context: str, value: str | None) -> str | None:
    """Return the person who is the subject of the clause that counts, where neither key nor memory names them."""
    for clause in focus:
        at = clauses.index(clause)
        elided = bool(_PRONOUN.match(clause.text)) or any(
            cue.kind in _CHANGES and cue.start - clause.start <= _ELIDED[not _is_han(cue.words)] for cue in clause.cues
        )
        for candidate in (clause, *reversed(clauses[max(0, at - 1) : at] if elided else [])):
            if candidate.sentence != clause.sentence:
                break
            person = _subject_person(candidate)
            if person is not None:
                rest = candidate.text[person.end - candidate.start :]
                copula = (_BECOMES if _ROLE.search(context) else _COPULA).match(rest)
                names_value = bool(copula and value and holding([candidate._replace(text=rest)], value))
                return None if names_value or _named_in(person.words, context) else person.words
            if _SPEAKER.search(candidate.text):
                break
    return None


def _named_in(person: str, context: str) -> bool:
    same = synonyms()
    meant = {person, person.removeprefix("我"), same.get(person, person)}
    meant |= {word for word, first in same.items() if first in meant}
    return any(word in context for word in meant)


def _subject_person(clause: Clause) -> Cue | None:
    people = [cue for cue in clause.cues if cue.kind is Kind.PEOPLE]
    if not people:
        return None
    person = people[0]
    for further in people[1:]:  # in "Rosa's parents" and 阿珍的父母 it is the parents
        if _POSSESSIVE.fullmatch(clause.text[person.end - clause.start : further.start - clause.start]):
            person = further
    before = clause.text[: people[0].start - clause.start]
    after = clause.text[person.end - clause.start :]
    reach = _SUBJECT_REACH[not _is_han(person.words[0])]
    speaks = re.search(r"\b(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!家|们?家?的?$)", before)
    denied = any(cue.kind is Kind.NEGATION and cue.end <= person.start for cue in clause.cues)
    beside = _ADDRESS.match(after) or _OBJECT.search(before) or _ACTS_ON_SPEAKER.search(after)
    return person if len(before.strip()) <= reach and not (speaks or denied or beside) else None


def _without_lookalikes(found: Sequence[Cue]) -> list[Cue]:
    pairs = {Kind.NOW: Kind.NOT_NOW, Kind.ADDITION: Kind.NOT_ADDITION}
    return [
        cue
        for cue in found
        if not any(
            other.kind is pairs.get(cue.kind) and other.start < cue.end and cue.start < other.end for other in found
        )
    ]


def _first(clauses: Iterable[Clause], kind: Kind) -> Cue | None:
    return next((cue for clause in clauses if (cue := clause.has(kind))), None)


def _is_han(sign: str) -> bool:
    return "\u3400" <= sign[:1] <= "\u9fff"
