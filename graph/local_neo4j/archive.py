"""An archive of the server's loaded classes: with it, Java reads them in once and for all, and starts in two thirds.

The first start with a runtime notes which classes it loads. When that server is up, a background process of the
lowest priority turns the note into an archive (some 20 seconds of processor time, 120 MB), which the next starts
use. Java itself checks that an archive fits, and goes without one that does not.
"""

import hashlib
import re
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

_REFUSED = re.compile(r"\]\[(cds|aot)\b")  # tags of Java's own log, which is silent otherwise

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

    def after_start(self, home: ServerHome, java: Java) -> None:
        """Begin to make the archive in the background, or remove one that Java refused, for the next start to remake.

        Nothing is made that another command is making.
        """
        if self.file.is_file():
            if _REFUSED.search(home.console.read_text("utf-8", "replace")):
                self.file.unlink()
            return
        making = self.file.with_suffix(".making")
        if not home.class_list.is_file() or not _claim(making):
            return
        remove_archives(self.file.parent.parent)  # outdated ones
        # A copy of what is whole: this server goes on adding to its note, and another start would begin it anew.
        noted, _, _ = home.class_list.read_bytes().rpartition(b"\n")
        classes = making / "classes"
        classes.write_bytes(noted + b"\n")
        command = [
            str(java.executable),
            f"-Xmx{HEAP}",
            "-Xshare:dump",
            f"-XX:SharedClassListFile={classes}",
            f"-XX:SharedArchiveFile={making / 'archive'}",
            *java_flags(java),
            *class_path_flags(home),
        ]
        detach(["/bin/sh", "-c", _MAKE, "sh", str(making), str(self.file), *command], Path("/dev/null"), home.path)


def remove_archives(cache: Path) -> None:
    """Remove every archive of this user; servers that run with one are not disturbed."""
    for archive in cache.glob("archives/*.jsa"):
        archive.unlink(missing_ok=True)


def _claim(making: Path) -> bool:
    making.parent.mkdir(exist_ok=True)
    try:
        making.mkdir()
    except FileExistsError:
        if time.time() - making.stat().st_mtime < ABANDONED:
            return False
        making.touch()
    return True
