"""Stage 3: each scene refracted into what each source sees of it, among the routine of the days."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bench.memfusebench.emit import emit
from bench.memfusebench.library import Library, Step
from bench.memfusebench.model import Both, Event, Fault, Kind, Label, Scene, Streams, Timeline, View, World
from bench.memfusebench.texts import shown
from bench.memfusebench.timeline import SEALED
from bench.memfusebench.words import content, cues, jaccard

ALIKE: Final = 0.45
"""Two sources of one scene must not share more of their content words than this."""

_MOST_TURNS: Final = 80
_ASIDES: Final = {"chat": 0.6, "note": 0.3}
_LONG: Final = timedelta(days=1)
_NIGHT: Final = 23
_UNKEYED: Final = ("trace", "missed")
_WORDED: Final = ("change", "over", "also")
_OBSERVED: Final = ("again",)
_LATE_AFTER_DAYS: Final = 26


def refract(library: Library, world: World, timeline: Timeline) -> Streams:
    """Return the events of all scenes, scene by scene."""
    made = [
        pair
        for scene in timeline.scenes
        for pair in (_history(library, world, scene) if scene.pattern else _sights(library, world, timeline, scene))
    ]
    return Streams(tuple(event for event, _ in made), tuple(label for _, label in made))


def views_of(library: Library, timeline: Timeline, scene: Scene) -> list[View]:
    """Return what is seen of a scene: its kind's views, what carries its causes, and its people's stances."""
    kind = library.kinds[scene.kind]
    carried = {link.carried_by for link in timeline.links if link.effect == scene.id}
    carriers = [view for how, view in (("id", kind.by_id), ("wording", kind.by_wording)) if how in carried and view]
    return [*kind.views, *carriers, *library.stances.get(scene.stance, ())]


def _sights(library: Library, world: World, timeline: Timeline, scene: Scene) -> Iterator[tuple[Event, Label]]:
    for view in views_of(library, timeline, scene):
        yield see(library, world, scene, view)


def see(library: Library, world: World, scene: Scene, view: View, turn: int = 0) -> tuple[Event, Label]:
    """Return the event that a view of a scene gives; another turn gives other words."""
    draw = random.Random(f"{world.group} {scene.id} {view.name} {turn}")
    source = world.source(view.source, scene.cast[view.role])
    at = seen_at(scene.start, view, scene.values, draw)
    told = scene.start if "ahead" in view.flags else None
    event = emit(world, source, view, scene.values, at, source.lang, draw, scene.id, view.name, told=told)
    event = chatty(library, event, draw)
    family = library.kinds[scene.kind].family
    return event, Label(
        event.id, family, scene.id, scene.story, view.name, "core" in view.flags, tuple(sorted(view.flags))
    )


def seen_at(start: datetime, view: View, values: Mapping[str, Both], draw: random.Random) -> datetime:
    """Return when a source reports: its time after the start, after what it reports the length of is over."""
    minutes = float(values[view.until].en) if view.until else 0
    at = start + view.after + timedelta(minutes=round(minutes) + draw.randrange(12))
    if view.after >= _LONG:
        at = at.replace(hour=_NIGHT if "night" in view.flags else draw.randrange(8, 22))
    return at


def chatty(library: Library, event: Event, draw: random.Random) -> Event:
    """Let some chat turns and notes end on an aside that has nothing to do with the matter."""
    if draw.random() >= _ASIDES.get(event.source.kind, 0.0):
        return event
    aside = draw.choice(library.pairs("asides")).of(event.lang)
    return replace(event, text=event.text + (" " if event.lang == "en" else "") + aside)


def _history(library: Library, world: World, scene: Scene) -> Iterator[tuple[Event, Label]]:
    """Yield the statements and traces of a value, in the order and with the verdicts of its pattern."""
    kind = library.kinds[scene.kind]
    for number, step in enumerate(library.patterns[scene.pattern]):
        yield _stated(world, scene, kind, step, number)


def _stated(world: World, scene: Scene, kind: Kind, step: Step, number: int, turn: int = 0) -> tuple[Event, Label]:
    draw = random.Random(f"{world.group} {scene.id} {number} {turn}")
    view = draw.choice([view for view in kind.views if view.step == step.view])
    source = world.source(view.source, scene.cast[view.role])
    lang = world.person(scene.cast["a"]).lang
    value = scene.values[step.value + ("_fine" if step.view == "refine" else "")]
    values = {**scene.values, "v": value, "trace": scene.values[f"{step.value}_alt"]}
    at = (scene.start + timedelta(days=step.day, minutes=draw.randrange(12))).replace(hour=draw.randrange(8, 22))
    name = f"{number}-{step.view}"
    if scene.stance == SEALED:
        view = replace(view, flags=view.flags | {"private"})
    event = emit(world, source, view, values, at, lang, draw, scene.id, name, exact=True)
    late = step.view == "early"
    if late:
        event = replace(event, arrives=event.at + timedelta(days=_LATE_AFTER_DAYS))
    if step.view not in _UNKEYED:
        event = replace(
            event,
            key=scene.values["key"].of(lang),
            value=shown(value.of(lang)),
            subject=scene.cast["a"],
            origin="observed" if step.view in _OBSERVED else "user_stated",
        )
    worded = step.view in _WORDED
    label = Label(
        event.id, "value", scene.id, scene.story, name, core=True, verdict=step.verdict, worded=worded, late=late
    )
    return event, label


def check(timeline: Timeline, streams: Streams) -> list[Fault]:
    """Return events that repeat another's words, are too like another source's, or name a cause unasked."""
    faults = []
    said: set[str] = set()
    for event, label in _latent(streams):
        if event.text in said and label.part != "value":
            faults.append(Fault("same_words", event.id, event.text))
        said.add(event.text)
        if cues(event.text) and label.view != "by_wording":
            faults.append(Fault("names_a_cause", event.id, event.text))
    for scene in timeline.scenes:
        if not scene.pattern:
            faults += _alike(streams.of_scene(scene.id))
    return faults


def _latent(streams: Streams) -> list[tuple[Event, Label]]:
    return [pair for pair in zip(streams.events, streams.labels, strict=True) if pair[1].scene]


def _alike(pairs: list[tuple[Event, Label]]) -> list[Fault]:
    events = [event for event, _ in pairs]
    return [
        Fault("sources_alike", later.id, f"{event.text} / {later.text}")
        for i, later in enumerate(events)
        for event in events[:i]
        if _too_like(event, later)
    ]


def _too_like(one: Event, other: Event) -> bool:
    return one.source.id != other.source.id and jaccard(content(one.text), content(other.text)) > ALIKE


def correct(library: Library, world: World, timeline: Timeline, streams: Streams, fault: Fault) -> Streams:
    """Say a faulty event again, in the first other words that nobody has used and no other source comes near to."""
    i = next(i for i, event in enumerate(streams.events) if event.id == fault.where)
    label = streams.labels[i]
    scene = timeline.scene(label.scene)
    view = next(view for view in views_of(library, timeline, scene) if view.name == label.view)
    said = {event.text for event in streams.events}
    beside = [event for event, other in streams.of_scene(scene.id) if other.view != label.view]
    for turn in range(1, _MOST_TURNS):
        event, _ = see(library, world, scene, view, turn)
        if event.text not in said and not any(_too_like(event, other) for other in beside):
            break
    return replace(streams, events=(*streams.events[:i], event, *streams.events[i + 1 :]))
