"""The signs by which a statement is read: sequences of marks, words and classes around what counts. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final, NamedTuple

from graph.wording.marking import BOTH, NEW, OLD, SHARED, Marked, Token, content, is_function_word, mark, plain
from graph.wording.tokens import HAN, refines, same

_LONGEST_OF_WORDS: Final = 4
_LONGEST_OF_CLASSES: Final = 5
_REACH: Final = 6
_NEAR: Final = 3
_LONGEST_HEAD: Final = 8
_OVERLAPS: Final = (0.01, 0.3, 0.5, 0.75, 0.99)
_ALIKE: Final = (0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
_MOST_EDITS: Final = 4
_VALUE: Final = "⟨value⟩"


class Relation(StrEnum):
    """How a value stands to the known one."""

    FIRST = "first"
    EQUAL = "equal"
    MORE = "more"
    LESS = "less"
    OTHER = "other"
    NONE = "none"
    NO_KEY = "no key"


def relation(value: str | None, old_value: str | None) -> Relation:
    """Tell how a value stands to the known one: the same, more exact, less exact, another; or not given."""
    if value is None:
        return Relation.NONE
    if old_value is None:
        return Relation.FIRST
    if same(value, old_value):
        return Relation.EQUAL
    if refines(value, old_value):
        return Relation.MORE
    return Relation.LESS if refines(old_value, value) else Relation.OTHER


_GROUP: Final = {Relation.EQUAL: "equal", Relation.NONE: "none", Relation.NO_KEY: "no key", Relation.FIRST: "first"}


class Signs(NamedTuple):
    """The signs of a statement with their strength, the group of relations that they were made for, and its focus.

    `alike` tells that it says what the old one says, but for the value; `of_another` that it says so of somebody else
    than its speaker.
    """

    found: Mapping[str, float]
    group: str
    focus: tuple[tuple[Token, ...], ...]
    alike: bool
    of_another: bool


def signs_of(
    text: str, *, value: str | None, old: str, old_value: str | None, key: str | None, names: Sequence[str] = ()
) -> Signs:
    """Return the signs of a statement beside the old one that it may be about (`old` empty: nothing is known)."""
    marked = mark(text, value=value, old=old, old_value=old_value, key=key, names=names)
    stands = relation(value, old_value) if key is not None else Relation.NO_KEY
    group = _GROUP.get(stands, "other")
    found: dict[str, float] = {}
    for sign in _of_sentences(marked):
        found[f"{group}|{sign}"] = 1.0
        if stands is not Relation.NO_KEY:  # without a key wording is about something else far more often
            found[sign] = 1.0
    language = "chinese" if HAN.search(marked.text) else "english"
    found |= _head(marked, group)
    found |= {f"relation {stands}": 1.0, f"relation {stands} {language}": 1.0, language: 1.0}
    if old:
        found |= _alignment(marked, old, old_value, group, names)
    if stands is Relation.NO_KEY:
        found |= _beside(marked, plain(old), names)
    else:
        found |= _of_values(marked, value, old_value, stands)
    alike, another = f"{group}|alike > 1.0" in found, f"{group}|another in the speaker's place" in found
    return Signs(found, group, tuple(marked.sentences[number] for number in marked.focus), alike, another)


def _of_sentences(marked: Marked) -> Iterator[str]:
    for number, tokens in enumerate(marked.sentences):
        names = ["^", *_collapsed(token.name for token in tokens), "$"]
        kinds = {kind for token in tokens for kind in token.classes}
        if number not in marked.focus:
            yield from (f"beside {gram}" for gram in _grams(names, 1, 2))
            yield from (f"beside class {kind}" for kind in kinds)
            continue
        yield from (f"class {kind}" for kind in kinds)
        yield from _grams(names, 1, _LONGEST_OF_WORDS)
        yield from (f"{first} .. {second}" for gap in (2, 3) for first, second in zip(names, names[gap:], strict=False))
        yield from _around(names)
        roles = ["^", *_collapsed(token.role for token in tokens), "$"]
        yield from (f"roles {gram}" for gram in _grams(roles, 2, _LONGEST_OF_CLASSES))
        only = [role for role in roles if role[0] in "<⟨^$"]
        yield from (f"only {gram}" for gram in _grams(only, 2, _LONGEST_OF_WORDS))
        yield from _sides(roles)


def _around(names: Sequence[str]) -> Iterator[str]:
    """Yield what stands on each side of the value, or of what is known where no value stands in the sentence."""
    places = [at for at, name in enumerate(names) if name in (NEW, BOTH)]
    places = places or [at for at, name in enumerate(names) if name in (OLD, SHARED)]
    if places:
        for distance in range(1, _REACH + 1):
            how = "near" if distance <= _NEAR else "far"
            if places[0] >= distance:
                yield f"left {how} {names[places[0] - distance]}"
            if places[0] + distance < len(names):
                yield f"right {how} {names[places[0] + distance]}"
    yield f"head {' '.join(names[1:3])}"


def _sides(roles: Sequence[str]) -> Iterator[str]:
    for place in (NEW, OLD, BOTH, SHARED):
        if place in roles:
            at = roles.index(place)
            yield from (f"before {place} {role}" for role in set(roles[:at]) if role[0] == "<")
            yield from (f"after {place} {role}" for role in set(roles[at + 1 :]) if role[0] == "<")


def _head(marked: Marked, group: str) -> dict[str, float]:
    """Return who or what stands before the first wording of change or end."""
    found: dict[str, float] = {}
    for number in marked.focus:
        roles = _collapsed(token.role for token in marked.sentences[number])
        at = next((at for at, role in enumerate(roles) if role in ("<change>", "<end>")), None)
        if at is not None:
            head = roles[:at]
            telling = {role for role in head if role[0] in "<⟨"}
            found[f"{group}|head of change {' '.join(head[-3:])}"] = 1.0
            found |= {f"{group}|in head {role}": 1.0 for role in telling or {"nothing"}}
            found[f"{group}|length of head"] = min(len(head), _LONGEST_HEAD) / _LONGEST_HEAD
    return found


def _of_values(marked: Marked, value: str | None, old_value: str | None, stands: Relation) -> dict[str, float]:
    told = bool(value) and plain(value or "") in marked.text
    named = bool(old_value) and plain(old_value or "") in marked.text
    return {
        f"value in text {told}": 1.0,
        f"old value in text {named}": 1.0,
        f"{stands}, old value in text {named}": 1.0,
    }


def _alignment(marked: Marked, old: str, old_value: str | None, group: str, names: Sequence[str]) -> dict[str, float]:
    """Return how the sentence that counts differs from the old text: what was put in, left out, or put in its place."""
    known = mark(old, value=old_value, old="", old_value=None, key=None, names=names)
    before = _collapsed(
        _aligned(token) for sentence in known.sentences for token in sentence if token.word[0].isalnum()
    )
    after = _collapsed(
        _aligned(token) for number in marked.focus for token in marked.sentences[number] if token.word[0].isalnum()
    )
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    found = {f"{group}|alike > {least}": 1.0 for least in _ALIKE if matcher.ratio() >= least}
    found[f"{group}|edits {min(len(changes), _MOST_EDITS)}"] = 1.0
    found[f"{group}|kinds of edits {' '.join(sorted({change[0] for change in changes}))}"] = 1.0
    for kind, start, stop, begin, end in changes[:_MOST_EDITS]:
        put = " ".join(after[begin:end][:_NEAR])
        found[f"{group}|{kind} {put}"] = 1.0
        named = not any(word[0] in "<⟨" or is_function_word(word) for word in after[begin:end])
        if len(changes) == 1 and kind == "replace" and before[start:stop] == ["<speaker>"] and named:
            found[f"{group}|another in the speaker's place"] = 1.0
        if len(changes) == 1:
            found[f"{group}|only {kind} {min(stop - start, _NEAR)} {min(end - begin, _NEAR)}"] = 1.0
    return found


def _aligned(token: Token) -> str:
    return _VALUE if token.mark in (NEW, OLD, BOTH) else token.mark if token.mark == "<speaker>" else token.stem


def _beside(marked: Marked, old: str, names: Sequence[str]) -> dict[str, float]:
    """Return how the words of two texts without a key go together."""
    before, after = content(old), content(marked.text)
    share = len(before & after) / max(1, min(len(before), len(after)))
    found = {f"overlap > {least}": 1.0 for least in _OVERLAPS if share > least}
    numbers = [{word for word in words if word[0].isdigit()} for words in (before, after)]
    found |= {
        "says more": float(before < after),
        "other numbers": float(bool(numbers[0] and numbers[1]) and numbers[0] != numbers[1]),
        "same numbers": float(bool(numbers[0] & numbers[1])),
    }
    known = mark(old, value=None, old=marked.text, old_value=None, key=None, names=names)
    words = [token.name for tokens in known.sentences for token in tokens]
    found |= {f"old: {gram}": 1.0 for gram in _grams(words, 1, 2)}
    added = Counter(
        token.name
        for tokens in marked.sentences
        for token in tokens
        if token.name != SHARED and token.name not in words
    )
    found |= {f"added {word}": 1.0 for word in added}
    found["words added"] = min(1.0, added.total() / 10)
    return found


def _grams(words: Sequence[str], shortest: int, longest: int) -> Iterator[str]:
    for length in range(shortest, longest + 1):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


def _collapsed(words: Iterable[str]) -> list[str]:
    """Return words with runs of one mark as one: a value of three words stands at one place."""
    kept: list[str] = []
    for word in words:
        if not (kept and kept[-1] == word and word[0] in "<⟨"):
            kept.append(word)
    return kept
