"""What an arriving event costs does not grow with what is known, and writers at once neither lose nor double."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

import pytest

import graph
from graph.store import Row, Transaction
from graph.timelines.commit import Settled
from graph.timelines.known import Read
from graph.writing.transaction import Planned, write_planned
from graph.writing.validation import CheckedEvent, draft
from graph.writing.windows import FETCH, REACH, stream_bounds

START = datetime(2025, 1, 1, tzinfo=UTC)


def turn(number: float, talk: str = "endless") -> graph.Event:
    """A turn of a talk, a minute for each number: 7.5 comes between the turns 7 and 8."""
    return graph.Event(
        event_id=f"{talk}-{number}",
        text=f"Turn {number} of the {talk} talk.",
        conversation_id=talk,
        occurred_at=(START + timedelta(minutes=number)).isoformat(),
        entities=("talk",),
    )


async def write(memory: graph.Memory, scope: graph.Scope, events: list[graph.Event]) -> float:
    """Record events in full calls; return the seconds an event took."""
    began = perf_counter()
    for start in range(0, len(events), graph.MOST_EVENTS):
        receipts = await memory.record_events(scope, events[start : start + graph.MOST_EVENTS])
        assert {receipt.outcome for receipt in receipts} == {graph.Outcome.RECORDED}
    return (perf_counter() - began) / len(events)


async def looked_at(memory: graph.Memory, scope: graph.Scope, event: graph.Event) -> int:
    """Return the database hits of finding the neighbours of an event that would arrive now."""
    drafted = draft(event, scope, UTC)
    assert isinstance(drafted, CheckedEvent)
    low, high = stream_bounds(drafted.placed.stream_position)
    places = [{"stream_position": drafted.placed.stream_position, "low": low, "high": high}]
    batch: dict[str, list[dict[str, str]]] = {"subjects": [], "streams": [], "places": places}
    return await memory.store.profile("writing/enter", scope, batch=batch, reach=FETCH)


class Watched:
    """Notes what is run in write transactions, beside running it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ran: list[tuple[str, Row]] = []
        run = Transaction.run

        async def noted(transaction: Transaction, name: str, **params: Any) -> list[Row]:
            self.ran.append((name, params))
            return await run(transaction, name, **params)

        monkeypatch.setattr(Transaction, "run", noted)

    def rows(self, name: str, param: str) -> list[Any]:
        """Return the rows that were handed to a statement."""
        return [row for ran, params in self.ran if ran == name for row in params["batch"][param]]


async def windows(memory: graph.Memory, group: str, talk: str) -> dict[str, str]:
    result = await memory.store._driver.execute_query(
        "MATCH (atom:Atom {group_id: $group, conversation_id: $talk}) RETURN atom.event_id, atom.window",
        group=group,
        talk=talk,
    )
    return {record[0]: record[1] for record in result.records}


