"""From single expressions to what the sentence says: ranges, lists, "since", "the week before". Pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Literal, NamedTuple

from graph.times.chinese import COUNT as CN_COUNT
from graph.times.chinese import UNIT as CN_UNIT
from graph.times.days import (
    BEGINNING,
    ENDLESS,
    Days,
    Lean,
    Reference,
    Unit,
    away,
    days_from,
    in_years_near,
    nearest,
    placed,
    shifted,
    week,
    weekday_beside,
    weekend,
)
from graph.times.english import COUNT
from graph.times.rules import Found
from graph.times.words import CN_UNITS, UNITS, WEEKDAYS, Count, alternatives, cn_count, count_of

_REACH = 40
"""Characters before an expression in which words that change it are looked for."""

_Link = Literal["range", "list"]
_LONGEST_LINK = 14
_W = r"\s{1,2}"
_TO = re.compile(r"\s?(?:to|until|till|through|到|至)\s?(?:the\s)?", re.ASCII)
_DASH = re.compile(r"\s?[-–—~～]\s?", re.ASCII)
_AND = re.compile(r"\s?(?:and|和|与)\s?(?:the\s)?", re.ASCII)
_LISTED = re.compile(r"\s?(?:,\s?(?:and|or)|,|and|or|&|、|和|与|或)\s?(?:in\s|on\s|the\s)?", re.ASCII)
_BETWEEN = re.compile(r"\bbetween\s(?:the\s)?$", re.ASCII)

_Side = Literal["since", "before", "until", "after"]
# The side a word opens, and where a date without a year lies beside it: "until June" looks ahead.
_SIDES: dict[str, tuple[_Side, Lean]] = {
    "since": ("since", "past"),
    "before": ("before", "nearest"),
    "prior to": ("before", "nearest"),
    "after": ("after", "nearest"),
    "until": ("until", "future"),
    "till": ("until", "future"),
    "by": ("until", "future"),
    "截至": ("until", "nearest"),
    "截止": ("until", "nearest"),
    "截止到": ("until", "nearest"),
    "直到": ("until", "nearest"),
    "为止": ("until", "nearest"),
    "以来": ("since", "past"),
    "至今": ("since", "past"),
    "起": ("since", "past"),
    "开始": ("since", "past"),
    "前": ("before", "nearest"),
    "后": ("after", "nearest"),
}
_SIDE_BEFORE = re.compile(
    rf"\b(?P<word>since|before|prior to|after|until|till|by){_W}(?:the{_W})?$|(?P<sign>截至|截止到?|直到)$", re.ASCII
)
_SIDE_BEHIND = re.compile(
    r"(?P<long>以来|至今|起(?![来床飞点码])|开始|为止)"
    r"|(?:以|之)?(?P<short>前(?![面天台往途后所任女男妻夫辈额景提进])|后(?![面天来台续半期悔背果]))",
    re.ASCII,
)
_FROM = re.compile(rf"\bfrom{_W}$", re.ASCII)
_ONWARDS = re.compile(r"\s(?:onwards?|on(?!\s(?:a|the|my|our)\b))\b", re.ASCII)
_DISTANCE_BEFORE = re.compile(
    rf"\b(?:(?:the|(?P<count>{COUNT})){_W})?(?:last{_W})?"
    rf"(?P<unit>day|night|week|weekend|month|year|{alternatives(WEEKDAYS)})(?P<many>s?){_W}"
    rf"(?:(?P<before>before|prior{_W}to)|(?P<after>after|following)|of){_W}(?:the{_W})?$",
    re.ASCII,
)
_DISTANCE_BEHIND = re.compile(rf"的?(?:(?P<before>前)|后)(?P<count>{CN_COUNT})(?P<unit>{CN_UNIT})", re.ASCII)


class Said(NamedTuple):
    """What one place of a text says: where its words stand, and the days they speak of."""

    begin: int
    stop: int
    days: Days


class _Opened(NamedTuple):
    """A side word beside an expression, where dates without a year then lie, and where the words stand."""

    side: _Side
    lean: Lean
    begin: int
    stop: int


def compose(found: Sequence[Found], lowered: str, at: Reference) -> Iterator[Said]:
    """Yield what the expressions of a text say together with the words between and beside them."""
    links = [_link(one, other, lowered) for one, other in pairwise(found)]
    days = _placed_together(found, links, lowered, at)
    floor, index = 0, 0
    while index < len(found):
        one, own = found[index], days[index]
        stop, index = one.stop, index + 1
        if own is None:
            continue
        ends = days[index] if index < len(found) and links[index - 1] == "range" else None
        if ends is not None and own.first <= ends.first and own.after <= ends.after:
            own, stop, index = Days(own.first, ends.after), found[index].stop, index + 1
        try:
            said = _changed(Said(one.begin, stop, own), lowered, floor, at)
        except (ValueError, OverflowError):  # led beyond the calendar
            continue
        yield said
        floor = said.stop


def _link(one: Found, other: Found, lowered: str) -> _Link | None:
    between = lowered[one.stop : other.begin]
    if len(between) > _LONGEST_LINK:
        return None
    if _TO.fullmatch(between) or (one.absolute and other.absolute and _DASH.fullmatch(between)):
        return "range"
    if _AND.fullmatch(between) and (
        lowered.startswith("之间", other.stop) or _BETWEEN.search(lowered[max(0, one.begin - _REACH) : one.begin])
    ):
        return "range"
    return "list" if _LISTED.fullmatch(between) else None


def _placed_together(
    found: Sequence[Found], links: Sequence[_Link | None], lowered: str, at: Reference
) -> list[Days | None]:
    """Place every expression; a year said once holds for its neighbours ("between March and May 2025")."""
    days = [one.reading if isinstance(one.reading, Days) else None for one in found]
    for index in reversed(range(len(links))):
        if days[index] is None and links[index]:
            days[index] = _placed_beside(found[index], days[index + 1], links[index], "past")
    for index, one in enumerate(found):
        if days[index] is None and index and links[index - 1]:
            days[index] = _placed_beside(one, days[index - 1], links[index - 1], "future")
        if days[index] is None:
            opened = _opened(one.begin, one.stop, lowered, 0)
            try:
                days[index] = placed(one.reading, at, opened.lean if opened and at.lean == "nearest" else at.lean)
            except (ValueError, OverflowError):
                continue  # without a known time of the event there is no telling which year
    return days


def _placed_beside(one: Found, neighbour: Days | None, link: _Link | None, in_range: Lean) -> Days | None:
    if neighbour is None or isinstance(one.reading, Days):
        return None
    try:
        return nearest(in_years_near(one.reading, neighbour), neighbour, in_range if link == "range" else "nearest")
    except (ValueError, OverflowError):
        return None


def _changed(said: Said, lowered: str, floor: int, at: Reference) -> Said:
    """Apply the words beside an expression: a distance ("two weeks before"), else an open side ("since")."""
    if lowered.startswith("'s", said.stop):
        return said  # "after yesterday's talk" speaks of yesterday
    start = max(floor, said.begin - _REACH)
    before = _DISTANCE_BEFORE.search(lowered[start : said.begin])
    if before is not None and (before["count"] or not before["many"]):
        return Said(start + before.start(), said.stop, _distance_in_english(said.days, before))
    behind = _DISTANCE_BEHIND.match(lowered, said.stop)
    if behind is not None:
        count = None if behind["count"] == "一" else cn_count(behind["count"])
        days = _distant(said.days, CN_UNITS[behind["unit"]], -1 if behind["before"] else 1, count)
        return Said(said.begin, behind.end(), days)
    opened = _opened(said.begin, said.stop, lowered, floor)
    if opened is None:
        return said
    return Said(opened.begin, opened.stop, _open_days(said.days, opened.side, at))


def _distance_in_english(days: Days, words: re.Match[str]) -> Days:
    if not words["before"] and not words["after"]:  # "the week of 8 May"
        if words["count"] or days.after - days.first > timedelta(days=1):
            return days
        return {"week": week, "weekend": weekend}.get(words["unit"], days_from)(days.first)
    step = -1 if words["before"] else 1
    if words["unit"] in WEEKDAYS:
        edge = days.first if step < 0 else days.after - timedelta(days=1)
        return weekday_beside(edge, WEEKDAYS[words["unit"]], step)
    return _distant(days, UNITS[words["unit"]], step, count_of(words["count"]) if words["count"] else None)


def _distant(days: Days, unit: Unit, step: int, count: Count | None) -> Days:
    """Give the days some units before (step -1) or after (1) others; without a count the adjoining unit."""
    edge = days.first if step < 0 else days.after - timedelta(days=1)
    if count is not None or unit == "day":
        low, high = sorted(step * number for number in count or (1, 1))
        return away(Reference(days_from(edge), None, "nearest"), unit, low, high)
    if unit == "weekend":
        beside = weekday_beside(edge, 5 if step > 0 else 6, step)  # the weekend's day on the near side
        return weekend(beside.first)
    if step < 0:
        return Days(shifted(days.first, unit, -1), days.first)
    return Days(days.after, shifted(days.after, unit, 1))


def _opened(begin: int, stop: int, lowered: str, floor: int) -> _Opened | None:
    start = max(floor, begin - _REACH)
    before = _SIDE_BEFORE.search(lowered[start:begin])
    if before is not None:
        return _Opened(*_SIDES[before["word"] or before["sign"]], start + before.start(), stop)
    behind = _SIDE_BEHIND.match(lowered, stop)
    if behind is not None:
        return _Opened(*_SIDES[behind["long"] or behind["short"]], begin, behind.end())
    onwards = _ONWARDS.match(lowered, stop)
    origin = _FROM.search(lowered[start:begin])
    if onwards is not None and origin is not None:
        return _Opened("since", "nearest", start + origin.start(), onwards.end())
    return None


def _open_days(days: Days, side: _Side, at: Reference) -> Days:
    """Open one side of some days: up to the event where they and it leave room for that, else for good."""
    own = at.days
    match side:
        case "before":
            return Days(own.first if own and own.first < days.first else BEGINNING, days.first)
        case "until":
            return Days(own.first if own and own.after < days.after else BEGINNING, days.after)
        case "since":
            return Days(days.first, own.after if own and days.first < own.after else ENDLESS)
        case "after":
            return Days(days.after, own.after if own and days.after < own.after else ENDLESS)
