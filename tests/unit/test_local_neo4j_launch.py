import json
import os
import shutil
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graph import local_neo4j
from graph.errors import LocalServerError, ServerStartFailed
from graph.local_neo4j.home import ServerHome, disk_errors, write_private
from graph.local_neo4j.launch import SERVER_CLASS, Ports, choose_ports, server_command
from graph.local_neo4j.logs import advice, begin_afresh, failed_database, tail
from graph.local_neo4j.process import Record, process_of, read_record
from graph.local_neo4j.runtime import Java
from graph.local_neo4j.sizing import Memory
from graph.settings import Settings


@pytest.fixture
def home(tmp_path: Path) -> ServerHome:
    home = ServerHome.of(Settings(home=tmp_path / "data"))
    home.create()
    return home


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_enters_the_home_and_reads_the_password(home: ServerHome) -> None:
    before = os.umask(0)
    try:
        password = home.password()
    finally:
        os.umask(before)

    assert mode(home.path) == 0o700
    assert mode(home.password_file) == 0o600
    assert len(password) == 32
    assert home.password() == password


def test_two_homes_have_two_passwords(tmp_path: Path) -> None:
    homes = [ServerHome.of(Settings(home=tmp_path / name)) for name in ("a", "b")]
    for home in homes:
        home.create()

    assert homes[0].password() != homes[1].password()


def test_data_without_its_password_is_one_clear_error(home: ServerHome) -> None:
    (home.path / "data" / "databases" / "system").mkdir(parents=True)

    with pytest.raises(LocalServerError, match=r"password is gone.*Put the file back, or move"):
        home.password()


def test_a_private_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old", "utf-8")
    file.chmod(0o644)

    write_private(file, "new")

    assert file.read_text("utf-8") == "new"
    assert mode(file) == 0o600
    assert [file] == list(tmp_path.iterdir())


def test_a_full_disk_is_one_clear_error(tmp_path: Path) -> None:
    with (
        pytest.raises(LocalServerError, match=r"The disk that holds .* is full"),
        disk_errors(tmp_path),
        Path("/dev/full").open("w", encoding="utf-8") as file,
    ):
        file.write("one line")


def test_a_port_that_is_set_and_busy_is_one_clear_error(busy_port: int) -> None:
    with pytest.raises(ServerStartFailed, match=rf"Port {busy_port} is in use .* set FUSEGRAPH_HTTP_PORT"):
        choose_ports(Settings(http_port=busy_port), None)


def test_free_ports_differ() -> None:
    ports = choose_ports(Settings(), None)

    assert ports.bolt != ports.http


def test_one_port_cannot_be_set_for_both(busy_port: int) -> None:
    free = choose_ports(Settings(), None).bolt
    assert free != busy_port

    with pytest.raises(ServerStartFailed, match=f"Port {free} is in use"):
        choose_ports(Settings(bolt_port=free, http_port=free), None)


def test_the_ports_of_the_last_run_are_kept_while_they_are_free(busy_port: int) -> None:
    free = choose_ports(Settings(), None).bolt

    ports = choose_ports(Settings(), Ports(bolt=free, http=busy_port))

    assert ports.bolt == free
    assert ports.http != busy_port


@pytest.mark.parametrize(("heap", "first"), [("128m", "128m"), ("512m", "256m"), ("2g", "256m")])
def test_the_heap_starts_small(home: ServerHome, heap: str, first: str) -> None:
    command = server_command(home, Java(Path("java"), "21.0.4", has_vector=False), Memory(heap, "256m"))

    assert f"-Xms{first}" in command
    assert f"-Xmx{heap}" in command


@pytest.mark.parametrize("has_vector", [True, False])
def test_the_vector_flag_follows_the_runtime(home: ServerHome, has_vector: bool) -> None:
    command = server_command(home, Java(Path("java"), "21.0.4", has_vector), Memory("1g", "256m"))

    assert ("--add-modules=jdk.incubator.vector" in command) is has_vector


@pytest.fixture
def lookalike(home: ServerHome) -> Iterator[psutil.Popen]:
    """A process whose command line is that of a server on this home."""
    with psutil.Popen(
        ["/bin/sh", "-c", "read line", SERVER_CLASS, f"--home-dir={home.path}"], stdin=subprocess.PIPE
    ) as process:
        yield process
        process.communicate()


