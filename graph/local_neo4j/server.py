"""Starts, shares, stops and describes the managed server."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TYPE_CHECKING

from graph.errors import LocalServerError, ProvisionFailed, ServerStartFailed
from graph.local_neo4j import launch, process
from graph.local_neo4j.archive import ClassArchive, remove_archives
from graph.local_neo4j.artifacts import load_lock
from graph.local_neo4j.home import ServerHome, disk_errors, exclusive
from graph.local_neo4j.logs import advice, begin_afresh, failed_database, tail
from graph.local_neo4j.provision import damaged, provision
from graph.local_neo4j.runtime import Java, find_java
from graph.local_neo4j.sizing import memory_for
from graph.ports import Progress, no_progress
from graph.settings import Settings

if TYPE_CHECKING:
    from httpx2 import AsyncClient

SERVER_ROLES = ("server", "gds", "browser")
START_TIMEOUT = 300.0  # seconds; after a crash, Neo4j first replays what was committed
POLL = 0.1  # seconds
PROBE_TIMEOUT = 5.0  # seconds
TAIL_LINES = 12
JAVA_CRASHED = "An error report file with more information is saved as:"
LEAST_SPACE = 64 << 20  # bytes; a full disk would let the server start, but neither write nor stop

_STARTING = "Starting Neo4j"
_WAITING = "Waiting for another command that starts or stops Neo4j"


@dataclass(frozen=True, slots=True)
class Instance:
    """A managed server that runs."""

    bolt_url: str
    http_url: str
    username: str
    password: str = field(repr=False)
    pid: int
    home: Path
    version: str
    log_file: Path

    @property
    def password_file(self) -> Path:
        """Where its owner can read the password."""
        return ServerHome(self.home).password_file


async def ensure_running(settings: Settings, progress: Progress = no_progress) -> Instance:
    """Fetch the server if need be, start it if need be, and wait until it answers.

    Commands that call this at the same time share one server. It goes on running when they end.

    Raises:
        ProvisionFailed: the server's parts cannot be fetched.
        JavaNotFound: there is no runtime of version 21 or newer.
        ServerStartFailed: it did not start; the message ends with its log.
        LocalServerError: another server is configured, or the server's folder cannot be used.
    """
    if settings.neo4j_uri:
        raise LocalServerError("NEO4J_URI is set, so that server is used and none is started here.")
    home = ServerHome.of(settings)
    with disk_errors(home.path):
        home.create()
        async with exclusive(home.lock_file, progress, _WAITING):
            record = process.read_record(home)
            if record and process.process_of(record, home):
                await _wait_until_ready(settings, home, record, progress)
            else:
                record = await _start(settings, home, record, progress)
            return _instance(home, record)


async def stop(settings: Settings) -> bool:
    """Stop the recorded server and wait until it has ended; False if none was running.

    Raises:
        LocalServerError: it would not stop.
    """
    home = ServerHome.of(settings)
    if not home.path.is_dir():
        return False
    with disk_errors(home.path):
        async with exclusive(home.lock_file, no_progress, _WAITING):
            running = process.process_of(process.read_record(home), home)
            home.stopped_file.touch()
            if running is None:
                return False
            await asyncio.to_thread(process.terminate, running, home)
            return True


def ended_by_itself(settings: Settings) -> bool:
    """Tell whether the recorded server is gone and nobody has stopped it.

    Raises:
        LocalServerError: the server's folder cannot be read.
    """
    home = ServerHome.of(settings)
    with disk_errors(home.path):
        record = process.read_record(home)
        gone = record is not None and process.process_of(record, home) is None
        return gone and not home.stopped_file.exists()


def status(settings: Settings) -> Instance | None:
    """The recorded server if its process is alive (it may still be starting), else None.

    Raises:
        LocalServerError: the server's folder cannot be read.
    """
    home = ServerHome.of(settings)
    with disk_errors(home.path):
        record = process.read_record(home)
        if record is None or process.process_of(record, home) is None:
            return None
        return _instance(home, record)


def log_tail(settings: Settings, lines: int = 40) -> str:
    """The last lines of the server's log, newest last; empty if it never ran."""
    home = ServerHome.of(settings)
    with disk_errors(home.path):
        return tail(home, lines)


async def admin(settings: Settings, arguments: Sequence[str], progress: Progress = no_progress) -> int:
    """Run `neo4j-admin` on the server's folder in the foreground and return its exit status.

    It has this process's input and output. Commands that need the server stopped say so themselves.

    Raises:
        ProvisionFailed: the server's parts cannot be fetched.
        JavaNotFound: there is no runtime of version 21 or newer.
    """
    home = ServerHome.of(settings)
    with disk_errors(home.path):
        home.create()
        async with exclusive(home.lock_file, progress, _WAITING):
            java = await _install(settings, home, progress)
    child = await asyncio.create_subprocess_exec(
        *launch.admin_command(home, java, arguments), env=launch.admin_environment(home)
    )
    return await child.wait()


async def _install(settings: Settings, home: ServerHome, progress: Progress) -> Java:
    """Bring together all that a launch needs: the jars, their place in the home, and a Java runtime."""
    lock = load_lock()
    await provision(lock.artifacts, _cache(settings), mirror=settings.mirror, progress=progress)
    launch.install(home, lock.of(*SERVER_ROLES), _cache(settings))
    return await asyncio.to_thread(find_java, settings)


