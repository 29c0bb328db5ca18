"""What wording of change is about in a text without a key. Pure."""

import re
from typing import Final

from graph.arbitration.clauses import Clause, split
from graph.arbitration.contents import content
from graph.arbitration.lexicon import Cue, Kind, agents, cues, plain, slight
from graph.arbitration.neighbours import DOINGS, clause_of, holding_words
from graph.arbitration.subjects import OWNER

_SHORT: Final = 2
_LONG_CUE: Final = 4  # Han signs
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
SPEAKS: Final = re.compile(r"(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!的|家|们的|[哥弟姐妹爸妈])")
SPEAKER_NAMED: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|me|us|my|our)\b|我")
_SPEAKER_ACTS: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!的|家|们的)|咱")
_PASSIVE: Final = re.compile(
    r"(?:(?:went|gone|goes) (?:up|down)|rose|risen|fell|fallen|climbed|increased|doubled|halved|dropped to)\b"
    r"|(?:is|are|was|were|has been|have been|been|got|gets?|isn’t|aren’t|has|have|now|any ?more)\b"
)
_COPULA: Final = re.compile(r"\b(?:is|are)\b|’s\b")
_DOING: Final = re.compile(r"\s*(?:and )?(\w+ing)\b")
_HAS_OBJECT: Final = re.compile(r"replac|swap|trad|ditch|drop|renam|switch(?:ed|ing)$|chang(?:ed|ing)$")
_IS_DONE: Final = re.compile(r"\b(?:is|are|was|were|been|being|got|gets)\s*$|被$")
_OWN_SUBJECT: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|so|and|then)\b|我(?!的|家)|(?<=[以之过])后|后(?=我)")
_PREPOSITION: Final = re.compile(r"\b(?:for|of|on|in|at|from|with|by|near|to)\b")
_HANDLES: Final = re.compile(r"[把从由给将]|\b(?:i|we|i’m|i’ve|we’re|we’ve)\b")
_TAKES: Final = re.compile(r"换(?![成为到去作掉给])|換(?![成為到去作掉給])")
_GETS: Final = re.compile(r"(?:has|have|had|got|gets|bought|hired|found|took) (?:a|an|the|some|new)\b")
_GIVEN_UP: Final = re.compile(
    r"[从由把将](.{1,12}?)(?:全部?|都|统一|整体|逐步|正式|彻底|一起)?(?:换|改|迁|转|搬|升|调)"
    r"|\b(?:instead of|rather than|replac(?:ed|es|ing)|from) ((?:[\w’.&-]+ ?){1,5})"
)
_WHOSE: Final = re.compile(r"我?的?|(?:my|our) ")
_GROUPS: Final = ("quartet", "choir", "crew", "squad", "team", "宿舍", "班里", "球队", "车队")  # of people
_TOWARDS: Final = re.compile(r"[给跟和对向陪为]$|\b(?:for|with|to) (?:the |my |our |a )?$")
_TRANSITIVE: Final = re.compile(
    r"(?:sold|swapped|replaced|changed|dropped|ditched|binned|donated|lost|fixed|returned)$"
)
_ITS_OBJECT: Final = re.compile(r" (?:the|my|our|a|an|her|his|their|some) ([\w-]+(?: [\w-]+)?)")
_TOPIC: Final = re.compile(r"\W*([\u4e00-\u9fff]{2,14})(?<![后时前])我(?:也|都|已经|就|早)?$")
_LAST_OWNED: Final = re.compile(r".*\b((?:my|our) .*)$", re.DOTALL)
_FITTED: Final = re.compile(r"给(?!我)[^，。]{1,8}(?:换|装|配|加|买|贴)了?(?:一)?(?:个|张|块|条|副|套|层|对|只)")
_THING: Final = re.compile(r" (?:a|an|the) ((?:[\w’-]+ ?){1,3})")
_DONE_TO: Final = re.compile(r".?[换改停切退关卖戒取不没]")


