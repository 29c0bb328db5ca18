"""Questions that look like the others and have no answer: it never happened, not then, not to them, or not for them.

They are questions of a shadow: other scenes for the same people, drawn, seen and asked about by the very stages that
make what is told, of which no event is given away. A shadow scene is asked about only if nothing of its kind touched
its people near that time. So neither words, nor viewer, nor time of asking tell them apart; each is moreover chosen
to be of the form of a question that has an answer.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from bench.memfusebench import questions, streams, timeline, timeline_review
from bench.memfusebench.asking import Asker
from bench.memfusebench.model import CATEGORIES, Both, Lang, Question, Scene
from bench.memfusebench.review import reviewed
from bench.memfusebench.timeline import SEALED
from bench.memfusebench.words import content, jaccard

EACH_SCENARIO: Final = 10
SHADOWS: Final = 3
MOST_SHADOWS: Final = 12
"""Shadows drawn for a scenario: at first, and at most, where those hold too few of a category."""

APART: Final = timedelta(days=14)
"""So far from anything of its kind a question about another time lies."""

ALIKE_WORDS: Final = 0.85
_FRAMES: Final = (("when", "near"), ("when", "long"), ("causal", "each"), ("fusion", "and"), ("perspective", "ask"))

_GOLDEN: Final = 0.618034
"""Multiples of it, cut to the part after the point, lie evenly between 0 and 1."""

_NEAR: Final = 4
"""Where the form of a question has the frame that names its day."""

Drawing = Callable[[str], random.Random]


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question without an answer; `reason` says why, `kind`, `people` and `day` what it is about."""

    id: str
    text: str
    lang: Lang
    viewer: str
    asked_at: datetime
    looks_like: str
    reason: str
    kind: str
    people: tuple[str, ...]
    day: date


@dataclass(frozen=True, slots=True)
class _Candidate:
    question: Question
    scene: Scene
    reason: str


def counts(scenario: int) -> dict[str, int]:
    """Return how many of each category a scenario has: one or two; ten of each in six scenarios."""
    made = dict.fromkeys(CATEGORIES, 1)
    extra = EACH_SCENARIO - len(CATEGORIES)
    for i in range(extra):
        made[CATEGORIES[(extra * scenario + i) % len(CATEGORIES)]] += 1
    return made


def build(asker: Asker, asked: Sequence[Question], scenario: int, drawing: Drawing) -> list[Unanswerable]:
    """Return a scenario's unanswerable questions, each of the form of one of those `asked`.

    Raises:
        ValueError: the shadows hold too few of a category.
    """
    draw = drawing("unanswerable")
    pool = [candidate for n in range(SHADOWS) for candidate in _of_shadow(asker, drawing, n)]
    drawn = SHADOWS
    chosen: list[_Candidate] = []
    for category, count in counts(scenario).items():
        alike = [question for question in asked if question.category == category]
        private = _private(asker, category, draw) if count > 1 else None
        if private:
            chosen.append(private)
            # Who asks about what is kept from them is no part of it: the other one makes up for that.
            named = [question for question in alike if question.viewer in question.text]
            alike = named if category == "perspective_difference" and named else alike
            asked_so = _way(asker, private.question)
            alike = [question for question in alike if not asked_so or _way(asker, question) != asked_so]
        # Those asked soon and those by who is named come first, so that even steps through them meet each share.
        alike.sort(key=lambda question: form(asker, question)[:2], reverse=True)
        for n in range(private is not None, count):
            step = scenario * _GOLDEN + CATEGORIES.index(category) / len(CATEGORIES) + n / 2
            twin = list(form(asker, alike[int(step % 1 * len(alike))]))
            if twin[_NEAR] is not None:  # every way of naming a day in its turn
                turn = scenario + CATEGORIES.index(category) + n
                twin[_NEAR] = turn % len(asker.library.pairs("when", "near"))
            while not (fitting := [one for one in pool if _fits(one, category, chosen, asked)]):
                if drawn == MOST_SHADOWS:
                    raise ValueError(f"No shadow holds another {category} question.")
                pool += _of_shadow(asker, drawing, drawn)
                drawn += 1
            draw.shuffle(fitting)
            chosen.append(min(fitting, key=lambda one: _unlike(form(asker, one.question), twin)))
    return [_made(one) for one in chosen]


def form(asker: Asker, question: Question) -> tuple[object, ...]:
    """Return what can be seen of a question without knowing any event, the weightiest first."""
    frames = [
        next((n for n, pair in enumerate(asker.library.pairs(*path)) if _uses(question, pair.of(question.lang))), None)
        for path in _FRAMES
    ]
    return (
        question.asked_at < asker.end(),
        question.viewer in question.text,
        _way(asker, question),
        question.lang,
        *frames,
    )


