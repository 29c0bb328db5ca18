"""GraphQL types of statements: what was decided of them, and what their timelines look like."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Self

import strawberry

import graph
from api.schema.scalars import OffsetDateTime

strawberry.enum(graph.Verdict, description="What became of a statement.")

_PROPOSED = "What it may supersede: kept in force until somebody with the right accepts it."


@strawberry.type(description="An atom whose standing was decided.")
class Touched:
    """A change of status."""

    atom_id: strawberry.ID
    before: str | None = strawberry.field(description="Its status before; null where it is new.")
    after: str

    @classmethod
    def of(cls, touched: graph.Touched) -> Self:
        """Show a change."""
        return cls(atom_id=strawberry.ID(touched.atom_id), before=touched.before, after=touched.after)


@strawberry.type(description="What a statement may supersede; not in force before it is accepted.")
class Proposal:
    """A proposal."""

    atom_id: strawberry.ID = strawberry.field(description="The atom that may be superseded.")
    verdict: graph.Verdict = strawberry.field(description="What accepting gives: UPDATE, REFINE or INVALIDATE.")

    @classmethod
    def of(cls, proposal: graph.Proposal) -> Self:
        """Show a proposal."""
        return cls(atom_id=strawberry.ID(proposal.atom_id), verdict=graph.Verdict(proposal.verdict))


@strawberry.type(description="What was decided of a statement, and why.")
class Ruled:
    """A ruling."""

    verdict: graph.Verdict
    rule: str
    words: str = strawberry.field(description="The words of the statement that decided; empty where none did.")
    touched: list[Touched]
    proposed: list[Proposal] = strawberry.field(description=_PROPOSED)

    @classmethod
    def of(cls, ruled: graph.Ruled) -> Self:
        """Show a ruling."""
        return cls(
            verdict=graph.Verdict(ruled.verdict),
            rule=ruled.rule,
            words=ruled.words,
            touched=[Touched.of(one) for one in ruled.touched],
            proposed=[Proposal.of(one) for one in ruled.proposed],
        )


@strawberry.type(description="What became of a statement.")
class Remembered:
    """The answer to a statement."""

    verdict: graph.Verdict
    rule: str
    words: str = strawberry.field(description="The words of the statement that decided; empty where none did.")
    touched: list[Touched]
    proposed: list[Proposal] = strawberry.field(description=_PROPOSED)
    atom_id: strawberry.ID | None = strawberry.field(description="The atom that now carries it.")
    field: str | None = strawberry.field(description="With REFUSED: the field at fault.")
    reason: str | None = strawberry.field(description="With REFUSED: what is wrong and the way out.")
    subject: str | None = strawberry.field(description="Whom it was taken to be about; null where nothing was settled.")
    without_time: bool = strawberry.field(description="No time was given, so that it counts as said now.")

    @classmethod
    def of(cls, remembered: graph.Remembered) -> Self:
        """Show what became of a statement."""
        ruled = Ruled.of(remembered.ruled)
        return cls(
            verdict=ruled.verdict,
            rule=ruled.rule,
            words=ruled.words,
            touched=ruled.touched,
            proposed=ruled.proposed,
            atom_id=strawberry.ID(remembered.atom_id) if remembered.atom_id is not None else None,
            field=remembered.field,
            reason=remembered.reason,
            subject=remembered.subject,
            without_time=remembered.without_time,
        )


@strawberry.type(description="What may change about an atom.")
class Standing:
    """A standing."""

    status: str
    flags: list[str]
    valid_from: OffsetDateTime | None
    valid_until: OffsetDateTime | None = strawberry.field(description="Exclusive; null: it still holds.")
    last_evidence_at: OffsetDateTime | None
    evidence_count: int

    @classmethod
    def of(cls, standing: Mapping[str, Any]) -> Self:
        """Show a standing."""
        return cls(
            status=standing["status"],
            flags=list(standing["flags"]),
            valid_from=_instant(standing["valid_from"]),
            valid_until=_instant(standing["valid_until"]),
            last_evidence_at=_instant(standing["last_evidence_at"]),
            evidence_count=standing["evidence_count"],
        )


@strawberry.type(description="A decision on an atom.")
class Decision:
    """A decision."""

    id: strawberry.ID
    verdict: graph.Verdict
    rule: str
    words: str
    actor: str = strawberry.field(description="A user, or `rule`; no user has that id.")
    at: OffsetDateTime
    cause: strawberry.ID | None = strawberry.field(description="The atom on whose account it was made.")
    before: Standing | None
    after: Standing

    @classmethod
    def of(cls, decided: graph.Decided) -> Self:
        """Show a decision."""
        return cls(
            id=strawberry.ID(decided.id),
            verdict=graph.Verdict(decided.verdict),
            rule=decided.rule,
            words=decided.words,
            actor=decided.actor,
            at=OffsetDateTime(decided.at),
            cause=strawberry.ID(decided.cause) if decided.cause is not None else None,
            before=Standing.of(decided.before) if decided.before is not None else None,
            after=Standing.of(decided.after),
        )


@strawberry.type(description="A value and the time for which it holds.")
class Period:
    """A period."""

    value: str
    since: OffsetDateTime | None
    until: OffsetDateTime | None = strawberry.field(description="Exclusive; null: it still holds.")
    status: str
    atoms: list[strawberry.ID] = strawberry.field(description="The atoms that state it.")
    beside: bool = strawberry.field(description="It was said to hold besides others.")
    private: bool = strawberry.field(description="Only the viewer may see it.")


@strawberry.type(description="The values of a subject and key in order of time.")
class Timeline:
    """A timeline."""

    subject: str
    key: str
    periods: list[Period]
    rendered: str = strawberry.field(description="The same as one line, as in Java (2024-2026) then Go (2026-).")

    @classmethod
    def of(cls, timeline: graph.Timeline) -> Self:
        """Show a timeline."""
        periods = [
            Period(
                value=one.value,
                since=OffsetDateTime(one.since) if one.since else None,
                until=OffsetDateTime(one.until) if one.until else None,
                status=one.status,
                atoms=[strawberry.ID(atom) for atom in one.atoms],
                beside=one.beside,
                private=one.private,
            )
            for one in timeline.periods
        ]
        return cls(subject=timeline.subject, key=timeline.key, periods=periods, rendered=timeline.rendered)


@strawberry.type(description="How the values of a key go together.")
class DeclaredKind:
    """Kind of a key."""

    key: str
    kind: graph.KeyKind


@strawberry.type(description="After how many days without new evidence statements with a key are stale.")
class StaleKey:
    """Staleness of a key."""

    key: str
    days: float


@strawberry.type(description="What a group has set.")
class GroupSettings:
    """Settings of a group."""

    time_zone: str
    key_kinds: list[DeclaredKind] = strawberry.field(description="Keys whose kind is declared.")
    external: bool = strawberry.field(description="Whether text from outside is taken up, in quarantine.")
    stale_days: float
    stale_keys: list[StaleKey]

    @classmethod
    def of(cls, settings: graph.GroupSettings) -> Self:
        """Show the settings."""
        return cls(
            time_zone=settings.time_zone,
            key_kinds=[DeclaredKind(key=key, kind=graph.KeyKind(kind)) for key, kind in settings.key_kinds.items()],
            external=settings.external,
            stale_days=settings.stale_days,
            stale_keys=[StaleKey(key=key, days=days) for key, days in settings.stale_keys.items()],
        )


def _instant(milliseconds: int | None) -> OffsetDateTime | None:
    return None if milliseconds is None else OffsetDateTime(datetime.fromtimestamp(milliseconds / 1e3, UTC))
