"""Servers, memories and clients that the tests share. Every server here is a real one, started by this run."""

import asyncio
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from os import environ
from pathlib import Path

import httpx2
import hypothesis
import pytest
import uvicorn

import graph
from api.app import create_app
from bench.floor import SeededVectors
from graph import local_neo4j
from graph.ports import Embedder
from graph.settings import Settings

hypothesis.settings.register_profile("shared machine", deadline=None)
hypothesis.settings.load_profile("shared machine")


# A shell's background job ignores SIGINT, and so would all that these tests start and then interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="Full counts instead of a tenth.")


@pytest.fixture(scope="session")
def counted(pytestconfig: pytest.Config) -> Callable[[int], int]:
    """Turn a full count into this run's: all of it with --long, else a tenth."""
    long = pytestconfig.getoption("--long")
    return lambda full: full if long else max(1, full // 10)


@pytest.fixture(autouse=True, scope="session")
def _no_settings_of_the_user() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in environ if name.startswith(("NEO4J_", "FUSEGRAPH_"))]:
            if name not in ("FUSEGRAPH_CACHE", "FUSEGRAPH_MAVEN_MIRROR", "FUSEGRAPH_JAVA"):
                patch.delenv(name)
        yield


@asynccontextmanager
async def _server(folder: Path) -> AsyncIterator[Settings]:
    settings = Settings(home=folder, heap="1g", page_cache="256m")
    try:
        await local_neo4j.ensure_running(settings)
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
async def settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """A server whose texts are embedded by the packaged model."""
    async with _server(tmp_path_factory.mktemp("server")) as settings:
        yield settings


@pytest.fixture(scope="session")
async def memory(settings: Settings) -> AsyncIterator[graph.Memory]:
    async with graph.Memory.open(settings) as memory:
        yield memory


@pytest.fixture(scope="session")
def vectors() -> Embedder:
    """Seeded unit vectors: for checks of structure and scale, where what they mean does not matter."""
    return SeededVectors()


@pytest.fixture(scope="session")
async def seeded_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """A server whose vectors are seeded, not meant."""
    async with _server(tmp_path_factory.mktemp("seeded")) as settings:
        yield settings


@pytest.fixture(scope="session")
async def seeded(seeded_settings: Settings, vectors: Embedder) -> AsyncIterator[graph.Memory]:
    async with graph.Memory.open(seeded_settings, embedder=vectors) as memory:
        yield memory


_numbers = count(1)


@pytest.fixture
def group() -> str:
    """A group that no other test uses."""
    return f"test-{next(_numbers)}"


@pytest.fixture
def scope(group: str) -> graph.Scope:
    return graph.Scope(group, "ann")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
async def url(settings: Settings, memory: graph.Memory) -> AsyncIterator[str]:
    """Where the API answers, over real sockets, on the memory of this run."""

    @asynccontextmanager
    async def opened(_: Settings) -> AsyncIterator[graph.Memory]:
        yield memory

    listening = settings.model_copy(update={"port": free_port()})
    config = uvicorn.Config(create_app(listening, opened), host="127.0.0.1", port=listening.port, log_level="error")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn tells it by an attribute alone
        await asyncio.sleep(0.05)
    yield f"http://127.0.0.1:{listening.port}"
    server.should_exit = True
    await serving


@pytest.fixture(scope="session")
async def client(url: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
        yield client