def _way(asker: Asker, question: Question) -> str:
    """Return which way of asking for a value a question is."""
    for pattern, frame in asker.library.tables["frames"].items():
        if _uses(question, Both(*frame["ask"]).of(question.lang)):
            return str(pattern)
    return ""


def _uses(question: Question, frame: str) -> bool:
    """Say whether a question is said in a frame: all that stands between the slots, in words."""
    pieces = [piece.partition("}")[2] if "}" in piece else piece for piece in frame.split("{")]
    words = [piece.strip(" ,:：，。.?？") for piece in pieces]  # noqa: RUF001 (Chinese punctuation)
    return all(word in question.text for word in words if word)


def _unlike(one: Sequence[object], other: Sequence[object]) -> int:
    weights = [4, 4, 4, 2, 3, *[1] * (len(_FRAMES) - 1)]
    return sum(weight for weight, mine, yours in zip(weights, one, other, strict=True) if mine != yours)


def _of_shadow(asker: Asker, drawing: Drawing, number: int) -> Iterator[_Candidate]:
    """Draw other scenes for the same people and yield the questions about those that nothing told comes near."""
    library, world = asker.library, asker.world
    told = timeline.build(library, world, drawing(f"shadow {number}"))
    told, _ = reviewed(told, partial(timeline_review.check, library, world), partial(timeline_review.correct, library))
    seen = streams.refract(library, world, told)
    shadow = Asker(library, world, told, seen, drawing(f"shadow {number} questions"))
    candidates, _ = reviewed(questions.build(shadow), questions.check, questions.correct)
    hinted = library.tables["unanswerable"]["hinted"]
    for question in candidates:
        scene = told.scene(question.scenes[-1 if question.category == "causal_reasoning" else 0])
        if scene.kind not in hinted and not near(asker, scene):
            yield _Candidate(question, scene, _reason(asker, scene))


def near(asker: Asker, scene: Scene) -> list[Scene]:
    """Return the told scenes that might answer a question about a scene.

    Of a scene that is what touched its two people, or anyone in the home of the first, near that time; of an
    undertaking of all five any such near that time; of a course of weeks the same person's, and of a value that of
    anyone in the home, whenever they were.
    """
    family = asker.kind(scene).family
    first = scene.cast["a"]
    home = asker.world.person(first).home
    people = {first, scene.cast["b"]} | {one.name for one in asker.world.people if one.home == home}
    same = [other for other in asker.timeline.scenes if other.kind == scene.kind]
    if family == "track":
        return [other for other in same if other.cast["a"] == first]
    if family == "value":
        return [other for other in same if people & set(other.cast.values())]
    return [
        other
        for other in same
        if abs(other.start - scene.start) <= APART and (family == "plan" or people & set(other.cast.values()))
    ]


def _reason(asker: Asker, scene: Scene) -> str:
    same = [other for other in asker.timeline.scenes if other.kind == scene.kind]
    if not same:
        return "never_happened"
    theirs = [other for other in same if scene.cast["a"] == other.cast["a"]]
    return "wrong_time" if theirs else "wrong_person"


def _private(asker: Asker, category: str, draw: random.Random) -> _Candidate | None:
    """Return the question about what is sealed, asked by somebody who may see nothing of it."""
    makers: Mapping[str, Callable[[Asker, Scene, str], Question]] = {
        "perspective_difference": questions.perspective_of,
        "conflict_arbitration": questions.conflict_of,
    }
    if category not in makers:
        return None
    scene = next(
        scene
        for scene in asker.timeline.scenes
        if scene.stance == SEALED and bool(scene.pattern) == (category == "conflict_arbitration")
    )
    outside = [
        person.name
        for person in asker.world.people
        if not any(event.private for event, _ in asker.seen(scene, person.name))
    ]
    return _Candidate(makers[category](asker, scene, draw.choice(outside)), scene, "private")


def _fits(one: _Candidate, category: str, chosen: Sequence[_Candidate], asked: Sequence[Question]) -> bool:
    """Say whether a candidate is of a category, of a kind not chosen yet, and not worded like another question."""
    if one.question.category != category or any(one.scene.kind == other.scene.kind for other in chosen):
        return False
    said = content(one.question.text)
    known = (*asked, *(other.question for other in chosen))
    return all(jaccard(said, content(other.text)) <= ALIKE_WORDS for other in known)


def _made(one: _Candidate) -> Unanswerable:
    asked = one.question
    people = (one.scene.cast["a"], one.scene.cast["b"])
    return Unanswerable(
        "", asked.text, asked.lang, asked.viewer, asked.asked_at, asked.category, one.reason, one.scene.kind, people,
        one.scene.start.date(),
    )  # fmt: skip
