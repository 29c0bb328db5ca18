"""The last part of the one path: what waits to be written in a group is planned and written together."""

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from graph.embedding import Embedding
from graph.errors import ConflictingWrite, DatabaseRefused
from graph.groups import settings_in
from graph.store import Store
from graph.timelines import clock
from graph.timelines.commit import Batch, Settled
from graph.timelines.known import Asked, Looked, Read, look, whole, with_opponents
from graph.timelines.settling import MOST_RETOLD
from graph.timelines.standing import milliseconds
from graph.timelines.statements import NewStatement
from graph.writing.call import Call
from graph.writing.transaction import Planned, write_planned

MOST_TOGETHER: Final = 256
"""Events a transaction: large enough to batch round trips, small enough to be held in memory by server and client."""

_ATTEMPTS: Final = 5


class _Waiting(NamedTuple):
    call: Call
    done: asyncio.Future[None]


class Writers:
    """The calls of this process that write: in each group one transaction after the other, with all that waits by then.

    A commit costs the server as much for one event as for many, and who waits here takes nothing from it. Writers of
    other processes are kept apart by the locks of the transaction alone.
    """

    def __init__(self, store: Store, embedding: Embedding) -> None:
        self._store = store
        self._embedding = embedding
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def carry_out(self, call: Call) -> None:
        """Check, embed, settle and write all of a call, or nothing of it.

        Raises:
            SchemaMismatch: the database has been re-embedded since it was opened.
        """
        await call.draft()
        await call.embed(self._embedding)
        mine = _Waiting(call, asyncio.get_running_loop().create_future())
        group = call.scope.group
        if group in self._waiting:
            self._waiting[group].append(mine)
        else:
            self._waiting[group] = deque([mine])
            # A task of its own: whoever has sent a call may go away while others wait for what is written with it.
            task = asyncio.create_task(self._write_all(group))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await mine.done

    async def _write_all(self, group: str) -> None:
        waiting = self._waiting[group]
        try:
            while waiting:
                await self._write(_next(waiting))
        finally:
            del self._waiting[group]
            for one in waiting:
                one.done.cancel()

    async def _write(self, together: Sequence[_Waiting]) -> None:
        calls = [one.call for one in together]
        try:
            await self._attempt(calls)
        except (ConflictingWrite, DatabaseRefused) as error:
            if len(together) > 1:  # one of them is at fault: the others must not pay for it
                for one in together:
                    await self._write([one])
            else:
                _end(together, error)
        except Exception as error:  # noqa: BLE001 - whoever sent a call is told
            _end(together, error)
        else:
            _end(together, None)

    async def _attempt(self, calls: Sequence[Call]) -> None:
        """Write calls in one transaction; where an id was taken meanwhile, that is seen at the next look."""

        async def plan(read: Read) -> Planned:
            return await _plan(calls, read)

        for attempt in range(1, _ATTEMPTS + 1):
            try:
                planned = await write_planned(self._store, calls[0].slot, calls[0].scope, plan)
            except ConflictingWrite:
                if attempt == _ATTEMPTS or len(calls) > 1:
                    raise
            else:
                for call in calls:
                    call.settlements = planned.settled.settlements
                return


def _next(waiting: deque[_Waiting]) -> list[_Waiting]:
    """Take what is written next, as it came: all that waits, up to what shares an id with it or is too much."""
    taken: list[_Waiting] = []
    ids: set[str] = set()
    count = 0
    while waiting:
        call = waiting[0].call
        count += len(call.events)
        if taken and (count > MOST_TOGETHER or not ids.isdisjoint(call.ids) or call.slot != taken[0].call.slot):
            break
        ids |= call.ids
        one = waiting.popleft()
        if not one.done.cancelled():
            taken.append(one)
    return taken


def _end(together: Sequence[_Waiting], error: Exception | None) -> None:
    for one in together:
        if not one.done.done():
            one.done.set_result(None) if error is None else one.done.set_exception(error)


async def _plan(calls: Sequence[Call], read: Read) -> Planned:
    """Look at all that may decide about calls of one group, and settle what is new, in the order in which they came."""
    now = clock.now()
    looked = await _look(calls, read, now)
    settings = settings_in(looked.settings)
    if any([await call.use(settings) for call in calls]):
        looked = await _look(calls, read, now)
    fresh = [(call, item) for call in calls for item in call.compare(looked)]
    stated = [statement for call, item in fresh if (statement := call.statements.get(item.placed.id))]
    settled = await _settled(read, looked, stated, now)
    return Planned([(item, call.vectors.get(item.placed.id)) for call, item in fresh], settled)


async def _look(calls: Sequence[Call], read: Read, now: datetime) -> Looked:
    asked = [call.asked() for call in calls]
    together = Asked(
        [one for each in asked for one in each.decisions],
        [one for each in asked for one in each.events],
        sorted({one for each in asked for one in each.records}),
    )
    statements = [statement for call in calls for statement in call.statements.values()]
    return await look(read, calls[0].slot, statements, together, milliseconds(now))


async def _settled(read: Read, looked: Looked, stated: Sequence[NewStatement], now: datetime) -> Settled:
    """Settle statements, off the event loop: it may take a while. Where one comes late, all its timeline is read."""
    if not stated:
        return Settled({}, (), {}, {})
    batch = Batch(stated, looked, now)
    if late := await asyncio.to_thread(batch.late):
        facts, told = await whole(read, late, most=MOST_RETOLD + 1)
        batch.tell(await with_opponents(read, facts), told)
    return await asyncio.to_thread(batch.settle)
