"""A new statement on its way into the graph, and the keys under which it is found again. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.naming import entity_key, stable_id
from graph.timelines.decide import person_named
from graph.timelines.facts import Claim, Other
from graph.timelines.said import KeyKind, Said
from graph.wording.tokens import tokens


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A new statement on its way into the graph.

    `at` (ms) is when it was said, None: when it is learned; `other` the subject that its text may be about instead.
    `kept` tells that its atom is kept whatever the verdict, as an event's is; `kind` is that of its key; the ids are
    those of its source and record.
    """

    id: str
    said: Said
    at: int | None
    group: str
    audience: str
    vector: Sequence[float]
    source_id: str
    source_kind: str
    record_id: str
    quote: str | None
    content_hash: str
    kind: KeyKind
    kept: bool
    other: Other | None

    @property
    def subject_id(self) -> str:
        """Id of the subject, within the statement's audience: private statements are settled among themselves."""
        return self.id_of(self.said.subject)

    @property
    def subjects(self) -> frozenset[str]:
        """Ids of all the subjects whose timelines it may change."""
        return frozenset((self.subject_id, *([self.id_of(self.other.subject)] if self.other else [])))

    @property
    def timeline(self) -> str | None:
        """Id of the timeline of its subject and key; None without a key."""
        return timeline_of(self.said, self.group, self.audience, self.said.subject)

    def claim(self, at: int) -> Claim:
        """Return it as it is settled; `at` (ms) is when it is learned."""
        said_at = at if self.at is None else self.at
        return Claim(self.id, self.said, said_at, self.timeline, self.other, kind=self.kind, kept=self.kept)

    def id_of(self, name: str) -> str:
        """Id of a subject within the statement's audience."""
        return stable_id("subject", self.group, self.audience, entity_key(name))

    def asked(self) -> dict[str, Any]:
        """Return it as it is asked for what is near it, where it has no key."""
        return {
            "id": self.id,
            "subject_id": self.subject_id,
            "audience": self.audience,
            "vector": self.vector,
            "text_key": text_key(self.said.text),
        }


def other_meant(said: Said, group: str, audience: str) -> Other | None:
    """Return the subject that a text may be about instead of its own; None without a key, or where one is given."""
    person = person_named(said) if said.key and not said.subject_given else None
    if person is None or person.name is None:
        return None
    subject = f"{said.subject}'s {person.name}"
    return Other(subject, timeline_of(said, group, audience, subject) or "", person.words)


def timeline_of(said: Said, group: str, audience: str, subject: str) -> str | None:
    """Return the id of the timeline of a subject and a statement's key; None without a key."""
    return timeline_id(group, audience, subject, said.key) if said.key else None


def timeline_id(group: str, audience: str, subject: str, key: str) -> str:
    """Return the id of the timeline of a subject and a key among those of one audience."""
    return stable_id("timeline", group, audience, entity_key(subject), entity_key(key))


def decision_id(statement_id: str) -> str:
    """Return the id of the decision that the arrival of a statement makes."""
    return stable_id("decision", statement_id)


def value_key(value: str | None) -> str | None:
    """Return the form in which equal values are found: a hash, because an index does not take the longest of them."""
    return stable_id("value", " ".join(sorted(tokens(value))) or value) if value is not None else None


def text_key(text: str) -> str:
    """Return the form in which equal texts are found."""
    return stable_id("said", " ".join(tokens(text)) or text)
