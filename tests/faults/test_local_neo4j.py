"""The managed server under faults: real servers, on homes of their own.

Most tests share one home; whichever needs its server gets it started if the test before has ended it.
"""

import asyncio
import os
import signal
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import LiteralString

import httpx2
import neo4j
import psutil
import pytest
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from graph import local_neo4j
from graph.errors import LocalServerError, ServerStartFailed
from graph.local_neo4j.home import ServerHome
from graph.settings import Settings


def small(home: Path) -> Settings:
    return Settings(home=home, heap="512m", page_cache="64m")


@asynccontextmanager
async def stopped_at_end(settings: Settings) -> AsyncIterator[Settings]:
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)


@pytest.fixture(scope="module")
async def settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    # A name with a blank, as user folders have on some systems.
    async with stopped_at_end(small(tmp_path_factory.mktemp("a home"))) as settings:
        yield settings


@pytest.fixture
async def instance(settings: Settings) -> local_neo4j.Instance:
    return await local_neo4j.ensure_running(settings)


@asynccontextmanager
async def session_on(instance: local_neo4j.Instance) -> AsyncIterator[neo4j.AsyncSession]:
    auth = (instance.username, instance.password)
    async with neo4j.AsyncGraphDatabase.driver(instance.bolt_url, auth=auth) as driver, driver.session() as session:
        yield session


async def query(instance: local_neo4j.Instance, text: LiteralString) -> list[object]:
    async with session_on(instance) as session:
        return [record[0] async for record in await session.run(text)]


def kill(pid: int) -> None:
    process = psutil.Process(pid)
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_commands_at_the_same_time_share_one_server(settings: Settings) -> None:
    first, second = await asyncio.gather(local_neo4j.ensure_running(settings), local_neo4j.ensure_running(settings))

    assert first == second == local_neo4j.status(settings)
    assert first.pid == (await local_neo4j.ensure_running(settings)).pid


async def test_the_server_has_gds(instance: local_neo4j.Instance) -> None:
    assert await query(instance, "RETURN gds.version()")
    assert await query(instance, "SHOW PROCEDURES YIELD name WHERE name = 'gds.leiden.write' RETURN name")


async def test_it_is_reachable_from_this_machine_only(instance: local_neo4j.Instance) -> None:
    connections = psutil.Process(instance.pid).net_connections("inet")
    listening = {c.laddr.ip.removeprefix("::ffff:") for c in connections if c.status == psutil.CONN_LISTEN}

    assert listening == {"127.0.0.1"}


async def test_browser_is_served_and_finds_bolt(instance: local_neo4j.Instance) -> None:
    async with httpx2.AsyncClient(base_url=instance.http_url, trust_env=False, follow_redirects=True) as client:
        discovery = (await client.get("/", headers={"Accept": "application/json"})).json()
        browser = await client.get("/browser/")

    assert discovery["bolt_direct"] == instance.bolt_url
    assert discovery["neo4j_version"] == instance.version
    assert browser.status_code == 200
    assert "<html" in browser.text.lower()


async def test_the_password_is_needed_and_only_its_owner_can_read_it(instance: local_neo4j.Instance) -> None:
    assert stat.S_IMODE(instance.password_file.stat().st_mode) == 0o600
    assert instance.password_file.read_text("ascii") == instance.password
    assert instance.password not in repr(instance)
    assert instance.password not in " ".join(psutil.Process(instance.pid).cmdline())
    driver = neo4j.AsyncGraphDatabase.driver(instance.bolt_url, auth=(instance.username, "guess"))
    async with driver:
        with pytest.raises(AuthError):
            await driver.verify_connectivity()


async def test_the_server_outlives_the_command(instance: local_neo4j.Instance) -> None:
    process = psutil.Process(instance.pid)

    assert process.ppid() != os.getpid()
    assert os.getsid(instance.pid) != os.getsid(os.getpid())


