"""A statement as the reader sees it: sentences of marked tokens, in which what stands for itself is named by its role.

Names, values and what two texts share are replaced by marks, so that "The user switched to Zed" and "I switched to Go"
look the same: what is learned is wording, not topics. Pure.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import snowballstemmer

from graph.wording.lexicon import CLASSES, Cue, cues, is_small_talk
from graph.wording.tokens import HAN, names_value, simplified

NEW, OLD, BOTH, SHARED, NUMBER, OTHER = "⟨new⟩", "⟨old⟩", "⟨both⟩", "⟨shared⟩", "⟨number⟩", "⟨other⟩"
TOPIC: Final = "⟨topic⟩"
"""What the old statement begins with, where that is not its speaker: whom or what it is about."""

LONGEST_SENTENCE: Final = 400
"""Characters of one sentence that are read; a longer one is cut there."""

_TOKEN: Final = re.compile(
    r"[\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W\d\u3400-\u9fff_]+(?:'[^\W\d\u3400-\u9fff_]+)*"
    r"|[?!.,;:，。？！；：、“”\"()（）…—→\n-]"
)
_SENTENCE: Final = re.compile(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\bvs)(?<!\bno)[.](?=\s|$)|[!?。！？\n…]+"
)
_SPEAKER_LABEL: Final = re.compile(r"(?:^|(?<=[\n.!?。！？]))\s*(\w[\w .'-]{0,24}?)\s*[:：]\s*(?=\S)")
_FIRST_PERSON: Final = re.compile(r"(?<![a-z0-9_])(?:i|i'm|i've|i'd|we|we've|my|our|me|us)(?![a-z0-9_])|我|咱")
_SPOKEN: Final = r"said|says|wrote|writes|stated|mentioned|told (?:me|us)|说|表示|称|写道|提到|反馈|原话(?:是)?"
_USER: Final = r"(?:the )?(?:user|customer|client)|用户|客户"
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_STEM: Final = 6  # letters: "allergy" and "allergic" are one
_LONG_WORD: Final = 5
_TOPIC_WITHIN: Final = 40
_LONGEST_TOPIC: Final = 4
_FUNCTION_WORDS: Final = frozenset(
    "i me my we us our you your he him she it its they them their this that these those there here is are was were be "
    "been being am do does did have has had will would can could to of in at by for from with as and or but so if then "
    "than just very really quite own all some any each about into over out again got get the a an not no".split()
)
_FUNCTION_SIGNS: Final = frozenset(
    "的了我你您他她它们是在有没也不就都很和跟与把被给这那个一来去到说要会能着过得地吧啊呀哦呢吗嘛啦而且但以之其所于对因为"
    "从向由让叫做用家现已经还再又才只最太更"
)


class Token(NamedTuple):
    """A word of a sentence: its stem, its mark (empty: it is told by its word), and the classes that it belongs to."""

    word: str
    stem: str
    mark: str
    classes: tuple[str, ...]

    @property
    def name(self) -> str:
        """How it stands in the sequence of words."""
        return self.mark or self.stem

    @property
    def role(self) -> str:
        """How it stands in the sequence of classes: its mark or first class, a function word as it is."""
        if self.mark and self.mark not in (SHARED, NUMBER):
            return self.mark
        if self.classes:
            return f"<{self.classes[0]}>"
        return self.mark or (self.stem if is_function_word(self.stem) or not self.stem[0].isalnum() else OTHER)


class Marked(NamedTuple):
    """A statement ready to be read: its sentences, which of them count, and the words that it shares with the old."""

    text: str
    sentences: tuple[tuple[Token, ...], ...]
    focus: tuple[int, ...]
    spoken: tuple[str, ...]


def plain(text: str) -> str:
    """Return a text as the lexicon reads it: lower case, half width, simplified signs, straight apostrophes."""
    return simplified(unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)).lower()


def own_words(text: str, names: Collection[str]) -> str:
    """Return what the user says, in plain form, where a text only reports that ("User said: …", "Ann: …", 用户说)."""
    who = "|".join([_USER, *(re.escape(plain(name)) for name in names if name.strip())])
    speech = re.fullmatch(
        rf"\s*(?:[\[(]+(?:{who})[\])]+|\**(?:{who})\**\s*(?:{_SPOKEN})?\s*[:：,，])"
        rf"\s*[:：]?\s*[\"“「'*]*\s*(.+?)[\"”」'*]*\s*",
        plain(text),
        re.DOTALL,
    )
    return speech[1] if speech else plain(text)


def sentences(text: str) -> list[str]:
    """Cut a plain text into sentences, small talk left out, unless there is nothing else."""
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    parts = [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    told = [part[:LONGEST_SENTENCE] for part in parts if any(sign.isalnum() for sign in part) or not text.strip()]
    return [part for part in told if not is_small_talk(part)] or told or [""]


@lru_cache(maxsize=8_192)
def content(text: str) -> frozenset[str]:
    """Return the telling words of a plain text: stems of Latin words and numbers, Han signs that are no particles."""
    return frozenset(
        stem for word in _TOKEN.findall(text) if word[0].isalnum() and not is_function_word(stem := _stem(word))
    )


def is_function_word(stem: str) -> bool:
    """Tell whether a word or sign is one of grammar."""
    return stem in _FUNCTION_WORDS or stem in _FUNCTION_SIGNS


def mark(
    text: str, *, value: str | None, old: str, old_value: str | None, key: str | None, names: Collection[str] = ()
) -> Marked:
    """Mark a statement against the old one that it may be about. `names` are those of its subject."""
    told = own_words(text, names)
    before = own_words(old, names)
    parts = sentences(told)
    key_content = content(plain(key or "").replace(".", " ").replace("_", " ").replace("-", " "))
    spoken = content(before) | key_content
    focus = _focus(parts, plain(value or ""), plain(old_value or ""), spoken)
    shared = content(told) & spoken
    topic = _topic(before, old_value or "", names)
    others = _said_by_others(parts, names)
    marked = tuple(
        _marked(part, value or "", old_value or "", shared, topic, names, another=another)
        for part, another in zip(parts, others, strict=True)
    )
    return Marked(told, marked, focus, tuple(sorted(shared)))


def _focus(parts: Sequence[str], value: str, old_value: str, spoken: frozenset[str]) -> tuple[int, ...]:
    """Return the place of the sentence that holds most of the value, else of what is known; all where none does."""

    def score(part: str) -> float:
        words = content(part)
        of_value, of_old = content(value), content(old_value)
        held = 3 * (value != "" and value in part) + 3 * len(words & of_value) / max(1, len(of_value))
        return held + 1.5 * len(words & of_old) / max(1, len(of_old)) + 0.3 * len(words & spoken)

    scores = [score(part) for part in parts]
    best = max(scores)
    if best <= 0:
        return tuple(range(len(parts)))
    first = scores.index(best)
    # What is said of the old value beside it counts, too: "Scrap 67. I retire at 63."
    return tuple(at for at, part in enumerate(parts) if at == first or (old_value and names_value(part, old_value)))


def _said_by_others(parts: Sequence[str], names: Collection[str]) -> list[bool]:
    """Tell of each sentence whether somebody else than the subject says it, as in "Tom: I've switched"."""
    own = re.compile(rf"(?:{'|'.join([_USER, *(re.escape(plain(name)) for name in names if name.strip())])})")
    another, told = False, []
    for part in parts:
        if label := _SPEAKER_LABEL.match(part):
            spoken = _FIRST_PERSON.search(part, label.end()) is not None
            another = spoken and own.fullmatch(label[1]) is None and _FIRST_PERSON.search(label[1]) is None
        told.append(another)
    return told


def _topic(before: str, old_value: str, names: Collection[str]) -> frozenset[str]:
    """Return the stems with which a text begins, up to its first word of grammar, where its speaker does not."""
    topic: set[str] = set()
    for token in _marked(before[:_TOPIC_WITHIN], "", old_value, frozenset(), frozenset(), names):
        telling = token.word[0].isalnum() and not is_function_word(token.stem)
        if token.mark in ("<speaker>", OLD) or (topic and not telling):
            break
        if telling and token.mark != "<speakers>":
            topic.add(token.stem)
        if len(topic) == _LONGEST_TOPIC:
            break
    return frozenset(topic)


def _marked(
    part: str,
    value: str,
    old_value: str,
    shared: frozenset[str],
    topic: frozenset[str],
    names: Collection[str],
    *,
    another: bool = False,
) -> tuple[Token, ...]:
    found = cues(part)
    spans = [(*match.span(1), "speakers" if match[2] else "speaker") for match in _named(part, names)]
    new_words, old_words = _words_of(value), _words_of(old_value)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(part):
        word, start, end = match.group(), match.start(), match.end()
        stem = _stem(word)
        own = [kind for first, last, kind in spans if first < end and start < last]
        kinds = {cue.kind for cue in found if cue.start < end and start < cue.end} | set(own)
        if _is_anothers(found, start, end):  # 我 in 我弟
            kinds -= {"speaker"}
        classes = tuple(kind for kind in CLASSES if kind in kinds)
        new, known = _stands_in(word, new_words), _stands_in(word, old_words)
        if another and ("speaker" in classes or "speakers" in classes) and not own:
            classes, own = ("person",), []  # "I" is whoever says it
        if new or known:
            role = BOTH if new and known else NEW if new else OLD
        elif "speaker" in classes or "speakers" in classes:
            role = "<speaker>" if "speaker" in classes else "<speakers>"
        elif stem in topic:
            role = TOPIC
        elif stem in shared and not is_function_word(stem):
            role = SHARED
        else:
            role = NUMBER if word[0].isdigit() else ""
        tokens.append(Token(word, stem, role, classes))
    return tuple(tokens)


def _is_anothers(found: Sequence[Cue], start: int, end: int) -> bool:
    """Tell whether a word for the speaker is only part of one for somebody else."""
    spans = {cue.kind: cue.end - cue.start for cue in found if cue.start <= start and end <= cue.end}
    return spans.get("person", 0) > spans.get("speaker", 0) > 0


def _named(part: str, names: Collection[str]) -> Iterable[re.Match[str]]:
    wanted = [re.escape(plain(name)) for name in names if name.strip()]
    return re.finditer(rf"(?<![a-z0-9_])({'|'.join(wanted)})('s)?(?![a-z0-9_])", part) if wanted else ()


def _words_of(value: str) -> frozenset[str]:
    words = frozenset(word for word in _TOKEN.findall(plain(value)) if word[0].isalnum())
    return words - {"the", "a", "an", "of", "and", "in"} or words


def _stands_in(word: str, words: frozenset[str]) -> bool:
    """Tell whether a word is one of a value's, or a form of one."""
    if word in words:
        return True
    long = len(word) >= _LONG_WORD and word.isascii()
    return long and any(len(one) >= _LONG_WORD and one[:_LONG_WORD] == word[:_LONG_WORD] for one in words)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Return what the forms of a Latin word have in common; function words, numbers and Han signs are as they are."""
    if word in _FUNCTION_WORDS or HAN.match(word) or not word[0].isalpha():
        return word
    return str(_stemmer().stemWord(word))[:_STEM] if word.isascii() else word


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")
