"""Looks after the vector index: after each start of the server, and whenever a search by vectors fails.

A server that ended uncleanly may leave an index that calls itself sound and answers wrongly, or fails. It is asked for
what it must hold, group by group, and made anew from the stored vectors where it does not answer. Until then search
goes on without vectors, and says so (`graph.search.seeding`).
"""

import asyncio
import logging
from typing import Final

from graph.errors import DatabaseRefused, FuseGraphError
from graph.schema import drop_vectors, make_vectors, read_meta, vectors_to_remake
from graph.scope import System
from graph.store import Store

_SYSTEM: Final = System("care of indexes")
_APART_S: Final = 10
"""For so long after one process has looked after the index no other does, unless the server was started anew."""

_LOOKS: Final = 3

_LOG: Final = logging.getLogger(__name__)


class IndexCare:
    """Looks in the background, as long as the memory is open; of several processes, one does."""

    def __init__(self, store: Store) -> None:
        self._store = store.apart()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start to look after the index in the background."""
        self._task = asyncio.create_task(self._run())

    async def end(self) -> None:
        """Stop; an index in the making is made by the server."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Tell that a search by vectors has failed."""
        self._wake.set()

    async def _run(self) -> None:
        asked = False
        while True:
            try:
                await self._look(asked=asked)
            except FuseGraphError as error:  # it is looked again when a search fails the next time
                _LOG.warning("the vector index could not be looked after: %s", error)
            self._wake.clear()
            await self._wake.wait()
            asked = True

    async def _look(self, *, asked: bool) -> None:
        started = (await self._store.read("maintenance/started", _SYSTEM))[0]["started"]
        claim = {"started": started, "asked": asked, "seconds": _APART_S}
        if not await self._store.run("maintenance/claim_care", _SYSTEM, **claim):
            return
        meta = await read_meta(self._store)
        remake = await vectors_to_remake(self._store, meta.slot) if meta is not None else None
        if meta is not None and (remake or (remake is False and not await self._answers(meta.slot))):
            _LOG.warning("the vector index does not answer as it should; it is made anew from the stored vectors")
            await drop_vectors(self._store, meta.slot)
            await make_vectors(self._store, meta.slot, meta.dimension)

    async def _answers(self, slot: str) -> bool:
        for _ in range(_LOOKS):  # a commit shows in a node before it shows in an index
            try:
                if not await self._store.read(f"audits/vectors_answer_{slot}", _SYSTEM, limit=1):
                    return True
            except DatabaseRefused:
                return False
            await asyncio.sleep(1)
        return False
