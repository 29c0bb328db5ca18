"""Stretches of days: the calendar arithmetic behind time expressions, free of any language. Pure."""

from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

Lean = Literal["nearest", "past", "future"]
Unit = Literal["minute", "hour", "day", "week", "weekend", "month", "quarter", "year"]
Part = Literal["early", "mid", "late", "first half", "second half"]

BEGINNING = date.min
"""First day of a stretch without a beginning ("before 2019")."""
ENDLESS = date.max
"""Day after a stretch without an end ("from June on")."""

_MONTHS = 12
_WEEK = 7
_SATURDAY = 5


class NotADate(ValueError):
    """The words are no time expression, or cannot be placed with what is known of the event's time."""


class Days(NamedTuple):
    """A stretch of whole days: `first` belongs to it, `after` does not."""

    first: date
    after: date


@dataclass(frozen=True, slots=True)
class Yearly:
    """An expression that returns every year ("7 May", "Christmas") and was said without one."""

    in_year: Callable[[int], Days]


Reading = Days | Yearly


@dataclass(frozen=True, slots=True)
class Reference:
    """Where the speaker stands in time.

    `days` is the day or the month of the event (None without a time), `moment` its wall time where that is
    known to the minute.
    """

    days: Days | None
    moment: datetime | None
    lean: Lean

    def period(self) -> Days:
        """Give the event's day or month, whichever is known."""
        if self.days is None:
            raise NotADate
        return self.days

    def day(self) -> date:
        """Give the event's day; a month is too coarse for words like "yesterday"."""
        first, after = self.period()
        if after - first != timedelta(days=1):
            raise NotADate
        return first


def days_from(first: date, count: int = 1) -> Days:
    """Give `count` days from `first` on."""
    return Days(first, first + timedelta(days=count))


def month(year: int, number: int, count: int = 1) -> Days:
    """Give `count` months; a number below 1 or above 12 counts on into the neighbouring years."""
    return Days(_first_of_month(year, number), _first_of_month(year, number + count))


def year(number: int, count: int = 1) -> Days:
    """Give `count` calendar years."""
    return month(number, 1, _MONTHS * count)


def week(day: date) -> Days:
    """Give the week, Monday to Sunday, that holds a day."""
    return days_from(day - timedelta(days=day.weekday()), _WEEK)


def weekend(day: date) -> Days:
    """Give Saturday and Sunday of the week, Monday to Sunday, that holds a day."""
    return days_from(week(day).first + timedelta(days=_SATURDAY), 2)


def containing(day: date, unit: Unit) -> Days:
    """Give the calendar unit that holds a day."""
    match unit:
        case "week":
            return week(day)
        case "weekend":
            return weekend(day)
        case "month":
            return month(day.year, day.month)
        case "quarter":
            return month(day.year, day.month - (day.month - 1) % 3, 3)
        case "year":
            return year(day.year)
        case _:
            return days_from(day)


def shifted(day: date, unit: Unit, count: int) -> date:
    """Move a day by units; in a shorter month it becomes the last day."""
    match unit:
        case "week" | "weekend":
            return day + timedelta(days=_WEEK * count)
        case "month" | "quarter" | "year":
            months = count * {"month": 1, "quarter": 3, "year": _MONTHS}[unit]
            first = _first_of_month(day.year, day.month + months)
            return first.replace(day=min(day.day, monthrange(first.year, first.month)[1]))
        case _:
            return day + timedelta(days=count)


def stepped(at: Reference, unit: Unit, step: int) -> Days:
    """Give the unit `step` units from the event's own: -1 is the last, 0 this, 1 the next one.

    The weekend of a working day is the coming one, and the last weekend is the one just gone.
    """
    if unit in ("month", "quarter", "year"):
        return containing(shifted(at.period().first, unit, step), unit)
    return containing(shifted(at.day(), unit, step), unit)


def away(at: Reference, unit: Unit, low: int, high: int) -> Days:
    """Give what "`low` to `high` units ago" (negative numbers, `low` first) or "from now" speaks of.

    Days are those days, weeks the seven days around that day, months and years the calendar ones; hours and
    minutes give the day they lead to.
    """
    if unit in ("minute", "hour"):
        if at.moment is None:
            raise NotADate
        return days_from((at.moment + timedelta(**{f"{unit}s": low})).date())
    if unit in ("month", "quarter", "year"):
        start = at.period().first
        first, last = (containing(shifted(start, unit, count), unit) for count in (low, high))
    else:
        first, last = (_around(shifted(at.day(), unit, count), unit) for count in (low, high))
    return Days(first.first, last.after)


def rolling(at: Reference, unit: Unit, count: int) -> Days:
    """Give the last (negative) or next `count` units, counted from the event's day and including it."""
    own = at.period() if unit in ("month", "quarter", "year") else days_from(at.day())
    if count < 0:
        return Days(shifted(own.first, unit, count), own.after)
    return Days(own.first, shifted(own.after, unit, count))


