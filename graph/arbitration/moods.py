"""What kind of utterance a statement is: a question, a plan, a hypothesis, a quotation, a story of the past. Pure."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from graph.arbitration.changes import CHANGES
from graph.arbitration.clauses import Clause, count_in, first, holding, is_han, mentions_any, split
from graph.arbitration.lexicon import Cue, Kind, cues, plain, slight
from graph.arbitration.subjects import SPEAKER
from graph.arbitration.values import same, tokens

_COLON: Final = re.compile(r"\s*[:：](?!\d)")
_ASKING: Final = "?？吗么"  # at the end of a sentence they make the whole of it a question
_PAST_FORM: Final = re.compile(
    r"(?:\w+ed|went|gone|took|taken|got|bought|became|swapped|moved|cut|put|set|sold|left)\b"
)
_DONE_NOW: Final = re.compile(r"[了啦咯喽][\s。！!～~…)）,，]*$")
_CONDITION: Final = re.compile(
    r"if|would|wish|should have|could have|what if"
    r"|要是|如果|假如|假设|倘若|真希望|但愿|梦|差点|差一点|就好了|小说|电影|游戏"
)
# What makes an "if" more than a habit ("if anything aches I go to").
_MODAL: Final = re.compile(
    r"\b(?:would|could|might|may|will|shall|should|wish|were|had)\b|’(?:d|ll)\b"
    r"|\b(?:switch|mov|chang|migrat|quit|join|leav|replac|upgrad|cancel|stop|get|buy|sell|start)\w*\b"
)
_WHEN_DONE: Final = re.compile(r"as soon as|等")
_CALLED: Final = re.compile(r"(?:叫|名为|名叫|名是|called|named)\s*$")
_BEGINNING: Final = 4  # characters
_FEW: Final = 3  # words of a clause that only tells when
_CAUSES: Final = ("帮我", "让我", "叫我", "催我", "劝我", "建议", "推荐")
_GOVERNED: Final = 24  # characters from wording of a plan to the change that it plans


class Mood(StrEnum):
    """What kind of utterance a statement is; only an assertion changes what is known."""

    ASSERTION = "assertion"
    QUESTION = "question"
    PLAN = "plan"
    HYPOTHETICAL = "hypothetical"
    QUOTATION = "quotation"
    PAST = "past"


# One return for each mood.
def mood_of(  # noqa: PLR0911
    whole: str,
    quoted: Sequence[tuple[int, int]],
    value: str | None,
    focus: Sequence[Clause],
    near: Sequence[Clause],
    known: Sequence[str],
) -> tuple[Mood, Cue | None]:
    """Return what kind of utterance a plain text is, as to `value`, and the wording that says so.

    `focus` are the clauses that count, `near` those of their sentences; `known` values that are known.
    """
    asked = [cue for clause in near for cue in clause.cues if cue.kind is Kind.QUESTION]
    if cue := first(focus, Kind.QUESTION) or next((cue for cue in asked if cue.words[-1] in _ASKING), None):
        return Mood.QUESTION, cue
    news = value is not None and not any(same(value, old) for old in known)
    if news and (cue := next(iter(of_kind(near, Kind.UNDONE)), None)):
        return Mood.HYPOTHETICAL, cue
    done = _done(focus) if value else None
    habit = not any(_MODAL.search(clause.text) for clause in near)
    conditions = (cue for cue in of_kind(near, Kind.HYPOTHETICAL) if not (habit and cue.words == "if"))
    if cue := next((cue for cue in conditions if _governs(cue, done)), None):
        return Mood.HYPOTHETICAL, cue
    # An end that is told in a clause of its own is no plan: "not needed any more, please drop it".
    told = value is None and any(clause.has(Kind.END) and not clause.has(Kind.PLAN) for clause in focus)
    if cue := next((cue for cue in of_kind(focus, Kind.PLAN) if _governs(cue, done) and not told), None):
        return Mood.PLAN, cue
    if cue := next((cue for cue in of_kind(near, Kind.PLAN) if _WHEN_DONE.match(cue.words)), None):
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


def of_kind(clauses: Iterable[Clause], kind: Kind) -> Iterable[Cue]:
    """Return the wording of a kind in these clauses."""
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
        names = _CALLED.search(whole[:start]) is not None or any(clause.has(Kind.CHANGE, Kind.ONTO) for clause in near)
        is_name = words == wanted and names
        if (says and (news or given) and not is_name) or (news and given and words != wanted):
            return says or news
    introduced = next((cue for cue in of_kind(near, Kind.SAYS) if _COLON.match(whole, cue.end)), None)
    if introduced is not None and value is None and _told_by_another(introduced, near):
        return introduced
    if introduced is None or not value or SPEAKER.search(whole[max(0, introduced.start - 4) : introduced.start]):
        return None
    return introduced if holding(split(whole[introduced.end :]), value) else None


def _told_by_another(says: Cue, near: Sequence[Clause]) -> bool:
    """Tell whether another person is named directly before a verb of saying: 朋友打趣."""
    people = of_kind(near, Kind.PEOPLE)
    return any(one.start <= _BEGINNING and 0 <= says.start - one.end <= _BEGINNING for one in people)
