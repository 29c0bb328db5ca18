"""Whether the end of something is the end of something else than what is known. Pure."""

import re
from collections.abc import Iterable
from typing import Final

from graph.times.words import MONTHS, SHORT_MONTHS, WEEKDAYS
from graph.wording.lexicon import has
from graph.wording.marking import content, is_function_word, plain
from graph.wording.tokens import HAN

_NAME: Final = re.compile(r"[^\W\d_\u3400-\u9fff][\w+#&-]*", re.ASCII)
_SENTENCE_END: Final = re.compile(r"[.!?。！？\n]")
_WHEN: Final = frozenset("on since until till before after by from as".split())
_TIMES: Final = frozenset((*MONTHS, *SHORT_MONTHS, *WEEKDAYS))


def ends_another(text: str, known: Iterable[str]) -> bool:
    """Tell whether a text says that something is over whose name stands in none of the known texts.

    A name is a word with a capital letter, or a Latin word among Han signs. It counts right behind the wording of end
    ("I no longer use Python"): behind a word of grammar it may tell when or where ("since Easter").
    """
    spoken = content(plain(" ".join(known)))
    return any(
        not content(plain(match[0])) & spoken and _is_over(_SENTENCE_END.split(text[: match.start()])[-1])
        for match in _NAME.finditer(text)
        if _is_name(match[0], among_han=HAN.search(text) is not None)
    )


def _is_name(word: str, *, among_han: bool) -> bool:
    stem = plain(word)
    return (among_han or stem != word) and stem not in _TIMES and bool(content(stem))


def _is_over(before: str) -> bool:
    words = before.split()
    while words and words[-1] != plain(words[-1]):  # a name of several words is one
        words.pop()
    last = plain(words[-1]) if words else ""
    return bool(last) and last not in _WHEN and not is_function_word(last) and has(plain(before), "end", "deny")
