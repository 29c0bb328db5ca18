"""Reads the content library: kinds of scenes, persons' names, routines and frames, written in both languages."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from bench.memfusebench.model import Ask, Both, Kind, View
from bench.memfusebench.texts import slots_of

FOLDER = Path(__file__).parent / "library"

COMPANIONS = ("", "_alt", "_fine")
"""What a row's first, second and third pair are called after the slot: itself, as others call it, more exactly."""

VALUES = ("v0", "v1", "v2")
"""The values that one history goes through: the one before it, the first, the second."""

ALWAYS = frozenset(
    {"a", "b", "home", "ref", "their_ref", "because", "cur", "work", "thing", "mood_a", "mood_b", "key", "q"}
)
"""Slots that every scene has."""

_AFTER = re.compile(r"([+-]\d+)([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a value's history: the view that makes it, which value, on which day, with which verdict."""

    view: str
    value: str
    day: int
    verdict: str


@dataclass(frozen=True, slots=True)
class Library:
    """All content. `stances` are views in which people voice opinions; `tables` holds names, routines and frames."""

    kinds: Mapping[str, Kind]
    patterns: Mapping[str, tuple[Step, ...]]
    stances: Mapping[str, tuple[View, ...]]
    tables: Mapping[str, Any]

    def family(self, name: str) -> list[Kind]:
        """Return the kinds of a family, in the files' order."""
        return [kind for kind in self.kinds.values() if kind.family == name]

    def pairs(self, *path: str) -> list[Both]:
        """Return a table of two-language texts."""
        found: Any = self.tables
        for name in path:
            found = found[name]
        return [Both(*row[:2]) for row in found]


@cache
def load() -> Library:
    """Read every file of the library folder, in the order of their names."""
    whole: dict[str, Any] = {}
    kinds: dict[str, Kind] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        read = tomllib.loads(path.read_text("utf-8"))
        generic = read.pop("generic", [])
        family = read.pop("family", "")
        for name, table in read.pop("kind", {}).items():
            kinds[name] = _kind(name, family, {**table, "views": table.get("views", []) + generic})
        whole |= read
    patterns = {name: tuple(_step(line) for line in lines) for name, lines in whole.pop("patterns", {}).items()}
    stances = {
        how: tuple(view_of(f"stance{i}", raw) for i, raw in enumerate(views))
        for how, views in whole.pop("stances", {}).items()
    }
    return Library(kinds, patterns, stances, whole)


def check_slots(kind: Kind) -> None:
    """Raise ValueError if a text of a kind names a slot that nothing fills."""
    known = {slot + companion for slot in kind.slots for companion in COMPANIONS} | set(kind.roles) | ALWAYS
    views = [view for view in (*kind.views, kind.by_id, kind.by_wording) if view]
    own = {"v", "trace"} if kind.family == "value" else set()
    texts = [text for view in views for text in view.say] + [text for pair in kind.text.values() for text in pair]
    asked = [text for ask in kind.asks for text in ask.say]
    facts = [text for pair in kind.facts.values() for text in pair]
    unknown = (
        {slot for text in texts for slot in slots_of(text)} - known - own
        | {slot for text in asked for slot in slots_of(text)} - known - {"when"}
        | {slot for text in facts for slot in slots_of(text)} - known - kind.facts.keys() - {"me"}
    )
    if unknown:
        raise ValueError(f"{kind.name}: nothing fills {sorted(unknown)}.")


def _step(line: str) -> Step:
    view, value, day, *verdict = line.split()
    return Step(view, value, int(day), verdict[0] if verdict else "")


def _kind(name: str, family: str, table: Mapping[str, Any]) -> Kind:
    roles = tuple(table.get("roles", "a b").split())
    own = dict(table.get("slots", {}))
    if family == "value":
        rows = own.pop("v")
        own |= dict.fromkeys(VALUES, rows)
    each = dict(table.get("each", {}))
    for slot, spec in each.items():
        own |= {f"{slot}_{role}": spec for role in roles}
    facts = {slot: Both(*pair) for slot, pair in table.get("facts", {}).items()}
    views = [view for number, raw in enumerate(table["views"]) for view in _views(f"{number}", raw, roles, tuple(each))]
    return Kind(
        name=name,
        family=family,
        roles=roles,
        takes=table.get("takes", "a"),
        needs=table.get("needs", ""),
        hours=tuple(table.get("hours", (8, 20))),
        lag=tuple(table.get("lag", (2, 20))),
        causes=tuple(table.get("causes", "").split()),
        ref=table.get("ref", ""),
        lasts=table.get("lasts", ""),
        key=tuple(table.get("key", "").split()),
        slots=own,
        facts=facts,
        text={key: Both(*pair) for key, pair in table.get("text", {}).items()},
        views=tuple(views),
        by_id=view_of("by_id", table["by_id"]) if "by_id" in table else None,
        by_wording=view_of("by_wording", table["by_wording"]) if "by_wording" in table else None,
        asks=tuple(_ask(key, raw) for key, raw in table.get("asks", {}).items()),
    )


def _ask(name: str, raw: Mapping[str, Any]) -> Ask:
    return Ask(name, raw["of"], tuple(raw["facts"].split()), Both(*raw["say"]))


def _views(name: str, raw: Mapping[str, Any], roles: tuple[str, ...], each: tuple[str, ...]) -> Iterator[View]:
    """Yield the view; one that each role but the first makes is yielded once a role."""
    if raw["see"].split()[1] != "each":
        yield view_of(name, raw)
        return
    for role in roles[1:]:
        say = [re.sub(rf"\{{({'|'.join(each)})(_alt)?\}}", rf"{{\1_{role}\2}}", text) for text in raw["say"]]
        see = raw["see"].replace(" each ", f" {role} ")
        yield view_of(f"{name}{role}", {"see": see, "say": say})


def view_of(name: str, raw: Mapping[str, Any]) -> View:
    """Read a view: `see` and `say`."""
    source, role, *rest = raw["see"].split()
    after, step, until = timedelta(), "", ""
    flags: set[str] = set()
    tags = []
    for word in rest:
        if moved := _AFTER.fullmatch(word):
            after = timedelta(**{_UNITS[moved[2]]: int(moved[1])})
        elif word.startswith("+"):
            until = word[1:]
        elif word.startswith("#"):
            tags.append(word[1:])
        elif word.startswith("="):
            step = word[1:]
        else:
            flags.add(word)
    return View(name, source, role, after, frozenset(flags), tuple(tags), Both(*raw["say"]), step, until)
