"""The pairs that every change is judged by: a seeded draw from the archive, as many of each kind of row.

`python -m bench.regression` writes them anew.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

PAIRS: Final = Path(__file__).parent / "pairs"
ARCHIVE: Final = PAIRS / "archive.jsonl.gz"
REGRESSION: Final = PAIRS / "regression.jsonl"
MISLEADING: Final = "negatives"
"""The set that was written to mislead; none of its pairs retires anything."""

_BOUGHT: Final = ("agents_", "misleading_")  # sets that came after the draw
_SEED: Final = 4
_ORDINARY: Final = 300
_MISLEADING: Final = 60

Row = Mapping[str, Any]


def archived() -> list[dict[str, Any]]:
    """Return the rows of the archive."""
    return [json.loads(line) for line in gzip.decompress(ARCHIVE.read_bytes()).decode().splitlines()]


def draw(rows: Iterable[Row]) -> list[Row]:
    """Return the rows to judge by, in the archive's order: ordinary ones by label, language and key, and misleading."""
    archive = [row for row in rows if not str(row["set"]).startswith(_BOUGHT)]
    ordinary = [row for row in archive if row["set"] != MISLEADING]
    misleading = [row for row in archive if row["set"] == MISLEADING]
    chosen = [
        *_drawn(ordinary, lambda row: (row["expected"], row["lang"], row["key"] is not None), _ORDINARY),
        *_drawn(misleading, lambda row: (row["lang"], row["key"] is not None), _MISLEADING),
    ]
    ids = {id(row) for row in chosen}
    return [row for row in archive if id(row) in ids]


def _drawn(rows: Iterable[Row], kind: Callable[[Row], tuple[Any, ...]], number: int) -> Iterator[Row]:
    """Give so many rows, in turn one of each kind."""
    random = Random(_SEED)
    kinds: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        kinds[kind(row)].append(row)
    for name in sorted(kinds):
        random.shuffle(kinds[name])
    given = 0
    while given < number:
        for name in sorted(kinds):
            if given < number and kinds[name]:
                given += 1
                yield kinds[name].pop()


def line(row: Row) -> str:
    """Return a row as a line of a file."""
    return json.dumps(row, ensure_ascii=False)


if __name__ == "__main__":
    REGRESSION.write_text("".join(f"{line(row)}\n" for row in draw(archived())), "utf-8")
