"""How much memory the managed server may take, from what the machine has."""

from dataclasses import dataclass
from pathlib import Path

import psutil

from graph.settings import Settings

MEBIBYTE = 1 << 20
HEAP_SHARE, HEAP_LEAST, HEAP_MOST = 6, 512, 4096  # a sixth of the memory; MiB
PAGE_CACHE_SHARE, PAGE_CACHE_LEAST, PAGE_CACHE_MOST = 8, 256, 3072  # an eighth; MiB

# Limits of control groups, version 2 and version 1; absent outside containers.
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True, slots=True)
class Memory:
    """Sizes as Java and Neo4j write them, such as `512m` or `2g`."""

    heap: str
    page_cache: str


def memory_for(settings: Settings) -> Memory:
    """The sizes set, or else sized to this machine (or to the container it is in)."""
    sized = sized_to(available_memory())
    return Memory(settings.heap or sized.heap, settings.page_cache or sized.page_cache)


def sized_to(available: int) -> Memory:
    """Shares of the available memory (bytes), within bounds."""

    def share(part: int, least: int, most: int) -> str:
        return f"{max(least, min(most, available // MEBIBYTE // part))}m"

    return Memory(
        heap=share(HEAP_SHARE, HEAP_LEAST, HEAP_MOST),
        page_cache=share(PAGE_CACHE_SHARE, PAGE_CACHE_LEAST, PAGE_CACHE_MOST),
    )


def available_memory() -> int:
    """Bytes that this machine, or the container this runs in, has in all."""
    return min([psutil.virtual_memory().total, *filter(None, map(_limit, _LIMITS))])


def _limit(file: Path) -> int | None:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):  # no such control group, or "max"
        return None
