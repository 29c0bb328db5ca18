"""MemFuseBench's harness: events in order of arrival, each question asked of every system when its time has come.

Ours is the memory on a server of its own, by its front door, whole and with each part switched off; beside it stand
the baselines, which see exactly what the viewer may see and what has arrived. What the system does not have yet is
reported as not run.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np

import graph
from bench.baselines import BASELINES, Corpus, best
from bench.intervals import interval95
from bench.memfuse_sets import Question, Scenario, described, may_see, read_all
from bench.memfusebench.words import count_tokens
from bench.metrics import Asked, complete, latency, metrics, percentile, recall
from bench.scoring import REPLACING, share, wilson95
from bench.scratch import commit, ingest, scratch_memory
from graph.embedding import load_embedder
from graph.ports import Embedder, Progress, Vectors
from graph.settings import Settings

LIMIT: Final = 20
_CUTS: Final = (5, 10, LIMIT)
_WITH_INTERVAL: Final = (
    ("recall@10", recall, 10),
    (f"recall@{LIMIT}", recall, LIMIT),
    (f"all@{LIMIT}", complete, LIMIT),
)
PROFILE: Final = "relevance"
NOT_RUN: Final = "not run: the system does not do this yet"

OURS: Final = "fusegraph"
NO_WINDOWS: Final = "without windows"
_WHOLE: Final = graph.WEIGHTS
SYSTEMS: Final[Mapping[str, graph.Weights]] = {
    OURS: _WHOLE,
    "without vectors": replace(_WHOLE, arms={**_WHOLE.arms, "vector": 0.0}),
    "without full text": replace(_WHOLE, arms={**_WHOLE.arms, "english": 0.0, "chinese": 0.0}),
    "without entities": replace(_WHOLE, arms={**_WHOLE.arms, "entity": 0.0}),
    "without the asked time": replace(_WHOLE, asked=0.0),
    "without signs": replace(_WHOLE, signs={}),
    "without paths": replace(_WHOLE, hops=0),
}
"""Ours, whole and with a part switched off. `NO_WINDOWS` needs another index, and is fed beside these."""

_DISTRACTORS: Final = frozenset({"adversarial", "noise", "conflicting"})
_OWN_TEXT_ONLY: Final = "MATCH (a:Atom {group_id: $group}) WHERE a.window <> a.text SET a.window = a.text"


class Opener(Protocol):
    """Opens a memory for one pass over the sets, and leaves nothing of it behind."""

    def __call__(
        self, progress: Progress, embedder: Embedder, /
    ) -> AbstractAsyncContextManager[tuple[graph.Memory, object]]:
        """Return the memory to be entered, and what it runs on."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system returned for one question, and how much of it should not be there."""

    asked: Asked
    language: str
    leaks: int
    distractors: float
    tokens: int

    @classmethod
    def of(cls, scenario: Scenario, question: Question, found: list[str], search_ms: float) -> "Outcome":
        """Score the event ids that a system returned, best first."""
        seen = [scenario.events[event_id] for event_id in found]
        wrong = [scenario.parts[event_id] in _DISTRACTORS and event_id not in question.needs for event_id in found]
        return cls(
            Asked(question.category, question.needs, found, search_ms, 0.0),
            question.language,
            leaks=sum(not may_see(question.viewer, event) for event in seen),
            distractors=sum(wrong) / max(1, len(found)),
            tokens=sum(count_tokens(event.text) for event in seen),
        )


Collected = dict[str, dict[str, list[Outcome]]]
"""Every system's outcomes, by system and scenario."""
Outcomes = Mapping[str, Sequence[Outcome]]
"""A system's outcomes by scenario, in the order of asking."""


