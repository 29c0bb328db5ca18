"""How two statements without a key relate: do they speak of the same thing, and does one say more? Pure.

Only clear cases are told; everything else is `Relation.APART`, which changes nothing.
"""

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from graph.arbitration.clauses import Clause, split
from graph.arbitration.contents import EMPTY_SIGNS, Content, content
from graph.arbitration.ends import ends_more, has_successor
from graph.arbitration.lexicon import Cue, Kind, cues, plain, without_interjection
from graph.arbitration.moods import Mood
from graph.arbitration.neighbours import clause_of, is_neighbour, narrowed, of_a_state, one_of_several, owned_by_another
from graph.arbitration.themes import same_subject
from graph.arbitration.values import figures, tokens
from graph.arbitration.wording import Reading


class Relation(StrEnum):
    """How a new statement stands to a known one."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    REPLACES = "replaces"
    ENDS = "ends"
    CONTRADICTS = "contradicts"
    APART = "apart"


_OF_SPEAKER: Final = frozenset(
    ("i", "we", "i’m", "i’ve", "we’re", "we’ve", "i'm", "i've", "we're", "we've", "me", "us", "我", "咱")
)
_BREAKS_OFF: Final = frozenset(("and", "but", "or", "is", "are", "was", "were", "the", "的", "也", "和", "时"))
_ONE_MORE: Final = re.compile(r"(?:and|or|plus) |[和跟与及还时]|的 (?:时|那|人|日|期)")
_WAS: Final = frozenset(("was", "were"))
_LIGHT: Final = frozenset("受过每拿做上到成为该其呢着者") | {"on", "right", "indeed", "simply"}
_FEW: Final = 2
_LONGEST_NAME: Final = 3
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NO_NOUN: Final = re.compile(
    r"(?:name|called|named|now|been|gone|got|a|an|the|not|no|still|just|in|at|on|\w+ing|\w+ed|done|over|back)$|$"
)
_SETTLED: Final = re.compile(
    r"\b(?:is|are|was|were|am|called|named|lives?|born|ends?|starts?|begins|closes|opens|leaves|arrives|expires)\b|’(?:s|m|re)\b|=|:|是|：|为|叫|在|姓|住|属"
)
_NAME: Final = re.compile(
    r"(?!(?:The|My|Our|We|It|This|His|Her|Their|In|On|At|An?) )[A-Z][\w’'-]+(?= )"
    r"|[小老阿][\u4e00-\u9fff]|(?:我们)?(?:公司|学校|单位|医院|工厂)"
)
_BEGINNING: Final = 4  # characters before a person with whom a text begins
_IS: Final = re.compile(r"\b(?:is|are)\b|’s\b|是|叫|当|做")
_CONTRACTIONS: Final = (("’m ", " am "), ("’re ", " are "), ("’ve ", " have "), ("’ll ", " will "), ("n’t ", " not "))
_NUMBER: Final = re.compile(r"\d")
_LISTS: Final = re.compile(r"[和与跟及] (?:\S+ ){1,12}都")  # 拼多多和抖音都


# One return for each relation, in their order.
def relate(old: str, new: str, reading: Reading) -> tuple[Relation, Cue | None]:  # noqa: PLR0911
    """Tell how a new statement, read as `reading`, stands to a known one, and the wording that says so."""
    old, new = without_interjection(old), without_interjection(new)
    before, after = content(old), content(new)
    left, right = _words(old), _words(new)
    if owned_by_another(plain(old), plain(new)):
        return Relation.APART, None
    if "".join(left) == "".join(right):  # "stand-up", "standup"
        right = left
    if right[: len(left)] == left and _goes_on(right[len(left) :], reading):
        more = set(after.words) - set(before.words) if right != left else set()
        more = set() if reading.still and len(more) <= _FEW else more
        return (Relation.MORE if more else Relation.SAME), None
    if reading.mood is not Mood.ASSERTION or reading.other or reading.uncertain or _possessed(left, right):
        return Relation.APART, reading.mood_cue or reading.uncertain
    if _says_the_same(new, reading, before, after, (left, right)):
        return Relation.SAME, reading.still or reading.reverted or reading.denied
    found = _replaced_or_ended(old, new, reading, before, after)
    if found is not None:
        return found
    if reading.addition or reading.change or reading.end or reading.denied:
        return Relation.APART, reading.addition
    return _compared(before, after, left, right), None


def _goes_on(rest: Sequence[str], reading: Reading) -> bool:
    """Tell whether a text that begins with what is known only says more of it, or nothing more."""
    if reading.mood is Mood.QUESTION or reading.change or reading.end or reading.addition:
        return False
    return not rest or (rest[0] not in _BREAKS_OFF and not (_WAS & set(rest)))


def _compared(before: Content, after: Content, left: Sequence[str], right: Sequence[str]) -> Relation:
    """Compare two texts without wording of change by their words."""
    known, told = set(before.words), set(after.words)
    if not known or not told or before.denies != after.denies:
        return Relation.APART
    # A Han sign said twice may be part of two words (仓库在太仓).
    twice = any(_HAN.match(word) for word in Counter(after.words) - Counter(before.words))
    if told == known and figures(left) != figures(right):
        return Relation.CONTRADICTS if sorted(left) == sorted(right) else Relation.APART
    if told <= known and not twice:
        return Relation.SAME if told == known else Relation.LESS
    if known < told and len(left) < len(right):
        if not _tells_more(told - known):
            return Relation.SAME
        return Relation.MORE if _says_it_too(left, right, before, after) else Relation.APART
    return Relation.CONTRADICTS if _one_value_differs(left, right, before, after) else Relation.APART


def _tells_more(more: set[str]) -> bool:
    """Tell whether words that are new say something, beside signs of grammar."""
    return bool(more - _LIGHT)


def _says_the_same(
    new: str, reading: Reading, before: Content, after: Content, words: tuple[Sequence[str], Sequence[str]]
) -> bool:
    """Tell whether a text says again all that is known, besides what it may say of no change."""
    left, right = words
    known, told = set(before.words), set(after.words)
    kept = reading.still or reading.reverted or reading.denied
    if kept and told == known and before.denies == after.denies:
        return True
    if not known or not any(_restates(clause, before, exactly=kept is None) for clause in split(plain(new))):
        return False
    enough = reading.still or reading.reverted or (reading.denied and len(known) > 1)
    return bool(enough and not (_WAS & set(right)) - set(left)) or (told <= known and figures(left) == figures(right))


def _words(text: str) -> tuple[str, ...]:
    whole = plain(text).replace("-", " ")
    for short, long in _CONTRACTIONS:
        whole = whole.replace(short, long)
    return tokens(whole)


def _shared(before: Content, after: Content) -> set[str]:
    shared = set(before.words) & set(after.words)
    if all(word[0].isdigit() for word in shared):
        return set()
    if before.words[:1] == after.words[:1]:
        return shared
    lone = len(shared) == 1 and bool(_HAN.match(next(iter(shared))))
    # One Han sign is hardly a word.
    return set() if lone and len(set(before.words)) > _FEW and not before.topics & after.topics else shared


def _restates(clause: Clause, before: Content, *, exactly: bool) -> bool:
    """Tell whether a clause says all that is known, denied or not as it is, without wording of an end."""
    inside = content(clause.text)
    said = set(inside.words)
    enough = said == set(before.words) if exactly else said >= set(before.words)
    return enough and inside.denies == before.denies and not clause.has(Kind.END)


def _says_it_too(left: Sequence[str], right: Sequence[str], before: Content, after: Content) -> bool:
    """Tell whether a longer text still says it of the same one, and of the same time."""
    speaks = bool(_OF_SPEAKER & set(left))
    rest = iter(after.words)
    in_order = all(word in rest for word in before.words) and not _LISTS.search(" ".join(right))
    if right[: len(left)] == left and _ONE_MORE.match(" ".join((*right[len(left) :], ""))):
        return False
    return in_order and (not speaks or bool(_OF_SPEAKER & set(right))) and not (_WAS & set(right)) - set(left)


def _possessed(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether the new text is about what belongs to the subject of the old: "Rosa's parents" and not Rosa."""
    for length in range(1, _LONGEST_NAME + 1):
        name = left[:length]
        after = right[length : length + 1]
        if right[:length] == name and after == ("的",) and name[-1] not in EMPTY_SIGNS:
            owned = right[length + 1 : length + 2]
            return not set(owned) <= {*left, *EMPTY_SIGNS}
    first = right[0] if right and not _NO_NOUN.match(" ".join(right[1:2])) else ""
    return first.endswith(("'s", "’s")) and left[:1] == (first[:-2],) and right[1] not in left


