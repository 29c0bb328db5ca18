"""Is this event fit to be kept? Pure: raw fields in, a draft or the first fault out."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from hashlib import sha256
from typing import Any

from graph.arbitration.doors import FLIPPED, OWN_OUTPUT, is_own_output, origin_refused, polarity_flipped
from graph.errors import AccessDenied, InvalidInput
from graph.ingest.windows import Placed, audience_of, place, stream_id, tags
from graph.model import Event
from graph.naming import entity_key, is_unicode, stable_id
from graph.ontology import LONG_AGO_MS, UNDATED, Origin, Status, Urgency, Visibility
from graph.scope import Right, Scope, check_user
from graph.times.instants import When, parse_when
from graph.times.mentions import hull, mentions

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

_REQUIRED = ("event_id", "text", "source_id", "source_kind")
_MOST_NAMES = 50
_LONGEST_NAME = 200
_LONGEST_METADATA = 20_000
_DEEPEST_METADATA = 100
_OFFSET = re.compile(r"\d(?:Z|[+-]\d{2}:?\d{2})$", re.IGNORECASE)
_NESTED = {
    "source_id": "source.id",
    "source_kind": "source.kind",
    "record_id": "record.id",
    "record_text": "record.text",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_SHARE = 0.2  # of the letters: a Chinese sentence with a product name in it is Chinese


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an event is refused: the field as the API names it, and what to do about it."""

    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked event, ready to be embedded and committed.

    `properties` are the atom's, without embedding and window; the ids are those of its provenance nodes.
    """

    event: Event
    placed: Placed
    properties: Mapping[str, Any]
    content_hash: str
    source: Mapping[str, str]
    record: Mapping[str, Any]
    entities: tuple[tuple[str, str, str], ...]  # (id, key, name)
    statement: bool = False

    @property
    def states(self) -> bool:
        """Whether it is a statement to be settled, and not an observation alone."""
        return self.statement or self.event.key is not None

    @property
    def stream(self) -> str:
        """Id of the stream that the atom enters."""
        return self.placed.place.partition(" ")[0]


def draft(
    event: Event, scope: Scope, zone: tzinfo, *, external: bool = False, said_at: datetime | None = None
) -> Draft | Fault:
    """Check an event against the rules of its fields and resolve its defaults, times and ids.

    `zone` is the group's: naive times are read in it. `external` tells that the group takes up external text.
    `said_at` stands in for the time of a statement that names none; it is no part of its content. The same event
    always gives the same draft.
    """
    if fault := _texts_fault(event) or _values_fault(event) or _door_fault(event, external=external):
        return fault
    if said_at is None and event.key is not None and event.value is None:
        return Fault("value", "An event with a key gives its value; the end of a value is told by `remember`.")
    field = "userId"
    try:
        user = check_user(event.user_id if event.user_id is not None else scope.viewer, field)
        if user != scope.viewer:
            scope.require(Right.ON_BEHALF)
        field = "relatedUsers"
        related = tuple(sorted({check_user(name, field) for name in event.related_users}))
        field = "occurredAt"
        when = parse_when(event.occurred_at, zone)
        if said_at is not None and not event.occurred_at:
            when = When(said_at, 0, "instant")
        field = "metadata"
        metadata = _metadata(event.metadata)
    except (InvalidInput, AccessDenied, ValueError) as error:
        return Fault(field, str(error))
    resolved = _resolved(event, scope, zone, user, related, when, metadata, statement=said_at is not None)
    whole = resolved.record["text"]
    return (record_fault(resolved, whole) if whole is not None else None) or resolved


def _resolved(
    event: Event,
    scope: Scope,
    zone: tzinfo,
    user: str,
    related: tuple[str, ...],
    when: When,
    metadata: str | None,
    *,
    statement: bool,
) -> Draft:
    group, audience = scope.group, audience_of(event.visibility, user)
    day = when.local_day()
    # What is known to the month stands at its first day, so that a range of time around it holds it.
    stands_at = day or _first_of_month(when)
    source_node = stable_id("source", group, user, event.source_id)
    stream = stream_id(group, event.conversation_id, source_node, day.isoformat() if day else "")
    at = place(stream, when.instant, event.event_id)
    atom_id = stable_id("atom", group, event.event_id)
    spoken_of = hull(mentions(event.text, when, zone))
    group_tag, audience_tag = tags(group, audience)
    content = _content(event, user, related, when, metadata)
    properties: dict[str, Any] = {
        **content,
        "id": atom_id,
        "group_id": group,
        "audience": audience,
        "group_tag": group_tag,
        "audience_tag": audience_tag,
        "place": at,
        "status": Status.ACTIVE,
        "flags": [],
        "about": "",
        "occurred_at": when.instant,
        "occurred_iso": when.iso(),
        "occurred_ms": (when.instant - _EPOCH) // timedelta(milliseconds=1) if when.instant else LONG_AGO_MS,
        "occurred_precision": when.precision,
        "day": int(_digits(stands_at)) if stands_at else UNDATED,
        "day_token": _digits(stands_at) if stands_at else None,
        "mentioned_from": spoken_of[0] if spoken_of else None,
        "mentioned_to": spoken_of[1] if spoken_of else None,
        "content_hash": (content_hash := _hash(content)),
    }
    record = event.record_id if event.record_id is not None else event.event_id
    whole = event.text if event.record_id is None else event.record_text
    return Draft(
        event=event,
        placed=Placed(atom_id, at, audience, event.text),
        properties=properties,
        content_hash=content_hash,
        source={"id": source_node, "name": event.source_id, "kind": event.source_kind, "user_id": user},
        record={
            # An event's own record and one that clients name are two things, though they may share a name.
            "id": stable_id("own-record" if event.record_id is None else "record", group, record),
            "name": record,
            "text": whole,
            "quote": event.quote,
            "audience": audience,
        },
        statement=statement,
        entities=tuple(
            sorted((stable_id("entity", group, key), key, name) for key, name in _entities(event.entities).items())
        ),
    )


HIDDEN = Fault("record.id", "This record id is taken. Send another.")
"""For a record that the writer may not see: whether a quote stands in it must not be told."""


def record_fault(checked: Draft, text: str | None) -> Fault | None:
    """Compare a draft with the text of its record, as it is known or as an event of the same call brings it."""
    own, quote = checked.record["text"], checked.event.quote
    if own is not None and own != text:
        return Fault("record.id", "The record is known with another text. Records do not change: send a new id.")
    if quote is not None and text is None:
        return Fault("record.text", "The record's text is not known: give it with one of the events that quote it.")
    if quote is not None and quote not in (text or ""):
        return Fault("quote", "It does not stand in the record's text.")
    return None


def detect_language(text: str) -> str:
    """Return "zh" where at least a fifth of the letters are Han, else "en"."""
    head = text[: LONGEST["quote"]]
    letters = sum(sign.isalpha() for sign in head)
    return "zh" if letters and len(_HAN.findall(head)) >= _HAN_SHARE * letters else "en"


def _texts_fault(event: Event) -> Fault | None:
    for name, longest in LONGEST.items():
        value: str | None = getattr(event, name)
        if value is None:
            continue
        if not value.strip() and (name in _REQUIRED or name in ("record_id", "conversation_id", "key")):
            return Fault(_api_name(name), "It is empty. Give a text, or leave an optional field out.")
        if len(value) > longest:
            return Fault(_api_name(name), f"It has {len(value)} characters; at most {longest} are kept.")
        if not is_unicode(value):
            return Fault(_api_name(name), "It holds half a surrogate pair; send well-formed Unicode.")
    for name in ("related_users", "entities"):
        names: tuple[str, ...] = getattr(event, name)
        if len(names) > _MOST_NAMES:
            return Fault(_api_name(name), f"It lists {len(names)} names; at most {_MOST_NAMES} are kept.")
        if any(not n.strip() or len(n) > _LONGEST_NAME or not is_unicode(n) for n in names):
            return Fault(_api_name(name), f"Each name needs 1 to {_LONGEST_NAME} characters of well-formed Unicode.")
    return None


_Check = tuple[str, Callable[[Event], bool], str]


def _one_of(kind: type[StrEnum]) -> str:
    return f"It must be one of {', '.join(kind)}."


_CHECKS: tuple[_Check, ...] = (
    ("visibility", lambda e: e.visibility in set(Visibility), _one_of(Visibility)),
    ("origin", lambda e: e.origin in set(Origin), _one_of(Origin)),
    ("urgency", lambda e: e.urgency in set(Urgency), _one_of(Urgency)),
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


def _metadata(value: Any) -> str | None:
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


def _content(event: Event, user: str, related: tuple[str, ...], when: When, metadata: str | None) -> dict[str, Any]:
    """Return what the sender said, defaults resolved: the immutable part, by which a repeat is known."""
    return {
        "event_id": event.event_id,
        "text": event.text,
        "user_id": user,
        "subject": event.subject or user,
        "key": event.key,
        "value": event.value,
        "origin": event.origin,
        "visibility": event.visibility,
        "related_users": list(related),
        "entity_names": sorted(_entities(event.entities).values()),
        "conversation_id": event.conversation_id,
        "source_id": event.source_id,
        "importance": float(event.importance),
        "urgency": event.urgency,
        "confidence": float(event.confidence),
        "metadata": metadata,
        "record_id": event.record_id,
        "quote": event.quote,
        "said_at": _said_at(event.occurred_at, when),
        "said_precision": when.precision,
        "language": event.language or detect_language(event.text),
    }


def _hash(content: Mapping[str, Any]) -> str:
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _entities(names: tuple[str, ...]) -> dict[str, str]:
    """Return the name of each entity by its key; of names that differ in case, width or spacing, the least."""
    by_key: dict[str, str] = {}
    for name in sorted(" ".join(name.split()) for name in names):
        by_key.setdefault(entity_key(name), name)
    return by_key


def _said_at(stated: str | None, when: When) -> str | None:
    """Return the time as content: an instant, or a time without an offset as it was stated.

    The group's zone, in which the latter is read, may change; the event does not.
    """
    if not stated:
        return None
    if _OFFSET.search(stated.strip()):
        return when.iso()
    return stated.strip().replace(" ", "T")


def _first_of_month(when: When) -> date | None:
    local = when.local() if when.precision == "month" else None
    return local.date() if local else None


def _digits(day: date) -> str:
    return day.isoformat().replace("-", "")


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
