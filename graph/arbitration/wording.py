"""What a statement says besides its value: mood, whom it is about, change, end, addition, denial. Pure.

A text is cut into clauses; the clause that holds the value is the one that counts, and wording elsewhere counts only
where it can be about the same thing (`Kind` tells how far each kind reaches).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from graph.arbitration.changes import (
    CHANGES,
    EMOJI,
    asserted,
    is_verb_of_change,
    negating,
    other_than_known,
    wording_of_change,
)
from graph.arbitration.clauses import Clause, count_in, first, holding, is_han, mentions_any, split
from graph.arbitration.lexicon import Cue, Kind, cues, is_small_talk, plain, slight
from graph.arbitration.people import other_person
from graph.arbitration.subjects import SPEAKER, reported_by, strays, telling_words
from graph.arbitration.values import same, tokens


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
    `negates` is the word that denies the value itself, where nothing speaks of change; `refuted` the change to it that
    the text says did not happen; `over` the end of the value itself, where nothing comes instead.
    `rest` says that the rest of what is known stays as it was.
    `other` names the person whom it is about, where that is not the one whose memory it is; `thing` what else the
    wording of change is about than what is known. `strays` tells that the text names nothing that is known.
    """

    mood: Mood
    mood_cue: Cue | None = None
    other: str | None = None
    thing: str | None = None
    strays: bool = False
    uncertain: Cue | None = None
    change: Cue | None = None
    end: Cue | None = None
    addition: Cue | None = None
    denied: Cue | None = None
    negates: Cue | None = None
    refuted: Cue | None = None
    over: Cue | None = None
    reverted: Cue | None = None
    still: Cue | None = None
    small_talk: bool = False
    rest: Cue | None = None


_QUOTED: Final = re.compile(
    r"“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"|《[^》]{0,400}》|(?<![\w’])’[^’]{3,400}’(?![\w’])"
)
_COLON: Final = re.compile(r"\s*[:：](?!\d)")
_ASKING: Final = "?？吗么"  # at the end of a sentence they make the whole of it a question
_NAMING: Final = (
    Kind.CHANGE, Kind.ONTO, Kind.END, Kind.PLAN, Kind.HYPOTHETICAL, Kind.PAST, Kind.SAYS, Kind.UNCERTAIN, Kind.ADDITION,
    Kind.STILL,
)  # fmt: skip
_PAST_FORM: Final = re.compile(
    r"(?:\w+ed|went|gone|took|taken|got|bought|became|swapped|moved|cut|put|set|sold|left)\b"
)
_DONE_NOW: Final = re.compile(r"[了啦咯喽][\s。！!～~…)）,，]*$")
_CONDITION: Final = re.compile(
    r"if|would|wish|should have|could have|what if"
    r"|要是|如果|假如|假设|倘若|真希望|但愿|梦|差点|差一点|就好了|小说|电影|游戏"
)
_AWAY: Final = re.compile(r"\b(?:from|off|away)$|^从")
_MODAL: Final = re.compile(
    r"\b(?:would|could|might|may|will|shall|should|wish|were|had)\b|’(?:d|ll)\b"
    r"|\b(?:switch|mov|chang|migrat|quit|join|leav|replac|upgrad|cancel|stop|get|buy|sell|start)\w*\b"
)
"""What makes an "if" more than a habit ("if anything aches I go to")."""

_STAYS: Final = re.compile(r"still|stays?|unchanged|仍|依然|依旧|还[是在]|照[旧常]|没动")
_WHEN_DONE: Final = re.compile(r"as soon as|等")
_BEGINNING: Final = 4  # characters
_FEW: Final = 3  # words of a clause that only tells when
_CAUSES: Final = ("帮我", "让我", "叫我", "催我", "劝我", "建议", "推荐")
_ENDED_WITHIN: Final = 14  # characters after wording of an end in which what is over is named
_GOVERNED: Final = 24  # characters from wording of a plan to the change that it plans
_MARKS: Final = " .!?~。！？～…,，\n\t:)(" + EMOJI


