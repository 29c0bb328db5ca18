"""Is a statement let in at all? Origin, quote, polarity, and our own output coming back. Pure."""

import re
from dataclasses import dataclass
from typing import Final

from graph.ontology import Origin
from graph.wording.lexicon import cues
from graph.wording.marking import plain

MARK: Final = "⟦fusegraph⟧"
"""Stands before every line of a grounded context: text that carries it is this memory's own output."""

_DENIALS: Final = ("deny", "end")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a door does not open: the field at fault, as the API names it, and the way out."""

    field: str
    reason: str


EXTERNAL: Final = Refusal(
    "origin",
    "External text is not taken up in this group. Opt in with configureGroup(external: true); it is then quarantined.",
)
OWN_OUTPUT: Final = Refusal("text", "It is this memory's own search output; nothing new is learned from it.")
FLIPPED: Final = Refusal("quote", "The quote says the opposite of the text: one of them denies what the other states.")


def origin_refused(origin: str, *, external: bool) -> Refusal | None:
    """Refuse what comes from outside where the group has not opted in: it is data, and never an instruction."""
    return EXTERNAL if origin == Origin.EXTERNAL and not external else None


def is_own_output(text: str) -> bool:
    """Tell whether a text holds lines that this memory gave out."""
    return MARK in text


def polarity_flipped(text: str, quote: str | None) -> bool:
    """Tell whether a statement denies what its quote states, or the other way round."""
    return quote is not None and _denies(text) != _denies(quote)


def _denies(text: str) -> bool:
    """Tell whether an odd number of denials stands in a text; "no longer" and its parts are one."""
    told = plain(text)
    found: list[tuple[int, int]] = []
    for cue in sorted(cues(told)):
        denying = cue.kind in _DENIALS and _DENYING.search(told[cue.start : cue.end]) is not None
        if denying and not any(cue.start < end for _, end in found):
            found.append((cue.start, cue.end))
    return len(found) % 2 == 1


_DENYING: Final = re.compile(
    r"\bno\b|\bnot\b|n'?t\b|\bnever\b|\bquit|\bstop|\bwithout\b|[不没无未戒停别]|取消|退订|并非"
)
