"""Questions that look like the others and have no answer: it never happened, not then, not to them, or not for them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bench.memfusebench.asking import Asker
from bench.memfusebench.model import Both, Kind, Lang, Scene
from bench.memfusebench.texts import both, say_date

COUNTS: Final = {"never_happened": 3, "wrong_time": 3, "wrong_person": 2, "private": 2}
"""How many of each reason a scenario has."""

APART: Final = timedelta(days=10)
"""So far from anything of its kind a question about a wrong time lies."""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question without an answer; `reason` says why, `about` which kind of scene and whom, around `day`."""

    id: str
    text: str
    lang: Lang
    viewer: str
    asked_at: datetime
    looks_like: str
    reason: str
    about: tuple[str, str]
    day: datetime


def build(asker: Asker) -> list[Unanswerable]:
    """Return a scenario's unanswerable questions."""
    makers = {
        "never_happened": _never(asker),
        "wrong_time": _wrong_time(asker),
        "wrong_person": _wrong_person(asker),
        "private": _private(asker),
    }
    return [next(makers[reason]) for reason, count in COUNTS.items() for _ in range(count)]


def _never(asker: Asker) -> Iterator[Unanswerable]:
    """Yield why-questions about kinds of scenes that a person never met."""
    kinds = [kind for kind in asker.library.family("scene") if kind.causes]
    pairs = [
        (kind, person.name) for kind in kinds for person in asker.world.people if not _met(asker, kind, person.name)
    ]
    asker.draw.shuffle(pairs)
    for kind, name in pairs:
        yield _of_scene(asker, kind, name, _any_day(asker), "causal_reasoning", kind.text["why"], "never_happened")


def _wrong_time(asker: Asker) -> Iterator[Unanswerable]:
    """Yield questions about scenes that did happen, asked of another time."""
    scenes = [scene for scene in asker.timeline.scenes if asker.kind(scene).family == "scene"]
    asker.draw.shuffle(scenes)
    for scene in scenes:
        kind, name = asker.kind(scene), scene.cast["a"]
        days = [day for day in _days(asker) if all(abs(day - other.start) > APART for other in _met(asker, kind, name))]
        if days:
            day = asker.draw.choice(days)
            yield _of_scene(asker, kind, name, day, "information_fusion", kind.asks[0].say, "wrong_time", scene)


def _wrong_person(asker: Asker) -> Iterator[Unanswerable]:
    """Yield questions about a person's weeks that were another person's."""
    pairs = [
        (kind, person.name)
        for kind in asker.library.family("track")
        for person in asker.world.people
        if not _met(asker, kind, person.name)
    ]
    asker.draw.shuffle(pairs)
    for kind, name in pairs:
        yield _of_scene(asker, kind, name, _any_day(asker), "cross_user_query", kind.asks[-1].say, "wrong_person")


def _private(asker: Asker) -> Iterator[Unanswerable]:
    """Yield questions about moods that stand in private notes only, asked by a third person."""
    scenes = [scene for scene in asker.timeline.scenes if scene.stance == "private"]
    asker.draw.shuffle(scenes)
    for scene in scenes:
        cast = (scene.cast["a"], scene.cast["b"])
        viewer = asker.viewer(but=cast)
        lang = asker.world.person(viewer).lang
        frame = asker.frame("perspective", "moods")
        text = asker.say(frame, {**scene.values, **asker.when(scene)}, lang)
        about = (scene.kind, scene.cast["a"])
        yield _made(asker, text, viewer, "perspective_difference", "private", about, scene.start)


def _of_scene(
    asker: Asker,
    kind: Kind,
    name: str,
    day: datetime,
    category: str,
    frame: Both,
    reason: str,
    scene: Scene | None = None,
) -> Unanswerable:
    others = [person.name for person in asker.world.people if person.name != name]
    cast = dict(scene.cast) if scene else {"a": name, "b": asker.draw.choice(others)}
    viewer = asker.viewer(but=[name])
    lang = asker.world.person(viewer).lang
    dates = Both(say_date(day.date(), "en"), say_date(day.date(), "zh"))
    near = asker.frame("when", "near")
    when = Both(near.en.replace("{date}", dates.en), near.zh.replace("{date}", dates.zh))
    values = {role: both(person) for role, person in cast.items()} | {"when": when}
    return _made(asker, asker.say(frame, values, lang), viewer, category, reason, (kind.name, name), day)


def _made(
    asker: Asker, text: str, viewer: str, looks_like: str, reason: str, about: tuple[str, str], day: datetime
) -> Unanswerable:
    asked = asker.end() + timedelta(days=asker.draw.randrange(1, 6), minutes=asker.draw.randrange(540, 1260))
    return Unanswerable("", text, asker.world.person(viewer).lang, viewer, asked, looks_like, reason, about, day)


def _met(asker: Asker, kind: Kind, name: str) -> list[Scene]:
    """Return the scenes of a kind that a person had a part in."""
    return [scene for scene in asker.timeline.scenes if scene.kind == kind.name and name in scene.cast.values()]


def _days(asker: Asker) -> list[datetime]:
    first = asker.end() - timedelta(days=asker.world.days)
    return [first + timedelta(days=day, hours=12) for day in range(5, asker.world.days - 5)]


def _any_day(asker: Asker) -> datetime:
    return asker.draw.choice(_days(asker))
