"""Are the fields of an event what they should be, each on its own? Pure: an event in, the first fault out."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graph.model import Event
from graph.naming import is_unicode
from graph.ontology import Origin, Urgency, Visibility
from graph.timelines.doors import FLIPPED, OWN_OUTPUT, is_own_output, origin_refused, polarity_flipped
from graph.timelines.said import Act

LONGEST = {
    "event_id": 200,
    "text": 400_000,
    "source_id": 128,
    "source_kind": 64,
    "conversation_id": 200,
    "subject": 200,
    "key": 200,
    "value": 2_000,
    "language": 16,
    "record_id": 200,
    "record_text": 400_000,
    "quote": 20_000,
}
"""Longest text of each field, in characters."""

_MOST_NAMES = 50
_LONGEST_NAME = 200
_LONGEST_METADATA = 20_000
_DEEPEST_METADATA = 100
_NESTED = {
    "source_id": "source.id",
    "source_kind": "source.kind",
    "record_id": "record.id",
    "record_text": "record.text",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an event is refused: the field as the API names it, and what to do about it."""

    field: str
    reason: str


def fields_fault(event: Event, *, external: bool) -> Fault | None:
    """Return the first fault of an event's fields and doors, each looked at on its own.

    `external` tells that the group takes up external text.
    """
    return _texts_fault(event) or _values_fault(event) or _door_fault(event, external=external)


def _texts_fault(event: Event) -> Fault | None:
    for name, longest in LONGEST.items():
        value: str | None = getattr(event, name)
        if value is not None and (reason := _text_fault(value, longest)):
            return Fault(_api_name(name), reason)
    for name in ("related_users", "entities"):
        names: tuple[str, ...] = getattr(event, name)
        if len(names) > _MOST_NAMES:
            return Fault(_api_name(name), f"It lists {len(names)} names; at most {_MOST_NAMES} are kept.")
        if any(not n.strip() or len(n) > _LONGEST_NAME or not is_unicode(n) for n in names):
            return Fault(_api_name(name), f"Each name needs 1 to {_LONGEST_NAME} characters of well-formed Unicode.")
    return None


def _text_fault(value: str, longest: int) -> str | None:
    if not value.strip():
        return "It is empty. Give a text, or leave an optional field out."
    if len(value) > longest:
        return f"It has {len(value)} characters; at most {longest} are kept."
    if not is_unicode(value):
        return "It holds half a surrogate pair; send well-formed Unicode."
    if longest <= LONGEST["value"] and "\0" in value:
        return "It holds a NUL character; leave that out."
    return None


_Check = tuple[str, Callable[[Event], bool], str]


def _one_of(kind: type[StrEnum]) -> str:
    return f"It must be one of {', '.join(kind)}."


_CHECKS: tuple[_Check, ...] = (
    ("visibility", lambda e: e.visibility in set(Visibility), _one_of(Visibility)),
    ("origin", lambda e: e.origin in set(Origin), _one_of(Origin)),
    ("urgency", lambda e: e.urgency in set(Urgency), _one_of(Urgency)),
    ("act", lambda e: e.act is None or e.act in set(Act), f"{_one_of(Act)} Leave it out where the wording tells."),
    ("importance", lambda e: 0.5 <= e.importance <= 2.0, "It must lie between 0.5 and 2.0."),  # noqa: PLR2004
    ("confidence", lambda e: 0.0 <= e.confidence <= 1.0, "It must lie between 0 and 1."),
    ("key", lambda e: e.value is None or e.key is not None, "A value needs the key that it is of."),
    ("record_text", lambda e: e.record_text is None or e.record_id is not None, "Give the record's id with its text."),
)


def _values_fault(event: Event) -> Fault | None:
    return next((Fault(_api_name(name), reason) for name, holds, reason in _CHECKS if not holds(event)), None)


def _door_fault(event: Event, *, external: bool) -> Fault | None:
    if refusal := origin_refused(event.origin, external=external):
        return Fault(refusal.field, refusal.reason)
    if is_own_output(event.text):
        return Fault(OWN_OUTPUT.field, OWN_OUTPUT.reason)
    if event.key is not None and polarity_flipped(event.text, event.quote):
        return Fault(FLIPPED.field, FLIPPED.reason)
    return None


def metadata_text(value: Any) -> str | None:
    """Return metadata as the text that is kept.

    Raises:
        ValueError: it is no JSON value, too long or too deep.
    """
    if value is None:
        return None
    if _deeper_than(value, _DEEPEST_METADATA):
        raise ValueError(f"It nests deeper than {_DEEPEST_METADATA} levels.")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"It is no JSON value: {error}.") from error
    if len(text) > _LONGEST_METADATA or not is_unicode(text):
        raise ValueError(f"At most {_LONGEST_METADATA} characters of well-formed JSON are kept.")
    return text


def _deeper_than(value: Any, levels: int) -> bool:
    """Tell whether lists and objects stand in each other deeper than so many levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return levels < 0 or any(_deeper_than(one, levels - 1) for one in inner)


def _api_name(name: str) -> str:
    """Return the name by which clients know a field of `Event`."""
    if name in _NESTED:
        return _NESTED[name]
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)
