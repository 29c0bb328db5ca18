"""What a text speaks of: its telling words. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import snowballstemmer

from graph.arbitration.lexicon import Cue, Kind, cues, empty_words, plain, synonyms, topics
from graph.arbitration.values import tokens

_EMPTY: Final = frozenset(
    "i me my mine we us our you your he him she it its they them their this that these those there here is are was "
    "were be been being am do does did have has had having will would can could to of in at by for from with as and "
    "or but so if then than just very really quite own all some any each every about into over out again got get "
    "gets getting goes going s t ve re ll d m one who whom which what when where why how because while no not n't "
    "never still already finally btw way said say says yep please dear since until both same more yes ok oh well "
    "call called name names named profession dont doesnt didnt isnt arent wasnt wont cant havent hasnt team im ive "
    "youre theyre work works working".split()
)
EMPTY_SIGNS: Final = frozenset(
    "真的课了我你您他她它们是在有没也不就都很和跟与把被给这那个一来去到说要会能着过得地吧啊呀哦呢吗嘛啦而且但以之其所于对"
    "因为从向由让叫做用家现已经还再又才只最太更当名字职业姓什么怎样哪些每种些点样位只条张块件台辆间里中时候年月日天号周星期"
)
_CHANGING: Final = (
    Kind.CHANGE, Kind.ONTO, Kind.NOW, Kind.END, Kind.ADDITION, Kind.STILL, Kind.NEGATION,
)  # fmt: skip
_LONGEST_VERB: Final = 4  # Han signs; longer wording of change has a thing within it (从图书馆调到)
_STEM: Final = 6  # letters: "allergy" and "allergic" are one
_READ_LATELY: Final = 4_096
_STEMMED_LATELY: Final = 65_536
_NEAR: Final = 26  # characters between a denial and the wording of change that it denies
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_SAME: Final = re.compile(
    "|".join(rf"\b{word}\b" if word.isascii() else word for word in sorted(synonyms(), key=len, reverse=True))
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a text speaks of: its telling words, in order, the topics that they belong to, and whether it denies."""

    words: tuple[str, ...]
    topics: frozenset[str]
    denies: bool


@lru_cache(maxsize=_READ_LATELY)
def content(text: str) -> Content:
    """Return the telling words of a text: stems of Latin words, single Han signs; wording of change is left out.

    Texts read lately are remembered: a statement is compared with many, and these with the next one again.
    """
    whole = _SAME.sub(lambda match: synonyms()[match.group()], plain(text))
    found = cues(whole)
    # Chinese wording of change is blanked; words between the parts of an English one count ("don't use it any more").
    blank = list(whole)
    for cue in found:
        if cue.kind in _CHANGING and _HAN.match(cue.words):
            blank[cue.start : cue.end] = _without_change(cue)
    words = tuple(
        _stem(word)
        for word in tokens("".join(blank).replace("’", " ").replace("-", " "))
        if word not in _EMPTY and word not in EMPTY_SIGNS and word not in empty_words()
    )
    changing = [cue for cue in found if cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.REVERT)]
    denies = any(
        cue.kind is Kind.NEGATION and not any(cue.start <= one.end and one.start <= cue.end + _NEAR for one in changing)
        for cue in found
    )
    return Content(words, frozenset(_topics(whole)), denies)


def _without_change(cue: Cue) -> list[str]:
    """Return Chinese wording of change with blanks for the signs that only say that; what it speaks of stays."""
    if cue.kind in (Kind.END, Kind.NEGATION):
        return [" " if sign in "不再没有了" else sign for sign in cue.words]
    inner = (
        cue.words[1:-1] if len(cue.words) > _LONGEST_VERB or cue.words.startswith("从") else " " * (len(cue.words) - 2)
    )
    return [*f" {inner} "][: len(cue.words)]


def overlap(old: str, new: str) -> float:
    """Return the share of the shorter text's telling words that the other has too, 0 to 1."""
    before, after = set(content(old).words), set(content(new).words)
    return len(before & after) / max(1, min(len(before), len(after)))


@lru_cache(maxsize=_STEMMED_LATELY)
def _stem(word: str) -> str:
    """Return what the forms of a Latin word have in common."""
    return str(_stemmer().stemWord(word))[:_STEM] if word.isascii() and not word[0].isdigit() else word


def _topics(whole: str) -> Iterable[str]:
    known = topics()
    for word in tokens(whole):
        if word in known:
            yield known[word]
    for word, name in known.items():
        if _HAN.match(word) and word in whole:
            yield name


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")
