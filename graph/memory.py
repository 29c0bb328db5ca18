"""The composition root, and the facade that the API, the command line and the benchmarks call."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from graph import audit, cursors, groups, ingest, local_neo4j, reembed, schema, search, waiting
from graph import remember as remembering
from graph.embedding import Embedding, load_embedder
from graph.errors import InvalidInput, NotFound
from graph.model import (
    Answer,
    Atom,
    Decided,
    Event,
    GroupSettings,
    Page,
    Receipt,
    Remembered,
    Statement,
    Timeline,
    ToConfirm,
    Touched,
)
from graph.ontology import CURRENT, HISTORY
from graph.ports import Embedder, Progress, no_progress
from graph.scope import Right, Scope, System
from graph.search.planning import Filters
from graph.search.ranking import WEIGHTS, Weights
from graph.settings import Settings
from graph.store import Address, Row, Store
from graph.timelines import correction, views
from graph.timelines.facts import Change

MOST_LISTED = 500
"""Atoms that one page may hold."""


@dataclass(slots=True)
class Inspection:
    """What can be read without an embedding model. `look` changes nothing in the database, nor starts any."""

    store: Store
    slot: str
    versions: dict[str, str]

    @staticmethod
    @asynccontextmanager
    async def look(settings: Settings, progress: Progress = no_progress) -> AsyncIterator["Inspection"]:
        """Open the database that the settings name as it is: no schema is applied, no model loaded.

        Raises:
            LocalServerError: the managed server could not be fetched or started.
            DatabaseUnavailable, PreflightFailed, SchemaMismatch: the server cannot be used, or holds no memory.
        """
        async with Store.open(await _address(settings, progress)) as store:
            versions = await schema.preflight(store)
            yield Inspection(store, (await schema.look(store)).slot, versions)

    async def atom(self, scope: Scope, *, id: str | None = None, event_id: str | None = None) -> Atom:  # noqa: A002
        """Return one atom, by its id or by the id of its event.

        Raises:
            NotFound: there is none, or the viewer may not see it; the two are not told apart.
        """
        scope.require(Right.READ)
        if (id is None) == (event_id is None):
            raise InvalidInput("id: Give either id or eventId.")
        rows = await self.store.read("search/atom", scope, id=id, event_id=event_id)
        if not rows:
            raise NotFound(f"(atom {id or event_id!r})")
        return search.read_atom(rows[0]["atom"])

    async def atoms(
        self, scope: Scope, *, first: int = 50, after: str | None = None, include_history: bool = False
    ) -> Page:
        """Return a page of atoms in the order in which they were recorded; `after` is the cursor of the page before.

        Raises:
            InvalidInput: `first` is not between 1 and `MOST_LISTED`, or `after` is no cursor of this very list.
        """
        scope.require(Right.READ)
        if not 1 <= first <= MOST_LISTED:
            raise InvalidInput(f"first: {first} is not between 1 and {MOST_LISTED}.")
        statuses = [str(status) for status in (HISTORY if include_history else CURRENT)]
        listed = ("atoms", scope.group, scope.viewer, *statuses)
        begin = cursors.position(after, *listed) if after is not None else ""
        rows = await self.store.read("search/atoms", scope, statuses=statuses, after=begin, limit=first + 1)
        shown = rows[:first]
        more = cursors.cursor(shown[-1]["atom"]["cursor"], *listed) if len(rows) > first else None
        # Only where there is nothing to show is it asked whether there is a group at all.
        exists = bool(shown) or await groups.exists(self.store, scope)
        return Page(tuple(search.read_atom(_without_cursor(row["atom"])) for row in shown), more, exists)

    async def status(self, scope: Scope | None = None) -> dict[str, Any]:
        """Return versions, model and totals: of the whole database, or of what a viewer may see in a group."""
        meta = await schema.read_meta(self.store)
        about: dict[str, Any] = {**self.versions, "schema": schema.VERSION}
        if meta is not None:
            about |= {"model": meta.model, "dimension": meta.dimension}
        if scope is None:
            return about | (await self.store.read("maintenance/totals", System("status")))[0]
        scope.require(Right.READ)
        totals = (await self.store.read("search/totals", scope))[0]
        return about | {
            "group": scope.group,
            "atoms": totals["atoms"],
            "time_zone": (await self.settings_of(scope)).time_zone,
        }

    async def audit(self) -> list[audit.Finding]:
        """Run every audit over the whole database; see `graph.audit`."""
        return await audit.run(self.store, self.slot)

    async def settings_of(self, scope: Scope) -> GroupSettings:
        """Return what a group has set."""
        scope.require(Right.READ)
        return await groups.settings_of(self.store, scope)

    async def to_confirm(self, scope: Scope, *, first: int = 50) -> list[ToConfirm]:
        """Return what waits for somebody to decide, the latest first (see `graph.waiting`)."""
        return await waiting.to_confirm(self.store, scope, first=first)

    async def decisions(self, scope: Scope, atom_id: str) -> list[Decided]:
        """Return all that was decided of an atom, oldest first (see `graph.timelines.views`)."""
        return await views.decisions(self.store, scope, atom_id)

    async def timeline(
        self,
        scope: Scope,
        subject: str,
        key: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Timeline:
        """Return the values of a subject and key in order of time (see `graph.timelines.views`)."""
        return await views.timeline(self.store, scope, subject, key, as_of=as_of, known_at=known_at)


@dataclass(slots=True)
class Memory(Inspection):
    """A memory on one Neo4j server. Every call takes a `Scope` first; `open` makes one."""

    embedding: Embedding

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
            asyncio.to_thread(load_embedder, settings.model) if embedder is None else _ready(embedder)
        )
        try:
            address = await _address(settings, progress)
            async with Store.open(address) as store:
                versions = await schema.preflight(store)
                embedding = Embedding(await loading)
                try:
                    meta = await schema.apply(store, embedding.name, embedding.dimension)
                    if not any_model:
                        schema.require_model(meta, embedding.name, embedding.dimension)
                    yield cls(store, meta.slot, versions, embedding)
                finally:
                    embedding.close()
        finally:
            loading.cancel()

    async def record_events(self, scope: Scope, events: Sequence[Event]) -> list[Receipt]:
        """Keep up to 1,000 events; a receipt for each says what became of it (see `graph.ingest`)."""
        settings = await groups.settings_of(self.store, scope)
        return await ingest.record_events(self.store, self.embedding, self.slot, scope, events, settings)

    async def remember(self, scope: Scope, statements: Sequence[Statement]) -> list[Remembered]:
        """Decide what becomes of up to 100 statements, and keep what is new (see `graph.remember`)."""
        return await remembering.remember(self.store, self.embedding, self.slot, scope, statements)

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
        return await search.search(
            self.store,
            self.embedding,
            self.slot,
            scope,
            question,
            limit=limit,
            profile=profile,
            asked_at=asked_at,
            filters=filters,
            weights=weights,
        )

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

    async def reembed(self, progress: Progress = no_progress) -> schema.Meta:
        """Embed everything anew with the model that this memory was opened with; see `graph.reembed`."""
        meta = await reembed.reembed(self.store, self.embedding, progress)
        self.slot = meta.slot
        return meta


def _without_cursor(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "cursor"}


async def _ready(embedder: Embedder) -> Embedder:
    return embedder


async def _address(settings: Settings, progress: Progress) -> Address:
    if settings.neo4j_uri is not None:
        password = settings.neo4j_password
        auth = (settings.neo4j_username, password.get_secret_value()) if password else None
        return Address(settings.neo4j_uri, auth, settings.neo4j_database)
    instance = await local_neo4j.ensure_running(settings, progress)
    return Address(instance.bolt_url, (instance.username, instance.password), "neo4j")


def _touched(changes: Sequence[Change]) -> list[Touched]:
    return [Touched(one.id, one.before.status if one.before else None, one.after.status) for one in changes]
