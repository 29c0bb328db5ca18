"""Places, NEXT edges and windows: what a stream holds must not depend on how its atoms arrived."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.scope import GROUP_AUDIENCE
from graph.writing.windows import FETCH, REACH, Placed, Splice, splice, stream_bounds, stream_id, stream_position

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STREAMS = tuple(stream_id("home", name, "", "") for name in ("kitchen", "garden"))
LONG = 2_001

event_ids = st.text(st.characters(codec="utf-8") | st.sampled_from("🙂𠀀\uffff\u0663 12"), min_size=1, max_size=12)


def marker(number: int) -> str:
    """A word that stands in no other text."""
    return f"⟦{number}⟧"


def atom(number: int, *, stream: str = STREAMS[0], audience: str = GROUP_AUDIENCE, length: int = 0) -> Placed:
    at = stream_position(stream, NOON + timedelta(minutes=number), f"e-{number}")
    return Placed(f"id-{number}", at, audience, marker(number).ljust(length, "."))


@st.composite
def arrivals(draw: st.DrawFn) -> tuple[list[Placed], list[list[Placed]]]:
    """Atoms of two streams, and the batches in which they arrive."""
    ids = draw(st.lists(event_ids, unique=True, min_size=1, max_size=14))
    minutes = st.none() | st.integers(0, 6)
    atoms = []
    for number, event_id in enumerate(ids):
        minute = draw(minutes)
        at = stream_position(
            draw(st.sampled_from(STREAMS)), None if minute is None else NOON + timedelta(minutes=minute), event_id
        )
        audience = draw(st.sampled_from((GROUP_AUDIENCE, GROUP_AUDIENCE, "ann", "ben")))
        length = draw(st.sampled_from((0, 0, 0, LONG)))
        atoms.append(Placed(f"id-{number}", at, audience, marker(number).ljust(length, ".")))
    batches: list[list[Placed]] = []
    for one in draw(st.permutations(atoms)):
        together = draw(st.booleans())
        if together and batches:
            batches[-1].append(one)
        else:
            batches.append([one])
    return atoms, batches


class Streams:
    """The streams as they stand after each batch, changed by nothing but splices."""

    def __init__(self) -> None:
        self.atoms: dict[str, Placed] = {}
        self.next: set[tuple[str, str]] = set()
        self.windows: dict[str, str] = {}

    def around(self, new: Placed) -> list[Placed]:
        low, high = stream_bounds(new.stream_position)
        known = sorted(self.atoms.values(), key=lambda one: one.stream_position)
        before = [one for one in known if low < one.stream_position < new.stream_position]
        after = [one for one in known if new.stream_position < one.stream_position < high]
        return before[-FETCH:] + after[:FETCH]

    def enter(self, batch: Sequence[Placed]) -> Splice:
        around = {one.id: one for new in batch for one in self.around(new)}
        spliced = splice(batch, around.values())
        cut, join = set(spliced.cut), set(spliced.join)
        assert len(cut) == len(spliced.cut)
        assert len(join) == len(spliced.join)
        assert cut <= self.next, "only an edge that is there can be cut"
        assert join.isdisjoint(self.next), "an edge that is there is not made again"
        self.next = self.next - cut | join
        self.windows |= {rewrite.id: rewrite.window for rewrite in spliced.windows}
        self.atoms |= {one.id: one for one in batch}
        return spliced


def entered(batches: Iterable[Sequence[Placed]]) -> Streams:
    streams = Streams()
    for batch in batches:
        streams.enter(batch)
    return streams


def chains(atoms: Iterable[Placed]) -> set[tuple[str, str]]:
    """The edges of the streams, made without looking at how they came about."""
    edges = set()
    for stream in STREAMS:
        inside = sorted(
            (one for one in atoms if one.stream_position.startswith(stream)), key=lambda one: one.stream_position
        )
        edges |= {(earlier.id, later.id) for earlier, later in pairwise(inside)}
    return edges


@settings(deadline=None, max_examples=60)
@given(arrivals())
def test_any_order_and_any_batches_give_the_same_streams(arrived: tuple[list[Placed], list[list[Placed]]]) -> None:
    atoms, batches = arrived
    streams, at_once = entered(batches), entered([atoms])
    assert streams.windows == at_once.windows
    assert streams.next == at_once.next == chains(atoms)


@settings(deadline=None, max_examples=60)
@given(arrivals())
def test_an_arriving_atom_rewrites_at_most_four_known_windows(
    arrived: tuple[list[Placed], list[list[Placed]]],
) -> None:
    _, batches = arrived
    streams = Streams()
    for batch in batches:
        known = set(streams.atoms)
        rewritten = [rewrite.id for rewrite in streams.enter(batch).windows]
        assert len(rewritten) == len(set(rewritten))
        assert {one.id for one in batch} <= set(rewritten)
        assert len(known.intersection(rewritten)) <= 2 * REACH * len(batch) == 4 * len(batch)


@settings(deadline=None, max_examples=60)
@given(arrivals())
def test_no_private_text_is_lent_to_a_wider_audience(arrived: tuple[list[Placed], list[list[Placed]]]) -> None:
    atoms, batches = arrived
    windows = entered(batches).windows
    for reader in atoms:
        for number, other in enumerate(atoms):
            if marker(number) in windows[reader.id] and other is not reader:
                assert other.audience in {GROUP_AUDIENCE, reader.audience}


def test_a_window_holds_its_own_text_four_times_and_its_neighbours_by_distance() -> None:
    streams = entered([[atom(number) for number in range(7)]])
    counts = [streams.windows["id-3"].count(marker(number)) for number in range(7)]
    assert counts == [0, 1, 2, 4, 2, 1, 0]


def test_the_ends_of_a_stream_lend_what_they_have() -> None:
    windows = entered([[atom(0), atom(1)]]).windows
    assert [windows["id-0"].count(marker(number)) for number in range(2)] == [4, 2]
    assert entered([[atom(0)]]).windows["id-0"].split() == [marker(0)] * 4


def test_a_private_neighbour_counts_as_a_step_but_lends_nothing() -> None:
    windows = entered([[atom(0), atom(1, audience="ann"), atom(2), atom(3, audience="ben")]]).windows
    assert [windows["id-0"].count(marker(number)) for number in range(4)] == [4, 0, 1, 0]
    assert [windows["id-1"].count(marker(number)) for number in range(4)] == [2, 4, 2, 0]


def test_a_long_document_stands_in_its_window_once_and_lends_nothing() -> None:
    windows = entered([[atom(0), atom(1, length=LONG), atom(2, length=LONG - 1)]]).windows
    assert windows["id-1"].count(marker(1)) == 1
    assert windows["id-1"].count(marker(0)) == 2
    assert marker(1) not in windows["id-0"] + windows["id-2"]
    assert windows["id-2"].count(marker(2)) == 4
    assert windows["id-0"].count(marker(2)) == 1


def test_a_late_arrival_cuts_the_edge_that_it_comes_between() -> None:
    streams = entered([[atom(0), atom(2)]])
    late = streams.enter([atom(1)])
    assert late.cut == (("id-0", "id-2"),)
    assert set(late.join) == {("id-0", "id-1"), ("id-1", "id-2")}


def test_streams_do_not_touch() -> None:
    streams = entered([[atom(0), atom(1, stream=STREAMS[1]), atom(2)]])
    assert streams.next == {("id-0", "id-2")}
    assert marker(1) not in streams.windows["id-0"] + streams.windows["id-2"]


def test_nothing_new_changes_nothing() -> None:
    assert splice([], [atom(0), atom(1)]) == Splice((), (), ())


instants = st.datetimes(
    datetime(2, 1, 1),  # noqa: DTZ001 - it wants naive bounds
    datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=st.just(UTC) | st.just(timezone(timedelta(hours=-9))),
)


@given(instants, instants, event_ids, event_ids)
def test_places_sort_by_instant_first(one: datetime, other: datetime, one_id: str, other_id: str) -> None:
    places = stream_position(STREAMS[0], one, one_id), stream_position(STREAMS[0], other, other_id)
    if one != other:
        assert (places[0] < places[1]) == (one < other)
    assert max(places) < stream_position(STREAMS[0], None, one_id), "what has no time comes last"


@given(
    st.sampled_from(("{}", "turn-{}", "D1:{}", "{}-b", "第{}句", "🙂 {}")),
    st.lists(st.integers(0, 10**19), unique=True, max_size=6),
)
@example("turn-{}", [2, 10, 9])
@example("{}", [999_999_999_999_999_999, 1_000_000_000_000_000_000])  # a chat service's ids as they grew a digit
def test_places_sort_numbers_in_event_ids_as_numbers(form: str, numbers: list[int]) -> None:
    by_place = sorted(numbers, key=lambda number: stream_position(STREAMS[0], NOON, form.format(number)))
    assert by_place == sorted(numbers)


@given(st.lists(event_ids, unique=True, max_size=8))
def test_places_sort_alike_in_python_and_as_utf_16(ids: list[str]) -> None:
    places = [stream_position(STREAMS[0], NOON, event_id) for event_id in ids]
    assert len(set(places)) == len(ids), "another event has another place"
    assert sorted(places) == sorted(places, key=lambda at: at.encode("utf-16-be"))


@given(st.none() | instants, event_ids)
def test_a_place_lies_within_the_bounds_of_its_stream_alone(instant: datetime | None, event_id: str) -> None:
    at = stream_position(STREAMS[0], instant, event_id)
    low, high = stream_bounds(at)
    other_low, other_high = stream_bounds(stream_position(STREAMS[1], instant, event_id))
    assert low < at < high
    assert not other_low < at < other_high
    assert at.count(" ") == 3


@pytest.mark.parametrize("event_id", ["🙂" * 200, "1🙂" * 100, "9" * 200, " " * 200])
def test_the_place_of_the_longest_event_id_fits_an_index_entry(event_id: str) -> None:
    assert len(stream_position(STREAMS[0], NOON, event_id).encode()) < 8_000


def test_a_stream_is_a_conversation_of_a_group_else_a_source_and_its_day() -> None:
    assert stream_id("home", "c", "phone", "2026-03-01") == stream_id("home", "c", "laptop", "2026-03-02")
    assert stream_id("home", "c", "phone", "") != stream_id("work", "c", "phone", "")
    assert stream_id("home", None, "phone", "2026-03-01") != stream_id("home", None, "phone", "2026-03-02")
    assert stream_id("home", None, "phone", "2026-03-01") != stream_id("home", None, "laptop", "2026-03-01")
