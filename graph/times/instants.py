"""Event times: instants with the offset they were said in, and how precisely they are known. Pure.

Nothing here reads a clock or the zone of the machine: a time without an offset belongs to the zone it is
parsed with (the group's).
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

Precision = Literal["instant", "day", "month", "none"]

MAX_OFFSET = timedelta(hours=18)
"""Farthest offset from UTC that Neo4j, and so an event, can carry."""

ACCEPTED_FORMS = (
    "Accepted are 2024-05-01T10:00:00 (a space for the T is fine), with fractions of a second and with Z or "
    "an offset such as +08:00 if wanted, a day as 2024-05-01, a month as 2024-05, or nothing."
)

# The time of day hangs on the day; seconds, fraction and offset hang on the time of day.
_FORM = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})"
    r"(?:-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,18}))?)?"
    r"(?P<offset>[Zz]|(?P<sign>[+-])(?P<offset_hour>[0-9]{2})(?::?(?P<offset_minute>[0-9]{2}))?)?"
    r")?)?"
)
# Files some systems keep beside the zones: what they hold depends on the machine or counts leap seconds.
_NOT_ZONES = ("localtime", "posixrules", "Factory", "posix/", "right/")


@dataclass(frozen=True, slots=True)
class When:
    """When an event happened: a UTC instant, the offset in minutes it was said with, and its precision.

    With precision `day` or `month` the instant is the local start of that day or month. With `none` both
    other fields are None.
    """

    instant: datetime | None
    offset_minutes: int | None
    precision: Precision

    def local(self) -> datetime | None:
        """Give the instant in the event's own offset, None without a time."""
        if self.instant is None or self.offset_minutes is None:
            return None
        return self.instant.astimezone(timezone(timedelta(minutes=self.offset_minutes)))

    def local_day(self) -> date | None:
        """Give the day in the event's own offset; None where no day is known (`month`, `none`)."""
        local = self.local()
        return local.date() if local is not None and self.precision in ("instant", "day") else None

    def iso(self) -> str | None:
        """Give the instant back as ISO-8601 with the event's own offset, None without a time."""
        local = self.local()
        return None if local is None else local.isoformat()


NO_TIME = When(instant=None, offset_minutes=None, precision="none")


def parse_when(value: str | datetime | None, zone: tzinfo) -> When:
    """Read an event time; one without an offset gets `zone`, read with fold 0.

    Fold 0 means: a wall time that a clock change repeats is the first of the two, one that it skips is
    counted with the offset before the change. Offsets are whole minutes (the odd seconds of local mean time
    are dropped and the wall time kept); digits below the microsecond are dropped.

    Raises:
        ValueError: the text has another form, names no existing time, its offset is beyond 18 hours, or its
            UTC instant falls outside the years 0001 to 9999.
    """
    if isinstance(value, datetime):
        return _placed(value, zone, "instant")
    text = "" if value is None else value.strip()
    if not text:
        return NO_TIME
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError(f"{_shown(text)} is not a time that can be read. {ACCEPTED_FORMS}")
    precision: Precision = "instant" if form["hour"] else "day" if form["day"] else "month"
    try:
        wall = _wall_time(form)
    except ValueError as error:
        raise ValueError(f"{_shown(text)} names no existing time ({error}). {ACCEPTED_FORMS}") from None
    return _placed(wall, zone, precision)


def parse_zone(name: str) -> ZoneInfo:
    """Give the IANA time zone of that name.

    Raises:
        ValueError: no such zone, or a name whose meaning depends on the machine.
    """
    try:
        if not name.startswith(_NOT_ZONES):
            return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; not a zone name at all; a folder of zones
        pass
    raise ValueError(
        f"{_shown(name)} is not a time zone that is known here. Use an IANA name such as UTC, Asia/Shanghai "
        "or Europe/Berlin; a zone newer than this installation comes with an update of the tzdata package."
    )


def _wall_time(form: re.Match[str]) -> datetime:
    fraction = (form["fraction"] or "").ljust(6, "0")[:6]
    return datetime(
        int(form["year"]),
        int(form["month"]),
        int(form["day"] or 1),
        int(form["hour"] or 0),
        int(form["minute"] or 0),
        int(form["second"] or 0),
        int(fraction),
        tzinfo=_offset(form),
    )


def _offset(form: re.Match[str]) -> timezone | None:
    if form["offset"] is None:
        return None
    if form["sign"] is None:
        return UTC
    hours, minutes = int(form["offset_hour"]), int(form["offset_minute"] or 0)
    distance = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or distance > MAX_OFFSET:  # noqa: PLR2004 minutes of an hour
        raise ValueError("an offset lies between -18:00 and +18:00")
    return timezone(-distance if form["sign"] == "-" else distance)


def _placed(wall: datetime, zone: tzinfo, precision: Precision) -> When:
    aware = wall if wall.utcoffset() is not None else wall.replace(tzinfo=zone, fold=0)
    offset = aware.utcoffset()
    if offset is None or abs(offset) > MAX_OFFSET:
        raise ValueError(f"{_shown(str(wall))} has an offset beyond -18:00 and +18:00. {ACCEPTED_FORMS}")
    minutes = int(offset.total_seconds() / 60)
    try:
        instant = aware.replace(tzinfo=UTC) - timedelta(minutes=minutes)
    except OverflowError:
        raise ValueError(f"{_shown(str(wall))} falls outside the years 0001 to 9999 in UTC.") from None
    return When(instant, minutes, precision)


def _shown(text: str) -> str:
    longest = 60
    return repr(text if len(text) <= longest else text[:longest] + "…")
