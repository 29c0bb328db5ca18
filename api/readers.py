"""Reads files of events: JSON Lines, and the public LoCoMo and LifeBench sets."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

import graph
from graph.errors import InvalidInput


class _Strict(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


class _Source(_Strict):
    id: str
    kind: str = "app"


class _Record(_Strict):
    id: str
    text: str | None = None


class EventLine(_Strict):
    """One line of a JSON Lines file: the fields of the API's `EventInput`, by the same names."""

    event_id: str
    text: str
    user_id: str | None = None
    source: _Source = _Source(id="import", kind="app")
    conversation_id: str | None = None
    occurred_at: str | None = None
    visibility: str = "group"
    origin: str = "observed"
    subject: str | None = None
    key: str | None = None
    value: str | None = None
    related_users: list[str] = []
    entities: list[str] = []
    importance: float = 1.0
    urgency: str = "normal"
    confidence: float = 1.0
    language: str | None = None
    metadata: Any = None
    record: _Record | None = None
    quote: str | None = None
    act: str | None = None

    def event(self) -> graph.Event:
        """Return the event as the memory takes it."""
        plain = self.model_dump(exclude={"source", "record", "related_users", "entities"})
        return graph.Event(
            **plain,
            related_users=tuple(self.related_users),
            entities=tuple(self.entities),
            source_id=self.source.id,
            source_kind=self.source.kind,
            record_id=self.record.id if self.record else None,
            record_text=self.record.text if self.record else None,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one group (None: the caller's), as many as the file holds for it."""

    group: str | None
    events: Sequence[graph.Event]


def read_events(path: Path) -> list[Batch]:
    """Read a file, telling its kind by its content.

    Raises:
        InvalidInput: naming the line and the field at fault, or the kinds that are known.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: {error}") from error
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return [Batch(None, list(_lines(path, text)))]
    try:
        if isinstance(whole, list):
            return [locomo_conversation(item) for item in whole]
        if isinstance(whole, dict) and "memories" in whole:
            return [lifebench_user(whole)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        kind = "LoCoMo (a list of conversations)" if isinstance(whole, list) else "LifeBench (an object with memories)"
        raise InvalidInput(f"{path}: It looks like {kind}, but is not: {error!r}.") from error
    return [Batch(None, list(_lines(path, text)))]


def _lines(path: Path, text: str) -> Iterator[graph.Event]:
    # Not `splitlines`, which also ends a line at signs that may stand inside a JSON text.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield EventLine.model_validate_json(line).event()
            except ValidationError as error:
                first = error.errors()[0]
                field = ".".join(map(str, first["loc"])) or "line"
                raise InvalidInput(f"{path}:{number}: {field}: {first['msg']}.") from error


def event_of(line: dict[str, Any]) -> graph.Event:
    """Return the event of one parsed line."""
    return EventLine.model_validate(line).event()


def locomo_conversation(item: dict[str, Any]) -> Batch:
    """Return a LoCoMo conversation as a group: one turn one event, one session one conversation.

    The text is what a reader of the chat sees: speaker, words, and the caption of a shared image. The session's date
    is the time of its turns.
    """
    talk = item["conversation"]
    sessions = sorted(
        (name for name in talk if name.startswith("session_") and isinstance(talk[name], list)),
        key=lambda name: int(name.removeprefix("session_")),
    )
    events = []
    for session in sessions:
        # Written as in: 1:56 pm on 8 May, 2023
        told = datetime.strptime(talk[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007
        for turn in talk[session]:
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            speaker = user_name(turn["speaker"])
            events.append(
                graph.Event(
                    event_id=turn["dia_id"],
                    text=f"{turn['speaker']}: {turn['text']}{caption}",
                    user_id=speaker,
                    source_id="chat",
                    source_kind="chat",
                    conversation_id=session,
                    occurred_at=told.isoformat(),
                    origin="user_stated",
                )
            )
    return Batch(item["sample_id"], events)


def lifebench_user(whole: dict[str, Any]) -> Batch:
    """Return a LifeBench user as a group: one record one event, its kind the source."""
    user = user_name(whole["user"])
    events = [
        graph.Event(
            event_id=record["id"],
            text=record["text"],
            user_id=user,
            source_id=record["source"],
            source_kind=record["source"],
            occurred_at=record["time"] or None,
        )
        for record in whole["memories"]
    ]
    return Batch(f"lifebench-{user}", events)


def user_name(name: str) -> str:
    """Return a person's name as a user id."""
    return "-".join(name.split())
