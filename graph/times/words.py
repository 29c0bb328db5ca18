"""The words of time expressions, English and Chinese, with what they count or name. Pure."""

from collections.abc import Iterable

from graph.times.days import NotADate, Part, Unit

Count = tuple[int, int]
"""The lowest and the highest number a word of quantity stands for: "two" is (2, 2), "a few" (2, 6)."""


def alternatives(words: Iterable[str]) -> str:
    """Give a regular expression for one of some literal words, the longer ones tried first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip
ONLY_MONTHS = {"january", "february", "july", "september", "october", "november", "december"}
"""Months whose name is hardly ever a person's name or another word."""

WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
ALSO_OTHER_WORDS = {"may", "march", "mar", "jan", "jun", "mon", "wed", "sat", "sun"}
"""Names that are a month or a weekday only with a capital letter."""

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season, on the northern half of the earth."""

DAY_WORDS = {
    "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day before yesterday": -2, "day after tomorrow": 2,
}  # fmt: skip
STEPS = {"last": -1, "past": -1, "previous": -1, "the": 0, "this": 0, "next": 1, "coming": 1}

HOLIDAYS = {
    "new year's day": (1, 1, 1),
    "new year's eve": (12, 31, 1),
    "valentine's day": (2, 14, 1),
    "valentines day": (2, 14, 1),
    "may day": (5, 1, 1),
    "labour day": (5, 1, 1),
    "halloween": (10, 31, 1),
    "christmas eve": (12, 24, 1),
    "christmas": (12, 25, 1),
    "christmas day": (12, 25, 1),
    "xmas": (12, 25, 1),
    "boxing day": (12, 26, 1),
    **{f"{day} {rest}": (5, 1, 5) for day in ("may day", "labour day") for rest in ("holiday", "holidays")},
    **{f"national day {rest}": (10, 1, 7) for rest in ("holiday", "holidays")},
    **{f"christmas {rest}": (12, 24, 9) for rest in ("holiday", "holidays", "break", "season", "vacation")},
}
"""Holidays of a fixed date: month, day and length in days. The holidays of Labour Day and National Day are
China's; the American Labor Day has no fixed date and is left out."""
ALSO_DECORATION = {"christmas", "xmas", "halloween"}
"""Holidays that also stand before things ("Christmas tree"): dates only beside a word of time."""

COUNTS: dict[str, Count] = {
    "couple": (2, 3),
    "few": (2, 6),
    "several": (3, 8),
    **{
        word: (number, number)
        for number, word in enumerate(
            (
                "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
                "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
                "twenty",
            ),
            start=1,
        )
    },
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": -1,
    "final": -1,
}  # fmt: skip
PARTS: dict[str, Part] = {
    "early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid",
    "late": "late", "end": "late", "first half": "first half", "second half": "second half",
}  # fmt: skip
UNITS: dict[str, Unit] = {
    "minute": "minute", "min": "minute", "hour": "hour", "hr": "hour", "day": "day", "night": "day",
    "week": "week", "weekend": "weekend", "month": "month", "quarter": "quarter", "year": "year",
}  # fmt: skip


def count_of(words: str) -> Count:
    """Read an English quantity: "3", "a", "two", "a couple of", "a few"."""
    if words.isdecimal():
        return int(words), int(words)
    known = [COUNTS[word] for word in words.split() if word in COUNTS]
    return known[0] if known else (1, 1)


CN_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9,
}  # fmt: skip
CN_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
CN_UNITS: dict[str, Unit] = {
    "分钟": "minute", "小时": "hour", "个小时": "hour", "钟头": "hour", "个钟头": "hour", "天": "day",
    "周": "week", "星期": "week", "个星期": "week", "礼拜": "week", "个礼拜": "week",
    "周末": "weekend", "个周末": "weekend", "个月": "month", "季度": "quarter", "个季度": "quarter", "年": "year",
}  # fmt: skip
CN_PERIODS: dict[str, Unit] = {
    "周": "week", "星期": "week", "礼拜": "week", "周末": "weekend", "月": "month", "季度": "quarter",
}  # fmt: skip
CN_DAYS = {
    "大前天": -3, "前天": -2, "前晚": -2, "昨天": -1, "昨日": -1, "昨儿": -1, "昨晚": -1, "昨夜": -1,
    "今天": 0, "今日": 0, "今儿": 0, "今早": 0, "今晨": 0, "今晚": 0, "今夜": 0,
    "明天": 1, "明日": 1, "明儿": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
CN_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
CN_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
CN_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
CN_PARTS: dict[str, Part] = {
    "初": "early", "年初": "early", "月初": "early", "上旬": "early",
    "中": "mid", "年中": "mid", "中旬": "mid",
    "底": "late", "末": "late", "年底": "late", "年末": "late", "月底": "late", "月末": "late", "下旬": "late",
    "上半年": "first half", "下半年": "second half",
}  # fmt: skip
CN_HOLIDAYS = {
    "元旦": (1, 1, 1),
    "情人节": (2, 14, 1),
    "妇女节": (3, 8, 1),
    "五一": (5, 1, 5),
    "劳动节": (5, 1, 5),
    "六一": (6, 1, 1),
    "儿童节": (6, 1, 1),
    "暑假": (7, 1, 62),
    "教师节": (9, 10, 1),
    "国庆": (10, 1, 7),
    "万圣节": (10, 31, 1),
    "双十一": (11, 11, 1),
    "平安夜": (12, 24, 1),
    "圣诞": (12, 25, 1),
    "跨年夜": (12, 31, 1),
}
"""Holidays of a fixed date: month, day and the days off that people mean by the name. Lunar ones are left
out, their dates come from tables."""


def cn_number(text: str) -> int:
    """Read a Chinese or Arabic number below a thousand, or a year said digit by digit."""
    if text.isascii():
        return int(text)
    try:
        if "十" not in text and "百" not in text:
            return int("".join(str(CN_DIGITS[sign]) for sign in text))
        hundreds, hundred, rest = text.rpartition("百")
        tens, ten, ones = rest.lstrip("零〇").rpartition("十")
        value = 100 * CN_DIGITS[hundreds or "一"] if hundred else 0
        value += 10 * CN_DIGITS[tens or "一"] if ten else 0
        return value + (CN_DIGITS[ones] if ones else 0)
    except KeyError as sign:
        raise NotADate(f"{text} is no number ({sign})") from None


def cn_count(text: str) -> Count:
    """Read a Chinese quantity: "三", "12", "几", "好几", "十几"."""
    if text == "十几":
        return 11, 19
    if "几" in text:
        return 2, 6
    if len(text) > 1 and not text.isascii() and not set(text) & set("十百"):
        raise NotADate(f"{text} is a row of digits, not a quantity")
    return cn_number(text), cn_number(text)
