"""Reads a generated set of MemFuseBench: what the systems are given, what they are asked, and the scorer's labels."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import graph
from api.readers import event_of
from bench.memfusebench.freeze import frozen, hashes
from bench.memfusebench.report import LIMITS
from graph.errors import InvalidInput

FILES: Final = ("events.jsonl", "questions.jsonl", "labels.jsonl", "report.json")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a viewer asks it, and what its answer needs."""

    text: str
    category: str
    language: str
    viewer: str
    asked_at: datetime
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One group of a set: its events in order of arrival, its questions in order of asking, its events' labels."""

    group: str
    arrivals: Sequence[tuple[datetime, graph.Event]]
    questions: Sequence[Question]
    parts: Mapping[str, str]
    events: Mapping[str, graph.Event]
    verdicts: Mapping[str, str]

    def visible(self, viewer: str, at: datetime) -> list[bool]:
        """Tell of each event whether it had arrived and the viewer may see it."""
        return [arrived <= at and may_see(viewer, event) for arrived, event in self.arrivals]


def may_see(viewer: str, event: graph.Event) -> bool:
    """Tell whether an event is the group's or the viewer's own."""
    return event.visibility == "group" or event.user_id == viewer


def read_all(folders: Sequence[Path]) -> list[Scenario]:
    """Read several sets.

    Raises:
        InvalidInput: a folder holds no generated set, or two hold the same scenario.
    """
    scenarios = [scenario for folder in folders for scenario in read(folder)]
    groups = Counter(scenario.group for scenario in scenarios)
    if twice := [group for group, times in groups.items() if times > 1]:
        raise InvalidInput(f"data: {', '.join(twice)} is in more than one set; give each set once.")
    return scenarios


def read(folder: Path) -> list[Scenario]:
    """Read a set; labels are read for scoring, and go to no system.

    Raises:
        InvalidInput: the folder holds no generated set.
    """
    _require_files(folder)
    arrivals: dict[str, list[tuple[datetime, graph.Event]]] = defaultdict(list)
    for row in _rows(folder / "events.jsonl"):
        arrivals[row["group"]].append((datetime.fromisoformat(row["arrivesAt"]), event_of(row["event"])))
    questions: dict[str, list[Question]] = defaultdict(list)
    for row in _rows(folder / "questions.jsonl"):
        questions[row["group"]].append(
            Question(
                row["question"],
                row["category"],
                row["language"],
                row["viewer"],
                datetime.fromisoformat(row["askedAt"]),
                frozenset(row["evidence"]),
            )
        )
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    verdicts: dict[str, dict[str, str]] = defaultdict(dict)
    for row in _rows(folder / "labels.jsonl"):
        if row["type"] == "event":
            parts[row["group"]][row["eventId"]] = row["part"]
        if row["type"] == "verdict":
            verdicts[row["group"]][row["eventId"]] = row["verdict"]
    return [
        Scenario(
            group,
            sorted(arrivals[group], key=lambda arrival: arrival[0]),
            sorted(questions[group], key=lambda question: question.asked_at),
            parts[group],
            {event.event_id: event for _, event in arrivals[group]},
            verdicts[group],
        )
        for group in sorted(arrivals)
    ]


def described(folder: Path) -> dict[str, Any]:
    """Return which set a folder holds, whether it is a frozen one byte for byte, and the figures of its limits."""
    _require_files(folder)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    kept = frozen()
    return {
        "seed": report["seed"],
        "version": report["version"],
        "frozen": kept["seeds"].get(str(report["seed"])) == hashes(folder),
        "limits": {name: [report["overall"][name], report["limits"][name]] for name in LIMITS},
    }


def _require_files(folder: Path) -> None:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise InvalidInput(
            f"{folder}: It holds no {', '.join(missing)}. Make a set with fusegraph bench generate --out {folder}."
        )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
