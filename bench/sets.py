"""The public sets that recall is measured on: LoCoMo and LifeBench. Their files are not part of the project."""

import json
import re
from calendar import monthrange
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import graph
from api.readers import Batch, lifebench_user, locomo_conversation
from bench.metrics import Asked, by_category, latency, metrics
from bench.scratch import ingest, scratch_memory
from graph.ports import Progress

PROFILE = "relevance"
"""The sets ask what was said, not what is fresh: the question alone ranks."""

LIMIT = 50

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set, asked at a time, and the event ids that its answer needs."""

    text: str
    category: str
    needs: frozenset[str]
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Part:
    """A group of a set and what is asked of it."""

    batch: Batch
    questions: list[Question]


def locomo(path: Path) -> Iterator[Part]:
    """Read a LoCoMo file; each question is asked the day after the last session."""
    for item in json.loads(path.read_text("utf-8")):
        batch = locomo_conversation(item)
        known = {event.event_id for event in batch.events}
        last = max(datetime.fromisoformat(event.occurred_at or "").replace(tzinfo=UTC) for event in batch.events)
        asked_at = last + timedelta(days=1)
        yield Part(
            batch,
            [
                Question(qa["question"], str(qa["category"]), evidence_ids(qa["evidence"]) & known, asked_at)
                for qa in item["qa"]
            ],
        )


def evidence_ids(stated: list[str]) -> frozenset[str]:
    """Return the turn ids in LoCoMo's evidence, of which some are written like "D8:6; D9:17" or "D30:05"."""
    return frozenset(f"D{int(d)}:{int(t)}" for text in stated for d, t in _EVIDENCE.findall(text))


def lifebench(path: Path) -> Iterator[Part]:
    """Read a LifeBench file; a question that names a month only is asked at its end."""
    whole = json.loads(path.read_text("utf-8"))
    batch = lifebench_user(whole)
    known = {event.event_id for event in batch.events}
    yield Part(
        batch,
        [
            Question(qa["question"], qa["type"], frozenset(qa["evidence"]) & known, _asked_at(qa["ask_time"]))
            for qa in whole["qa"]
        ],
    )


def _asked_at(text: str) -> datetime:
    if len(text) == len("2025-01"):
        year, month = map(int, text.split("-"))
        return datetime(year, month, monthrange(year, month)[1], 23, 59, 59, tzinfo=UTC)
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


SETS = {"locomo": locomo, "lifebench": lifebench}


async def run(name: str, path: Path, progress: Progress) -> dict[str, Any]:
    """Record a set in a scratch memory, ask all its questions in turn, and return the report."""
    parts = list(SETS[name](path))
    async with scratch_memory(progress) as (memory, _):
        began, atoms = perf_counter(), 0
        for part in parts:
            scope = _scope(part)
            atoms += len(await ingest(memory, scope, list(part.batch.events), f"recording {scope.group}", progress))
        took = perf_counter() - began
        asked = [one async for one in _ask_all(memory, parts, progress)]
        versions, model = memory.versions, memory.embedding.name
    return {
        "bench": name,
        "data": path.name,
        "questions": len(asked),
        "metrics": _metrics(name, asked),
        "latency_ms": latency(asked),
        "ingest": {"atoms": atoms, "per_second": round(atoms / took, 1)},
        "settings": {
            "profile": PROFILE,
            "limit": LIMIT,
            "model": model,
            "asked_at": "the day after the last session" if name == "locomo" else "ask_time, a month's end",
        },
        "versions": versions,
    }


def _metrics(name: str, asked: list[Asked]) -> dict[str, Any]:
    figures: dict[str, Any] = {"overall": metrics(asked)}
    if name == "locomo":
        figures["categories 1-4"] = metrics(one for one in asked if one.category in "1234")
    return figures | {"by_category": by_category(asked)}


async def _ask_all(memory: graph.Memory, parts: list[Part], progress: Progress) -> AsyncIterator[Asked]:
    total, done = sum(len(part.questions) for part in parts), 0
    for part in parts:
        scope = _scope(part)
        # The first answers of a fresh server are slow; they are given again below.
        for question in part.questions[:10]:
            await memory.search(scope, question.text, limit=LIMIT, profile=PROFILE, asked_at=question.asked_at)
        for question in part.questions:
            answer = await memory.search(scope, question.text, limit=LIMIT, profile=PROFILE, asked_at=question.asked_at)
            embedding = answer.timings_ms["embedding"]
            yield Asked(
                question.category,
                question.needs,
                [evidence.atom.event_id for evidence in answer.evidence],
                sum(answer.timings_ms.values()) - embedding,
                embedding,
            )
            done += 1
            progress("asking", done, total)


def _scope(part: Part) -> graph.Scope:
    return graph.Scope(part.batch.group or "bench", "bench")
