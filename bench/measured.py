"""Which code a kept figure measures: where that has changed since, the figure says so or is measured anew."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parent.parent
NOTES: Final = Path(__file__).parent / "results" / "notes.json"

_SEARCH: Final = (
    "graph/search/*.py",
    "graph/embedding.py",
    "graph/learned/engine.py",
    "graph/times/*.py",
    "graph/writing/windows.py",
    "cypher/search/*.cypher",
    "cypher/parts/*.cypher",
    "cypher/schema/*.cypher",
)
_WRITING: Final = ("graph/writing/*.py", "graph/store.py", "graph/following.py", "cypher/writing/*.cypher")
MEASURES: Final[Mapping[str, tuple[str, ...]]] = {
    "locomo": _SEARCH,
    "lifebench": _SEARCH,
    "floor": (*_SEARCH, *_WRITING),
    "writers": (*_WRITING, "cypher/timelines/*.cypher", "cypher/maintenance/*.cypher"),
}
"""The files that each benchmark measures."""


def code_of(name: str) -> str:
    """Return a digest of the files that a benchmark measures, as they are now."""
    digest = sha256()
    for path in sorted({path for pattern in MEASURES[name] for path in _ROOT.glob(pattern)}):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def noted() -> Mapping[str, Mapping[str, str]]:
    """Return, by benchmark, the code for which its older figures still stand, and why (`code`, `note`)."""
    found: Mapping[str, Mapping[str, str]] = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
    return found
