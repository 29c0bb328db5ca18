"""A memory on a server of its own, in a folder that goes with it: a benchmark never touches anybody's data."""

import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import graph
from graph import local_neo4j
from graph.ports import Embedder, Progress
from graph.settings import Settings


@asynccontextmanager
async def scratch_memory(
    progress: Progress, embedder: Embedder | None = None, heap: str | None = None
) -> AsyncIterator[tuple[graph.Memory, local_neo4j.Instance]]:
    """Start a server in a temporary folder, open a memory on it, and remove both at the end."""
    with tempfile.TemporaryDirectory(prefix="fusegraph-bench-") as folder:
        settings = Settings(home=Path(folder), neo4j_uri=None, bolt_port=None, http_port=None, heap=heap)
        try:
            instance = await local_neo4j.ensure_running(settings, progress)
            async with graph.Memory.open(settings, embedder=embedder, progress=progress) as memory:
                yield memory, instance
        finally:
            await local_neo4j.stop(settings)


def commit() -> str:
    """Return the commit of this checkout, marked where the tree has changes; "unknown" where git does not tell."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whichever git the checkout was made with
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.strip()


async def ingest(
    memory: graph.Memory, scope: graph.Scope, events: list[graph.Event], task: str, progress: Progress
) -> list[graph.Receipt]:
    """Record events in calls of the size the API allows; return their receipts."""
    recorded: list[graph.Receipt] = []
    for start in range(0, len(events), graph.MOST_EVENTS):
        receipts = await memory.record_events(scope, events[start : start + graph.MOST_EVENTS])
        for receipt in receipts:
            if receipt.outcome is not graph.Outcome.RECORDED:
                raise ValueError(f"{task}: {receipt.event_id}: {receipt.outcome} {receipt.field} {receipt.reason}")
        recorded += receipts
        progress(task, len(recorded), len(events))
    await memory.catch_up(progress)
    return recorded
