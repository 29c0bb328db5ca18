"""Chinese time expressions. Pure.

Chinese writes no word boundaries, so each pattern also names the neighbours that make its signs part of
another word: "以前天天" holds no 前天, "马上周五" no 上周五.
"""

import re

from graph.times.days import (
    NotADate,
    Reading,
    Yearly,
    away,
    days_from,
    month,
    nth_of,
    occurrence,
    part_of,
    refined,
    rolling,
    season,
    stepped,
    weekday_near,
    year,
    yearly_days,
)
from graph.times.rules import Grammar, Place, Rule
from graph.times.words import (
    CN_DAYS,
    CN_HOLIDAYS,
    CN_PARTS,
    CN_PERIODS,
    CN_SEASONS,
    CN_STEPS,
    CN_UNITS,
    CN_WEEKDAYS,
    CN_YEARS,
    alternatives,
    cn_count,
    cn_number,
)

COUNT = r"(?:\d{1,3}|十几|好几|几|[一二两三四五六七八九十百]{1,5})"
"""A quantity, to be read by `cn_count`."""
UNIT = alternatives(CN_UNITS)

_TO = r"(?:到|至|-|–|—|~|～)"
_NOT_IN_NUMBER = r"(?<![\d第零〇一二两三四五六七八九十百千万几])"
_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_YEAR = r"(?:(?<!\d)(?:19|20)\d\d|(?:一九|二[〇零])[〇零一二三四五六七八九]{2})"
# Two digits are a year only with the month behind.
_OF_YEAR = (
    rf"(?:(?P<year>{_YEAR}|(?<!\d)\d\d(?=年(?:1[0-2]|0?[1-9])月))年"
    rf"|(?<![以之目提过失今然])(?P<year_word>{alternatives(CN_YEARS)})(?![轻纪龄货糕]))的?"
)
_NO_MONTH_BEFORE = r"(?<![\d.闰第年历零〇一二三四五六七八九十])"  # "每年5月" is a habit, "农历五月" lunar
_NO_MONTH_AFTER = (
    r"(?!\d|[一二三四五六七八九十廿两]|初[一二三四五六七八九十]|[多来薪亮球饼色光考票卡嫂老租子天]|前[一二两三])"
)
_PART_OF_MONTH = r"(?P<part>初(?![一二三四五六七八九十])|上旬|中旬|下旬|中(?![国学文午心间秋等小])|底|末)"
_PART_OF_YEAR = r"(?P<part>年初|年底|年末|上半年|下半年|初|底|末|年?中(?![国学文午心间秋等小]))"
_NTH = rf"的?(?P<nth>第{COUNT}|最后一)(?P<nth_unit>天|个?周末|周|个?星期|个?礼拜)"
_STEP = (
    r"(?P<step>上上|下下|(?<![马早晚身网路天世以海线手])上|(?<![一以之乡天手])下|这|(?<![日基根资成书课剧])本)一?个?"
)
_WEEKDAY = (
    r"(?P<weekday>一(?![直起样个些共般定边下次家点块路切天])|[二三四五六](?![天个次月年周名位场])|日|天(?![气空天]))"
)
_PART_OF_DAY = r"(?:的?(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里))?"
_SEASON = r"(?P<season>[春夏秋冬])[天季]"
_QUARTER = r"(?P<nth>第?[一二三四1-4])(?P<nth_unit>个?季度)"
_HOLIDAY = (
    r"(?<![二三四五六七八九十李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗])"
    rf"(?P<holiday>{alternatives(CN_HOLIDAYS)})(?![路街村道树卡老礼帽歌快装二]|广场|大道)"
    r"节?(?:(?P<single>当天|当日|那天)|(?:小?长)?假期?|期间|黄金周)?"
)


def _in_year(reading: Yearly, match: re.Match[str], place: Place) -> Reading:
    if match["year"]:
        number = cn_number(match["year"])
        return reading.in_year(number if len(match["year"]) > 2 else 2000 + number)  # noqa: PLR2004
    if match["year_word"]:
        return reading.in_year(place.at.period().first.year + CN_YEARS[match["year_word"]])
    return reading


def _nth(reading: Reading, match: re.Match[str]) -> Reading:
    number = -1 if match["nth"] == "最后一" else cn_number(match["nth"].removeprefix("第"))
    return refined(reading, lambda days: nth_of(days, CN_UNITS[match["nth_unit"]], number))


def _part(reading: Reading, match: re.Match[str]) -> Reading:
    return refined(reading, lambda days: part_of(days, CN_PARTS[match["part"]]))


def _holiday_days(match: re.Match[str]) -> Yearly:
    number, day, count = CN_HOLIDAYS[match["holiday"]]
    return yearly_days(number, day, 1 if match["single"] else count)


def _day_of_month(match: re.Match[str], place: Place) -> Reading:
    first = cn_number(match["day"])
    count = cn_number(match["last"] or match["day"]) - first + 1
    if count < 1:
        raise NotADate
    return _in_year(yearly_days(cn_number(match["month"]), first, count), match, place)


def _months(match: re.Match[str], place: Place) -> Reading:
    first = cn_number(match["month"])
    count = (cn_number(match["last"]) - first) % 12 + 1 if match["last"] else 1
    reading = _in_year(Yearly(lambda number: month(number, first, count)), match, place)
    if match["nth"]:
        return _nth(reading, match)
    return _part(reading, match) if match["part"] else reading


def _year(match: re.Match[str], place: Place) -> Reading:
    if match["season"]:
        return _in_year(season(CN_SEASONS[match["season"]]), match, place)
    if match["holiday"]:
        return _in_year(_holiday_days(match), match, place)
    whole = _in_year(Yearly(year), match, place)
    if match["nth"]:
        return _nth(whole, match)
    return _part(whole, match) if match["part"] else whole


