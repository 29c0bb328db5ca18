"""The GraphQL schema: one-line resolvers over the memory's front door."""

from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.extensions import MaskErrors, QueryDepthLimiter
from strawberry.schema.config import StrawberryConfig

import graph
from api.context import Context
from api.schema.inputs import EventInput, SearchFilter
from api.schema.scalars import SCALARS, OffsetDateTime
from api.schema.types import Answer, Atom, AtomPage, Receipt, Status
from graph.errors import FuseGraphError

Info = strawberry.Info[Context, Any]

_DEEPEST = 8


@strawberry.type
class Query:
    """What can be read."""

    @strawberry.field(description="Evidence for a question, with the paths that lead to it.")
    async def search(
        self,
        info: Info,
        group: str,
        viewer: str,
        question: str,
        limit: int = 10,
        profile: str = "default",
        asked_at: OffsetDateTime | None = None,
        filter: SearchFilter | None = None,  # noqa: A002
    ) -> Answer:
        """Search as a viewer of a group."""
        return Answer.of(
            await info.context.memory.search(
                graph.Scope(group, viewer),
                question,
                limit=limit,
                profile=profile,
                asked_at=asked_at,
                filters=filter.record_of() if filter else None,
            )
        )

    @strawberry.field(description="One atom, by its id or by the id of its event.")
    async def atom(
        self,
        info: Info,
        group: str,
        viewer: str,
        id: strawberry.ID | None = None,  # noqa: A002
        event_id: str | None = None,
    ) -> Atom:
        """Read one atom."""
        return Atom.of(await info.context.memory.atom(graph.Scope(group, viewer), id=id, event_id=event_id))

    @strawberry.field(description="Atoms in order of recording, a page at a time.")
    async def atoms(
        self,
        info: Info,
        group: str,
        viewer: str,
        first: int = 50,
        after: str | None = None,
        include_history: bool = False,
    ) -> AtomPage:
        """List atoms."""
        return AtomPage.of(
            await info.context.memory.atoms(
                graph.Scope(group, viewer), first=first, after=after, include_history=include_history
            )
        )

    @strawberry.field(description="What answers, and how much of the group its viewer may see.")
    async def status(self, info: Info, group: str, viewer: str) -> Status:
        """Tell the status of a group."""
        return Status(**await info.context.memory.status(graph.Scope(group, viewer)))


@strawberry.type
class Mutation:
    """What can be changed."""

    @strawberry.mutation(description="Keep up to 1,000 events; a receipt each, in their order.")
    async def record_events(self, info: Info, group: str, viewer: str, events: list[EventInput]) -> list[Receipt]:
        """Record events."""
        receipts = await info.context.memory.record_events(
            graph.Scope(group, viewer), [event.record_of() for event in events]
        )
        return [Receipt.of(receipt) for receipt in receipts]

    @strawberry.mutation(description="Set the IANA zone in which naive times are read from now on.")
    async def configure_group(self, info: Info, group: str, viewer: str, time_zone: str) -> str:
        """Configure a group."""
        return await info.context.memory.configure_group(graph.Scope(group, viewer), time_zone=time_zone)


def _is_unexpected(error: GraphQLError) -> bool:
    """Tell a fault of ours, to be masked, from an error that a client can act on."""
    cause = error.original_error
    return error.path is not None and cause is not None and not isinstance(cause, (GraphQLError, FuseGraphError))


schema = strawberry.Schema(
    Query,
    Mutation,
    config=StrawberryConfig(scalar_map=SCALARS),
    extensions=[
        lambda: QueryDepthLimiter(max_depth=_DEEPEST),
        lambda: MaskErrors(should_mask_error=_is_unexpected),
    ],
)
