"""The server as a process: started apart from the command, recorded, recognised again, stopped."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import psutil

from graph.errors import LocalServerError, ServerStartFailed
from graph.local_neo4j.detach import detach
from graph.local_neo4j.home import ServerHome, write_private
from graph.local_neo4j.launch import LOOPBACK, Ports, is_server_of

STOP_TIMEOUT = 120.0  # seconds; a busy server writes its last checkpoint first
STOP_PATIENCE = 10.0  # seconds before the disk is looked at
DISK_FULL = 1 << 20  # bytes left
POLL = 0.05  # seconds
CLOCK_TOLERANCE = 2.0  # seconds that a process's start time, read again later, may seem to have moved


@dataclass(frozen=True, slots=True)
class Record:
    """The instance file: the process last started on a folder, and where it listens."""

    pid: int
    created: float
    bolt: int
    http: int
    version: str

    @property
    def ports(self) -> Ports:
        """Where it listens."""
        return Ports(self.bolt, self.http)

    @property
    def bolt_url(self) -> str:
        """For drivers."""
        return f"bolt://{LOOPBACK}:{self.bolt}"

    @property
    def http_url(self) -> str:
        """For the discovery endpoint, and Neo4j Browser below it."""
        return f"http://{LOOPBACK}:{self.http}"


def read_record(home: ServerHome) -> Record | None:
    """The record of the last start, whether that server still runs or not; None if there is none to use."""
    try:
        return Record(**json.loads(home.instance_file.read_text("utf-8")))
    except (FileNotFoundError, ValueError, TypeError):  # never started, or not a record: nothing is known
        return None


def process_of(record: Record | None, home: ServerHome) -> psutil.Process | None:
    """The live process that was recorded; None if it ended, also if its number now belongs to another."""
    if record is None:
        return None
    try:
        process = psutil.Process(record.pid)
        if not _is_alive(process):
            return None
        recorded = abs(process.create_time() - record.created) < CLOCK_TOLERANCE
        return process if recorded and is_server_of(home, process.cmdline()) else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None


def other_server_on(home: ServerHome) -> int | None:
    """The number of a process that runs a server on this folder, recorded or not."""
    for process in psutil.process_iter(["cmdline"]):
        if is_server_of(home, process.info["cmdline"] or ()):
            return int(process.pid)
    return None


def spawn(home: ServerHome, command: Sequence[str], ports: Ports, version: str) -> Record:
    """Start the server in a session of its own and record it.

    Raises:
        ServerStartFailed: it ended before it could be recorded.
    """
    pid = detach(command, home.console, home.path)
    try:
        record = Record(pid, psutil.Process(pid).create_time(), ports.bolt, ports.http, version)
    except psutil.NoSuchProcess:
        raise ServerStartFailed(f"Java ended at once.\n{home.console.read_text('utf-8')}") from None
    try:
        write_private(home.instance_file, json.dumps(asdict(record)))
    except OSError:
        terminate(psutil.Process(pid), home)  # a server that no command knows of could not be stopped
        raise
    return record


def terminate(process: psutil.Process, home: ServerHome) -> None:
    """Ask the server to end and wait until it has. Blocks; not for the event loop.

    Raises:
        LocalServerError: it may not be stopped by this user, or cannot end, as on a full disk.
    """
    try:
        process.terminate()
    except psutil.NoSuchProcess:
        return  # it ended by itself meanwhile
    except psutil.AccessDenied:
        raise LocalServerError(f"Process {process.pid} belongs to another user.") from None
    if _ends_within(STOP_PATIENCE, process):
        return
    disk_full = home.free_space < DISK_FULL
    if not disk_full and _ends_within(STOP_TIMEOUT - STOP_PATIENCE, process):
        return
    reason = "The disk is full: free some space." if disk_full else f"See {home.log}."
    raise LocalServerError(
        f"Process {process.pid} cannot finish its shutdown. {reason} What was acknowledged is safe, "
        "also if the process is killed."
    )


def _ends_within(seconds: float, process: psutil.Process) -> bool:
    deadline = time.monotonic() + seconds
    while _is_alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL)
    return True


def _is_alive(process: psutil.Process) -> bool:
    """Whether it runs. What waits for its parent, the system, to take note of its end does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
