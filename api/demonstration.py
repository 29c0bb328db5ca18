"""The demo: a household's five weeks go in, questions that need several sources come out with their paths."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.console import Console

import graph
from api import sample
from api.answering import picture
from api.console import load_settings
from api.readers import event_of
from graph import local_neo4j
from graph.ports import Progress

GROUP = "household"
TIME_ZONE = "Europe/Berlin"

_SHOWN = 5


async def run(progress: Progress) -> dict[str, Any]:
    """Record the sample, unless it is there already, and ask its questions as their viewers."""
    settings = load_settings()
    async with graph.Memory.open(settings, progress=progress) as memory:
        hub = graph.Scope(GROUP, "hub")
        await memory.configure_group(hub, time_zone=TIME_ZONE)
        receipts = await memory.record_events(
            hub, [event_of(line) for line in sample.events()], wait=graph.Wait.VECTORS
        )
        answers = [(question, await _ask(memory, question)) for question in sample.questions()]
    instance = local_neo4j.status(settings) if settings.neo4j_uri is None else None
    return {
        "outcomes": Counter(receipt.outcome.value for receipt in receipts),
        "answers": answers,
        "browser": instance and f"{instance.http_url}/browser/",
    }


async def _ask(memory: graph.Memory, question: dict[str, Any]) -> graph.Answer:
    return await memory.search(
        graph.Scope(GROUP, question["viewer"]),
        question["question"],
        limit=_SHOWN,
        profile="qa",
        asked_at=datetime.fromisoformat(question["askedAt"]),
    )


def show(report: dict[str, Any]) -> None:
    """Print the answers."""
    console = Console()
    console.print(f"Events of the household: {dict(report['outcomes'])}\n")
    answers: Sequence[tuple[dict[str, Any], graph.Answer]] = report["answers"]
    for question, answer in answers:
        console.rule(f"[bold]{question['kind']}[/], asked by {question['viewer']}", align="left")
        console.print(picture(answer))
        console.print(f"[dim]{question['about']}[/]\n")
    _, last = answers[0]
    console.rule("See it", align="left")
    if report["browser"]:
        console.print(
            f"Neo4j Browser: {report['browser']} (user neo4j; `fusegraph neo4j status` tells the password's file)"
        )
    console.print("Paste this there to see the first path:")
    console.print(last.evidence[0].paths[0].cypher, markup=False)