def part_of(days: Days, part: Part) -> Days:
    """Cut early, mid or late, or a half, out of a month or a year.

    A month is cut in tens of days. Early and late in a year are its first and last quarter, mid is May to
    August.
    """
    first, after = days
    if after - first > timedelta(days=31):
        early, mid, late = shifted(first, "month", 3), shifted(first, "month", 4), shifted(first, "month", 9)
        mid_after, middle = shifted(first, "month", 8), shifted(first, "month", 6)
    else:
        early = mid = first + timedelta(days=10)
        late = mid_after = first + timedelta(days=20)
        middle = first + timedelta(days=15)
    return {
        "early": Days(first, early),
        "mid": Days(mid, mid_after),
        "late": Days(late, after),
        "first half": Days(first, middle),
        "second half": Days(middle, after),
    }[part]


def nth_of(days: Days, unit: Unit, nth: int) -> Days:
    """Give the nth (from 1; -1 is the last) day, week, weekend or quarter of a stretch.

    Weeks are counted in sevens from the first day on, not from Monday to Sunday.
    """
    if unit == "quarter":
        first = shifted(days.first, "month", 3 * (nth - 1)) if nth > 0 else shifted(days.after, "month", -3)
        found = Days(first, shifted(first, "month", 3))
    elif unit == "weekend":
        edge = days.first if nth > 0 else days.after - timedelta(days=_WEEK)
        saturday = edge + timedelta(days=(_SATURDAY - edge.weekday()) % _WEEK)
        found = days_from(saturday + timedelta(days=_WEEK * max(nth - 1, 0)), 2)
    else:
        size = _WEEK if unit == "week" else 1
        edge = days.first + timedelta(days=size * (nth - 1)) if nth > 0 else days.after - timedelta(days=size)
        found = Days(edge, min(edge + timedelta(days=size), days.after))
    if not days.first <= found.first < days.after:
        raise NotADate
    return found


def refined(reading: Reading, cut: Callable[[Days], Days]) -> Reading:
    """Apply a cut ("early", "first week of") to a reading, now or once its year is known."""
    if isinstance(reading, Days):
        return cut(reading)
    return Yearly(lambda number: cut(reading.in_year(number)))


def season(first_month: int) -> Yearly:
    """Give a season of three months; winter is named after the year of its December."""
    return Yearly(lambda number: month(number, first_month, 3))


def yearly_days(number: int, day: int, count: int = 1) -> Yearly:
    """Give `count` days from that day of that month on, every year."""
    return Yearly(lambda in_year: days_from(date(in_year, number, day), count))


def yearly_month(number: int) -> Yearly:
    """Give that month, every year."""
    return Yearly(lambda in_year: month(in_year, number))


def weekday_near(at: Reference, weekday: int, week_step: int) -> Days:
    """Give a weekday (Monday is 0) of the week `week_step` weeks from the event's."""
    return days_from(stepped(at, "week", week_step).first + timedelta(days=weekday))


def nearest(candidates: Iterable[Days], at: Days, lean: Lean) -> Days:
    """Choose the candidate nearest to `at`; leaning to the past or the future, the nearest on that side.

    The side holds what overlaps `at`; of two equally near ones the earlier is taken.
    """
    fitting = [
        found
        for found in candidates
        if lean == "nearest" or (found.first < at.after if lean == "past" else found.after > at.first)
    ]
    if not fitting:
        raise NotADate
    return min(fitting, key=lambda found: (_gap(found, at), found.first))


def in_years_near(yearly: Yearly, at: Days) -> list[Days]:
    """Give the occurrences around a stretch of days, a leap day's from further away."""
    for reach in (1, 8):
        found = []
        for number in range(at.first.year - reach, at.first.year + reach + 1):
            try:
                found.append(yearly.in_year(number))
            except ValueError:  # 29 February, or beyond the calendar
                continue
        if found:
            return found
    raise NotADate


def placed(reading: Reading, at: Reference, lean: Lean | None = None) -> Days:
    """Give the days a reading speaks of, choosing the year where none was said."""
    if isinstance(reading, Days):
        return reading
    return nearest(in_years_near(reading, at.period()), at.period(), lean or at.lean)


def occurrence(yearly: Yearly, at: Reference, step: int) -> Days:
    """Give the last (-1: over before the event), this (0) or next (1: begins after it) occurrence.

    This one is the event's own year's, unless another is less than a month away ("this Christmas" said on
    2 January).
    """
    own = at.period()
    near = in_years_near(yearly, own)
    if step == 0:
        closest = nearest(near, own, "nearest")
        return closest if _gap(closest, own) < timedelta(days=31) else yearly.in_year(own.first.year)
    beside = [found for found in near if (found.after <= own.first if step < 0 else found.first >= own.after)]
    return nearest(beside, own, "nearest")


def weekday_beside(day: date, weekday: int, step: int) -> Days:
    """Give the last (-1) or next (1) such weekday (Monday is 0), never the day itself."""
    distance = (weekday - day.weekday()) * step % _WEEK or _WEEK
    return days_from(day + timedelta(days=distance * step))


def _first_of_month(number: int, month_number: int) -> date:
    years, index = divmod(month_number - 1, _MONTHS)
    return date(number + years, index + 1, 1)


def _around(day: date, unit: Unit) -> Days:
    if unit == "week":
        return days_from(day - timedelta(days=_WEEK // 2), _WEEK)
    return containing(day, unit)


def _gap(one: Days, other: Days) -> timedelta:
    """Give the time between two stretches; all that overlap are equally near."""
    return max(one.first - other.after, other.first - one.after, timedelta(days=-1))
