"""Stage 2: a timeline of causally linked scenes, the latent truth."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from bench.memfusebench.library import COMPANIONS, Library
from bench.memfusebench.model import LANGS, Both, Carrier, Kind, Link, Scene, Timeline, World
from bench.memfusebench.texts import both, draw_value, expand, say_moved

_DAYS_ON: Final = "day+"
OPINIONS: Final = ("op_a", "op_b")
STORIES: Final = 13
CARRIED_STORIES: Final = 10
"""Stories of which every link is carried by wording or by an id."""
TRACKS: Final = 8
PLANS: Final = 5
HISTORIES: Final = 15

_STORY_LENGTHS: Final = (4, 4, 4, 5)
_SHORTEST: Final = 3
MARGIN: Final = 3
_TRACK_DAYS: Final = 46
_PLAN_DAYS: Final = 16
_HISTORY_DAYS: Final = 40
_WORDED: Final = 0.26
_STANCES: Final = 0.6
SEALED: Final = "sealed"
"""The stance of a scene of which nobody but who wrote of it can know anything."""
_SEALABLE: Final = ("announced", "silent", "refined", "coexisting", "tentative")
_STANCE_ORDER: Final = ("open", "private", "open")


@dataclass
class _Draft:
    """What is drawn so far, and how often each kind and person was used."""

    library: Library
    world: World
    draw: random.Random
    scenes: list[Scene] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    used: Counter[str] = field(default_factory=Counter)
    taken: dict[str, set[str]] = field(default_factory=dict)

    def moment(self, day: int, hours: tuple[int, int]) -> datetime:
        """Return a moment on a day of the scenario, within hours."""
        at = time(self.draw.randrange(hours[0], hours[1] + 1), self.draw.randrange(60))
        return datetime.combine(self.world.first_day + timedelta(days=day), at, self.world.zone)

    def least_used(self, names: Iterable[str]) -> str:
        """Return one of the names that were drawn least often."""
        known = list(names)
        least = min(self.used[name] for name in known)
        return self.draw.choice([name for name in known if self.used[name] == least])

    def value(self, table: str, spec: Any) -> Both:
        """Draw one value from a table, another than before as long as there are any."""
        return draw_value(spec, self.draw, self.taken.setdefault(table, set()))[0]

    def add(
        self,
        kind: Kind,
        story: str,
        start: datetime,
        cast: Mapping[str, str],
        cause: Scene | None = None,
        pattern: str = "",
        stance: str = "",
    ) -> Scene:
        """Add a scene; one of a family with opinions draws its stance."""
        self.used.update((kind.name, cast["a"]))
        values = draw_values(self.world, kind, cast, start, cause, self.draw, self.taken)
        if cause:
            teller = cast[kind.by_wording.role] if kind.by_wording else ""
            because = _as_told(self.library.kinds[cause.kind].text["because"], cause.cast, teller)
            values |= {"because": _said(because, cause.values, self.draw), "their_ref": cause.values["ref"]}
        fresh = "op_a" in kind.slots and len(self.taken.get(f"{kind.name} op_a", ())) < len(kind.slots["op_a"])
        if fresh and self.draw.random() < _STANCES:
            stance = _STANCE_ORDER[self.used["stance"] % len(_STANCE_ORDER)]
            self.used["stance"] += 1
            for role in "ab":
                values[f"mood_{role}"] = self.value(f"mood_{role} {cast[role]}", self.library.tables["moods"][role])
                opinion = self.value(f"{kind.name} op_{role}", kind.slots[f"op_{role}"])
                values[f"op_{role}"] = _said(opinion, values, self.draw)
        scene = Scene(f"scene-{len(self.scenes) + 1}", kind.name, story, start, cast, values, pattern, stance)
        self.scenes.append(scene)
        return scene


def draw_values(
    world: World,
    kind: Kind,
    cast: Mapping[str, str],
    start: datetime,
    cause: Scene | None,
    draw: random.Random,
    taken: dict[str, set[str]],
) -> dict[str, Both]:
    """Draw a value for every slot of a kind but its opinions; `taken` holds what each table has given."""
    person = world.person(cast["a"])
    drawn = {role: both(name) for role, name in cast.items()}
    drawn |= {"home": world.homes[person.home], "work": person.work, "cur": world.currency, "ref": both("")}
    if kind.ref:
        drawn["ref"] = draw_value(kind.ref, draw, taken.setdefault("ref", set()))[0]
    for slot, spec in kind.slots.items():
        rows = spec[cause.kind if cause else draw.choice(sorted(spec))] if isinstance(spec, dict) else spec
        if slot in OPINIONS:
            continue
        if isinstance(rows, str) and rows.startswith(_DAYS_ON):
            continue
        # The values of a history, and what each person of a plan brings, come from one table.
        table = slot.partition("_")[0] if kind.family == "plan" else slot.rstrip("0123456789")
        given = draw_value(rows, draw, taken.setdefault(f"{kind.name} {table}", set()))
        drawn |= {slot + companion: value for companion, value in zip(COMPANIONS, given, strict=False)}
    drawn |= dated(kind, start.date())
    for name in ("thing", "key", "q"):
        if name in kind.text:
            drawn[name] = _said(kind.text[name], drawn, draw)
    return drawn


def dated(kind: Kind, first: date) -> dict[str, Both]:
    """Return the values of a kind's slots that are days counted from a scene's first day."""
    return {
        slot: say_moved(first, spec)
        for slot, spec in kind.slots.items()
        if isinstance(spec, str) and spec.startswith(_DAYS_ON)
    }


def _as_told(text: Both, cast: Mapping[str, str], teller: str) -> Both:
    """Return a clause as one of its own persons tells it: in the first person."""
    en, zh = text
    for role, name in cast.items():
        if name == teller:
            en = en.replace(f"{{{role}}}'s", "my")
            en = re.sub(rf"^\{{{role}\}}", "I", en).replace(f"{{{role}}}", "me")
            zh = zh.replace(f"{{{role}}}", "我")
    return Both(en, zh)


def _said(text: Both, values: Mapping[str, Both], draw: random.Random) -> Both:
    """Fill a phrase in both languages, as it stands inside a sentence."""
    return Both(*(expand(text.of(lang), values, lang, draw, inside=True) for lang in LANGS))


def build(library: Library, world: World, draw: random.Random) -> Timeline:
    """Draw the stories, tracks, plans and histories of values."""
    draft = _Draft(library, world, draw)
    carried = [True] * CARRIED_STORIES + [False] * (STORIES - CARRIED_STORIES)
    draw.shuffle(carried)
    room = world.days - 2 * MARGIN - 14
    for number, is_carried in enumerate(carried):
        day = MARGIN + number * room // STORIES + draw.randrange(3)
        _tell(draft, f"story-{number + 1}", day, is_carried)
    _spread(draft, library.family("track"), TRACKS, _TRACK_DAYS)
    _spread(draft, library.family("plan"), PLANS, _PLAN_DAYS)
    patterns = list(library.patterns)
    draw.shuffle(patterns)
    stated = _stated(library, draw)
    _spread(draft, stated, HISTORIES, _HISTORY_DAYS, patterns)
    _spread(draft, _unhinted(library, stated), 1, _HISTORY_DAYS, [draw.choice(_SEALABLE)], SEALED)
    return Timeline(_with_one_sealed(draft), tuple(draft.links))


def _unhinted(library: Library, kinds: Iterable[Kind]) -> list[Kind]:
    """Return the kinds that the daily routine says nothing about."""
    return [kind for kind in kinds if kind.name not in library.tables["unanswerable"]["hinted"]]


def _stated(library: Library, draw: random.Random) -> list[Kind]:
    """Return the kinds of values that somebody states: all but one."""
    values = library.family("value")
    unheard = draw.choice(_unhinted(library, values))
    return [kind for kind in values if kind is not unheard]


def _with_one_sealed(draft: _Draft) -> tuple[Scene, ...]:
    """Return the scenes, of which one that was voiced in private is voiced nowhere else."""
    sealed = draft.draw.choice([scene.id for scene in draft.scenes if scene.stance == "private"])
    return tuple(replace(scene, stance=SEALED) if scene.id == sealed else scene for scene in draft.scenes)


def _tell(draft: _Draft, story: str, day: int, carried: bool) -> None:
    """Draw a chain of scenes, each the cause of the next."""
    library = draft.library
    scenes = library.family("scene")
    root = library.kinds[
        draft.least_used(kind.name for kind in scenes if not kind.causes and _depth(library, kind.name) >= _SHORTEST)
    ]
    length = draft.draw.choice(_STORY_LENGTHS)
    scene = draft.add(root, story, draft.moment(day, root.hours), _cast(draft, root, None))
    told, links = [root.name], []
    while len(told) < length:
        needed = _SHORTEST - len(told)
        fitting = [
            kind.name
            for kind in scenes
            if scene.kind in kind.causes
            and kind.name not in told
            and _depth(library, kind.name) >= needed
            and _possible(draft.world, kind, scene)
        ]
        if not fitting:
            break
        kind = library.kinds[draft.least_used(fitting)]
        effect = draft.add(kind, story, _after(draft, scene, kind), _cast(draft, kind, scene), scene)
        links.append((scene, effect))
        scene = effect
        told.append(kind.name)
    draft.links.extend(_carried(draft.draw, links, carried))


def _depth(library: Library, name: str) -> int:
    """Return the length of the longest chain of effects that starts with a kind."""
    effects = [kind.name for kind in library.kinds.values() if name in kind.causes]
    return 1 + max((_depth(library, effect) for effect in effects), default=0)


def _possible(world: World, kind: Kind, cause: Scene) -> bool:
    return kind.needs != "car" or any(world.person(cause.cast[role]).car for role in kind.takes)


def _cast(draft: _Draft, kind: Kind, cause: Scene | None) -> dict[str, str]:
    """Give each role a person: the first comes from the cause's persons, the others are others."""
    world, draw = draft.world, draft.draw
    names = [person.name for person in world.people]
    candidates = [cause.cast[role] for role in kind.takes] if cause else names
    if kind.family != "scene":
        taken = {scene.cast["a"] for scene in draft.scenes if scene.kind == kind.name}
        candidates = [name for name in candidates if name not in taken]
    if kind.needs == "car":
        candidates = [name for name in candidates if world.person(name).car]
    first = draft.least_used(candidates)
    others = [name for name in names if name != first]
    if kind.needs == "other_home":
        others = [name for name in others if world.person(name).home != world.person(first).home]
    draw.shuffle(others)
    return dict(zip(kind.roles, (first, *others), strict=False))


