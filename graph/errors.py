"""The error tree: one root, and a docstring that is the message.

A detail says what this time was wrong and what to do about it. API clients see these messages as they are, with the
class's code; anything that is not a `FuseGraphError` is masked. A code stays what it is: clients branch on it.
"""

from typing import ClassVar


class FuseGraphError(Exception):
    """FuseGraph could not do what was asked."""

    code: ClassVar[str] = "FAILED"

    def __init__(self, detail: str = "") -> None:
        super().__init__(f"{self.__doc__} {detail}".strip())


class InvalidInput(FuseGraphError):
    """The input was refused; nothing was changed."""

    code = "INVALID_INPUT"


class AccessDenied(FuseGraphError):
    """The scope does not allow this."""

    code = "ACCESS_DENIED"


class NotFound(FuseGraphError):
    """There is no such thing in this scope."""

    code = "NOT_FOUND"


class DatabaseUnavailable(FuseGraphError):
    """The Neo4j server cannot be reached."""

    code = "DATABASE_UNAVAILABLE"


class DatabaseBusy(DatabaseUnavailable):
    """The Neo4j server could not do it beside its other work. Send it again."""

    code = "DATABASE_BUSY"


class DatabaseStopped(DatabaseUnavailable):
    """The Neo4j database has stopped, and refuses all work until its server is restarted."""

    code = "DATABASE_STOPPED"


class DatabaseRefused(FuseGraphError):
    """The Neo4j server refused a statement."""

    code = "DATABASE_REFUSED"


class ConflictingWrite(FuseGraphError):
    """Another writer changed the same thing first."""

    code = "CONFLICTING_WRITE"


class PreflightFailed(FuseGraphError):
    """This Neo4j server cannot carry FuseGraph."""

    code = "PREFLIGHT_FAILED"


class SchemaMismatch(FuseGraphError):
    """The database was made for another schema or embedding model."""

    code = "SCHEMA_MISMATCH"


class EmbeddingFailed(FuseGraphError):
    """The embedding model could not be used."""

    code = "EMBEDDING_FAILED"


class LocalServerError(FuseGraphError):
    """The managed Neo4j server could not do what was asked."""

    code = "LOCAL_SERVER_ERROR"


class ProvisionFailed(LocalServerError):
    """The parts of the managed Neo4j server could not be fetched."""

    code = "PROVISION_FAILED"


class ServerStartFailed(LocalServerError):
    """The managed Neo4j server did not start."""

    code = "SERVER_START_FAILED"


class JavaNotFound(LocalServerError):
    """No Java runtime of version 21 or newer was found."""

    code = "JAVA_NOT_FOUND"
