"""MemFuseBench's harness from end to end: a small set, the real memory, the whole report."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import graph
from bench import memfuse, memfuse_page
from bench.baselines import BASELINES
from bench.memfusebench import generate
from graph.ports import Embedder, Progress, no_progress

QUESTIONS = 4
AROUND = 60
"""Events of the set that are no evidence of the few questions asked here."""

Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, made: list[Row]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made), "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set cut down to what a test has time for, with two traps.

    The last question is asked before anything has arrived; each of the others stands word for word in an event that is
    private to somebody else.
    """
    made = tmp_path_factory.mktemp("small")
    generate(4, 1, "en", made, no_progress)
    questions = sorted(rows(made / "questions.jsonl"), key=lambda row: row["askedAt"])[:QUESTIONS]
    needed = {key for question in questions for key in question["evidence"]}
    arrivals = rows(made / "events.jsonl")
    others = [line for line in arrivals if line["event"]["eventId"] not in needed][:AROUND]
    kept = [line for line in arrivals if line["event"]["eventId"] in needed] + others
    early = min(line["arrivesAt"] for line in kept)
    people = {line["event"]["userId"] for line in kept}
    labels = rows(made / "labels.jsonl")
    for number, question in enumerate(questions[:-1]):
        secret = {
            "eventId": f"secret-{number}",
            "text": question["question"],
            "userId": min(people - {question["viewer"]}),
            "source": {"id": "secret", "kind": "note"},
            "visibility": "private",
        }
        kept.append({"group": question["group"], "arrivesAt": early, "event": secret})
        label = {"type": "event", "group": question["group"], "eventId": secret["eventId"], "part": "noise"}
        labels.append(label | {"episode": None})
    questions[-1]["askedAt"] = early.replace("20", "19", 1)
    write(made / "events.jsonl", sorted(kept, key=lambda line: line["arrivesAt"]))
    write(made / "questions.jsonl", questions)
    write(made / "labels.jsonl", labels)
    return made


@pytest.fixture(scope="module")
async def report(folder: Path, memory: graph.Memory) -> Row:
    @asynccontextmanager
    async def opened(_: Progress, __: Embedder) -> AsyncIterator[tuple[graph.Memory, None]]:
        yield memory, None
        await memory.store._driver.execute_query(
            "MATCH (n) WHERE n.group_id = $group OR (n:Group AND n.id = $group) DETACH DELETE n", group="mfb-4-1"
        )

    return await memfuse.run([folder], no_progress, opened)


def test_the_report_has_what_it_promises(report: Row, folder: Path) -> None:
    assert report["bench"] == "memfuse"
    assert report["data"] == [folder.name]
    assert report["sets"][folder.name]["frozen"] is False
    assert report["questions"] == QUESTIONS
    assert {"recall@10", "recall@20", "all@20", "distractor_share@20", "tokens@20"} <= report["metrics"][
        "overall"
    ].keys()
    assert report["metrics"]["by_category"]
    assert report["latency_ms"].keys() == {"p50", "p95", "embedding_p50"}
    assert min(report["latency_ms"].values()) > 0
    assert set(report["systems"]) == {*BASELINES, "fusegraph"}
    assert set(report["ablations"]) == {*memfuse.SYSTEMS, memfuse.NO_WINDOWS} - {memfuse.OURS}
    for missing in ("clusters", "causal_paths", "unanswerable"):
        assert report[missing] == memfuse.NOT_RUN
    assert report["verdicts"].keys() == {"events", "accuracy", "by_label", "wrong_replacements"}
    assert report["versions"]["neo4j"]
    assert json.loads(json.dumps(report))["leaks"] == 0


def test_what_is_private_to_another_is_shown_by_no_system(report: Row) -> None:
    for name, system in {**report["systems"], **report["ablations"]}.items():
        assert system["leaks"] == 0, name


def test_what_arrives_later_is_found_by_no_system(report: Row) -> None:
    """The last question, asked before anything has arrived, finds nothing; so a quarter is lost everywhere."""
    for name, system in {**report["systems"], **report["ablations"]}.items():
        assert 0 < system["hit@20"] <= 1 - 1 / QUESTIONS, name


def test_parts_that_are_switched_off_are_missed(report: Row) -> None:
    without = {name: system["recall@20"] for name, system in report["ablations"].items()}
    whole = report["systems"]["fusegraph"]["recall@20"]
    assert whole > report["systems"]["bm25"]["recall@20"]
    assert without["without vectors"] < whole
    shown = {
        json.dumps([system[key] for key in sorted(system) if "@" in key]) for system in report["ablations"].values()
    }
    assert len(shown) >= 4, "most parts change some figure"


def test_the_page_of_the_report_can_be_made(report: Row) -> None:
    assert "without windows" in memfuse_page.html(report)
