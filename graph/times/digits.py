"""Dates written in digits, the same in every language. Pure."""

import re
from datetime import date

from graph.times.days import NotADate, Reading, days_from, month
from graph.times.rules import Place, Rule

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FIRST_MARK, _SECOND_MARK = r"(?P<mark>[-/.])", r"(?P<mark_again>[-/.])"
_NOT_IN_NUMBER = r"(?<![\d./-])"
_NOT_GOING_ON = r"(?!\d|[-/.]\d)"
_TIME_OF_DAY = r"(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z\b|[+-]\d\d:?\d\d)?)?"


def _year_first(match: re.Match[str], _: Place) -> Reading:
    if match["mark"] != match["mark_again"]:
        raise NotADate
    return days_from(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _year_and_month(match: re.Match[str], _: Place) -> Reading:
    return month(int(match["year"]), int(match["month"]))


def _year_last(match: re.Match[str], _: Place) -> Reading:
    one, other = int(match["one"]), int(match["other"])
    if match["mark"] != match["mark_again"] or (max(one, other) <= 12 and one != other):  # noqa: PLR2004
        raise NotADate  # 07/05 is a day in May to one writer and a day in July to another
    return days_from(date(int(match["year"]), min(one, other), max(one, other)))


DIGITS = (
    Rule(
        rf"{_NOT_IN_NUMBER}{_YEAR}{_FIRST_MARK}(?P<month>\d{{1,2}}){_SECOND_MARK}(?P<day>\d{{1,2}})"
        rf"{_NOT_GOING_ON}{_TIME_OF_DAY}",
        _year_first,
        absolute=True,
    ),
    Rule(rf"{_NOT_IN_NUMBER}{_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\w-])", _year_and_month, absolute=True),
    Rule(
        rf"{_NOT_IN_NUMBER}(?P<one>\d{{1,2}}){_FIRST_MARK}(?P<other>\d{{1,2}}){_SECOND_MARK}{_YEAR}{_NOT_GOING_ON}",
        _year_last,
        absolute=True,
    ),
)
