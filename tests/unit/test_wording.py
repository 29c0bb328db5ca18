"""The words that reading goes by: small, each with an example, and fitted to the labelled pairs as they are now."""

import hashlib
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import graph.wording
from bench.fit_reading import makers
from bench.regression import ARCHIVE
from graph.learned import encoder
from graph.wording.lexicon import SMALL_TALK, cues, is_small_talk
from graph.wording.marking import own_words, plain
from graph.wording.people import person_spoken_of
from graph.wording.reading import Sense, fitted_on, read, skim

ROOM = Path(graph.wording.__file__).parent
MOST_ITEMS = 1_500
MOST_LINES = 1_500
MOST_MODULES = 6
LONGEST_LINE = 120


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(graph.wording) / f"{name}.toml").read_text("utf-8"))


def alternatives(pattern: str) -> int:
    """Count what stands side by side in a pattern; forms of one word, in brackets, are one."""
    flat, before = re.sub(r"\\.|\[[^\]]*\]", "x", pattern), ""
    while flat != before:
        flat, before = re.sub(r"\([^()]*\)", "x", flat), flat
    return flat.count("|") + 1


PATTERNS = [
    (language, kind, pattern, example)
    for language in ("english", "chinese")
    for kind, patterns in table(language).items()
    for pattern, example in patterns.items()
]


@pytest.mark.parametrize(("language", "kind", "pattern", "example"), PATTERNS, ids=lambda one: one[:24])
def test_every_pattern_has_an_example(language: str, kind: str, pattern: str, example: str) -> None:
    said = plain(example)
    if kind == SMALL_TALK:
        assert re.fullmatch(pattern, said.rstrip("!.?")), example
    elif kind.startswith("turns"):
        assert re.search(pattern, said), example
    else:
        bound = rf"(?<![a-z0-9_])(?:{pattern})(?![a-z0-9_])" if language == "english" else pattern
        assert re.search(bound, said), example
        assert kind in {cue.kind for cue in cues(said)}


def test_the_words_are_few() -> None:
    counted = sum(alternatives(pattern) for _, _, pattern, _ in PATTERNS)
    for lines in table("keys").values():
        counted += sum(len(line.split() if isinstance(line, str) else line) for line in lines)
    assert counted <= MOST_ITEMS


def test_the_room_is_small() -> None:
    modules = [path for path in ROOM.glob("*.py") if path.name != "__init__.py"]
    lines = [line for path in (*modules, *ROOM.glob("*.toml")) for line in path.read_text("utf-8").splitlines()]
    assert len(modules) <= MOST_MODULES
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= LONGEST_LINE


def test_the_weights_were_fitted_on_the_pairs_and_lists_as_they_are() -> None:
    """`fusegraph bench fit-reading` fits them anew."""
    pairs = hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()
    assert fitted_on() == {"pairs": pairs, "makers": makers()}
    assert encoder.fitted_on() == {"pairs": pairs}


@pytest.mark.parametrize(
    "text", ["Thanks!", "Good night", "lol ok", "haha ok thanks", "好的谢谢", "早上好呀！", "哈哈哈", "今天好冷啊"]
)
def test_small_talk(text: str) -> None:
    assert is_small_talk(plain(text))


@pytest.mark.parametrize(
    "text",
    [
        "No nuts for me", "No gluten", "no calls after 6pm please", "Nope, never smoked", "Night shift on Mondays",
        "Happy birthday to Mia on 3 May", "I can't sleep lately", "谢谢，我不吃香菜", "好饿，胃不好", "我去过里昂",
        "no I am vegan",
        "Hello my name is Jun and I live in Oslo", "it's raining and I broke my arm", "好的我对花生过敏",
        "我去做化疗了", "",
    ],
)  # fmt: skip
def test_what_says_something_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(plain(text))


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ('User said: "we moved to Go"', "we moved to go"),
        ("用户说：我们换成 Go 了", "我们换成 go 了"),
        ("[user] we moved to Go", "we moved to go"),
        ("Ann: we moved to Go", "we moved to go"),
        ("Tom: we moved to Go", "tom: we moved to go"),
    ],
)
def test_the_users_own_words(text: str, own: str) -> None:
    assert own_words(text, ["Ann"]) == own


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("my brother switched to Go", ("brother", "brother")),
        ("My mum moved to Lyon", ("mum", "mother")),
        ("my friend Rosa moved to Lyon", ("friend", "Rosa")),
        ("a friend moved to Lyon", ("friend", None)),
        ("我弟搬到里昂了", ("我弟", "brother")),
        ("Jack lives in Oslo.", ("Jack", "Jack")),
        ("I told my brother that I moved to Lyon", None),
        ("Switched to Go", None),
    ],
)
def test_whom_a_text_speaks_of(text: str, person: tuple[str, str | None] | None) -> None:
    assert person_spoken_of(text, None, ("ann",)) == person


def test_the_words_that_weighed_most_are_the_texts_own() -> None:
    reading = read("We switched to Go last week", value="Go", old="We use Java", old_value="Java", key="team.lang")
    assert reading.likeliest(*Sense) is Sense.REPLACES
    assert "switched" in reading.told_by(Sense.REPLACES)


def test_shares_are_probabilities() -> None:
    for how in (read, skim):
        reading = how("用户换成了 Zed", value="Zed", old="I use Vim", old_value="Vim", key="editor")
        assert sum(reading.shares.values()) == pytest.approx(1.0, abs=1e-4)
        assert min(reading.shares.values()) >= 0
