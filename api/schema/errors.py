"""Errors as clients see them: each with a code, and what is no fault of theirs without its words."""

from graphql import GraphQLError
from strawberry.extensions import MaskErrors

from api.bodies import BAD_REQUEST
from graph.errors import FuseGraphError

INTERNAL = "INTERNAL"
"""The code of what was not foreseen."""


class CodedErrors(MaskErrors):
    """Gives every error its code, and masks what is unexpected."""

    def __init__(self) -> None:
        super().__init__(should_mask_error=lambda _: True)

    def anonymise_error(self, error: GraphQLError) -> GraphQLError:
        """Return the error as a client sees it; what has its code already stays as it is."""
        if "code" in (error.extensions or {}):
            return error
        message, code = _told(error)
        return GraphQLError(
            message,
            nodes=error.nodes,
            source=error.source,
            positions=error.positions,
            path=error.path,
            original_error=error.original_error if code != INTERNAL else None,
            extensions={"code": code},
        )


def _told(error: GraphQLError) -> tuple[str, str]:
    cause = error.original_error
    if isinstance(cause, FuseGraphError):
        return error.message, cause.code
    if cause is None or isinstance(cause, GraphQLError):
        return error.message, BAD_REQUEST
    # Before anything runs, what fails is the document or a variable.
    return (error.message, BAD_REQUEST) if error.path is None else ("Unexpected error.", INTERNAL)
