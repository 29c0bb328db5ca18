"""From a question to Lucene queries for the two full-text indexes. Pure.

User text never reaches the query parser as syntax: it is cut into lower-case words, and a word that holds anything
but letters, digits and underscores goes in quotes. So does one with hiragana, of which the analyzer would else make a
clause for each sign.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from graph.scope import tag

MOST_WORDS: Final = 64
"""Words of a question that full text looks for; each costs time, and Lucene refuses more than 1,024 clauses."""

MOST_PAIRS: Final = 400
"""Pairs of Han signs that full text looks for."""

_HAN: Final = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]+")
_HIRAGANA: Final = re.compile(r"[\u3040-\u309f]")
_WORD: Final = re.compile(r"\w+(?:['’.:]\w+)*")

_STOP_WORDS: Final = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with".split()
)
"""Words that the `english` analyzer drops (Lucene's EnglishAnalyzer)."""

_EMPTY_WORDS: Final = frozenset(
    "what when where which who whom whose why how did does do doing done has have had having i me my we our you your "
    "he him his she her it its they them their am been being would could should can will shall may might must "
    "about from than so just also any some".split()
)
"""Words of a question that say nothing of its answer, beside those that the `english` analyzer drops."""


def words(text: str) -> list[str]:
    """Return the distinct words of a text that the `english` index is asked for, in order: the most telling ones."""
    return _parted(text)[0]


def left_out(text: str) -> list[str]:
    """Return the words and the stretches of Han signs that are not asked for, because there are too many."""
    return [*_parted(text)[1], *_runs_parted(text)[1]]


def _parted(text: str) -> tuple[list[str], list[str]]:
    """Return the words that are asked for and those that are not.

    The first word and the last are kept, and between them the longest: how rare a word is in the memory is not known
    here, and long words are the rare ones in any language that the index reads.
    """
    found = _words(text)
    between = sorted(range(1, len(found) - 1), key=lambda at: -len(found[at]))
    kept = {0, len(found) - 1, *between[: MOST_WORDS - 2]}
    return (
        [word for at, word in enumerate(found) if at in kept],
        [word for at, word in enumerate(found) if at not in kept],
    )


def _words(text: str) -> list[str]:
    """Return the distinct words of a text, in order.

    The index keeps single Han signs, so a Han run of one sign, of which the Chinese index makes no pair, is a word.
    Words that its analyzer drops are left out: a query of nothing else would match all that the scope holds.
    """
    found = [word for word in _WORD.findall(_HAN.sub(" ", text.lower())) if word not in _STOP_WORDS]
    telling = [word for word in found if word not in _EMPTY_WORDS]
    single = [run for run in _HAN.findall(text) if len(run) == 1]
    return list(dict.fromkeys([*(telling or found), *single]))


def runs(text: str) -> list[str]:
    """Return the Han runs of a text that the `cjk` index is asked for, in order; it cuts them into pairs of signs.

    Each pair is a clause of the query. Of more than `MOST_PAIRS`, those at both ends of the text are kept.
    """
    return _runs_parted(text)[0]


def _runs_parted(text: str) -> tuple[list[str], list[str]]:
    """Return the stretches of distinct runs that are asked for and those that are not."""
    found = list(dict.fromkeys(run for run in _HAN.findall(text) if len(run) > 1))
    total = sum(len(run) - 1 for run in found)
    first, last = (MOST_PAIRS // 2, total - MOST_PAIRS // 2) if total > MOST_PAIRS else (total, total)
    kept: list[str] = []
    left: list[str] = []
    begin = 0
    for run in found:
        end = begin + len(run) - 1
        for of, low, high in ((kept, 0, first), (left, first, last), (kept, last, total)):
            start, stop = max(begin, low), min(end, high)
            if start < stop:
                of.append(run[start - begin : stop - begin + 1])
        begin = end
    return kept, left


def lucene_query(
    terms: Sequence[str],
    group: str,
    audiences: Iterable[str],
    statuses: Iterable[str],
    days: tuple[int, int] | None = None,
) -> str | None:
    """Return the query that finds any of the terms within the scope; None where there are no terms.

    The scope's clauses are required and score nothing (`^0`). `days` are inclusive bounds as YYYYMMDD.
    """
    if not terms:
        return None
    seen_by = " ".join(f"audience_tag:{tag(group, audience)}" for audience in audiences)
    standing = " ".join(f"status:{status}" for status in statuses)
    clauses = [f"+group_tag:{tag(group)}^0", f"+({seen_by})^0", f"+({standing})^0"]
    if days:
        clauses.append(f"+day_token:[{days[0]:08} TO {days[1]:08}]^0")
    clauses.append(f"+window:({' '.join(map(_term, terms))})")
    return " ".join(clauses)


def _term(word: str) -> str:
    return word if word.isalnum() and not _HIRAGANA.search(word) else f'"{word}"'
