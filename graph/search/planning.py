"""What is asked, of which time, and how to look for it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, Final

from graph.errors import InvalidInput
from graph.naming import entity_key, is_unicode, stable_id
from graph.ontology import CURRENT, HISTORY, LONG_AGO_MS, UNDATED
from graph.scope import Scope
from graph.search.lucene import left_out, lucene_query, runs, words
from graph.search.past import asks_for_past
from graph.search.ranking import PROFILES, WEIGHTS, Weights
from graph.times.instants import NO_TIME, When
from graph.times.mentions import mentions

MOST_QUESTION: Final = 2_000
"""Characters of a question: reading one for names and times takes longer than its length grows."""

MOST_RESULTS: Final = 100
"""Evidence atoms that one search may ask for."""

CANDIDATES: Final = 120
"""Rows asked of each arm. More than are needed: a filtered vector index loses recall at small limits."""

_WHEN: Final = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:day|date|month|year|time)\b"
    r"|什么时候|何时|几月|几号|几点|哪一?[天年月]|多久",
    re.IGNORECASE,
)

_PUNCTUATION: Final = " \t.,;:!?()[]\"'“”‘’。，、；：！？（）《》「」…"
_POSSESSIVE: Final = re.compile(r"['’]s$")
_LATIN: Final = re.compile(r"[^\W\u3400-\u9fff]+")
_MOST_TOKENS: Final = 40
_LONGEST_NAME: Final = 4  # words
_LONGEST_HAN: Final = 6  # signs
_MOST_ENTITIES: Final = 300

_TEXTS_IN_RANGE: Final = 2_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY, _LAST_DAY = UNDATED, 99_991_231  # every dated atom, and the undated ones (day 0)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the caller restricts a search to; instants are aware, `until` is exclusive, days are inclusive.

    `as_of` asks for what held in the world at an instant, `known_at` for what the memory knew at one.
    """

    since: datetime | None = None
    until: datetime | None = None
    first_day: date | None = None
    last_day: date | None = None
    include_history: bool = False
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the text, how much evidence is wanted, ranked by which profile, asked when, restricted to what.

    `asked_at` None: now. `weights` are what each part of the search counts for.
    """

    text: str
    limit: int = 10
    profile: str = "default"
    asked_at: datetime | None = None
    filters: Filters = Filters()
    weights: Weights = WEIGHTS

    def check(self) -> None:
        """Raise `InvalidInput` where it cannot be answered, naming the field and the way out."""
        if not self.text.strip():
            raise InvalidInput("question: It is empty.")
        if len(self.text) > MOST_QUESTION:
            raise InvalidInput(f"question: It has {len(self.text)} characters; ask in at most {MOST_QUESTION}.")
        if not is_unicode(self.text):
            raise InvalidInput("question: It holds half a surrogate pair; send well-formed Unicode.")
        if self.profile not in PROFILES:
            raise InvalidInput(f"profile: {self.profile!r} is none of {', '.join(PROFILES)}.")
        if not 1 <= self.limit <= MOST_RESULTS:
            raise InvalidInput(f"limit: {self.limit} is not between 1 and {MOST_RESULTS}.")
        filters = self.filters
        for name, value in (
            ("askedAt", self.asked_at),
            ("since", filters.since),
            ("until", filters.until),
            ("asOf", filters.as_of),
            ("knownAt", filters.known_at),
        ):
            if value is not None and value.tzinfo is None:
                raise InvalidInput(f"{name}: {value.isoformat()} has no UTC offset; add one, as in +02:00 or Z.")
        if filters.since is not None and filters.until is not None and filters.since >= filters.until:
            raise InvalidInput("until: It is not later than since, so that nothing can lie between.")


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is looked for.

    `spans` are the rows that `search/seeds` takes: the whole time asked for and, where the question speaks of a
    time, that time once more; `asks_when` tells that a time is asked for, `past` that what no longer holds is;
    `entities` are ids of the entities that it may name; `left_out` are words that full text does not look for.
    """

    question: str
    profile: str
    asked_at: datetime
    limit: int
    filters: Filters
    statuses: Sequence[str]
    spans: Sequence[dict[str, Any]]
    asks_when: bool
    past: bool
    entities: Sequence[str]
    left_out: Sequence[str]
    weights: Weights


