"""What a statement says: text in, `Reading` out. Pure.

Two models read it. A linear one weighs the signs of `features` (multinomial logistic regression, Hastie et al. 2009,
"The Elements of Statistical Learning", section 4.4), and as it only adds up weights, the words that weighed most can be
shown; a small encoder (`graph.learned`) sees both statements at once. Both were fitted on labelled pairs. The rules of
`graph.timelines.decide` say what a reading may do; it never makes a statement disappear.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graph.learned import encoder
from graph.wording.features import Relation, Signs, relation, signs_of
from graph.wording.lexicon import is_small_talk
from graph.wording.marking import Token, is_function_word, mark, own_words, plain, sentences
from graph.wording.tokens import HAN

WEIGHTS: Final = "weights.npz"
_LONGEST_PHRASE: Final = 3
_LONG: Final = 300
_READ_LATELY: Final = 4_096


class Sense(StrEnum):
    """What a statement does with what is known: states a value, replaces it, ends it, says it more exactly, or nothing.

    `APART` is what is no assertion about the subject now (a question, plan, denial, doubt), or is about something else.
    """

    ASSERTS = "asserts"
    REPLACES = "replaces"
    ENDS = "ends"
    REFINES = "refines"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: `shares` are the probabilities of the senses; `words` those that weighed most for each.

    `kinds` are the classes of wording (`lexicon.CLASSES`) in the sentence that counts; `small_talk` tells that the text
    is nothing else.
    """

    shares: Mapping[Sense, float]
    words: Mapping[Sense, str] = field(default_factory=lambda: MappingProxyType({}))
    kinds: frozenset[str] = frozenset()
    small_talk: bool = False

    def share(self, *senses: Sense) -> float:
        """Return the probability of these senses together."""
        return sum(self.shares.get(sense, 0.0) for sense in senses)

    def likeliest(self, *senses: Sense) -> Sense:
        """Return the likeliest of some senses."""
        return max(senses, key=self.share)

    def told_by(self, sense: Sense) -> str:
        """Return the words that weighed most for a sense; empty where none did."""
        return self.words.get(sense, "")


@lru_cache(maxsize=_READ_LATELY)
def skim(
    text: str,
    *,
    value: str | None = None,
    old: str = "",
    old_value: str | None = None,
    key: str | None = None,
    names: tuple[str, ...] = (),
) -> Reading:
    """Read a statement by the linear model alone: fast, where it is compared with many. Arguments as of `read`."""
    if key is None and is_small_talk(own_words(text, names)):
        return Reading({Sense.APART: 1.0}, small_talk=True)
    signs = signs_of(text, value=value, old=old, old_value=old_value, key=key, names=names)
    kinds = frozenset(kind for sentence in signs.focus for token in sentence for kind in token.classes)
    if signs.alike and key is not None and not kinds & {"change", "correct"}:
        return Reading({Sense.ASSERTS: 1.0}, kinds=kinds)  # the same sentence, but for the value
    if signs.of_another and key is not None:  # "Jack lives in Oslo", beside "I live in Bergen"
        return Reading({Sense.APART: 1.0}, kinds=kinds | {"person"})
    model = _model()
    scores = model.intercept.copy()
    for sign, weight in signs.found.items():
        if (place := model.places.get(crc32(sign.encode()))) is not None:
            scores += model.weights[place] * weight
    odds = np.exp(scores - scores.max())
    shares = dict(zip(model.senses, (odds / odds.sum()).tolist(), strict=True))
    words = {sense: _telling(signs, model, number) for number, sense in enumerate(model.senses)}
    return Reading(MappingProxyType(shares), MappingProxyType(words), kinds)


@lru_cache(maxsize=_READ_LATELY)
def read(
    text: str,
    *,
    value: str | None = None,
    old: str = "",
    old_value: str | None = None,
    key: str | None = None,
    names: tuple[str, ...] = (),
    subject: str | None = None,
) -> Reading:
    """Read a statement beside the old one that it may be about; `old` is empty where nothing is known.

    `names` are those of its subject, who is spoken of as oneself, too; `subject` is given where that is not the
    user. The mean of both models is what counts: their errors differ. Texts read lately are remembered.
    """
    counts = counting(text, value=value, old=old, old_value=old_value, key=key, names=names)
    told = counts if len(text) > _LONG else text
    skimmed = skim(told, value=value, old=old, old_value=old_value, key=key, names=names)
    if not old or len(skimmed.shares) == 1:
        return skimmed
    own, known = as_told(counts, names, subject), as_told(old, names, subject)
    stands = relation(value, old_value) if key is not None else Relation.NO_KEY
    ask = partial(encoder.shares, own, old=known, old_value=old_value, key=key, subject=subject)
    seen = ask(value=value, relation=stands)
    if stands is Relation.EQUAL and "end" in skimmed.kinds:  # "User no longer uses Vim": the value is what is over
        over = ask(value=None, relation=Relation.NONE)[Sense.ENDS]
        seen = {name: over * (name == Sense.ENDS) + (1 - over) * share for name, share in seen.items()}
    shares = {sense: (skimmed.share(sense) + seen[sense]) / 2 for sense in Sense}
    return replace(skimmed, shares=MappingProxyType(shares))


