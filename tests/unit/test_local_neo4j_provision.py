"""Against a small repository of made-up jars on the loopback address, over real sockets."""

import asyncio
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from graph.errors import ProvisionFailed
from graph.local_neo4j import provision as module
from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.provision import damaged, provision
from graph.ports import no_progress


class Repository(ThreadingHTTPServer):
    """Serves what is in `files`, whole or in ranges; `cut` makes it break off once after so many bytes."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.asked: Counter[str] = Counter()
        self.ranges: list[str] = []
        self.knows_ranges = True
        self.cut: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/repository"

    def add(self, name: str, content: bytes) -> Artifact:
        sha256 = hashlib.sha256(content).hexdigest()
        artifact = Artifact("org.example", name, "1.0", "", "server", len(content), sha256)
        self.files[f"/repository/{artifact.repository_path}"] = content
        return artifact


class _Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        content = self.server.files.get(self.path)
        self.server.asked[self.path.rpartition("/")[2]] += 1
        if content is None:
            self.send_error(404)
            return
        start = 0
        if (wanted := self.headers["Range"]) and self.server.knows_ranges:
            self.server.ranges.append(wanted)
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        body = content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        cut, self.server.cut = self.server.cut, None
        self.wfile.write(body[:cut])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def repository() -> Iterator[Repository]:
    with Repository() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)


def content(seed: int, size: int = 300_000) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - only has to be the same each time


async def fetch(repository: Repository, artifacts: list[Artifact], cache: Path) -> None:
    await provision(artifacts, cache, mirror=repository.url, progress=no_progress)


def partial_file(artifact: Artifact, cache: Path) -> Path:
    (cache / "downloads").mkdir(parents=True, exist_ok=True)
    return cache / "downloads" / f"{artifact.sha256}-{artifact.file_name}.part"


async def test_everything_lands_once(repository: Repository, tmp_path: Path) -> None:
    artifacts = [repository.add(f"jar-{number}", content(number, 50_000 + number)) for number in range(20)]
    tasks: set[str] = set()
    heard: list[tuple[int, int | None]] = []

    def progress(task: str, done: int, total: int | None) -> None:
        tasks.add(task)
        heard.append((done, total))

    await provision(artifacts, tmp_path, mirror=repository.url + "/", progress=progress)
    await fetch(repository, artifacts, tmp_path)

    for artifact in artifacts:
        landed = artifact.jar(tmp_path).read_bytes()
        assert hashlib.sha256(landed).hexdigest() == artifact.sha256
        assert repository.asked[artifact.file_name] == 1
    total = sum(artifact.size for artifact in artifacts)
    assert {"Fetching parts of Neo4j (1.0 MB)"} == tasks
    assert heard == sorted(heard)
    assert heard[-1] == (total, total)
    assert not list((tmp_path / "downloads").iterdir())


async def test_jars_of_the_same_content_both_land(repository: Repository, tmp_path: Path) -> None:
    artifacts = [repository.add(name, b"an empty jar") for name in ("first", "second")]

    await fetch(repository, artifacts, tmp_path)

    assert all(artifact.jar(tmp_path).is_file() for artifact in artifacts)


async def test_a_download_begun_earlier_is_resumed(repository: Repository, tmp_path: Path) -> None:
    artifact = repository.add("big", content(1))
    partial_file(artifact, tmp_path).write_bytes(content(1)[:123_456])

    await fetch(repository, [artifact], tmp_path)

    assert repository.ranges == ["bytes=123456-"]
    assert artifact.jar(tmp_path).read_bytes() == content(1)


async def test_a_connection_that_breaks_is_taken_up_where_it_broke(repository: Repository, tmp_path: Path) -> None:
    artifact = repository.add("big", content(2))
    repository.cut = 100_000

    await fetch(repository, [artifact], tmp_path)

    assert repository.ranges == ["bytes=100000-"]
    assert artifact.jar(tmp_path).read_bytes() == content(2)


async def test_a_server_without_ranges_sends_the_whole_file_again(repository: Repository, tmp_path: Path) -> None:
    artifact = repository.add("big", content(3))
    repository.knows_ranges = False
    partial_file(artifact, tmp_path).write_bytes(content(3)[:1000])

    await fetch(repository, [artifact], tmp_path)

    assert artifact.jar(tmp_path).read_bytes() == content(3)


@pytest.mark.parametrize("size", [1000, 300_000, 300_001])
async def test_a_partial_file_of_something_else_is_replaced(repository: Repository, tmp_path: Path, size: int) -> None:
    artifact = repository.add("big", content(4))
    partial_file(artifact, tmp_path).write_bytes(b"x" * size)

    await fetch(repository, [artifact], tmp_path)

    assert artifact.jar(tmp_path).read_bytes() == content(4)


@pytest.mark.parametrize("served", [content(6), content(5)[:-1] + b"!", content(5) + b"more"])
async def test_a_wrong_file_is_refused_by_name(repository: Repository, tmp_path: Path, served: bytes) -> None:
    artifact = repository.add("forged", content(5))
    repository.files[f"/repository/{artifact.repository_path}"] = served

    with pytest.raises(ProvisionFailed, match=r"org\.example:forged:1\.0 .* is not the right file"):
        await fetch(repository, [artifact], tmp_path)

    assert not artifact.jar(tmp_path).exists()
    assert not partial_file(artifact, tmp_path).exists()


async def test_a_file_that_stays_too_short_is_an_error_that_keeps_what_came(
    repository: Repository, tmp_path: Path
) -> None:
    artifact = replace(repository.add("short", content(7)), size=300_001)

    with pytest.raises(ProvisionFailed, match=r"org\.example:short:1\.0 .* only 300000 of 300001 bytes"):
        await fetch(repository, [artifact], tmp_path)

    assert partial_file(artifact, tmp_path).read_bytes() == content(7)


async def test_an_artifact_the_mirror_lacks_is_named(repository: Repository, tmp_path: Path) -> None:
    there, absent = repository.add("there", content(8)), repository.add("absent", content(9))
    del repository.files[f"/repository/{absent.repository_path}"]

    with pytest.raises(ProvisionFailed, match=r"org\.example:absent:1\.0 is not served by .*: HTTP status 404"):
        await fetch(repository, [there, absent], tmp_path)


async def test_no_network_is_one_clear_error(tmp_path: Path, repository: Repository) -> None:
    artifact = repository.add("jar", content(10))

    with pytest.raises(
        ProvisionFailed, match=r"org\.example:jar:1\.0 could not be fetched from .*run the command again"
    ):
        await provision([artifact], tmp_path, mirror="http://127.0.0.1:9", progress=no_progress)


async def test_a_mirror_that_is_no_address_is_one_clear_error(tmp_path: Path, repository: Repository) -> None:
    artifact = repository.add("jar", content(11))

    with pytest.raises(ProvisionFailed, match="is not the address of a Maven repository"):
        await provision([artifact], tmp_path, mirror="/srv/mirror", progress=no_progress)


async def test_a_full_disk_is_one_clear_error(repository: Repository, tmp_path: Path) -> None:
    artifact = repository.add("big", content(12))
    partial_file(artifact, tmp_path).symlink_to("/dev/full")

    with pytest.raises(ProvisionFailed, match=r"The disk that holds .* is full\. Free some space"):
        await fetch(repository, [artifact], tmp_path)


async def test_a_cache_that_is_a_file_is_one_clear_error(repository: Repository, tmp_path: Path) -> None:
    artifact = repository.add("jar", content(13))
    (tmp_path / "cache").write_text("not a folder", "utf-8")

    with pytest.raises(ProvisionFailed, match="cannot be used: Not a directory"):
        await fetch(repository, [artifact], tmp_path / "cache")


async def test_damaged_jars_are_found_and_taken_out(repository: Repository, tmp_path: Path) -> None:
    good, bad = repository.add("good", content(14)), repository.add("bad", content(15))
    await fetch(repository, [good, bad], tmp_path)
    bad.jar(tmp_path).write_bytes(content(16))

    assert await damaged([good, bad], tmp_path) == [bad]
    await fetch(repository, [good, bad], tmp_path)

    assert bad.jar(tmp_path).read_bytes() == content(15)


TWO = """
import asyncio, json, sys
from pathlib import Path
from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.provision import provision
from graph.ports import no_progress

artifacts = [Artifact(**fields) for fields in json.loads(sys.argv[1])]
asyncio.run(provision(artifacts, Path(sys.argv[2]), mirror=sys.argv[3], progress=no_progress))
"""


async def test_two_processes_at_once_fetch_each_file_once(repository: Repository, tmp_path: Path) -> None:
    artifacts = [repository.add(f"jar-{number}", content(number)) for number in range(30)]
    fields = json.dumps([asdict(artifact) for artifact in artifacts])

    async def process() -> int:
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", TWO, fields, str(tmp_path), repository.url)
        return await child.wait()

    assert list(await asyncio.gather(process(), process())) == [0, 0]

    assert repository.asked == {artifact.file_name: 1 for artifact in artifacts}
    assert all(artifact.jar(tmp_path).is_file() for artifact in artifacts)
