"""Keeps a managed server running for as long as somebody needs it."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, NoReturn

from graph.errors import LocalServerError
from graph.local_neo4j.home import ServerHome
from graph.local_neo4j.server import LEAST_SPACE, ended_by_itself, ensure_running, stop
from graph.settings import Settings

_LOOK_S: Final = 1.0
_AGAIN_S: Final = 10.0

_LOG: Final = logging.getLogger(__name__)


async def keep_running(settings: Settings, stopped: Callable[[], bool]) -> NoReturn:
    """Start the server again whenever it has ended without having been told to, or its database has stopped.

    `stopped` tells that the database refuses all work until it is restarted, as after a full disk; it is restarted
    when there is space again.
    """
    pause = _LOOK_S
    while True:
        await asyncio.sleep(pause)
        pause = _LOOK_S
        try:
            if stopped():
                if ServerHome.of(settings).free_space < LEAST_SPACE:
                    continue
                _LOG.warning("the database has stopped; its server is restarted")
                await stop(settings)
                await ensure_running(settings)
            elif ended_by_itself(settings):
                _LOG.warning("the database's server has ended; it is started again")
                await ensure_running(settings)
        except LocalServerError as error:
            _LOG.warning("%s", error)
            pause = _AGAIN_S
