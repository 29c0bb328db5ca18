"""Records the events of files, a call's worth at a time."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import graph
from api.console import load_settings
from api.readers import read_events
from graph.errors import InvalidInput
from graph.ports import Progress

_SHOWN = 20


async def import_files(
    files: Sequence[Path], group: str | None, viewer: str, progress: Progress, *, wait: bool
) -> dict[str, Any]:
    """Record the events of the files and return how many were recorded, unchanged or rejected, and why.

    `wait`: until the events have their vectors, too; else who opens the memory next makes them.
    It also tells how many came without a time: a search that is restricted to a time does not find them.

    Raises:
        InvalidInput: a file cannot be read; nothing of any file is recorded then.
    """
    batches = [(path, batch) for path in files for batch in read_events(path)]
    scopes = []
    for path, batch in batches:
        name = batch.group if batch.group is not None else group
        if name is None:
            raise InvalidInput(f"{path}: Its lines name no group; add --group.")
        scopes.append(graph.Scope(name, viewer))
    total, outcomes, rejections = sum(len(batch.events) for _, batch in batches), Counter[str](), []
    without_time = 0
    async with graph.Memory.open(load_settings(), progress=progress) as memory:
        for scope, (path, batch) in zip(scopes, batches, strict=True):
            for start in range(0, len(batch.events), graph.MOST_EVENTS):
                receipts = await memory.record_events(scope, batch.events[start : start + graph.MOST_EVENTS])
                outcomes.update(receipt.outcome.value.lower() for receipt in receipts)
                without_time += sum(receipt.without_time for receipt in receipts)
                rejections += [
                    {"file": path.name, "event": receipt.event_id, "field": receipt.field, "reason": receipt.reason}
                    for receipt in receipts
                    if receipt.outcome is graph.Outcome.REJECTED
                ]
                progress("recording", sum(outcomes.values()), total)
        if wait:
            await memory.catch_up(progress)
        pending = await memory.following.pending()
    counts = {name: outcomes[name] for name in ("recorded", "unchanged", "rejected")}
    told = {"pending": pending, "without_time": without_time}
    return {"events": total, **counts, **told, "rejections": rejections[:_SHOWN]}
