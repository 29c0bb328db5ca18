"""The only module that speaks Bolt: it loads statements, checks their parameters and translates errors once."""

import asyncio
import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, TypeVar

import neo4j
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncResult,
    AsyncSession,
    AsyncTransaction,
)
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

import cypher
from cypher import Query, query
from graph.errors import ConflictingWrite, DatabaseBusy, DatabaseRefused, DatabaseStopped, DatabaseUnavailable
from graph.scope import Scope, System

T = TypeVar("T")
Row = dict[str, Any]

_PATIENCE_S: Final = 30.0
"""How long after its first failure a statement is tried again, alone or in a transaction: the driver's own figure."""
_PAUSE_S: Final = 0.01
"""The first pause; each is twice the last. Who lost a deadlock is let in after some milliseconds."""
_LONGEST_PAUSE_S: Final = 0.25
_LONGEST_AWAY_S: Final = 4.0
"""The longest pause where the server answers, and where it does not."""

_TIMEOUT_S: Final = 60.0
_SYSTEM_TIMEOUT_S: Final = 900.0
"""After so long the server ends a statement or a transaction of a scope; of schema work, audits and maintenance."""

_READING_AT_ONCE: Final = 4
"""Reading statements of one process at once; more wait here, where they take nothing from those who write."""

_STOPPED: Final = (
    "Neo.DatabaseError.Transaction.TransactionCommitFailed",
    "Neo.DatabaseError.Transaction.TransactionLogError",
    "Neo.DatabaseError.Transaction.TransactionStartFailed",
)
"""After these the database takes nothing more, also where its disk has space again."""

_ROWS_AT_A_TIME: Final = 64
"""Rows that are taken in before the event loop may turn to something else: the driver gives way only to the network."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j server answers and as whom to log in (`auth` None: the server asks for nothing)."""

    uri: str
    auth: tuple[str, str] | None
    database: str


class Transaction:
    """One write transaction: every statement run here commits with the others or not at all."""

    def __init__(self, store: "Store", transaction: AsyncTransaction, scope: Scope | System) -> None:
        self._store = store
        self._transaction = transaction
        self._scope = scope

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        """Run a statement of `cypher/` and return its rows."""
        statement, bound = _bind(name, self._scope, params)
        self._store.exchanges += 1
        return await _rows(await self._transaction.run(statement.text, bound))


@dataclass(slots=True)
class Health:
    """Whether the database has stopped, as a store and those beside it have seen it."""

    stopped: bool = False

    def has_stopped(self) -> bool:
        """Tell it once: who asks will do something about it."""
        stopped, self.stopped = self.stopped, False
        return stopped


