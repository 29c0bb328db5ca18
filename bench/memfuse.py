"""MemFuseBench's harness: events in order of arrival, each question asked of every system when its time has come.

Ours is the memory on a server of its own, by its front door, whole and with each part switched off; beside it stand
the baselines, which see exactly what the viewer may see and what has arrived. What the system does not have yet is
reported as not run.
"""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

import graph
from api.readers import event_of
from bench.baselines import BASELINES, Corpus
from bench.intervals import interval95
from bench.memfusebench.words import count_tokens
from bench.metrics import Asked, by_category, complete, latency, metrics, recall
from bench.scratch import ingest, scratch_memory
from graph.embedding import load_embedder
from graph.ports import Embedder, Progress, Vectors

LIMIT: Final = 20
PROFILE: Final = "relevance"
NOT_RUN: Final = "not run: the system does not do this yet"

_WHOLE = graph.WEIGHTS
SYSTEMS: Final[Mapping[str, graph.Weights]] = {
    "fusegraph": _WHOLE,
    "without vectors": replace(_WHOLE, arms={**_WHOLE.arms, "vector": 0.0}),
    "without full text": replace(_WHOLE, arms={**_WHOLE.arms, "english": 0.0, "chinese": 0.0}),
    "without entities": replace(_WHOLE, arms={**_WHOLE.arms, "entity": 0.0}),
    "without the asked time": replace(_WHOLE, asked=0.0),
    "without signs": replace(_WHOLE, signs={}),
    "without paths": replace(_WHOLE, hops=0),
}
"""Ours, whole and with a part switched off. "without windows" needs another index, and is fed beside these."""

