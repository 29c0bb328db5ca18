"""English time expressions, and dates in digits. Pure; the patterns meet the text in lower case."""

import re
from datetime import timedelta

from graph.times.days import (
    NotADate,
    Reading,
    Yearly,
    away,
    days_from,
    month,
    nearest,
    nth_of,
    occurrence,
    part_of,
    refined,
    rolling,
    season,
    stepped,
    weekday_beside,
    weekday_near,
    year,
    yearly_days,
    yearly_month,
)
from graph.times.digits import DIGITS
from graph.times.rules import Grammar, Place, Rule
from graph.times.words import (
    ALSO_DECORATION,
    ALSO_OTHER_WORDS,
    COUNTS,
    DAY_WORDS,
    HOLIDAYS,
    MONTHS,
    ONLY_MONTHS,
    ORDINALS,
    PARTS,
    SEASONS,
    SHORT_MONTHS,
    STEPS,
    UNITS,
    WEEKDAYS,
    alternatives,
    count_of,
)

_ALL_MONTHS = MONTHS | SHORT_MONTHS

_W = r"\s{1,2}"
_YEAR = r"(?:19|20)\d\d(?!\d)"
_TH = r"(?:st|nd|rd|th)?"
_TO = r"\s?(?:-|–|—|to|until|till|through)\s?"
_MONTH = alternatives(_ALL_MONTHS)
_DOT = r"(?:(?:(?<![a-z]{4})|(?<=sept))\.)?"  # "Sept. 5", but not "… in April. 1. …"
_WEEKDAY = alternatives(WEEKDAYS)
_SEASON = alternatives(SEASONS)
_UNIT = alternatives(UNITS)
_PERIOD = "(?:week|weekend|month|year)"
_PART_OF_DAY = rf"(?:{_W}(?:morning|afternoon|evening|night)\b)?"
_YEAR_BESIDE = (
    rf"(?:(?:,\s?|{_W}(?:(?:of|in){_W})?)(?P<year>{_YEAR})"
    rf"|{_W}(?:of{_W})?(?P<year_step>last|this|next){_W}year\b)"
)
COUNT = rf"(?:\d{{1,3}}|(?:an?{_W})?(?:couple(?:{_W}of)?|few)|an?|{alternatives(COUNTS)})"
"""A quantity, to be read by `count_of`."""

# What must stand before a bare month, year, weekday or holiday to make it a time.
_TIME_OF_PERIOD = re.compile(
    r"\b(?:in|of|since|by|until|till|before|prior\sto|after|during|around|throughout|through|year|circa)\s"
    r"(?:the\s|late\s|early\s)?(?:year\s(?:of\s)?|month\sof\s)?$",
    re.ASCII,
)
_OPENS_RANGE = re.compile(r"\b(?:from|between)\s(?:the\s)?$", re.ASCII)
_GOES_ON = re.compile(
    rf"\s?(?:to|until|till|through|and|-|–)\s?(?:early\s|mid\s|late\s)?(?:{_MONTH}\b|{_YEAR})|\son(?:wards?)?\b",
    re.ASCII,
)
_TIME_OF_WEEKDAY = re.compile(r"\b(?:on|by|until|till|since|before|after)\s$", re.ASCII)
_TIME_OF_HOLIDAY = re.compile(
    r"\b(?:at|on|for|over|during|before|after|since|until|till|by|around|of|and)\s(?:the\s)?$", re.ASCII
)
_TIME_OF_SEASON = re.compile(r"\b(?:in|during|over|throughout|since|until|for)\s(?:the\s)?$", re.ASCII)
_NOT_COUNTED = (
    r"(?!'?s\b|[.,]\d|\s?(?:%|people|words|steps|points|pieces|hours|days|years|times|units|users|dollars|yuan"
    r"|rmb|usd|euros|pounds|miles|meters|metres|km|kg|ml|kcal|calories|m|g)\b)"
)


