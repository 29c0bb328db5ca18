"""Templates and values: one small grammar for both languages.

A template holds `[this|that]` (one is chosen), `<3..9>` (a number of the range) and `{slot}` (filled in). The slots
`day`, `date` and `time` are filled from the event's own moment and may be moved: `{day+2}`, `{time-30m}`, `{time+2h}`.
A value may mark the part by which an answer is known: `the *ignition electrode* was worn`.
"""

import random
import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from bench.memfusebench.model import Both, Lang

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = re.compile(r"<([\d./]+)>")
_SLOT = re.compile(r"\{(\w+)([+-]\d+[hm]?)?\}")
_MARKED = re.compile(r"\*([^*]+)\*")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)(?:/(\d+))?")
_LETTERS = "ABCDEFHJKLMNPRSTUVWXZ"
_MOST_DRAWS = 400

MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = Both(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "周一 周二 周三 周四 周五 周六 周日",
)
MOMENT_SLOTS = ("day", "date", "time")


def slots_of(template: str) -> set[str]:
    """Return the names of the slots in a template, those of the moment left out."""
    return {name for name, _ in _SLOT.findall(template)} - set(MOMENT_SLOTS)


def expand(
    template: str,
    values: Mapping[str, Both],
    lang: Lang,
    draw: random.Random,
    at: datetime | None = None,
    *,
    inside: bool = False,
) -> str:
    """Fill the template's slots and choose among its alternatives; a capital begins it unless it stands `inside`.

    Raises:
        KeyError: a slot without a value.
    """

    def fill(found: re.Match[str]) -> str:
        name, move = found[1], found[2]
        if name in MOMENT_SLOTS and at is not None:
            return _moment(name, _moved(at, move), lang)
        return shown(values[name].of(lang))

    # Slots first: a value may hold alternatives and numbers of its own.
    text = _SLOT.sub(fill, template)
    text = _CHOICE.sub(lambda found: draw.choice(found[1].split("|")), text)
    text = _NUMBER.sub(lambda found: _drawn_text(found[1], draw), text)
    return text if inside else text[:1].upper() + text[1:]


def _moved(at: datetime, move: str | None) -> datetime:
    if not move:
        return at
    if move.endswith("h"):
        return at + timedelta(hours=int(move[:-1]))
    if move.endswith("m"):
        return at + timedelta(minutes=int(move[:-1]))
    return at + timedelta(days=int(move))


def _moment(name: str, at: datetime, lang: Lang) -> str:
    if name == "time":
        return f"{at:%H:%M}"
    return say_date(at.date(), lang) if name == "date" else say_day(at.date(), lang)


def say_date(day: date, lang: Lang) -> str:
    """Write a day: 12 March, 3月12日."""
    return f"{day.day} {MONTHS[day.month - 1]}" if lang == "en" else f"{day.month}月{day.day}日"


def say_day(day: date, lang: Lang) -> str:
    """Write a day with its weekday: Thursday 12 March, 3月12日周四."""
    weekday = _WEEKDAYS.of(lang).split()[day.weekday()]
    return f"{weekday} {say_date(day, lang)}" if lang == "en" else f"{say_date(day, lang)}{weekday}"


def shown(value: str) -> str:
    """Return a value as texts show it, without the mark of its telling part."""
    return value.replace("*", "")


def token(value: str) -> str:
    """Return the part of a value by which an answer is known."""
    marked = _MARKED.search(value)
    return marked[1] if marked else value


def say_moved(first: date, spec: str) -> Both:
    """Write the day that lies "day+9" after a first one, in both languages."""
    day = first + timedelta(days=int(spec.removeprefix("day")))
    return Both(say_date(day, "en"), say_date(day, "zh"))


def both(text: str) -> Both:
    """Return a text that is the same in both languages."""
    return Both(text, text)


def draw_value(spec: Any, draw: random.Random, taken: set[str]) -> tuple[Both, ...]:
    """Draw a value that is not taken yet; a row's further pairs come with it.

    `spec`: rows of pairs (English, Chinese, and so on); or a range "11.0..15.5", "35..190/5"; or a pattern "WK-####"
    where # is a digit and @ a letter. When a table is used up its rows come again.
    """
    for _ in range(_MOST_DRAWS):
        if isinstance(spec, str):
            drawn: tuple[Both, ...] = (both(_drawn_text(spec, draw)),)
        else:
            row = draw.choice(spec)
            drawn = tuple(Both(*row[i : i + 2]) for i in range(0, len(row), 2))
        if drawn[0].en not in taken:
            break
    taken.add(drawn[0].en)
    return drawn


def _drawn_text(spec: str, draw: random.Random) -> str:
    limits = _RANGE.fullmatch(spec)
    if limits is None:
        return "".join(
            str(draw.randrange(1, 10)) if sign == "#" else draw.choice(_LETTERS) if sign == "@" else sign
            for sign in spec
        )
    low, high, step = limits.groups()
    places = len(low.partition(".")[2])
    scale = 10**places
    drawn = draw.randrange(round(float(low) * scale), round(float(high) * scale) + 1, int(step or 1))
    return f"{drawn / scale:.{places}f}" if places else str(drawn)


def phrases(value: Both) -> tuple[str, ...]:
    """Return the phrases by which a value is known in an answer, one a language."""
    return tuple(dict.fromkeys((token(value.en), token(value.zh))))
