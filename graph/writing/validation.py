"""Is this event fit to be kept? Pure: raw fields in, a draft or the first fault out."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from hashlib import sha256
from typing import Any

from graph.errors import AccessDenied, InvalidInput
from graph.model import Event
from graph.naming import entity_key, stable_id
from graph.ontology import LONG_AGO_MS, UNDATED, Origin, Status
from graph.scope import Right, Scope, check_user
from graph.times.instants import When, parse_when
from graph.times.mentions import hull, mentions
from graph.writing.fields import LONGEST, Fault, fields_fault, metadata_text
from graph.writing.windows import Placed, audience_of, stream_id, stream_position, tags

_OFFSET = re.compile(r"\d(?:Z|[+-]\d{2}:?\d{2})$", re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_SHARE = 0.2  # of the letters: a Chinese sentence with a product name in it is Chinese


@dataclass(frozen=True, slots=True)
class CheckedEvent:
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
        """Whether it is to be settled, and is not an observation alone; text from outside is, into quarantine."""
        return self.statement or self.event.key is not None or self.event.origin == Origin.EXTERNAL

    @property
    def timed(self) -> bool:
        """Whether its sender told when it was."""
        return bool(self.properties["said_at"])

    @property
    def stream(self) -> str:
        """Id of the stream that the atom enters."""
        return self.placed.stream_position.partition(" ")[0]


def draft(
    event: Event, scope: Scope, zone: tzinfo, *, external: bool = False, said_at: datetime | None = None
) -> CheckedEvent | Fault:
    """Check an event against the rules of its fields and resolve its defaults, times and ids.

    `zone` is the group's: naive times are read in it. `external` tells that the group takes up external text.
    `said_at` stands in for the time of a statement that names none; it is no part of its content. The same event
    always gives the same draft.
    """
    if fault := fields_fault(event, external=external):
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
        metadata = metadata_text(event.metadata)
    except (InvalidInput, AccessDenied, ValueError) as error:
        return Fault(field, str(error))
    resolved = _resolved(event, scope, zone, user, related, when, metadata, statement=said_at is not None)
    ruled = said_at is not None or event.key is not None
    if ruled and resolved.placed.audience not in scope.audiences:
        return _NOT_YOURS
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
) -> CheckedEvent:
    group, audience = scope.group, audience_of(event.visibility, user)
    day = when.local_day()
    # What is known to the month stands at its first day, so that a range of time around it holds it.
    stands_at = day or _first_of_month(when)
    source_node = stable_id("source", group, user, event.source_id)
    stream = stream_id(group, event.conversation_id, source_node, day.isoformat() if day else "")
    at = stream_position(stream, when.instant, event.event_id)
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
        "stream_position": at,
        "status": Status.ACTIVE,
        "flags": [],
        "subject_id": "",
        "occurred_at": when.instant,
        "occurred_iso": when.iso(),
        "occurred_ms": (when.instant - _EPOCH) // timedelta(milliseconds=1) if when.instant else LONG_AGO_MS,
        "occurred_precision": when.precision,
        "day": int(_digits(stands_at)) if stands_at else UNDATED,
        "day_token": _digits(stands_at) if stands_at else None,
        "mentioned_from": spoken_of[0] if spoken_of else None,
        "mentioned_to": spoken_of[1] if spoken_of else None,
        "content_hash": (content_hash := _hash(content)),
        # What ranking asks of a text, so that no search reads texts that it does not return.
        "length": len(event.text),
        "asks": event.text.endswith(("?", "？")),
    }
    record = event.record_id if event.record_id is not None else event.event_id
    whole = event.text if event.record_id is None else event.record_text
    return CheckedEvent(
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


# The ruling on it would tell what its user keeps from everybody else, and change it. An observation is told of nothing.
_NOT_YOURS = Fault("visibility", "Only its own user may remember in private. Send it as that user, or for the group.")

HIDDEN = Fault("record.id", "This record id is taken. Send another.")
"""For a record that the writer may not see: whether a quote stands in it must not be told."""


WITHOUT_TEXT = Fault(
    "record.text",
    "The group knows this record without its text. Give that with an event for the group, or send another record id.",
)


def record_fault(checked: CheckedEvent, text: str | None) -> Fault | None:
    """Compare a draft with the text of its record, as it is known or as an event of the same call brings it."""
    own, quote = checked.record["text"], checked.event.quote
    if own is not None and own != text:
        return Fault("record.id", "The record is known with another text. Records do not change: send a new id.")
    if quote is not None and text is None:
        return Fault("record.text", "The record's text is not known: give it with one of the events that quote it.")
    if quote is not None and quote not in (text or ""):
        return Fault("quote", "It does not stand in the record's text. Quote it word for word, or leave it out.")
    return None


def detect_language(text: str) -> str:
    """Return "zh" where at least a fifth of the letters are Han, else "en"."""
    head = text[: LONGEST["quote"]]
    letters = sum(sign.isalpha() for sign in head)
    return "zh" if letters and len(_HAN.findall(head)) >= _HAN_SHARE * letters else "en"


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
        # Only where it is given: an event that was kept before there were acts is still known as the same.
        **({"act": str(event.act)} if event.act is not None else {}),
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
