"""The server's logs of its present or last run: their end as people want to see it, and what they say went wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

from graph.local_neo4j.home import ServerHome

TAIL_BYTES = 64 << 10  # enough for any number of lines worth reading

# What stands in a log, and what it means for the reader.
_CAUSES = {
    "No space left on device": "The disk is full: free some space.",
    "Address already in use": "Another program took its port meanwhile: run the command again.",
    "OutOfMemoryError": "Its memory is too small: set FUSEGRAPH_HEAP to more.",
    "Too small maximum heap": "Its memory is too small: set FUSEGRAPH_HEAP to more.",
    "Could not reserve enough space": "This machine has less memory than FUSEGRAPH_HEAP asks for.",
}


def begin_afresh(home: ServerHome) -> None:
    """Put the logs of the last run aside, so that whatever they hold is of this run."""
    for log in (home.log, home.debug_log, home.console):
        if log.exists():
            log.replace(log.with_name(f"{log.name}.previous"))


def tail(home: ServerHome, lines: int) -> str:
    """The last lines of the server's log and of what its Java process printed, newest last, without stack frames."""
    text = _end(home.log) + _end(home.console)
    wanted = [line for line in text.splitlines() if line.strip() and not _is_frame(line)]
    return "\n".join(wanted[-lines:])


def advice(text: str) -> str:
    """What the reader can do about the causes that a log names; empty if none is known."""
    return " ".join(sorted({advice for sign, advice in _CAUSES.items() if sign in text}))


def failed_database(home: ServerHome) -> str | None:
    """Why a database could not be started, one cause a line; None if none failed.

    The server goes on without it, or waits for ever, and tells nobody but this log.
    """
    for line in _lines(home.debug_log):
        if '"Failed to start DatabaseId' not in line:
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # still being written
        trace = [cause for cause in entry.get("stacktrace", "").splitlines() if not _is_frame(cause)]
        return "\n".join([entry["message"], *trace])
    return None


def _is_frame(line: str) -> bool:
    return line.startswith(("\t", "    at "))


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8", errors="replace") as log:
            yield from log
    except FileNotFoundError:
        return


def _end(file: Path) -> str:
    try:
        with file.open("rb") as log:
            log.seek(max(0, log.seek(0, 2) - TAIL_BYTES))
            return log.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
