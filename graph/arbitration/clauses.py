"""A text cut into clauses, each with the wording that stands in it. Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from graph.arbitration.lexicon import Cue, Kind, cues, plain
from graph.arbitration.values import names_value, tokens


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


_SENTENCE: Final = re.compile(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\bvs)(?<!\bno)[.](?=\s|$)|[!?。！？\n…;；]+"
)
_CLAUSE: Final = re.compile(
    r",(?!\d{3})|:(?!\d)|[，、：()（）]|\s[-–—]+\s|—+"
    r"|\b(?:but|so that|whereas|although|though|because|so (?=(?:i|we|he|she|they)\b))\b"
    r"|(?:但是?|不过|可是|只是|然后|所以)"
)
_LOOKALIKES: Final = {Kind.NOW: Kind.NOT_NOW, Kind.ADDITION: Kind.NOT_ADDITION}
_CUT_BY_CHANCE: Final = (Kind.PAST, Kind.PLAN, Kind.ADDITION, Kind.STILL, Kind.UNCERTAIN)
_LONGEST_CLAUSE: Final = 240
_READ_LATELY: Final = 1_024
_SHORTEST_STEM: Final = 4


def split(whole: str, quoted: Sequence[tuple[int, int]] = (), value: str = "") -> list[Clause]:
    """Cut a plain text into clauses; wording in quotation marks is another's, and that in a value none: both go."""
    return list(_split(whole, tuple(quoted), value))


@lru_cache(maxsize=_READ_LATELY)
def _split(whole: str, quoted: tuple[tuple[int, int], ...], value: str) -> tuple[Clause, ...]:
    found = _heard(whole, quoted, value)
    marks = sorted(
        [(match.start(), match.end(), 1) for match in _SENTENCE.finditer(whole)]
        + [(match.start(), match.end(), 0) for match in _CLAUSE.finditer(whole)]
    )
    marks = _no_further_apart(marks, len(whole))
    clauses: list[Clause] = []
    start, sentence, at = 0, 0, 0
    for begin, end, ends_sentence in [*marks, (len(whole), len(whole), 1)]:
        if any(opened < begin < closed for opened, closed in quoted):
            continue
        # What ends a clause belongs to it: a question mark is wording.
        stop = max(start, end)
        first = at
        while at < len(found) and found[at].start < stop:
            at += 1
        if whole[start:stop].strip(" \t\n"):
            clauses.append(Clause(start, stop, sentence, whole[start:stop], tuple(found[first:at])))
        start, sentence = stop, sentence + ends_sentence
    return tuple(clauses)


def _no_further_apart(marks: Sequence[tuple[int, int, int]], length: int) -> list[tuple[int, int, int]]:
    """Return the marks with others between those that stand too far apart: a clause is not read at any length."""
    cut, last = [], 0
    for mark in [*marks, (length, length, 1)]:
        while mark[0] - last > _LONGEST_CLAUSE:
            last += _LONGEST_CLAUSE
            cut.append((last, last, 0))
        cut.append(mark)
        last = max(last, mark[1])
    return cut[:-1]


def holding(clauses: Sequence[Clause], value: str) -> list[Clause]:
    """Return the clauses that hold the most of a value's words; none where no clause holds any."""
    wanted = tokens(plain(value))
    held = [(count_in(wanted, tokens(clause.text)), clause) for clause in clauses]
    most = max((count for count, _ in held), default=0)
    # One Han sign of many is no sign of the value.
    enough = most > 0 and (most > 1 or len(wanted) == 1 or not is_han(wanted[0]))
    return [clause for count, clause in held if enough and count == most]


def count_in(wanted: Sequence[str], words: Sequence[str]) -> int:
    """Count the wanted words that stand among others, whole or as the stem of a longer one or the reverse."""
    return sum(stands_in(word, words) for word in wanted)


def stands_in(word: str, words: Iterable[str]) -> bool:
    """Tell whether a word is one of others, or begins one, or begins with one."""
    return any(
        word == other
        or (min(len(word), len(other)) >= _SHORTEST_STEM and (other.startswith(word) or word.startswith(other)))
        for other in words
    )


def mentions_any(text: str, known: Sequence[str]) -> bool:
    """Tell whether a plain text names one of the known values."""
    return any(names_value(text, plain(old)) for old in known)


def first(clauses: Iterable[Clause], kind: Kind) -> Cue | None:
    """Return the first wording of a kind in these clauses."""
    return next((cue for clause in clauses if (cue := clause.has(kind))), None)


def is_han(sign: str) -> bool:
    """Tell whether a text begins with a Han sign."""
    return "\u3400" <= sign[:1] <= "\u9fff"


def _heard(whole: str, quoted: Sequence[tuple[int, int]], value: str) -> list[Cue]:
    """Return the wording of a text that is the speaker's own, look-alikes left out."""
    signs = r"\s*".join(map(re.escape, value.replace(" ", ""))) if value else ""
    given = re.search(signs, whole) if signs else None
    span = given.span() if given else (0, 0)
    found = [
        cue
        for cue in cues(whole)
        if not any(start <= cue.start and cue.end <= end for start, end in quoted)
        and not (_cut_by_chance(cue) and cue.start < span[1] and span[0] < cue.end)
        and not (span[0] <= cue.start and cue.end <= span[1])
    ]
    lookalikes = {kind: [cue for cue in found if cue.kind is kind] for kind in _LOOKALIKES.values()}
    return [cue for cue in found if not _overlaps(cue, lookalikes.get(_LOOKALIKES.get(cue.kind, cue.kind), []))]


def _overlaps(cue: Cue, others: Sequence[Cue]) -> bool:
    return any(other is not cue and other.start < cue.end and cue.start < other.end for other in others)


def _cut_by_chance(cue: Cue) -> bool:
    """Tell whether a short cue of one language may be cut out of a value by chance: 吃过 in 吃过桥米线."""
    return is_han(cue.words) and cue.kind in _CUT_BY_CHANCE