class Remembering:
    """An embedder that embeds a text once, however many systems ask. An `Embedder`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[str, str], Vectors] = {}
        self.name, self.dimension = embedder.name, embedder.dimension
        self.query_ms: list[float] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found."""
        return self._remembered("passage", texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question; what it took when it was new is kept in `query_ms`."""
        return self._remembered("query", texts)

    def _remembered(self, kind: str, texts: Sequence[str]) -> Vectors:
        fresh = list(dict.fromkeys(text for text in texts if (kind, text) not in self._known))
        if fresh:
            embed = self._embedder.passages if kind == "passage" else self._embedder.queries
            began = perf_counter()
            self._known |= {(kind, text): vector for text, vector in zip(fresh, embed(fresh), strict=True)}
            if kind == "query":
                self.query_ms.append(1e3 * (perf_counter() - began) / len(fresh))
        return np.stack([self._known[kind, text] for text in texts])


async def run(sets: Sequence[Path], progress: Progress, opened: Opener = scratch_memory) -> dict[str, Any]:
    """Feed the sets, ask all their questions of every system, and return one report over all scenarios.

    Raises:
        InvalidInput: a folder holds no generated set, or two hold the same scenario.
    """
    about = {folder.name: described(folder) for folder in sets}
    scenarios = read_all(sets)
    embedder = Remembering(load_embedder(graph.PACKAGED_MODEL, Settings().cache))
    outcomes: Collected = defaultdict(lambda: defaultdict(list))
    for number, scenario in enumerate(scenarios, 1):
        _ask_baselines(scenario, embedder, outcomes)
        progress("baselines", number, len(scenarios))
    async with opened(progress, embedder) as (memory, _):
        judged = await _ask_ours(memory, scenarios, SYSTEMS, outcomes, progress)
        versions = memory.versions
    async with opened(progress, embedder) as (memory, _):
        await _ask_ours(memory, scenarios, {NO_WINDOWS: _WHOLE}, outcomes, progress)
    reports = {name: report_of(collected, outcomes[OURS]) for name, collected in outcomes.items()}
    ours = reports[OURS]
    return {
        "bench": "memfuse",
        "data": list(about),
        "sets": about,
        "scenarios": len(scenarios),
        "questions": sum(len(scenario.questions) for scenario in scenarios),
        "metrics": {
            "overall": _metrics_only(ours),
            "by_category": {name: _metrics_only(figures) for name, figures in ours["by_category"].items()},
        },
        "latency_ms": {**ours["latency_ms"], "embedding_p50": round(percentile(embedder.query_ms, 50), 2)},
        "leaks": ours["leaks"],
        "systems": {name: report for name, report in reports.items() if name in (*BASELINES, OURS)},
        "ablations": {name: report for name, report in reports.items() if name not in (*BASELINES, OURS)},
        "clusters": NOT_RUN,
        "verdicts": verdict_figures(judged),
        "causal_paths": NOT_RUN,
        "unanswerable": NOT_RUN,
        "settings": {"profile": PROFILE, "limit": LIMIT, "model": embedder.name, "asked_at": "askedAt"},
        "versions": {**versions, "fusegraph": commit()},
    }


def verdict_figures(judged: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return how often the verdict was the label's, and how often something was replaced that should not have been."""
    by_label: dict[str, list[bool]] = defaultdict(list)
    for expected, verdict in judged:
        by_label[expected].append(expected == verdict)
    kept = [verdict for expected, verdict in judged if expected not in REPLACING]
    wrong = sum(verdict in REPLACING for verdict in kept)
    return {
        "events": len(judged),
        "accuracy": share(expected == verdict for expected, verdict in judged),
        "by_label": {
            label: {"events": len(right), "accuracy": share(right)} for label, right in sorted(by_label.items())
        },
        "wrong_replacements": {"count": wrong, "denominator": len(kept), "wilson95": wilson95(wrong, len(kept))},
    }


def _metrics_only(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if name == "questions" or "@" in name}


def told(event: graph.Event) -> str:
    """Return an event's text with who and when before it, the day as both languages write it."""
    day = date.fromisoformat(event.occurred_at[:10]) if event.occurred_at else None
    when = f"{day.day} {day:%B %Y} {day.month}月{day.day}日" if day else ""
    return f"{event.user_id} {when} {event.text}"


def _ask_baselines(scenario: Scenario, embedder: Embedder, outcomes: Collected) -> None:
    events = [event for _, event in scenario.arrivals]
    corpus = Corpus([event.text for event in events], embedder, [told(event) for event in events])
    for question in scenario.questions:
        visible = np.array(scenario.visible(question.viewer, question.asked_at))
        for name, score in BASELINES.items():
            found = best(score(corpus, question.text, visible), LIMIT)
            ids = [events[place].event_id for place in found]
            outcomes[name][scenario.group].append(Outcome.of(scenario, question, ids, 0.0))


async def _ask_ours(
    memory: graph.Memory,
    scenarios: Sequence[Scenario],
    systems: Mapping[str, graph.Weights],
    outcomes: Collected,
    progress: Progress,
) -> list[tuple[str, str]]:
    """Feed the scenarios to a memory and ask it, each system in every place of the row as often as another.

    Returned are the verdicts that the events' labels ask for, each with the one that was given.
    """
    names = list(systems)
    judged: list[tuple[str, str]] = []
    for scenario in scenarios:
        number = 0
        async for question in _fed(memory, scenario, progress, judged, windows=NO_WINDOWS not in systems):
            first = number % len(names)
            for name in (*names[first:], *names[:first]):
                found, search_ms = await _answer(memory, scenario, question, systems[name])
                outcomes[name][scenario.group].append(Outcome.of(scenario, question, found, search_ms))
            number += 1
            progress(f"asking {scenario.group}", number, len(scenario.questions))
    return judged


async def _fed(
    memory: graph.Memory, scenario: Scenario, progress: Progress, judged: list[tuple[str, str]], *, windows: bool
) -> AsyncIterator[Question]:
    """Yield each question when all that had arrived by its time, and nothing later, has been recorded."""
    given = 0
    for question in scenario.questions:
        due = [event for arrived, event in scenario.arrivals[given:] if arrived <= question.asked_at]
        if due:
            receipts = []
            for viewer, events in groupby(due, key=writer):
                scope = graph.Scope(scenario.group, viewer)
                receipts += await ingest(memory, scope, list(events), f"recording {scenario.group}", progress)
            judged += [
                (scenario.verdicts[receipt.event_id], receipt.ruled.verdict if receipt.ruled else "none")
                for receipt in receipts
                if receipt.event_id in scenario.verdicts
            ]
            given += len(due)
            if not windows:
                await memory.store._driver.execute_query(_OWN_TEXT_ONLY, group=scenario.group)  # noqa: SLF001
            # The first answer after a write is slow, whoever gives it; it is given again.
            await _answer(memory, scenario, question, _WHOLE)
        yield question


def writer(event: graph.Event) -> str:
    """Return who may send an event: its own user what is stated in private, else the hub that speaks for all."""
    return event.user_id if event.visibility == "private" and event.key is not None and event.user_id else "hub"


async def _answer(
    memory: graph.Memory, scenario: Scenario, question: Question, weights: graph.Weights
) -> tuple[list[str], float]:
    """Return the event ids found, best first, and the ms of the search without embedding."""
    answer = await memory.search(
        graph.Scope(scenario.group, question.viewer),
        question.text,
        limit=LIMIT,
        profile=PROFILE,
        asked_at=question.asked_at,
        weights=weights,
    )
    found = [evidence.atom.event_id for evidence in answer.evidence]
    return found, sum(answer.timings_ms.values()) - answer.timings_ms["embedding"]


def report_of(outcomes: Outcomes, ours: Outcomes) -> dict[str, Any]:
    """Return a system's figures overall and by part, and how far they lie from those of ours."""
    report = _figures(outcomes)
    for part in ("category", "language"):
        names = sorted({_part(one, part) for asked in outcomes.values() for one in asked})
        report[f"by_{part}"] = {
            name: _figures(
                {group: [one for one in asked if _part(one, part) == name] for group, asked in outcomes.items()}
            )
            for name in names
        }
    if outcomes is not ours:
        report["against_fusegraph"] = _difference(outcomes, ours)
    return report


def _part(outcome: Outcome, part: str) -> str:
    return outcome.asked.category if part == "category" else outcome.language


def _figures(outcomes: Outcomes) -> dict[str, Any]:
    everything = [one for asked in outcomes.values() for one in asked]
    asked = [one.asked for one in everything]
    figures: dict[str, Any] = {
        **metrics(asked, _CUTS),
        "interval95": {
            name: interval95({group: [measure(one.asked, k) for one in some] for group, some in outcomes.items()})
            for name, measure, k in _WITH_INTERVAL
        },
        "leaks": sum(one.leaks for one in everything),
        f"distractor_share@{LIMIT}": round(fmean(one.distractors for one in everything), 4),
        f"tokens@{LIMIT}": round(fmean(one.tokens for one in everything), 1),
    }
    if len(asked) > 1 and all(one.search_ms for one in asked):
        figures["latency_ms"] = {name: ms for name, ms in latency(asked).items() if name != "embedding_p50"}
    return figures


def _difference(theirs: Outcomes, ours: Outcomes) -> dict[str, Any]:
    """Return how far recall lies from that of ours: question by question, so that hard ones do not blur it."""
    apart = {
        group: [
            recall(one.asked, LIMIT) - recall(own.asked, LIMIT)
            for one, own in zip(theirs[group], ours[group], strict=True)
        ]
        for group in ours
    }
    mean = fmean(one for some in apart.values() for one in some)
    return {f"recall@{LIMIT}": round(mean, 4), "interval95": interval95(apart)}
