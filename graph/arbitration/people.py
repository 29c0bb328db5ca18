"""Is a statement about somebody else than the one whose memory it is? Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from graph.arbitration.clauses import Clause, holding, is_han, stands_in
from graph.arbitration.lexicon import Cue, Kind, agents, cues, one_of_many, plain, synonyms
from graph.arbitration.subjects import GENERIC, SPEAKER, telling_words
from graph.arbitration.values import tokens

SPEAKER_ACTS: Final = re.compile(r"\b(?:i|we|i’m|i’ve|we’re|we’ve)\b|我(?!家|们?家?的?$)|咱|俺")
_COPULA: Final = re.compile(r"\s*(?:is|’s|are|was|is now|now is|will be|called|named|是|叫|为|现在是|就是)")
_CALLED: Final = re.compile(r"\s*(?:called|named|叫|(?:is|’s|are) (?:called|named)|现在是|就是|是)")
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
_PRONOUN_SIGNS: Final = ("他", "她")
_HAS_JUST: Final = re.compile(r" (?:(?:has|had|have|just|finally|also|recently) )*")
_OF_THEM: Final = re.compile(r"\b(their|his|her) $")
_MEANWHILE: Final = re.compile(r"\b(?:when|since|after|because|until|before|while) (?:my|our|his|her|their) $")
_NAMED: Final = re.compile(r",? (?!I\b|My\b|We\b)([A-Z][\w’'-]+)")
_SELF: Final = re.compile(r"^\W*(?:i|we|my|our|i’m|we’re)\b|^\W*[我咱]", re.MULTILINE)
_CREATURE: Final = re.compile(
    r"\b(?:dog|cat|pet|puppy|kitten|hamster|parrot|horse|pony|rabbit|bird|goat|cow|hen)s?\b|[狗猫]|宠物"
)
_OF_SPEAKER: Final = re.compile(r"\b(?:my|our|me|us)\b")
_PRONOUNS: Final = re.compile(r"\b(i|we|he|she|it|you)(?=’|\b)")
_ITS_OWN: Final = re.compile(r"\s*(theirs|hers|his)(?:’s| is| are| was)\b")
_OTHERS: Final = ("he", "she")
_THEIRS: Final = re.compile(r"\b(her|his) (?:[\w-]+ )?$")
_POSSESSES: Final = re.compile(r"’s |s’ |的")
_ADDRESS: Final = re.compile(r"\s*(?:们|们好)?\s*[:：!！]")
_SUBJECT_REACH: Final = {True: 24, False: 8}  # characters, Latin or Han, in which a clause names its subject
_ELIDED: Final = {True: 3, False: 1}  # characters before wording of change in a clause that leaves its subject out
_PRONOUN: Final = re.compile(r"\s*(?:and )?(?:he|she|they|他|她)")
_VERB_FIRST: Final = re.compile(
    r"\s*(?:就|都|又|才|已经|现在|如今|后来|总算|终于|这下|干脆)?(?:戒|开始|改|换|转|不|没|去|回|吃|喝|用|住|做|当|学|买|开|坐|骑|搬)"
)
_MODIFIED: Final = re.compile(r"\W*(?:我们?|咱们?)[\u4e00-\u9fff]{0,4}(?<![跟和让给叫请帮陪找问对把被比向为是有])")
_ACTS_ON_SPEAKER: Final = re.compile(r"\b(?:my|our|me|us)\b|[给让把对帮叫喊]我|我的|我们的")
_OBJECT: Final = re.compile(
    r"(?:[有个位找听打发托请雇辞见是跟和给送向问陪叫被为了对]|with|to|for|by|from|of|at|than|on|like)\s*"
    r"(?:the |a |an |my |our |his |her |their |[小大老新])?$"
    r"|(?:\b(?:is|am|was|as|be|are)|’s|’m|’re) (?:a |an |the |our |my )(?:[\w-]+ )?$"
)
_TELLS: Final = re.compile(
    r"\s*(?:们)?(?:刚|今天|昨天|刚刚|刚才|又|都)?(?:说|讲|通知|宣布|告诉我|发话|拍板)"
    r"|\s+(?:just )?(?:says?|said|announced|confirmed|told (?:me|us)|let us know)\b(?! we should| i should| to\b)"
)
_WHO_TEACH: Final = ("老师", "教练", "师傅")  # what they do themselves, they do not bring about for others
_HANDLED: Final = re.compile(r"\b(?:me|us|my|our|the|it|everything|everyone|all|\w+’s)\b")
_CAUSES: Final = re.compile(r"[给让把将叫]|安排|通知|要求|规定")
_THERE_IS: Final = re.compile(r"\bthere(?:’s| is| was) (?:a|an|this|some|one) (?:[\w-]+ )?$")
_PIVOT: Final = re.compile(r"有(?:一)?[个位]$")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def other_person(clauses: Sequence[Clause], focus: Sequence[Clause], context: str, value: str | None) -> str | None:
    """Return the person who is the subject of a clause that counts, where `context` does not name them."""
    if value and (not_ours := next((found for clause in clauses if (found := _NOT_OURS.search(clause.text))), None)):
        return not_ours.group()
    if _of_self(context) and (pronoun := _third_person(clauses, focus, plain(value or ""), context)):
        return pronoun
    for clause in focus:
        for candidate in _with_their_subjects(clauses, clauses.index(clause)):
            person = _subject_person(candidate)
            if person is not None:
                return None if _beside_the_point(clauses, candidate, person, context, value) else person.words
            if SPEAKER.search(candidate.text):
                break
            if value is None and not _leaves_out_subject(clause) and _begins_with_known(candidate, context):
                return None  # what goes on is about that, too
    return None


def _beside_the_point(clauses: Sequence[Clause], clause: Clause, person: Cue, context: str, value: str | None) -> bool:
    """Tell whether a clause with a person as its subject is about what is known all the same.

    It is where they only bring the news or bring it about, are named in it, own the value or give it their name.
    """
    rest = clause.text[person.end - clause.start :]
    follows = "".join(one.text for one in clauses if one.start > clause.start and one.sentence == clause.sentence)
    owned = any(
        one.kind is Kind.PEOPLE
        and one.end <= person.start
        and one is not person
        and _POSSESSIVE.fullmatch(clause.text[one.end - clause.start : person.start - clause.start])
        and not _named_in(one.words, context)
        for one in clause.cues
    )
    theirs = _OF_THEM.search(clause.text[: person.start - clause.start])
    if owned or (theirs and not re.search(rf"\b{theirs[1]}\b", context)):
        return False
    if _only_tells(clause, person.words, rest + follows, context) or _named_in(person.words, context):
        return True
    spoken_of = (cue for one in clauses if one.start <= clause.start for cue in one.cues if cue.end <= person.start)
    if person.words in _PRONOUN_SIGNS and any(
        cue.kind is Kind.PEOPLE and _named_in(cue.words, context) for cue in spoken_of
    ):
        return True  # 陪爸爸去复诊, 把他的胰岛素换成
    owns = _POSSESSES.match(rest)
    named = rest[owns.end() :] if owns else rest.lstrip() if value and value[:1].isupper() else ""
    if value and named.startswith(plain(value)):
        return True  # "my aunt's dumplings", "my wife Carys"
    in_role = _ROLE.search(person.words) and _ROLE.search(context)
    copula = (_BECOMES if in_role else _COPULA).match(rest)
    naming = copula and (in_role or _CALLED.match(copula.group()))
    return bool(naming and value and holding([clause._replace(text=rest)], value))


def _of_self(context: str) -> bool:
    """Tell whether what is known is said by the speaker of themselves, and names nobody else."""
    named = any(cue.kind is Kind.PEOPLE for cue in cues(context))
    return bool(_SELF.search(context)) and not named and not _CREATURE.search(context)


def _third_person(clauses: Sequence[Clause], focus: Sequence[Clause], value: str, context: str) -> str | None:
    """Return the pronoun of somebody else of whom a clause gives a value: "she joined", "her Bunq account".

    It stands for what is known where that is spoken of before: "renamed the parrot, he answers to".
    """
    about = telling_words(context) - GENERIC
    for clause in focus:
        if any(telling_words(one.text) & about for one in clauses if one.start < clause.start):
            continue
        lead = clause.text[: at if value and (at := clause.text.find(value)) >= 0 else len(clause.text)]
        owner = _THEIRS.search(lead) if value else None
        subjects = [found[0] for found in _PRONOUNS.finditer(lead) if not _OF_SPEAKER.search(clause.text, found.end())]
        if theirs := _ITS_OWN.match(clause.text):
            return theirs[1]
        if owner or (subjects and subjects[-1] in _OTHERS):
            return owner[1] if owner else subjects[-1]
    return None


def person_meant(text: str, person: str) -> str | None:
    """Return one name for a person whom a text names so; None where that may be one of several.

    A name that follows tells who ("my friend Rosa"); 我弟, 我弟弟 and 弟弟 are one.
    """
    named_as = next((cue for cue in cues(plain(text)) if cue.kind is Kind.PEOPLE and cue.words == person), None)
    own = person.removeprefix("我")
    if named_as is None or own in _PRONOUN_SIGNS:
        return None  # "isn't ours", "she", 他: nobody who could be known by that
    if named := _NAMED.match(text, named_as.end):
        return named[1]
    whole = own * 2 if is_han(own) and len(own) == 1 else own
    return None if whole in one_of_many() else synonyms().get(whole, whole)


def _with_their_subjects(clauses: Sequence[Clause], at: int) -> Iterable[Clause]:
    """Yield a clause, and those before it in which its subject stands where it leaves that out; none for a reason."""
    if _REASON.match(clauses[at].text):
        return
    yield clauses[at]
    left_out = _leaves_out_subject(clauses[at])
    for one in reversed(clauses[:at]):
        if not left_out or one.sentence != clauses[at].sentence:
            return
        if not _RELATES.match(one.text):
            yield one
            left_out = _leaves_out_subject(one)


def _begins_with_known(clause: Clause, context: str) -> bool:
    """Tell whether a clause begins with a word of what is known, or of the key."""
    words = tokens(clause.text)
    return bool(words) and words[0] not in GENERIC and words[0] in set(tokens(context))


def _changes_before(clause: Clause, person: Cue) -> bool:
    kinds = (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)
    return any(cue.kind in kinds and cue.start < person.start for cue in clause.cues)


def _leaves_out_subject(clause: Clause) -> bool:
    return bool(_PRONOUN.match(clause.text) or _VERB_FIRST.match(clause.text)) or any(
        cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END, Kind.NOW)
        and cue.start - clause.start <= _ELIDED[not is_han(cue.words)]
        for cue in clause.cues
    )


def _only_tells(clause: Clause, person: str, rest: str, context: str) -> bool:
    """Tell whether a person only brings the news, or brings it about: "my boss says the standup moved to ten"."""
    said = _TELLS.match(rest)
    follows = rest[said.end() :] if said else rest
    about = telling_words(context) - GENERIC
    brings = person in agents() and clause.has(Kind.CHANGE, Kind.ONTO, Kind.END) is not None
    if person.endswith(_WHO_TEACH) and not _CAUSES.search(rest):
        brings = False
    if not is_han(person) and not _HANDLED.search(rest):
        brings = False
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
    acted = any(cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END) and cue.end <= people[0].start for cue in clause.cues)
    beside = _ADDRESS.match(after) or _OBJECT.search(before) or _ACTS_ON_SPEAKER.search(after)
    if before.endswith("的") and is_han(person.words):  # 坐我后面的小崔
        before = ""
    pivot = _PIVOT.search(before) and clause.has(Kind.CHANGE, Kind.ONTO, Kind.END)
    if pivot or _THERE_IS.search(before):  # 我有个学生转去了
        return person
    modified = is_han(person.words) and len(person.words) > 1 and _MODIFIED.fullmatch(before)
    speaks = SPEAKER_ACTS.search(before) and not (modified and not _changes_before(clause, person))
    # "they told us their son changed to": who stands directly before wording of change does it.
    acting = next((one for one in people if not is_han(one.words) and _acts_at_once(clause, one)), None)
    meanwhile = acting and _MEANWHILE.search(clause.text[: acting.start - clause.start])
    if acting is not None and not (denied or acted or meanwhile):
        return acting
    return person if len(before.strip()) <= reach and not (speaks or denied or acted or beside) else None


def _acts_at_once(clause: Clause, person: Cue) -> bool:
    """Tell whether wording of change stands directly behind a person."""
    after = clause.text[person.end - clause.start :]
    return any(
        cue.kind in (Kind.CHANGE, Kind.ONTO, Kind.END)
        and cue.start >= person.end
        and _HAS_JUST.fullmatch(after[: cue.start - person.end]) is not None
        for cue in clause.cues
    )
