"""Vectors that follow: atoms are written without waiting for the model, and get their vectors in the background.

What waits bears the label `Pending` and is found by it after a crash, too, by whichever process opens the memory next.
Of several processes one embeds at a time: it holds a lease in the schema's node for as long as it goes on.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final
from uuid import uuid4

from graph.embedding import LONGEST_TEXT, Embedding
from graph.errors import EmbeddingFailed, FuseGraphError, SchemaMismatch
from graph.ports import Progress
from graph.schema import read_meta
from graph.scope import Scope, System
from graph.store import Row, Store, Transaction

_SYSTEM: Final = System("embedding")
_TEXTS: Final = 64
"""Texts that are embedded and written at once: some half a second's work."""

_LEASE_S: Final = 8
_LOOK_S: Final = 2.0
"""After so long a process looks whether another one has left work behind."""

_GATHER_S: Final = 0.2
"""Where little waits and nobody for it, more is let come: a commit costs as much for one vector as for many."""

_POLL_S: Final = 0.05
_LOG: Final = logging.getLogger(__name__)


class Following:
    """Embeds what waits, in the order in which it was recorded, as long as the memory is open."""

    def __init__(self, store: Store, embedding: Embedding, slot: str) -> None:
        self._store = store.apart()
        self._embedding = embedding
        self._slot = slot
        self._name = str(uuid4())
        self._wake = asyncio.Event()
        self._awaited = 0
        self._task: asyncio.Task[None] | None = None
        self._failed: Exception | None = None

    def begin(self) -> None:
        """Start to embed in the background."""
        self._task = asyncio.create_task(self._run())

    def use(self, slot: str) -> None:
        """Make vectors for this slot from now on, and begin if that was not done yet."""
        self._slot = slot
        if self._task is None:
            self.begin()

    async def end(self) -> None:
        """Stop; what waits is embedded by who opens the memory next."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Tell that there is something to embed."""
        self._wake.set()

    async def caught_up(self, scope: Scope, atom_ids: Sequence[str]) -> None:
        """Wait until these atoms have their vectors.

        Raises:
            EmbeddingFailed: they cannot be made, for the reason that is given.
        """
        pause = _POLL_S
        with self._is_awaited():
            while (await self._store.read("writing/pending_of", scope, ids=list(atom_ids)))[0]["pending"]:
                self._require_running()
                self.wake()
                await asyncio.sleep(pause)
                pause = min(2 * pause, 10 * _POLL_S)

    async def all_caught_up(self, progress: Progress) -> None:
        """Wait until nothing in the database waits for its vector.

        Raises:
            EmbeddingFailed: vectors cannot be made, for the reason that is given.
        """
        total = 0
        with self._is_awaited():
            while left := await self.pending():
                total = max(total, left)
                progress("embedding", total - left, total)
                self._require_running()
                self.wake()
                await asyncio.sleep(10 * _POLL_S)
        progress("embedding", total, total)

    @contextmanager
    def _is_awaited(self) -> Iterator[None]:
        self._awaited += 1
        try:
            yield
        finally:
            self._awaited -= 1

    async def pending(self) -> int:
        """Return how many atoms of the whole database wait for their vectors."""
        return int((await self._store.read("maintenance/pending", _SYSTEM))[0]["pending"])

    def _require_running(self) -> None:
        if self._failed is not None:
            raise EmbeddingFailed("Events are kept; their vectors wait.") from self._failed
        if self._task is None or self._task.done():
            raise EmbeddingFailed("The memory is closed; vectors are made when it is opened again.")

    async def _run(self) -> None:
        while True:
            try:
                await self._embed_all()
                self._failed = None
            except Exception as error:  # noqa: BLE001 - whatever a model raises, what waits is kept and tried again
                _LOG.warning("vectors wait: %s", error, exc_info=not isinstance(error, FuseGraphError))
                self._failed = error
                await asyncio.sleep(2 * _LEASE_S)  # nobody wakes it: another process may do better meanwhile
                continue
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._wake.wait()

    async def _embed_all(self) -> None:
        """Embed until nothing waits, or another process does it.

        Raises:
            SchemaMismatch: the vectors in use are another model's by now.
        """
        while rows := await self._take():
            vectors = await self._embedding.passages([row["text"] for row in rows])
            await keep_vectors(self._store, self._slot, [row["id"] for row in rows], vectors)
            if len(rows) < _TEXTS and not self._awaited:
                await asyncio.sleep(_GATHER_S)
        if await self.pending():
            meta = await read_meta(self._store)
            if meta is not None and meta.slot != self._slot:
                raise SchemaMismatch("It was re-embedded while this process was running. Restart it.")

    async def _take(self) -> list[Row]:
        """Return the next texts, if nobody else embeds."""

        async def work(transaction: Transaction) -> list[Row]:
            return await transaction.run(
                "maintenance/take_pending",
                slot=self._slot,
                follower=self._name,
                seconds=_LEASE_S,
                limit=_TEXTS,
                longest=LONGEST_TEXT,
            )

        return await self._store.write(_SYSTEM, work)


async def keep_vectors(store: Store, slot: str, ids: Sequence[str], vectors: Sequence[Sequence[float]]) -> None:
    """Write vectors into a slot, for atoms and clusters by their element ids."""
    rows = [{"id": element_id, "vector": vector} for element_id, vector in zip(ids, vectors, strict=True)]

    async def work(transaction: Transaction) -> list[Row]:
        return await transaction.run("maintenance/embedded", property=f"embedding_{slot}", rows=rows)

    await store.write(_SYSTEM, work)
