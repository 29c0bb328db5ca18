"""What an end ends, and whether something comes instead, in a text without a key. Pure."""

import re
from collections.abc import Iterable
from typing import Final

from graph.arbitration.changes import apart
from graph.arbitration.clauses import Clause, split, stands_in
from graph.arbitration.contents import Content, content
from graph.arbitration.lexicon import Cue, Kind, plain, slight
from graph.arbitration.neighbours import DOINGS, clause_of, holding_words
from graph.arbitration.themes import SPEAKER_NAMED, SPEAKS
from graph.arbitration.values import tokens

_WAS: Final = frozenset(("was", "were"))
_OBJECT: Final = 2  # telling words after an end that may name what is over
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_GOES_ON: Final = re.compile(
    r"\s*(?:and |so |but |then )?(?:now,? |instead,? )?(?:it|he|she|they|that)(?:’s|’re| is| are| \w+s)\b|(?:而)?是"
    r"|\s*please (?:send|use|write|call|go|address|direct|ring|book|post)\b"
)
_IS: Final = re.compile(
    r"\s*(?:and |so |but )?(?:(?:my|our|the) [\w’ -]{2,30}? (?:is|are)\b"
    r"|(?:i|we)(?:’m|’re| am| are) (?:in|at|on|with|a|an|the)\b)"
)
_IS_IT: Final = re.compile(r"\s*(?:and |but )?[\w’-]+ (?:is|does|has)\W*$")
_NOW_DOES: Final = re.compile(
    r"\s*(?:现在|如今|目前)(?!没|不|无|[^，。]{0,6}(?:多了|好|舒服|轻松|清静|后悔|想|觉得|感觉|习惯))"
)
_DOES: Final = re.compile(
    r"\s*i (?:now |just |only |mostly )?(?:use|drive|take|have|go|eat|drink|play|live|work|deliver|wear|ride|buy|read|"
    r"watch|write|run|teach|study|train|pay|bank|shop|see)\b"
)
_INSTEAD: Final = re.compile(r"\b(?:it|them|those|ourselves|myself|instead)\b")
_AND: Final = re.compile(r"\b(?:and|then|so)\b")
_SO: Final = re.compile(r"\s*(?:and |so |then )+(?:i |we |now )*\w+")
_INTRANSITIVE: Final = re.compile(
    r"(?:been|was|were|is|are|got|has|have|came|come|ended|expired|lapsed|closed|folded|died|went|gone|broke|ran out)\b"
)
_PARTICLE: Final = re.compile(r"^ (?:down|off|up|out|away|over|back)\b")
_TAKES_OBJECT: Final = re.compile(r"[不没]|退订|取消|卸载|戒|停用|放弃|注销|取关")


def ends_more(cue: Cue, new: str, known: set[str]) -> bool:
    """Tell whether the clause of an end names what is not known: another thing is over than what is known."""
    clause = clause_of(plain(new), cue)
    if clause is None or _INTRANSITIVE.match(cue.words):
        return False
    rest = _PARTICLE.sub("", clause.text[cue.end - clause.start :])
    if _HAN.match(cue.words):
        if not _TAKES_OBJECT.match(cue.words):
            return False
        rest = (cue.words[1:] if cue.words[0] in "不没" else "") + rest
    told = content(slight().sub(" ", rest)).words[:_OBJECT]
    spoken = known | DOINGS | holding_words()
    return any(not stands_in(word, spoken) for word in told)


def names_another(new: str, cue: Cue, context: str) -> bool:
    """Tell whether an end is told of something that neither key nor memory name: "no longer use Python", of Java."""
    clause = clause_of(plain(new), cue)
    if clause is None:
        return False
    known = set(content(context).words) - DOINGS
    beside = clause.text[: cue.start - clause.start] + " " + clause.text[cue.end - clause.start :]
    told = set(content(slight().sub(" ", beside if cue.words.isascii() else clause.text)).words) - DOINGS
    lone = len(told) == 1 and bool(_HAN.match(next(iter(told))))  # one Han sign is hardly a word
    return bool(told) and not lone and not told & known


def has_successor(end: Cue, old: str, new: str, known: set[str]) -> bool:
    """Tell whether the text says what has come instead: a change to something new, or words that go on to it."""
    before = content(old)
    speaks = bool(SPEAKER_NAMED.search(plain(old)))
    return any(
        _succeeds(clause, stretch, end, before, known, speaks=speaks)
        for clause in split(plain(new))
        for stretch in _stretches(clause)
    )


def _succeeds(
    clause: Clause, stretch: tuple[int, int], end: Cue, before: Content, known: set[str], *, speaks: bool
) -> bool:
    """Tell whether a part of a text names something new that has come instead of what is over."""
    start, stop = stretch
    part = clause.text[start:stop]
    said = content(part)
    again = set(said.words) & known
    here = [cue for cue in clause.cues if start <= cue.start - clause.start < stop]
    inside = apart(cue for cue in here if not (cue.start < end.end and end.start < cue.end))
    if not set(said.words) - known or said.denies:
        return False
    telling = next((cue.kind for cue in inside if cue.kind in (Kind.ONTO, Kind.CHANGE, Kind.END)), None)
    if telling is not None:  # what comes first tells: "was moved to left back" is no end
        return telling is not Kind.END
    if _NOW_DOES.match(part) and end not in here:
        return True
    goes_on = (
        bool(_GOES_ON.match(part))
        or bool(not speaks and _IS_IT.match(part))
        or bool(again and _IS.match(part))
        or _goes_on_of_speaker(part, again)
    )
    now = any(cue.kind is Kind.NOW and (end not in here or cue.start >= end.end) for cue in inside)
    of_speaker = speaks and bool(SPEAKS.match(part.strip().removeprefix("now").lstrip(" ,")))
    about_it = goes_on or of_speaker or again or said.topics & before.topics
    return bool((now and about_it) or (goes_on and end not in here))


def _goes_on_of_speaker(part: str, again: set[str]) -> bool:
    """Tell whether a part says what the speaker does instead: "so I buy my beans at", and not "it was too far"."""
    if _WAS & set(tokens(part)):
        return False
    if again and SPEAKS.match(part.strip()):
        return True
    return bool(_DOES.match(part) or (SPEAKS.match(part.strip()) and _INSTEAD.search(part))) or bool(
        _SO.match(part) and again
    )


def _stretches(clause: Clause) -> Iterable[tuple[int, int]]:
    """Yield where the parts of a clause begin and end that "and" joins."""
    start = 0
    for match in _AND.finditer(clause.text):
        yield start, match.start()
        start = match.start()
    yield start, len(clause.text)
