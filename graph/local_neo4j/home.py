"""The managed server's own folder: where things lie in it, and the password that only its owner reads."""

import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from filelock import AsyncFileLock, Timeout

from graph.errors import LocalServerError
from graph.ports import Progress
from graph.settings import Settings

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


@dataclass(frozen=True, slots=True)
class ServerHome:
    """The folder of one managed server, and the paths inside it."""

    path: Path

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The folder that these settings mean."""
        return cls(settings.home.expanduser().absolute() / "neo4j")

    @property
    def conf(self) -> Path:
        """Configuration, written anew at every start."""
        return self.path / "conf"

    @property
    def plugins(self) -> Path:
        """Links to the GDS jars, for the server's search for procedures."""
        return self.path / "plugins"

    @property
    def log(self) -> Path:
        """What the server says about itself."""
        return self.path / "logs" / "neo4j.log"

    @property
    def debug_log(self) -> Path:
        """The server's log for its makers; one JSON object a line."""
        return self.path / "logs" / "debug.log"

    @property
    def console(self) -> Path:
        """What the Java process printed."""
        return self.path / "logs" / "console.log"

    @property
    def password_file(self) -> Path:
        """The database password; readable by the owner only."""
        return self.path / "password"

    @property
    def instance_file(self) -> Path:
        """The process last started on this folder."""
        return self.path / "instance.json"

    @property
    def stopped_file(self) -> Path:
        """There where the server was told to stop; else, a server that is gone has ended by itself."""
        return self.path / "stopped"

    @property
    def class_list(self) -> Path:
        """The classes that a start without an archive of them has loaded."""
        return self.path / "classes.list"

    @property
    def lock_file(self) -> Path:
        """Held by a command while it starts or stops the server."""
        return self.path / "command.lock"

    @property
    def has_data(self) -> bool:
        """Whether a server has run here: from then on the password is in its database."""
        return (self.path / "data" / "databases" / "system").is_dir()

    @property
    def free_space(self) -> int:
        """Bytes left on the disk that holds it."""
        return shutil.disk_usage(self.path).free

    def create(self) -> None:
        """Make the folders that are not there. The data is private, so others may not enter."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (self.conf, self.plugins, self.log.parent):
            folder.mkdir(exist_ok=True)

    def password(self) -> str:
        """Read the password, made at random before the server's first start.

        Raises:
            LocalServerError: a server has run here, but its password file is gone.
        """
        try:
            return self.password_file.read_text("ascii")
        except FileNotFoundError:
            if self.has_data:
                raise LocalServerError(
                    f"{self.password_file} is gone, so its data cannot be opened. Put the file back, "
                    f"or move {self.path} away to begin with an empty memory."
                ) from None
            # Hexadecimal: never taken for an option, needs no quoting in any configuration file.
            write_private(self.password_file, secrets.token_hex(16))
            return self.password_file.read_text("ascii")


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step; it is readable by its owner only, from its first byte on."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@asynccontextmanager
async def exclusive(lock_file: Path, progress: Progress, waiting: str) -> AsyncIterator[None]:
    """Let one command at a time in, also over several processes; reports as `waiting` while another is inside."""
    lock = AsyncFileLock(lock_file)
    try:
        await lock.acquire(blocking=False)
    except Timeout:
        progress(waiting, 0, None)
        await lock.acquire()
        progress(waiting, 1, 1)
    try:
        yield
    finally:
        await lock.release()


@contextmanager
def disk_errors(
    folder: Path, error: type[LocalServerError] = LocalServerError, setting: str = "FUSEGRAPH_HOME"
) -> Iterator[None]:
    """Turn a full disk, or a folder that cannot be written, into one clear message with the setting to change."""
    try:
        yield
    except OSError as cause:
        if cause.errno in _DISK_FULL:
            raise error(f"The disk that holds {folder} is full. Free some space and run the command again.") from cause
        where = f"{cause.filename or folder} cannot be used: {cause.strerror or cause}."
        raise error(f"{where} Set {setting} to a folder that you may write to.") from cause