def _years(match: re.Match[str], _: Place) -> Reading:
    first, last = cn_number(match["year"]), cn_number(match["last"])
    if last < first:
        raise NotADate
    return year(first, last - first + 1)


def _part_of_own_year(match: re.Match[str], place: Place) -> Reading:
    own = stepped(place.at, "year", 0)
    return _nth(own, match) if match["nth"] else _part(own, match)


def _part_of_own_month(match: re.Match[str], place: Place) -> Reading:
    return _part(stepped(place.at, "month", 0), match)


def _stepped(match: re.Match[str], place: Place) -> Reading:
    """Read 上, 这, 下 and the like before a week, month, quarter or season."""
    step = CN_STEPS[match["step"]]
    if match["weekday"]:
        return weekday_near(place.at, CN_WEEKDAYS[match["weekday"]], step)
    if match["season"]:
        return occurrence(season(CN_SEASONS[match["season"]]), place.at, step)
    own = stepped(place.at, CN_PERIODS[match["unit"]], step)
    if match["day"]:
        return days_from(own.first.replace(day=cn_number(match["day"])))
    if match["nth"]:
        return _nth(own, match)
    return _part(own, match) if match["part"] else own


def _day_word(match: re.Match[str], place: Place) -> Reading:
    return stepped(place.at, "day", CN_DAYS[match["word"]])


def _away(match: re.Match[str], place: Place) -> Reading:
    if match["half"]:  # half a month is said for two weeks
        (low, high), unit = ((6, 6), CN_UNITS["个月"]) if match["half"] == "半年" else ((2, 2), CN_UNITS["周"])
    else:
        (low, high), unit = cn_count(match["count"]), CN_UNITS[match["unit"]]
    return away(place.at, unit, -high, -low) if match["ago"] else away(place.at, unit, low, high)


def _days_ago(match: re.Match[str], place: Place) -> Reading:
    return away(place.at, "day", -6 if match["count"] == "几" else -3, -1)


def _rolling(match: re.Match[str], place: Place) -> Reading:
    if match["these"] and match["count"] == "一":
        raise NotADate  # "这一天" is some day of a story
    _, most = cn_count(match["count"])
    return rolling(place.at, CN_UNITS[match["unit"]], most if match["ahead"] else -most)


def _holiday(match: re.Match[str], _: Place) -> Reading:
    return _holiday_days(match)


_RULES = (
    Rule(
        rf"(?:{_OF_YEAR}|{_NO_MONTH_BEFORE})(?P<month>{_MONTH})月(?:份的?)?(?P<day>{_DAY})"
        rf"(?:[日号]?{_TO}(?P<last>{_DAY}))?[日号](?![线码]){_PART_OF_DAY}",
        _day_of_month,
        absolute=True,
    ),
    Rule(
        rf"(?:{_OF_YEAR}|{_NO_MONTH_BEFORE})(?P<month>{_MONTH})(?:月?{_TO}(?P<last>{_MONTH}))?"
        rf"月(?:份?(?:{_PART_OF_MONTH}|{_NTH})|份|{_NO_MONTH_AFTER})",
        _months,
        absolute=True,
    ),
    Rule(rf"(?P<year>{_YEAR})年?{_TO}(?P<last>{_YEAR})年", _years, absolute=True),
    Rule(
        rf"{_OF_YEAR}(?:{_PART_OF_YEAR}|{_SEASON}|{_HOLIDAY}|{_QUARTER})?",
        _year,
        absolute=True,
    ),
    Rule(
        rf"(?<![年第\d每])(?:(?P<part>年初|年底|年末|上半年|下半年)|{_QUARTER})",
        _part_of_own_year,
    ),
    Rule(
        rf"{_STEP}(?:{_SEASON}|(?P<unit>周末|周(?![围边到年岁长期身转旋济杰])|星期|礼拜|月(?![亮球饼色光薪票])|季度))"
        rf"(?:(?<=[周期拜]){_WEEKDAY}{_PART_OF_DAY}|(?<=月)(?:的?(?P<day>{_DAY})[日号]|{_PART_OF_MONTH}|{_NTH}))?",
        _stepped,
    ),
    Rule(r"(?<![\d年每个几一二三四五六七八九十])(?P<part>月初|月底|月末)", _part_of_own_month),
    Rule(
        r"(?P<word>大前天|大后天|(?<![以之目当眼面提年月日天周前大])前[天晚]|(?<![以之今然最随此背往大])后天"
        r"|昨[天日儿晚夜]|今[天日儿早晨晚夜]|(?<![光文聪])明[天日儿早晚])(?![气空黑亮性天]|头条|方舟)"
        rf"{_PART_OF_DAY}",
        _day_word,
    ),
    Rule(
        rf"{_NOT_IN_NUMBER}(?:(?P<half>半年|半个月)|(?P<count>{COUNT})(?P<unit>{UNIT}))"
        r"(?:(?P<ago>(?:以|之)?前)(?![面天台往途])|后(?![面天来台]))",
        _away,
    ),
    Rule(r"(?<![节考之以年月日号期])前(?P<count>[几两])天", _days_ago),
    Rule(
        rf"(?:最近|(?<![附靠接将临])近|过去|(?P<these>这)|(?P<ahead>未来|接下来|今后|往后))的?"
        rf"(?P<count>{COUNT})(?P<unit>{UNIT})",
        _rolling,
    ),
    Rule(_HOLIDAY, _holiday, absolute=True),
)
# The signs a rule can begin with; to say so spares most of the work.
CHINESE = Grammar(
    r"(?=[\d〇零一二两三四五六七八九十百几好半大前去今明后昨上下这本年月最近过未接往第元情妇劳儿暑教国万双平圣跨])",
    _RULES,
)