def read(text: str, *, value: str | None = None, known: Sequence[str] = (), context: str = "") -> Reading:
    """Read a statement that gives `value`.

    `known` are values that it may replace; `context` holds the words of the key and of what is known, in which a
    person may be named whom the statement is about all the same.
    """
    whole = plain(text)
    quoted = [match.span() for match in _QUOTED.finditer(whole)]
    meant, about = plain(value or ""), plain(context)
    clauses = [_without_known_words(clause, about) for clause in split(whole, quoted, meant)]
    telling = [clause for clause in clauses if clause.has(*CHANGES)]
    if (
        value is None
        and is_small_talk(whole.strip(_MARKS))
        and not any(clause.has(Kind.CHANGE, Kind.ONTO, Kind.END) for clause in telling)
    ):
        return Reading(Mood.ASSERTION, small_talk=True)
    focus = holding(clauses, value) if value else []
    spoken = frozenset(tokens(about))
    sharing = [clause for clause in clauses if not value and spoken & set(tokens(clause.text))]
    read_in = focus or telling or sharing or clauses
    sentences = {clause.sentence for clause in read_in}
    near = [clause for clause in clauses if clause.sentence in sentences]
    named = [clause for clause in clauses if mentions_any(clause.text, known)]
    # A known value whose words do not stand in the text: the caller says that the text is about it.
    implied = value is not None and any(same(value, old) for old in known)
    found = wording_of_change(
        clauses,
        focus,
        named,
        spoken,
        telling_words(about) if known and not (implied and not focus) else None,
        meant,
        [plain(old) for old in known],
        about,
    )
    end, change = asserted(found, focus)
    mood, mood_cue = _mood(whole, quoted, value, read_in, near, known)
    if mood is Mood.ASSERTION and known and any(reported_by(clause, telling_words(about), meant) for clause in focus):
        mood = Mood.QUOTATION
    negates = next((cue for clause in focus if (cue := negating(clause, meant))), None)
    return Reading(
        mood,
        mood_cue,
        other=other_person(clauses, read_in, about, value),
        thing=None if end or change else other_than_known(found, focus),
        strays=bool(known and meant) and strays(whole, telling_words(about), meant),
        uncertain=first(
            [clause for clause in near if clause.start == 0 or whole[clause.start - 1] not in "(（"], Kind.UNCERTAIN
        ),
        change=change,
        end=end,
        addition=first(focus or read_in[:1], Kind.ADDITION) or _opening(clauses, focus or read_in[:1]),
        denied=next((one.cue for one in found if one.denied), None),
        negates=negates if not found else None,
        over=end if end and not change and meant and _ends(end, focus, meant) else None,
        refuted=next((one.cue for one in found if one.denied and _leads_to(one.cue, focus, meant)), None),
        reverted=first(clauses, Kind.REVERT),
        still=first(near, Kind.STILL),
        rest=_rest(clauses, focus or telling[:1], telling_words(about)),
    )


def _opening(clauses: Sequence[Clause], focus: Sequence[Clause]) -> Cue | None:
    """Return the wording of addition with which a sentence begins before the clause that counts: "Besides, I …"."""
    before = [one for one in clauses if focus and one.end == focus[0].start and one.sentence == focus[0].sentence]
    return first((one for one in before if len(tokens(slight().sub(" ", one.text))) <= 1), Kind.ADDITION)


def _rest(clauses: Sequence[Clause], focus: Sequence[Clause], spoken: frozenset[str]) -> Cue | None:
    """Return the wording that only a part has changed: "everything else stays", or that something known goes on."""
    beside = [clause for clause in clauses if clause not in focus]
    goes_on = [clause for clause in beside if focus and telling_words(clause.text) & spoken]
    return first(clauses, Kind.REST) or next((cue for cue in _of(goes_on, Kind.STILL) if _STAYS.match(cue.words)), None)


def _leads_to(cue: Cue, focus: Sequence[Clause], value: str) -> bool:
    """Tell whether a change is one to the value: "not moved to Oslo", and not "not moved, still in Oslo"."""
    if cue.kind is Kind.END or _AWAY.search(cue.words):
        return False
    clause = next((one for one in focus if one.start <= cue.start < one.end), None)
    return clause is not None and bool(holding([clause._replace(text=clause.text[cue.end - clause.start :])], value))


def _ends(cue: Cue, focus: Sequence[Clause], value: str) -> bool:
    """Tell whether the value stands in the wording of an end or directly after it: "no longer use Go"."""
    clause = next((one for one in focus if one.start <= cue.start < one.end), None)
    if clause is None:
        return False
    reach = clause.text[cue.start - clause.start : cue.end - clause.start + _ENDED_WITHIN]
    return bool(holding([clause._replace(text=reach)], value))


def _without_known_words(clause: Clause, about: str) -> Clause:
    """Leave out wording that what is known has too: it names the thing ("the guest wifi"), and says nothing of it."""
    return clause._replace(cues=tuple(cue for cue in clause.cues if not _is_known(cue, about)))


def _is_known(cue: Cue, about: str) -> bool:
    if cue.kind not in _NAMING or is_verb_of_change(cue) or cue.words not in about:
        return False
    return is_han(cue.words) or bool(re.search(rf"\b{re.escape(cue.words)}\b", about))


