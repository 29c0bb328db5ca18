"""What the builders of questions share: evidence, checklists, times, and who may ask."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final

from bench.memfusebench.library import Library
from bench.memfusebench.model import (
    Ask,
    Both,
    Event,
    Item,
    Kind,
    Label,
    Lang,
    Link,
    Question,
    Scene,
    Streams,
    Timeline,
    World,
)
from bench.memfusebench.phrasing import is_number, phrases_of
from bench.memfusebench.texts import MONTHS, both, expand, say_date, token
from bench.memfusebench.words import cues, holds

DATE: Final = re.compile(rf"\d{{1,2}} (?:{'|'.join(MONTHS)})|\d{{1,2}}月\d{{1,2}}日")
_SOON: Final = 0.35
"""Share of questions asked soon after what they ask about; the others are asked after the last day."""


@dataclass
class Asker:
    """The truth that questions are built from, and the draw that builds them."""

    library: Library
    world: World
    timeline: Timeline
    streams: Streams
    draw: random.Random
    events: dict[str, Event] = field(default_factory=dict)
    by_scene: dict[str, list[tuple[Event, Label]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.events = {event.id: event for event in self.streams.events}
        for event, label in zip(self.streams.events, self.streams.labels, strict=True):
            if label.scene:
                self.by_scene.setdefault(label.scene, []).append((event, label))

    def kind(self, scene: Scene) -> Kind:
        """Return a scene's kind."""
        return self.library.kinds[scene.kind]

    def frame(self, *path: str) -> Both:
        """Draw a frame of a table."""
        return self.draw.choice(self.library.pairs(*path))

    def viewer(self, among: Iterable[str] | None = None, but: Iterable[str] = ()) -> str:
        """Draw who asks."""
        names = among or (person.name for person in self.world.people)
        return self.draw.choice([name for name in names if name not in but])

    def when(self, scene: Scene, *, long: bool = False) -> dict[str, Both]:
        """Return how a question speaks of a scene's time, as the slot `when`."""
        days = [event.at.date() for event, _ in self.by_scene[scene.id]]
        values = {"date": _dated(scene.start.date()), "first": _dated(min(days)), "last": _dated(max(days))}
        frame = self.frame("when", "long" if long else "near")
        return {"when": Both(*(self._written(frame, values, lang) for lang in ("en", "zh")))}

    def say(self, template: Both, values: Mapping[str, Both], lang: Lang, *, inside: bool = False) -> str:
        """Fill a template in one language."""
        return expand(template.of(lang), values, lang, self.draw, inside=inside)

    def _written(self, template: Both, values: Mapping[str, Both], lang: Lang) -> str:
        # Not the event's moment: a question names days in words of its own.
        text = template.of(lang)
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value.of(lang))
        return text

    def seen(self, scene: Scene, viewer: str) -> list[tuple[Event, Label]]:
        """Return a scene's events that a viewer may see."""
        return [pair for pair in self.by_scene[scene.id] if pair[0].visible_to(viewer)]

    def items(self, scene: Scene, slots: Iterable[str], lang: Lang) -> list[Item]:
        """Return the checklist items of facts; one that each person has gives an item each."""
        kind = self.kind(scene)
        made = []
        for slot in slots:
            roles = [role for role in kind.roles if f"{slot}_{role}" in scene.values and role != kind.roles[0]]
            for role in roles or [""]:
                name = f"{slot}_{role}" if role else slot
                values = {**scene.values, slot: scene.values[name], "me": both(scene.cast.get(role, ""))}
                fact = self.say(kind.facts[slot], values, lang, inside=True)
                said = phrases_of(kind, slot, name, scene.values)
                by = scene.cast[role] if role else ""
                made.append(Item(fact, said, by, common=is_common(scene.values[name])))
        return made

    def question(
        self,
        category: str,
        text: str,
        viewer: str,
        answer: str,
        checklist: Sequence[Item],
        evidence: Iterable[Event],
        scenes: Sequence[Scene],
        links: Sequence[Link] = (),
        *,
        past: bool = False,
    ) -> Question:
        """Return a question; it is asked after all that its scenes gave has arrived."""
        known = sorted({(event.at, event.id) for event in evidence})
        arrived = max(event.arrives for scene in scenes for event, _ in self.by_scene[scene.id])
        return Question(
            id="",
            category=category,
            text=text,
            lang=self.world.person(viewer).lang,
            viewer=viewer,
            asked_at=self._asked(arrived),
            answer=answer,
            checklist=tuple(checklist),
            evidence=tuple(event_id for _, event_id in known),
            asks_past=past,
            scenes=tuple(scene.id for scene in scenes),
            links=tuple(links),
        )

    def end(self) -> datetime:
        """Return the midnight after the scenario's last day."""
        world = self.world
        return datetime.combine(world.first_day + timedelta(days=world.days), datetime.min.time(), world.zone)

    def _asked(self, arrived: datetime) -> datetime:
        soon = self.draw.random() < _SOON
        base = arrived if soon else max(arrived, self.end())
        day = base + timedelta(days=self.draw.randrange(1, 6))
        return day.replace(hour=self.draw.randrange(8, 22), minute=self.draw.randrange(60), second=0)


def _dated(day: date) -> Both:
    return Both(say_date(day, "en"), say_date(day, "zh"))


def is_common(value: Both) -> bool:
    """Say whether a value is a number or a day, which events of other matters hold, too."""
    return is_number(value) or bool(DATE.fullmatch(token(value.en)))


def supports(event: Event, item: Item) -> bool:
    """Say whether an event holds a checklist item."""
    if item.by and event.user != item.by:
        return False
    if item.day is not None and event.precision != "none" and event.at.date() == item.day:
        return True
    return says(event, item)


def says(event: Event, item: Item) -> bool:
    """Say whether an event holds an item in words."""
    by_them = not item.by or event.user == item.by
    return by_them and any(holds(text, item.any_of) for text in (event.text, *event.entities))


def bearing(pairs: Iterable[tuple[Event, Label]], checklist: Sequence[Item], flag: str = "") -> list[Event]:
    """Return the events that say what happened, hold an item, or are flagged for a question."""
    return [
        event
        for event, label in pairs
        if label.core or (flag and flag in label.flags) or any(supports(event, item) for item in checklist)
    ]


def carriers(
    link: Link, cause: Iterable[tuple[Event, Label]], effect: Iterable[tuple[Event, Label]]
) -> tuple[list[Event], list[Event]]:
    """Return the events on a link's two sides that carry it: by its id, or by wording on the effect's side."""
    if link.carried_by == "id":
        sides = [[event for event, _ in side if holds(event.text, [link.id])] for side in (cause, effect)]
        return sides[0], sides[1]
    if link.carried_by == "wording":
        return [event for event, label in cause if label.core], [event for event, _ in effect if cues(event.text)]
    return [], []


def asks_of(kind: Kind, category: str) -> list[Ask]:
    """Return a kind's questions of a category."""
    return [ask for ask in kind.asks if ask.category == category]
