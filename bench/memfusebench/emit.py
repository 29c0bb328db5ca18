"""Makes an event out of what a source sees: its id, its times, how much it weighs, who is named."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from bench.memfusebench.model import Both, Event, Lang, Source, View, World
from bench.memfusebench.texts import expand, shown
from bench.memfusebench.words import holds


@dataclass(frozen=True, slots=True)
class Traits:
    """How a kind of source reports: weight, confidence and delay (minutes) as ranges, whether a person types."""

    importance: tuple[float, ...]
    confidence: tuple[float, ...]
    delay: tuple[int, int]
    typed: bool = False


TRAITS: Final[Mapping[str, Traits]] = {
    "phone": Traits((0.6, 0.8, 1.0), (0.85, 0.9, 0.95), (0, 6)),
    "chat": Traits((0.9, 1.0, 1.1), (1.0,), (0, 1), typed=True),
    "calendar": Traits((1.0, 1.1, 1.2), (1.0,), (0, 15), typed=True),
    "mail": Traits((0.9, 1.0, 1.3), (1.0,), (1, 20), typed=True),
    "note": Traits((1.1, 1.2, 1.4), (1.0,), (1, 600), typed=True),
    "watch": Traits((0.5, 0.7, 0.9), (0.8, 0.85, 0.9), (5, 700)),
    "purchase": Traits((0.7, 0.8, 1.0), (1.0,), (2, 90), typed=True),
    "bank": Traits((0.8, 0.9, 1.0), (1.0,), (30, 1500), typed=True),
    "car": Traits((0.7, 0.9, 1.1), (0.85, 0.9, 0.95), (1, 60)),
    "thermostat": Traits((0.5, 0.6, 0.9), (0.9, 0.95), (0, 5)),
    "camera": Traits((0.5, 0.6, 0.8), (0.7, 0.75, 0.8, 0.9), (0, 5)),
    "router": Traits((0.5, 0.6, 0.7), (0.95,), (0, 30)),
    "meter": Traits((0.5, 0.6, 0.7), (0.9, 0.95), (15, 120)),
    "speaker": Traits((0.5, 0.6), (0.6, 0.7, 0.8), (0, 3)),
}

DAY_ONLY: Final = ("bank", "purchase", "note", "watch")
"""Sources that sometimes tell the day alone; notes sometimes no time at all."""

_DAY_ONLY_SHARE: Final = 0.1
_UNDATED_SHARE: Final = 0.05
_LATE_SHARE: Final = 0.035
_NIGHT: Final = (1, 6)
_MINUTES_A_DAY: Final = 24 * 60


def event_id(world: World, source: Source, *parts: str) -> str:
    """Return an id that tells the kind of source and nothing else; the same parts give the same id."""
    return f"{source.kind}-{sha256(' '.join((world.group, *parts)).encode()).hexdigest()[:10]}"


def _real(at: datetime) -> datetime:
    """Return a moment as clocks show it: the hour that summer time leaves out becomes the next."""
    return at.astimezone(UTC).astimezone(at.tzinfo)


def emit(
    world: World,
    source: Source,
    view: View,
    values: Mapping[str, Both],
    at: datetime,
    lang: Lang,
    draw: random.Random,
    *key: str,
    exact: bool = False,
    told: datetime | None = None,
) -> Event:
    """Return the event of a view. `key` names it within its group; `exact`: a full time, and no late arrival.

    `told`: the moment that its text speaks of, if not its own.
    """
    traits = TRAITS[source.kind]
    if traits.typed and _NIGHT[0] <= at.hour < _NIGHT[1]:
        at += timedelta(hours=_NIGHT[1] - at.hour)
    at = _real(at)
    text = expand(view.say.of(lang), values, lang, draw, told or at)
    private = "private" in view.flags
    names = {person.name for person in world.people}
    tags = [shown(values[tag].of(lang)) for tag in view.tags]
    delay = draw.randrange(traits.delay[0], traits.delay[1] + 1)
    chance, chance_late = draw.random(), draw.random()
    precision = "instant"
    if not exact and source.kind in DAY_ONLY and chance < _DAY_ONLY_SHARE:
        precision = "none" if source.kind == "note" and chance < _UNDATED_SHARE else "day"
    if not exact and chance_late < _LATE_SHARE:
        delay += draw.randrange(_MINUTES_A_DAY, 9 * _MINUTES_A_DAY)
    conversation = None
    if source.kind == "chat":
        conversation = f"chat-{source.owner if private else 'all'}-{at:%Y-%m-%d}"
    return Event(
        id=event_id(world, source, *key),
        user=source.owner,
        source=source,
        at=at,
        precision=precision,
        arrives=_real(at + timedelta(minutes=delay)),
        text=text,
        lang=lang,
        private=private,
        related=tuple(sorted(name for name in names if name != source.owner and holds(text, [name]))),
        entities=tuple(tags),
        importance=draw.choice(traits.importance),
        urgency="high" if "high" in view.flags else "normal",
        confidence=draw.choice(traits.confidence),
        conversation=conversation,
        origin="user_stated" if source.kind in ("chat", "note") else "observed",
    )
