"""What a timeline looks like: its values in order, as they held at a time and as they were known at a time. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from graph.model import Period
from graph.ontology import PAST, Status
from graph.scope import GROUP_AUDIENCE
from graph.timelines.said import TimelineRole
from graph.timelines.standing import Standing, instant
from graph.timelines.step import GIVING
from graph.wording.tokens import same

_ARROW: Final = " → "
_BESIDE: Final = " + "
_DASH: Final = "–"
_UNSHOWN: Final = (Status.QUARANTINED, Status.ERASED)


class _Span(NamedTuple):
    """A time for which a row's value held (ms; `until` exclusive, None: still)."""

    row: Mapping[str, Any]
    standing: Standing
    since: int | None
    until: int | None
    over: bool

    @property
    def begun(self) -> int:
        """What it is put in order by."""
        return int(self.row["at"]) if self.since is None else self.since

    def holds(self, at: int) -> bool:
        """Tell whether an instant lies in it."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


def standing_then(row: Mapping[str, Any]) -> Standing:
    """Return the standing of a row; as it was known, where the row brings what stood `before` a later decision."""
    before = row.get("before")
    if not before:
        return Standing.of(row)
    standing = Standing.of(json.loads(before))
    if standing.timeline_role is None:  # older decisions do not tell: then it did not change
        return replace(standing, timeline_role=row.get("timeline_role"), restates=row.get("restates"))
    return standing


def holds_at(standing: Standing, at: int) -> bool:
    """Tell whether what has this standing held at an instant, whatever has become of it since."""
    if standing.status in _UNSHOWN:
        return False
    begun = standing.valid_from is None or standing.valid_from <= at
    holds = begun and (standing.valid_until is None or at < standing.valid_until)
    return holds or any(since <= at < until for since, until in _earlier(standing))


def as_held(standing: Standing, at: int) -> Standing:
    """Return the standing as it was at an instant: what held then was active, or in conflict, then."""
    if not holds_at(standing, at):
        return standing
    if standing.status in PAST or _began_after(standing, at):
        return replace(standing, status=Status.ACTIVE, valid_until=None)
    if standing.status == Status.CONFLICT and standing.conflict_since is not None and standing.conflict_since > at:
        return standing.alone()
    return standing


def _began_after(standing: Standing, at: int) -> bool:
    """Tell whether the present period had not begun at an instant."""
    return standing.valid_from is not None and standing.valid_from > at


def _earlier(standing: Standing) -> list[tuple[int, int]]:
    return list(zip(standing.earlier[::2], standing.earlier[1::2], strict=True))


def periods(rows: Sequence[Mapping[str, Any]], *, as_of: int | None = None) -> list[Period]:
    """Return the periods of a timeline in order of time; statements of one value that meet are one period.

    A value that held several times has as many periods, though one statement may bear them; what only restates a value
    has none. With `as_of` only what held at that instant is returned.
    """
    spans = [span for row in rows for span in _spans(row)]
    # Of one instant: in the order in which they were learned.
    spans.sort(key=lambda span: span.begun)
    lanes = list(dict.fromkeys(str(span.row["lane"]) for span in spans if span.row.get("lane")))
    begun = {span.since for span in spans}
    spans = [span for span in spans if as_of is None or span.holds(as_of)]
    found: list[Period] = []
    for span in spans:
        period = _period(span, lanes)
        if span.over:  # the statement has begun again: what became of it then is told by what followed
            over = Status.SUPERSEDED if span.until in begun else Status.INVALID
            period = replace(period, status=str(over))
        at = next((at for at in reversed(range(len(found))) if _joins(found[at], period)), None)
        if at is None:
            found.append(period)
        else:
            last = found[at]
            atoms = tuple(dict.fromkeys((*last.atoms, *period.atoms)))
            found[at] = replace(last, until=period.until, status=period.status, atoms=atoms)
    return found


def _spans(row: Mapping[str, Any]) -> list[_Span]:
    standing = standing_then(row)
    if standing.timeline_role not in GIVING or standing.status in _UNSHOWN:
        return []
    earlier = [_Span(row, standing, since, until, over=True) for since, until in _earlier(standing)]
    return [*earlier, _Span(row, standing, standing.valid_from, standing.valid_until, over=False)]


def _period(span: _Span, lanes: Sequence[str]) -> Period:
    """Return what a span shows; of several sources that read one key, those that came later stand beside the first."""
    row, standing = span.row, span.standing
    lane = row.get("lane")
    beside = lane != lanes[0] if lane and len(lanes) > 1 else standing.timeline_role == TimelineRole.ADDITION
    return Period(
        row["value"] or row["text"],
        None if span.since is None else instant(span.since),
        None if span.until is None else instant(span.until),
        str(standing.status),
        (row["id"],),
        beside,
        row["audience"] != GROUP_AUDIENCE,
    )


def _joins(period: Period, later: Period) -> bool:
    """Tell whether a later period goes on with one."""
    alike = (period.beside, period.private) == (later.beside, later.private)
    return alike and period.until == later.since and same(period.value, later.value)


def _within(one: Period, other: Period) -> bool:
    """Tell whether one held for no time, while the other had begun before and went on: it was taken back."""
    if one.since is None or one.until is None or one.since < one.until or one.private != other.private:
        return False
    begun = other.since is None or other.since < one.since
    return begun and (other.until is None or other.until > one.since)


def rendered(found: Sequence[Period]) -> str:
    """Return the periods as one line: `Java (2024–2026) → Go (2026–)`.

    Sides of a conflict are joined by `|`, values that hold besides by `+`; private ones stand behind. What held for no
    time beside another is left out.
    """  # noqa: RUF002
    held = [one for one in found if not any(_within(one, other) for other in found)]
    lines = (_line(one for one in held if not one.private), _line(one for one in held if one.private))
    return "; ".join(prefix + line for prefix, line in zip(("", "private: "), lines, strict=True) if line)


def _line(found: Iterable[Period]) -> str:
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


def _years(period: Period) -> str:
    since = "" if period.since is None else str(period.since.year)
    until = "" if period.until is None else str(period.until.year)
    return since if since and since == until else f"{since}{_DASH}{until}"
