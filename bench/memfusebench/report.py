"""The report of a set: its shape and the measured figures of its limits."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import ge, le, lt
from statistics import fmean
from typing import Any, Final

from bench.memfusebench import filtering
from bench.memfusebench.files import event_fields
from bench.memfusebench.measures import CUT, bm25_recall, second_hop, source_likeness
from bench.memfusebench.model import CATEGORIES, Question
from bench.memfusebench.scenario import Scenario
from bench.memfusebench.words import content, count_tokens

LIMITS: Final = {
    "bm25_recall@20": ("below", 0.45),
    "source_likeness": ("at most", 0.2),
    "worded_links": ("at most", 0.3),
    "second_hop": ("at least", 0.3),
    "carried_why_questions": ("at least", 40),
}
"""What a set of six scenarios must keep to."""


def measured(scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """Return the figures of a set, overall and by scenario."""
    return {"overall": _figures(scenarios), "by_scenario": {one.world.group: _figures([one]) for one in scenarios}}


def _figures(scenarios: Sequence[Scenario]) -> dict[str, Any]:
    questions = [question for one in scenarios for question in one.questions]
    recalls, hops, likeness = [], [], []
    for one in scenarios:
        events = one.everything.events
        recalls += bm25_recall(events, one.questions)
        hops += second_hop(events, one.questions)
        likeness += source_likeness(one.streams.events, one.streams.labels)
    links = Counter(link.carried_by for one in scenarios for link in one.timeline.links)
    carried = [
        question.id
        for one in scenarios
        for question in one.questions
        if question.category == "causal_reasoning" and filtering.is_carried(one.asker, question)
    ]
    return {
        "events": sum(len(one.everything.events) for one in scenarios),
        "questions": len(questions),
        "unanswerable": sum(len(one.unanswerable) for one in scenarios),
        "evidence_mean": round(fmean(len(question.evidence) for question in questions), 2),
        f"bm25_recall@{CUT}": round(fmean(recalls), 4),
        "bm25_by_category": _by_category(questions, recalls),
        "evidence_by_category": _by_category(questions, [len(question.evidence) for question in questions]),
        "source_likeness": round(fmean(likeness), 4),
        "links": dict(sorted(links.items())),
        "worded_links": round(links["wording"] / links.total(), 4),
        "second_hop": round(sum(hop == "word" for hop in hops) / len(hops), 4),
        "second_hop_with_time": round(sum(hop != "" for hop in hops) / len(hops), 4),
        "carried_why_questions": len(carried),
        "asks_past": sum(question.asks_past for question in questions),
        "lexical_way_in": round(fmean(_lexical(one, question) for one in scenarios for question in one.questions), 4),
        **_events(scenarios),
    }


def _by_category(questions: Sequence[Question], values: Sequence[float]) -> dict[str, float]:
    pairs = list(zip(questions, values, strict=True))
    return {
        category: round(fmean(value for question, value in pairs if question.category == category), 3)
        for category in CATEGORIES
    }


def _lexical(one: Scenario, question: Question) -> bool:
    by_id = one.asker.events
    return any(content(question.text) & content(by_id[event_id].text) for event_id in question.evidence)


def _events(scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """Return what the events are, by kind of source, part, language, precision and verdict."""
    pairs = [pair for one in scenarios for pair in zip(one.everything.events, one.everything.labels, strict=True)]
    events = [event for event, _ in pairs]
    late = [event for event in events if (event.arrives - event.at).days >= 1 and event.source.kind != "bank"]
    return {
        "text_tokens": sum(count_tokens(event.text) for event in events),
        "field_tokens": sum(count_tokens(str(event_fields(event))) for event in events),
        "private": sum(event.private for event in events),
        "late_arrivals": len(late),
        "times": dict(sorted(Counter(event.precision for event in events).items())),
        "languages": dict(sorted(Counter(event.lang for event in events).items())),
        "sources": dict(sorted(Counter(event.source.kind for event in events).items())),
        "parts": dict(sorted(Counter(label.part for _, label in pairs).items())),
        "verdicts": dict(sorted(Counter(label.verdict for _, label in pairs if label.verdict).items())),
        "worded_changes": sum(label.worded for _, label in pairs),
        "noise": dict(sorted(Counter(label.mode for _, label in pairs if label.mode).items())),
        "review_faults": dict(
            sorted(
                Counter(
                    f"{stage}: {fault.rule}"
                    for one in scenarios
                    for stage, rounds in one.reviews.items()
                    for review in rounds
                    for fault in review.faults
                ).items()
            )
        ),
    }


def broken(figures: Mapping[str, Any], *, whole: bool = True) -> list[str]:
    """Return the limits that a set's overall figures break, as text; counts bind a `whole` set of six only."""
    kept: Mapping[str, Callable[[float, float], bool]] = {"below": lt, "at most": le, "at least": ge}
    return [
        f"{name} is {figures[name]}, must be {how} {limit}"
        for name, (how, limit) in LIMITS.items()
        if (whole or limit < 1) and not kept[how](figures[name], limit)
    ]
