"""Pairs said again in other ways, which change nothing of what they say: a verdict must not depend on them. Pure.

The third person is made only where that is clean, by small rules that know when they do not: `third_person` says when.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final
from zlib import crc32

from bench.labelled import SPEAKER, Pair
from bench.rewording_words import ADVERBS, BASE, KIN, MODALS, PAST, REMARKS
from graph.timelines.said import Verdict


class Way(StrEnum):
    """How a pair is said again."""

    USER = "User …"
    THE_USER = "The user …"
    NAME = "the subject's name"
    SAID = "User said: …"
    GREETING = "after a greeting"
    THANKS = "with thanks behind it"
    LONG = "behind 1,200 characters of other text"
    CAPITALS = "in capitals"


NAMES: Final[Mapping[str, str]] = {"en": "Ann", "zh": "林娜"}
"""Who the subject is, where a pair is said again by name."""

LONG: Final = 1_200

_WHO: Final[Mapping[Way, Mapping[str, str]]] = {
    Way.USER: {"en": "User", "zh": "用户"},
    Way.THE_USER: {"en": "The user", "zh": "该用户"},
    Way.NAME: NAMES,
}


def reword(pair: Pair, way: Way) -> Pair | None:
    """Return the pair said again in a way, the same verdict expected; None where that cannot be done cleanly.

    In the third person both statements are said again (an old one without a first person stays as it is), else the
    new one. Small talk is small talk as a whole text only, so that it is said again in capitals alone.
    """
    if pair.expected is Verdict.SKIPPED_EPHEMERAL and way is not Way.CAPITALS:
        return None
    if way in _WHO:
        return _in_third_person(pair, way)
    text = _ALIKE[way](pair.new.text, pair.lang)
    return pair.saying(text) if text is not None and text != pair.new.text else None


def _in_third_person(pair: Pair, way: Way) -> Pair | None:
    if any(one.subject not in (None, one.speaker) for one in (pair.old, pair.new)):
        return None  # "I" is not whom it is about
    if pair.old.speaker != pair.new.speaker:
        return None
    who = _WHO[way][pair.lang]
    if way is Way.NAME and pair.new.speaker != SPEAKER:
        who = pair.new.speaker
    new = third_person(pair.new.text, pair.lang, who)
    old = third_person(pair.old.text, pair.lang, who)
    if old is None and not has_first_person(pair.old.text, pair.lang):
        old = pair.old.text
    if old is None or new is None:
        return None
    reworded = pair.saying(new, old=old)
    if way is Way.NAME and pair.lang == "zh" and pair.new.speaker == SPEAKER:
        old_one, new_one = (replace(one, speaker=who) for one in (reworded.old, reworded.new))
        reworded = replace(reworded, old=old_one, new=new_one)
    return reworded


def has_first_person(text: str, lang: str) -> bool:
    """Tell whether somebody speaks of themselves in a text."""
    return bool((_FIRST_ZH if lang == "zh" else _FIRST_EN).search(text))


def third_person(text: str, lang: str, who: str) -> str | None:
    """Return a text in the first person with `who` for its speaker; None where that is not clean.

    In English `who` stands for the first "I", "my" or "me", "they" for the others; the first verb takes its -s. Clean
    is a text whose first person comes within its first five words and first clause, before a verb that is known; nobody
    is quoted, it asks nothing of the speaker, speaks of no "we", and no second verb of the first clause would need its
    -s. A text that begins with a past tense ("Switched to Zed") has lost its "I", and `who` stands in front of it.

    In Chinese `who` stands for the first 我, 他 for the others. Clean is a text with 我 in its first clause that has
    no 我们 (we), 咱 or 自我, quotes nobody and asks nothing.
    """
    return _third_zh(text, who) if lang == "zh" else _third_en(text, who)


# English

_FIRST_EN: Final = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves|[Ll]et's)\b")
_NOT_CLEAN_EN: Final = re.compile(
    r"[\"“”«»]|(?<!\w)'|\b(?:[Ww]e|us|[Oo]urs|[Oo]urselves|[Ll]et's|I'd|User|[Uu]sers?)\b"
)
_BEFORE: Final = re.compile(r"(?:[^\s,;:.!?()—–]+ ){0,4}")
_ASKS: Final = re.compile(
    r"\b(?:do|did|am|was|have|had|are|can|could|should|shall|will|would|may|might)(?:n't)? I\b", re.IGNORECASE
)
_ADVERB: Final = "|".join(sorted(ADVERBS, key=len, reverse=True))
_I: Final = re.compile(rf"I(?P<short>'m|'ve|'ll)?(?P<adverbs>(?: (?:{_ADVERB}))*) (?P<verb>[A-Za-z]+(?:'t)?)")
_SECOND: Final = re.compile(r"[^,.;:!?]*? (?:and|or|but) (?:(?:also|still|now|just|never) )?([a-z']+)\b")
_IS: Final = {"'m": " is", "'ve": " has", "'ll": " will"}
_AGREES: Final = {
    "am": "is", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "was": "was", "wasn't": "wasn't",
    "did": "did", "didn't": "didn't", "had": "had", "hadn't": "hadn't",
}  # fmt: skip
_LATER: Final = (
    (r"\bI'm\b", "they're"), (r"\bI am\b", "they are"), (r"\bI was\b", "they were"), (r"\bI wasn't\b", "they weren't"),
    (r"\bI've\b", "they've"), (r"\bI'll\b", "they'll"), (r"\bI\b", "they"), (r"\b[Mm]y\b", "their"),
    (r"\b[Oo]ur\b", "their"), (r"\b[Mm]e\b", "them"), (r"\b[Mm]ine\b", "theirs"), (r"\b[Mm]yself\b", "themselves"),
)  # fmt: skip


# One return for each reason.
def _third_en(  # noqa: PLR0911
    text: str, who: str
) -> str | None:
    text = text.replace("’", "'")
    if _NOT_CLEAN_EN.search(text) or _ASKS.search(text):
        return None
    opening = re.match(r"([A-Za-z]+)\b", text)
    if opening and opening[1].lower() in PAST and "?" not in text and not text.startswith(("I ", "I'")):
        rest = text[opening.end() :]
        return f"{who} {opening[1].lower()}{_others(rest)}"
    first = _FIRST_EN.search(text)
    if first is None or not _BEFORE.fullmatch(text[: first.start()]):
        return None
    if opening and first.start() and (opening[1].lower() in BASE or opening[1].lower() in _AGREES):
        return None  # "Have moved my …": its own subject is left out
    before = text[: first.start()]
    name = who if not before or not who.startswith("The ") else f"the {who[4:]}"
    if first[0] == "I":
        return _with_verb(text, first.start(), name)
    if first[0].lower() in ("my", "our"):
        return f"{before}{name}'s{_others(text[first.end() :])}"
    if first[0] == "me" and before:
        return f"{before}{name}{_others(text[first.end() :])}"
    return None


def _with_verb(text: str, start: int, name: str) -> str | None:
    found = _I.match(text, start)
    if found is None:
        return None
    verb, rest = found["verb"], text[found.end() :]
    if found["short"]:
        head = f"{name}{_IS[found['short']]}{found['adverbs']} {verb}"
        agrees = found["short"] != "'ll"
    elif (said := _agreeing(verb)) is not None:
        head = f"{name}{found['adverbs']} {said}"
        agrees = said != verb
    else:
        return None
    second = _SECOND.match(rest)
    if agrees and second and (second[1] in BASE or second[1] in ("am", "have", "do", "don't", "haven't")):
        return None
    return f"{text[:start]}{head}{_others(rest)}"


def _agreeing(verb: str) -> str | None:
    """Return a verb as it stands after a name, None where the verb is not known."""
    if verb in _AGREES:
        return _AGREES[verb]
    if verb in MODALS or verb in PAST:
        return verb
    if verb not in BASE:
        return None
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def _others(rest: str) -> str:
    """Return the rest of a text with "they" for the speaker, who has been named."""
    for pattern, said in _LATER:
        rest = re.sub(pattern, said, rest)
    return re.sub(r"([.!?]\s+)(they|their)\b", lambda begins: begins[1] + begins[2].capitalize(), rest)


# Chinese

_FIRST_ZH: Final = re.compile("[我咱俺]")
_NOT_CLEAN_ZH: Final = re.compile(
    '[“”"「」『』《]|我[们們俩司方国校院厂店行这那]|咱|俺|自我|用户|[吗？?]|让我|请我|[你您]'
)
_KIN: Final = re.compile(rf"我(?={'|'.join(KIN)})")


def _third_zh(text: str, who: str) -> str | None:
    start = text.find("我")
    if start < 0 or _NOT_CLEAN_ZH.search(text) or re.search("[，,。；：！!~～…—\n]", text[:start]):
        return None
    said = _KIN.sub("我的", text)
    start = said.find("我")
    return said[:start] + who + said[start + 1 :].replace("我", "他")


# Ways in which the words themselves stay


def _said(text: str, lang: str) -> str | None:
    if re.search('["“”「」『』]', text):
        return None
    return f"用户说：“{text}”" if lang == "zh" else f'User said: "{text}"'


def _greeted(text: str, lang: str) -> str:
    return f"你好！{text}" if lang == "zh" else f"Hi there! {text}"


def _thanked(text: str, lang: str) -> str:
    open_end = re.search(r"[\w)）”\"'’%+#]$", text) is not None
    if lang == "zh":
        return f"{text}{'。' if open_end else ''}谢谢！"
    return f"{text}{'.' if open_end else ''} Thanks!"


def _behind_others(text: str, lang: str) -> str:
    """Put paragraphs about nobody in front of a text; with which one they begin depends on the text."""
    paragraphs = REMARKS[lang]
    begin = crc32(text.encode()) % len(paragraphs)
    told: list[str] = []
    while sum(map(len, told)) < LONG:
        told.append(paragraphs[(begin + len(told)) % len(paragraphs)])
    return "\n\n".join([*told, text])


def _in_capitals(text: str, _: str) -> str | None:
    loud = text.upper()
    return loud if len(loud) == len(text) else None


_ALIKE: Final[Mapping[Way, Callable[[str, str], str | None]]] = {
    Way.SAID: _said,
    Way.GREETING: _greeted,
    Way.THANKS: _thanked,
    Way.LONG: _behind_others,
    Way.CAPITALS: _in_capitals,
}
