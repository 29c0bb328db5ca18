"""Frozen records that travel between the stages. Everything in two languages is a `Both`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

Lang = Literal["en", "zh"]
SetLang = Literal["en", "zh", "mixed"]
LANGS: tuple[Lang, Lang] = ("en", "zh")
Carrier = Literal["wording", "id", "none"]

CATEGORIES = (
    "causal_reasoning",
    "information_fusion",
    "conflict_arbitration",
    "multi_user_synthesis",
    "cross_user_query",
    "perspective_difference",
)


class Both(NamedTuple):
    """A text in English and in Chinese."""

    en: str
    zh: str

    def of(self, lang: Lang) -> str:
        """Return the text of one language."""
        return self.en if lang == "en" else self.zh


@dataclass(frozen=True, slots=True)
class View:
    """What one source may see of a scene: which source of which role, how long after its start, in which words.

    `flags`: core (says what happened), private, high (urgent), ahead (the days and times in its text are those of the
    scene, not its own), night (late that day). `tags`: slots whose values the source itself tags as entities. `step`
    names the statement of a value's history that the view makes, `until` a slot of minutes that pass before it is made.
    """

    name: str
    source: str
    role: str
    after: timedelta
    flags: frozenset[str]
    tags: tuple[str, ...]
    say: Both
    step: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about a kind of scene: its frame, and the facts that its answer must hold."""

    name: str
    category: str
    facts: tuple[str, ...]
    say: Both


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of scene of the library. `family`: scene, track, plan or value. `lasts`: the slot of its minutes."""

    name: str
    family: str
    roles: tuple[str, ...]
    takes: str
    needs: str
    hours: tuple[int, int]
    lag: tuple[int, int]
    causes: tuple[str, ...]
    ref: str
    lasts: str
    key: tuple[str, ...]
    slots: Mapping[str, Any]
    facts: Mapping[str, Both]
    text: Mapping[str, Both]
    views: tuple[View, ...]
    by_id: View | None
    by_wording: View | None
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """A persona. `home` is an index into the world's homes; `weekly` are (weekday, hour, activity)."""

    name: str
    lang: Lang
    relation: Both
    home: int
    job: Both
    work: Both
    car: bool
    wakes: int
    weekly: tuple[tuple[int, int, Both], ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A device, app or channel; it belongs to one person."""

    id: str
    kind: str
    owner: str
    lang: Lang


@dataclass(frozen=True, slots=True)
class World:
    """Stage 1: who lives where with which devices, in which time zone, over which days."""

    group: str
    lang: SetLang
    zone: ZoneInfo
    currency: Both
    first_day: date
    days: int
    people: tuple[Person, ...]
    homes: tuple[Both, ...]
    relations: tuple[tuple[str, str, Both], ...]
    sources: tuple[Source, ...]

    def person(self, name: str) -> Person:
        """Return a person by name."""
        return next(person for person in self.people if person.name == name)

    def owns(self, name: str, kind: str) -> bool:
        """Say whether a person or their home has a source of a kind; only cars are not everybody's."""
        return kind != "car" or self.person(name).car

    def source(self, kind: str, owner: str) -> Source:
        """Return a person's own source of a kind, else that of the home."""
        mine = [source for source in self.sources if source.kind == kind and source.owner == owner]
        if mine:
            return mine[0]
        home = self.person(owner).home
        shared = {person.name for person in self.people if person.home == home}
        return next(source for source in self.sources if source.kind == kind and source.owner in shared)


@dataclass(frozen=True, slots=True)
class Scene:
    """Stage 2: something that happened. `cast` gives each role a person; `values` each slot its value.

    `pattern` names the history that a value goes through, else it is empty. `stance` says how its people voice what
    they make of it: open, private (in part) or not at all (empty); of what is sealed nobody else learns anything.
    """

    id: str
    kind: str
    story: str
    start: datetime
    cast: Mapping[str, str]
    values: Mapping[str, Both]
    pattern: str = ""
    stance: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """One scene caused another; `id` is the number that both mention where an id carries the link."""

    cause: str
    effect: str
    carried_by: Carrier
    id: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Stage 2 as a whole: the latent truth."""

    scenes: tuple[Scene, ...]
    links: tuple[Link, ...]

    def scene(self, scene_id: str) -> Scene:
        """Return a scene by id."""
        return next(scene for scene in self.scenes if scene.id == scene_id)


@dataclass(frozen=True, slots=True)
class Event:
    """Stage 3: what a system is given. `precision`: instant, day or none (then `at` only orders)."""

    id: str
    user: str
    source: Source
    at: datetime
    precision: str
    arrives: datetime
    text: str
    lang: Lang
    private: bool = False
    related: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    importance: float = 1.0
    urgency: str = "normal"
    confidence: float = 1.0
    conversation: str | None = None
    key: str | None = None
    value: str | None = None
    subject: str | None = None
    origin: str = "observed"

    def visible_to(self, viewer: str) -> bool:
        """Say whether a viewer may see it."""
        return not self.private or self.user == viewer


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about an event.

    `part`: scene, track, plan, value, periodic, routine, noise, conflicting or adversarial. `flags` name the questions
    of its kind that it is evidence for, beside being core.
    """

    event: str
    part: str
    scene: str = ""
    story: str = ""
    view: str = ""
    core: bool = False
    flags: tuple[str, ...] = ()
    verdict: str = ""
    worded: bool = False
    late: bool = False
    imitates: str = ""
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Streams:
    """Stage 3 as a whole: events with their labels, in one order."""

    events: tuple[Event, ...]
    labels: tuple[Label, ...]

    def of_scene(self, scene_id: str) -> list[tuple[Event, Label]]:
        """Return the events of one scene."""
        return [pair for pair in zip(self.events, self.labels, strict=True) if pair[1].scene == scene_id]


@dataclass(frozen=True, slots=True)
class Item:
    """One fact that an answer must hold: any of the phrases.

    Evidence for it is by user `by` where given; an event on `day`, where given, is evidence whatever its words.
    `derived`: it follows from other items and stands in no event. `common`: a day or a number with its unit, which
    events of other matters may hold by chance.
    """

    fact: str
    any_of: tuple[str, ...]
    by: str = ""
    day: date | None = None
    derived: bool = False
    common: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Stage 4: a question with its answer, checklist and complete evidence."""

    id: str
    category: str
    text: str
    lang: Lang
    viewer: str
    asked_at: datetime
    answer: str
    checklist: tuple[Item, ...]
    evidence: tuple[str, ...]
    asks_past: bool
    scenes: tuple[str, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """What a checker found wrong: which rule, where (an id), and what was seen."""

    rule: str
    where: str
    seen: str


@dataclass(frozen=True, slots=True)
class Review:
    """One round of a stage's review: the faults found, all of which were then corrected."""

    round: int
    faults: tuple[Fault, ...]
