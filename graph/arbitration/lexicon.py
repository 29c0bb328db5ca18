"""The wording rules of both languages: patterns read from `rules/*.toml`, compiled once. Pure.

A text may mix languages, so that every text is read by the rules of both.
"""

import re
import tomllib
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from graph.arbitration.values import simplified, tokens


class Kind(StrEnum):
    """What a piece of wording says.

    `CHANGE` speaks of a change in its whole sentence, `ONTO` of one to what stands in the same clause, `NOW` that
    something holds now; `NOT_NOW` and `NOT_ADDITION` are look-alikes of the kinds they name.
    """

    CHANGE = "change"
    ONTO = "onto"
    NOW = "now"
    NOT_NOW = "not_now"
    END = "end"
    ADDITION = "addition"
    NOT_ADDITION = "not_addition"
    UNCERTAIN = "uncertain"
    PLAN = "plan"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    NEGATION = "negation"
    STILL = "still"
    REVERT = "revert"
    PAST = "past"
    SAYS = "says"
    PEOPLE = "people"
    NARROWS = "narrows"
    UNDONE = "undone"
    REST = "rest"


class Cue(NamedTuple):
    """Words of a kind, and where they stand in the text that was read."""

    kind: Kind
    words: str
    start: int
    end: int


LONGEST_READ: Final = 1_000
"""Characters of a statement that are read for wording; what is longer is no statement but a document."""

_READ_LATELY: Final = 4_096
LANGUAGES: Final = ("english", "chinese")
_REMARKS: Final = re.compile(r"[\s]*[.!?~,;。！？～…，、；\n()（）\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]+[\s]*")
_MOST_REMARKS: Final = 4
_INTERJECTION: Final = re.compile(
    r"(?:(?:(?:ha){2,}h?|hehe\w*|lol|lmao|rofl|ok(?:ay)?|yes|yep|yeah|well|oh|ah)(?![a-z])[\s,，.!！~～。]*"
    r"|[哈嗯哦啊嘿呵]+[\s,，.!！~～。]*|(?:好的|好吧|是的|对)[\s,，.!！~～。]+)+"
)
_APOSTROPHES: Final = str.maketrans({"'": "’", "‘": "’", "`": "’"})


def plain(text: str) -> str:
    """Return the text in the form that the patterns read, sign for sign.

    No more than `LONGEST_READ` of it; lower case, simplified signs; set phrases that say nothing ("as you know") are
    blanked.
    """
    # Some capitals have two signs in lower case; places must not move.
    lowered = "".join(low if len(low := sign.lower()) == 1 else sign for sign in text[:LONGEST_READ])
    whole = simplified(lowered.translate(_APOSTROPHES).translate(_cantonese()))
    return _fillers().sub(lambda match: " " * len(match.group()), whole)


@lru_cache(maxsize=_READ_LATELY)
def cues(text: str) -> tuple[Cue, ...]:
    """Return the wording of every kind in a plain text, in order; overlapping words of different kinds all count."""
    found = [
        Cue(kind, match.group(), match.start(), match.end())
        for kind, pattern in _patterns()
        for match in pattern.finditer(text)
        if match.end() > match.start()
    ]
    return tuple(sorted(found, key=lambda cue: (cue.start, cue.end, cue.kind)))


def is_small_talk(text: str) -> bool:
    """Tell whether a plain text is nothing but remarks that are not worth keeping."""
    if (said := _INTERJECTION.match(text)) and (rest := text[said.end() :]):
        return not tokens(slight().sub(" ", rest)) or is_small_talk(rest)
    remarks = [remark for remark in _REMARKS.split(text) if remark]
    if len(remarks) > _MOST_REMARKS:
        return False
    return any(pattern.fullmatch(text) for pattern in _small_talk()) or (
        bool(remarks) and all(any(pattern.fullmatch(one) for pattern in _small_talk()) for one in remarks)
    )