# One return for each mood.
def _mood(  # noqa: PLR0911
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
    news = value is not None and not any(same(value, old) for old in known)
    if news and (cue := next(iter(_of(near, Kind.UNDONE)), None)):
        return Mood.HYPOTHETICAL, cue
    done = _done(focus) if value else None
    habit = not any(_MODAL.search(clause.text) for clause in near)
    conditions = (cue for cue in _of(near, Kind.HYPOTHETICAL) if not (habit and cue.words == "if"))
    if cue := next((cue for cue in conditions if _governs(cue, done)), None):
        return Mood.HYPOTHETICAL, cue
    if cue := next((cue for cue in _of(focus, Kind.PLAN) if _governs(cue, done)), None):
        return Mood.PLAN, cue
    if cue := next((cue for cue in _of(near, Kind.PLAN) if _WHEN_DONE.match(cue.words)), None):
        return Mood.PLAN, cue
    if done is None and (cue := _planned_before(near, focus)):
        return Mood.PLAN, cue
    if cue := _reported(whole, quoted, value, near):
        return Mood.QUOTATION, cue
    past = first([*focus, *(clause for clause in near if _only_of_time(clause))], Kind.PAST)
    if past and not any(clause.has(Kind.NOW) or mentions_any(clause.text, known) for clause in focus):
        return Mood.PAST, past
    return Mood.ASSERTION, None


def _planned_before(near: Sequence[Clause], focus: Sequence[Clause]) -> Cue | None:
    """Return the wording of a plan in the clause before one that goes on with it: 打算把车卖掉, 换一台."""
    for clause in focus:
        before = [one for one in near if one.end == clause.start and not _DONE_NOW.search(one.text)]
        if (
            before
            and not SPEAKER.search(clause.text)
            and clause.has(Kind.CHANGE, Kind.ONTO)
            and not clause.has(Kind.NOW)
        ):
            return before[0].has(Kind.PLAN)
    return None


def _only_of_time(clause: Clause) -> bool:
    """Tell whether a clause says no more than when: "in the nineties", 那都是九几年的事了."""
    words = tokens(slight().sub(" ", clause.text))
    return not clause.has(*CHANGES, Kind.STILL) and len(words) <= _FEW


def _of(clauses: Sequence[Clause], kind: Kind) -> Iterable[Cue]:
    return (cue for clause in clauses for cue in clause.cues if cue.kind is kind)


def _done(focus: Sequence[Clause]) -> Cue | None:
    """Return the verb by which the text says, of the value, that a change is done: "renamed it to", 升级到 … 了."""
    for clause in focus:
        for cue in clause.cues:
            if cue.kind not in (Kind.CHANGE, Kind.ONTO):
                continue
            if _PAST_FORM.match(cue.words) or (is_han(cue.words) and _DONE_NOW.search(clause.text)):
                return cue
    return None


def _governs(cue: Cue, done: Cue | None) -> bool:
    """Tell whether wording of a plan or of what is not so governs the change: "want to move", not "moved, nearly sold".

    A change that is told as done is governed by what stands before it, and by a condition wherever that stands.
    """
    if done is None or _CONDITION.match(cue.words):
        return True
    if is_han(cue.words) and cue.words[:2] in _CAUSES:
        return False
    return 0 <= done.start - cue.end <= _GOVERNED


def _reported(whole: str, quoted: Sequence[tuple[int, int]], value: str | None, near: Sequence[Clause]) -> Cue | None:
    """Return the verb of saying, where the value or the news stands in quotation marks that it introduces."""
    says = first(near, Kind.SAYS)
    wanted = tokens(plain(value or ""))
    for start, end in quoted:
        inside = whole[start:end]
        news = next((cue for cue in cues(inside) if cue.kind in CHANGES), None)
        words = tokens(inside)
        given = bool(wanted) and count_in(wanted, words) > 0 and bool(holding(split(inside), value or ""))
        is_name = words == wanted and any(clause.has(Kind.CHANGE, Kind.ONTO) for clause in near)
        if (says and (news or given) and not is_name) or (news and given and words != wanted):
            return says or news
    introduced = next((cue for cue in _said(near) if _COLON.match(whole, cue.end)), None)
    if introduced is not None and value is None and _told_by_another(introduced, near):
        return introduced
    if introduced is None or not value or SPEAKER.search(whole[max(0, introduced.start - 4) : introduced.start]):
        return None
    return introduced if holding(split(whole[introduced.end :]), value) else None


def _told_by_another(says: Cue, near: Sequence[Clause]) -> bool:
    """Tell whether another person is named directly before a verb of saying: 朋友打趣."""
    people = _of(near, Kind.PEOPLE)
    return any(one.start <= _BEGINNING and 0 <= says.start - one.end <= _BEGINNING for one in people)


def _said(clauses: Sequence[Clause]) -> Iterable[Cue]:
    return (cue for clause in clauses for cue in clause.cues if cue.kind is Kind.SAYS)
