from hypothesis import given
from hypothesis import strategies as st

from graph.local_neo4j.sizing import available_memory, memory_for, sized_to
from graph.settings import Settings

GIBIBYTE = 1 << 30


def mebibytes(size: str) -> int:
    assert size.endswith("m")
    return int(size[:-1])


def test_a_usual_machine() -> None:
    sized = sized_to(12 * GIBIBYTE)

    assert (sized.heap, sized.page_cache) == ("2048m", "1536m")


@given(st.integers(min_value=0, max_value=1 << 45))
def test_sizes_stay_within_their_bounds(available: int) -> None:
    sized = sized_to(available)

    assert 512 <= mebibytes(sized.heap) <= 4096
    assert 256 <= mebibytes(sized.page_cache) <= 3072


@given(st.integers(min_value=0, max_value=1 << 40), st.integers(min_value=0, max_value=1 << 40))
def test_more_memory_never_means_less(one: int, other: int) -> None:
    less, more = sized_to(min(one, other)), sized_to(max(one, other))

    assert mebibytes(less.heap) <= mebibytes(more.heap)
    assert mebibytes(less.page_cache) <= mebibytes(more.page_cache)


def test_what_is_set_wins() -> None:
    memory = memory_for(Settings(heap="3g", page_cache="100m"))

    assert (memory.heap, memory.page_cache) == ("3g", "100m")


def test_this_machine_has_memory() -> None:
    assert available_memory() > 256 << 20
