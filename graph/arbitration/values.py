"""When two values are the same, and when one says more than the other. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise, zip_longest
from typing import Final

from opencc import OpenCC

_TOKEN: Final = re.compile(
    r"[\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W\d\u3400-\u9fff][^\W\u3400-\u9fff]*(?:['’.&-][^\W\u3400-\u9fff]+)*[+#]*"
)
_DIGITS: Final = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_NUMERAL: Final = re.compile(r"[一二三四五六七八九]?十[一二三四五六七八九]?|[零〇一二两三四五六七八九]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_UNITS: Final = frozenset("年月日号点时分秒岁块元角分个只条台辆间楼层栋号室路班级组期次遍回斤克升米寸尺周天")
_ARTICLES: Final = frozenset(("the", "a", "an", "my", "our", "their", "his", "her"))
_NEGATIONS: Final = frozenset(("no", "not", "non", "never", "without", "无", "不", "非", "没"))
_NOTHING: Final = frozenset(
    "none no nothing nobody null n/a nil never off stopped cancelled canceled quit ended 无 没有 不 戒了 已戒 取消 "
    "已取消 没了 不再 停了 已停".split()
)
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def simplified(text: str) -> str:
    """Return a text with simplified Chinese signs, sign for sign."""
    return text if text.isascii() else "".join(map(_simplified_sign, text))


@lru_cache(maxsize=65_536)
def _simplified_sign(sign: str) -> str:
    simple = _converter().convert(sign) if _HAN.match(sign) else sign
    return simple if len(simple) == 1 else sign


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text as values are compared by: width and case do not matter, a Han sign is a word.

    `C++`, `21.5` and `6:30` are one word each; signs that stand alone are left out.
    """
    found = _TOKEN.findall(_numerals(simplified(unicodedata.normalize("NFKC", text))))
    kept = [
        word
        for word, after in zip_longest(found, found[1:], fillvalue="")
        # "a" before a word is an article; "A" and the type of a blood group are not.
        if word.casefold() not in _ARTICLES
        or (word.casefold() == "a" and not (word == "a" and after.isascii() and after))
    ]
    return tuple(_NUMBERS.get(word.casefold(), word.casefold()) for word in kept)


def _numerals(text: str) -> str:
    """Return the text with Chinese numerals below a hundred in digits."""
    return _NUMERAL.sub(lambda match: str(_number(match.group())), text)


def _number(numeral: str) -> str | int:
    tens, ten, ones = numeral.partition("十")
    if not ten:
        return "".join(str(_DIGITS[sign]) for sign in numeral)
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0)


def same(one: str, other: str) -> bool:
    """Tell whether two values are the same but for case, width, articles, spacing and the order of their words."""
    left, right = tokens(one), tokens(other)
    if not left or not right:
        return _bare(one) == _bare(other)
    # The order of numbers counts: 3 September is not 9 March.
    reordered = sorted(left) == sorted(right) and figures(left) == figures(right)
    return left == right or (reordered and any(word.isalpha() and len(word) > 1 for word in left))


def figures(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the numbers that a Han unit follows, each with it, sorted: 3 月 9 日 is not 9 月 3 日."""
    return sorted((word, unit) for word, unit in pairwise(words) if word[0].isdigit() and unit in _UNITS)


def refines(more: str, less: str) -> bool:
    """Tell whether the words of `less` stand in `more` in their order, side by side or with more words between.

    What denies ("not spicy") does not refine. Numbers do not become other numbers: 2 does not stand in 20.
    """
    longer, shorter = tokens(more), tokens(less)
    if not shorter or len(longer) <= len(shorter):
        return False
    if (_NEGATIONS & set(longer)) - set(shorter) and not _adjacent(longer, shorter):
        return False
    return _adjacent(longer, shorter) or (len(shorter) > 1 and _in_order(longer, shorter))


def names_value(text: str, value: str) -> bool:
    """Tell whether a text names a value: by half of its words at least, and by more than one Han sign."""
    words, wanted = set(tokens(text)), tokens(value)
    found = [word for word in wanted if word in words]
    han = [word for word in found if _HAN.match(word)]
    telling = len(han) > 1 or any(len(word) > 1 and not _HAN.match(word) for word in found)
    share = len(found) / len(wanted) if wanted else 0.0
    half = 0.5
    return share == 1 or (telling and (share > half or (share == half and not han)))


def is_nothing(value: str | None) -> bool:
    """Tell whether a value only says that there is none."""
    return value is None or _bare(value) in _NOTHING


def _bare(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def _adjacent(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    width = len(shorter)
    return any(
        tuple(longer[at : at + width]) == tuple(shorter) and not (at and longer[at - 1] in _NEGATIONS)
        for at in range(len(longer) - width + 1)
    )


def _in_order(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    left = iter(longer)
    return all(word in left for word in shorter)
