"""What a statement says besides its value: mood, whom it is about, change, end, addition, denial. Pure.

A text is cut into clauses; the clause that holds the value is the one that counts, and wording elsewhere counts only
where it can be about the same thing (`Kind` tells how far each kind reaches).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from graph.arbitration.clauses import Clause, count_in, first, holding, is_han, mentions_any, split
from graph.arbitration.lexicon import Cue, Kind, cues, is_small_talk, plain
from graph.arbitration.subjects import other_person, other_thing, telling_words
from graph.arbitration.values import tokens

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


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a statement. Each cue is the wording that says so, None where nothing does.

    `change`, `end` and `addition` are asserted; `denied` is a change or an end that the text says did not happen.
    `negates` is the word that denies the value itself, where nothing speaks of change.
    `other` names the person whom it is about, where that is not the one whose memory it is; `thing` what else the
    wording of change is about than what is known.
    """

    mood: Mood
    mood_cue: Cue | None = None
    other: str | None = None
    thing: str | None = None
    uncertain: Cue | None = None
    change: Cue | None = None
    end: Cue | None = None
    addition: Cue | None = None
    denied: Cue | None = None
    negates: Cue | None = None
    reverted: Cue | None = None
    still: Cue | None = None
    small_talk: bool = False


class _Found(NamedTuple):
    """Wording of change or of an end: whether it is denied, and the other thing that it is about, if any."""

    cue: Cue
    denied: bool
    thing: str | None


_QUOTED: Final = re.compile(
    r"“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"|《[^》]{0,400}》|(?<![\w’])’[^’]{3,400}’(?![\w’])"
)
_SPEAKER: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|my|our|me|us)\b|我|咱|俺|本人|自己")
_DENYING: Final = re.compile(r"not|\w+n’?t|never|没有?|不|不是|并非|从没|从未")
_MOST_BESIDE: Final = 2.0  # words, a Han sign being half a one
_SLIGHT: Final = frozenset(
    "i i’m i’ve we we’ve we’re it it’s they he she so and then in on at to of for with from by that this after last "
    "week month year today yesterday just all was is has have been got me us my our 我 们 了 的 都 就 已 经 上 个 周 月 "
    "年 天 今 昨 是 在 刚 才 把 给 被 啦 呢 吧 啊".split()
)
_COLON: Final = re.compile(r"\s*[:：](?!\d)")
_DENIAL_REACH: Final = {True: 26, False: 6}
_ASKING: Final = "?？吗么"  # at the end of a sentence they make the whole of it a question
_CHANGES: Final = (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)
_NAMING: Final = (
    Kind.CHANGE, Kind.ONTO, Kind.END, Kind.PLAN, Kind.HYPOTHETICAL, Kind.PAST, Kind.SAYS, Kind.UNCERTAIN, Kind.ADDITION,
)  # fmt: skip
_MOVES: Final = re.compile(r"\w{0,3}(?:mov|switch|chang|migrat)|.?[搬换改迁转切戒]")
_EMOJI: Final = "".join(map(chr, (*range(0x1F300, 0x1FAFF), *range(0x2600, 0x27BF), 0xFE0F)))
_MARKS: Final = " .!?~。！？～…,，\n\t:)(" + _EMOJI
_HAS_BECOME: Final = re.compile(r"[^，。,.!！太最极真好死坏没不过完错]{0,4}(?:了|啦|咯|喽)[\s。！!～~…" + _EMOJI + "]*$")


def read(text: str, *, value: str | None = None, known: Sequence[str] = (), context: str = "") -> Reading:
    """Read a statement that gives `value`.

    `known` are values that it may replace; `context` holds the words of the key and of what is known, in which a
    person may be named whom the statement is about all the same.
    """
    whole = plain(text[:LONGEST_READ])
    quoted = [match.span() for match in _QUOTED.finditer(whole)]
    meant, about = plain(value or ""), plain(context)
    clauses = [_without_known_words(clause, about) for clause in split(whole, quoted, meant)]
    telling = [clause for clause in clauses if clause.has(*_CHANGES)]
    if is_small_talk(whole.strip(_MARKS)) and not any(clause.has(Kind.CHANGE, Kind.ONTO, Kind.END) for clause in telling):
        return Reading(Mood.ASSERTION, small_talk=True)
    focus = holding(clauses, value) if value else []
    spoken = frozenset(tokens(about))
    sharing = [clause for clause in clauses if not value and spoken & set(tokens(clause.text))]
    read_in = focus or telling or sharing or clauses
    sentences = {clause.sentence for clause in read_in}
    near = [clause for clause in clauses if clause.sentence in sentences]
    named = [clause for clause in clauses if mentions_any(clause.text, known)]
    found = _wording(clauses, focus, named, spoken, telling_words(about) if known and focus else None, meant, [plain(old) for old in known])
    end, change = _asserted(found, focus)
    mood, mood_cue = _mood(whole, quoted, value, read_in, near, known)
    negates = next((cue for clause in focus if (cue := _negating(clause, meant))), None)
    return Reading(
        mood,
        mood_cue,
        other=other_person(clauses, read_in, about, value),
        thing=None if end or change else _thing(found, focus),
        uncertain=first(near, Kind.UNCERTAIN),
        change=change,
        end=end,
        addition=first(read_in, Kind.ADDITION),
        denied=next((one.cue for one in found if one.denied), None),
        negates=negates if not found else None,
        reverted=first(clauses, Kind.REVERT),
        still=first(near, Kind.STILL),
    )