def counting(
    text: str,
    *,
    value: str | None = None,
    old: str = "",
    old_value: str | None = None,
    key: str | None = None,
    names: tuple[str, ...] = (),
) -> str:
    """Return what counts of a text: without greetings and thanks, and of a long one the sentences about the matter."""
    told = own_words(text, names)
    parts = sentences(told)
    if len(told) > _LONG:
        marked = mark(text, value=value, old=old, old_value=old_value, key=key, names=names)
        parts = [parts[number] for number in marked.focus]
    counting = "".join(parts).strip()
    return text if counting == plain(text).strip() else counting


def as_told(text: str, names: tuple[str, ...], subject: str | None) -> str:
    """Return a text as the encoder knows texts: in the first person, whatever the user is called in it.

    A report of the user's words is these words; "The user's", 用户 and the user's names are "my", 我 and "I". Where the
    subject is not the user, the text stays as it is.
    """
    own = own_words(text, names)
    told = text if own == plain(text) and not text.isupper() else own
    if subject is not None:
        return told
    told = re.sub(r"该?用户", "我", told)
    who = "|".join(["(?:the )?user", *map(re.escape, names)])
    first = "我" if HAN.search(told) else "I"
    told = re.sub(rf"(?i)(?<![\w])(?:{who})['’]s(?![a-z0-9_])", "my", told)
    return re.sub(rf"(?i)(?<![a-z0-9_])(?:{who})(?![a-z0-9_])", first, told)


@dataclass(frozen=True, slots=True)
class _Model:
    """The fitted weights: a row of them, one a sense, for the hash of each sign."""

    senses: tuple[Sense, ...]
    places: Mapping[int, int]
    weights: NDArray[np.float32]
    intercept: NDArray[np.float32]
    about: Mapping[str, Any]


@cache
def _model() -> _Model:
    with np.load(str(files(__package__) / WEIGHTS)) as kept:
        hashes: list[int] = kept["hashes"].tolist()
        return _Model(
            tuple(Sense(name) for name in kept["senses"].tolist()),
            {sign: place for place, sign in enumerate(hashes)},
            kept["weights"].astype(np.float32),
            kept["intercept"].astype(np.float32),
            json.loads(str(kept["about"])),
        )


def fitted_on() -> Mapping[str, Any]:
    """Return what the weights were fitted on: the hash of the pairs and of the modules that make the signs."""
    return _model().about


def _telling(signs: Signs, model: _Model, number: int) -> str:
    """Return the words of the text, up to three in a row, whose signs weigh most for a sense against the others."""
    best, said = 0.0, ""
    for sentence in signs.focus:
        for start in range(len(sentence)):
            for stop in range(start + 1, min(start + _LONGEST_PHRASE, len(sentence)) + 1):
                phrase = sentence[start:stop]
                weight = _weight(phrase, signs.group, model, number)
                if weight > best and any(map(_tells, phrase)):
                    best, said = weight, _spoken(phrase)
    return said


def _tells(token: Token) -> bool:
    return not token.mark and not is_function_word(token.stem) and "past" not in token.classes


def _weight(phrase: Sequence[Token], group: str, model: _Model, number: int) -> float:
    gram = " ".join(token.name for token in phrase)
    rows = [
        model.weights[at]
        for sign in (gram, f"{group}|{gram}")
        if (at := model.places.get(crc32(sign.encode()))) is not None
    ]
    return sum(float(row[number] - row.mean()) for row in rows)


def _spoken(phrase: Sequence[Token]) -> str:
    """Return words as they stand in a text: with spaces, but between Han signs."""
    return "".join(f" {token.word}" if token.word.isascii() else token.word for token in phrase).strip()
