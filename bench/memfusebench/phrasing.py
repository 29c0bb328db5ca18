"""The phrases by which a fact is known in a text. A short number alone is none: its unit or its words come with it."""

import re
from collections.abc import Mapping
from typing import Final

from bench.memfusebench.model import LANGS, Both, Kind
from bench.memfusebench.texts import phrases, token

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_TELLING_DIGITS: Final = 4
"""A number of so many digits is hardly met by chance."""

_NEXT: Final = re.compile(
    r" ?(?:\{cur\}|per cent|°C|°|%|m²|分钟|公里|小时|毫升|毫米|分贝|平米|千克|公斤"
    r"|(?!(?:in|of|within|at|for|to|per|and|on|monthly|out|later)\b)[a-zA-Z]+|[\u4e00-\u9fff])"
)
_BEFORE: Final = re.compile(r"(?:[A-Za-z]+[ :]+|[\u4e00-\u9fff]{1,4})$")

_SAME: Final = (
    ("min", "minutes", "minute"),
    ("h", "hours", "hour"),
    ("°C", "degrees", "°", "度"),
    ("%", "per cent", "percent"),
    ("km", "kilometres", "kilometers"),
    ("kg", "kilos", "kilograms"),
    ("g", "grams"),
    ("l", "litres", "liters"),
    ("ml", "millilitres"),
    ("m²", "square metres"),
    ("dB", "decibels"),
)
_SIGNS: Final = {"EUR": "€", "GBP": "£", "CNY": "¥", "CAD": "$", "AUD": "$", "SGD": "$", "TWD": "$"}


def is_number(value: Both) -> bool:
    """Say whether a value is a plain number."""
    return bool(_NUMBER.fullmatch(token(value.en)))


def phrases_of(kind: Kind, slot: str, name: str, values: Mapping[str, Both]) -> tuple[str, ...]:
    """Return the phrases of a fact's value; `name` is the slot that holds it, `slot` what its fact calls it."""
    value = values[name]
    number = token(value.en)
    if not is_number(value):
        return phrases(value)
    if len(number.replace(".", "")) >= _TELLING_DIGITS:
        return (number,)
    found: dict[str, None] = {}
    views = [view for view in (*kind.views, kind.by_id, kind.by_wording) if view]
    for lang in LANGS:
        fact = kind.facts[slot].of(lang).replace(f"{{{slot}}}", f"{{{name}}}")
        for text in (fact, *(view.say.of(lang) for view in views)):
            for around in _around(text, name):
                written = around.replace("{cur}", values["cur"].of(lang)).replace(f"{{{name}}}", number)
                found |= dict.fromkeys(_written(number, written, values["cur"].en))
    return tuple(found)


def _around(template: str, name: str) -> list[str]:
    """Return the slot with what stands next to it, wherever a template holds it."""
    slot = f"{{{name}}}"
    made = []
    for place in re.finditer(re.escape(slot), template):
        after = _NEXT.match(template, place.end())
        before = _BEFORE.search(template, 0, place.start())
        if after:
            made.append(slot + after[0])
        elif before:
            made.append(before[0] + slot)
    return made


def _written(number: str, phrase: str, currency: str) -> list[str]:
    """Return a phrase and other ways to write its unit."""
    unit = phrase.removeprefix(number).strip()
    others = [f"{number} {other}" for units in _SAME if unit in units for other in units]
    if currency in _SIGNS and unit == currency:
        others += [f"{_SIGNS[currency]}{number}", f"{number} {_SIGNS[currency]}"]
    return [phrase, *others]
