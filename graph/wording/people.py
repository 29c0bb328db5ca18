"""Whom a statement speaks of instead of its subject: "my brother switched", 我弟搬走了. Pure."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from graph.wording.lexicon import CLASSES, has, relatives
from graph.wording.marking import Token, is_function_word, mark, plain

_PERSON: Final = "person"
_NAME_IN_FRONT: Final = re.compile(r"([A-Z][\w’'-]+)\s+[a-z]")
_NAME_BEHIND: Final = r"(?:,)?\s+([A-Z][\w’'-]+)"


class Person(NamedTuple):
    """A person whom a text speaks of: the words used, and one name for them (None: they may be one of several)."""

    words: str
    name: str | None


def person_spoken_of(text: str, value: str | None, names: Sequence[str]) -> Person | None:
    """Return who acts in the sentence that counts, where that is neither the speaker nor one of the subject's names."""
    marked = mark(text, value=value, old="", old_value=None, key=None, names=names)
    for number in marked.focus:
        if (words := _actor(marked.sentences[number])) is not None:
            return Person(words, _name(text, words))
    named = _NAME_IN_FRONT.match(text)
    known = named is None or named[1] in names or has(plain(named[1]), *CLASSES) or is_function_word(plain(named[1]))
    return None if known or named is None else Person(named[1], named[1])


def _actor(sentence: Sequence[Token]) -> str | None:
    """Return the first words for a person, where the speaker does not stand before them."""
    for at, token in enumerate(sentence):
        if token.mark == "<speaker>" or token.classes[:1] in (("change",), ("end",)):
            return None
        if token.classes[:1] == (_PERSON,) and not token.mark:
            words = [token.word]
            for later in sentence[at + 1 :]:
                if later.classes[:1] != (_PERSON,) or later.mark:
                    break
                words.append(later.word)
            return (" " if token.word.isascii() else "").join(words)
    return None


def _name(text: str, words: str) -> str | None:
    """Return one name for a person: that which follows ("my friend Rosa"), or what relatives are called alike."""
    if named := re.search(rf"(?i:\b{re.escape(words)}){_NAME_BEHIND}", text):
        return named[1]
    own = words.lstrip("我你他她")
    return relatives().get(own, relatives().get(own.rstrip("s")))
