"""Words of a text, for both languages: content words, phrases held, likeness. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

_LATIN = re.compile(r"[a-z0-9]+(?:[.,:'\-/][a-z0-9]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_FILLERS = re.compile(
    r"[的了是在和就都也还很又把被给让跟与及或从到对着过吗呢吧啊呀嘛哦我你您他她它们这那哪有个一不没会要能可以么什样些月日号看怎]"
)

_STOP = frozenset(
    "a an the and or but if then than so as at by for from in into of off on onto out over to up with within without "
    "about after again all also am any are aren't be been before being both can can't could did didn't do does doesn't "
    "doing don't each few had has have having he her here hers him his how i i'm i've i'll i'd if in is isn't it it's "
    "its just let's me more most much my no nor not now of once one only other our ours own same she should some such "
    "that that's their them there these they they're this those through too under until us very was wasn't we we're "
    "we'll were what what's when where which while who whom whose why will won't would you you're your yours got get "
    "did done went go goes gone going come came per via yes around day days time much many".split()
)

CUES = {
    "en": (
        "because",
        "due to",
        "owing to",
        "therefore",
        "thanks to",
        "that is why",
        "that's why",
        "as a result",
        "on account of",
        "caused by",
        "the reason",
    ),
    "zh": ("因为", "由于", "因此", "所以", "导致", "害得", "结果", "怪不得", "多亏", "原因"),
}
"""Words that state a cause outright. Only a link carried by wording may use them."""


@cache
def plain(text: str) -> str:
    """Return the text in NFKC and lower case."""
    return unicodedata.normalize("NFKC", text).casefold()


@cache
def stem(word: str) -> str:
    """Cut an English word's commonest endings; words with digits stay whole."""
    if not word.isalpha():
        return word.removesuffix("'s")
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""), ("es", "e")):
        if word.endswith(ending) and len(word) - len(ending) > 2:  # noqa: PLR2004
            return _undoubled(word[: -len(ending)] + put)
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3 else word.rstrip("e")  # noqa: PLR2004


def _undoubled(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"  # noqa: PLR2004
    return word[:-1] if doubled else word.rstrip("e")


@cache
def tokens(text: str) -> tuple[str, ...]:
    """Return content words in order: stems of Latin words and numbers, and pairs of Han signs.

    Stop words, and Han signs that only hold a sentence together, are left out.
    """
    said = plain(text).replace("\u2019", "'")
    found = [stem(word) for word in _LATIN.findall(said) if word not in _STOP]
    for run in _HAN_RUN.findall(said):
        for piece in _HAN_FILLERS.split(run):
            found.extend(piece[i : i + 2] for i in range(max(1, len(piece) - 1)) if piece)
    return tuple(found)


@cache
def content(text: str) -> frozenset[str]:
    """Return the set of content words."""
    return frozenset(tokens(text))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common members, 0 for two empty sets."""
    return len(one & other) / len(one | other) if one or other else 0.0


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    said = plain(phrase)
    # Not \w: a Han sign beside a number does not make it another number, and Han words have no edges.
    before = "" if _HAN.match(said) else r"(?<![a-z0-9.])"
    after = "" if _HAN.match(said[-1:]) else r"(?![a-z0-9]|[.,]\d)"
    return re.compile(before + re.escape(said) + after)


def holds(text: str, phrases: Iterable[str]) -> bool:
    """Say whether the text holds any of the phrases as whole words (Chinese: as signs in a row)."""
    said = plain(text)
    # Most texts do not hold the signs at all, which is far quicker to see.
    return any(plain(phrase) in said and _pattern(phrase).search(said) for phrase in phrases)


def cues(text: str) -> list[str]:
    """Return the words in a text that state a cause outright."""
    said = plain(text)
    return [cue for cue in CUES["en"] if _pattern(cue).search(said)] + [cue for cue in CUES["zh"] if cue in said]


def count_tokens(text: str) -> int:
    """Estimate what a text costs a language model: its words, numbers, signs, and single Han signs."""
    return len(re.findall(r"[\u3400-\u9fff]|[A-Za-z]+|\d{1,3}|[^\w\s]", text))