def _in_year(reading: Yearly, match: re.Match[str], place: Place) -> Reading:
    if match["year"]:
        return reading.in_year(int(match["year"]))
    if match["year_step"]:
        return reading.in_year(place.at.period().first.year + STEPS[match["year_step"]])
    return reading


def _month_beside(match: re.Match[str], place: Place) -> int:
    """Read a month that a day or a year makes sure of."""
    if match["month"] in ALSO_OTHER_WORDS and not place.capital(match, "month"):
        raise NotADate
    return _ALL_MONTHS[match["month"]]


def _day_of_month(match: re.Match[str], place: Place) -> Reading:
    first = int(match["day"])
    count = int(match["last"] or first) - first + 1
    if count < 1:
        raise NotADate
    return _in_year(yearly_days(_month_beside(match, place), first, count), match, place)


def _month_and_year(match: re.Match[str], place: Place) -> Reading:
    return _in_year(yearly_month(_month_beside(match, place)), match, place)


def _in_range(match: re.Match[str], place: Place) -> bool:
    """Tell whether "from" or "between" stands before and the range goes on behind."""
    opened = _OPENS_RANGE.search(place.before(match))
    return opened is not None and _GOES_ON.match(place.lowered, match.end()) is not None


def _month_alone(match: re.Match[str], place: Place) -> Reading:
    word, capital = match["month"], place.capital(match, "month")
    if not capital and (word == "may" or word not in MONTHS):
        raise NotADate
    if not (
        (capital and (word in ONLY_MONTHS or place.joined))
        or _TIME_OF_PERIOD.search(place.before(match))
        or _in_range(match, place)
    ):
        raise NotADate
    return yearly_month(_ALL_MONTHS[word])


def _part(match: re.Match[str], place: Place) -> Reading:
    whole: Reading
    if match["month"]:
        whole = _in_year(yearly_month(_month_beside(match, place)), match, place)
    elif match["whole_year"]:
        whole = year(int(match["whole_year"]))
    else:
        whole = stepped(place.at, UNITS[match["unit"]], STEPS[match["step"]])
    if match["nth"]:
        return refined(whole, lambda days: nth_of(days, UNITS[match["nth_unit"]], ORDINALS[match["nth"]]))
    return refined(whole, lambda days: part_of(days, PARTS[match["part"] or match["part_of"]]))


def _quarter(match: re.Match[str], _: Place) -> Reading:
    return month(int(match["year"]), 3 * int(match["quarter"]) - 2, 3)


def _beside(match: re.Match[str], place: Place) -> Reading:
    """Read "last", "this" or "next" before a period, weekday, season or month."""
    word, at = match["unit"], place.at
    step, rolls = STEPS[match["step"]], match["the"] is not None and match["step"] in ("last", "past")
    if match["step"] == "past" and not rolls:
        raise NotADate
    if word in UNITS and word != "night":
        unit = UNITS[word]
        return rolling(at, unit, step) if rolls and unit != "weekend" else stepped(at, unit, step)
    if word in SEASONS:
        return occurrence(season(SEASONS[word]), at, step)
    if word in ALSO_OTHER_WORDS and not place.capital(match, "unit"):
        raise NotADate
    if word in _ALL_MONTHS:
        return occurrence(yearly_month(_ALL_MONTHS[word]), at, step)
    if word in WEEKDAYS:
        return weekday_beside(at.day(), WEEKDAYS[word], step) if step else weekday_near(at, WEEKDAYS[word], 0)
    if step > 0 or (step < 0 and word not in ("night", "evening")):
        raise NotADate
    return stepped(at, "day", step)


def _rolling(match: re.Match[str], place: Place) -> Reading:
    _, most = count_of(match["count"])
    return rolling(place.at, UNITS[match["unit"]], most * STEPS[match["step"]])