async def _start(
    settings: Settings, home: ServerHome, last: process.Record | None, progress: Progress
) -> process.Record:
    java = await _install(settings, home, progress)
    if home.free_space < LEAST_SPACE:
        raise ServerStartFailed(
            f"The disk that holds {home.path} has {home.free_space >> 20} MB left, "
            f"but {LEAST_SPACE >> 20} MB are needed: free some space."
        )
    memory = memory_for(settings)
    ports = launch.choose_ports(settings, last.ports if last else None)
    launch.configure(home, ports, memory)
    begin_afresh(home)
    password = home.password()
    if not home.has_data:
        launch.set_initial_password(home, password)
    lock = load_lock()
    archive = ClassArchive.of(lock.of(*SERVER_ROLES), _cache(settings), java)
    command = launch.server_command(home, java, memory, archive.start_flags(home))
    home.stopped_file.unlink(missing_ok=True)
    record = await asyncio.to_thread(process.spawn, home, command, ports, lock.neo4j)
    await _wait_until_ready(settings, home, record, progress)
    with disk_errors(_cache(settings), setting="FUSEGRAPH_CACHE"):
        await asyncio.to_thread(archive.after_start, home, java)
    return record


async def _wait_until_ready(settings: Settings, home: ServerHome, record: process.Record, progress: Progress) -> None:
    """Return once Bolt and HTTP answer; fail at once when the process ends or one of its databases does."""
    from httpx2 import AsyncClient

    deadline, told = time.monotonic() + START_TIMEOUT, False
    # No proxy of the environment may come between this process and its own machine.
    # Nothing here speaks TLS: an empty context spares every command the loading of certificates.
    no_tls = SSLContext(PROTOCOL_TLS_CLIENT)
    async with AsyncClient(timeout=PROBE_TIMEOUT, trust_env=False, verify=no_tls) as client:
        while True:
            answers = await _answers(client, record)
            if reason := await asyncio.to_thread(failed_database, home):
                raise await _database_failure(home, record, reason)
            if answers:
                if told:
                    progress(_STARTING, 1, 1)
                return
            if not told:  # a server that runs already has nothing to start
                progress(_STARTING, 0, None)
                told = True
            if process.process_of(record, home) is None:
                raise await _start_failure(settings, home)
            if time.monotonic() > deadline:
                raise ServerStartFailed(
                    f"It is still starting after {START_TIMEOUT:.0f} seconds. Run the command again to go on "
                    f"waiting. The end of {home.log}:\n{tail(home, TAIL_LINES)}"
                )
            await asyncio.sleep(POLL)


async def _answers(client: "AsyncClient", record: process.Record) -> bool:
    """Whether the server is up. Its web server comes last, and names the Bolt address: no other passes for it."""
    from httpx2 import HTTPError

    try:
        answer = await client.get(f"{record.http_url}/", headers={"Accept": "application/json"})
        return answer.is_success and answer.json().get("bolt_direct") == record.bolt_url
    except (HTTPError, ValueError):
        return False


async def _start_failure(settings: Settings, home: ServerHome) -> LocalServerError:
    """Say why the server ended while it started."""
    end = tail(home, TAIL_LINES)
    other = process.other_server_on(home)
    if other:
        return ServerStartFailed(
            f"Process {other} already runs a server on {home.path}, but not one that is on record there. "
            f"End that process, then run the command again.\n{end}"
        )
    if JAVA_CRASHED in end:
        remove_archives(_cache(settings))
        return ServerStartFailed(
            f"Java crashed. Its class archive is removed, in case that was the cause: run the command again.\n{end}"
        )
    broken = await damaged(load_lock().artifacts, _cache(settings))
    if broken:
        names = ", ".join(artifact.coordinates for artifact in broken)
        return ProvisionFailed(
            f"Damaged in {_cache(settings)} and now removed from there: {names}. Run the command again."
        )
    return ServerStartFailed(f"{advice(end) or f'The end of {home.log}:'}\n{end}")


async def _database_failure(home: ServerHome, record: process.Record, reason: str) -> LocalServerError:
    """Say why a database did not start. The server is of no use without it, and does not end by itself."""
    running = process.process_of(record, home)
    if running:
        await asyncio.to_thread(process.terminate, running, home)
    return ServerStartFailed(f"{advice(reason) or f'More is in {home.debug_log}.'}\n{reason}")


async def ensure_parts(settings: Settings, role: str, progress: Progress = no_progress) -> list[Path]:
    """Fetch the jars of one role of the lock if need be, and return where they are.

    Raises:
        ProvisionFailed: they cannot be fetched.
    """
    wanted = load_lock().of(role)
    await provision(wanted, _cache(settings), mirror=settings.mirror, progress=progress)
    return [artifact.jar(_cache(settings)) for artifact in wanted]


def _cache(settings: Settings) -> Path:
    return settings.cache.expanduser().absolute()


def _instance(home: ServerHome, record: process.Record) -> Instance:
    return Instance(
        bolt_url=record.bolt_url,
        http_url=record.http_url,
        username=launch.USERNAME,
        password=home.password(),
        pid=record.pid,
        home=home.path,
        version=record.version,
        log_file=home.log,
    )
