"""Of whom and of what a clause speaks: of the one whose memory it is, of another person, of another thing. Pure."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from graph.arbitration.clauses import Clause, holding, is_han, stands_in
from graph.arbitration.lexicon import Cue, Kind, agents, cues, one_of_many, plain, slight, synonyms
from graph.arbitration.values import tokens

SPEAKER: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve|my|our|me|us|mine|ours)\b|我|咱|俺|本人|自己")
"""Words by which those who speak name themselves."""

_SPEAKER_ACTS: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!家|们?家?的?$)|咱|俺")
_COPULA: Final = re.compile(r"\s*(?:is|’s|are|was|is now|now is|will be|called|named|是|叫|为|现在是|就是)")
_BECOMES: Final = re.compile(
    _COPULA.pattern + r"|\s*(?:has |was |is |’s )?\w*\s?(?:now|changed|switched|换成|改成|变成|成了|换了)"
)
_ROLE: Final = re.compile(
    r"manager|boss|lead|coach|doctor|teacher|mentor|landlord|partner|contact|owner|chair|captain|主管|领导|负责|老师|医生|班主任|经理|房东|教练|师"
)
_POSSESSIVE: Final = re.compile(r"(?:的|’s |s’ |’s (?:\w+ )?|’ )?")
_RELATES: Final = re.compile(r"\s*(?:who|which|whose|that)\b")
_NOT_OURS: Final = re.compile(r"\b(?:isn’t|is not|aren’t|are not|not) (?:ours|mine)\b|不是我们?的")
_REASON: Final = re.compile(r"\s*(?:since|because|as) (?:my|our|the|his|her) ")
_NAMED: Final = re.compile(r",? (?!I\b|My\b|We\b)([A-Z][\w’'-]+)")
_SELF: Final = re.compile(r"^\W*(?:i|we|my|our|i’m|we’re)\b|^\W*[我咱]", re.MULTILINE)
_PRONOUNS: Final = re.compile(r"\b(i|we|he|she|it|you)(?=’|\b)")
_ITS_OWN: Final = re.compile(r"\s*(theirs|hers|his)(?:’s| is| are| was)\b")
_OTHERS: Final = ("he", "she")
_THEIRS: Final = re.compile(r"\b(her|his) (?:[\w-]+ )?$")
_ADDRESS: Final = re.compile(r"\s*(?:们|们好)?\s*[:：!！]")
_SUBJECT_REACH: Final = {True: 24, False: 8}  # characters, Latin or Han, in which a clause names its subject
_ELIDED: Final = {True: 3, False: 1}  # characters before wording of change in a clause that leaves its subject out
_PRONOUN: Final = re.compile(r"\s*(?:and )?(?:he|she|they|他|她)")
_ACTS_ONSPEAKER: Final = re.compile(r"\b(?:my|our|me|us)\b|[给让把对帮]我|我的|我们的")
_OBJECT: Final = re.compile(
    r"(?:有|个|位|找|是|跟|和|给|送|向|问|陪|叫|被|为|了|对|with|to|for|by|from|of|at|than|on|like)\s*(?:the |a |an )?$"
    r"|(?:\b(?:is|am|was|as|be|are)|’s|’m|’re) (?:a |an |the |our |my )(?:[\w-]+ )?$"
)
_TELLS: Final = re.compile(
    r"\s*(?:们)?(?:刚|今天|昨天|刚刚|刚才|又|都)?(?:说|讲|通知|宣布|告诉我|发话|拍板)"
    r"|\s+(?:just )?(?:says?|said|announced|confirmed|told (?:me|us)|let us know)\b(?! we should| i should| to\b)"
)
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
_WHO_TEACH: Final = ("老师", "教练", "师傅")  # what they do themselves, they do not bring about for others
_CAUSES: Final = re.compile(r"[给让把将叫]|安排|通知|要求|规定")
_PIVOT: Final = re.compile(r"有(?:一)?[个位]$")
_MAKES: Final = re.compile(r"(?:给|让|帮|叫|把|被|替)\s*$")
_THING: Final = re.compile(r"\b(?:the|our|my|its|from|of|than|not|over|this|off)(?: new| old| whole)? ([\w’-]+)")
_OWNS: Final = re.compile(
    r"的(?=[\u4e00-\u9fff])|(?:’s|s’) (?!been|now|got|gone|no|not|just|finally|out|over|a |the )(?=\w)"
)
OWNER: Final = re.compile(
    r"\b(?!(?:it|he|she|that|what|there|here|who|let|how|where|when|today|tomorrow|time)’)([\w-]+)’s "
    r"(?!been|now|got|gone|no\b|not\b|just|a\b|the\b|\w+ed\b)"
)
"""Names to whom something belongs: "Dave’s desk"."""

_ACTOR: Final = re.compile(
    r"\b(?:my|our|the|his|her|their|this|that|some) (?:[\w-]+ ){0,2}?(?!(?:is|are|was|were|been|being|be|gets?|got) )"
    r"([\w-]+)(?: has| have| had| just| finally| recently| also|’s)* $"
)
_ACTS: Final = re.compile(
    r"(?:switched|converted|defected|quit|left|joined|upgraded|stopped|gave up|swapped|ditched|dropped|traded|bought)\b"
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_GENERIC: Final = frozenset("user team project company work people new one the 我们 公司".split())
_OF_GRAMMAR: Final = frozenset("的了着过地得我你他她它是在不也都就还又才再没有吧啊呢吗啦把被给和跟与到去来这那一个")
_TELLING_SIGNS: Final = 2


def other_person(clauses: Sequence[Clause], focus: Sequence[Clause], context: str, value: str | None) -> str | None:
    """Return the person who is the subject of a clause that counts, where `context` does not name them."""
    if value and (not_ours := next((found for clause in clauses if (found := _NOT_OURS.search(clause.text))), None)):
        return not_ours.group()
    if _of_self(context) and (pronoun := _third_person(clauses, focus, plain(value or ""), context)):
        return pronoun
    for clause in focus:
        if _REASON.match(clause.text):
            continue
        at = clauses.index(clause)
        before = [one for one in clauses[:at] if one.sentence == clause.sentence and not _RELATES.match(one.text)]
        for candidate in (clause, *(before[-1:] if _leaves_out_subject(clause) else [])):
            person = _subject_person(candidate)
            if person is not None:
                rest = candidate.text[person.end - candidate.start :]
                follows = "".join(
                    one.text for one in clauses[clauses.index(candidate) + 1 :] if one.sentence == clause.sentence
                )
                if _only_tells(candidate, person.words, rest + follows, context):
                    return None
                in_role = _ROLE.search(person.words) and _ROLE.search(context)
                copula = (_BECOMES if in_role else _COPULA).match(rest)
                names_value = bool(copula and value and holding([candidate._replace(text=rest)], value))
                return None if names_value or _named_in(person.words, context) else person.words
            if SPEAKER.search(candidate.text):
                break
            if value is None and not _leaves_out_subject(clause) and _begins_with_known(candidate, context):
                return None  # what goes on is about that, too
    return None


def _of_self(context: str) -> bool:
    """Tell whether what is known is said by the speaker of themselves, and names nobody else."""
    return bool(_SELF.search(context)) and not any(cue.kind is Kind.PEOPLE for cue in cues(context))


def _third_person(clauses: Sequence[Clause], focus: Sequence[Clause], value: str, context: str) -> str | None:
    """Return the pronoun of somebody else of whom a clause gives a value: "she joined", "her Bunq account".

    It stands for what is known where that is spoken of before: "renamed the parrot, he answers to".
    """
    about = telling_words(context) - _GENERIC
    for clause in focus:
        if any(telling_words(one.text) & about for one in clauses if one.start < clause.start):
            continue
        lead = clause.text[: at if value and (at := clause.text.find(value)) >= 0 else len(clause.text)]
        owner = _THEIRS.search(lead) if value else None
        subjects = _PRONOUNS.findall(lead)
        if theirs := _ITS_OWN.match(clause.text):
            return theirs[1]
        if owner or (subjects and subjects[-1] in _OTHERS):
            return owner[1] if owner else subjects[-1]
    return None


def person_meant(text: str, person: str) -> str | None:
    """Return one name for a person whom a text names so; None where that may be one of several.

    A name that follows tells who ("my friend Rosa"); 我弟, 我弟弟 and 弟弟 are one.
    """
    at = plain(text).find(person)
    named = _NAMED.match(text, at + len(person)) if at >= 0 else None
    if named:
        return named[1]
    own = person.removeprefix("我")
    whole = own * 2 if is_han(own) and len(own) == 1 else own
    return None if whole in one_of_many() else synonyms().get(whole, whole)


def _begins_with_known(clause: Clause, context: str) -> bool:
    """Tell whether a clause begins with a word of what is known, or of the key."""
    words = tokens(clause.text)
    return bool(words) and words[0] not in _GENERIC and words[0] in set(tokens(context))


# One return for each way to be about another thing.
def other_thing(  # noqa: PLR0911
    clause: Clause, cue: Cue, about: frozenset[str], value: str, known: Sequence[str] = (), context: str = ""
) -> str | None:
    """Return the subject of wording of change, where nothing in its clause is what the statement is `about`.

    `about` holds the telling words of `context`, which is the key and what is known. What the speaker does, and what
    is done to them, is theirs; a clause without a subject is about what was spoken of before.
    """
    lead = clause.text[: cue.start - clause.start]
    telling = about - set(tokens(value)) - _GENERIC
    relative = _RELATIVE.search(lead)
    if relative and not stands_in(relative[1], telling | set(tokens(value))):
        return relative[1]
    lead = _SUBCLAUSE.sub("", lead)
    if (cue.kind is not Kind.END and any(_owner(old, lead) for old in known)) or (
        not SPEAKER.search(lead) and contrasts(lead, context, value)
    ):
        return lead.strip()
    if _has_a_new(clause.text, known):
        return lead.strip()
    for other in (OWNER.search(lead), _ACTOR.search(lead) if _ACTS.match(cue.words) else None):
        spoken = {*tokens(context), *tokens(value), *agents(), *_GENERIC}
        if other and not stands_in(other[1], spoken):
            return other[1]
    rest = clause.text[cue.start - clause.start :]
    if SPEAKER.search(clause.text) or _speaks_of(lead, telling, value) or _names(rest, telling, value):
        return None
    if (value and value in lead) or _SUBJECTLESS.search(lead):
        return None
    if _MAKES.search(lead) or lead.strip().endswith(tuple(agents())):
        return None
    return lead.strip() if _says_something(lead, value) else None


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
    telling = about - set(tokens(value)) - _GENERIC
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
                if theirs in _GENERIC:
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


def _leaves_out_subject(clause: Clause) -> bool:
    return bool(_PRONOUN.match(clause.text)) or any(
        cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)
        and cue.start - clause.start <= _ELIDED[not is_han(cue.words)]
        for cue in clause.cues
    )


def _only_tells(clause: Clause, person: str, rest: str, context: str) -> bool:
    """Tell whether a person only brings the news, or brings it about: "my boss says the standup moved to ten"."""
    said = _TELLS.match(rest)
    follows = rest[said.end() :] if said else rest
    about = telling_words(context) - _GENERIC
    brings = person in agents() and clause.has(Kind.CHANGE, Kind.ONTO, Kind.END)
    if brings and person.endswith(_WHO_TEACH) and not _CAUSES.search(rest):
        brings = None
    return bool((said or brings) and any(stands_in(word, about) for word in telling_words(follows)))


def _named_in(person: str, context: str) -> bool:
    same = synonyms()
    meant = {person, person.removeprefix("我"), same.get(person, person)}
    meant |= {word for word, head in same.items() if head in meant}
    return any(word in context for word in meant)


def _subject_person(clause: Clause) -> Cue | None:
    people = [cue for cue in clause.cues if cue.kind is Kind.PEOPLE]
    if not people:
        return None
    person = people[0]
    for further in people[1:]:  # in "Rosa's parents" and 阿珍的父母 it is the parents
        between = clause.text[person.end - clause.start : further.start - clause.start]
        if further.start >= person.end and _POSSESSIVE.fullmatch(between):
            person = further
    before = clause.text[: people[0].start - clause.start]
    after = clause.text[person.end - clause.start :]
    reach = _SUBJECT_REACH[not is_han(person.words)]
    denied = any(cue.kind is Kind.NEGATION and cue.end <= person.start for cue in clause.cues)
    acted = any(
        cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END) and cue.end <= people[0].start and not _HAN.match(cue.words)
        for cue in clause.cues
    )
    beside = _ADDRESS.match(after) or _OBJECT.search(before) or _ACTS_ONSPEAKER.search(after)
    if before.endswith("的") and is_han(person.words):  # 坐我后面的小崔
        before = ""
    pivot = _PIVOT.search(before) and clause.has(Kind.CHANGE, Kind.ONTO, Kind.END)
    if pivot:  # 我有个学生转去了
        return person
    speaks = _SPEAKER_ACTS.search(before)
    return person if len(before.strip()) <= reach and not (speaks or denied or acted or beside) else None
