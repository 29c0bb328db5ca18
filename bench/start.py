"""What a demo costs from nothing: bytes fetched and installed, seconds to its answers and of commands that only look.

It runs in a copy of this checkout with caches and a home of its own, so that nothing is there yet, and ends with the
server stopped and all of it removed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bench.scratch import commit
from graph.local_neo4j.artifacts import load_lock
from graph.ports import Progress

LOCK: Final = "requirements-demo.lock"
RUNS: Final = 3
"""Of each command; the fastest counts, which is what the command itself takes."""

_ROOT: Final = Path(__file__).parent.parent
_MEGABYTE: Final = 1_000_000
_OURS: Final = ("NEO4J_", "FUSEGRAPH_")
_KEPT: Final = ("FUSEGRAPH_MAVEN_MIRROR", "FUSEGRAPH_JAVA")
_LEFT_OUT: Final = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
_WHOSE: Final = ("--group", "household", "--viewer", "mira")
COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "--help": ("--help",),
    "status": ("status",),
    "neo4j status": ("neo4j", "status"),
    "to-confirm": ("to-confirm", *_WHOSE),
    "timeline": ("timeline", "mira", "user.home", *_WHOSE),
    "audit": ("audit",),
}
"""Those that need no model, asked while the demo's server runs."""


def run(progress: Progress) -> dict[str, Any]:
    """Set the demo up from nothing, run it twice, time the commands, and return the report."""
    with tempfile.TemporaryDirectory(prefix="fusegraph-start-") as folder:
        checkout, environment = Path(folder, "checkout"), _environment(Path(folder))
        shutil.copytree(_ROOT, checkout, ignore=_LEFT_OUT)
        fusegraph = checkout / ".venv" / "bin" / "fusegraph"
        try:
            seconds = {}
            for name in ("first demo", "second demo"):
                progress(name, 0, None)
                seconds[name] = _timed(["./scripts/demo"], checkout, environment)
            commands = {}
            for name, arguments in COMMANDS.items():
                progress(f"fusegraph {name}", 0, None)
                commands[name] = min(_timed([fusegraph, *arguments], checkout, environment) for _ in range(RUNS))
            progress("weighing what was fetched", 0, None)
            fetched = {
                "Python packages and Java": _packages(checkout, Path(folder, "wheels"), environment),
                "Neo4j": sum(artifact.size for artifact in load_lock().artifacts),
            }
            installed = {
                "Python packages and Java": _weight(checkout / ".venv"),
                "Neo4j": _weight(Path(environment["FUSEGRAPH_CACHE"])),
                "data and logs": _weight(Path(environment["FUSEGRAPH_HOME"])),
            }
        finally:
            if fusegraph.exists():
                subprocess.run(  # noqa: S603 - the copy's own command
                    [fusegraph, "down"], env=environment, capture_output=True, check=False
                )
    return {
        "bench": "start",
        "seconds": seconds,
        "commands": commands,
        "fetched_mb": _megabytes(fetched),
        "installed_mb": _megabytes(installed),
        "settings": {"commit": commit(), "lock": LOCK, "runs": RUNS, "processors": os.cpu_count()},
    }


def _environment(folder: Path) -> dict[str, str]:
    """Return this process's environment without our settings, and with every cache in a folder that is empty."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS) or name in _KEPT}
    caches = {
        name: str(folder / name.lower())
        for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR", "XDG_CACHE_HOME", "FUSEGRAPH_HOME")
    }
    return {**kept, **caches, "FUSEGRAPH_CACHE": str(folder / "server-parts")}


def _timed(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> float:
    """Run a command and return its seconds; one that fails ends the benchmark with what it said."""
    began = perf_counter()
    done = subprocess.run(  # noqa: S603 - the commands of this module
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    took = perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return round(took, 2)


def _packages(checkout: Path, folder: Path, environment: Mapping[str, str]) -> int:
    """Return the bytes of the files that the lock means on this machine: uv keeps none of them as they came.

    Fetching them once more is the one way that asks nothing of the registry but its packages. uv, which the set-up
    fetches where it is missing, counts, too.
    """
    made = folder / "tools"
    pip = (str(made / "bin" / "python"), "-m", "pip", "download", "--no-deps", "--quiet")
    commands: Sequence[Sequence[str | Path]] = (
        [sys.executable, "-m", "venv", made],
        [*pip, "--require-hashes", "--requirement", LOCK, "--dest", folder / "files"],
        [*pip, "uv", "--dest", folder / "files"],
    )
    for command in commands:
        _timed(command, checkout, environment)
    return _weight(folder / "files")


def _weight(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _megabytes(parts: Mapping[str, int]) -> dict[str, float]:
    return {name: round(size / _MEGABYTE, 1) for name, size in {**parts, "all": sum(parts.values())}.items()}
