"""Fetches the server's jars into the user's cache: in parallel, resumed, verified, once."""

import asyncio
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graph.errors import ProvisionFailed
from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.home import disk_errors, exclusive
from graph.ports import Progress

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

PARALLEL = 8
ATTEMPTS = 5
FIRST_PAUSE = 0.5  # seconds before the second attempt; doubled for each further one
CHUNK = 1 << 20  # bytes written at a time
TIMEOUT = 30.0  # seconds without any byte
MEGABYTE = 1_000_000
LANDED = 946_684_800  # seconds since the epoch: the same moment for every jar, whenever it came
WORTH_ANOTHER_TRY = {408, 425, 429, 500, 502, 503, 504}


class _Interrupted(Exception):
    """The download broke off in a way that another attempt may mend."""


async def provision(artifacts: Sequence[Artifact], cache: Path, *, mirror: str | None, progress: Progress) -> None:
    """Make sure that every artifact lies in the cache, with the content that the lock names.

    What is there already is not fetched again. What was fetched in part is resumed, also from an earlier run.

    Args:
        artifacts: What to fetch.
        cache: Folder shared by all homes of this user.
        mirror: Base address of the Maven repository; None for the public one.
        progress: Told the bytes fetched so far and the bytes to fetch.

    Raises:
        ProvisionFailed: an artifact cannot be had or is not the right one, or the cache cannot be written.
    """
    with disk_errors(cache, ProvisionFailed, "FUSEGRAPH_CACHE"):
        if not _missing(artifacts, cache):
            return
        (cache / "downloads").mkdir(parents=True, exist_ok=True)
        async with exclusive(cache / "provision.lock", progress, "Waiting for another command to fetch Neo4j"):
            await _fetch_all(_missing(artifacts, cache), cache, mirror, progress)


async def damaged(artifacts: Sequence[Artifact], cache: Path) -> list[Artifact]:
    """Take jars whose content is not what the lock names out of the cache, and return them."""
    found = [a for a in artifacts if await asyncio.to_thread(_sha256, a.jar(cache)) != a.sha256]
    for artifact in found:
        artifact.jar(cache).unlink()
    return found


def _missing(artifacts: Sequence[Artifact], cache: Path) -> list[Artifact]:
    return [artifact for artifact in artifacts if _size(artifact.jar(cache)) != artifact.size]


async def _fetch_all(artifacts: list[Artifact], cache: Path, mirror: str | None, progress: Progress) -> None:
    if not artifacts:
        return
    # Slow imports that only a first run needs.
    from httpx2 import AsyncClient
    from jgo.constants import MAVEN_CENTRAL_URL

    base = (mirror or MAVEN_CENTRAL_URL).rstrip("/")
    slots = asyncio.Semaphore(PARALLEL)
    async with AsyncClient(timeout=TIMEOUT, follow_redirects=True, headers={"Accept-Encoding": "identity"}) as client:
        fetch = _Fetch(client, base, cache, artifacts, progress)

        async def one(artifact: Artifact) -> None:
            async with slots:
                await fetch.land(artifact)

        try:
            async with asyncio.TaskGroup() as group:
                # The big ones first, so that none of them is left to finish alone.
                for artifact in sorted(artifacts, key=lambda a: a.size, reverse=True):
                    group.create_task(one(artifact))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None


