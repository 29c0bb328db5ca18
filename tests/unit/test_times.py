import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.times.instants import NO_TIME, When, parse_when, parse_zone

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
BERLIN_IN_WINTER = timezone(timedelta(hours=1))


@pytest.fixture(params=["Pacific/Kiritimati", "Pacific/Midway"])
def _server_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_server_zone")
@pytest.mark.parametrize(
    ("text", "instant", "offset", "precision"),
    [
        ("2024-05-01T10:00:00", "2024-05-01T02:00:00", 480, "instant"),
        ("2024-05-01 10:00:00", "2024-05-01T02:00:00", 480, "instant"),
        ("2024-05-01T10:00", "2024-05-01T02:00:00", 480, "instant"),
        ("  2024-05-01T10:00:00Z\n", "2024-05-01T10:00:00", 0, "instant"),
        ("2024-05-01t10:00:00z", "2024-05-01T10:00:00", 0, "instant"),
        ("2024-05-01T10:00:00+08:00", "2024-05-01T02:00:00", 480, "instant"),
        ("2024-05-01T10:00:00-0930", "2024-05-01T19:30:00", -570, "instant"),
        ("2024-05-01T10:00:00+18:00", "2024-04-30T16:00:00", 1080, "instant"),
        ("2024-05-01T10:00:00-00:00", "2024-05-01T10:00:00", 0, "instant"),
        ("2024-05-01T10:00:00.123456789Z", "2024-05-01T10:00:00.123456", 0, "instant"),
        ("2024-05-01T10:00:00,5+08", "2024-05-01T02:00:00.500000", 480, "instant"),
        ("2024-05-01", "2024-04-30T16:00:00", 480, "day"),
        ("2024-05", "2024-04-30T16:00:00", 480, "month"),
    ],
)
def test_every_accepted_form_gives_an_instant_with_its_offset(
    text: str, instant: str, offset: int, precision: str
) -> None:
    when = parse_when(text, SHANGHAI)

    assert when == When(datetime.fromisoformat(instant).replace(tzinfo=UTC), offset, precision)  # type: ignore[arg-type]


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_no_time_is_allowed(nothing: str | None) -> None:
    assert parse_when(nothing, UTC) == NO_TIME
    assert (NO_TIME.local(), NO_TIME.local_day(), NO_TIME.iso()) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "2024",
        "20240501",
        "2024-5-1",
        "2024-05-01T10",
        "2024-05-01T10:00:00 +08:00",
        "2024-05-01T10:00:00+08:00[Asia/Shanghai]",
        "2024-05-01T10:00:00+08:",
        "2024-05-01Z",
        "2024-W18-3",
        "٢٠٢٤-05-01",
        "2024-05-01\n2024-05-02",
        "1714557600",
    ],
)
def test_another_form_is_refused_with_the_accepted_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a time that can be read\. Accepted are 2024-05-01T10:00:00"):
        parse_when(text, UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2023-02-29",
        "2024-13",
        "2024-05-01T24:00:00",
        "2024-05-01T23:59:60Z",
        "0000-01-01",
        "2024-05-01T10:00:00+18:01",
        "2024-05-01T10:00:00-19:00",
        "2024-05-01T10:00:00+08:60",
        "2024-05-01T10:00:00+99:99",
    ],
)
def test_a_time_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"names no existing time \(.+\)\. Accepted are"):
        parse_when(text, UTC)


def test_a_message_does_not_repeat_a_whole_long_text() -> None:
    with pytest.raises(ValueError, match="is not a time") as refused:
        parse_when("x" * 100_000, UTC)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+08:00", "9999-12-31T23:00:00-08:00", "0001-01-01"])
def test_an_instant_outside_the_calendar_is_refused_as_a_value(text: str) -> None:
    with pytest.raises(ValueError, match="outside the years 0001 to 9999"):
        parse_when(text, SHANGHAI)


