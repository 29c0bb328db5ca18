"""Texts and values as tokens: when two values are the same, and when one says the other more exactly. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Final

from opencc import OpenCC

from graph.wording.lexicon import turns_after, turns_before

HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = r"[^\W\d_\u3400-\u9fff][^\W\u3400-\u9fff]*(?:['’.&-][^\W\u3400-\u9fff]+)*[+#]*"
_NUMBER: Final = r"(?:(?<![\w\])])[-+])?\d+(?:[.,:]\d+)*"
_SIGN: Final = r"[<>≤≥≠±$€£¥₹%‰]|[\u2190-\u21ff\u2600-\u27bf\U0001f300-\U0001faff]"
_SIGNED: Final = re.compile(_SIGN)
_TOKEN: Final = re.compile(rf"[\u3400-\u9fff]|{_NUMBER}|{_WORD}|{_SIGN}")
_GROUPED: Final = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL: Final = re.compile(r"[-+]?\d+\.\d+")
_DIGITS: Final = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_NUMERAL: Final = re.compile(r"[一二三四五六七八九]?十[一二三四五六七八九]?|[零〇一二两三四五六七八九]+")
_ARTICLES: Final = frozenset(("the", "a", "an", "my", "our"))
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def simplified(text: str) -> str:
    """Return a text with simplified Chinese signs, sign for sign."""
    return text if text.isascii() else "".join(map(_simplified_sign, text))


@lru_cache(maxsize=65_536)
def _simplified_sign(sign: str) -> str:
    simple = _converter().convert(sign) if HAN.match(sign) else sign
    return simple if len(simple) == 1 else sign


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text as texts and values are compared by: case and width do not matter.

    A Han sign is a word, and so is `C++`; numbers are written by their value, and what changes it (a sign, a currency,
    a percent sign, an arrow or an emoji) is a word, too. Punctuation and English articles are left out.
    """
    found = _TOKEN.findall(_numerals(simplified(unicodedata.normalize("NFKC", text))))
    kept = [
        word
        for word, after in zip_longest(found, found[1:], fillvalue="")
        # "a" before a word is an article; "A" and the type of a blood group are not.
        if word.casefold() not in _ARTICLES
        or (word.casefold() == "a" and not (word == "a" and after.isascii() and after))
    ]
    return tuple(_by_value(word.casefold()) for word in kept)


def _by_value(word: str) -> str:
    """Return a number as it is written shortest, another word as it is: "1.80" is 1.8, "1,000" is 1000."""
    if word in _NUMBERS:
        return _NUMBERS[word]
    number = word.replace(",", "") if _GROUPED.fullmatch(word) else word
    if _DECIMAL.fullmatch(number):
        number = number.rstrip("0").rstrip(".")
    return number.removeprefix("+")


def _numerals(text: str) -> str:
    """Return the text with Chinese numerals below a hundred in digits."""
    return _NUMERAL.sub(lambda match: str(_number(match.group())), text)


def _number(numeral: str) -> str | int:
    tens, ten, ones = numeral.partition("十")
    if not ten:
        return "".join(str(_DIGITS[sign]) for sign in numeral)
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0)


def same(one: str, other: str) -> bool:
    """Tell whether two values or texts are the same sequence of tokens; those without any are compared as they are."""
    left, right = tokens(one), tokens(other)
    return left == right if left or right else _bare(one) == _bare(other)


def refines(more: str, less: str) -> bool:
    """Tell whether one value says the other more exactly: it holds all its tokens, in a row or in order.

    It does not where a word that it adds beside them denies, ends, compares, or changes a rank: "former Google" is not
    Google, and "10 mg less" not 10 mg.
    """
    longer, shorter = tokens(more), tokens(less)
    if not shorter or len(longer) <= len(shorter):
        return False
    at = _found_at(longer, shorter)
    if at is None:
        runs = _runs_between(longer, shorter) if len(shorter) > 1 else None
    else:
        runs = [longer[:at], *[()] * (len(shorter) - 1), longer[at + len(shorter) :]]
    if runs is None or any(_SIGNED.fullmatch(word) for run in (runs[0], runs[-1]) for word in run):
        return False
    turns = any(turns_before(" ".join(run), "".join(run)) for run in runs[:-1])
    return not (turns or turns_after(" ".join(runs[-1]), "".join(runs[-1])))


def turned(value: str, old_value: str) -> bool:
    """Tell whether a value is the known one turned into another by words beside it: "not married", "ex-Google"."""
    words, known = tokens(value), tokens(old_value)
    return 0 < len(known) < len(words) and _found_at(words, known) is not None and not refines(value, old_value)


def names_value(text: str, value: str) -> bool:
    """Tell whether a text names a value: by more than half of its words, and by more than one Han sign."""
    words, wanted = set(tokens(text)), tokens(value)
    found = [word for word in wanted if word in words]
    telling = sum(bool(HAN.match(word)) for word in found) > 1 or any(not HAN.match(word) for word in found)
    return bool(wanted) and (len(found) == len(wanted) or (telling and len(found) > len(wanted) / 2))


def exclude_each_other(old: str, new: str) -> bool:
    """Tell whether two texts can be about the same thing, so that both cannot be true.

    Where they are alike but for one place, that must be what is said and not of what: behind a word of being ("my
    doctor is …"), or a number at the end ("size 39"). Room 12 and room 14, tea and coffee, Leo's age
    and Max's go together.
    """
    before, after = tokens(old), tokens(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    edits = [edit for edit in matcher.get_opcodes() if edit[0] != "equal"]
    if matcher.ratio() < _ALIKE or any(max(edit[2] - edit[1], edit[4] - edit[3]) > _LONGEST_EDIT for edit in edits):
        return True  # said in other words: what was read of it counts
    if len(edits) != 1 or edits[0][0] != "replace":
        return not edits or all(edit[0] != "replace" for edit in edits)
    _, start, _, begin, end = edits[0]
    lead = [word for word in after[:begin] if word not in _BETWEEN]
    if lead and (lead[-1] in _BEING or lead[-1].endswith(("'s", "'m", "’s", "’m"))):
        return True
    number = before[start].isdigit() and after[begin].isdigit()
    return number and begin > 1 and len(after) - end <= 1


_ALIKE: Final = 0.5
_LONGEST_EDIT: Final = 3
_BETWEEN: Final = frozenset("on at in from of by the about around 的 第".split())
_BEING: Final = frozenset("is are am was were be been named called 是 叫 姓 在 为 属".split())


def _found_at(longer: Sequence[str], shorter: Sequence[str]) -> int | None:
    width = len(shorter)
    places = range(len(longer) - width + 1)
    return next((at for at in places if tuple(longer[at : at + width]) == tuple(shorter)), None)


def _runs_between(longer: Sequence[str], shorter: Sequence[str]) -> list[tuple[str, ...]] | None:
    """Return what stands before each word of the shorter and behind the last, where all stand there in order."""
    runs: list[tuple[str, ...]] = []
    start = 0
    for word in shorter:
        if word not in longer[start:]:
            return None
        at = longer.index(word, start)
        runs.append(tuple(longer[start:at]))
        start = at + 1
    return [*runs, tuple(longer[start:])]


def _bare(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())