def _after(draft: _Draft, cause: Scene, kind: Kind) -> datetime:
    """Return when an effect starts: its lag after the cause, then the next time within its hours."""
    start = cause.start + timedelta(minutes=draft.draw.randrange(kind.lag[0] * 60, kind.lag[1] * 60 + 1))
    low, high = kind.hours
    if not low <= start.hour <= high:
        day = start.date() + timedelta(days=start.hour > high)
        start = datetime.combine(day, time(draft.draw.randrange(low, high + 1), draft.draw.randrange(60)), start.tzinfo)
    return start


def _carried(draw: random.Random, links: list[tuple[Scene, Scene]], carried: bool) -> list[Link]:
    """Decide for each link of a story whether wording, an id or nothing carries it."""
    kinds: list[Carrier] = ["wording" if draw.random() < _WORDED else "id" for _ in links]
    if not carried:
        for i in draw.sample(range(len(links)), max(1, len(links) - 1)):
            kinds[i] = "none"
    return [
        Link(cause.id, effect.id, kind, cause.values["ref"].en if kind == "id" else "")
        for (cause, effect), kind in zip(links, kinds, strict=True)
    ]


def _spread(
    draft: _Draft, kinds: Sequence[Kind], count: int, lasts: int, patterns: Sequence[str] = (), stance: str = ""
) -> None:
    """Add scenes of some kinds of one family, spread over the days; each is a story of its own."""
    family = kinds[0].family
    last = draft.world.days - lasts - MARGIN
    for number in range(count):
        kind = draft.library.kinds[draft.least_used(kind.name for kind in kinds)]
        day = MARGIN + (number * last // count if family == "plan" else draft.draw.randrange(last + 1))
        pattern = patterns[number % len(patterns)] if patterns else ""
        story = f"{stance or family}-{number + 1}"
        draft.add(kind, story, draft.moment(day, kind.hours), _cast(draft, kind, None), None, pattern, stance)
