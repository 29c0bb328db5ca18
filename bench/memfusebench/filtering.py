"""Stage 5: which candidates are asked. Every rule is a check that runs; what is dropped is kept with its reason."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bench.memfusebench.asking import Asker, carriers, supports
from bench.memfusebench.model import CATEGORIES, Event, Fault, Label, Question
from bench.memfusebench.texts import MONTHS
from bench.memfusebench.words import content, jaccard

ALIKE_WORDS: Final = 0.85
"""Two questions must not share more of their content words than this."""
ALIKE_EVIDENCE: Final = 0.6
"""Two questions of one category must not share more of their evidence than this."""
_CALENDAR: Final = content(" ".join(MONTHS)) | {"月", "日", "号"}
CARRIED_CAUSAL: Final = 8
"""Causal questions a scenario of which every link is carried, as far as there are enough."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Chosen questions and those in reserve, by category; `needed` is the count for each."""

    chosen: tuple[Question, ...]
    reserve: Mapping[str, tuple[Question, ...]]
    needed: Mapping[str, int]


def quotas(scenario: int) -> dict[str, int]:
    """Return how many questions of each category a scenario asks: 60, and 59 in every second one; 357 in six."""
    counts = dict.fromkeys(CATEGORIES, 10)
    if scenario % 2:
        counts[CATEGORIES[scenario // 2 % len(CATEGORIES)]] -= 1
    return counts


def select(asker: Asker, candidates: Sequence[Question], needed: Mapping[str, int], draw: random.Random) -> Selection:
    """Take as many of each category as are needed; causal questions that are carried at every link come first."""
    chosen: list[Question] = []
    reserve = {}
    for category, count in needed.items():
        pool = [question for question in candidates if question.category == category]
        draw.shuffle(pool)
        if category == "causal_reasoning":
            carried = [question for question in pool if is_carried(asker, question)]
            others = [question for question in pool if question not in carried]
            pool = carried[:CARRIED_CAUSAL] + others[: count - CARRIED_CAUSAL] + carried[CARRIED_CAUSAL:]
        chosen += pool[:count]
        reserve[category] = tuple(pool[count:])
    return Selection(tuple(chosen), reserve, needed)


def is_carried(asker: Asker, question: Question) -> bool:
    """Say whether every link of a question's chain is carried by wording or an id that its evidence shows."""
    evidence = set(question.evidence)

    def shown(scene_id: str) -> list[tuple[Event, Label]]:
        return [pair for pair in asker.by_scene[scene_id] if pair[0].id in evidence]

    return bool(question.links) and all(
        all(carriers(link, shown(link.cause), shown(link.effect))) for link in question.links
    )


@dataclass
class Rules:
    """The checks of this stage over one scenario's events."""

    asker: Asker
    events: Mapping[str, Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.events = {event.id: event for event in self.asker.streams.events}

    def check(self, selection: Selection) -> list[Fault]:
        """Return each chosen question's first fault."""
        faults = []
        for number, question in enumerate(selection.chosen):
            fault = self.fault_of(question) or _like_another(question, selection.chosen[:number])
            if fault:
                faults.append(fault)
        return faults

    def fault_of(self, question: Question) -> Fault | None:
        """Return what is wrong with a question by itself."""
        evidence = [self.events[event_id] for event_id in question.evidence]
        checks = (
            ("answer_in_question", self._answer_words(question)),
            ("item_without_evidence", [i.fact for i in question.checklist if not any(supports(e, i) for e in evidence)]),
            ("one_event_passes", self._passing(question)),
            ("evidence_hidden", [e.id for e in evidence if not e.visible_to(question.viewer)]),
            ("evidence_too_late", [e.id for e in evidence if max(e.at, e.arrives) >= question.asked_at]),
            ("no_way_in", [] if _anchored(question, evidence) else [question.text]),
        )
        return next((Fault(rule, question.id, "; ".join(seen)) for rule, seen in checks if seen), None)

    def _answer_words(self, question: Question) -> list[str]:
        """Return the content words that question and checklist share; persons' names and months are no answers."""
        answers = {word for item in question.checklist for phrase in item.any_of for word in content(phrase)}
        names = content(" ".join(person.name for person in self.asker.world.people))
        return sorted((content(question.text) & answers) - names - _CALENDAR)

    def _passing(self, question: Question) -> list[str]:
        """Return events that alone pass the whole checklist."""
        return [
            event.id
            for event in self.events.values()
            if event.visible_to(question.viewer) and all(supports(event, item) for item in question.checklist)
        ]


def _anchored(question: Question, evidence: Iterable[Event]) -> bool:
    asked = content(question.text)
    return any(asked & content(event.text) for event in evidence)


def _like_another(question: Question, earlier: Iterable[Question]) -> Fault | None:
    for other in earlier:
        same = question.category == other.category
        if jaccard(content(question.text), content(other.text)) > ALIKE_WORDS:
            return Fault("near_duplicate", question.id, other.id)
        if same and jaccard(frozenset(question.evidence), frozenset(other.evidence)) > ALIKE_EVIDENCE:
            return Fault("same_evidence", question.id, other.id)
    return None


def correct(selection: Selection, fault: Fault) -> Selection:
    """Put the next in reserve in the place of a faulty question.

    Raises:
        ValueError: no candidate of the category is left.
    """
    place = next(i for i, question in enumerate(selection.chosen) if question.id == fault.where)
    category = selection.chosen[place].category
    if not selection.reserve[category]:
        raise ValueError(f"No candidate is left for {category}; the last fault was {fault}.")
    following, *rest = selection.reserve[category]
    chosen = (*selection.chosen[:place], following, *selection.chosen[place + 1 :])
    return replace(selection, chosen=chosen, reserve={**selection.reserve, category: tuple(rest)})
