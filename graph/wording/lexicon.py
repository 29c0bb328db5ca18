"""The words that reading goes by: classes of wording and small talk of both languages, names of keys. Pure.

They are kept as data (`english.toml`, `chinese.toml`, `keys.toml`) and compiled once. A text may mix languages, so
that every text is read by both.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

LANGUAGES: Final = ("english", "chinese")
SMALL_TALK: Final = "small_talk"
CLASSES: Final = (
    "speaker", "speakers", "person", "correct", "pause", "end", "change", "deny", "still", "plan", "if",
    "doubt", "report", "also",
    "partly", "past", "compare", "ask", "reply", "they", "plural",
)  # fmt: skip
"""The classes of wording; where several meet in a word, the first counts in a text's sequence of classes."""

_CONTRACTED: Final = re.compile(r"n't\b")
_REMARKS: Final = re.compile(
    r"[\s]*[.!?~,;:)(。！？～…，、；：\n（）\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d❤]+[\s]*"
)
_MOST_REMARKS: Final = 5


class Cue(NamedTuple):
    """Words of a class, and where they stand in the text."""

    start: int
    end: int
    kind: str


def cues(text: str) -> list[Cue]:
    """Return the words of every class in a text as `wording.marking.plain` gives it."""
    found = [
        Cue(match.start(), match.end(), kind)
        for kind, patterns in _classes()
        for pattern in patterns
        for match in pattern.finditer(text)
        if match.end() > match.start()
    ]
    return found + [Cue(match.start(), match.end(), "deny") for match in _CONTRACTED.finditer(text)]


def has(text: str, *kinds: str) -> bool:
    """Tell whether a plain text has words of one of these classes."""
    return any(pattern.search(text) for kind, patterns in _classes() if kind in kinds for pattern in patterns)


def turns_before(spaced: str, joined: str) -> bool:
    """Tell whether words before a value turn it into another ("former", 前): its last word, or signs in a row."""
    return any(pattern.search(text) for pattern in _turning("turns_before", r"(?:{})$") for text in (spaced, joined))


def turns_after(spaced: str, joined: str) -> bool:
    """Tell whether words behind a value turn it into another ("less")."""
    return any(pattern.match(text) for pattern in _turning("turns_after", r"(?:{})") for text in (spaced, joined))


def is_small_talk(text: str) -> bool:
    """Tell whether a plain text is nothing but remarks of the closed list: greetings, thanks, laughter, weather."""
    remarks = [remark for remark in _REMARKS.split(text) if remark]
    patterns = [pattern for language in LANGUAGES for pattern in _small_talk(language)]
    return 0 < len(remarks) <= _MOST_REMARKS and all(
        any(pattern.fullmatch(remark) for pattern in patterns) for remark in remarks
    )


def key_words(kind: str) -> frozenset[str]:
    """Return the words that, as the last part of a key, tell its kind (many, series, ordered)."""
    return frozenset(word for line in _table("keys")[kind] for word in line.split())


@cache
def relatives() -> Mapping[str, str]:
    """Return what relatives are called, with the word that stands for all of a line: mum is mother, 弟 brother."""
    lines: Sequence[str] = _table("keys")["relatives"]
    return {word: line.split()[0] for line in lines for word in line.split()}


@cache
def states() -> Mapping[str, int]:
    """Return the states that follow each other with their rank: planned is before started, started before done."""
    ladders: Sequence[Sequence[str]] = _table("keys")["ladder"]
    return {word: rank for rank, line in enumerate(ladders) for word in line}


@cache
def _classes() -> list[tuple[str, list[re.Pattern[str]]]]:
    tables = [(language, _table(language)) for language in LANGUAGES]
    return [
        (kind, [_compiled(language, table[kind]) for language, table in tables if kind in table]) for kind in CLASSES
    ]


@cache
def _turning(table: str, form: str) -> list[re.Pattern[str]]:
    return [re.compile(form.format("|".join(f"(?:{pattern})" for pattern in _table(one)[table]))) for one in LANGUAGES]


@cache
def _small_talk(language: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern) for pattern in _table(language)[SMALL_TALK]]


def _compiled(language: str, patterns: Sequence[str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    # Chinese writes no spaces; an English word may stand directly beside a Chinese sign.
    return re.compile(rf"(?<![a-z0-9_])(?:{joined})(?![a-z0-9_])" if language == "english" else joined)


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))
