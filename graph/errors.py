"""The error tree: one root, and a docstring that is the message.

A detail says what this time was wrong and what to do about it. API clients see these messages as they are;
anything that is not a `FuseGraphError` is masked.
"""


class FuseGraphError(Exception):
    """FuseGraph could not do what was asked."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(f"{self.__doc__} {detail}".strip())


class InvalidInput(FuseGraphError):
    """The input was refused; nothing was changed."""


class AccessDenied(FuseGraphError):
    """The scope does not allow this."""


class NotFound(FuseGraphError):
    """There is no such thing in this scope."""


class DatabaseUnavailable(FuseGraphError):
    """The Neo4j server cannot be reached."""


class DatabaseRefused(FuseGraphError):
    """The Neo4j server refused a statement."""


class ConflictingWrite(FuseGraphError):
    """Another writer changed the same thing first."""


class PreflightFailed(FuseGraphError):
    """This Neo4j server cannot carry FuseGraph."""


class SchemaMismatch(FuseGraphError):
    """The database was made for another schema or embedding model."""


class EmbeddingFailed(FuseGraphError):
    """The embedding model could not be used."""


class LocalServerError(FuseGraphError):
    """The managed Neo4j server could not do what was asked."""


class ProvisionFailed(LocalServerError):
    """The parts of the managed Neo4j server could not be fetched."""


class ServerStartFailed(LocalServerError):
    """The managed Neo4j server did not start."""


class JavaNotFound(LocalServerError):
    """No Java runtime of version 21 or newer was found."""
