"""Stage 3, continued: the routine, the noise and the contradictions that scenes are scattered among."""

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final

from bench.memfusebench.emit import emit
from bench.memfusebench.library import Library
from bench.memfusebench.model import Both, Event, Label, Streams, View, World

CONFLICTS: Final = 8
"""Pairs of sources that contradict each other, a scenario."""
TALKS: Final = 26
"""Small talk threads, a scenario."""
NOISE_SHARE: Final = 0.22
"""Share of noise among what fills the days."""


def fill(library: Library, world: World, streams: Streams, total: int, draw: random.Random) -> Streams:
    """Add routine, noise, contradictions and small talk until there are `total` events."""
    made = [*_periodic(library, world, draw), *_talks(library, world, draw), *_conflicts(library, world, draw)]
    left = total - len(streams.events) - len(made)
    noisy = round(left * NOISE_SHARE)
    made += _sampled(library, world, "noise", noisy, draw)
    made += _sampled(library, world, "routine", left - noisy, draw)
    return Streams((*streams.events, *(event for event, _ in made)), (*streams.labels, *(label for _, label in made)))


def _sampled(library: Library, world: World, table: str, count: int, draw: random.Random) -> list[tuple[Event, Label]]:
    """Return `count` entries of a table, drawn from all days on which they may happen."""
    slots = [
        (number, owner, day)
        for number, raw in enumerate(library.tables[table])
        for owner in _owners(world, raw["see"].split()[1])
        for day in range(world.days)
        if draw.random() < float(raw["see"].split()[2])
    ]
    made = []
    for number, owner, day in draw.sample(slots, count):
        raw = library.tables[table][number]
        source, _, _, hours, *flags = raw["see"].split()
        view = View(f"{table}{number}", source, "", timedelta(), frozenset(flags), (), Both(*raw["say"]))
        at = _moment(world, day, hours, draw)
        event = _emitted(world, view, owner, at, draw, f"{table} {number} {day}")
        made.append((event, Label(event.id, table)))
    return made


def _periodic(library: Library, world: World, draw: random.Random) -> Iterator[tuple[Event, Label]]:
    """Yield what recurs in each person's weeks: getting up, and their own appointments."""
    for person in world.people:
        for day in range(world.days):
            weekday = (world.first_day + timedelta(days=day)).weekday()
            due = [("waking", person.wakes, Both("", ""))]
            due += [("weekly", hour, what) for on, hour, what in person.weekly if on == weekday]
            for table, hour, what in due:
                for number, raw in enumerate(library.tables[table]):
                    source, chance = raw["see"].split()
                    if draw.random() >= float(chance):
                        continue
                    view = View(table, source, "", timedelta(), frozenset(), (), Both(*raw["say"]))
                    at = _moment(world, day, f"{hour}-{hour}", draw)
                    key = f"{table} {number} {day} {hour}"
                    event = _emitted(world, view, person.name, at, draw, key, what)
                    yield event, Label(event.id, "periodic")


def _conflicts(library: Library, world: World, draw: random.Random) -> Iterator[tuple[Event, Label]]:
    """Yield pairs of sources of one home that contradict each other at one moment."""
    for number in range(CONFLICTS):
        raw = draw.choice(library.tables["conflict"])
        owner = draw.choice(world.people).name
        at = _moment(world, draw.randrange(1, world.days - 1), raw["see"][0].split()[2], draw)
        for side, see in zip(("first", "second"), raw["see"], strict=True):
            view = View(side, see.split()[0], "", timedelta(), frozenset(), (), Both(*raw[side]))
            event = _emitted(
                world, view, owner, at + timedelta(minutes=draw.randrange(4)), draw, f"conflict {number} {side}"
            )
            yield event, Label(event.id, "conflicting", story=f"conflict-{number + 1}")


def _talks(library: Library, world: World, draw: random.Random) -> Iterator[tuple[Event, Label]]:
    """Yield threads of small talk."""
    names = [person.name for person in world.people]
    for number in range(TALKS):
        turns = draw.choice(library.tables["talk"])["turns"]
        speakers = draw.sample(names, 2)
        at = _moment(world, draw.randrange(1, world.days - 1), "8-21", draw)
        for turn, say in enumerate(turns):
            view = View("talk", "chat", "", timedelta(), frozenset(), (), Both(*say))
            event = _emitted(world, view, speakers[turn % 2], at, draw, f"talk {number} {turn}")
            yield event, Label(event.id, "routine")
            at += timedelta(minutes=draw.randrange(1, 9))


def _emitted(
    world: World, view: View, owner: str, at: datetime, draw: random.Random, key: str, what: Both | None = None
) -> Event:
    source = world.source(view.source, owner)
    values: Mapping[str, Both] = {"work": world.person(owner).work, "what": what or Both("", "")}
    return emit(world, source, view, values, at, source.lang, draw, key, owner)


def _owners(world: World, whose: str) -> list[str]:
    """Return who has one: every person, every driver, or the first of each home."""
    if whose == "person":
        return [person.name for person in world.people]
    if whose == "driver":
        return [person.name for person in world.people if person.car]
    return [source.owner for source in world.sources if source.kind == "thermostat"]


def _moment(world: World, day: int, hours: Any, draw: random.Random) -> datetime:
    low, high = map(int, hours.split("-"))
    at = time(draw.randrange(low, high + 1), draw.randrange(60))
    return datetime.combine(world.first_day + timedelta(days=day), at, world.zone)
