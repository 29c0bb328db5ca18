"""What a group has set: its time zone, the kinds of its keys, whether text from outside is taken up."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, Final

from graph.errors import InvalidInput
from graph.model import GroupSettings
from graph.naming import entity_key, is_unicode
from graph.scope import Right, Scope
from graph.store import Row, Store, Transaction
from graph.timelines.said import KeyKind
from graph.timelines.weights import STALE_AFTER_DAYS, Staleness
from graph.times.instants import parse_zone

_MOST_KEYS: Final = 500
_LONGEST_KEY: Final = 200
# Kept in two properties, set as one.
_SETTING: Final = {"stale_keys_days": "stale_keys", "key_kinds_kinds": "key_kinds"}


async def settings_of(store: Store, scope: Scope) -> GroupSettings:
    """Return the settings of a group; the defaults where it has none."""
    rows = await store.read("writing/group", scope)
    return _read(rows[0]["settings"]) if rows else GroupSettings()


async def exists(store: Store, scope: Scope) -> bool:
    """Tell whether anything was ever recorded or set in a group."""
    return bool(await store.read("writing/group", scope))


def settings_in(row: Mapping[str, Any]) -> GroupSettings:
    """Return the settings of a group out of its node's properties; the defaults where it has none."""
    return _read(row)


def staleness_of(row: Mapping[str, Any] | None) -> Staleness:
    """Return after how long statements of a group are stale, out of its node's properties."""
    return _staleness(_read(row)) if row else Staleness()


async def configure(
    store: Store,
    scope: Scope,
    *,
    time_zone: str | None = None,
    key_kinds: Mapping[str, str] | None = None,
    external: bool | None = None,
    stale_days: float | None = None,
    stale_keys: Mapping[str, float] | None = None,
) -> GroupSettings:
    """Set what is given and leave the rest; return the settings as they are now.

    Raises:
        AccessDenied: the scope may not administer the group.
        InvalidInput: there is no such zone or kind, a key is none or stands twice, or a number of days is not positive.
    """
    scope.require(Right.ADMIN)
    given: dict[str, Any] = {
        "time_zone": time_zone,
        "key_kinds": key_kinds,
        "external": external,
        "stale_days": stale_days,
        "stale_keys": stale_keys,
    }
    settings = replace(await settings_of(store, scope), **{name: v for name, v in given.items() if v is not None})
    _check(settings)

    kept = {
        "time_zone": settings.time_zone,
        "key_kinds": sorted(settings.key_kinds),
        "key_kinds_kinds": [str(settings.key_kinds[key]) for key in sorted(settings.key_kinds)],
        "external": settings.external,
        "stale_days": float(settings.stale_days),
        "stale_keys": sorted(settings.stale_keys),
        "stale_keys_days": [float(settings.stale_keys[key]) for key in sorted(settings.stale_keys)],
    }
    # Only what is given is written: another may set something else at the same time.
    set_now = {name for name, value in given.items() if value is not None}
    written = {name: value for name, value in kept.items() if _SETTING.get(name, name) in set_now}

    async def work(transaction: Transaction) -> list[Row]:
        return await transaction.run("writing/configure_group", settings=written)

    await store.write(scope, work)
    return settings


def _check(settings: GroupSettings) -> None:
    try:
        parse_zone(settings.time_zone)
    except ValueError as error:
        raise InvalidInput(f"timeZone: {error}") from error
    for field, keys in (("keyKinds", tuple(settings.key_kinds)), ("staleKeys", tuple(settings.stale_keys))):
        if len(keys) > _MOST_KEYS:
            raise InvalidInput(f"{field}: It lists {len(keys)} keys; at most {_MOST_KEYS} are kept.")
        if any(not key.strip() or len(key) > _LONGEST_KEY or not is_unicode(key) for key in keys):
            raise InvalidInput(f"{field}: Each key needs 1 to {_LONGEST_KEY} characters of well-formed Unicode.")
    by_key: dict[str, str] = {}
    for key, kind in settings.key_kinds.items():
        if kind not in set(KeyKind):
            raise InvalidInput(
                f"keyKinds: {kind!r} is no kind. The kind of {key!r} must be one of {', '.join(KeyKind)}."
            )
        if (other := by_key.setdefault(entity_key(key), key)) != key:
            raise InvalidInput(f"keyKinds: {other!r} and {key!r} are one key. Give it one kind.")
    for field, days in (("staleDays", [settings.stale_days]), ("staleKeys", list(settings.stale_keys.values()))):
        if any(not isfinite(one) or one <= 0 for one in days):
            raise InvalidInput(f"{field}: A number of days must be above 0.")


def _read(row: Mapping[str, Any]) -> GroupSettings:
    keys, days = row.get("stale_keys") or [], row.get("stale_keys_days") or []
    # Groups of before there were kinds have a list of keys that hold many values.
    kinds = dict.fromkeys(row.get("many_valued") or [], str(KeyKind.MANY))
    if row.get("key_kinds") is not None:
        kinds = dict(zip(row["key_kinds"], row.get("key_kinds_kinds") or [], strict=True))
    return GroupSettings(
        time_zone=row.get("time_zone") or "UTC",
        key_kinds=kinds,
        external=bool(row.get("external")),
        stale_days=row.get("stale_days") or STALE_AFTER_DAYS,
        stale_keys=dict(zip(keys, days, strict=True)),
    )


def _staleness(settings: GroupSettings) -> Staleness:
    return Staleness(settings.stale_days, {entity_key(key): days for key, days in settings.stale_keys.items()})
