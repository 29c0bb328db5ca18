"""How the values of a key go together, and which states follow each other. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from graph.naming import entity_key
from graph.ontology import Origin
from graph.timelines.said import KeyKind
from graph.wording.lexicon import key_words, states

_KEY_WORD: Final = re.compile(r"[._\- ]+")
_PLURAL: Final = re.compile(r"[a-z]{3,}[a-rt-z]s|[a-z]{2,}(?:ies|xes|ches|shes)")
_SINGULAR: Final = frozenset("address status news hours bus lens series species glasses always".split())


def kind_of(key: str, declared: Mapping[str, str], origin: str) -> KeyKind:
    """Return how the values of a key go together: as the group declares, else as what is observed, else by its words.

    `declared` holds kinds by the names of keys as `entity_key` gives them.
    """
    if (kind := declared.get(entity_key(key))) is not None:
        return KeyKind(kind)
    if origin == Origin.OBSERVED:
        return KeyKind.SERIES
    last, words = _KEY_WORD.split(key.casefold())[-1], key_words(KeyKind.MANY)
    ends = any(last.endswith(word) for word in words if not word.isascii())
    many = last in words or ends or key.casefold().replace(" ", "_") in words
    return KeyKind.MANY if many else KeyKind.ONE


def follows(key: str, value: str | None, before: str | None, kind: KeyKind) -> bool:
    """Tell whether a state comes after another: started after planned, done after started.

    A key that is declared so may have states of any names; of another, whose name says that it holds a state, both
    states must be known ones.
    """
    ranks = states()
    later, earlier = ranks.get((value or "").casefold()), ranks.get((before or "").casefold())
    if later is not None and earlier is not None:
        return later > earlier and (kind is KeyKind.ORDERED or _KEY_WORD.split(key.casefold())[-1] in _of_states())
    return kind is KeyKind.ORDERED


def _of_states() -> frozenset[str]:
    return key_words(KeyKind.ORDERED)


def names_several(key: str) -> bool:
    """Tell whether a key has the form of a plural: it may hold several values, though no word of the lists says so."""
    last = _KEY_WORD.split(key.casefold())[-1]
    return _PLURAL.fullmatch(last) is not None and last not in _SINGULAR
