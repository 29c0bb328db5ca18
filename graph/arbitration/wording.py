"""What a statement says besides its value: mood, whom it is about, change, end, addition, denial. Pure.

A text is cut into clauses; the clause that holds the value is the one that counts, and wording elsewhere counts only
where it can be about the same thing (`Kind` tells how far each kind reaches).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graph.arbitration.changes import (
    CHANGES,
    EMOJI,
    Found,
    apart,
    asserted,
    is_verb_of_change,
    negating,
    other_than_known,
    wording_of_change,
)
from graph.arbitration.clauses import Clause, first, holding, is_han, mentions_any, split, stands_in
from graph.arbitration.lexicon import Cue, Kind, is_small_talk, plain, slight
from graph.arbitration.moods import Mood, mood_of, of_kind
from graph.arbitration.people import SPEAKER_ACTS, other_person
from graph.arbitration.subjects import SPEAKER, reported_by, strays, telling_words
from graph.arbitration.values import same, tokens


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a statement. Each cue is the wording that says so, None where nothing does.

    `change`, `end` and `addition` are asserted; `denied` is a change or an end that the text says did not happen.
    `negates` is the word that denies the value itself, where nothing speaks of change; `refuted` the change to it that
    the text says did not happen; `over` the end of the value itself, where nothing comes instead.
    `news` is all wording of change and end that is asserted, `change` and `end` among it.
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
    news: tuple[Cue, ...] = ()


_STEM: Final = 4  # letters that the forms of a word share: "Shipping", of "we ship"
_NAME: Final = re.compile(
    r"\W*([A-Z][\w’'-]+)(?: [A-Z][\w’'-]+)?(?: (?:has|have|had|just|finally|also|recently)|’s)*\s*"
)
_QUOTED: Final = re.compile(
    r"“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"|《[^》]{0,400}》|(?<![\w’])’[^’]{3,400}’(?![\w’])"
)
_NAMING: Final = (
    Kind.CHANGE, Kind.ONTO, Kind.END, Kind.PLAN, Kind.HYPOTHETICAL, Kind.PAST, Kind.SAYS, Kind.ADDITION,
    Kind.STILL,
)  # fmt: skip
_AWAY: Final = re.compile(r"\b(?:from|off|away)$|^从")

_STAYS: Final = re.compile(r"still|stays?|unchanged|仍|依然|依旧|还[是在]|照[旧常]|没动")
_ENDED_WITHIN: Final = 14  # characters after wording of an end in which what is over is named
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
    if known and meant:
        found = [_of_a_stranger(one, text, clauses, f"{context}\n{value}") for one in found]
    end, change = asserted(found, focus)
    mood, mood_cue = mood_of(whole, quoted, value, read_in, near, known)
    if mood is Mood.ASSERTION and known and any(reported_by(clause, telling_words(about), meant) for clause in focus):
        mood = Mood.QUOTATION
    negates = next((cue for clause in focus if (cue := negating(clause, meant))), None)
    return Reading(
        mood,
        mood_cue,
        other=other_person(clauses, focus or _of_speaker(read_in), about, value),
        thing=None if end or change else other_than_known(found, focus),
        strays=bool(known and meant) and strays(whole, telling_words(about), meant),
        uncertain=first(
            [clause for clause in near if clause.start == 0 or whole[clause.start - 1] not in "(（"], Kind.UNCERTAIN
        ),
        change=change,
        end=end,
        addition=_added(focus or read_in[:1]) or _opening(clauses, focus or read_in[:1], meant),
        denied=next((one.cue for one in found if one.denied), None),
        negates=negates if not found else None,
        over=end if end and not change and meant and _ends(end, focus, meant) else None,
        refuted=next((one.cue for one in found if one.denied and _leads_to(one.cue, focus, meant)), None),
        reverted=first(clauses, Kind.REVERT),
        still=first(near, Kind.STILL),
        news=apart(one.cue for one in found if not one.denied and one.thing is None),
        rest=_rest(clauses, focus or telling[:1], telling_words(about)),
    )


def _of_speaker(telling: Sequence[Clause]) -> Sequence[Clause]:
    """Return the clauses in which the speaker acts, where some do: "the kids have outgrown it, so I cancelled it"."""
    return [clause for clause in telling if SPEAKER_ACTS.search(clause.text)] or telling


def _of_a_stranger(one: Found, text: str, clauses: Sequence[Clause], context: str) -> Found:
    """Return wording of change as about the name with which its clause begins, where nothing known is called so."""
    clause = next(clause for clause in clauses if clause.start <= one.cue.start < clause.end)
    named = _NAME.fullmatch(text[clause.start : one.cue.start])
    if one.thing or named is None or SPEAKER.search(clause.text) or slight().search(named[1].lower()):
        return one
    if any(stands_in(word[:_STEM], tokens(context)) for word in tokens(named[1])):
        return one
    return one._replace(thing=named[1])


def _added(focus: Sequence[Clause]) -> Cue | None:
    """Return the first wording of addition that no denial stands before: not "we're not having another"."""
    for clause in focus:
        denied = [one.end for one in clause.cues if one.kind is Kind.NEGATION]
        for cue in clause.cues:
            if cue.kind is Kind.ADDITION and not any(end <= cue.start for end in denied):
                return cue
    return None


def _opening(clauses: Sequence[Clause], focus: Sequence[Clause], value: str) -> Cue | None:
    """Return the wording of addition with which a sentence begins before the clause that counts: "Besides, I …"."""
    before = [one for one in clauses if focus and one.end == focus[0].start and one.sentence == focus[0].sentence]
    bare = bool(focus) and bool(value) and not tokens(slight().sub(" ", focus[0].text.replace(value, " ")))
    return first((one for one in before if bare or len(tokens(slight().sub(" ", one.text))) <= 1), Kind.ADDITION)


def _rest(clauses: Sequence[Clause], focus: Sequence[Clause], spoken: frozenset[str]) -> Cue | None:
    """Return the wording that only a part has changed: "everything else stays", or that something known goes on."""
    beside = [clause for clause in clauses if clause not in focus]
    goes_on = [clause for clause in beside if focus and telling_words(clause.text) & spoken]
    return first(clauses, Kind.REST) or next(
        (cue for cue in of_kind(goes_on, Kind.STILL) if _STAYS.match(cue.words)), None
    )


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
