"""Times that texts speak of do not depend on where the server stands; times known to the day or month stay so."""

import asyncio
import json
import os
import sys
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

import pytest

import graph
from graph import local_neo4j
from graph.settings import Settings

YESTERDAY = (datetime(2023, 5, 6, 16, tzinfo=UTC), datetime(2023, 5, 7, 16, tzinfo=UTC))
"""7 May 2023 in the zone of the event, +08:00."""

TEXTS = {"en": "Yesterday I went hiking.", "zh": "昨天我去爬山了。"}

# Run where the machine has another time zone; it prints how far that zone is from UTC, and what was understood.
ELSEWHERE = """
import asyncio, json, sys
from datetime import datetime
import graph
from bench.floor import SeededVectors

async def main(group, texts):
    async with graph.Memory.open(embedder=SeededVectors()) as memory:
        scope = graph.Scope(group, "ann")
        await memory.record_events(scope, [
            graph.Event(event_id=name, text=text, occurred_at="2023-05-08T10:00:00+08:00")
            for name, text in texts.items()
        ])
        atoms = [await memory.atom(scope, event_id=name) for name in texts]
        hours = datetime(2023, 5, 8).astimezone().utcoffset().total_seconds() / 3600
        spans = {atom.event_id: [atom.mentioned_from.isoformat(), atom.mentioned_to.isoformat()] for atom in atoms}
        print(json.dumps([hours, spans]))

asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
"""


async def understood_in(zone: str, settings: Settings, group: str) -> tuple[float, dict[str, list[datetime]]]:
    """Record the texts in a process whose machine stands in another zone, on the same database."""
    instance = local_neo4j.status(settings)
    assert instance is not None
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        ELSEWHERE,
        group,
        json.dumps(TEXTS),
        stdout=asyncio.subprocess.PIPE,
        env={
            **os.environ,
            "TZ": zone,
            "NEO4J_URI": instance.bolt_url,
            "NEO4J_USERNAME": instance.username,
            "NEO4J_PASSWORD": instance.password,
        },
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    hours, spans = json.loads(output)
    return hours, {name: [datetime.fromisoformat(end) for end in ends] for name, ends in spans.items()}


async def test_yesterday_is_the_same_day_wherever_the_server_stands(
    seeded: graph.Memory, seeded_settings: Settings, group: str
) -> None:
    zones = {"Pacific/Kiritimati": 14, "Pacific/Midway": -11}
    answers = await asyncio.gather(
        *(understood_in(zone, seeded_settings, f"{group}-{hours}") for zone, hours in zones.items())
    )
    assert [hours for hours, _ in answers] == list(zones.values())
    assert {tuple(span) for span in chain(*(spans.values() for _, spans in answers))} == {YESTERDAY}
    for hours in zones.values():
        for name in TEXTS:
            atom = await seeded.atom(graph.Scope(f"{group}-{hours}", "ann"), event_id=name)
            assert (atom.mentioned_from, atom.mentioned_to) == YESTERDAY
            assert atom.occurred_at == "2023-05-08T10:00:00+08:00"


@pytest.mark.parametrize(
    ("said", "precision", "shown"),
    [
        ("2024-05", "month", "2024-05-01T00:00:00+08:00"),
        ("2024-05-03", "day", "2024-05-03T00:00:00+08:00"),
        ("2024-05-03T10:15:00", "instant", "2024-05-03T10:15:00+08:00"),
        ("2024-05-03T10:15:00.123456-03:30", "instant", "2024-05-03T10:15:00.123456-03:30"),
        (None, "none", None),
    ],
)
async def test_a_time_is_read_back_as_precisely_as_it_was_told(
    seeded: graph.Memory, scope: graph.Scope, said: str | None, precision: str, shown: str | None
) -> None:
    await seeded.configure_group(scope, time_zone="Asia/Shanghai")
    event = graph.Event(event_id="a", text="The kettle boiled.", occurred_at=said)
    receipts = await seeded.record_events(scope, [event])
    assert receipts[0].outcome is graph.Outcome.RECORDED
    (listed,) = (await seeded.atoms(scope)).atoms
    (found,) = (await seeded.search(scope, "kettle")).evidence
    for atom in (listed, found.atom, await seeded.atom(scope, event_id="a")):
        assert (atom.occurred_at, atom.occurred_precision) == (shown, precision)
    assert (await seeded.record_events(scope, [event]))[0].outcome is graph.Outcome.UNCHANGED


async def found_within(memory: graph.Memory, scope: graph.Scope, **filters: Any) -> set[str]:
    """Return the events of the atoms that a search finds within the filters."""
    answer = await memory.search(scope, "kettle", filters=graph.Filters(**filters))
    return {evidence.atom.event_id for evidence in answer.evidence}


async def test_what_is_known_to_the_month_only_is_in_the_month_and_on_no_day_of_it(
    seeded: graph.Memory, scope: graph.Scope
) -> None:
    times = {"month": "2024-05", "day": "2024-05-01", "instant": "2024-05-01T10:00:00Z", "none": None}
    await seeded.record_events(
        scope, [graph.Event(event_id=name, text="The kettle boiled.", occurred_at=at) for name, at in times.items()]
    )
    may, june = datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)
    assert await found_within(seeded, scope) == set(times)
    assert await found_within(seeded, scope, first_day=may.date(), last_day=may.date()) == {"day", "instant"}
    assert await found_within(seeded, scope, since=may, until=june) == {"month", "day", "instant"}
    assert await found_within(seeded, scope, since=june, until=june + timedelta(days=30)) == set()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Midway", "UTC"])
async def test_the_groups_zone_decides_for_naive_times_and_for_no_others(
    seeded: graph.Memory, scope: graph.Scope, zone: str
) -> None:
    await seeded.configure_group(scope, time_zone=zone)
    offset = {"Pacific/Kiritimati": 14, "Pacific/Midway": -11, "UTC": 0}[zone]
    await seeded.record_events(
        scope,
        [
            graph.Event(event_id="naive", text=TEXTS["en"], occurred_at="2023-05-08T10:00:00"),
            graph.Event(event_id="told", text=TEXTS["en"], occurred_at="2023-05-08T10:00:00+08:00"),
        ],
    )
    naive, told = [await seeded.atom(scope, event_id=name) for name in ("naive", "told")]
    day = datetime(2023, 5, 7, tzinfo=UTC) - timedelta(hours=offset)
    assert (naive.mentioned_from, naive.mentioned_to) == (day, day + timedelta(days=1))
    assert (told.mentioned_from, told.mentioned_to) == YESTERDAY