def _replaced_or_ended(
    old: str, new: str, reading: Reading, before: Content, after: Content
) -> tuple[Relation, Cue | None] | None:
    """Tell what wording of change or of an end does to the known statement, where it speaks of the same."""
    shared = _shared(before, after)
    known = set(before.words)
    same_topic = bool(before.topics & after.topics)
    if not reading.news or reading.addition or not (shared or same_topic):
        return None
    if not same_topic and _only_the_person(old, new, shared):
        return None
    about = [
        one
        for one in reading.news
        if not _does_itself(one, old, new, shared)
        and same_subject(one, old, new, known, strict=not shared)
        and not is_neighbour(old, new, one)
        and not _taken_back(one, new, reading)
    ]
    over = [one for one in about if one.kind is Kind.END and not has_successor(one, old, new, known)]
    if over and not any(one.kind is not Kind.END for one in about):
        return next(((Relation.ENDS, one) for one in over if shared and _ends(one, old, new, known)), None)
    says_more = Counter(after.words) - Counter(before.words)
    if not about or not (says_more or (before.denies and not after.denies)):
        return None
    return Relation.REPLACES, next((one for one in about if one.kind is not Kind.END), about[0])


def _does_itself(cue: Cue, old: str, new: str, shared: set[str]) -> bool:
    """Tell whether the known value does something of its own: "Deshawn swapped shirts", of the captain Deshawn."""
    copula = _IS.search(plain(old))
    clause = clause_of(plain(new), cue)
    thing, value = (plain(old)[: copula.start()], plain(old)[copula.end() :]) if copula else ("", "")
    if copula is None or cue.kind is Kind.END or clause is None or shared & set(content(thing).words):
        return False
    lead = content(clause.text[: cue.start - clause.start]).words
    return bool(lead) and set(lead) <= set(content(value).words)


