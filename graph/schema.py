"""Applies `cypher/schema`, and refuses a database that was made for another schema or embedding model."""

from dataclasses import dataclass
from typing import Final

from graph.errors import DatabaseRefused, PreflightFailed, SchemaMismatch
from graph.scope import System
from graph.store import Row, Store, Transaction, statements

VERSION: Final = 2
"""Version of the schema in `cypher/schema`; a change that old data does not fit raises it."""

PREPARING: Final = "preparing"
"""Noted while the index of the slot that is not being read is dropped and made for another model."""

SLOTS: Final = ("a", "b")
"""The two places for vectors: one is read while the other is filled."""

_ANALYZERS: Final = {"text_english": "english", "text_chinese": "cjk"}
_TEXT: Final = {"window", "group_tag", "audience_tag", "status", "day_token"}
_FILTERS: Final = ("group_id", "audience", "status", "subject_id", "day", "occurred_ms")
_SYSTEM: Final = System("schema")
_OLDEST_NEO4J: Final = (2026, 2)
_OLDEST_GDS: Final = (2, 13)
_INDEX_WAIT_S: Final = 300


@dataclass(frozen=True, slots=True)
class Meta:
    """For which schema and which embedding model the database was made, and the slot its vectors are in.

    `filling` is what re-embedding notes of its work on the other slot: `PREPARING` while it makes the index anew.
    """

    version: int
    slot: str
    model: str
    dimension: int
    filling: str | None = None


async def preflight(store: Store) -> dict[str, str]:
    """Return the versions of Neo4j and GDS.

    Raises:
        PreflightFailed: the server is too old for filtered vector search, or has no GDS.
    """
    components = {row["name"]: row["versions"] for row in await store.read("maintenance/server", _SYSTEM)}
    neo4j = str(components["Neo4j Kernel"][0])
    if _numbers(neo4j) < _OLDEST_NEO4J:
        raise PreflightFailed(
            f"It is Neo4j {neo4j}; vector search that filters inside the index needs "
            f"{'.'.join(map(str, _OLDEST_NEO4J))} or newer."
        )
    try:
        gds = str((await store.read("maintenance/gds_version", _SYSTEM))[0]["version"])
    except DatabaseRefused as error:
        raise PreflightFailed(
            "It has no Graph Data Science plugin. Install GDS and allow its procedures "
            "(dbms.security.procedures.unrestricted=gds.*)."
        ) from error
    if _numbers(gds) < _OLDEST_GDS:
        raise PreflightFailed(f"Its GDS is {gds}; {'.'.join(map(str, _OLDEST_GDS))} or newer is needed.")
    return {"neo4j": neo4j, "gds": gds}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+", maxsplit=1)[0].split("-", maxsplit=1)[0].split(".")[:2])


async def apply(store: Store, model: str, dimension: int) -> Meta:
    """Create what the schema declares and is missing; return what the database says it was made for.

    A fresh database is made for this model. Applying it again changes nothing.

    Raises:
        SchemaMismatch: the database was made for a newer or older schema, or an index of it is another than declared.
    """
    found = await read_meta(store)
    if found is not None:
        _require_version(found)
    length = found.dimension if found else dimension
    # Made here it would be for the model that re-embedding is leaving.
    awaited = {f"vector_{slot}" for slot in SLOTS if found and found.filling == PREPARING and slot != found.slot}
    if found is None or set(await missing(store)) - awaited:
        for name in declared():
            if name not in awaited:
                vector = {"dimension": length} if name.startswith("vector_") else {}
                await store.run(f"schema/{name}", _SYSTEM, **vector)
        await await_indexes(store)

    await _require_indexes(store, found.slot if found else SLOTS[0], length)

    async def work(transaction: Transaction) -> list[Row]:
        return await transaction.run(
            "maintenance/create_meta", version=VERSION, slot=SLOTS[0], model=model, dimension=dimension
        )

    return found or Meta(**(await store.write(_SYSTEM, work))[0])


async def _require_indexes(store: Store, slot: str, dimension: int) -> None:
    """Refuse an index that has a declared name and is another: it would find less, or nothing."""
    for row in await store.read("maintenance/indexes", _SYSTEM):
        name, settings = row["name"], row["settings"]
        if name in _ANALYZERS:
            right = set(row["properties"]) == _TEXT and settings["fulltext.analyzer"] == _ANALYZERS[name]
        elif name == f"vector_{slot}":
            right = set(row["properties"]) == {f"embedding_{slot}", *_FILTERS}
            right &= settings["vector.dimensions"] == dimension
        else:
            continue
        if not right:
            raise SchemaMismatch(
                f"Its index {name!r} is not the one that this schema declares. Drop it (DROP INDEX {name}); it is made "
                "anew at the next start."
            )


async def drop_vectors(store: Store, slot: str) -> None:
    """Drop the vector index of a slot; the vectors stay."""
    await store.run(f"maintenance/drop_vector_{slot}", _SYSTEM)


async def make_vectors(store: Store, slot: str, dimension: int) -> None:
    """Make the vector index of a slot of the vectors that are there, and wait until it answers."""
    await store.run(f"schema/vector_{slot}", _SYSTEM, dimension=dimension)
    await await_indexes(store)


async def vectors_to_remake(store: Store, slot: str) -> bool | None:
    """Tell whether the vector index of a slot is missing or of another kind than declared; None: it is being made."""
    found = [row for row in await store.read("maintenance/indexes", _SYSTEM) if row["name"] == f"vector_{slot}"]
    if found and found[0]["state"] == "POPULATING":
        return None
    return not found or str(found[0]["settings"].get("vector.quantization.type", "NONE")) != "NONE"


async def look(store: Store) -> Meta:
    """Return what the database says it was made for, and change nothing.

    Raises:
        SchemaMismatch: it was never opened by FuseGraph, or is of another version.
    """
    found = await read_meta(store)
    if found is None:
        raise SchemaMismatch("It holds no memory yet. Record something first.")
    _require_version(found)
    return found


def _require_version(found: Meta) -> None:
    if found.version != VERSION:
        raise SchemaMismatch(
            f"Its schema is version {found.version}, this FuseGraph's is {VERSION}. "
            "Use the FuseGraph it was made with to export it, then import it here."
        )


async def await_indexes(store: Store) -> None:
    """Wait until every index answers."""
    await store.read("maintenance/await_indexes", _SYSTEM, seconds=_INDEX_WAIT_S)


async def read_meta(store: Store) -> Meta | None:
    """Return what the database was made for; None where it is fresh."""
    rows = await store.read("maintenance/meta", _SYSTEM)
    return Meta(**rows[0]) if rows else None


def require_model(meta: Meta, model: str, dimension: int) -> None:
    """Refuse another model than the one whose vectors the database holds.

    Raises:
        SchemaMismatch: naming both models and the way out.
    """
    if (meta.model, meta.dimension) != (model, dimension):
        raise SchemaMismatch(
            f"Its vectors are by {meta.model!r} ({meta.dimension} dimensions), the model set is {model!r} "
            f"({dimension}). Run `fusegraph reembed` to embed everything anew, or set FUSEGRAPH_MODEL={meta.model}."
        )


def declared() -> list[str]:
    """Return the names of all indexes and constraints that the schema declares."""
    return [name.partition("/")[2] for name in statements("schema")]


async def missing(store: Store) -> list[str]:
    """Return the declared indexes and constraints that are missing or do not answer."""
    rows = await store.read("audits/schema_complete", _SYSTEM, declared=declared(), limit=100)
    return [row["missing"] for row in rows]
