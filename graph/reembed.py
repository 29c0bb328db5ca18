"""Embeds everything anew with another model, into the slot that is not being read, and then switches over."""

import asyncio
from typing import Final

from graph.embedding import LONGEST_TEXT, Embedding
from graph.errors import SchemaMismatch
from graph.following import keep_vectors
from graph.ports import Progress
from graph.schema import PREPARING, SLOTS, Meta, drop_vectors, make_vectors, read_meta
from graph.scope import System
from graph.store import Row, Store, Transaction

_SYSTEM: Final = System("re-embedding")
_BATCH: Final = 256
_POLL_S: Final = 0.05
_CLEARED_AT_ONCE: Final = 5_000


async def reembed(store: Store, embedding: Embedding, progress: Progress) -> Meta:
    """Fill the other slot with vectors of this model and read from it from then on; reads go on meanwhile.

    A run that was broken off goes on where it stopped. Processes that still write with the old model are refused
    after the switch and must be restarted.
    """
    meta = await read_meta(store)
    if meta is None:
        raise SchemaMismatch("It is empty; there is nothing to embed.")
    if (meta.model, meta.dimension) == (embedding.name, embedding.dimension):
        await _fill(store, embedding, meta.slot, progress)
        return meta
    slot = next(name for name in SLOTS if name != meta.slot)
    await _prepare(store, embedding, slot)
    await _fill(store, embedding, slot, progress)
    switched = Meta(meta.version, slot, embedding.name, embedding.dimension)
    await _run(store, "maintenance/switch", slot=slot, model=embedding.name, dimension=embedding.dimension)
    # What others wrote between the last look and the switch has only the old vector, and some of it may not be
    # committed yet: a writer looks at the slot when it begins.
    await _others_end(store)
    await _fill(store, embedding, slot, progress)
    return switched


async def _prepare(store: Store, embedding: Embedding, slot: str) -> None:
    """Empty the slot and make its index for the model's dimension, unless that was done for this model already.

    The note of it is written last: a run that breaks off in between is prepared anew.
    """
    filling = f"{slot} {embedding.name} {embedding.dimension}"
    if (await _run(store, "maintenance/note_filling", filling=PREPARING))[0]["before"] != filling:
        await drop_vectors(store, slot)
        left = 1
        while left:
            cleared = await _run(
                store, "maintenance/clear_vectors", property=f"embedding_{slot}", limit=_CLEARED_AT_ONCE
            )
            left = cleared[0]["cleared"]
        await make_vectors(store, slot, embedding.dimension)
    await _run(store, "maintenance/note_filling", filling=filling)


async def _fill(store: Store, embedding: Embedding, slot: str, progress: Progress) -> None:
    """Embed every atom and cluster that has no vector in the slot, until none is left."""
    while ids := [row["id"] for row in await store.read("maintenance/to_embed", _SYSTEM, property=f"embedding_{slot}")]:
        for start in range(0, len(ids), _BATCH):
            batch = ids[start : start + _BATCH]
            rows = await store.read("maintenance/texts", _SYSTEM, ids=batch, longest=LONGEST_TEXT)
            vectors = await embedding.passages([row["text"] for row in rows])
            await keep_vectors(store, slot, [row["id"] for row in rows], vectors)
            progress("re-embedding", min(start + _BATCH, len(ids)), len(ids))


async def _others_end(store: Store) -> None:
    """Wait until every transaction that runs now has ended."""
    running = await _transactions(store)
    while running:
        await asyncio.sleep(_POLL_S)
        running &= await _transactions(store)


async def _transactions(store: Store) -> set[str]:
    return set((await store.read("maintenance/running", _SYSTEM))[0]["ids"])


async def _run(store: Store, name: str, **params: object) -> list[Row]:
    async def work(transaction: Transaction) -> list[Row]:
        return await transaction.run(name, **params)

    return await store.write(_SYSTEM, work)