class Store:
    """Reads and writes under a scope. Every statement run under a `Scope` is bound to its group.

    Errors: `DatabaseUnavailable`, `DatabaseRefused`, and `ConflictingWrite` where a uniqueness rule was hit.
    `exchanges` counts what was sent and waited for: a statement, or the beginning or the end of a transaction;
    `retries` what was begun again after an error that may pass, such as a deadlock.
    """

    def __init__(self, driver: AsyncDriver, database: str, health: Health | None = None) -> None:
        self._driver = driver
        self._database = database
        self.exchanges = 0
        self.retries = 0
        self.health = health or Health()
        self._reading = asyncio.Semaphore(_READING_AT_ONCE)

    def apart(self) -> "Store":
        """Return a store on the same connections with counts of its own, for work in the background."""
        return Store(self._driver, self._database, self.health)

    @classmethod
    @asynccontextmanager
    async def open(cls, address: Address) -> AsyncIterator["Store"]:
        """Connect, and close the connections at the end."""
        async with AsyncGraphDatabase.driver(
            address.uri,
            auth=address.auth,
            notifications_disabled_classifications=["UNRECOGNIZED"],
            connection_acquisition_timeout=60,
            max_connection_pool_size=50,
            user_agent="fusegraph",
        ) as driver:
            with _translated("connect"):
                await driver.verify_connectivity()
            yield cls(driver, address.database)

    async def read(self, name: str, scope: Scope | System, **params: Any) -> list[Row]:
        """Run one reading statement of `cypher/` and return its rows.

        Raises:
            TypeError: other parameters than the statement declares, or a statement without a group under a `Scope`.
        """
        async with self._reading:
            return await self._alone(READ_ACCESS, name, scope, params)

    async def look(self, name: str, scope: Scope | System, **params: Any) -> list[Row]:
        """Run one statement that locks what it looks at, for as long as it looks, and changes nothing.

        Without the lock a reader may see a part of what another writer is committing, and not yet the rest.
        """
        return await self._alone(WRITE_ACCESS, name, scope, params)

    async def run(self, name: str, system: System, **params: Any) -> list[Row]:
        """Run one statement on its own that changes something: of the schema, or one that commits as it goes."""
        return await self._alone(WRITE_ACCESS, name, system, params)

    async def _alone(self, access: str, name: str, scope: Scope | System, params: Row) -> list[Row]:
        statement, bound = _bind(name, scope, params)

        async def attempt(session: AsyncSession) -> list[Row]:
            # Without a transaction of its own: one exchange instead of two.
            self.exchanges += 1
            return await _rows(await session.run(neo4j.Query(statement.text, timeout=_timeout(scope)), bound))

        return await self._patiently(name, access, attempt)

    async def write(self, scope: Scope | System, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction; it runs again from the start when the server asks for a retry.

        `work` must therefore have no effect but through the transaction.
        """

        async def attempt(session: AsyncSession) -> T:
            self.exchanges += 2  # the beginning, and the end that follows whatever comes of it
            async with await session.begin_transaction(timeout=_timeout(scope)) as transaction:
                return await work(Transaction(self, transaction, scope))

        return await self._patiently(getattr(work, "__qualname__", "write"), WRITE_ACCESS, attempt)

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        try:
            yield
        except DatabaseStopped:
            self.health.stopped = True
            raise

    async def _patiently(self, what: str, access: str, attempt: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Attempt something in a session; what may be tried again is, after pauses that grow.

        The driver's own managed transactions begin with a pause of a second, which is long for a deadlock.
        """
        bookmarks = self._driver.execute_query_bookmark_manager
        pause, until = _PAUSE_S, math.inf
        with self._noticed(), _translated(what):
            while True:
                try:
                    async with self._driver.session(
                        database=self._database, default_access_mode=access, bookmark_manager=bookmarks
                    ) as session:
                        return await attempt(session)
                except (Neo4jError, DriverError) as error:
                    until = min(until, monotonic() + _PATIENCE_S)
                    if not error.is_retryable() or monotonic() + pause > until:
                        raise
                    self.retries += 1
                    await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - no secret
                    longest = _LONGEST_PAUSE_S if isinstance(error, TransientError) else _LONGEST_AWAY_S
                    pause = min(2 * pause, longest)

    async def profile(self, name: str, scope: Scope | System, **params: Any) -> int:
        """Run a statement under PROFILE and return its database hits, procedure calls not counted."""
        statement, bound = _bind(name, scope, params)
        text = statement.text.replace("CYPHER 25", "CYPHER 25 PROFILE", 1)
        with _translated(name):
            result = await self._driver.execute_query(
                neo4j.Query(text, timeout=_timeout(scope)),
                bound,
                database_=self._database,
            )
        return _hits(result.summary.profile or {})


class Reader:
    """Reads under one scope, and counts its exchanges: one for each statement, however often it is tried."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self.exchanges = 0

    async def read(self, name: str, **params: Any) -> list[Row]:
        """Run one reading statement, as `Store.read` does."""
        self.exchanges += 1
        return await self._store.read(name, self._scope, **params)


def statements(folder: str) -> tuple[str, ...]:
    """Return the names of the statements of a folder of `cypher/`, sorted."""
    return cypher.names(folder)


def declared(name: str) -> frozenset[str]:
    """Return the parameters that a statement declares."""
    return query(name).params


def title(name: str) -> str:
    """Return the sentence that a statement opens with."""
    return query(name).title


def _timeout(scope: Scope | System) -> float:
    return _TIMEOUT_S if isinstance(scope, Scope) else _SYSTEM_TIMEOUT_S


def _bind(name: str, scope: Scope | System, params: Row) -> tuple[Query, Row]:
    """Return the statement and its parameters, those of the scope among them.

    Raises:
        TypeError: a parameter is missing or not declared, or the statement is not bound to the scope's group.
    """
    statement = query(name)
    of_scope = scope.parameters()
    if isinstance(scope, Scope) and "group_id" not in statement.params:
        raise TypeError(f"{name} is not bound to a group and cannot run under a Scope")
    bound = {key: value for key, value in of_scope.items() if key in statement.params} | params
    if bound.keys() != statement.params or params.keys() & of_scope.keys():
        raise TypeError(f"{name} takes {sorted(statement.params - of_scope.keys())}, got {sorted(params)}")
    return statement, {key: _quiet(value) for key, value in bound.items()}


def _quiet(value: Any) -> Any:
    """Return a parameter of a short text: the driver makes the text of all for its log, even where it keeps none."""
    return _Values(value) if isinstance(value, list) else _Parts(value) if isinstance(value, dict) else value


class _Values(list[Any]):
    def __repr__(self) -> str:
        return f"[{len(self)} values]"


class _Parts(dict[str, Any]):
    def __repr__(self) -> str:
        return f"{{{', '.join(self)}}}"


async def _rows(result: AsyncResult) -> list[Row]:
    rows: list[Row] = []
    async for record in result:
        rows.append(dict(record))
        if len(rows) % _ROWS_AT_A_TIME == 0:
            await asyncio.sleep(0)
    return rows


def _hits(operator: Row) -> int:
    return int(operator.get("dbHits", 0)) + sum(_hits(child) for child in operator.get("children", ()))


@contextmanager
def _translated(what: str) -> Iterator[None]:
    """Turn the driver's errors into ours; the cause stays attached."""
    try:
        yield
    except ConstraintError as error:
        raise ConflictingWrite(f"({what}) Send it again.") from error
    except AuthError as error:
        raise DatabaseUnavailable("It refused the user name or the password.") from error
    except TransientError as error:
        raise DatabaseBusy(f"({what}) {_first_line(error)}") from error
    except (ServiceUnavailable, SessionExpired) as error:
        raise DatabaseUnavailable(f"({what}) {_first_line(error)}") from error
    except (Neo4jError, DriverError, ConfigurationError) as error:
        if isinstance(error, Neo4jError) and error.code in _STOPPED:
            raise DatabaseStopped(
                f"({what}) Free some space if its disk is full, then restart it. What was acknowledged is safe; "
                "the API restarts the server that it manages by itself."
            ) from error
        raise DatabaseRefused(f"({what}) {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
