"""What can be read of a memory without a model: the commands that only look import nothing heavier than this."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph import audit, cursors, groups, local_neo4j, schema, waiting
from graph.atoms import read_atom
from graph.errors import InvalidInput, NotFound
from graph.model import Atom, Decided, GroupSettings, Page, Timeline, ToConfirm
from graph.ontology import CURRENT, HISTORY
from graph.ports import Progress, no_progress
from graph.scope import Right, Scope, System
from graph.settings import Settings
from graph.store import Address, Row, Store

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
        async with Store.open(await address_of(settings, progress)) as store:
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
        return read_atom(rows[0]["atom"])

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
        return Page(tuple(read_atom(_without_cursor(row["atom"])) for row in shown), more, exists)

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
            "pending": totals["pending"],
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
        from graph.timelines import views  # it brings the wording rules, which other reads need not wait for

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
        from graph.timelines import views  # see `decisions`

        return await views.timeline(self.store, scope, subject, key, as_of=as_of, known_at=known_at)


async def address_of(settings: Settings, progress: Progress) -> Address:
    """Return where the database of the settings answers, starting the managed server where none is named."""
    if settings.neo4j_uri is not None:
        password = settings.neo4j_password
        auth = (settings.neo4j_username, password.get_secret_value()) if password else None
        return Address(settings.neo4j_uri, auth, settings.neo4j_database)
    instance = await local_neo4j.ensure_running(settings, progress)
    return Address(instance.bolt_url, (instance.username, instance.password), "neo4j")


def _without_cursor(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "cursor"}
