"""How the words of one language are read: a table of rules and the scanner that applies it. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graph.times.days import Reading, Reference

MOST_TRIED = 500
"""Places of one text that are tried in one language; later ones are left out, so that no text is expensive."""

# What may stand between the parts of "in May, June and July" or "from 2019 to 2021".
_JOINING = re.compile(
    r"\s{0,2}(?:,|&|-|–|—|~|/|,?\s{0,2}\b(?:and|or|to|until|till|through))\s{0,2}(?:the\s)?", re.ASCII
)
_LONGEST_JOINING = 16


class Found(NamedTuple):
    """One expression: where it stands, what it says, and whether it names a date rather than a distance."""

    begin: int
    stop: int
    reading: Reading
    absolute: bool


@dataclass(frozen=True, slots=True)
class Place:
    """What a rule may look at besides its own match: both forms of the text, its neighbours, the speaker.

    `joined`: another expression stands directly before, with "and", "to" or the like between.
    """

    original: str
    lowered: str
    joined: bool
    at: Reference

    def before(self, match: re.Match[str], length: int = 24) -> str:
        """Give the lowered text directly before a match."""
        return self.lowered[max(0, match.start() - length) : match.start()]

    def capital(self, match: re.Match[str], group: str) -> bool:
        """Tell whether that word was written with a capital letter."""
        return self.original[match.start(group)].isupper()


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and how to read it; `read` raises ValueError or OverflowError where it is no date after all.

    The pattern has no unnamed groups and only bounded repetitions, so that no text makes it slow. It is compiled
    for ASCII: a word of letters ends where Chinese signs begin.
    """

    pattern: str
    read: Callable[[re.Match[str], Place], Reading]
    absolute: bool = False


class Grammar:
    """The rules of one language, in order: of two that fit at one place the first that can be read wins."""

    def __init__(self, start: str, rules: Sequence[Rule]) -> None:
        self._rules = [(re.compile(rule.pattern, re.ASCII), rule) for rule in rules]
        # One pass over the text finds the places; only there the rules themselves are run.
        unnamed = "|".join(re.sub(r"\(\?P<\w+>", "(?:", rule.pattern) for rule in rules)
        self._any = re.compile(f"{start}(?:{unnamed})", re.ASCII)

    def scan(self, original: str, lowered: str, at: Reference) -> Iterator[Found]:
        """Yield the expressions of a text from left to right, none overlapping another."""
        position = stop = 0
        for _ in range(MOST_TRIED):
            hit = self._any.search(lowered, position)
            if hit is None:
                return
            begin = hit.start()
            between = lowered[stop:begin] if stop and begin - stop <= _LONGEST_JOINING else ""
            joined = bool(between) and _JOINING.fullmatch(between) is not None
            one = self._read(begin, Place(original, lowered, joined, at))
            if one is None:
                position = begin + 1
                continue
            yield one
            position = stop = one.stop

    def _read(self, begin: int, place: Place) -> Found | None:
        for pattern, rule in self._rules:
            match = pattern.match(place.lowered, begin)
            if match is None:
                continue
            try:
                return Found(begin, match.end(), rule.read(match, place), rule.absolute)
            except (ValueError, OverflowError):  # no date after all, or beyond the calendar
                continue
        return None
