"""What tests of MemFuseBench share: whole sets made from tuning seeds, and how to look at them."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from bench.memfusebench import generate, library
from bench.memfusebench.texts import MONTHS
from bench.memfusebench.words import holds
from graph.ports import no_progress

SEED = 1
LIBRARY = library.load()
DATE = re.compile(rf"\d{{1,2}} (?:{'|'.join(MONTHS)})|\d{{1,2}}月\d{{1,2}}日")
Row = dict[str, Any]


@dataclass(frozen=True)
class Set:
    """A set as read back from its files."""

    folder: Path
    report: Row
    arrivals: list[Row]
    questions: list[Row]
    unanswerable: list[Row]
    labels: list[Row]

    @cached_property
    def events(self) -> dict[str, Row]:
        return {line["event"]["eventId"]: line["event"] for line in self.arrivals}

    @cached_property
    def arrived(self) -> dict[str, datetime]:
        return {line["event"]["eventId"]: datetime.fromisoformat(line["arrivesAt"]) for line in self.arrivals}

    def labelled(self, kind: str) -> list[Row]:
        return [line for line in self.labels if line["type"] == kind]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def made(folder: Path, seed: int, scenarios: int, lang: Literal["en", "zh", "mixed"]) -> Set:
    report = generate(seed, scenarios, lang, folder, no_progress)
    names = ("events", "questions", "unanswerable", "labels")
    return Set(folder, report, *(read(folder / f"{name}.jsonl") for name in names))


def visible(event: Row, viewer: str) -> bool:
    owner: str = event["userId"]
    return event["visibility"] == "group" or owner == viewer


def held(event: Row, item: Row) -> bool:
    """Repeat the rule of the README for an item and an event."""
    if "by" in item and event["userId"] != item["by"]:
        return False
    if "day" in item and event.get("occurredAt", "").startswith(item["day"]):
        return True
    return any(holds(text, item["anyOf"]) for text in (event["text"], *event.get("entities", ())))