def without_interjection(text: str) -> str:
    """Return a text from behind the interjections on with which it begins: "haha yes, I live in"."""
    said = _INTERJECTION.match(plain(text))
    return text[said.end() :] if said and said.end() < len(text) else text


def many_valued_words() -> frozenset[str]:
    """Words that, as the last part of a key, say that it may hold many values at once."""
    return frozenset(word for language in LANGUAGES for word in _rules(language)["many"])


@cache
def singular_words() -> frozenset[str]:
    """Words that look like a plural and name one thing: an address, the opening hours."""
    return frozenset(_rules("english")["singular"].split())


@cache
def empty_words() -> frozenset[str]:
    """Latin words of change and time that say nothing of what a text speaks of."""
    return frozenset(_rules("english")["empty"].split())


@cache
def agents() -> frozenset[str]:
    """Words for those who bring a change about for others: a landlord, a doctor, a school."""
    return frozenset(word for language in LANGUAGES for word in _rules(language)["agents"].split())


@cache
def one_of_many() -> frozenset[str]:
    """Words for people of whom one may have several: a friend, 同事."""
    return frozenset(word for language in LANGUAGES for word in _rules(language)["one_of_many"].split())


@cache
def parts() -> frozenset[str]:
    """Words for parts and accessories: a strap, 机油."""
    return frozenset(word for language in LANGUAGES for word in _rules(language)["parts"].split())


@cache
def holders() -> tuple[str, ...]:
    """Words for what one has of a thing: lessons, an account, a membership."""
    return tuple(word for language in LANGUAGES for word in _rules(language)["holders"].split())


@cache
def states() -> frozenset[str]:
    """Words for what holds of a person whatever they do about it: an allergy, and not what is eaten."""
    return frozenset(word for language in LANGUAGES for word in _rules(language)["states"].split())


@cache
def sorts() -> re.Pattern[str]:
    """Words of a plain text that tell one of several of a kind from the others: a work phone, 备用手机."""
    return re.compile("|".join(_compiled(language, _rules(language)["sorts"]).pattern for language in LANGUAGES))


@cache
def slight() -> re.Pattern[str]:
    """Words of a plain text that name nothing: pronouns, adverbs, times, words of grammar."""
    return re.compile("|".join(_compiled(language, _rules(language)["slight"]).pattern for language in LANGUAGES))


@cache
def topics() -> dict[str, str]:
    """Return the words that belong to a common topic, with the topic's name."""
    return {
        word: name
        for language in LANGUAGES
        for name, words in _rules(language)["topics"].items()
        for word in words.split()
    }


@cache
def synonyms() -> dict[str, str]:
    """Return the words that stand for the same person or thing as the first of their line, which they are read as."""
    lines = (words.split() for language in LANGUAGES for words in _rules(language)["same"].values())
    return {word: line[0] for line in lines for word in line[1:]}


@cache
def key_words() -> dict[str, str]:
    """Return common words of keys with what speaks of them in the other language."""
    return dict(_rules("chinese")["key_words"])


@cache
def _patterns() -> list[tuple[Kind, re.Pattern[str]]]:
    return [
        (kind, _compiled(language, _rules(language).get(kind, ())))
        for language in LANGUAGES
        for kind in Kind
        if _rules(language).get(kind)
    ]


@cache
def _cantonese() -> dict[int, int]:
    signs = _rules("chinese")["cantonese"]
    return str.maketrans(signs["signs"], signs["mandarin"])


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile("|".join(_compiled(language, _rules(language)["filler"]).pattern for language in LANGUAGES))


@cache
def _small_talk() -> list[re.Pattern[str]]:
    return [_compiled(language, _rules(language)["ephemeral"]) for language in LANGUAGES]


def _compiled(language: str, patterns: Any) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    # Chinese writes no spaces; an English word may stand directly beside a Chinese sign.
    return re.compile(rf"(?<![a-z0-9_])(?:{joined})(?![a-z0-9_])" if language == "english" else joined)


@cache
def _rules(language: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "rules" / f"{language}.toml").read_text("utf-8"))
