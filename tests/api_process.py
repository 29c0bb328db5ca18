"""The API as a process of its own, which tests kill or stop."""

import asyncio
import os
import subprocess
import sys

import httpx2

from graph.settings import Settings


def environment(settings: Settings) -> dict[str, str]:
    """Return this process's environment with the settings of a home of its own."""
    return os.environ | {
        "FUSEGRAPH_HOME": str(settings.home),
        "FUSEGRAPH_PORT": str(settings.port),
        "FUSEGRAPH_HEAP": "512m",
        "FUSEGRAPH_PAGE_CACHE": "64m",
    }


async def api(settings: Settings) -> subprocess.Popen[bytes]:
    """Start the API of the settings as a process of its own, and wait until it answers."""
    with (settings.home / "api.txt").open("ab") as log:
        process = subprocess.Popen(  # noqa: ASYNC220 - it starts at once
            [sys.executable, "-m", "api", "up"], env=environment(settings), stdout=log, stderr=log
        )
    async with asyncio.timeout(120), httpx2.AsyncClient() as client:
        while True:
            try:
                if (await client.get(f"http://127.0.0.1:{settings.port}/health")).is_success:
                    return process
            except httpx2.HTTPError:
                await asyncio.sleep(0.1)
