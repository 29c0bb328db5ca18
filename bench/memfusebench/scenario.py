"""One scenario through the six stages, each followed by its review."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from typing import Final

from bench.memfusebench import (
    filtering,
    noise,
    personas,
    questions,
    routine,
    streams,
    timeline,
    timeline_review,
    unanswerable,
)
from bench.memfusebench.asking import Asker
from bench.memfusebench.library import Library
from bench.memfusebench.model import Question, Review, SetLang, Streams, Timeline, World
from bench.memfusebench.review import reviewed
from bench.memfusebench.unanswerable import Unanswerable

EVENTS: Final = 1304
"""Events of a scenario; the sixth has one fewer, so that six have 7,823."""
NOISE: Final = 200


@dataclass(frozen=True, slots=True)
class Scenario:
    """A finished scenario, with the rounds of review that each stage took."""

    world: World
    timeline: Timeline
    streams: Streams
    """The events without noise, in the order of the scenes."""
    candidates: tuple[Question, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Unanswerable, ...]
    noise: Streams
    asker: Asker
    reviews: dict[str, tuple[Review, ...]]

    @property
    def everything(self) -> Streams:
        """The events with noise, in the order of their arrival."""
        pairs = zip((*self.streams.events, *self.noise.events), (*self.streams.labels, *self.noise.labels), strict=True)
        ordered = sorted(pairs, key=lambda pair: (pair[0].arrives.astimezone(UTC), pair[0].id))
        return Streams(tuple(event for event, _ in ordered), tuple(label for _, label in ordered))


def build(library: Library, seed: int, number: int, lang: SetLang) -> Scenario:
    """Build the scenario `number` (from 0) of a seed. It is the same in a set of any size."""
    group = f"mfb-{seed}-{number + 1}"
    reviews: dict[str, tuple[Review, ...]] = {}

    def drawing(stage: str) -> random.Random:
        return random.Random(f"MemFuseBench {group} {lang} {stage}")

    world = personas.build(library, group, personas.language_of(number, lang), drawing("personas"))
    world, reviews["personas"] = reviewed(world, personas.check, personas.correct)

    told = timeline.build(library, world, drawing("timeline"))
    told, reviews["timeline"] = reviewed(
        told, partial(timeline_review.check, library, world), partial(timeline_review.correct, library)
    )

    total = EVENTS - (number % 6 == 5) - NOISE  # noqa: PLR2004
    made = streams.refract(library, world, told)
    made = routine.fill(library, world, made, total, drawing("streams"))
    made, reviews["streams"] = reviewed(
        made, partial(streams.check, told), partial(streams.correct, library, world, told)
    )

    asker = Asker(library, world, told, made, drawing("questions"))
    candidates, reviews["questions"] = reviewed(questions.build(asker), questions.check, questions.correct)

    picked = filtering.select(candidates, filtering.quotas(number), drawing("filter"))
    picked, reviews["filter"] = reviewed(picked, filtering.Rules(asker).check, filtering.correct)
    asked = _numbered(picked.chosen, group)
    lost = unanswerable.build(asker, asked, number, drawing)
    open_ended = tuple(replace(one, id=f"{group}-u{n:02}") for n, one in enumerate(lost, 1))

    imitator = noise.Imitator(library, world, told, made, asked, open_ended)
    added, reviews["noise"] = reviewed(imitator.add(NOISE, drawing("noise")), imitator.check, imitator.correct)
    return Scenario(
        world, told, made, candidates, asked, open_ended, Streams(added.events, added.labels), asker, reviews
    )


def _numbered(chosen: Sequence[Question], group: str) -> tuple[Question, ...]:
    return tuple(replace(question, id=f"{group}-q{n:02}") for n, question in enumerate(chosen, 1))