# One return for each way to be about another thing.
def same_subject(cue: Cue, old: str, new: str, known: set[str], *, strict: bool) -> bool:  # noqa: PLR0911
    """Tell whether the clause of the wording is about what is known: "we moved to", and not "the film moved me".

    Strictly, nothing new stands before the wording or is moved by it; else what stands last before it is known. Where
    the speaker spoke of themselves, what they spoke of is not the one who acts ("Heineken replaced its head").
    """
    clause = clause_of(plain(new), cue)
    if clause is None or (_SPEAKER_ACTS.search(clause.text) and _of_another(old, new)) or _FITTED.search(clause.text):
        return False
    lead = _subject(clause.text[: cue.start - clause.start])
    rest = clause.text[cue.end - clause.start :]
    before = _head(lead, cue, known)
    inside = _named_between(cue.words)
    source = content(rest).words[:1] if cue.words.endswith("from") else ()
    if cue.kind is not Kind.END and _gives_up(clause.text, old, known):
        return True
    if not set(source) <= known or _of_another_owner(lead, known):
        return False
    if strict:
        first = set(content(slight().sub(" ", clause.text[: cue.start - clause.start])).words)
        return (
            first | set(before) | inside <= known
            and len(cue.words.split()) <= _SHORT
            and not _HAS_OBJECT.match(cue.words)
            and not _comes_to_a_thing(rest, old)
        )
    if cue.kind is Kind.END and not known & set(content(clause.text).words):
        return False
    if source or _now_of_speaker(cue, lead, old):
        return True
    return not (
        (inside and (not inside & known or _of_an_owner(cue, known)) and cue.kind is not Kind.END)
        or (before and (before[0] not in known if cue.kind is Kind.NOW else not set(before) <= known | holding_words()))
        or (before and _takes_another(cue, lead, rest))
        or _only_for(rest, old, known)
        or _done_to_another(cue, rest, known)
        or _topic_unknown(clause, cue, known)
        or (not before and _goes_on_from_another(cue, clause, new, known))
        or (before and _acts_itself(cue, clause, lead, old))
    )


def _head(lead: str, cue: Cue, known: set[str]) -> tuple[str, ...]:
    """Return the telling words of the subject before wording of change; none where it only brings the change about."""
    if cue.kind is Kind.NOW and (owned := _LAST_OWNED.search(lead)):  # "with the new line my commute now takes"
        lead = owned[1]
    head = _PREPOSITION.split(lead)[0] if cue.kind is not Kind.NOW else ""
    words = content(slight().sub(" ", head if content(head).words else lead)).words
    brings_about = bool(words) and words[-1] in agents() - known and not _OWN_SUBJECT.search(lead)
    return () if brings_about else words


def _now_of_speaker(cue: Cue, lead: str, old: str) -> bool:
    return cue.kind is Kind.NOW and bool(_SPEAKER_ACTS.search(lead) and _SPEAKER_ACTS.search(plain(old)))


def _takes_another(cue: Cue, lead: str, rest: str) -> bool:
    """Tell whether the subject takes something for itself: "Holt's has a new oven", 祁老师换了发型."""
    takes = _TAKES.match(cue.words + rest) or _GETS.match(cue.words)
    return bool(takes and content(rest.lstrip("了过")).words and not _HANDLES.search(lead))


def _acts_itself(cue: Cue, clause: Clause, lead: str, old: str) -> bool:
    """Tell whether what the speaker spoke of does something by itself."""
    if not SPEAKS.match(plain(old)) or SPEAKER_NAMED.search(clause.text.removeprefix("my ")):
        return False
    if cue.kind is Kind.NOW and cue.words.isascii():
        return not _COPULA.search(clause.text) and not _does_the_same(lead, old)
    person = any(
        one.kind is Kind.PEOPLE
        and one.start < cue.start
        and not (one.words in _GROUPS and one.words in plain(old))
        and not _TOWARDS.search(clause.text[: one.start - clause.start])
        for one in clause.cues
    )
    return person or (cue.kind is not Kind.END and not _IS_DONE.search(lead) and _acts(cue))


def _does_the_same(lead: str, old: str) -> bool:
    """Tell whether a clause goes on with what the speaker said to be doing: "reading Hyperion now"."""
    doing = _DOING.match(lead)
    return doing is not None and f"m {doing[1]}" in plain(old)


def _done_to_another(cue: Cue, rest: str, known: set[str]) -> bool:
    """Tell whether wording has an object that is not known: "sold the old mower", of a shed."""
    thing = _ITS_OBJECT.match(rest) if _TRANSITIVE.match(cue.words) else None
    return thing is not None and bool(content(thing[1]).words) and not set(content(thing[1]).words) & known


