"""What a timeline looks like: its values in order, as they held at a time and as they were known at a time. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from graph.ontology import PAST, Status
from graph.scope import GROUP_AUDIENCE
from graph.timelines.decide import TimelineRole
from graph.timelines.standing import Standing, instant
from graph.wording.tokens import same

_ARROW: Final = " → "
_BESIDE: Final = " + "
_DASH: Final = "–"


@dataclass(frozen=True, slots=True)
class ValuePeriod:
    """A value and the time for which it holds (ms; `until` exclusive, None: still), with the atoms that state it.

    `beside` tells that it was said to hold besides others; `private` that only one user may see it.
    """

    value: str
    since: int | None
    until: int | None
    status: str
    atoms: tuple[str, ...]
    beside: bool = False
    private: bool = False

    def joins(self, later: "ValuePeriod") -> bool:
        """Tell whether a later period goes on with this one."""
        kind = (self.beside, self.private) == (later.beside, later.private)
        return kind and self.until == later.since and same(self.value, later.value)

    def within(self, other: "ValuePeriod") -> bool:
        """Tell whether it held for no time, while another had begun before and went on: it was taken back."""
        if self.since is None or self.until is None or self.since < self.until or self.private != other.private:
            return False
        begun = other.since is None or other.since < self.since
        return begun and (other.until is None or other.until > self.since)


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
    if standing.status in PAST and holds_at(standing, at):
        return replace(standing, status=Status.ACTIVE, valid_until=None)
    if standing.status == Status.CONFLICT and standing.conflict_since is not None and standing.conflict_since > at:
        return standing.alone()
    return standing


def periods(rows: Sequence[Mapping[str, Any]], *, as_of: int | None = None) -> list[ValuePeriod]:
    """Return the periods of a timeline in order of time; statements of one value that meet are one period.

    With `as_of` only what held at that instant is returned.
    """
    found: list[ValuePeriod] = []
    told = [
        (row, standing_then(row)) for row in rows if row["timeline_role"] in (TimelineRole.VALUE, TimelineRole.ADDITION)
    ]
    # Of one instant: in the order in which they were learned.
    for row, standing in sorted(told, key=_begun):
        if standing.status in (Status.QUARANTINED, Status.ERASED):
            continue
        if as_of is not None and not holds_at(standing, as_of):
            continue
        period = ValuePeriod(
            row["value"] or row["text"], standing.valid_from, standing.valid_until, standing.status, (row["id"],),
            row["timeline_role"] == TimelineRole.ADDITION, row["audience"] != GROUP_AUDIENCE,
        )  # fmt: skip
        at = next((at for at in reversed(range(len(found))) if found[at].joins(period)), None)
        if at is None:
            found.append(period)
        else:
            last = found[at]
            found[at] = replace(last, until=period.until, status=period.status, atoms=(*last.atoms, row["id"]))
    return found


def _begun(told: tuple[Mapping[str, Any], Standing]) -> int:
    row, standing = told
    return int(row["at"]) if standing.valid_from is None else standing.valid_from


def rendered(found: Sequence[ValuePeriod]) -> str:
    """Return the periods as one line: `Java (2024–2026) → Go (2026–)`.

    Sides of a conflict are joined by `|`, values that hold besides by `+`; private ones stand behind. What held for no
    time beside another is left out.
    """  # noqa: RUF002
    held = [one for one in found if not any(one.within(other) for other in found)]
    lines = (_line(one for one in held if not one.private), _line(one for one in held if one.private))
    return "; ".join(prefix + line for prefix, line in zip(("", "private: "), lines, strict=True) if line)


def _line(found: Iterable[ValuePeriod]) -> str:
    parts: list[str] = []
    beside: list[str] = []
    for period in found:
        text = f"{period.value} ({_years(period)})"
        if period.beside:
            beside.append(text)
        elif period.status == Status.CONFLICT and parts and parts[-1].endswith("?"):
            parts[-1] = f"{parts[-1]} | {text}?"
        else:
            parts.append(f"{text}?" if period.status == Status.CONFLICT else text)
    return _BESIDE.join([_ARROW.join(parts), *beside] if parts else beside)


def _years(period: ValuePeriod) -> str:
    since = "" if period.since is None else str(instant(period.since).year)
    until = "" if period.until is None else str(instant(period.until).year)
    return since if since and since == until else f"{since}{_DASH}{until}"
