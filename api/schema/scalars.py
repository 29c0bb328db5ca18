"""Scalars: an instant with its offset."""

from datetime import datetime
from typing import NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

OffsetDateTime = NewType("OffsetDateTime", datetime)


def parse_datetime(value: object) -> OffsetDateTime:
    """Read an ISO-8601 instant; it must say its offset.

    Raises:
        GraphQLError: naming the way out (any other error would be masked).
    """
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError:
        raise GraphQLError(f"DateTime {value!r} is not ISO-8601, as in 2026-03-01T09:30:00+01:00.") from None
    if instant.tzinfo is None:
        raise GraphQLError(f"DateTime {value!r} has no UTC offset; add one, as in +01:00 or Z.")
    return OffsetDateTime(instant)


SCALARS: dict[object, ScalarDefinition] = {
    OffsetDateTime: strawberry.scalar(
        name="DateTime",
        description="An ISO-8601 instant with its UTC offset.",
        serialize=lambda instant: instant.isoformat(),
        parse_value=parse_datetime,
    )
}