def _away(match: re.Match[str], place: Place) -> Reading:
    low, high = (6, 6) if match["half"] else count_of(match["count"])
    if match["unit"] in WEEKDAYS:
        if low != high or match["ahead"]:
            raise NotADate
        last = weekday_beside(place.at.day(), WEEKDAYS[match["unit"]], -1)
        return days_from(last.first - timedelta(weeks=low - 1))
    if match["half"] and match["unit"] != "year":
        raise NotADate
    unit = "month" if match["half"] else UNITS[match["unit"]]
    return away(place.at, unit, low, high) if match["ahead"] else away(place.at, unit, -high, -low)


def _day_word(match: re.Match[str], place: Place) -> Reading:
    return stepped(place.at, "day", DAY_WORDS[" ".join(match["word"].split())])


def _beyond(match: re.Match[str], place: Place) -> Reading:
    return stepped(place.at, UNITS[match["unit"]], -2 if match["side"] == "before" else 2)


def _weekday(match: re.Match[str], place: Place) -> Reading:
    word, before = match["weekday"], place.before(match)
    if word in ALSO_OTHER_WORDS and not place.capital(match, "weekday"):
        raise NotADate
    if match["step"]:
        return weekday_near(place.at, WEEKDAYS[word], STEPS[match["step"]])
    if not _TIME_OF_WEEKDAY.search(before):
        raise NotADate
    near = (weekday_near(place.at, WEEKDAYS[word], step) for step in (-1, 0, 1))
    lean = place.at.lean
    if lean == "nearest" and not before.endswith(("on ", "after ")):
        lean = "past" if before.endswith("since ") else "future"
    return nearest(near, place.at.period(), lean)


def _weekend(_: re.Match[str], place: Place) -> Reading:
    near = (stepped(place.at, "weekend", step) for step in (-1, 0, 1))
    return nearest(near, place.at.period(), place.at.lean)


def _season(match: re.Match[str], place: Place) -> Reading:
    reading = _in_year(season(SEASONS[match["season"]]), match, place)
    if isinstance(reading, Yearly) and not _TIME_OF_SEASON.search(place.before(match)):
        raise NotADate
    return reading


def _holiday(match: re.Match[str], place: Place) -> Reading:
    name = " ".join(match["holiday"].split())
    yearly = yearly_days(*HOLIDAYS[name])
    if match["step"]:
        return occurrence(yearly, place.at, STEPS[match["step"]])
    reading = _in_year(yearly, match, place)
    if reading is yearly and name in ALSO_DECORATION and not _TIME_OF_HOLIDAY.search(place.before(match)):
        raise NotADate
    return reading


def _year_alone(match: re.Match[str], place: Place) -> Reading:
    if not (place.joined or _TIME_OF_PERIOD.search(place.before(match)) or _in_range(match, place)):
        raise NotADate
    return year(int(match["year"]))


def _decade(match: re.Match[str], _: Place) -> Reading:
    return year(int(match["decade"]), 10)


