"""Starts processes that outlive the command that started them."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

# The shell ends at once, so that the process is not this one's child: it outlives a command, and leaves no zombie
# in a service.
_DETACHED = 'output=$1; shift; "$@" </dev/null >"$output" 2>&1 & echo $!'


def detach(command: Sequence[str], output: Path, folder: Path) -> int:
    """Start a command in a session of its own and return its process number; `output` gets what it prints."""
    shell = subprocess.run(  # noqa: S603 - our own command lines
        ["/bin/sh", "-c", _DETACHED, "sh", str(output), *command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        start_new_session=True,
        cwd=folder,
    )
    return int(shell.stdout)
