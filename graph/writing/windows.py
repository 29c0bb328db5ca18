"""Where an atom stands in its stream, and the text that full text searches for it. Pure.

A turn like "Yes, since May" is found by what was said around it: an atom's window holds its own text four times, the
texts of its direct neighbours twice, and those one further once (docs/benchmarks.md measures what this is worth). A
neighbour counts only if everybody who may see the atom may see the neighbour.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID

from graph.naming import stable_id
from graph.scope import GROUP_AUDIENCE, tag

REACH = 2
"""How far a neighbour's text reaches: an arriving atom changes the windows of at most four others."""

FETCH = 2 * REACH
"""How many atoms on each side of a new one must be known to rebuild the windows within reach of it."""

_OWN_COPIES = 4
_COPIES_AT = {1: 2, 2: 1}
_LENT = 2_000
"""Longest text, in characters, that is repeated or lent. A long document stands in its own window once and lends
nothing: its neighbours, being shorter, would be found in its place."""

_DIGITS = re.compile(r"\d+")
_NO_TIME = "~"  # sorts after every digit: events without a time come last


@dataclass(frozen=True, slots=True)
class Placed:
    """What the window needs of an atom: its place in the stream, who may see it, and its text."""

    id: str
    stream_position: str
    audience: str
    text: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The new window of an atom."""

    id: str
    window: str


@dataclass(frozen=True, slots=True)
class Splice:
    """What a batch changes in its streams: NEXT edges to cut and to join (by atom id), windows to write."""

    cut: tuple[tuple[str, str], ...]
    join: tuple[tuple[str, str], ...]
    windows: tuple[Rewrite, ...]


def stream_id(group: str, conversation: str | None, source: str, day: str) -> str:
    """Return the id of the stream: the conversation's, else that of the source on that day ("" if undated)."""
    if conversation is not None:
        return UUID(stable_id("conversation", group, conversation)).hex
    return UUID(stable_id("source-day", group, source, day)).hex


def stream_position(stream: str, occurred_at: datetime | None, event_id: str) -> str:
    """Return the sort key of an atom: stream, instant, event id with its numbers compared as numbers.

    ASCII only, so that Python and the index of the database sort it alike.
    """
    time = _NO_TIME if occurred_at is None else occurred_at.astimezone(UTC).isoformat(timespec="microseconds")
    natural = _DIGITS.sub(_by_value, event_id)
    return f"{stream} {time} {_ascii(natural)} {_ascii(event_id)}"


def _by_value(run: re.Match[str]) -> str:
    digits = run[0].lstrip("0")
    return f"{len(digits):03}{digits}"


def stream_bounds(at: str) -> tuple[str, str]:
    """Return the exclusive bounds of the places in the same stream as `at`."""
    stream = at.partition(" ")[0]
    return f"{stream} ", f"{stream}!"


def splice(new: Iterable[Placed], known: Iterable[Placed]) -> Splice:
    """Return what must change when `new` atoms enter streams of which `known` atoms surround them.

    `known` must hold up to `FETCH` atoms on each side of every new one.
    """
    by_place = {atom.stream_position: atom for atom in known} | (
        arriving := {atom.stream_position: atom for atom in new}
    )
    streams: dict[str, list[Placed]] = {}
    for at in sorted(by_place):
        streams.setdefault(at.partition(" ")[0], []).append(by_place[at])
    cut, join, windows = [], [], []
    for atoms in streams.values():
        is_new = [atom.stream_position in arriving for atom in atoms]
        join += [
            (a.id, b.id)
            for a, b, a_new, b_new in zip(atoms, atoms[1:], is_new, is_new[1:], strict=False)
            if a_new or b_new
        ]
        cut += _cuts(atoms, is_new)
        windows += [
            Rewrite(atom.id, window(atom, atoms, index))
            for index, atom in enumerate(atoms)
            if any(is_new[max(0, index - REACH) : index + REACH + 1])
        ]
    return Splice(tuple(cut), tuple(join), tuple(windows))


def window(atom: Placed, stream: Sequence[Placed], index: int) -> str:
    """Return the window of the atom that stands at `index` of its stream."""
    parts = [atom.text] * (_OWN_COPIES if len(atom.text) <= _LENT else 1)
    for distance, copies in _COPIES_AT.items():
        for at in (index - distance, index + distance):
            if 0 <= at < len(stream) and _lends(stream[at], atom):
                parts += [stream[at].text] * copies
    return "\n".join(parts)


def _lends(neighbour: Placed, atom: Placed) -> bool:
    return len(neighbour.text) <= _LENT and neighbour.audience in {GROUP_AUDIENCE, atom.audience}


def _cuts(atoms: Sequence[Placed], is_new: Sequence[bool]) -> list[tuple[str, str]]:
    """Edges between known atoms that a new one now stands between."""
    known = [index for index, fresh in enumerate(is_new) if not fresh]
    return [(atoms[a].id, atoms[b].id) for a, b in pairwise(known) if b - a > 1]


def _ascii(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii").replace(" ", "\\x20")


def audience_of(visibility: str, user_id: str) -> str:
    """Return who may see an atom: the group, or its user alone."""
    return GROUP_AUDIENCE if visibility == "group" else user_id


def tags(group: str, audience: str) -> tuple[str, str]:
    """Return the group tag and the audience tag by which full text is bound to a scope."""
    return tag(group), tag(group, audience)
