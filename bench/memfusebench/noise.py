"""Stage 6: adversarial noise. Evidence said again of the wrong date, person, place or device, with other facts.

The evidence itself is never touched. The review checks that no answer moved: no noise holds a fact of a checklist that
its viewer could see, repeats an event's words, or answers an unanswerable question.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bench.memfusebench.asking import supports
from bench.memfusebench.emit import emit
from bench.memfusebench.library import Library
from bench.memfusebench.model import Both, Event, Fault, Kind, Label, Question, Scene, Streams, Timeline, View, World
from bench.memfusebench.streams import chatty, seen_at
from bench.memfusebench.texts import both, draw_value
from bench.memfusebench.timeline import draw_values
from bench.memfusebench.unanswerable import Unanswerable
from bench.memfusebench.words import holds

APART_DAYS: Final = 9
"""Noise of a wrong date lies so far from every scene of its kind that the person had a part in."""

_FAMILY_MODES: Final = {
    "scene": ("wrong_date", "wrong_date", "wrong_person", "wrong_device"),
    "plan": ("wrong_date",),
    "track": ("wrong_person", "wrong_device"),
    "value": ("wrong_person",),
}
_HOME_SOURCES: Final = ("thermostat", "camera", "router", "meter", "speaker")
_OTHER_DEVICE: Final = {
    "watch": "phone", "phone": "watch", "chat": "mail", "mail": "phone", "bank": "purchase", "purchase": "bank",
    "calendar": "mail", "note": "chat", "car": "phone",
}  # fmt: skip
_STEPS: Final = ("say", "trace")
"""Statements of a value that noise may make of somebody else."""
_MOST_TURNS: Final = 60


@dataclass(frozen=True, slots=True)
class Noise:
    """What has been added so far, and the events that may still be imitated."""

    events: tuple[Event, ...]
    labels: tuple[Label, ...]
    targets: tuple[str, ...]


class Imitator:
    """Makes noise for one scenario."""

    def __init__(
        self,
        library: Library,
        world: World,
        timeline: Timeline,
        streams: Streams,
        questions: Sequence[Question],
        unanswerable: Sequence[Unanswerable],
    ) -> None:
        self._library = library
        self._world = world
        self._timeline = timeline
        self._streams = streams
        self._questions = questions
        self._items = [item for question in questions for item in question.checklist]
        self._lost = {(one.kind, name) for one in unanswerable for name in one.people}
        self._labelled = {event.id: (event, label) for event, label in zip(streams.events, streams.labels, strict=True)}
        self._texts = {event.text for event in streams.events}
        self._ids = [link.id for link in timeline.links if link.id]

    def add(self, count: int, draw: random.Random) -> Noise:
        """Imitate evidence, each at most a few times, until there are `count` events."""
        evidence = sorted({event_id for question in self._questions for event_id in question.evidence})
        fitting = [event_id for event_id in evidence if self._views(event_id)]
        draw.shuffle(fitting)
        targets = [fitting[i % len(fitting)] for i in range(3 * count)]
        noise = Noise((), (), tuple(targets))
        while len(noise.events) < count:
            noise = self._another(noise)
        return noise

    def _another(self, noise: Noise) -> Noise:
        """Imitate the next target."""
        target, rest = noise.targets[0], noise.targets[1:]
        made = self._imitated(target, len(rest))
        if made is None:
            return replace(noise, targets=rest)
        event, label = made
        return Noise((*noise.events, event), (*noise.labels, label), rest)

    def _views(self, event_id: str) -> list[View]:
        """Return the views that can say an event again; what names a cause is left alone."""
        _, label = self._labelled[event_id]
        kind = self._library.kinds[self._timeline.scene(label.scene).kind]
        if kind.family == "value":
            step = label.view.partition("-")[2]
            return [view for view in kind.views if view.step == step and step in _STEPS]
        views = [*kind.views, *([kind.by_id] if kind.by_id else [])]
        return [view for view in views if view.name == label.view]

    def _imitated(self, target: str, turn: int) -> tuple[Event, Label] | None:
        """Return the event said again with other facts, or nothing where no way of doing so is harmless."""
        _, label = self._labelled[target]
        scene = self._timeline.scene(label.scene)
        kind = self._library.kinds[scene.kind]
        draw = random.Random(f"{self._world.group} noise {target} {turn}")
        for attempt in range(_MOST_TURNS):
            mode = draw.choice(_FAMILY_MODES[kind.family])
            view = draw.choice(self._views(target))
            event, mode = self._said(scene, kind, view, mode, draw, f"{target} {turn} {attempt}")
            if event and not self._harm(event, kind):
                return event, Label(event.id, "adversarial", imitates=target, mode=mode, view=label.view)
        return None

    def _said(
        self, scene: Scene, kind: Kind, view: View, mode: str, draw: random.Random, key: str
    ) -> tuple[Event | None, str]:
        cast = dict(scene.cast)
        if mode == "wrong_date":
            start = scene.start + timedelta(days=draw.choice((-1, 1)) * draw.randrange(APART_DAYS, 34))
        else:
            start = scene.start + timedelta(days=draw.randrange(-1, 2), hours=draw.randrange(-3, 4))
            fitting = [name for name in self._uninvolved(kind) if self._world.owns(name, view.source)]
            if not fitting:
                return None, mode
            swapped = draw.choice(fitting)
            cast = {role: swapped if role == view.role else name for role, name in cast.items()}
            cast |= {"b": scene.cast["a"]} if view.role == "a" and "b" in cast else {}
        taken: dict[str, set[str]] = {}
        values = draw_values(self._world, kind, cast, start, None, draw, taken)
        values |= {name: Both(*scene.values[name]) for name in ("thing",) if name in scene.values}
        values["their_ref"] = draw_value(kind.ref, draw, taken["ref"])[0] if kind.ref else both("")
        if kind.family == "value":
            values |= {"v": values["v0"], "trace": values["v0_alt"]}
        source = self._world.source(view.source, cast[view.role])
        if mode != "wrong_date" and view.source in _HOME_SOURCES:
            mode = "wrong_place"
        elif mode == "wrong_device":
            source = self._world.source(_OTHER_DEVICE[view.source], cast[view.role])
        at = seen_at(start, view, values, draw)
        told = start if "ahead" in view.flags else None
        event = emit(self._world, source, view, values, at, source.lang, draw, "noise", key, told=told)
        return chatty(self._library, event, draw), mode

    def _uninvolved(self, kind: Kind) -> list[str]:
        return [person.name for person in self._world.people if not self._met(kind, person.name)]

    def _met(self, kind: Kind, name: str) -> list[Scene]:
        return [scene for scene in self._timeline.scenes if scene.kind == kind.name and name in scene.cast.values()]

    def _harm(self, event: Event, kind: Kind) -> str:
        """Return why an event must not be added, or nothing."""
        first, last = self._world.first_day, self._world.first_day + timedelta(days=self._world.days)
        owners = self._owners(event)
        harms: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("outside the days", lambda: not first <= event.at.date() < last),
            ("repeats an event", lambda: event.text in self._texts),
            ("carries a link", lambda: holds(event.text, self._ids)),
            ("too near to the truth", lambda: self._is_near(event, kind, owners)),
            (
                "answers the unanswerable",
                lambda: any(kind.name == about and name in owners for about, name in self._lost),
            ),
            ("holds a fact", lambda: any(supports(event, item) for item in self._items)),
        )
        return next((harm for harm, is_so in harms if is_so()), "")

    def _owners(self, event: Event) -> set[str]:
        """Return whom an event may be about: its user, whom it names, and all of the home whose device it is."""
        owners = {event.user, *event.related}
        if event.source.kind in _HOME_SOURCES:
            home = self._world.person(event.user).home
            owners |= {person.name for person in self._world.people if person.home == home}
        return owners

    def _is_near(self, event: Event, kind: Kind, owners: set[str]) -> bool:
        apart = timedelta(days=APART_DAYS - 1)
        return any(abs(event.at - scene.start) < apart for name in owners for scene in self._met(kind, name))

    def check(self, noise: Noise) -> list[Fault]:
        """Return noise that does harm, or that is said twice."""
        faults, said = [], set()
        for event, label in zip(noise.events, noise.labels, strict=True):
            scene = self._timeline.scene(self._labelled[label.imitates][1].scene)
            harm = self._harm(event, self._library.kinds[scene.kind]) or ("said twice" if event.text in said else "")
            said.add(event.text)
            if harm:
                faults.append(Fault("noise_does_harm", event.id, f"{harm}: {event.text}"))
        return faults

    def correct(self, noise: Noise, fault: Fault) -> Noise:
        """Take a faulty event out and imitate another in its place."""
        i = next(i for i, event in enumerate(noise.events) if event.id == fault.where)
        count = len(noise.events)
        noise = replace(
            noise,
            events=(*noise.events[:i], *noise.events[i + 1 :]),
            labels=(*noise.labels[:i], *noise.labels[i + 1 :]),
        )
        while len(noise.events) < count:
            noise = self._another(noise)
        return noise
