"""The API keeps the database that it manages: after it was killed, and after its disk was full."""

import asyncio
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import mkdtemp

import httpx2
import psutil
import pytest

from graph import local_neo4j
from graph.settings import Settings
from tests.api_process import api, environment
from tests.conftest import free_port
from tests.over_http import ask, post

RECORD = 'mutation($e: [EventInput!]!) { recordEvents(group: "home", viewer: "ann", events: $e) { outcome } }'
ATOMS = '{ atoms(group: "home", viewer: "ann", first: 500) { atoms { eventId } } }'


@pytest.fixture
async def own_settings(tmp_path: Path) -> AsyncIterator[Settings]:
    settings = Settings(home=tmp_path, heap="512m", page_cache="64m", port=free_port(), neo4j_uri=None)
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)


def client_of(settings: Settings) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=f"http://127.0.0.1:{settings.port}", timeout=60)


def events(first: int, count: int) -> list[dict[str, str]]:
    return [
        {"eventId": f"e-{number}", "text": f"Line {number}. " + "The boiler was cleaned. " * 20}
        for number in range(first, first + count)
    ]


async def test_a_database_that_was_killed_is_started_again_and_the_request_that_waits_is_answered(
    own_settings: Settings,
) -> None:
    process = await api(own_settings)
    try:
        async with client_of(own_settings) as client:
            assert await ask(client, RECORD, e=events(0, 1)) == [{"outcome": "RECORDED"}]
            server = local_neo4j.status(own_settings)
            assert server is not None
            psutil.Process(server.pid).send_signal(signal.SIGKILL)
            assert await ask(client, RECORD, e=events(0, 2)) == [{"outcome": "UNCHANGED"}, {"outcome": "RECORDED"}]
            again = local_neo4j.status(own_settings)
            assert again is not None
            assert again.pid != server.pid
            # Whoever stops it on purpose finds it stopped.
            await local_neo4j.stop(own_settings)
            await asyncio.sleep(3)
            assert local_neo4j.status(own_settings) is None
            assert (await client.get("/health")).status_code == httpx2.codes.SERVICE_UNAVAILABLE
    finally:
        process.terminate()
        process.wait(30)


async def test_an_api_that_does_not_answer_is_no_success_to_start(
    own_settings: Settings, pytestconfig: pytest.Config
) -> None:
    if not pytestconfig.getoption("--long"):
        pytest.skip("The command waits for 40 seconds; --long waits for it.")
    process = await api(own_settings)
    try:
        process.send_signal(signal.SIGSTOP)
        started = await asyncio.create_subprocess_exec(
            "fusegraph", "up", "--detach", env=environment(own_settings), stderr=subprocess.PIPE
        )
        _, told = await started.communicate()
        assert started.returncode == 1
        assert f"(process {process.pid}) but does not answer" in " ".join(told.decode().split())
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(30)


async def test_a_full_disk_is_told_and_after_it_is_freed_all_goes_on(
    own_settings: Settings, pytestconfig: pytest.Config
) -> None:
    if not pytestconfig.getoption("--long"):
        pytest.skip("Filling a disk and two starts take a minute; --long does it.")
    small = Path(mkdtemp(prefix="fusegraph-full-"))  # where no other run of tests tidies up
    own_settings = own_settings.model_copy(update={"home": small})
    mounted = subprocess.run(  # noqa: ASYNC221, S603 - it takes no time
        ["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", str(small)],  # noqa: S607
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("No file system can be mounted here, so that none can be filled.")
    process = await api(own_settings)
    try:
        async with client_of(own_settings) as client:
            assert len(await ask(client, RECORD, e=events(0, 50))) == 50
            fill = small / "fill"
            fill.write_bytes(bytes(shutil.disk_usage(small).free - (1 << 19)))
            kept, told = 50, ""
            while not told:
                body = await post(client, RECORD, e=events(kept, 100))
                told = "".join(error["message"] for error in body.get("errors", ()))
                kept += 0 if told else 100
            assert "Free some space" in told
            fill.unlink()
            async with asyncio.timeout(90):
                while "errors" in await post(client, RECORD, e=events(10_000, 1)):  # noqa: ASYNC110 - a server's doing
                    await asyncio.sleep(1)
            found = (await ask(client, ATOMS))["atoms"]
            assert {one["eventId"] for one in found} >= {one["eventId"] for one in events(0, min(kept, 400))}
    finally:
        process.terminate()
        process.wait(30)
        await local_neo4j.stop(own_settings)
        # Lazily: what the server's class archive is made by may still stand in the folder.
        subprocess.run(["umount", "--lazy", str(small)], check=True)  # noqa: ASYNC221, S603, S607
        small.rmdir()  # noqa: ASYNC240
