"""Many at once: how long each write takes where writers share a user, a source, entities, or the machine with readers.

Each writer sends its next event as soon as the last is acknowledged, so that the server is never at rest.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any, Final

import numpy as np

import graph
from bench.scratch import commit, scratch_memory
from graph.errors import FuseGraphError
from graph.ports import Progress

SECONDS: Final = 60
WARM: Final = 20

_ENTITIES: Final = ("Rosa", "the boiler", "Lisbon", "码头", "Project Heron")
_NOUNS: Final = "ticket garden lesson harbour recipe meeting parcel window bicycle doctor concert".split()
_QUESTIONS: Final = (
    "What did Rosa say about the boiler?",
    "When was the parcel moved to Lisbon?",
    "码头的会议几点开始",
    "Who ordered the bicycle?",
    "What changed in Project Heron?",
)


@dataclass(frozen=True, slots=True)
class Load:
    """So many writers and readers at once; `entities` tells that each event mentions two of five, in any order."""

    writers: int
    readers: int = 0
    entities: bool = False


LOADS: Final = {
    "12 writers, one user, one source": Load(12),
    "32 writers, 5 shared entities": Load(32, entities=True),
    "16 writers, 50 readers": Load(16, readers=50),
}


@dataclass(slots=True)
class _Taken:
    """The seconds of each call, and what failed."""

    writes: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    async def call(self, of: list[float], work: Callable[[], Awaitable[object]]) -> None:
        """Make a call, and note how long it took or how it failed."""
        began = perf_counter()
        try:
            await work()
        except FuseGraphError as error:
            self.failed.append(str(error)[:200])
        of.append(perf_counter() - began)


async def run(progress: Progress, seconds: int = SECONDS) -> dict[str, Any]:
    """Let each load run for so many seconds on a server of its own, and return the report."""
    metrics = {}
    for name, load in LOADS.items():
        async with scratch_memory(progress) as (memory, _):
            metrics[name] = await _measure(memory, name, load, seconds, progress)
            versions = memory.versions
    return {
        "bench": "writers",
        "loads": metrics,
        "settings": {"commit": commit(), "seconds": seconds, "processors": os.cpu_count()},
        "versions": versions,
    }


async def _measure(memory: graph.Memory, name: str, load: Load, seconds: int, progress: Progress) -> dict[str, Any]:
    scope = graph.Scope("writers", "ann")
    numbers = count()
    for _ in range(WARM):  # statements are compiled once
        number = next(numbers)
        await memory.record_events(scope, [_event(number, number % load.writers, load)])
        await memory.search(scope, _QUESTIONS[number % len(_QUESTIONS)])
    taken = _Taken()
    before = memory.store.retries
    began = perf_counter()

    async def write(writer: int) -> None:
        while perf_counter() - began < seconds:
            event = _event(next(numbers), writer, load)
            await taken.call(taken.writes, lambda event=event: _recorded(memory, scope, event))  # type: ignore[misc]

    async def read(reader: int) -> None:
        for number in count(reader):
            if perf_counter() - began >= seconds:
                return
            question = _QUESTIONS[number % len(_QUESTIONS)]
            await taken.call(taken.searches, lambda question=question: memory.search(scope, question))  # type: ignore[misc]

    async with _shown(progress, name, seconds), asyncio.TaskGroup() as tasks:
        for writer in range(load.writers):
            tasks.create_task(write(writer))
        for reader in range(load.readers):
            tasks.create_task(read(reader))
    return {
        "writes": len(taken.writes),
        **_times("write", taken.writes),
        "searches": len(taken.searches),
        **_times("search", taken.searches),
        "retries": memory.store.retries - before,
        "failed": len(taken.failed),
        "first_failures": taken.failed[:3],
    }


async def _recorded(memory: graph.Memory, scope: graph.Scope, event: graph.Event) -> None:
    (receipt,) = await memory.record_events(scope, [event])
    if receipt.outcome is not graph.Outcome.RECORDED:
        raise ValueError(f"{receipt.event_id}: {receipt.outcome} {receipt.field} {receipt.reason}")


def _event(number: int, writer: int, load: Load) -> graph.Event:
    """Return an event; every fourth states something on one of five timelines, which all writers share."""
    noun = _NOUNS[number % len(_NOUNS)]
    mentioned = (_ENTITIES[number * 3 % 5], _ENTITIES[(number * 7 + writer) % 5]) if load.entities else ()
    stated = number % 4 == 0
    return graph.Event(
        event_id=f"e-{number}",
        text=f"The {noun} of writer {writer} is number {number} now",
        conversation_id=f"talk-{writer}" if load.entities or writer % 2 else None,
        entities=tuple(dict.fromkeys(mentioned)),
        key=f"state of the {_NOUNS[number % 5]}" if stated else None,
        value=str(number) if stated else None,
    )


def _times(of: str, seconds: list[float]) -> dict[str, float]:
    """Return median, 99th percentile and the longest, in milliseconds."""
    if not seconds:
        return {}
    p50, p99, most = (round(1e3 * float(one), 1) for one in np.quantile(seconds, (0.5, 0.99, 1.0)))
    return {f"{of}_ms_p50": p50, f"{of}_ms_p99": p99, f"{of}_ms_max": most}


@asynccontextmanager
async def _shown(progress: Progress, name: str, seconds: int) -> AsyncIterator[None]:
    async def show() -> None:
        for passed in range(seconds + 1):
            progress(name, passed, seconds)
            await asyncio.sleep(1)

    shown = asyncio.create_task(show())
    try:
        yield
    finally:
        shown.cancel()
