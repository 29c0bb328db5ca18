"""Stage 1: personas with relations, routines and devices."""

import random
from dataclasses import replace
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bench.memfusebench.library import Library
from bench.memfusebench.model import Both, Fault, Lang, Person, SetLang, Source, World

OWN_KINDS: Final = ("phone", "chat", "calendar", "mail", "note", "watch", "purchase", "bank")
HOME_KINDS: Final = ("thermostat", "camera", "router", "meter", "speaker")
DAYS: Final = 70
"""Length of a scenario: ten weeks."""

_LEAST_CARS: Final = 2
_WEEKDAYS: Final = 7
_EARLIEST: Final = date(2025, 1, 6)


def language_of(scenario: int, lang: SetLang) -> SetLang:
    """Return a scenario's language: of a mixed set one is English, one Chinese, one both, and so on."""
    if lang != "mixed":
        return lang
    cycle: tuple[SetLang, ...] = ("en", "zh", "mixed")
    return cycle[scenario % len(cycle)]


def build(library: Library, group: str, lang: SetLang, draw: random.Random) -> World:
    """Draw a group of people, their homes and their devices."""
    people_tables = library.tables["people"]
    constellation = draw.choice(library.tables["constellations"])
    zone, currency_en, currency_zh = draw.choice(people_tables["towns_zh" if lang == "zh" else "towns_en"])
    members = constellation["members"]
    langs: list[Lang] = [("zh" if lang == "zh" or (lang == "mixed" and i % 2) else "en") for i in range(len(members))]
    names = _names(people_tables, lang, langs, draw)
    jobs = draw.sample(library.pairs("people", "jobs"), len(members))
    works = draw.sample(library.pairs("people", "works"), len(members))
    weekly = draw.sample(library.pairs("people", "weekly"), 2 * len(members))
    drivers = set(draw.sample(range(len(members)), draw.choice((2, 3))))
    people = tuple(
        Person(
            name=names[i],
            lang=langs[i],
            relation=Both(*member[:2]),
            home=member[2],
            job=jobs[i],
            work=works[i],
            car=i in drivers,
            wakes=draw.randrange(5, 8),
            weekly=tuple(
                (day, draw.randrange(17, 20), weekly[2 * i + n])
                for n, day in enumerate(draw.sample(range(_WEEKDAYS), 2))
            ),
        )
        for i, member in enumerate(members)
    )
    return World(
        group=group,
        lang=lang,
        zone=ZoneInfo(zone),
        currency=Both(currency_en, currency_zh),
        first_day=_EARLIEST + timedelta(days=draw.randrange(420)),
        days=DAYS,
        people=people,
        homes=tuple(draw.sample(library.pairs("people", "homes"), 1 + max(person.home for person in people))),
        relations=tuple((names[i], names[j], Both(en, zh)) for i, j, en, zh in constellation["relations"]),
        sources=tuple(_sources(people)),
    )


def _names(tables: dict[str, str], lang: SetLang, langs: list[Lang], draw: random.Random) -> list[str]:
    """Draw a name for each: in a mixed group those who write Chinese go by their given name in Latin letters."""
    zh_table = "names_zh" if lang == "zh" else "names_pinyin"
    lists = {"en": tables["names_en"].split(), "zh": tables[zh_table].split()}
    drawn = {key: iter(draw.sample(names, len(langs))) for key, names in lists.items()}
    return [next(drawn[key]) for key in langs]


def _sources(people: tuple[Person, ...]) -> list[Source]:
    made = [
        Source(f"{kind}-{person.name}", kind, person.name, person.lang)
        for person in people
        for kind in (*OWN_KINDS, *(("car",) if person.car else ()))
    ]
    heads: dict[int, Person] = {}
    for person in people:
        heads.setdefault(person.home, person)
    made.extend(
        Source(f"{kind}-home{home + 1}", kind, head.name, head.lang)
        for home, head in heads.items()
        for kind in HOME_KINDS
    )
    return made


def check(world: World) -> list[Fault]:
    """Return what cannot be: two of one name, nobody to drive, a person without devices, unknown relatives."""
    names = [person.name for person in world.people]
    faults = [Fault("name_twice", name, "two persons") for name in sorted(set(names)) if names.count(name) > 1]
    if sum(person.car for person in world.people) < _LEAST_CARS:
        faults.append(Fault("too_few_cars", world.group, "fewer than two drivers"))
    owners = {source.owner for source in world.sources}
    faults += [Fault("no_devices", name, "owns nothing") for name in names if name not in owners]
    known = {name for one, other, _ in world.relations for name in (one, other)}
    faults += [Fault("unknown_relative", name, "not in the group") for name in sorted(known - set(names))]
    busy = [(person.name, day, hour) for person in world.people for day, hour, _ in person.weekly]
    faults += [
        Fault("weekday_twice", name, f"weekday {day}")
        for name, day, _ in busy
        if sum(other == (name, day) for other in ((n, d) for n, d, _ in busy)) > 1
    ]
    return faults


def correct(world: World, fault: Fault) -> World:
    """Repair a fault of `check`: make one more person a driver.

    Raises:
        ValueError: the fault is of a kind that drawing cannot make.
    """
    if fault.rule != "too_few_cars":
        raise ValueError(f"No correction is known for {fault}.")
    i = next(i for i, person in enumerate(world.people) if not person.car)
    driver = replace(world.people[i], car=True)
    people = (*world.people[:i], driver, *world.people[i + 1 :])
    return replace(world, people=people, sources=tuple(_sources(people)))