class _Fetch:
    """One run of downloads from one repository, with the count of bytes that they share."""

    def __init__(
        self, client: "AsyncClient", base: str, cache: Path, artifacts: list[Artifact], progress: Progress
    ) -> None:
        self._client = client
        self._base = base
        self._cache = cache
        self._total = sum(artifact.size for artifact in artifacts)
        self._received: dict[Artifact, int] = {}
        self._task = f"Fetching parts of Neo4j ({self._total / MEGABYTE:.1f} MB)"
        self._progress = progress

    async def land(self, artifact: Artifact) -> None:
        """Fetch an artifact, verify it and move it to its place in the cache."""
        part = self._cache / "downloads" / f"{artifact.sha256}-{artifact.file_name}.part"
        resumed = _size(part) > 0
        await self._complete(artifact, part)
        actual = await asyncio.to_thread(_sha256, part)
        if actual != artifact.sha256 and resumed:
            # The earlier run may have left something else; only a whole download proves the source wrong.
            part.unlink()
            await self._complete(artifact, part)
            actual = await asyncio.to_thread(_sha256, part)
        if actual != artifact.sha256:
            part.unlink()
            raise ProvisionFailed(
                f"{artifact.coordinates} from {self._base} is not the right file: its SHA-256 is {actual}, "
                f"not {artifact.sha256}. It was thrown away; check the mirror or proxy."
            )
        # Java takes a jar of another time for another jar, and an archive of its classes for outdated.
        os.utime(part, (LANDED, LANDED))
        target = artifact.jar(self._cache)
        target.parent.mkdir(parents=True, exist_ok=True)
        part.replace(target)

    async def _complete(self, artifact: Artifact, part: Path) -> None:
        """Bring the partial file to the artifact's size, in several attempts if need be."""
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                await self._append(artifact, part)
            except _Interrupted as reason:
                if attempt == ATTEMPTS:
                    raise ProvisionFailed(
                        f"{artifact.coordinates} could not be fetched from {self._base}: {reason}. "
                        "What has arrived is kept: run the command again."
                    ) from reason
                await asyncio.sleep(pause)
                pause *= 2
            else:
                return

    async def _append(self, artifact: Artifact, part: Path) -> None:
        """Fetch what the partial file lacks."""
        from httpx2 import InvalidURL, TransportError, UnsupportedProtocol

        have = _usable(part, artifact)
        self._count(artifact, have)
        if have == artifact.size:
            return
        headers = {"Range": f"bytes={have}-"} if have else {}
        url = f"{self._base}/{artifact.repository_path}"
        try:
            async with self._client.stream("GET", url, headers=headers) as response:
                self._refuse_unless_served(artifact, response)
                # A server that knows no ranges answers 200 with the whole file.
                await self._write(artifact, part, response, have if response.status_code == 206 else 0)  # noqa: PLR2004
        except (InvalidURL, UnsupportedProtocol) as error:
            raise ProvisionFailed(f"{self._base} is not the address of a Maven repository: {error}.") from error
        except TransportError as error:
            raise _Interrupted(str(error) or type(error).__name__) from error
        if _size(part) < artifact.size:
            raise _Interrupted(f"only {_size(part)} of {artifact.size} bytes came")

    def _refuse_unless_served(self, artifact: Artifact, response: "Response") -> None:
        if response.status_code in WORTH_ANOTHER_TRY:
            raise _Interrupted(f"HTTP status {response.status_code}")
        if response.status_code not in {200, 206}:
            raise ProvisionFailed(
                f"{artifact.coordinates} is not served by {self._base}: HTTP status {response.status_code}."
            )

    async def _write(self, artifact: Artifact, part: Path, response: "Response", have: int) -> None:
        pending = bytearray()
        with part.open("ab" if have else "wb") as file:
            try:
                async for chunk in response.aiter_raw():
                    pending += chunk
                    have += len(chunk)
                    self._count(artifact, have)
                    if have > artifact.size:
                        return  # too long to be right: the check of its content says so
                    if len(pending) >= CHUNK:
                        await asyncio.to_thread(file.write, pending)
                        pending = bytearray()
            finally:
                file.write(pending)  # whatever came before a connection broke counts

    def _count(self, artifact: Artifact, have: int) -> None:
        self._received[artifact] = min(have, artifact.size)
        self._progress(self._task, sum(self._received.values()), self._total)


def _size(path: Path) -> int:
    """Bytes of a file; -1 where there is none, so that it never equals an expected size."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _usable(part: Path, artifact: Artifact) -> int:
    """Bytes of a partial file to go on from. One that is too long is removed."""
    have = max(_size(part), 0)
    if have > artifact.size:
        part.unlink()
        return 0
    return have


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
