"""What came in one call: its drafts, what they state, and how they compare with what is known."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from graph.embedding import Embedding
from graph.model import Event, GroupSettings, Proposal, Ruled, Touched
from graph.naming import entity_key
from graph.ontology import Origin
from graph.scope import GROUP_AUDIENCE, Scope
from graph.store import Row
from graph.timelines import clock
from graph.timelines.facts import Settlement
from graph.timelines.keys import kind_of
from graph.timelines.known import Asked, Looked
from graph.timelines.said import Act, KeyKind, Said
from graph.timelines.standing import milliseconds
from graph.timelines.statements import NewStatement, decision_id, other_meant
from graph.times.instants import parse_zone
from graph.writing.fields import Fault
from graph.writing.validation import HIDDEN, WITHOUT_TEXT, CheckedEvent, draft, record_fault

UNKNOWN: Final = GroupSettings(external=True)
"""What is taken for a group's settings until they are looked at, with all else: the most usual, and lenient."""

_DAY: Final = timedelta(days=1)


class Call(ABC):
    """The events or the statements of one call.

    `ids` are those that another call could bring, too. `admitted` are the drafts that are let in; by their atoms' ids,
    `statements` are what they state and `vectors` those that are needed to settle it. Of them `known` (by event id) and
    `decided` (by atom id) tell what was there before, `faults` (by event id) what is wrong with their records, and
    `settlements` (by atom id) what became of those that state something.
    """

    said_at: datetime | None = None
    """When statements were said that give no time. None: these are events, kept whatever becomes of what they state."""

    def __init__(self, scope: Scope, slot: str, events: Sequence[Event], settings: GroupSettings = UNKNOWN) -> None:
        self.scope = scope
        self.slot = slot
        self.events = events
        self.ids = {one.event_id for one in events} | {one.record_id for one in events if one.record_id is not None}
        self.settings = settings
        self.drafts: Sequence[CheckedEvent | Fault] = ()
        self.admitted: Sequence[CheckedEvent] = ()
        self.known: Mapping[str, Row] = {}
        self.decided: Mapping[str, Row] = {}
        self.faults: Mapping[str, Fault] = {}
        self.settlements: Mapping[str, Settlement] = {}
        self.statements: Mapping[str, NewStatement] = {}
        self.vectors: Mapping[str, list[float]] = {}
        self._compared = False

    @abstractmethod
    def admit(self) -> Sequence[CheckedEvent]:
        """Return the drafts that are let in, in their order."""

    @abstractmethod
    def compared(self) -> Sequence[CheckedEvent]:
        """Return the admitted that are compared by meaning before they are written; the vectors of all else follow."""

    @abstractmethod
    def repeatable(self) -> Sequence[CheckedEvent]:
        """Return the admitted that may have been sent before: their ids were given by who sends them."""

    async def draft(self) -> None:
        """Check what came, with the settings as they are known, off the event loop."""
        await asyncio.to_thread(self._draft)

    def _draft(self) -> None:
        zone, external = parse_zone(self.settings.time_zone), self.settings.external
        self.drafts = [draft(one, self.scope, zone, external=external, said_at=self.said_at) for one in self.events]
        self.admitted = self.admit()
        self._state()

    def _state(self) -> None:
        now = clock.now()
        kinds = {entity_key(key): kind for key, kind in self.settings.key_kinds.items()}
        stated = [
            _statement(item, self.vectors.get(item.placed.id), self.scope, kinds, now, kept=self.said_at is None)
            for item in self.admitted
            if item.states
        ]
        self.statements = {one.id: one for one in stated}

    async def embed(self, embedding: Embedding) -> None:
        """Make the vectors of what is compared by meaning."""
        compared = self.compared()
        vectors = await embedding.passages([item.event.text for item in compared])
        self.vectors = {item.placed.id: vector for item, vector in zip(compared, vectors, strict=True)}
        if compared:
            await asyncio.to_thread(self._state)

    async def use(self, settings: GroupSettings) -> bool:
        """Take these settings of the group, found by a look; tell whether it must be looked again in other places."""
        before, self.settings = self.settings, settings
        if settings == before:
            return False
        places = {(one.id, one.at) for one in self.statements.values()}
        if settings.time_zone != before.time_zone or any(one.origin == Origin.EXTERNAL for one in self.events):
            await self.draft()
        else:
            await asyncio.to_thread(self._state)
        return not {(one.id, one.at) for one in self.statements.values()} <= places

    def asked(self) -> Asked:
        """Return what may be known of the admitted already."""
        repeatable = self.repeatable()
        # A commit whose answer was lost is tried again: then what it left is looked for under the ids made for it.
        return Asked(
            [decision_id(item.placed.id) for item in (self.admitted if self._compared else repeatable)],
            [item.event.event_id for item in repeatable],
            sorted({item.record["id"] for item in self.admitted}),
        )

    def compare(self, looked: Looked) -> Sequence[CheckedEvent]:
        """Compare the admitted with what was found; return those that are new and sound."""
        self._compared = True
        ids = {decision_id(item.placed.id): item.placed.id for item in self.admitted}
        named = {item.event.event_id for item in self.admitted}
        self.decided = {ids[row["id"]]: row for row in looked.decisions if row["id"] in ids}
        self.known = {row["event_id"]: row for row in looked.events if row["event_id"] in named}
        new = [
            item
            for item in self.admitted
            if item.event.event_id not in self.known and item.placed.id not in self.decided
        ]
        self.faults = _faults_in({row["id"]: (row["text"], row["audience"]) for row in looked.records}, self.scope, new)
        return [item for item in new if item.event.event_id not in self.faults]


