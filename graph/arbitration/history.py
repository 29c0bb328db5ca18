"""What a timeline looks like: its values in order, as they held at a time and as they were known at a time. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from graph.arbitration.decide import Stance
from graph.arbitration.standing import Standing, instant
from graph.arbitration.values import same
from graph.ontology import Status

_ARROW: Final = " → "
_DASH: Final = "–"


@dataclass(frozen=True, slots=True)
class Period:
    """A value and the time for which it holds (ms; `until` exclusive, None: still), with the atoms that state it."""

    value: str
    since: int | None
    until: int | None
    status: str
    atoms: tuple[str, ...]


def standing_then(row: Mapping[str, Any]) -> Standing:
    """Return the standing of a row; as it was known, where the row brings what stood `before` a later decision."""
    before = row.get("before")
    return Standing.of(json.loads(before) if before else row)


def holds_at(standing: Standing, at: int) -> bool:
    """Tell whether what has this standing held at an instant, whatever has become of it since."""
    if standing.status in (Status.QUARANTINED, Status.ERASED):
        return False
    begun = standing.valid_from is None or standing.valid_from <= at
    return begun and (standing.valid_until is None or at < standing.valid_until)


def as_held(standing: Standing, at: int) -> Standing:
    """Return the standing as it was at an instant: what held then was active, or in conflict, then."""
    past = standing.status in (Status.SUPERSEDED, Status.INVALID)
    if past and holds_at(standing, at):
        return replace(standing, status=Status.ACTIVE, valid_until=None)
    if standing.status == Status.CONFLICT and standing.conflict_since is not None and standing.conflict_since > at:
        return standing.alone()
    return standing


def periods(rows: Sequence[Mapping[str, Any]], *, as_of: int | None = None) -> list[Period]:
    """Return the periods of a timeline in order of time; statements of one value that meet are one period.

    With `as_of` only what held at that instant is returned.
    """
    found: list[Period] = []
    told = [(row, standing_then(row)) for row in rows if row["stance"] in (Stance.VALUE, Stance.ALSO)]
    # Of one instant: in the order in which they were learned.
    for row, standing in sorted(told, key=_begun):
        if standing.status in (Status.QUARANTINED, Status.ERASED):
            continue
        if as_of is not None and not holds_at(standing, as_of):
            continue
        value = row["value"] or row["text"]
        period = Period(value, standing.valid_from, standing.valid_until, standing.status, (row["id"],))
        last = found[-1] if found else None
        if last is not None and same(last.value, value) and last.until == period.since:
            found[-1] = Period(last.value, last.since, period.until, period.status, (*last.atoms, row["id"]))
        else:
            found.append(period)
    return found


def _begun(told: tuple[Mapping[str, Any], Standing]) -> int:
    row, standing = told
    return int(row["at"]) if standing.valid_from is None else standing.valid_from


def rendered(found: Iterable[Period]) -> str:
    """Return the periods as one line: `Java (2024–2026) → Go (2026–)`; sides of a conflict are joined by `|`."""  # noqa: RUF002
    parts: list[str] = []
    for period in found:
        text = f"{period.value} ({_years(period)})"
        if period.status == Status.CONFLICT and parts and parts[-1].endswith("?"):
            parts[-1] = f"{parts[-1]} | {text}?"
        else:
            parts.append(f"{text}?" if period.status == Status.CONFLICT else text)
    return _ARROW.join(parts)


def _years(period: Period) -> str:
    since = "" if period.since is None else str(instant(period.since).year)
    until = "" if period.until is None else str(instant(period.until).year)
    return since if since and since == until else f"{since}{_DASH}{until}"
