"""How often each kind of source tags, names and urges in what it tells of scenes, so that all else may look like it."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bench.memfusebench.library import Library
from bench.memfusebench.model import Event, View, World
from bench.memfusebench.texts import expand

_CHOICE: Final = re.compile(r"\[([^\[\]]*)\]")
_WORDS: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '\-])+")
_SENTENCES: Final = ("chat", "note")
_JOINED: Final = {("en", True): " ", ("en", False): ", ", ("zh", True): "", ("zh", False): "，"}  # noqa: RUF001 (a Chinese comma)
_SHORTEST: Final = {"en": 3, "zh": 2}


@dataclass(frozen=True, slots=True)
class _Shares:
    tagged: float
    naming: float
    urgent: float


class Habits:
    """Gives events the fields that those of scenes have, with the same frequency by kind of source."""

    def __init__(self, library: Library, world: World, told: Sequence[Event]) -> None:
        """Learn the frequencies from the events of scenes."""
        self._library = library
        self._world = world
        kinds = {event.source.kind for event in told}
        self._shares = {kind: _shares([event for event in told if event.source.kind == kind]) for kind in kinds}

    def lend(self, event: Event, view: View, draw: random.Random) -> Event:
        """Return the event with a tag from its own words, with somebody named, or urgent: each by its frequency."""
        shares = self._shares.get(event.source.kind, _Shares(0, 0, 0))
        tagging, naming, urging = (draw.random() for _ in range(3))
        tags = _tags(event, view)
        if tagging < shares.tagged and tags:
            event = replace(event, entities=(draw.choice(tags),))
        if naming < shares.naming:
            event = self._naming(event, draw)
        return replace(event, urgency="high") if urging < shares.urgent else event

    def _naming(self, event: Event, draw: random.Random) -> Event:
        other = draw.choice([person.name for person in self._world.people if person.name != event.user])
        clause = draw.choice(self._library.pairs("mentions", event.source.kind)).of(event.lang)
        said = expand(
            clause.replace("{other}", other), {}, event.lang, draw, inside=event.source.kind not in _SENTENCES
        )
        return replace(
            event, text=event.text + _JOINED[event.lang, event.source.kind in _SENTENCES] + said, related=(other,)
        )


def _shares(events: Sequence[Event]) -> _Shares:
    return _Shares(
        sum(bool(event.entities) for event in events) / len(events),
        sum(bool(event.related) for event in events) / len(events),
        sum(event.urgency == "high" for event in events) / len(events),
    )


def _tags(event: Event, view: View) -> list[str]:
    """Return what a source could tag: words that were chosen for its text."""
    options = [option for found in _CHOICE.findall(view.say.of(event.lang)) for option in found.split("|")]
    return [
        option
        for option in options
        if option in event.text and _WORDS.fullmatch(option) and len(option) >= _SHORTEST[event.lang]
    ]
