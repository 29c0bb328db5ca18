"""Stage 3, continued: the routine, the noise and the contradictions that scenes are scattered among."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from bench.memfusebench.emit import emit
from bench.memfusebench.habits import Habits
from bench.memfusebench.library import Library
from bench.memfusebench.model import Both, Event, Label, Streams, View, World

CONFLICTS: Final = 8
"""Pairs of sources that contradict each other, a scenario."""
TALKS: Final = 26
"""Small talk threads, a scenario."""
NOISE_SHARE: Final = 0.22
"""Share of noise among what fills the days."""


@dataclass(frozen=True, slots=True)
class _Days:
    """What the events of the days are made from."""

    library: Library
    world: World
    draw: random.Random
    habits: Habits


def fill(library: Library, world: World, streams: Streams, total: int, draw: random.Random) -> Streams:
    """Add routine, noise, contradictions and small talk until there are `total` events."""
    days = _Days(library, world, draw, Habits(library, world, streams.events))
    made = [*_periodic(days), *_talks(days), *_conflicts(days)]
    left = total - len(streams.events) - len(made)
    noisy = round(left * NOISE_SHARE)
    made += _sampled(days, "noise", noisy)
    made += _sampled(days, "routine", left - noisy)
    return Streams((*streams.events, *(event for event, _ in made)), (*streams.labels, *(label for _, label in made)))


def _sampled(days: _Days, table: str, count: int) -> list[tuple[Event, Label]]:
    """Return `count` entries of a table, drawn from all days on which they may happen."""
    slots = [
        (number, owner, day)
        for number, raw in enumerate(days.library.tables[table])
        for owner in _owners(days.world, raw["see"].split()[1])
        for day in range(days.world.days)
        if days.draw.random() < float(raw["see"].split()[2])
    ]
    made = []
    for number, owner, day in days.draw.sample(slots, count):
        raw = days.library.tables[table][number]
        source, _, _, hours, *flags = raw["see"].split()
        view = View(f"{table}{number}", source, "", timedelta(), frozenset(flags), (), Both(*raw["say"]))
        at = _moment(days, day, hours)
        event = _emitted(days, view, owner, at, f"{table} {number} {day}")
        made.append((event, Label(event.id, table)))
    return made


def _periodic(days: _Days) -> Iterator[tuple[Event, Label]]:
    """Yield what recurs in each person's weeks: getting up, and their own appointments."""
    for person in days.world.people:
        for day in range(days.world.days):
            weekday = (days.world.first_day + timedelta(days=day)).weekday()
            due = [("waking", person.wakes, Both("", ""))]
            due += [("weekly", hour, what) for on, hour, what in person.weekly if on == weekday]
            for table, hour, what in due:
                for number, raw in enumerate(days.library.tables[table]):
                    source, chance, *later = raw["see"].split()
                    if days.draw.random() >= float(chance):
                        continue
                    view = View(table, source, "", timedelta(), frozenset(), (), Both(*raw["say"]))
                    at = _moment(days, day, f"{hour}-{hour}") + timedelta(hours=int(later[0]) if later else 0)
                    key = f"{table} {number} {day} {hour}"
                    event = _emitted(days, view, person.name, at, key, what)
                    yield event, Label(event.id, "periodic")


def _conflicts(days: _Days) -> Iterator[tuple[Event, Label]]:
    """Yield pairs of sources of one home that contradict each other at one moment."""
    for number in range(CONFLICTS):
        raw = days.draw.choice(days.library.tables["conflict"])
        owner = days.draw.choice(days.world.people).name
        at = _moment(days, days.draw.randrange(1, days.world.days - 1), raw["see"][0].split()[2])
        for side, see in zip(("first", "second"), raw["see"], strict=True):
            view = View(side, see.split()[0], "", timedelta(), frozenset(), (), Both(*raw[side]))
            event = _emitted(
                days, view, owner, at + timedelta(minutes=days.draw.randrange(4)), f"conflict {number} {side}"
            )
            yield event, Label(event.id, "conflicting", story=f"conflict-{number + 1}")


def _talks(days: _Days) -> Iterator[tuple[Event, Label]]:
    """Yield threads of small talk."""
    names = [person.name for person in days.world.people]
    for number in range(TALKS):
        turns = days.draw.choice(days.library.tables["talk"])["turns"]
        speakers = days.draw.sample(names, 2)
        at = _moment(days, days.draw.randrange(1, days.world.days - 1), "8-21")
        for turn, say in enumerate(turns):
            view = View("talk", "chat", "", timedelta(), frozenset(), (), Both(*say))
            event = _emitted(days, view, speakers[turn % 2], at, f"talk {number} {turn}")
            yield event, Label(event.id, "routine")
            at += timedelta(minutes=days.draw.randrange(1, 9))


def _emitted(days: _Days, view: View, owner: str, at: datetime, key: str, what: Both | None = None) -> Event:
    source = days.world.source(view.source, owner)
    values: Mapping[str, Both] = {"work": days.world.person(owner).work, "what": what or Both("", "")}
    event = emit(days.world, source, view, values, at, source.lang, days.draw, key, owner)
    return days.habits.lend(event, view, days.draw)


def _owners(world: World, whose: str) -> list[str]:
    """Return who has one: every person, every driver, or the first of each home."""
    if whose == "person":
        return [person.name for person in world.people]
    if whose == "driver":
        return [person.name for person in world.people if person.car]
    return [source.owner for source in world.sources if source.kind == "thermostat"]


def _moment(days: _Days, day: int, hours: str) -> datetime:
    low, high = map(int, hours.split("-"))
    at = time(days.draw.randrange(low, high + 1), days.draw.randrange(60))
    return datetime.combine(days.world.first_day + timedelta(days=day), at, days.world.zone)
