"""Starts, stops and describes the API process and the database under it."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import psutil

import graph
from api.console import errors_reported, load_settings, run
from graph import local_neo4j
from graph.errors import InvalidInput, LocalServerError
from graph.settings import Settings

_START_WAIT_S = 300  # a first start fetches the database
_STOP_WAIT_S = 20
_AGAIN_WAIT_S = 40


def serve() -> None:
    """Run the API in the foreground until it is interrupted; one of each home, on a port of its own."""
    from api.app import require_loopback

    settings = load_settings()
    with errors_reported():
        require_loopback(settings.host)
        if (running := _process(settings)) is not None:
            raise LocalServerError(f"The API of this home runs already (process {running.pid}).")
        _require_free(settings)
        note, me = _note(settings), psutil.Process()
        with local_neo4j.disk_errors(settings.home):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(json.dumps({"pid": me.pid, "created": me.create_time()}))
    try:
        with suppress(KeyboardInterrupt):
            run(_serve(settings))
    finally:
        note.unlink(missing_ok=True)


async def _serve(settings: Settings) -> None:
    """Open the memory and answer; what cannot be opened is one clear error, where uvicorn would print a traceback."""
    import uvicorn

    from api.app import create_app
    from api.bodies import MOST_BODY_BYTES

    async with graph.Memory.open(settings) as memory:

        @asynccontextmanager
        async def opened(_: Settings) -> AsyncIterator[graph.Memory]:
            yield memory

        app = create_app(settings, opened)
        config = uvicorn.Config(
            app, host=settings.host, port=settings.port, log_level="info", ws_max_size=MOST_BODY_BYTES
        )
        keeping = asyncio.create_task(_keep_database(settings, memory))
        try:
            await uvicorn.Server(config).serve()
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep_database(settings: Settings, memory: "graph.Memory") -> None:
    """Keep the managed server running; another one is its owner's."""
    if settings.neo4j_uri is None:
        await local_neo4j.keep_running(settings, memory.database_has_stopped)


def _require_free(settings: Settings) -> None:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise LocalServerError(
                f"{settings.host}:{settings.port} cannot be listened on: {error.strerror}. Set FUSEGRAPH_PORT."
            ) from error


async def start() -> dict[str, Any]:
    """Start the API in the background and wait until it answers.

    Raises:
        LocalServerError: it ended before it answered; the message holds the end of its log.
    """
    settings = load_settings()
    if (running := _process(settings)) is not None:
        await _until_healthy(settings, running)
    else:
        with local_neo4j.disk_errors(settings.home):
            settings.home.mkdir(parents=True, exist_ok=True)
            log = _log(settings).open("wb")
        with log:
            process = subprocess.Popen(  # noqa: ASYNC220 - starts at once and lives on
                [sys.executable, "-m", "api", "up"], stdout=log, stderr=log, start_new_session=True, env=os.environ
            )
        for _ in range(_START_WAIT_S * 5):
            if await _healthy(settings):
                break
            if process.poll() is not None:
                raise LocalServerError(f"The API did not start:\n{_tail(settings)}")
            await asyncio.sleep(0.2)
        else:
            raise LocalServerError(f"The API does not answer; its log is {_log(settings)}.")
    return await status(None, None)


async def _until_healthy(settings: Settings, process: psutil.Process) -> None:
    """Wait for an API that runs already: it may be starting its database again."""
    deadline = monotonic() + _AGAIN_WAIT_S
    while monotonic() < deadline:
        if await _healthy(settings):
            return
        await asyncio.sleep(1)
    raise LocalServerError(
        f"The API of this home runs (process {process.pid}) but does not answer. See {_log(settings)}, "
        "and stop it with `fusegraph down`."
    )


async def stop() -> dict[str, Any]:
    """Stop the API of this home, if it runs in the background or elsewhere, and the managed database."""
    settings = load_settings()
    process = _process(settings)
    if process is not None:
        process.terminate()
        await asyncio.to_thread(psutil.wait_procs, [process], timeout=_STOP_WAIT_S)
    managed = settings.neo4j_uri is None
    return {"api_stopped": process is not None, "neo4j_stopped": managed and await local_neo4j.stop(settings)}


async def status(group: str | None, viewer: str | None) -> dict[str, Any]:
    """Tell what runs, and what the database holds where it runs; starts nothing."""
    if (group is None) != (viewer is None):
        raise InvalidInput("viewer: Give --group and --viewer together, or neither.")
    scope = graph.Scope(group, viewer) if group is not None and viewer is not None else None
    settings = load_settings()
    running = settings.neo4j_uri is not None or local_neo4j.status(settings) is not None
    url = _url(settings) if await _healthy(settings) else None
    about: dict[str, Any] = {"api": url, "graphiql": url and f"{url}/graphql", "neo4j_running": running}
    if not running:
        return about
    if (instance := local_neo4j.status(settings)) and settings.neo4j_uri is None:
        about |= {"bolt": instance.bolt_url, "browser": f"{instance.http_url}/browser/"}
    async with graph.Inspection.look(settings) as inspection:
        return about | await inspection.status(scope)


def _note(settings: Settings) -> Path:
    return settings.home / "api.json"


def _log(settings: Settings) -> Path:
    return settings.home / "api.log"


def _tail(settings: Settings) -> str:
    return "\n".join(_log(settings).read_text("utf-8", "replace").splitlines()[-20:])


def _process(settings: Settings) -> psutil.Process | None:
    """Return the API's process where it lives; a number that another program has now is not it."""
    try:
        noted = json.loads(_note(settings).read_text())
        process = psutil.Process(noted["pid"])
        return process if abs(process.create_time() - noted["created"]) < 1 else None
    except (OSError, ValueError, KeyError, psutil.NoSuchProcess):
        return None


async def _healthy(settings: Settings) -> bool:
    """Tell whether the API of this home answers; another's on the same port does not count."""
    process = _process(settings)
    if process is None:
        return False
    import httpx2  # takes a while, and is needed only where an API runs

    try:
        async with httpx2.AsyncClient(trust_env=False) as client:
            response = await client.get(f"{_url(settings)}/health", timeout=5)
            return response.status_code == httpx2.codes.OK and response.json()["pid"] == process.pid
    except (httpx2.HTTPError, ValueError, KeyError):
        return False


def _url(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"