def _statement(
    draft: CheckedEvent,
    vector: list[float] | None,
    scope: Scope,
    key_kinds: Mapping[str, str],
    now: datetime,
    *,
    kept: bool,
) -> NewStatement:
    """Return what a draft states, to be settled; what was told without a time, or today, is said when it is learned.

    `key_kinds` are the kinds that the group has declared, by the keys' names as `entity_key` gives them; `kept` tells
    that the atom is kept whatever is decided of what it states.
    """
    event, about = draft.event, draft.properties
    moment = about["occurred_at"] if event.occurred_at else None
    if moment is not None and about["said_precision"] == "day" and moment <= now < moment + _DAY:
        moment = None  # else it would be older than what was said this morning
    said = Said(
        event.text,
        event.key,
        event.value,
        event.origin,
        about["user_id"],
        about["subject"],
        act=Act(event.act) if event.act is not None else None,
        source_id=draft.source["id"],
        subject_given=event.subject is not None,
    )
    return NewStatement(
        id=draft.placed.id,
        said=said,
        at=milliseconds(moment) if moment is not None else None,
        group=scope.group,
        audience=about["audience"],
        vector=vector or (),
        source_id=draft.source["id"],
        source_kind=draft.source["kind"],
        record_id=draft.record["id"],
        quote=draft.record["quote"],
        content_hash=draft.content_hash,
        kind=kind_of(event.key, key_kinds, event.origin) if event.key is not None else KeyKind.ONE,
        kept=kept,
        other=other_meant(said, scope.group, about["audience"]),
    )


def _faults_in(
    records: Mapping[str, tuple[str | None, str]], scope: Scope, drafts: Sequence[CheckedEvent]
) -> dict[str, Fault]:
    """Return what is wrong between drafts and their records, known (text, audience) or brought along, by event id."""
    texts = {record_id: text for record_id, (text, _) in records.items()}
    for item in drafts:
        texts[item.record["id"]] = texts.get(item.record["id"]) or item.record["text"]
    faults = {
        item.event.event_id: _hidden(item, scope, records) or record_fault(item, texts[item.record["id"]])
        for item in drafts
    }
    return {event_id: fault for event_id, fault in faults.items() if fault}


def _hidden(item: CheckedEvent, scope: Scope, records: Mapping[str, tuple[str | None, str]]) -> Fault | None:
    """Refuse to take up a record that neither the writer nor the user it writes for may see.

    And to give the group a text in private: a record of the group is what its members may read.
    """
    text, audience = records.get(item.record["id"], (None, item.placed.audience))
    if audience not in {*scope.audiences, item.placed.audience}:
        return HIDDEN
    adds = text is None and item.record["text"] is not None
    return WITHOUT_TEXT if adds and audience == GROUP_AUDIENCE != item.placed.audience else None


def ruled_of(settlement: Settlement) -> Ruled:
    """Return what a settlement decided, as callers see it."""
    ruling = settlement.ruling
    touched = tuple(
        Touched(change.id, change.before.status if change.before else None, change.after.status)
        for change in sorted(settlement.changes, key=lambda change: (change.before is not None, change.id))
    )
    return Ruled(ruling.verdict, ruling.rule, ruling.words, touched, proposals(ruling.proposes, ruling.proposed))


def proposals(atom_ids: Sequence[str], verdict: str | None) -> tuple[Proposal, ...]:
    """Return what is proposed to be superseded, with the verdict that accepting it gives (None: nothing is)."""
    return tuple(Proposal(one, verdict) for one in atom_ids) if verdict is not None else ()