def record(process: psutil.Process, *, created: float | None = None) -> Record:
    return Record(process.pid, created or process.create_time(), 1, 2, "1.0")


def test_a_recorded_process_is_recognised(home: ServerHome, lookalike: psutil.Popen) -> None:
    assert process_of(record(lookalike), home) == psutil.Process(lookalike.pid)


def test_a_process_of_another_time_is_not_the_recorded_one(home: ServerHome, lookalike: psutil.Popen) -> None:
    assert process_of(record(lookalike, created=lookalike.create_time() - 60), home) is None


def test_a_process_with_another_command_is_not_the_recorded_one(home: ServerHome) -> None:
    assert process_of(record(psutil.Process()), home) is None


def test_a_server_on_another_home_is_not_the_recorded_one(tmp_path: Path, lookalike: psutil.Popen) -> None:
    assert process_of(record(lookalike), ServerHome(tmp_path / "other")) is None


def test_a_process_that_ended_is_not_the_recorded_one(home: ServerHome, lookalike: psutil.Popen) -> None:
    ended = record(lookalike)
    lookalike.kill()
    while lookalike.status() != psutil.STATUS_ZOMBIE:
        pass

    assert process_of(ended, home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", json.dumps({"pid": 1})])
def test_a_file_that_is_no_record_says_nothing(home: ServerHome, text: str) -> None:
    home.instance_file.write_text(text, "utf-8")

    assert read_record(home) is None


def test_status_of_a_home_without_a_server(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "absent")

    assert local_neo4j.status(settings) is None
    assert local_neo4j.log_tail(settings) == ""
    assert not (tmp_path / "absent").exists()


async def test_nothing_is_stopped_where_nothing_runs(tmp_path: Path) -> None:
    assert await local_neo4j.stop(Settings(home=tmp_path)) is False


async def test_nothing_is_started_beside_a_server_that_is_set(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match="NEO4J_URI is set"):
        await local_neo4j.ensure_running(Settings(home=tmp_path, neo4j_uri="bolt://db.example:7687"))


def test_the_tail_is_of_this_run_and_has_no_stack_frames(home: ServerHome) -> None:
    home.log.write_text("earlier run\n", "utf-8")
    begin_afresh(home)
    home.log.write_text(
        "first\nbroken: it\n\tat org.example.Thing.run(Thing.java:1)\n    at org.example\nlast\n", "utf-8"
    )
    home.console.write_text("said by Java\n", "utf-8")

    assert tail(home, 10) == "first\nbroken: it\nlast\nsaid by Java"
    assert tail(home, 2) == "last\nsaid by Java"
    assert home.log.with_name("neo4j.log.previous").read_text("utf-8") == "earlier run\n"


def test_the_tail_of_a_long_log_is_its_end(home: ServerHome) -> None:
    home.log.write_text("".join(f"line {number}\n" for number in range(100_000)), "utf-8")

    assert tail(home, 2) == "line 99998\nline 99999"


def test_a_database_that_failed_is_found_with_its_causes(home: ServerHome) -> None:
    trace = (
        "java.lang.RuntimeException: cannot\n\tat org.example\nCaused by: java.io.IOException: No space left on device"
    )
    entry = {"level": "ERROR", "message": "Failed to start DatabaseId{1[neo4j]}", "stacktrace": trace}
    home.debug_log.write_text(f'{{"message": "fine"}}\n{json.dumps(entry)}\n'.replace(": ", ":"), "utf-8")

    found = failed_database(home)

    assert found is not None
    assert found.splitlines()[0] == "Failed to start DatabaseId{1[neo4j]}"
    assert found.splitlines()[-1].startswith("Caused by")
    assert len(found.splitlines()) == 3
    assert advice(found) == "The disk is full: free some space."


def test_no_database_failed_in_a_log_without_such_a_line(home: ServerHome) -> None:
    assert failed_database(home) is None
    home.debug_log.write_text('{"message":"Failed to start DatabaseId', "utf-8")
    assert failed_database(home) is None


async def test_a_start_on_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=5 << 20))

    with pytest.raises(ServerStartFailed, match=r"has 5 MB left, but 64 MB are needed: free some space\."):
        await local_neo4j.ensure_running(Settings(home=tmp_path))
