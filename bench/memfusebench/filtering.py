"""Stage 5: which candidates are asked. Every rule is a check that runs; what is dropped is kept with its reason."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bench.memfusebench.asking import DATE, Asker, carriers, says, supports
from bench.memfusebench.model import CATEGORIES, Event, Fault, Label, Question
from bench.memfusebench.words import content, holds, jaccard

ALIKE_WORDS: Final = 0.85
"""Two questions must not share more of their content words than this."""
ALIKE_EVIDENCE: Final = 0.8
"""Two questions of one category must not share more of their evidence than this."""


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


def select(candidates: Sequence[Question], needed: Mapping[str, int], draw: random.Random) -> Selection:
    """Take as many of each category as are needed; of cross-user questions those of whole courses first."""
    chosen: list[Question] = []
    reserve = {}
    for category, count in needed.items():
        pool = [question for question in candidates if question.category == category]
        draw.shuffle(pool)
        if category == "cross_user_query":
            pool.sort(key=lambda question: -len(question.evidence))
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


@dataclass(frozen=True, slots=True)
class Rules:
    """The checks of this stage over one scenario's events."""

    asker: Asker
    known: dict[Question, Fault | None] = field(default_factory=dict)
    """What was found before: a question is looked at again in every round of the review."""

    def check(self, selection: Selection) -> list[Fault]:
        """Return each chosen question's first fault."""
        faults = []
        for number, question in enumerate(selection.chosen):
            if question not in self.known:
                self.known[question] = self.fault_of(question)
            fault = self.known[question] or _like_another(question, selection.chosen[:number])
            if fault:
                faults.append(fault)
        return faults

    def fault_of(self, question: Question) -> Fault | None:
        """Return what is wrong with a question by itself."""
        evidence = [self.asker.events[event_id] for event_id in question.evidence]
        checks = (
            ("answer_in_question", self._answer_words(question)),
            (
                "item_without_evidence",
                [i.fact for i in question.checklist if not i.derived and not any(supports(e, i) for e in evidence)],
            ),
            ("evidence_left_out", self._left_out(question)),
            ("one_event_passes", self._passing(question)),
            ("evidence_hidden", [e.id for e in evidence if not e.visible_to(question.viewer)]),
            ("evidence_too_late", [e.id for e in evidence if max(e.at, e.arrives) >= question.asked_at]),
            ("no_way_in", [] if self._way_in(question, evidence) else [question.text]),
        )
        return next((Fault(rule, question.id, "; ".join(seen)) for rule, seen in checks if seen), None)

    def _answer_words(self, question: Question) -> list[str]:
        """Return what of the checklist the question already says: content words, but names of persons; whole dates."""
        names = content(" ".join(person.name for person in self.asker.world.people))
        told = []
        for phrase in (phrase for item in question.checklist for phrase in item.any_of):
            if DATE.fullmatch(phrase):
                told += [phrase] if holds(question.text, [phrase]) else []
            else:
                told += sorted(content(question.text) & content(phrase) - names)
        return told

    def _way_in(self, question: Question, evidence: Sequence[Event]) -> bool:
        """Say whether some evidence shares a content word with the question.

        In a group of two languages, where question and evidence may differ in theirs, a person's name will do.
        """
        asked = content(question.text)
        if any(asked & content(event.text) for event in evidence):
            return True
        return self.asker.world.lang == "mixed" and any(event.user in question.text for event in evidence)

    def _left_out(self, question: Question) -> list[str]:
        """Return events that hold an item, may be seen, and are no evidence.

        Of events of other matters those count that say it in words; a number or a day they may share by chance.
        """
        told = [item for item in question.checklist if not item.common]
        own = {event.id for scene in question.scenes for event, _ in self.asker.by_scene[scene]}
        return [
            event.id
            for event in self.asker.events.values()
            if event.id not in question.evidence
            and event.visible_to(question.viewer)
            and (
                any(supports(event, item) for item in question.checklist)
                if event.id in own
                else any(says(event, item) for item in told)
            )
        ]

    def _passing(self, question: Question) -> list[str]:
        """Return events that alone pass the whole checklist."""
        return [
            event.id
            for event in self.asker.events.values()
            if event.visible_to(question.viewer) and all(supports(event, item) for item in question.checklist)
        ]


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
