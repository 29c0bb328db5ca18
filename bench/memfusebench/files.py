"""The files of a set: what a system is given, what it is asked, the labels it never sees, and a file a stage."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.memfusebench import filtering
from bench.memfusebench.asking import carriers
from bench.memfusebench.measures import second_hop
from bench.memfusebench.model import Both, Event, Item, Label, Link, Question, Scene, World
from bench.memfusebench.scenario import Scenario
from bench.memfusebench.texts import shown

Row = Mapping[str, Any]

STAGES = ("1-personas", "2-timeline", "3-streams", "4-questions", "5-filter", "6-noise")
NAMES = (
    *(f"{name}.jsonl" for name in ("events", "questions", "unanswerable", "labels")),
    *(f"stages/{name}.jsonl" for name in STAGES),
    "report.json",
)
"""The files of a set, by their paths in its folder."""

EPISODES = ("scene", "plan")
"""Families whose events of one scene are one latent episode; tracks and values go on for weeks."""


def write(out: Path, scenarios: Sequence[Scenario], report: Row) -> list[Path]:
    """Write all files of a set under a folder and return their paths, in order."""
    files: dict[str, Iterable[Row]] = {
        "events.jsonl": (row for one in scenarios for row in _arrivals(one)),
        "questions.jsonl": (_question(one, q) for one in scenarios for q in one.questions),
        "unanswerable.jsonl": (row for one in scenarios for row in _unanswerable(one)),
        "labels.jsonl": (row for one in scenarios for row in _labels(one)),
        "stages/1-personas.jsonl": (_personas(one) for one in scenarios),
        "stages/2-timeline.jsonl": (row for one in scenarios for row in _timeline(one)),
        "stages/3-streams.jsonl": (row for one in scenarios for row in _streams(one)),
        "stages/4-questions.jsonl": (row for one in scenarios for row in _candidates(one)),
        "stages/5-filter.jsonl": (row for one in scenarios for row in _filtered(one)),
        "stages/6-noise.jsonl": (row for one in scenarios for row in _noise(one)),
    }
    (out / "stages").mkdir(parents=True, exist_ok=True)
    for name, rows in files.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (out / name).write_text(text, "utf-8", newline="\n")
    (out / "report.json").write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", "utf-8", newline="\n")
    return [out / name for name in (*files, "report.json")]


def event_fields(event: Event) -> dict[str, Any]:
    """Return an event as the API takes it; fields at their default are left out."""
    given: dict[str, Any] = {
        "eventId": event.id,
        "userId": event.user,
        "source": {"id": event.source.id, "kind": event.source.kind},
    }
    optional = (
        ("conversationId", event.conversation),
        ("occurredAt", _occurred(event)),
        ("text", event.text),
        ("visibility", "private" if event.private else "group"),
        ("origin", event.origin),
        ("subject", event.subject),
        ("key", event.key),
        ("value", event.value),
        ("relatedUsers", list(event.related)),
        ("entities", list(event.entities)),
        ("importance", event.importance),
        ("urgency", event.urgency),
        ("confidence", event.confidence),
        ("language", event.lang),
    )
    return given | {name: value for name, value in optional if value not in (None, [])}


def _occurred(event: Event) -> str | None:
    if event.precision == "none":
        return None
    return event.at.date().isoformat() if event.precision == "day" else _instant(event.at)


def _instant(at: datetime) -> str:
    return at.isoformat(timespec="minutes")


def _arrivals(one: Scenario) -> Iterable[Row]:
    for event in one.everything.events:
        yield {"group": one.world.group, "arrivesAt": _instant(event.arrives), "event": event_fields(event)}


def _question(one: Scenario, question: Question) -> Row:
    return {
        "group": one.world.group,
        "questionId": question.id,
        "category": question.category,
        "question": question.text,
        "language": question.lang,
        "viewer": question.viewer,
        "askedAt": _instant(question.asked_at),
        "asksPast": question.asks_past,
        "answer": question.answer,
        "checklist": [_item(item) for item in question.checklist],
        "evidence": list(question.evidence),
    }


def _item(item: Item) -> Row:
    made: dict[str, Any] = {"fact": item.fact, "anyOf": list(item.any_of)}
    if item.by:
        made["by"] = item.by
    if item.day:
        made["day"] = item.day.isoformat()
    if item.derived:
        made["derived"] = True
    return made


def _unanswerable(one: Scenario) -> Iterable[Row]:
    for lost in one.unanswerable:
        yield {
            "group": one.world.group,
            "questionId": lost.id,
            "looksLike": lost.looks_like,
            "question": lost.text,
            "language": lost.lang,
            "viewer": lost.viewer,
            "askedAt": _instant(lost.asked_at),
            "reason": lost.reason,
            "about": {"kind": lost.kind, "people": list(lost.people), "day": lost.day.isoformat()},
        }


def _labels(one: Scenario) -> Iterable[Row]:
    group = one.world.group
    everything = one.everything
    for event, label in zip(everything.events, everything.labels, strict=True):
        yield {"type": "event", "group": group, **_label(label)}
        if label.verdict:
            yield {
                "type": "verdict",
                "group": group,
                "eventId": event.id,
                "subject": event.subject,
                "key": event.key,
                "value": event.value,
                "verdict": label.verdict,
                "worded": label.worded,
                "late": label.late,
            }
    for link in one.timeline.links:
        yield {"type": "link", "group": group, **_link(one, link)}
    hops = second_hop(everything.events, one.questions)
    for question, hop in zip(one.questions, hops, strict=True):
        yield {
            "type": "question",
            "group": group,
            "questionId": question.id,
            "scenes": list(question.scenes),
            "links": [{"cause": link.cause, "effect": link.effect} for link in question.links],
            "carriedAtEveryLink": filtering.is_carried(one.asker, question),
            "secondHop": hop or None,
        }


def _label(label: Label) -> dict[str, Any]:
    made: dict[str, Any] = {
        "eventId": label.event,
        "part": label.part,
        "episode": label.scene if label.part in EPISODES else None,
        "scene": label.scene or None,
        "story": label.story or None,
    }
    return made | ({"imitates": label.imitates, "mode": label.mode} if label.imitates else {})


def _link(one: Scenario, link: Link) -> dict[str, Any]:
    causes, effects = carriers(link, one.asker.by_scene[link.cause], one.asker.by_scene[link.effect])
    return {
        "cause": link.cause,
        "effect": link.effect,
        "carriedBy": link.carried_by,
        "id": link.id or None,
        "causeEvents": [event.id for event in causes],
        "effectEvents": [event.id for event in effects],
    }


def _personas(one: Scenario) -> Row:
    world = one.world
    return {
        "group": world.group,
        "language": world.lang,
        "timeZone": world.zone.key,
        "currency": world.currency.en,
        "days": [world.first_day.isoformat(), world.days],
        "homes": [_pair(home) for home in world.homes],
        "people": [
            {
                "name": person.name,
                "language": person.lang,
                "is": _pair(person.relation),
                "home": person.home,
                "job": _pair(person.job),
                "work": _pair(person.work),
                "car": person.car,
                "wakes": person.wakes,
                "weekly": [[day, hour, *what] for day, hour, what in person.weekly],
            }
            for person in world.people
        ],
        "relations": [[one_name, how.en, other] for one_name, other, how in world.relations],
        "sources": [asdict(source) for source in world.sources],
        "review": _review(one, "personas"),
    }


def _pair(text: Both) -> list[str]:
    return [text.en, text.zh]


def _timeline(one: Scenario) -> Iterable[Row]:
    for scene in one.timeline.scenes:
        yield {"group": one.world.group, "scene": _scene(one.world, scene)}
    for link in one.timeline.links:
        yield {"group": one.world.group, "link": asdict(link)}
    yield {"group": one.world.group, "review": _review(one, "timeline")}


def _scene(world: World, scene: Scene) -> Row:
    values = {name: [shown(value.en), shown(value.zh)] for name, value in scene.values.items() if value.en}
    return {
        "id": scene.id,
        "kind": scene.kind,
        "story": scene.story,
        "start": _instant(scene.start.astimezone(world.zone)),
        "cast": dict(scene.cast),
        "pattern": scene.pattern,
        "stance": scene.stance,
        "values": values,
    }


def _streams(one: Scenario) -> Iterable[Row]:
    for event, label in zip(one.streams.events, one.streams.labels, strict=True):
        yield {"group": one.world.group, "scene": label.scene, "view": label.view, **event_fields(event)}
    yield {"group": one.world.group, "review": _review(one, "streams")}


def _candidates(one: Scenario) -> Iterable[Row]:
    for question in one.candidates:
        yield {**_question(one, question), "scenes": list(question.scenes)}
    yield {"group": one.world.group, "review": _review(one, "questions")}


def _filtered(one: Scenario) -> Iterable[Row]:
    kept = {(question.text, question.evidence): question.id for question in one.questions}
    for question in one.candidates:
        given = kept.get((question.text, question.evidence))
        yield {"group": one.world.group, "candidate": question.id, "category": question.category, "askedAs": given}
    yield {"group": one.world.group, "review": _review(one, "filter")}


def _noise(one: Scenario) -> Iterable[Row]:
    for event, label in zip(one.noise.events, one.noise.labels, strict=True):
        yield {"group": one.world.group, "imitates": label.imitates, "mode": label.mode, **event_fields(event)}
    yield {"group": one.world.group, "review": _review(one, "noise")}


def _review(one: Scenario, stage: str) -> list[Row]:
    return [asdict(review) for review in one.reviews[stage]]