async def test_acknowledged_commits_survive_a_killed_server(settings: Settings, instance: local_neo4j.Instance) -> None:
    acknowledged = 0
    enough = asyncio.Event()

    async def write() -> None:
        nonlocal acknowledged
        async with session_on(instance) as session:
            while True:
                await (await session.run("CREATE (:Kept {number: $n})", n=acknowledged)).consume()
                acknowledged += 1
                if acknowledged == 200:
                    enough.set()

    writing = asyncio.create_task(write())
    await enough.wait()
    kill(instance.pid)
    with pytest.raises((DriverError, Neo4jError)):
        await writing
    assert local_neo4j.status(settings) is None

    again = await local_neo4j.ensure_running(settings)

    numbers = await query(again, "MATCH (kept:Kept) RETURN kept.number ORDER BY kept.number")
    assert numbers[:acknowledged] == list(range(acknowledged))
    assert len(numbers) <= acknowledged + 1  # one more may have been committed, but not yet acknowledged
    assert again.bolt_url == instance.bolt_url
    assert again.pid != instance.pid


async def test_a_second_server_on_the_same_home_is_one_clear_error(
    settings: Settings, instance: local_neo4j.Instance
) -> None:
    home = ServerHome.of(settings)
    record = home.instance_file.read_text("utf-8")
    home.instance_file.unlink()

    with pytest.raises(ServerStartFailed, match=rf"Process {instance.pid} already runs a server on .*a home"):
        await local_neo4j.ensure_running(settings)

    home.instance_file.write_text(record, "utf-8")
    assert await query(instance, "RETURN 1") == [1]


async def test_a_file_that_names_another_process_is_stale(settings: Settings, instance: local_neo4j.Instance) -> None:
    assert await local_neo4j.stop(settings) is True
    assert await local_neo4j.stop(settings) is False
    home = ServerHome.of(settings)
    record = home.instance_file.read_text("utf-8")
    home.instance_file.write_text(record.replace(f'"pid": {instance.pid}', f'"pid": {os.getpid()}'), "utf-8")

    assert local_neo4j.status(settings) is None
    assert await local_neo4j.stop(settings) is False  # this test run would have been stopped
    bolt, http = free_port(), free_port()
    again = await local_neo4j.ensure_running(settings.model_copy(update={"bolt_port": bolt, "http_port": http}))

    assert again.pid not in {instance.pid, os.getpid()}
    assert again.bolt_url == f"bolt://127.0.0.1:{bolt}"
    assert again.http_url == f"http://127.0.0.1:{http}"


async def test_admin_commands_run_on_the_home(
    settings: Settings, instance: local_neo4j.Instance, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dump = ["database", "dump", "neo4j", f"--to-path={tmp_path}"]

    assert await local_neo4j.admin(settings, dump) != 0
    assert "Stop database" in capfd.readouterr().err
    assert local_neo4j.status(settings) == instance
    await local_neo4j.stop(settings)
    assert await local_neo4j.admin(settings, dump) == 0

    assert (tmp_path / "neo4j.dump").stat().st_size > 0


async def failing(settings: Settings) -> str:
    """Start, expect a failure in good time, and return its message."""
    async with asyncio.timeout(60), stopped_at_end(settings):
        with pytest.raises(LocalServerError) as failure:
            await local_neo4j.ensure_running(settings)
        assert local_neo4j.status(settings) is None
    return str(failure.value)


async def test_a_start_that_fails_ends_in_advice_and_the_log(settings: Settings) -> None:
    await local_neo4j.stop(settings)

    message = await failing(settings.model_copy(update={"heap": "1m"}))

    assert message.startswith("The managed Neo4j server did not start. Its memory is too small: set FUSEGRAPH_HEAP")
    assert message.endswith("Too small maximum heap")


async def test_a_database_that_cannot_be_opened_ends_in_its_causes(tmp_path: Path) -> None:
    settings = small(tmp_path)
    home = ServerHome.of(settings)
    home.create()
    (home.path / "data" / "databases").mkdir(parents=True)
    (home.path / "data" / "databases" / "system").write_text("not a database", "utf-8")

    message = await failing(settings)

    assert f"More is in {home.debug_log}." in message
    assert "Failed to start DatabaseId{00000000[system]}" in message
    assert "Caused by: " in message
    assert "\tat " not in message


async def test_a_busy_port_is_one_clear_error(tmp_path: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]

        message = await failing(small(tmp_path).model_copy(update={"bolt_port": port}))

    assert message == (
        "The managed Neo4j server did not start. "
        f"Port {port} is in use or not allowed: free it or set FUSEGRAPH_BOLT_PORT to another."
    )
