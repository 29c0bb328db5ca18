"""Times a text speaks of ("yesterday", "7 May", "去年夏天"), placed from the event's own time. Pure.

A mention is a stretch of whole local days. Words for parts of a day ("this morning", "昨晚") give the day, since
many events are known to the day only. Weeks run from Monday to Sunday, "last Friday" is the latest one before
the event's day and "next Friday" the first after it; "two weeks ago" is the seven days around that day, months
and years ago are calendar ones. Seasons are those of the northern half of the earth. A date without a year is
the one nearest to the event. Bare years are read from 1900 to 2099; 07/05/2023 is read by nobody the same and
left out. What cannot be placed, as "yesterday" said at no known time, gives no mention.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from graph.times.chinese import CHINESE
from graph.times.composing import compose
from graph.times.days import BEGINNING, ENDLESS, Lean, NotADate, Reference, days_from, month
from graph.times.english import ENGLISH
from graph.times.instants import When
from graph.times.rules import Found

SCANNED = 20_000
"""Characters of a text that are looked at, from its beginning."""

HULL_OF = 3
"""Mentions of a text that decide the times stored with it: the first ones."""

OPEN_START = datetime(1, 1, 3, tzinfo=UTC)
"""Start of a mention without one ("before 2019"); far enough from year 1 to be shown in any offset."""

OPEN_END = datetime(9999, 12, 29, tzinfo=UTC)
"""End of a mention without one ("from June on")."""

_CHINESE_SIGN = re.compile("[\u4e00-\u9fff]")
# One sign for one, so that places in the changed text are places in the original.
_SAME_SIGNS = str.maketrans("０１２３４５６７８９’／：\u00a0\u202f\u3000", "0123456789'/:   ")


@dataclass(frozen=True, slots=True)
class Mention:
    """A time a text speaks of: from `start` (UTC, included) to `end` (UTC, not included), and the words."""

    start: datetime
    end: datetime
    cue: str


def mentions(text: str, when: When, zone: tzinfo, *, lean: Lean = "nearest") -> list[Mention]:
    """Give the times that a text speaks of, in order of appearance.

    Args:
        text: statement or question, English or Chinese; its first `SCANNED` characters are looked at.
        when: time of the event, or when the question is asked. Without one only dates with a year are found,
            with a month only what is not finer than a month.
        zone: the group's zone. Days are counted in it where the event's offset is the zone's at that instant,
            else in the event's own offset.
        lean: where a date without a year lies if nothing says so; "past" suits questions about the past.
    """
    original = text[:SCANNED]
    lowered = _lowered(original)
    clock = _clock(when, zone)
    at = _reference(when, lean)
    found = list(ENGLISH.scan(original, lowered, at))
    if _CHINESE_SIGN.search(lowered):
        found = _without_overlap([*found, *CHINESE.scan(original, lowered, at)])
    given = []
    for said in compose(found, lowered, at):
        try:
            start, end = (_midnight(day, clock) for day in said.days)
        except (ValueError, OverflowError):  # beyond the calendar
            continue
        if start < end:  # a day that a zone left out when it crossed the date line has no time in it
            given.append(Mention(start, end, original[said.begin : said.stop].strip()))
    return given


def hull(found: Sequence[Mention]) -> tuple[datetime, datetime] | None:
    """Give the earliest start and the latest end of the first `HULL_OF` mentions, None without any."""
    first = found[:HULL_OF]
    return (min(one.start for one in first), max(one.end for one in first)) if first else None


def _lowered(text: str) -> str:
    """Give the text in lower case and with plain digits and quotes, every sign in its place."""
    lowered = text.lower() if text.isascii() else text.translate(_SAME_SIGNS).lower()
    if len(lowered) == len(text):
        return lowered
    # A few signs have a longer lower case; no word looked for has one of them.
    return "".join(one if len(one.lower()) > 1 else one.lower() for one in text.translate(_SAME_SIGNS))


def _clock(when: When, zone: tzinfo) -> tzinfo:
    """Give the zone if the event was said at its offset (it knows of summer time), else that offset."""
    if when.instant is None or when.offset_minutes is None:
        return zone
    own = timezone(timedelta(minutes=when.offset_minutes))
    try:
        offset = when.instant.astimezone(zone).utcoffset()
    except OverflowError:  # at the very ends of the calendar
        return own
    return zone if offset == own.utcoffset(None) else own


def _reference(when: When, lean: Lean) -> Reference:
    local = when.local()
    if local is None:
        return Reference(None, None, lean)
    wall = local.replace(tzinfo=None)
    try:
        days = month(wall.year, wall.month) if when.precision == "month" else days_from(wall.date())
    except (ValueError, OverflowError):  # the last day of the calendar has none after it
        return Reference(None, None, lean)
    return Reference(days, wall if when.precision == "instant" else None, lean)


def _without_overlap(found: list[Found]) -> list[Found]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda found: (found.begin, -found.stop)):
        if not kept or kept[-1].stop <= one.begin:
            kept.append(one)
    return kept


def _midnight(day: date, clock: tzinfo) -> datetime:
    if day == BEGINNING:
        return OPEN_START
    if day == ENDLESS:
        return OPEN_END
    if not OPEN_START.date() < day < OPEN_END.date():
        raise NotADate
    return datetime.combine(day, time(), clock).astimezone(UTC)