def _ends(cue: Cue, old: str, new: str, known: set[str]) -> bool:
    """Tell whether wording of an end is about all of what is known, and for good."""
    return not (
        ends_more(cue, new, known) or narrowed(old, new, cue) or of_a_state(old, new) or one_of_several(old, new)
    )


def _taken_back(cue: Cue, new: str, reading: Reading) -> bool:
    """Tell whether a text takes wording back: it is denied in its clause, or undone after it, or the rest stays."""
    clause = clause_of(plain(new), cue)
    denied = reading.denied is not None and clause is not None and clause.start <= reading.denied.start < clause.end
    reverted = reading.reverted is not None and reading.reverted.end > cue.start  # "cancelled, then re-subscribed"
    stays = cue.kind is Kind.END and not reading.change and reading.rest is not None and reading.rest.start >= cue.end
    return denied or reverted or stays


def _only_the_person(old: str, new: str, shared: set[str]) -> bool:
    """Tell whether two texts share no more than the person whom they are about, and do not both say what that is."""
    person = _person(old)
    if not person or person != _person(new) or not shared <= set(content(person).words):
        return False
    return not (_IS.search(plain(old)) and _IS.search(plain(new)))


def _person(text: str) -> str:
    """Return the person with whom a text begins; empty where it begins otherwise."""
    named = _NAME.match(text)
    if named:
        return named.group()
    whole = plain(text)
    people = [cue for cue in cues(whole) if cue.kind is Kind.PEOPLE and cue.start <= _BEGINNING]
    return people[0].words if people else ""


def _one_value_differs(left: Sequence[str], right: Sequence[str], before: Content, after: Content) -> bool:
    """Tell whether two texts say one thing in the same words but for one stretch, in a form that gives one value."""
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    stop = 0
    while stop < min(len(left), len(right)) - start and left[-1 - stop] == right[-1 - stop]:
        stop += 1
    spans = left[start : len(left) - stop], right[start : len(right) - stop]
    kept = start + stop
    return (
        all(spans)
        and max(map(len, spans)) <= max(4, kept)
        and bool(set(before.words) & set(after.words))
        and bool(_SETTLED.search(" ".join(right[:start])) or all(_NUMBER.search(" ".join(span)) for span in spans))
    )
