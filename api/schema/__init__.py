"""The GraphQL schema: one-line resolvers over the memory's front door."""

from typing import Any

import strawberry
from strawberry.extensions import MaxTokensLimiter
from strawberry.schema.config import StrawberryConfig

import graph
from api.context import Context
from api.limits import MOST_TOKENS, Limits
from api.schema.errors import CodedErrors
from api.schema.inputs import EventInput, KeyKindInput, SearchFilter, StaleKeyInput, StatementInput, kinds_of
from api.schema.scalars import SCALARS, OffsetDateTime
from api.schema.statements import Decision, GroupSettings, Remembered, Timeline, Touched
from api.schema.types import Answer, Atom, AtomPage, Receipt, Status, ToConfirm

Info = strawberry.Info[Context, Any]


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

    @strawberry.field(
        description="Atoms in order of recording, a page at a time: `after` is the `nextCursor` of the page before."
    )
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

    @strawberry.field(description="The values of a subject and key in order of time.")
    async def timeline(
        self,
        info: Info,
        group: str,
        viewer: str,
        subject: str,
        key: str,
        as_of: OffsetDateTime | None = None,
        known_at: OffsetDateTime | None = None,
    ) -> Timeline:
        """Read a timeline."""
        return Timeline.of(
            await info.context.memory.timeline(graph.Scope(group, viewer), subject, key, as_of=as_of, known_at=known_at)
        )

    @strawberry.field(
        description="What waits for somebody to decide, the latest first: the newer side of each open conflict, "
        "proposed supersessions, and what was told with doubt or inferred."
    )
    async def to_confirm(self, info: Info, group: str, viewer: str, first: int = 50) -> list[ToConfirm]:
        """Read what waits to be confirmed."""
        waiting = await info.context.memory.to_confirm(graph.Scope(group, viewer), first=first)
        return [ToConfirm.of(one) for one in waiting]

    @strawberry.field(description="All that was decided of an atom, oldest first.")
    async def decisions(self, info: Info, group: str, viewer: str, atom_id: strawberry.ID) -> list[Decision]:
        """Read the decisions on an atom."""
        decided = await info.context.memory.decisions(graph.Scope(group, viewer), atom_id)
        return [Decision.of(one) for one in decided]

    @strawberry.field(description="What a group has set.")
    async def group_settings(self, info: Info, group: str, viewer: str) -> GroupSettings:
        """Read the settings of a group."""
        return GroupSettings.of(await info.context.memory.settings_of(graph.Scope(group, viewer)))

    @strawberry.field(description="What answers, and how much of the group its viewer may see.")
    async def status(self, info: Info, group: str, viewer: str) -> Status:
        """Tell the status of a group."""
        return Status(**await info.context.memory.status(graph.Scope(group, viewer)))


@strawberry.type
class Mutation:
    """What can be changed."""

    @strawberry.mutation(description="Keep up to 1,000 events; a receipt each, in their order.")
    async def record_events(
        self, info: Info, group: str, viewer: str, events: list[EventInput], wait: graph.Wait = graph.Wait.WRITTEN
    ) -> list[Receipt]:
        """Record events."""
        receipts = await info.context.memory.record_events(
            graph.Scope(group, viewer), [event.record_of() for event in events], wait=wait
        )
        return [Receipt.of(receipt) for receipt in receipts]

    @strawberry.mutation(description="Decide what becomes of up to 100 statements, and keep what is new.")
    async def remember(self, info: Info, group: str, viewer: str, statements: list[StatementInput]) -> list[Remembered]:
        """Remember statements."""
        remembered = await info.context.memory.remember(
            graph.Scope(group, viewer), [statement.record_of() for statement in statements]
        )
        return [Remembered.of(one) for one in remembered]

    @strawberry.mutation(
        description="Say that an atom is right: the other sides of its conflicts are superseded; what was superseded "
        "or ended by mistake holds again, and what took its place is taken back."
    )
    async def confirm(self, info: Info, group: str, viewer: str, atom_id: strawberry.ID) -> list[Touched]:
        """Confirm an atom."""
        return [Touched.of(one) for one in await info.context.memory.confirm(graph.Scope(group, viewer), atom_id)]

    @strawberry.mutation(description="Say that an atom is wrong or no longer true: kept, out of current answers.")
    async def retract(self, info: Info, group: str, viewer: str, atom_id: strawberry.ID) -> list[Touched]:
        """Retract an atom."""
        return [Touched.of(one) for one in await info.context.memory.retract(graph.Scope(group, viewer), atom_id)]

    @strawberry.mutation(
        description="Say that an atom does supersede another, as was proposed. For its user, its subject, or an "
        "administrator, and whoever may retire the other."
    )
    async def accept_proposal(
        self, info: Info, group: str, viewer: str, atom_id: strawberry.ID, supersedes: strawberry.ID
    ) -> list[Touched]:
        """Accept a proposal."""
        accepted = await info.context.memory.accept(graph.Scope(group, viewer), atom_id, supersedes)
        return [Touched.of(one) for one in accepted]

    @strawberry.mutation(description="Say that an atom does not supersede another, as was proposed: both hold.")
    async def decline_proposal(
        self, info: Info, group: str, viewer: str, atom_id: strawberry.ID, supersedes: strawberry.ID
    ) -> list[Touched]:
        """Decline a proposal."""
        declined = await info.context.memory.decline(graph.Scope(group, viewer), atom_id, supersedes)
        return [Touched.of(one) for one in declined]

    @strawberry.mutation(description="Pin an atom, so that it never goes stale, or unpin it.")
    async def pin(
        self, info: Info, group: str, viewer: str, atom_id: strawberry.ID, pinned: bool = True
    ) -> list[Touched]:
        """Pin an atom."""
        memory = info.context.memory
        return [Touched.of(one) for one in await memory.pin(graph.Scope(group, viewer), atom_id, pinned=pinned)]

    @strawberry.mutation(description="Set what is given for a group and leave the rest.")
    async def configure_group(
        self,
        info: Info,
        group: str,
        viewer: str,
        time_zone: str | None = None,
        key_kinds: list[KeyKindInput] | None = None,
        external: bool | None = None,
        stale_days: float | None = None,
        stale_keys: list[StaleKeyInput] | None = None,
    ) -> GroupSettings:
        """Configure a group."""
        return GroupSettings.of(
            await info.context.memory.configure_group(
                graph.Scope(group, viewer),
                time_zone=time_zone,
                key_kinds=kinds_of(key_kinds) if key_kinds is not None else None,
                external=external,
                stale_days=stale_days,
                stale_keys={one.key: one.days for one in stale_keys} if stale_keys is not None else None,
            )
        )


schema = strawberry.Schema(
    Query,
    Mutation,
    config=StrawberryConfig(scalar_map=SCALARS),
    # Extensions end in the opposite order: what the others refuse is coded, too.
    extensions=[
        CodedErrors,
        lambda: MaxTokensLimiter(max_token_count=MOST_TOKENS),
        Limits,
    ],
)