@pytest.mark.timeout(1_500)
async def test_an_arriving_event_costs_the_same_among_a_hundred_thousand_as_among_a_hundred(
    seeded: graph.Memory,
    scope: graph.Scope,
    counted: Callable[[int], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    many, few = counted(100_000), 100
    arrivals = {"early": -1.0, "middle": 50.5, "late": 1e6}
    other = graph.Scope(f"{scope.group}-other", "ann")
    await write(seeded, other, [turn(number, "other") for number in range(few)])
    await write(seeded, scope, [turn(number) for number in range(few)])
    at_first = {name: await looked_at(seeded, scope, turn(number)) for name, number in arrivals.items()}
    early_seconds = await write(seeded, scope, [turn(number) for number in range(few, 10 * few)])

    for start in range(10 * few, many, many // 10):
        await write(seeded, scope, [turn(number) for number in range(start, min(start + many // 10, many))])
    talks = [turn(number, f"talk {talk}") for talk in range(many // 1_000) for number in range(10)]
    await write(seeded, scope, talks)

    arrivals["middle"] = many // 2 + 0.5
    at_last = {name: await looked_at(seeded, scope, turn(number)) for name, number in arrivals.items()}
    for name, hits in at_last.items():
        assert 0 < hits <= 1.5 * at_first[name], (name, at_first, at_last)
        assert hits <= 10 * 2 * FETCH, (name, at_last)

    watched = Watched(monkeypatch)
    for number in arrivals.values():
        watched.ran.clear()
        await write(seeded, scope, [turn(number)])
        assert len(watched.rows("writing/write", "windows")) <= 2 * REACH
        assert len(watched.rows("writing/write", "joined")) + len(watched.rows("writing/write", "cut")) <= 3
    late_seconds = await write(seeded, scope, [turn(number) for number in range(many + 1, many + 1 + 9 * few)])
    ones = [await write(seeded, scope, [turn(2 * many + number)]) for number in range(20)]
    with capsys.disabled():
        sys.stdout.write(
            f"\nms an event: {1e3 * early_seconds:.2f} at {few}, {1e3 * late_seconds:.2f} at {many}, "
            f"{1e3 * sorted(ones)[10]:.1f} alone in a call\n"
        )


@pytest.mark.parametrize("at", [-0.5, 0.5, 5.5, 9.5])
async def test_an_arriving_event_changes_the_windows_of_its_four_neighbours_alone(
    seeded: graph.Memory, scope: graph.Scope, at: float
) -> None:
    await write(seeded, scope, [turn(number, "short") for number in range(10)])
    before = await windows(seeded, scope.group, "short")
    await write(seeded, scope, [turn(at, "short")])
    after = await windows(seeded, scope.group, "short")
    near = {f"short-{number}" for number in range(10) if abs(number - at) < REACH}
    assert {event_id for event_id, window in before.items() if after[event_id] != window} == near
    assert all((f"Turn {at}" in after[event_id]) is (event_id in near) for event_id in before)


async def test_sixteen_writers_of_one_talk_and_five_entities_lose_nothing(
    seeded: graph.Memory, scope: graph.Scope
) -> None:
    writers, calls, events_a_call = 16, 4, 6

    async def talk(writer: int) -> list[graph.Outcome]:
        outcomes = []
        for call in range(calls):
            events = [
                graph.Event(
                    event_id=f"{writer}-{call}-{number}",
                    text=f"Writer {writer}, call {call}, line {number}.",
                    user_id=f"user-{writer % 3}",
                    conversation_id="shared",
                    occurred_at=(START + timedelta(seconds=97 * number + 7 * call + writer)).isoformat(),
                    # Each in another order, so that locks taken as they come would cross.
                    entities=tuple(f"thing {(writer + number + step) % 5}" for step in range(5)),
                    record_id=f"mail {(writer * call) % 7}",
                )
                for number in range(events_a_call)
            ]
            outcomes += [receipt.outcome for receipt in await seeded.record_events(scope, events)]
        return outcomes

    async with asyncio.timeout(120):
        outcomes = await asyncio.gather(*map(talk, range(writers)))
    total = writers * calls * events_a_call
    assert Counter(one for some in outcomes for one in some) == {graph.Outcome.RECORDED: total}
    row = (
        await seeded.store._driver.execute_query(
            """
            MATCH (atom:Atom {group_id: $group})
            RETURN count(atom) AS atoms, count(DISTINCT atom.event_id) AS events,
              sum(COUNT { (atom)-[:MENTIONS]->() }) AS mentions, sum(COUNT { (atom)-[:NEXT]->() }) AS next,
              COUNT { (:Entity {group_id: $group}) } AS entities, COUNT { (:User {group_id: $group}) } AS users,
              COUNT { (:Record {group_id: $group}) } AS records, COUNT { (:Stream {group_id: $group}) } AS streams
            """,
            group=scope.group,
        )
    ).records[0]
    assert row.data() == {
        "atoms": total,
        "events": total,
        "mentions": 5 * total,
        "next": total - 1,
        "entities": 5,
        "users": 3,
        "records": 7,
        "streams": 1,
    }
    rows = await seeded.store._driver.execute_query(
        """
        MATCH (atom:Atom {group_id: $group}) WHERE NOT (:Atom)-[:NEXT]->(atom)
        MATCH (atom)-[:NEXT]->*(later) RETURN later.occurred_at.epochMillis
        """,
        group=scope.group,
    )
    walked = [record[0] for record in rows.records]
    assert len(walked) == total
    assert walked == sorted(walked)
    findings = {finding.name: finding.offenders for finding in await seeded.audit()}
    for name in ("next_is_a_chain", "no_private_text_in_windows", "ids_unique"):
        assert not [row for row in findings[name] if row["group_id"] == scope.group], name


@pytest.mark.parametrize("talk", ["one", None])
async def test_of_many_writers_of_the_same_event_one_records_it(
    seeded: graph.Memory, scope: graph.Scope, talk: str | None
) -> None:
    def same(writer: int) -> graph.Event:
        return graph.Event(
            event_id="same",
            text="The bell rang.",
            # Without a conversation each source has a stream of its own; the same event id meets in none of them.
            conversation_id=talk,
            user_id="ann" if talk else f"user-{writer}",
            entities=("bell",),
        )

    receipts = await asyncio.gather(*(seeded.record_events(scope, [same(writer)]) for writer in range(16)))
    outcomes = Counter(receipt.outcome for answer in receipts for receipt in answer)
    others = graph.Outcome.UNCHANGED if talk else graph.Outcome.REJECTED
    assert outcomes == {graph.Outcome.RECORDED: 1, others: 15}
    assert (await seeded.status(scope))["atoms"] == 1
    if talk:
        assert len({receipt.atom_id for answer in receipts for receipt in answer}) == 1


async def test_calls_that_share_some_events_keep_each_once(seeded: graph.Memory, scope: graph.Scope) -> None:
    calls = [[turn(number, "shared") for number in range(start, start + 8)] for start in range(0, 32, 2)]
    receipts = await asyncio.gather(*(seeded.record_events(scope, events) for events in calls))
    recorded = Counter(
        receipt.event_id for answer in receipts for receipt in answer if receipt.outcome is graph.Outcome.RECORDED
    )
    assert set(recorded.values()) == {1}
    assert len(recorded) == (await seeded.status(scope))["atoms"] == 38
    assert {receipt.outcome for answer in receipts for receipt in answer} <= {
        graph.Outcome.RECORDED,
        graph.Outcome.UNCHANGED,
    }


async def test_a_batch_is_written_whole_or_not_at_all(seeded: graph.Memory, scope: graph.Scope) -> None:
    """Of two calls that take the same id, the one that comes second must not leave half of itself."""
    drafts = [draft(turn(number, "whole"), scope, UTC) for number in range(4)]
    vector: list[float] | None = [1.0] + [0.0] * 383
    rows = [(one, vector) for one in drafts if isinstance(one, CheckedEvent)]

    async def written(drafts: list[tuple[CheckedEvent, list[float] | None]]) -> None:
        async def plan(_: Read) -> Planned:
            return Planned(drafts, Settled({}, (), {}, {}))

        await write_planned(seeded.store, seeded.slot, scope, plan)

    await written(rows[3:])
    with pytest.raises(graph.errors.ConflictingWrite):
        await written(rows)
    assert [atom.event_id for atom in (await seeded.atoms(scope)).atoms] == ["whole-3"]
