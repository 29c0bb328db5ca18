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
    last = _KEY_WORD.split(key.casefold())[-1]
    for kind in (KeyKind.MANY, KeyKind.ORDERED):
        if last in (words := key_words(kind)) or key.casefold().replace(" ", "_") in words:
            return kind
    return KeyKind.ONE


def follows(value: str | None, before: str | None) -> bool:
    """Tell whether a state comes after another, as far as both are known to have a rank."""
    ranks = states()
    later, earlier = ranks.get((value or "").casefold()), ranks.get((before or "").casefold())
    return later is None or earlier is None or later > earlier


def names_several(key: str) -> bool:
    """Tell whether a key has the form of a plural: it may hold several values, though no word of the lists says so."""
    last = _KEY_WORD.split(key.casefold())[-1]
    return _PLURAL.fullmatch(last) is not None and last not in _SINGULAR
