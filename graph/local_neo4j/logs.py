"""The end of the server's log, as people want to see it in a message."""

from pathlib import Path

from graph.local_neo4j.home import ServerHome

TAIL_BYTES = 64 << 10  # enough for any number of lines worth reading


def tail(home: ServerHome, lines: int, *, since: int = 0) -> str:
    """The last lines of the server's log and of what its Java process printed, without stack frames.

    Args:
        home: The server's folder.
        lines: At most so many, newest last.
        since: Leaves out the first so many bytes of the log: what earlier runs wrote.
    """
    text = _end(home.log, since) + _end(home.console, 0)
    wanted = [line for line in text.splitlines() if line.strip() and not line.startswith(("\t", "    at "))]
    return "\n".join(wanted[-lines:])


def log_size(home: ServerHome) -> int:
    """Bytes in the server's log now."""
    return home.log.stat().st_size if home.log.exists() else 0


def _end(file: Path, since: int) -> str:
    try:
        with file.open("rb") as log:
            size = log.seek(0, 2)
            # A log shorter than before has been rotated: all of it is new.
            log.seek(max(since if since <= size else 0, size - TAIL_BYTES))
            return log.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
