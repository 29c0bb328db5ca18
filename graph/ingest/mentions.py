"""Times a text speaks of ("yesterday", "7 May", "去年夏天"), placed from the event's own time. Pure.

A mention is a stretch of whole local days. Words for parts of a day ("this morning", "昨晚") give the day, since
many events are known to the day only. Weeks run from Monday to Sunday, "last Friday" is the latest one before
the event's day and "next Friday" the first after it; "two weeks ago" is the seven days around that day, months
and years ago are calendar ones. Seasons are those of the northern half of the earth. A date without a year is
the one nearest to the event. Bare years are read from 1900 to 2099; 07/05/2023 is read by nobody the same and
left out. What cannot be placed, as "yesterday" said at no known time, gives no mention.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from itertools import islice

from graph.ingest.mention_chinese import CHINESE
from graph.ingest.mention_chinese import COUNT as CN_COUNT
from graph.ingest.mention_chinese import UNIT as CN_UNIT
from graph.ingest.mention_days import (
    BEGINNING,
    ENDLESS,
    Days,
    Lean,
    NotADate,
    Reading,
    Reference,
    Unit,
    Yearly,
    away,
    containing,
    days_from,
    in_years_near,
    month,
    nearest,
    placed,
    shifted,
    weekday_beside,
)
from graph.ingest.mention_english import COUNT, ENGLISH
from graph.ingest.mention_rules import Found
from graph.ingest.mention_words import (
    CN_UNITS,
    UNITS,
    WEEKDAYS,
    alternatives,
    cn_count,
    count_of,
)
from graph.ingest.times import When

SCANNED = 20_000
"""Characters of a text that are looked at, from its beginning."""

HULL_OF = 3
"""Mentions of a text that decide the times stored with it: the first ones."""

OPEN_START = datetime(1, 1, 3, tzinfo=UTC)
"""Start of a mention without one ("before 2019"); far enough from year 1 to be shown in any offset."""

OPEN_END = datetime(9999, 12, 29, tzinfo=UTC)
"""End of a mention without one ("from June on")."""


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
    return []


def hull(found: Sequence[Mention]) -> tuple[datetime, datetime] | None:
    """Give the earliest start and the latest end of the first `HULL_OF` mentions, None without any."""
    first = found[:HULL_OF]
    return (min(one.start for one in first), max(one.end for one in first)) if first else None