def plan_search(scope: Scope, asked: Question) -> Plan:
    """Return the plan for a checked question; the days it speaks of are days of the offset of `asked_at`."""
    question, filters = asked.text, asked.filters
    asked_at = asked.asked_at if asked.asked_at is not None else datetime.now(UTC)
    zone = timezone(asked_at.utcoffset() or timedelta())
    past = filters.include_history or asks_for_past(question, asked_at.year)
    then = filters.as_of is not None or filters.known_at is not None
    statuses = [str(status) for status in (HISTORY if past or then else CURRENT)]
    if filters.as_of is not None:  # what happened later was not so then
        after = filters.as_of + timedelta(milliseconds=1)
        filters = replace(filters, until=min(filters.until, after) if filters.until else after)
    whole = _bounds(filters)
    spoken_of = [(mention.start, mention.end) for mention in mentions(question, _when(asked_at), zone, lean="past")]
    spans = [_span("all", question, scope, statuses, filters, whole, dated=whole != (_FIRST_DAY, _LAST_DAY))]
    for start, end in spoken_of[:2]:
        first = max(whole[0], _day(start.astimezone(zone)))
        last = min(whole[1], _day((end - timedelta(microseconds=1)).astimezone(zone)))
        if first <= last:
            spans.append(_span("asked", question, scope, statuses, filters, (first, last), dated=True))
    return Plan(
        question,
        asked.profile,
        asked_at,
        asked.limit,
        filters,
        statuses,
        spans,
        bool(_WHEN.search(question)),
        past,
        _entities(question, scope.group),
        tuple(left_out(question)),
        asked.weights,
    )


def _entities(text: str, group: str) -> list[str]:
    """Return the ids that entities would have whose names stand in the question; most of them do not exist."""
    tokens = entity_key(text).split()[:_MOST_TOKENS]
    names: dict[str, None] = {}
    for start in range(len(tokens)):
        for length in range(1, _LONGEST_NAME + 1):
            stretch = " ".join(tokens[start : start + length])
            bare = stretch.strip(_PUNCTUATION)
            names |= dict.fromkeys((stretch, bare, _POSSESSIVE.sub("", bare)))
    names |= dict.fromkeys(_LATIN.findall(" ".join(tokens)))
    for run in runs(text):
        for start in range(len(run) - 1):
            names |= dict.fromkeys(run[start : start + length] for length in range(2, _LONGEST_HAN + 1))
    return [stable_id("entity", group, name) for name in list(names)[:_MOST_ENTITIES] if name]


def _when(asked_at: datetime) -> When:
    offset = asked_at.utcoffset() or timedelta()
    try:
        return When(asked_at.astimezone(UTC), int(offset.total_seconds() // 60), "instant")
    except OverflowError:  # at the ends of the calendar there is no other time to speak of
        return NO_TIME


def _bounds(filters: Filters) -> tuple[int, int]:
    """Return the days that can hold what the filters let through: an instant may be a day off in another offset.

    Without a filter that is every day, and day 0 of what has none.
    """
    first, last = _FIRST_DAY, _LAST_DAY
    if any((filters.since, filters.until, filters.first_day, filters.last_day)):
        first = UNDATED + 1
    if filters.since:
        first = max(first, _day_near(filters.since, -1))
    if filters.until:
        last = min(last, _day_near(filters.until, 1))
    if filters.first_day:
        first = max(first, _day(filters.first_day))
    if filters.last_day:
        last = min(last, _day(filters.last_day))
    return first, last


def _day_near(instant: datetime, days: int) -> int:
    """Return the day so many days from an instant's, or the end of the calendar that lies that way."""
    try:
        return _day(instant.astimezone(UTC) + timedelta(days=days))
    except OverflowError:
        return _FIRST_DAY if days < 0 else _LAST_DAY


def _day(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day


def _milliseconds(instant: datetime | None, default: int) -> int:
    return default if instant is None else -((_EPOCH - instant) // timedelta(milliseconds=1))


def _span(
    name: str,
    text: str,
    scope: Scope,
    statuses: Sequence[str],
    filters: Filters,
    days: tuple[int, int],
    *,
    dated: bool,
) -> dict[str, Any]:
    within = days if dated else None
    return {
        "name": name,
        "first_day": days[0],
        "last_day": days[1],
        "since_ms": _milliseconds(filters.since, LONG_AGO_MS),
        "until_ms": _milliseconds(filters.until, -LONG_AGO_MS),
        # Full text knows days, not instants: what it finds beyond the range is dropped, so it is asked for more.
        "texts": CANDIDATES if filters.since is filters.until is None else _TEXTS_IN_RANGE,
        "english": lucene_query(words(text), scope.group, scope.audiences, statuses, within),
        "chinese": lucene_query(runs(text), scope.group, scope.audiences, statuses, within),
    }