_RULES = (
    *DIGITS,
    Rule(
        rf"(?<![.,:/$-])(?P<day>\d{{1,2}}){_TH}(?:{_TO}(?P<last>\d{{1,2}}){_TH})?"
        rf"{_W}(?:of{_W})?(?P<month>{_MONTH})\b(?:{_DOT}{_YEAR_BESIDE})?",
        _day_of_month,
        absolute=True,
    ),
    Rule(
        rf"(?:(?P<step>last|this|next){_W})?(?P<holiday>{alternatives(name.replace(' ', _W) for name in HOLIDAYS)})\b"
        rf"(?!{_W}(?:tree|card|gift|present|movie|song|carol|market|decoration|light|party|costume|spirit|magic|story|cookie)s?\b)"
        rf"{_YEAR_BESIDE}?",
        _holiday,
        absolute=True,
    ),
    Rule(
        rf"(?P<month>{_MONTH}){_DOT}{_W}(?:the{_W})?(?P<day>\d{{1,2}}){_TH}(?!\w|:\d|[.,]\d\d?\b)"
        rf"(?:{_TO}(?P<last>\d{{1,2}}){_TH}(?!\w|:|{_W}(?:of{_W})?{_MONTH}\b))?{_YEAR_BESIDE}?",
        _day_of_month,
        absolute=True,
    ),
    Rule(
        rf"(?:(?P<part>early|mid|late)(?:-|{_W})(?:(?:in|of){_W})?"
        rf"|(?:(?P<part_of>beginning|start|middle|end|(?:first|second){_W}half)"
        rf"|(?P<nth>{alternatives(ORDINALS)}){_W}(?P<nth_unit>day|week|weekend|quarter))"
        rf"{_W}(?:of|in){_W}(?:the{_W}month{_W}of{_W})?)"
        rf"(?:(?P<month>{_MONTH})\b(?:{_DOT}{_YEAR_BESIDE})?|(?P<whole_year>{_YEAR})(?!'?s\b)"
        rf"|(?P<step>last|this|next|the){_W}(?P<unit>month|year)\b)",
        _part,
        absolute=True,
    ),
    Rule(rf"(?P<month>{_MONTH})\b{_DOT}{_YEAR_BESIDE}", _month_and_year, absolute=True),
    Rule(rf"(?P<month>{_MONTH})\b", _month_alone, absolute=True),
    Rule(rf"q(?P<quarter>[1-4])(?:{_W}of)?{_W}(?P<year>{_YEAR})", _quarter, absolute=True),
    Rule(
        rf"(?:(?P<the>the|this){_W})?(?P<step>last|past|this|next|coming){_W}"
        rf"(?P<unit>{_PERIOD}|{_WEEKDAY}|{_SEASON}|{_MONTH}|night|evening|morning|afternoon)\b(?!-|{_W}(?:of|before|prior)\b)"
        rf"{_PART_OF_DAY}",
        _beside,
    ),
    Rule(
        rf"(?P<step>last|past|previous|next|coming){_W}(?P<count>{COUNT}){_W}(?P<unit>day|week|weekend|month|year)s?\b",
        _rolling,
    ),
    Rule(
        rf"(?:(?P<half>half{_W}a)|(?P<count>{COUNT})){_W}(?P<unit>{_UNIT}|{_WEEKDAY})s?{_W}"
        rf"(?:ago\b|back\b(?!{_W}(?:in|at|on|to|from|home|with)\b)|(?P<ahead>from{_W}(?:now|today)\b))",
        _away,
    ),
    Rule(
        rf"(?:the{_W})?(?P<word>{alternatives(word.replace(' ', _W) for word in DAY_WORDS)})\b"
        rf"(?!'s{_W}(?:world|society|age)\b){_PART_OF_DAY}",
        _day_word,
    ),
    Rule(rf"(?:the{_W})?(?P<unit>{_PERIOD}){_W}(?P<side>before|after){_W}(?:last|next)\b", _beyond),
    Rule(
        rf"(?P<weekday>{_WEEKDAY})\b(?!,?{_W}(?:the{_W})?(?:\d|{_MONTH}\b)|{_W}(?:morning|afternoon|evening|night)s\b)"
        rf"(?:{_W}(?:of{_W})?(?P<step>last|this|next){_W}week\b)?{_PART_OF_DAY}",
        _weekday,
    ),
    Rule(rf"(?:over|during|for|at){_W}the{_W}weekend\b", _weekend),
    Rule(
        rf"(?P<season>{_SEASON})\b(?:{_W}(?:vacation|break|holidays?)\b)?"
        rf"(?!{_W}(?:camp|festival|job|sport|internship|school|game)s?\b){_YEAR_BESIDE}?",
        _season,
        absolute=True,
    ),
    Rule(rf"(?P<year>{_YEAR}){_NOT_COUNTED}", _year_alone, absolute=True),
    Rule(r"(?:the\s)?(?P<decade>(?:19|20)\d0)'?s\b", _decade, absolute=True),
)
# No rule begins with g, i, k, r, u or z; to say so spares half of the work.
ENGLISH = Grammar(r"(?<![a-z0-9])(?=[0-9a-fhj-qstv-y])", _RULES)
