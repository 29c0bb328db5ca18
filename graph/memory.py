"""The composition root, and the facade that the API, the command line and the benchmarks call."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from graph import following, groups, reembed, schema, search
from graph.care import IndexCare
from graph.embedding import Embedding, load_embedder
from graph.inspection import Inspection, address_of
from graph.model import Answer, Event, GroupSettings, Receipt, Remembered, Statement, Touched, Wait
from graph.ports import Embedder, Progress, no_progress
from graph.scope import Scope
from graph.search.planning import Filters, Question
from graph.search.ranking import WEIGHTS, Weights
from graph.search.seeding import Failing
from graph.settings import Settings
from graph.store import Store
from graph.timelines import correction
from graph.timelines.facts import Change
from graph.writing import events as recording
from graph.writing import statements as remembering
from graph.writing.together import Writers


@dataclass(slots=True)
class Memory(Inspection):
    """A memory on one Neo4j server. Every call takes a `Scope` first; `open` makes one."""

    embedding: Embedding
    following: following.Following
    writers: Writers
    care: IndexCare
    failing: Failing

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        progress: Progress = no_progress,
        any_model: bool = False,
    ) -> AsyncIterator[Self]:
        """Open the memory that the settings name, starting the managed server where none is named.

        `embedder` replaces the model of the settings. `any_model` opens a database made for another model; only
        `reembed` may follow.

        Raises:
            LocalServerError: the managed server could not be fetched or started.
            DatabaseUnavailable, PreflightFailed, SchemaMismatch: the server cannot be used.
            EmbeddingFailed: the model could not be loaded.
        """
        settings = settings or Settings()
        loading = asyncio.create_task(
            asyncio.to_thread(load_embedder, settings.model, settings.cache) if embedder is None else _ready(embedder)
        )
        try:
            address = await address_of(settings, progress)
            async with Store.open(address) as store:
                versions = await schema.preflight(store)
                embedding = Embedding(await loading)
                try:
                    meta = await schema.apply(store, embedding.name, embedding.dimension)
                    if not any_model:
                        schema.require_model(meta, embedding.name, embedding.dimension)
                    follower, care = following.Following(store, embedding, meta.slot), IndexCare(store)
                    if not any_model:
                        follower.begin()
                        care.begin()
                    try:
                        yield cls(
                            store, meta.slot, versions, embedding, follower, Writers(store, embedding), care, Failing()
                        )
                    finally:
                        await asyncio.gather(follower.end(), care.end())
                finally:
                    embedding.close()
        finally:
            loading.cancel()

    async def record_events(self, scope: Scope, events: Sequence[Event], *, wait: Wait = Wait.WRITTEN) -> list[Receipt]:
        """Keep up to 1,000 events; a receipt for each says what became of it (see `graph.writing.events`).

        It returns when they are kept and their words can be found; with `Wait.VECTORS` when their meaning can, too.
        """
        receipts = await recording.record_events(self.writers, self.slot, scope, events)
        if atom_ids := [receipt.atom_id for receipt in receipts if receipt.atom_id is not None]:
            self.following.wake()
            if wait is Wait.VECTORS:
                await self.following.caught_up(scope, atom_ids)
        return receipts

    async def catch_up(self, progress: Progress = no_progress) -> None:
        """Wait until all that is kept has its vector (see `graph.following`)."""
        await self.following.all_caught_up(progress)

    async def remember(self, scope: Scope, statements: Sequence[Statement]) -> list[Remembered]:
        """Decide what becomes of up to 100 statements, and keep what is new (see `graph.writing.statements`)."""
        return await remembering.remember(self.writers, self.slot, scope, statements)

    async def confirm(self, scope: Scope, atom_id: str) -> list[Touched]:
        """Say that an atom is right: its conflicts are over, or what ended it by mistake is taken back."""
        return _touched(await correction.confirm(self.store, scope, atom_id))

    async def retract(self, scope: Scope, atom_id: str) -> list[Touched]:
        """Say that an atom is wrong or no longer true: it is kept, out of current answers."""
        return _touched(await correction.retract(self.store, scope, atom_id))

    async def accept(self, scope: Scope, atom_id: str, target_id: str) -> list[Touched]:
        """Say that an atom does supersede another one, as was proposed."""
        return _touched(await correction.accept(self.store, scope, atom_id, target_id))

    async def decline(self, scope: Scope, atom_id: str, target_id: str) -> list[Touched]:
        """Say that an atom does not supersede another one, as was proposed."""
        return _touched(await correction.decline(self.store, scope, atom_id, target_id))

    async def pin(self, scope: Scope, atom_id: str, *, pinned: bool = True) -> list[Touched]:
        """Pin an atom, so that it never goes stale, or unpin it."""
        return _touched(await correction.pin(self.store, scope, atom_id, pinned=pinned))

    async def search(
        self,
        scope: Scope,
        question: str,
        *,
        limit: int = 10,
        profile: str = "default",
        asked_at: datetime | None = None,
        filters: Filters | None = None,
        weights: Weights = WEIGHTS,
    ) -> Answer:
        """Return the evidence for a question, best first (see `graph.search`)."""
        asked = Question(question, limit, profile, asked_at, filters or Filters(), weights)
        answer = await search.search(self.store, self.embedding, self.slot, scope, asked, self.failing)
        if "vector" in answer.degraded:
            self.care.wake()
        return answer

    async def configure_group(
        self,
        scope: Scope,
        *,
        time_zone: str | None = None,
        key_kinds: Mapping[str, str] | None = None,
        external: bool | None = None,
        stale_days: float | None = None,
        stale_keys: Mapping[str, float] | None = None,
    ) -> GroupSettings:
        """Set what is given for a group and leave the rest (see `graph.groups`)."""
        return await groups.configure(
            self.store,
            scope,
            time_zone=time_zone,
            key_kinds=key_kinds,
            external=external,
            stale_days=stale_days,
            stale_keys=stale_keys,
        )

    def database_has_stopped(self) -> bool:
        """Tell, once each time, whether the database refuses all work until its server is restarted."""
        return self.store.health.has_stopped()

    async def reembed(self, progress: Progress = no_progress) -> schema.Meta:
        """Embed everything anew with the model that this memory was opened with; see `graph.reembed`."""
        meta = await reembed.reembed(self.store, self.embedding, progress)
        self.slot = meta.slot
        self.following.use(meta.slot)
        return meta


async def _ready(embedder: Embedder) -> Embedder:
    return embedder


def _touched(changes: Sequence[Change]) -> list[Touched]:
    return [Touched(one.id, one.before.status if one.before else None, one.after.status) for one in changes]