def _without_known_words(clause: Clause, about: str) -> Clause:
    """Leave out wording that what is known has too: it names the thing ("the guest wifi"), and says nothing of it."""
    return clause._replace(cues=tuple(cue for cue in clause.cues if not _is_known(cue, about)))


def _is_known(cue: Cue, about: str) -> bool:
    if cue.kind not in _NAMING or _MOVES.match(cue.words) or cue.words not in about:
        return False
    return is_han(cue.words) or bool(re.search(rf"\b{re.escape(cue.words)}\b", about))


def _asserted(found: Sequence[_Found], focus: Sequence[Clause]) -> tuple[Cue | None, Cue | None]:
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


def _thing(found: Sequence[_Found], focus: Sequence[Clause]) -> str | None:
    """Return the other thing that the value itself is said of."""
    return next((one.thing for one in found if one.thing and any(one.cue.start < clause.end and clause.start <= one.cue.start for clause in focus)), None)


def _negating(clause: Clause, value: str) -> Cue | None:
    """Return the word that denies the value where it stands: "I haven't gone paleo"."""
    words = tokens(value)
    at = clause.text.find(words[0]) if words else -1
    if at < 0:
        return None
    for cue in clause.cues:
        gap = clause.start + at - cue.end
        if cue.kind is Kind.NEGATION and _DENYING.fullmatch(cue.words) and 0 <= gap <= _reach(cue):
            return cue
    return None


def _wording(
    clauses: Sequence[Clause],
    focus: Sequence[Clause],
    named: Sequence[Clause],
    spoken: frozenset[str],
    about: frozenset[str] | None,
    value: str,
    known: Sequence[str],
) -> list[_Found]:
    """Return the wording of change and end that can be about the value."""
    sentences = {clause.sentence for clause in focus}
    found = []
    for clause in clauses:
        if not focus or clause in focus or clause in named:
            kinds: tuple[Kind, ...] = _CHANGES
        elif clause.sentence in sentences and _bare(clause, spoken):
            kinds = (Kind.CHANGE, Kind.END)
        else:
            kinds = ()
        become = _has_become(clause, value) if clause in focus else None
        for cue in (*clause.cues, *([become] if become else ())):
            if cue.kind in kinds:
                thing = other_thing(clause, cue, about, value, known) if about is not None else None
                found.append(_Found(cue, _denied(cue, clause), thing))
    return found


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
    inside = [cue for cue in clause.cues if cue.kind in (*_CHANGES, Kind.NEGATION, Kind.STILL, Kind.ADDITION)]
    left = list(clause.text)
    for cue in inside:
        start, end = cue.start - clause.start, min(cue.end - clause.start, len(left))
        left[start:end] = " " * (end - start)
    words = [word for word in tokens("".join(left)) if word not in context and word not in _SLIGHT]
    return sum(0.5 if is_han(word) else 1.0 for word in words) <= _MOST_BESIDE


def _denied(cue: Cue, clause: Clause) -> bool:
    """Tell whether a word of denial stands before the wording, in the same clause and near it."""
    near = [other for other in clause.cues if cue.start - 2 * _DENIAL_REACH[True] <= other.start <= cue.start]
    return any(
        other.kind is Kind.NEGATION
        and 0 <= cue.start - other.end <= _reach(cue)
        and not any(
            between.kind in _CHANGES and between.start <= other.start and other.end <= between.end and between != cue
            for between in near
        )
        for other in near
    )


def _reach(cue: Cue) -> int:
    return _DENIAL_REACH[not is_han(cue.words)]


def _mood(
    whole: str,
    quoted: Sequence[tuple[int, int]],
    value: str | None,
    focus: Sequence[Clause],
    near: Sequence[Clause],
    known: Sequence[str],
) -> tuple[Mood, Cue | None]:
    asked = [cue for clause in near for cue in clause.cues if cue.kind is Kind.QUESTION]
    if cue := first(focus, Kind.QUESTION) or next((cue for cue in asked if cue.words[-1] in _ASKING), None):
        return Mood.QUESTION, cue
    if cue := first(near, Kind.HYPOTHETICAL):
        return Mood.HYPOTHETICAL, cue
    if cue := first(focus, Kind.PLAN):
        return Mood.PLAN, cue
    if cue := _reported(whole, quoted, value, near):
        return Mood.QUOTATION, cue
    past = first(focus, Kind.PAST)
    if past and not any(clause.has(Kind.NOW) or mentions_any(clause.text, known) for clause in focus):
        return Mood.PAST, past
    return Mood.ASSERTION, None


def _reported(
    whole: str, quoted: Sequence[tuple[int, int]], value: str | None, near: Sequence[Clause]
) -> Cue | None:
    """Return the verb of saying, where the value or the news stands in quotation marks that it introduces."""
    says = first(near, Kind.SAYS)
    wanted = tokens(plain(value or ""))
    for start, end in quoted:
        inside = whole[start:end]
        news = next((cue for cue in cues(inside) if cue.kind in _CHANGES), None)
        words = tokens(inside)
        given = bool(wanted) and count_in(wanted, words) > 0 and bool(holding(split(inside), value or ""))
        if (says and (news or given)) or (news and given and words != wanted):
            return says or news
    introduced = next((cue for clause in near for cue in clause.cues if cue.kind is Kind.SAYS), None)
    own = introduced and _SPEAKER.search(whole[max(0, introduced.start - 4) : introduced.start])
    if introduced and not own and value:
        colon = _COLON.match(whole, introduced.end)
        return introduced if colon and holding(split(whole[colon.end() :]), value) else None
    return None