def _topic_unknown(clause: Clause, cue: Cue, known: set[str]) -> bool:
    """Tell whether what a Chinese clause puts first is not known: 交通银行那张信用卡我注销了."""
    topic = _TOPIC.match(clause.text[: cue.start - clause.start])
    unknown = set(content(slight().sub(" ", topic[1])).words) - known - DOINGS if topic else ()
    return len(unknown) > 1


def _goes_on_from_another(cue: Cue, clause: Clause, new: str, known: set[str]) -> bool:
    """Tell whether a clause without a subject goes on with one that is not known: 卧室的地毯扔了, 改铺."""
    if not _HAN.match(cue.words) or SPEAKER_NAMED.search(clause.text):
        return False
    before = next(
        (one for one in split(plain(new)) if one.end == clause.start and one.sentence == clause.sentence), None
    )
    if before is None or SPEAKER_NAMED.search(before.text) or not before.has(Kind.END, Kind.CHANGE):
        return False
    first = min(one.start for one in before.cues) - before.start
    told = set(content(slight().sub(" ", before.text[:first])).words) - DOINGS
    return len(told - known) > 1 and not told & known


def _gives_up(text: str, old: str, known: set[str]) -> bool:
    """Tell whether a clause names the known value as what is given up: "instead of React", 从禅道换成."""
    if (match := _GIVEN_UP.search(text)) and match[1]:
        return set(content(match[1]).words or ("",)) <= known
    given = content(match[2]).words if match else ()
    value = content(old).words[-1:]
    named = [word for at, word in enumerate(given) if set(given[: at + 1]) <= known]
    return bool(named) and set(value) <= set(named)


def _of_an_owner(cue: Cue, known: set[str]) -> bool:
    """Tell whether wording of change names a thing of what is known: the feed of the goats, of goats."""
    owner, _, thing = cue.words.partition("’s ") if "’s " in cue.words else cue.words.partition("s’ ")
    return bool(owner and thing) and not set(content(thing).words) & known


def _comes_to_a_thing(rest: str, old: str) -> bool:
    """Tell whether a change is to a thing of no topic of what is known: a standing desk is no home."""
    thing = _THING.match(rest)
    return thing is not None and not content(thing[1]).topics & content(old).topics


def _of_another_owner(lead: str, known: set[str]) -> bool:
    """Tell whether the subject belongs to somebody of whom nothing is known: "Dave's desk"."""
    owner = OWNER.search(lead)
    return owner is not None and not set(content(owner[1]).words) <= known


def _of_another(old: str, new: str) -> bool:
    """Tell whether what is known is said of somebody or something that the new text does not name."""
    whole, words = plain(old), content(old).words
    people = (one for one in cues(whole) if one.kind is Kind.PEOPLE and _WHOSE.fullmatch(whole[: one.start]))
    if person := next(people, None):  # 我妈妈住在上海 is not said of the speaker
        return not set(content(person.words).words) & set(content(new).words)
    return not SPEAKER_NAMED.search(whole) and bool(words) and words[0] not in content(new).words


def _only_for(rest: str, old: str, known: set[str]) -> bool:
    """Tell whether what is known is only what the new thing serves: "switched to a new cleaner for my lenses"."""
    thing, serves, use = rest.partition(" for ")
    return (
        bool(serves)
        and " for " not in old
        and not known & set(content(thing).words)
        and bool(known & set(content(use).words))
    )


def _named_between(words: str) -> set[str]:
    """Return what wording of change names between its first and its last word: "moved the key from"."""
    if words.isascii():
        return set(content(" ".join(words.split()[1:-1])).words)
    return set(content(words).words) if len(words) >= _LONG_CUE or words.startswith("从") else set()


def _subject(lead: str) -> str:
    """Return what stands before wording of change from its own subject on: "the tests were fine so I" gives "I"."""
    starts = [match.start() for match in _OWN_SUBJECT.finditer(lead)]
    return lead[starts[-1] :] if starts else lead


def _acts(cue: Cue) -> bool:
    """Tell whether the subject of the wording does something, rather than having it done to it."""
    if _HAN.match(cue.words):
        return cue.kind is not Kind.END and _DONE_TO.match(cue.words) is None
    return _PASSIVE.match(cue.words) is None