_NO_WINDOWS: Final = "MATCH (a:Atom {group_id: $group}) WHERE a.window <> a.text SET a.window = a.text"
_DISTRACTORS: Final = frozenset({"adversarial", "noise", "conflicting"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a viewer asks it, and what its answer needs."""

    text: str
    category: str
    viewer: str
    asked_at: datetime
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One group of a set: its events in order of arrival, its questions in order of asking, its events' labels."""

    group: str
    arrivals: Sequence[tuple[datetime, graph.Event]]
    questions: Sequence[Question]
    parts: Mapping[str, str]

    def visible(self, viewer: str, at: datetime) -> list[bool]:
        """Tell of each event whether it had arrived and the viewer may see it."""
        return [
            arrived <= at and (event.visibility == "group" or event.user_id == viewer)
            for arrived, event in self.arrivals
        ]


@dataclass(slots=True)
class Tally:
    """What one system returned: outcomes by scenario, and what it should not have returned."""

    asked: dict[str, list[Asked]] = field(default_factory=lambda: defaultdict(list))
    leaks: int = 0
    distractors: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


class Remembering:
    """An embedder that embeds a text once, however many systems ask. An `Embedder`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[str, str], Vectors] = {}
        self.name, self.dimension = embedder.name, embedder.dimension

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found."""
        return self._remembered("passage", texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question."""
        return self._remembered("query", texts)

    def _remembered(self, kind: str, texts: Sequence[str]) -> Vectors:
        fresh = list(dict.fromkeys(text for text in texts if (kind, text) not in self._known))
        if fresh:
            embed = self._embedder.passages if kind == "passage" else self._embedder.queries
            self._known |= {(kind, text): vector for text, vector in zip(fresh, embed(fresh), strict=True)}
        return np.stack([self._known[kind, text] for text in texts])


def read(data: Path) -> list[Scenario]:
    """Read a generated set; labels are read for scoring, and go to no system."""
    arrivals, questions, parts = defaultdict(list), defaultdict(list), defaultdict(dict)  # type: ignore[var-annotated]
    for row in _rows(data / "events.jsonl"):
        arrivals[row["group"]].append((datetime.fromisoformat(row["arrivesAt"]), event_of(row["event"])))
    for row in _rows(data / "questions.jsonl"):
        questions[row["group"]].append(
            Question(
                row["question"],
                row["category"],
                row["viewer"],
                datetime.fromisoformat(row["askedAt"]),
                frozenset(row["evidence"]),
            )
        )
    for row in _rows(data / "labels.jsonl"):
        if row["type"] == "event":
            parts[row["group"]][row["eventId"]] = row["part"]
    return [
        Scenario(
            group,
            sorted(arrivals[group], key=lambda arrival: arrival[0]),
            sorted(questions[group], key=lambda question: question.asked_at),
            parts[group],
        )
        for group in sorted(arrivals)
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


async def run(sets: Sequence[Path], progress: Progress) -> dict[str, Any]:
    """Feed the sets, ask all their questions of every system, and return one report over all scenarios."""
    scenarios = [scenario for data in sets for scenario in read(data)]
    embedder = Remembering(load_embedder(graph.PACKAGED_MODEL))
    tallies: dict[str, Tally] = defaultdict(Tally)
    for scenario in scenarios:
        _ask_baselines(scenario, embedder, tallies)
        progress("baselines", len(tallies["bm25"].asked), len(scenarios))
    async with scratch_memory(progress, embedder) as (memory, _):
        for scenario in scenarios:
            async for question in _fed(memory, scenario, progress, windows=True):
                for name, weights in SYSTEMS.items():
                    await _ask(memory, scenario, question, weights, tallies[name])
        versions = memory.versions
    async with scratch_memory(progress, embedder) as (memory, _):
        for scenario in scenarios:
            async for question in _fed(memory, scenario, progress, windows=False):
                await _ask(memory, scenario, question, _WHOLE, tallies["without windows"])
    reports = {name: _report(tally) for name, tally in tallies.items()}
    ours = reports["fusegraph"]
    return {
        "bench": "memfuse",
        "data": [data.name for data in sets],
        "questions": sum(len(scenario.questions) for scenario in scenarios),
        "metrics": {"overall": ours["overall"], "by_category": ours["by_category"]},
        "latency_ms": ours["latency_ms"],
        "leaks": ours["leaks"],
        "systems": {name: report for name, report in reports.items() if not name.startswith("without ")},
        "ablations": {name: report for name, report in reports.items() if name.startswith("without ")},
        "clusters": NOT_RUN,
        "verdicts": NOT_RUN,
        "causal_paths": NOT_RUN,
        "unanswerable": NOT_RUN,
        "settings": {"profile": PROFILE, "limit": LIMIT, "model": embedder.name, "asked_at": "askedAt"},
        "versions": versions,
    }


def _ask_baselines(scenario: Scenario, embedder: Embedder, tallies: Mapping[str, Tally]) -> None:
    events = [event for _, event in scenario.arrivals]
    corpus = Corpus([event.text for event in events], embedder)
    for question in scenario.questions:
        visible = np.array(scenario.visible(question.viewer, question.asked_at))
        for name, score in BASELINES.items():
            scores = np.where(visible, score(corpus, question.text), -np.inf)
            order = [int(at) for at in np.argsort(-scores, kind="stable")[:LIMIT] if np.isfinite(scores[at])]
            _count(tallies[name], scenario, question, [events[at].event_id for at in order], 0.0, 0.0)


async def _fed(
    memory: graph.Memory, scenario: Scenario, progress: Progress, *, windows: bool
) -> AsyncIterator[Question]:
    """Yield each question when all that had arrived by its time, and nothing later, has been recorded."""
    hub = graph.Scope(scenario.group, "hub")
    given = 0
    for question in scenario.questions:
        due = [event for arrived, event in scenario.arrivals[given:] if arrived <= question.asked_at]
        if due:
            await ingest(memory, hub, due, f"recording {scenario.group}", progress)
            given += len(due)
            if not windows:
                await memory.store._driver.execute_query(_NO_WINDOWS, group=scenario.group)  # noqa: SLF001
        yield question
        progress(f"asking {scenario.group}", given, len(scenario.arrivals))


async def _ask(
    memory: graph.Memory, scenario: Scenario, question: Question, weights: graph.Weights, tally: Tally
) -> None:
    answer = await memory.search(
        graph.Scope(scenario.group, question.viewer),
        question.text,
        limit=LIMIT,
        profile=PROFILE,
        asked_at=question.asked_at,
        weights=weights,
    )
    embedding = answer.timings_ms["embedding"]
    found = [evidence.atom.event_id for evidence in answer.evidence]
    _count(tally, scenario, question, found, sum(answer.timings_ms.values()) - embedding, embedding)


def _count(
    tally: Tally, scenario: Scenario, question: Question, found: list[str], search_ms: float, embedding_ms: float
) -> None:
    by_id = {event.event_id: event for _, event in scenario.arrivals}
    seen = [by_id[event_id] for event_id in found]
    tally.leaks += sum(event.visibility != "group" and event.user_id != question.viewer for event in seen)
    wrong = [scenario.parts[event_id] in _DISTRACTORS and event_id not in question.needs for event_id in found]
    tally.distractors.append(sum(wrong) / max(1, len(found)))
    tally.tokens.append(sum(count_tokens(event.text) for event in seen))
    tally.asked[scenario.group].append(Asked(question.category, question.needs, found, search_ms, embedding_ms))


def _report(tally: Tally) -> dict[str, Any]:
    asked = [one for scenario in tally.asked.values() for one in scenario]
    report: dict[str, Any] = {
        "overall": metrics(asked),
        "interval95": {
            f"recall@{k}": interval95({g: [recall(one, k) for one in a] for g, a in tally.asked.items()})
            for k in (10, LIMIT)
        }
        | {"all@20": interval95({g: [complete(one, LIMIT) for one in a] for g, a in tally.asked.items()})},
        "by_category": by_category(asked),
        "leaks": tally.leaks,
        "distractor_share@20": round(fmean(tally.distractors), 4),
        "tokens@20": round(fmean(tally.tokens), 1),
    }
    if any(one.search_ms for one in asked):
        report["latency_ms"] = latency(asked)
    return report
