"""From a question to Lucene queries for the two full-text indexes. Pure.

User text never reaches the query parser as syntax: it is cut into lower-case words, and a word that holds anything
but letters, digits and underscores goes in quotes.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from graph.scope import tag

MOST_WORDS: Final = 64
"""Words of a question that full text looks for; Lucene refuses queries of more than 1,024 clauses."""

MOST_PAIRS: Final = 400
"""Pairs of Han signs that full text looks for."""

_HAN: Final = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]+")
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
    """Return the distinct words of a text for the `english` index, in order.

    That index keeps single Han signs, so a Han run of one sign, of which the Chinese index makes no pair, is a word.
    Words that its analyzer drops are left out: a query of nothing else would match all that the scope holds.
    """
    found = [word for word in _WORD.findall(_HAN.sub(" ", text.lower())) if word not in _STOP_WORDS]
    telling = [word for word in found if word not in _EMPTY_WORDS]
    single = [run for run in _HAN.findall(text) if len(run) == 1]
    return list(dict.fromkeys([*(telling or found), *single]))[:MOST_WORDS]


def runs(text: str) -> list[str]:
    """Return the distinct Han runs of a text that the `cjk` index can cut into pairs of signs, in order.

    Each pair is a clause of the query; the run that would bring one too many is cut there, and the rest left out.
    """
    found: list[str] = []
    left = MOST_PAIRS
    for run in dict.fromkeys(run for run in _HAN.findall(text) if len(run) > 1):
        if left > 0:
            found.append(run[: left + 1])
            left -= len(run) - 1
    return found


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
    return word if word.isalnum() else f'"{word}"'
