"""Of whom and of what a clause speaks: of the one whose memory it is, of another person, of another thing. Pure."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from graph.arbitration.clauses import Clause, is_han, mentions_any, stands_in
from graph.arbitration.lexicon import Cue, Kind, agents, plain, slight
from graph.arbitration.values import tokens

SPEAKER: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|my|our|me|us|mine|ours)\b|我|咱|俺|本人|自己")
"""Words by which those who speak name themselves."""

_REPORTS: Final = re.compile(
    r"\b(?:says?|said|claim(?:s|ed)?|argue[sd]?|reckons?|reckoned|suggests?|recommends?|advertis(?:es|ed)|promises?|shows?)\b"
)
_RELATIVE: Final = re.compile(
    r"([\w’-]+) (?:that|which|who)(?: (?:has|have|had|was|were|is|are|just|recently|finally)){0,3} $"
)
_SUBCLAUSE: Final = re.compile(
    r"^.*(?:\b(?:so|and then|therefore|hence)\b|以后|之后|过后|(?<=[了完束业职休婚产术院])后|[聊谈说看问商]完|的时候)",
    re.DOTALL,
)
_SUBJECTLESS: Final = re.compile(
    r"^\s*(?:(?:and|finally|just|so|then) )*(?:\w+ed|got|took|made|put|let|went|bought|sold|gave|left|had|been|gone)\b"
    r"|\b(?:it|they|he|she|everything|all)(?:’s|’ve| is| was| has| have)?(?: been| got| now| just| all)*\s*$"
    r"|\b(?:and|so|but|then)\s*$"
)
_MAKES: Final = re.compile(r"(?:给|让|帮|叫|把|被|替)\s*$")
_THING: Final = re.compile(r"\b(?:the|our|my|its|from|of|than|not|over|this|off)(?: new| old| whole)? ([\w’-]+)")
_OWNS: Final = re.compile(
    r"的(?=[\u4e00-\u9fff])|(?:’s|s’) (?!been|now|got|gone|no|not|just|finally|out|over|a |the )(?=\w)"
)
OWNER: Final = re.compile(
    r"\b(?!(?:it|he|she|that|what|there|here|who|let|how|where|when|tomorrow|time|week|month|year|quarter|company|\w+day)’)"
    r"([\w-]+)’s "
    r"(?!been|now|got|gone|no\b|not\b|just|a\b|the\b|\w+ed\b)"
)
"""Names to whom something belongs: "Dave’s desk"."""

_AT_ITS_END: Final = re.compile(r"[\w-]+(?: [\w-]+)?(?: (?:is|was|has|are|now|been|just))*\s*")
_SUBJECT_NP: Final = re.compile(
    r"\W*([\u4e00-\u9fff][\w .+-]{1,14}?)"
    r"(?=[把被不没停换改搬退卖关扔丢从由已都也又就才刚今昨在去来给用变升降减转迁放进切]|上周|上个)"
)
_OWNER_SIGNS: Final = 2  # words or Han signs of an owner that must be known
_OPENING: Final = re.compile(
    r"\W*(?:while|during|unlike|whenever|if|(?:for|at|on|in) (?:the|my|our)|at|over) "
    r"([\w’ -]{2,60}?)(?: |, )(?:i|we|they|it|he|she|they’ve|we’ve|i’ve)\b"
)
_ORGANISATION: Final = re.compile(
    r"\W*(?:my|our|the) (company|office|school|gym|bank|club|church|store|shop|clinic)(?: has| have| just| finally)* $"
)
_TO_US: Final = re.compile(r"\b(?:me|us|everyone|everything)\b")
_GOT: Final = re.compile(r"(?:has|got|’s got|have)\b")
_ACTOR: Final = re.compile(
    r"\b(?:my|our|the|his|her|their|this|that|some) (?:[\w-]+ ){0,2}?(?!(?:is|are|was|were|been|being|be|gets?|got) )"
    r"([\w-]+)(?: has| have| had| just| finally| recently| also|’s)* $"
)
_ACTS: Final = re.compile(
    r"(?:switched|converted|defected|quit|left|joined|upgraded|stopped|gave up|swapped|ditched|dropped|traded|bought)\b"
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
GENERIC: Final = frozenset("user team project company work people new one the 我们 公司".split())
"""Words that tell nothing of what a statement is about, though a key or a memory names them."""

_OF_GRAMMAR: Final = frozenset("的了着过地得我你他她它是在不也都就还又才再没有吧啊呢吗啦把被给和跟与到去来这那一个")
_TELLING_SIGNS: Final = 2


# One return for each way to be about another thing.
def other_thing(  # noqa: PLR0911
    clause: Clause, cue: Cue, about: frozenset[str], value: str, known: Sequence[str] = (), context: str = ""
) -> str | None:
    """Return the subject of wording of change, where nothing in its clause is what the statement is `about`.

    `about` holds the telling words of `context`, which is the key and what is known. What the speaker does, and what
    is done to them, is theirs; a clause without a subject is about what was spoken of before.
    """
    lead = clause.text[: cue.start - clause.start]
    telling = about - set(tokens(value)) - GENERIC
    relative = _RELATIVE.search(lead)
    if relative and not stands_in(relative[1], telling | set(tokens(value))):
        return relative[1]
    lead = _SUBCLAUSE.sub("", lead)
    if (cue.kind is not Kind.END and any(_owner(old, lead) for old in known)) or (
        not SPEAKER.search(lead) and contrasts(lead, context, value)
    ):
        return lead.strip()
    if _GOT.match(cue.words) and _has_a_new(clause.text, known):
        return lead.strip() or cue.words
    owned = OWNER.search(lead)
    for other in (
        owned if owned and _AT_ITS_END.fullmatch(lead[owned.end() :]) else None,
        _ACTOR.search(lead) if _ACTS.match(cue.words) else None,
    ):
        spoken = {*tokens(context), *tokens(value), *agents(), *GENERIC}
        if other and not stands_in(other[1], spoken):
            return other[1]
    if other_one := (
        _part(lead, context)
        or _narrow_opening(lead, context)
        or _organisation(clause, lead, context)
        or stranger(clause, context, value, known)
    ):
        return other_one
    rest = clause.text[cue.start - clause.start :]
    if SPEAKER.search(clause.text) or _speaks_of(lead, telling, value) or _names(rest, telling, value):
        return None
    if (value and value in lead) or _SUBJECTLESS.search(lead):
        return None
    if _MAKES.search(lead) or lead.strip().endswith(tuple(agents())):
        return None
    return lead.strip() if _says_something(lead, value) else None


def _part(lead: str, context: str) -> str | None:
    """Return what belongs to something known, where only that is spoken of: 宋 PLUS 的脚垫, "the wheel of the pram"."""
    whole, of, thing = lead.rpartition("的")
    known = plain(context)
    if of and (named := telling_words(thing)) and not any(word in known for word in named | set(tokens(thing))):
        owner = [word for word in tokens(whole)[-_OWNER_SIGNS:] if word in set(tokens(known))]
        if len(owner) == min(_OWNER_SIGNS, len(tokens(whole))) and owner:
            return thing.strip()
    return None


def stranger(clause: Clause, context: str, value: str, values: Sequence[str]) -> str | None:
    """Return the subject with which a Chinese clause begins, where nothing known is called so: 店里的 wifi, 财务室."""
    subject = _SUBJECT_NP.match(clause.text)
    if subject is None or SPEAKER.search(clause.text):
        return None
    named = _SUBCLAUSE.sub("", subject[1]).strip()
    known = set(tokens(plain(context))) | set(tokens(value))
    whose, of, thing = named.rpartition("的")
    of_known = of and set(tokens(thing)) <= known
    words = tokens(slight().sub(" ", whose if of_known else named))
    strange = sum(0.5 if is_han(word) else 1.0 for word in words if word not in known)
    shares = not of_known and bool(
        telling_words(named) & telling_words(plain(context)) or mentions_any(clause.text, values)
    )
    brings = any(agent in named for agent in agents() if is_han(agent))
    return named if strange >= 1 and not shares and not brings else None


def _organisation(clause: Clause, lead: str, context: str) -> str | None:
    """Return the organisation that moves by itself: "my company moved to Bergen", of where one lives."""
    acts = _ORGANISATION.match(lead)
    known = acts is None or stands_in(acts[1], tokens(context)) or _TO_US.search(clause.text) is not None
    return None if acts is None or known else acts.group().strip()


def _narrow_opening(lead: str, context: str) -> str | None:
    """Return the words with which a clause begins, where they say in which other case or place it holds."""
    opening = _OPENING.match(lead)
    if opening is None:
        return None
    told = [word for word in tokens(slight().sub(" ", opening[1])) if not stands_in(word, tokens(plain(context)))]
    return opening.group().strip() if told else None


def _has_a_new(text: str, known: Sequence[str]) -> bool:
    """Tell whether what is known has got something itself: "Priya has a new manager", of the manager Priya Raman."""
    return any(
        (words := tokens(old))
        and re.match(rf"\W*{re.escape(words[0])} (?:has|got|’s got) (?:a|an|the|some|new) ", text)
        for old in known
    )


def reported_by(clause: Clause, about: frozenset[str], value: str) -> str | None:
    """Return who says it, where that is neither the speaker nor known and tells nothing of them: "the docs say"."""
    match = _REPORTS.search(clause.text)
    if match is None or SPEAKER.search(clause.text) or value in clause.text[: match.start()]:
        return None
    said = clause.text[match.end() :]
    return match.group() if value in said and not _speaks_of(said, about - set(tokens(value)), value) else None


def strays(text: str, about: frozenset[str], value: str) -> bool:
    """Tell whether a text that gives a value names nothing that is known, nor the speaker, but something else."""
    telling = about - set(tokens(value)) - GENERIC
    signs = {sign for word in telling if is_han(word) for sign in word}
    shared = signs & set(tokens(slight().sub(" ", text.replace(value, " "))))
    return not (SPEAKER.search(text) or shared or _speaks_of(text, telling, value)) and _says_something(text, value)


def _says_something(text: str, value: str) -> bool:
    left = [word for word in tokens(slight().sub(" ", text)) if not stands_in(word, tokens(value))]
    signs = [word for word in left if is_han(word)]
    return len(left) > len(signs) or len(signs) >= _TELLING_SIGNS


def _names(text: str, about: Iterable[str], value: str) -> bool:
    """Tell whether a text names what is known as a thing: "slashed the budget", and not "closes at eight"."""
    if _HAN.search(text):
        return _speaks_of(text, about, value)
    return any(stands_in(match[1], about) for match in _THING.finditer(text))


def contrasts(lead: str, context: str, value: str) -> bool:
    """Tell whether a subject differs from a known one in what stands before the same noun: "film club", "book club"."""
    known = [tokens(part) for line in context.splitlines() for part in slight().split(line) if part]
    for part in slight().split(lead):
        words = tokens(part or "")
        for line in known:
            ends = [at for at, word in enumerate(line) if words and word == words[-1]]
            for at in ends:
                back = 0
                while back < min(at, len(words) - 1) and line[at - back] == words[-1 - back]:
                    back += 1
                mine, theirs = words[-1 - back], line[at - back]
                if theirs in GENERIC:
                    continue
                told = is_han(mine) == is_han(theirs) and back >= (_TELLING_SIGNS if is_han(mine) else 1)
                if told and mine != theirs and not any(mine in other for other in known) and mine not in tokens(value):
                    return True
    return False


def _owner(known: str, lead: str) -> bool:
    """Tell whether a clause is about what belongs to the known value: "Tariq's manager", and not Tariq."""
    at = lead.find(known) if known else -1
    return at >= 0 and bool(_OWNS.match(lead, at + len(known)))


def telling_words(text: str) -> frozenset[str]:
    """Return the words by which a plain text is known to speak of something; of Han signs, each two side by side."""
    kept = slight().sub(lambda match: " " if len(match[0]) > 1 or match[0] in _OF_GRAMMAR else match[0], text)
    words = tokens(kept)
    pairs = {one + two for one, two in pairwise(words) if is_han(one) and is_han(two)}
    return frozenset(pairs | {word for word in words if not is_han(word)})


def _speaks_of(text: str, about: Iterable[str], value: str) -> bool:
    mine = telling_words(text.replace(value, " ") if value else text)
    return any(stands_in(word, about) for word in mine)
