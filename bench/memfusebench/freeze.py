"""The frozen sets: a version and the hash of every file of every seed, so that results stay comparable.

Seeds 1 to 9 are for tuning, 101 to 103 for reporting. A later change only mends faults, raises the version, freezes
again, and runs every published row again.
"""

import json
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from bench.memfusebench import SCENARIOS, VERSION, generate
from bench.memfusebench.files import NAMES
from bench.memfusebench.model import SetLang
from bench.memfusebench.report import LIMITS
from graph.ports import Progress, no_progress

TUNING: Final = tuple(range(1, 10))
REPORTING: Final = (101, 102, 103)
LANG: Final[SetLang] = "mixed"
FILE: Final = Path(__file__).parent / "frozen.json"

_KEPT: Final = ("events", "questions", "evidence_mean", *LIMITS)


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a set that lies in a folder, by its path; other files there do not count."""
    return {
        name: sha256((folder / name).read_bytes()).hexdigest() for name in sorted(NAMES) if (folder / name).is_file()
    }


def freeze(progress: Progress) -> dict[str, Any]:
    """Generate every frozen seed, write `FILE`, and return each seed's measured limits."""
    seeds: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    wanted = (*TUNING, *REPORTING)
    for number, seed in enumerate(wanted):
        progress("freezing seeds", number, len(wanted))
        with tempfile.TemporaryDirectory(prefix="memfusebench-") as folder:
            report = generate(seed, SCENARIOS, LANG, Path(folder), no_progress)
            seeds[str(seed)] = hashes(Path(folder))
        overall = report["overall"]
        figures[str(seed)] = {name: overall[name] for name in _KEPT}
        figures[str(seed)]["broken_limits"] = report["broken_limits"]
    progress("freezing seeds", len(wanted), len(wanted))
    frozen = {"version": VERSION, "language": LANG, "scenarios": SCENARIOS, "figures": figures, "seeds": seeds}
    FILE.write_text(json.dumps(frozen, indent=1) + "\n", "utf-8", newline="\n")
    return {"bench": "memfusebench", "version": VERSION, "seeds": figures}


def frozen() -> dict[str, Any]:
    """Return what `FILE` holds."""
    read: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return read