def test_the_ends_of_the_calendar_are_accepted() -> None:
    first, last = parse_when("0001-01-01T00:00:00Z", UTC), parse_when("9999-12-31T23:59:59.999999Z", UTC)

    assert (first.instant, last.instant) == (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
    assert last.local_day() == date.max


@pytest.mark.parametrize(
    ("wall", "iso"),
    [
        ("2024-10-27T02:30:00", "2024-10-27T02:30:00+02:00"),  # said twice: the first
        ("2024-03-31T02:30:00", "2024-03-31T02:30:00+01:00"),  # skipped: the offset before the change
        ("2024-07-01", "2024-07-01T00:00:00+02:00"),
        ("2024-01", "2024-01-01T00:00:00+01:00"),
    ],
)
def test_wall_times_around_a_clock_change_follow_fold_0(wall: str, iso: str) -> None:
    assert parse_when(wall, BERLIN).iso() == iso
    if "T" in wall:
        later = datetime.fromisoformat(wall).replace(fold=1)
        assert parse_when(later, BERLIN).iso() == iso


def test_the_odd_seconds_of_local_mean_time_do_not_move_the_day() -> None:
    when = parse_when("1890-06-01", SHANGHAI)

    assert when.offset_minutes == 485
    assert when.local_day() == date(1890, 6, 1)
    assert when.iso() == "1890-06-01T00:00:00+08:05"


def test_a_datetime_keeps_its_own_offset() -> None:
    said = datetime(2023, 5, 8, 10, 0, tzinfo=timezone(timedelta(hours=8)))

    assert parse_when(said, UTC) == parse_when("2023-05-08T10:00:00+08:00", UTC)
    assert parse_when(said.replace(tzinfo=None), SHANGHAI) == parse_when(said, UTC)
    second_time = datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=BERLIN)
    when = parse_when(second_time, UTC)
    assert (when.iso(), when.instant and when.instant.fold) == ("2024-10-27T02:30:00+01:00", 0)
    with pytest.raises(ValueError, match="an offset beyond"):
        parse_when(said.replace(tzinfo=timezone(timedelta(hours=19))), UTC)


def test_the_day_is_the_day_of_the_events_own_offset() -> None:
    assert parse_when("2024-05-01T23:30:00-10:00", UTC).local_day() == date(2024, 5, 1)
    assert parse_when("2024-05-01T00:30:00+14:00", UTC).local_day() == date(2024, 5, 1)
    assert parse_when("2024-05-01", SHANGHAI).local_day() == date(2024, 5, 1)
    assert parse_when("2024-05", SHANGHAI).local_day() is None


def test_one_batch_of_mixed_forms_is_ordered_as_instants() -> None:
    said = ["2024-05-01T10:00:00", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00+08:00"]

    ordered = sorted(said, key=lambda text: str(parse_when(text, BERLIN_IN_WINTER).instant))

    assert ordered == ["2024-05-01T10:00:00+08:00", "2024-05-01T10:00:00", "2024-05-01T10:00:00Z"]


OFFSETS = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
ANY_TIMES = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=OFFSETS)  # noqa: DTZ001 the bounds of naive ones


@given(said=ANY_TIMES, separator=st.sampled_from("T "))
def test_instant_and_offset_come_back_as_they_were_said(said: datetime, separator: str) -> None:
    when = parse_when(said.isoformat(separator), UTC)

    assert when.iso() == said.isoformat()
    assert when.local() == said
    assert when.local_day() == said.date()
    assert when == parse_when(said, SHANGHAI) == parse_when(when.iso(), BERLIN)


@given(one=ANY_TIMES, other=ANY_TIMES)
def test_instants_are_ordered_like_the_times_they_stand_for(one: datetime, other: datetime) -> None:
    first, second = parse_when(one.isoformat(), UTC).instant, parse_when(other.isoformat(), UTC).instant

    assert first is not None
    assert second is not None
    assert (first < second) == (one < other)


@given(text=st.text(alphabet="0123456789-:.TZ+ ,x年", max_size=30))
def test_any_text_is_a_time_or_a_value_error(text: str) -> None:
    try:
        when = parse_when(text, SHANGHAI)
    except ValueError as refused:
        assert str(refused)  # noqa: PT017 whether it is refused is the question
    else:
        assert (when.instant is None) == (when.precision == "none")


def test_a_zone_is_found_by_its_name() -> None:
    assert parse_zone("Asia/Shanghai") == SHANGHAI


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Mars/Base",
        "Asia",
        "../etc/passwd",
        "/etc/localtime",
        "localtime",
        "right/UTC",
        "Factory",
        "\0",
        "UTC+8",
        "北京",
    ],
)
def test_an_unknown_zone_is_refused_with_a_way_out(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not a time zone that is known here\. Use an IANA name"):
        parse_zone(name)
