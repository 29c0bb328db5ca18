"""Is a new statement, without a key, about a neighbour of what is known rather than about the same thing? Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from graph.arbitration.clauses import Clause, is_han, split, stands_in
from graph.arbitration.contents import content
from graph.arbitration.lexicon import Cue, Kind, holders, parts, plain, sorts, states
from graph.arbitration.subjects import contrasts
from graph.arbitration.values import tokens

DOINGS: Final = frozenset(
    "use have do like take play drink eat read watch write run go get buy keep want need make see work live pay "
    "用 吃 喝 玩 看 写 读 做 去 买 坐 开 养 学 听 骑 练".split()
)
"""What is done with many things: sharing no more than this, two statements do not speak of the same."""

_STEM: Final = 6  # signs of a word that its forms share
_OWNED: Final = re.compile(r"\b(my|our|your|his|her|their) ([\w-]+)")
_PREPOSITION: Final = re.compile(r"\b(?:for|of|on|in|at|from|with|by|near|to)\b|[从由把将]")
_SHORT: Final = 3  # letters of words of grammar
_SEVERAL: Final = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]) (?:[\w-]+ )?([\w-]{3,})s\b")
_NUMBER: Final = re.compile(r"\d+")
_NUMBERED: Final = re.compile(r"(\d+) ?(?:路|号线|号楼|栋|单元|班|组)")
_PART: Final = re.compile(
    r"\b(?:replaced|changed|fixed|repainted|cleaned|sold|lost) (?:the|my|our|its|a) [\w-]+ (?:of|on|for|from) "
    r"(?:the|my|our|its) "
)
_SUBJECT: Final = re.compile(
    r"^\W*(?:and |so |but |now )?(?:my|our|the) ([\w’ -]{2,40}?)"
    r"(?: (?:is|are|was|has|have|used to be)\b|’s (?!\w+ (?:is|are)\b))"
    r"|^\W*(?:我们?|咱们?)?(?:家|的)*([\u4e00-\u9fff]{2,12}?)(?:现在|如今|目前)?(?:已经)?(?:是|叫|换成|改成|变成)"
)
_NOUN_SIGNS: Final = 2


@cache
def holding_words() -> frozenset[str]:
    """Words for what one has of a thing, as `content` gives them: the lessons of the piano, an account at a bank."""
    return frozenset(content(" ".join(holders())).words)


def is_neighbour(old: str, new: str, cue: Cue) -> bool:
    """Tell whether wording of change or end is about another of the same sort: "my work phone", of a phone.

    Of what stands behind wording of change nothing is told: it is the new value.
    """
    before, after = plain(old), plain(new)
    clause = clause_of(after, cue)
    if clause is None:
        return False
    told = clause.text if cue.kind is Kind.END else clause.text[: cue.end - clause.start]
    return (
        owned_by_another(before, told)
        or _of_another_sort(before, told)
        or _of_another_attribute(before, after)
        or _of_another_number(before, told, cue)
        or _PART.search(clause.text) is not None
        or _of_a_part(before, clause.text)
        or (cue.kind is Kind.ONTO and contrasts(clause.text[: max(0, cue.start - clause.start)], before, ""))
    )


def narrowed(old: str, new: str, cue: Cue) -> Cue | None:
    """Return the wording that an end holds only in part, where that is not said of what is known: "after dinner"."""
    clause, before = clause_of(plain(new), cue), plain(old)
    if clause is None:
        return None
    known = tokens(before)
    return next((one for one in clause.cues if one.kind is Kind.NARROWS and not _is_known(one, before, known)), None)


def _is_known(cue: Cue, before: str, known: Sequence[str]) -> bool:
    """Tell whether what narrows an end is said of what is known as well: "on Fridays", of "every Friday"."""
    telling = [word for word in cue.words.split() if len(word) > _SHORT]
    return cue.words in before or bool(
        cue.words.isascii() and telling and all(stands_in(word, known) for word in telling)
    )


def of_a_state(old: str, new: str) -> bool:
    """Tell whether what is known holds whatever its owner does, and the new text does not name it: an allergy."""
    before, after = plain(old), plain(new)
    return any(state in before and state[:_STEM] not in after for state in states())


def one_of_several(old: str, new: str) -> bool:
    """Tell whether several are known and the new text is of one: "I have two cats", "my old cat died"."""
    several = _SEVERAL.search(plain(old))
    return several is not None and re.search(rf"\b{re.escape(several[1])}\b", plain(new)) is not None


def clause_of(whole: str, cue: Cue) -> Clause | None:
    """Return the clause of a plain text in which wording stands."""
    return next((one for one in split(whole) if one.start <= cue.start < one.end), None)


def owned_by_another(before: str, told: str) -> bool:
    """Tell whether two plain texts speak of one thing as of different owners': "her dog", "his dog"."""
    mine = {thing: owner for owner, thing in _OWNED.findall(before)}
    return any(thing in mine and mine[thing] != owner for owner, thing in _OWNED.findall(told))


def _of_another_sort(before: str, told: str) -> bool:
    known = set(content(before).words)
    return any(
        sort not in before and (noun in before if is_han(noun) else bool(set(content(noun).words) & known))
        for sort, noun in _sorted_things(told)
    )


def _sorted_things(text: str) -> Iterable[tuple[str, str]]:
    """Yield the words that tell one of several from the others, each with what it stands before."""
    for match in sorts().finditer(text):
        rest = text[match.end() :].lstrip()
        noun = rest[:_NOUN_SIGNS] if is_han(rest) else rest.split(" ", 1)[0]
        if noun:
            yield match.group(), noun


def _of_a_part(before: str, told: str) -> bool:
    words = set(told.split())
    named = (part for part in parts() if (part in told if is_han(part) else part in words))
    return any(part not in before for part in named)


def _of_another_number(before: str, told: str, cue: Cue) -> bool:
    """Tell whether wording is about another number of the same sort: bus 23, of bus 9."""
    numbers = _NUMBER if cue.kind is Kind.END else _NUMBERED
    mine, theirs = set(_NUMBER.findall(before)), set(numbers.findall(told))
    return bool(mine and theirs) and not mine & theirs


def _of_another_attribute(before: str, after: str) -> bool:
    """Tell whether two texts give values of different things: "my favourite colour is", "my favourite food is"."""
    one, other = _SUBJECT.match(before), _SUBJECT.match(after)
    if one is None or other is None:
        return False
    mine, theirs = _noun(one), _noun(other)
    return bool(mine and theirs) and not (
        set(mine) & set(content(after).words) or set(theirs) & set(content(before).words)
    )


def _noun(subject: re.Match[str]) -> tuple[str, ...]:
    return content(_PREPOSITION.split(subject[2] or subject[1])[0]).words[-1:]
