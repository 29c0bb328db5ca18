"""Vectors that follow what is written: nobody waits for the model, and nothing is left without its vector."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import pytest

import graph
from graph.ports import Embedder, Vectors
from graph.settings import Settings


class Gated:
    """Vectors that are held back until the gate is opened; questions are not."""

    def __init__(self, vectors: Embedder) -> None:
        self._vectors = vectors
        self.name, self.dimension = vectors.name, vectors.dimension
        self.gate = threading.Event()
        self.texts: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.gate.wait(60)
        self.texts += texts
        return self._vectors.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._vectors.queries(texts)


@pytest.fixture
async def gated(seeded: graph.Memory, vectors: Embedder) -> AsyncIterator[Gated]:
    """Vectors behind a gate, with the memory of this run out of the way."""
    await seeded.following.end()
    held = Gated(vectors)
    yield held
    held.gate.set()
    seeded.following.begin()
    await seeded.catch_up()


def events(count: int, text: str = "The ferry {} leaves at noon.") -> list[graph.Event]:
    return [graph.Event(event_id=f"e{number}", text=text.format(number)) for number in range(count)]


async def offenders(memory: graph.Memory) -> list[object]:
    return [finding.offenders for finding in await memory.audit() if finding.offenders]


async def test_an_event_is_kept_and_found_by_its_words_before_its_vector_is_there(
    gated: Gated, seeded_settings: Settings, scope: graph.Scope
) -> None:
    async with graph.Memory.open(seeded_settings, embedder=gated) as memory:
        async with asyncio.timeout(30):
            receipts = await memory.record_events(scope, events(3))
        assert [receipt.outcome for receipt in receipts] == [graph.Outcome.RECORDED] * 3
        answer = await memory.search(scope, "ferry")
        assert len(answer.evidence) == 3
        assert answer.pending == 3
        assert (await memory.status(scope))["pending"] == 3
        assert not await offenders(memory)
        gated.gate.set()
        await memory.catch_up()
        answer = await memory.search(scope, "ferry")
        assert answer.pending == 0
        assert all("vector" in evidence.score.arms for evidence in answer.evidence)
        assert not await offenders(memory)


async def test_who_needs_vectors_waits_for_them(gated: Gated, seeded_settings: Settings, scope: graph.Scope) -> None:
    async with graph.Memory.open(seeded_settings, embedder=gated) as memory:
        writing = asyncio.create_task(memory.record_events(scope, events(2), wait=graph.Wait.VECTORS))
        await asyncio.sleep(1)
        assert not writing.done()
        gated.gate.set()
        async with asyncio.timeout(30):
            await writing
        assert (await memory.search(scope, "ferry")).pending == 0


async def test_what_waits_is_embedded_by_who_opens_the_memory_next_in_order(
    gated: Gated, seeded_settings: Settings, vectors: Embedder, scope: graph.Scope
) -> None:
    async with graph.Memory.open(seeded_settings, embedder=gated) as memory:
        for number in range(3):
            await memory.record_events(scope, [events(3)[number]])
        gated.gate.clear()
    later = Gated(vectors)
    later.gate.set()
    async with graph.Memory.open(seeded_settings, embedder=later) as memory:
        async with asyncio.timeout(60):
            await memory.catch_up()
        assert later.texts == [event.text for event in events(3)]
        assert not await offenders(memory)


async def test_of_two_processes_one_embeds(
    gated: Gated, seeded_settings: Settings, vectors: Embedder, scope: graph.Scope
) -> None:
    other = Gated(vectors)
    other.gate.set()
    gated.gate.set()
    async with (
        graph.Memory.open(seeded_settings, embedder=gated) as first,
        graph.Memory.open(seeded_settings, embedder=other) as second,
    ):
        await asyncio.gather(
            first.record_events(scope, events(200)),
            second.record_events(graph.Scope(scope.group, "ben"), events(300, "The tram {} is late.")[200:]),
        )
        async with asyncio.timeout(60):
            await asyncio.gather(first.catch_up(), second.catch_up())
        assert len(gated.texts) + len(other.texts) == 300
        assert not await offenders(second)


async def test_another_group_is_told_nothing_of_what_waits(
    gated: Gated, seeded_settings: Settings, scope: graph.Scope
) -> None:
    async with graph.Memory.open(seeded_settings, embedder=gated) as memory:
        await memory.record_events(scope, events(2))
        assert (await memory.search(graph.Scope(f"{scope.group}-other", "ann"), "ferry")).pending == 0
        private = graph.Event(event_id="p", text="My diary of the ferry", visibility="private")
        await memory.record_events(scope, [private])
        assert (await memory.search(graph.Scope(scope.group, "ben"), "ferry")).pending == 2
        gated.gate.set()
        await memory.catch_up()
