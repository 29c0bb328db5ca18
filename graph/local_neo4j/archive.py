"""An archive of the server's loaded classes: with it, Java reads them in once and for all, and starts in two thirds.

The first start with a runtime notes which classes it loads. When that server is up, a background process of the
lowest priority turns the note into an archive (some 20 seconds of processor time, 120 MB), which the next starts
use. Java itself checks that an archive fits it, and does without where it does not.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.detach import detach
from graph.local_neo4j.home import ServerHome
from graph.local_neo4j.launch import class_path_flags, java_flags
from graph.local_neo4j.runtime import Java

HEAP = "512m"
ABANDONED = 600.0  # seconds after which an archive that is being made has been given up by its maker

# In a folder of its own until it is whole. The folder also keeps others from making the same one.
_MAKE = 'making=$1 final=$2; shift 2; nice -n 19 "$@" && mv "$making/archive" "$final"; rm -rf "$making"'


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive for one set of jars and one Java runtime, made or not."""

    file: Path

    @classmethod
    def of(cls, artifacts: Sequence[Artifact], cache: Path, java: Java) -> Self:
        """Where the archive for these jars and this runtime belongs."""
        fits = [str(cache), str(java.executable), java.release, *java_flags(java), *(a.sha256 for a in artifacts)]
        return cls(cache / "archives" / f"{hashlib.sha256(repr(fits).encode()).hexdigest()}.jsa")

    def start_flags(self, home: ServerHome) -> list[str]:
        """Flags for a start: use the archive, or note the classes for it."""
        if self.file.is_file():
            return [f"-XX:SharedArchiveFile={self.file}"]
        return [f"-XX:DumpLoadedClassList={home.class_list}"]

    def make(self, home: ServerHome, java: Java) -> None:
        """Begin to make the archive in the background, if there is none and nobody is making it."""
        making = self.file.with_suffix(".making")
        if self.file.is_file() or not home.class_list.is_file() or not _claim(making):
            return
        for outdated in self.file.parent.glob("*.jsa"):
            outdated.unlink()
        command = [
            str(java.executable),
            f"-Xmx{HEAP}",
            "-Xshare:dump",
            f"-XX:SharedClassListFile={home.class_list}",
            f"-XX:SharedArchiveFile={making / 'archive'}",
            *java_flags(java),
            *class_path_flags(home),
        ]
        detach(["/bin/sh", "-c", _MAKE, "sh", str(making), str(self.file), *command], Path("/dev/null"), home.path)


def _claim(making: Path) -> bool:
    making.parent.mkdir(exist_ok=True)
    try:
        making.mkdir()
    except FileExistsError:
        if time.time() - making.stat().st_mtime < ABANDONED:
            return False
        making.touch()
    return True
