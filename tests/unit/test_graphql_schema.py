"""The GraphQL schema: what it offers, what it requires, and which errors reach a client."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
from graphql import GraphQLNonNull, GraphQLObjectType

import graph
from api.context import Context
from api.schema import inputs, schema, statements, types
from graph.errors import AccessDenied, FuseGraphError, InvalidInput, NotFound

SEARCH = 'query ($at: DateTime) { search(group: "home", viewer: "ann", question: "Tea?", askedAt: $at) { roundTrips } }'
RECORD = """
mutation ($events: [EventInput!]!) {
  recordEvents(group: "home", viewer: "ann", events: $events) { eventId outcome atomId field reason }
}
"""
FULL_SEARCH = """
query {
  search(group: "home", viewer: "ann", question: "Tea?") {
    question profile askedAt groundedContext roundTrips
    timings { step ms }
    evidence {
      rank stale
      atom {
        id eventId text userId subject visibility origin language status flags timelineRole
        validFrom validUntil lastEvidenceAt evidenceCount importance urgency confidence
        occurredAt occurredPrecision mentionedFrom mentionedTo recordedAt conversationId key value act relatedUsers
        entities metadata
        sources { id name kind userId }
        quotes { recordId record quote }
      }
      score { total relevance recency importance statusWeight arms { arm score } }
      paths { score cypher nodes { label id caption } edges { type forward score } }
    }
  }
}
"""

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ATOM = graph.Atom(
    id="id-1",
    event_id="e-1",
    text="Tea is at four.",
    user_id="ann",
    subject="ann",
    visibility="group",
    origin="observed",
    language="en",
    status="active",
    flags=("pinned",),
    timeline_role="value",
    valid_from=AT,
    valid_until=None,
    last_evidence_at=AT,
    evidence_count=2,
    importance=1.0,
    urgency="normal",
    confidence=1.0,
    occurred_at="2026-03-01T12:00:00+01:00",
    occurred_precision="instant",
    mentioned_from=AT,
    mentioned_to=None,
    recorded_at=AT,
    conversation_id=None,
    key="time",
    value="four",
    act="replaces",
    related_users=("ben",),
    entities=("Tea",),
    metadata={"a": {"b": [{"c": 1}]}},
    sources=(graph.SourceRef("s-1", "phone", "phone", "ann"),),
    quotes=(graph.Quote("r-1", "e-1", None),),
)
PATH = graph.EvidencePath(
    (graph.PathNode("Atom", "id-1", "Tea is at four."), graph.PathNode("Source", "s-1", "phone")),
    (graph.PathEdge("OBSERVED_BY", forward=True, score=1.0),),
    0.9,
    "MATCH path = () RETURN path",
)
SCORE = graph.ScoreParts(0.8, 0.9, 0.7, 1.0, 1.0, {"english": 1.0})
ANSWER = graph.Answer(
    "Tea?", "default", AT, (graph.Evidence(1, ATOM, True, SCORE, (PATH,)),), "[1] Tea.", {"seeds": 1.5}, 2, 0
)


MUTATIONS = {
    "recordEvents", "remember", "confirm", "retract", "acceptProposal", "declineProposal", "pin", "configureGroup",
}  # fmt: skip


class OutsideDoor:
    """Stands where the memory stands and gives, or raises, one thing: it is the door that is looked at here."""

    def __init__(self, gives: object) -> None:
        self._gives = gives
        self.asked: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, _: str) -> Callable[..., Any]:
        async def call(*args: Any, **more: Any) -> Any:
            self.asked.append((args, more))
            if isinstance(self._gives, Exception):
                raise self._gives
            return self._gives

        return call


async def ask(
    query: str, gives: object = ANSWER, **variables: Any
) -> tuple[dict[str, Any] | None, list[str], OutsideDoor]:
    door = OutsideDoor(gives)
    memory: Any = door
    result = await schema.execute(query, variable_values=variables, context_value=Context(memory))
    return result.data, [error.message for error in result.errors or ()], door


def root_fields() -> Iterator[tuple[str, Any]]:
    for root in (schema._schema.query_type, schema._schema.mutation_type):
        assert isinstance(root, GraphQLObjectType)
        yield from root.fields.items()


def test_what_the_service_does_is_offered() -> None:
    offered = {name for name, _ in root_fields()}
    reads = {"search", "atom", "atoms", "timeline", "toConfirm", "decisions", "groupSettings", "status"}
    assert reads | MUTATIONS == offered


@pytest.mark.parametrize("name", [name for name, _ in root_fields()])
def test_group_and_viewer_are_required_everywhere(name: str) -> None:
    arguments = dict(root_fields())[name].args
    for required in ("group", "viewer"):
        assert isinstance(arguments[required].type, GraphQLNonNull)
        assert arguments[required].type.of_type.name == "String"


@pytest.mark.parametrize("name", [name for name, _ in root_fields()])
async def test_without_group_or_viewer_nothing_is_asked(name: str) -> None:
    kind = "mutation" if name in MUTATIONS else "query"
    for given in ('group: "home"', 'viewer: "ann"'):
        data, errors, door = await ask(f"{kind} {{ {name}({given}) {{ __typename }} }}")
        assert data is None
        assert any("is required, but it was not provided" in error for error in errors)
        assert door.asked == []


@pytest.mark.parametrize(
    ("shown", "record"),
    [
        (types.Atom, graph.Atom),
        (types.Receipt, graph.Receipt),
        (types.Source, graph.SourceRef),
        (types.Quote, graph.Quote),
        (types.AtomPage, graph.Page),
        (types.PathNode, graph.PathNode),
        (types.PathEdge, graph.PathEdge),
        (types.EvidencePath, graph.EvidencePath),
        (types.ScoreParts, graph.ScoreParts),
        (types.Evidence, graph.Evidence),
        (inputs.SearchFilter, graph.Filters),
        (statements.Touched, graph.Touched),
        (types.ToConfirm, graph.ToConfirm),
        (statements.Ruled, graph.Ruled),
        (statements.Proposal, graph.Proposal),
        (statements.Decision, graph.Decided),
        (statements.Period, graph.Period),
        (statements.Timeline, graph.Timeline),
    ],
)
def test_a_type_shows_every_field_of_its_record(shown: Any, record: Any) -> None:
    assert {field.name for field in fields(shown)} == {field.name for field in fields(record)}


def test_an_event_can_say_all_that_the_memory_takes() -> None:
    flat = {field.name for field in fields(inputs.EventInput)} - {"source", "record"}
    flat |= {f"source_{field.name}" for field in fields(inputs.SourceInput)}
    flat |= {f"record_{field.name}" for field in fields(inputs.RecordInput)}
    assert flat == {field.name for field in fields(graph.Event)}


def test_a_statement_can_say_all_that_the_memory_takes() -> None:
    flat = {field.name for field in fields(inputs.StatementInput)} - {"source", "record"}
    flat |= {f"source_{field.name}" for field in fields(inputs.SourceInput)}
    flat |= {f"record_{field.name}" for field in fields(inputs.RecordInput)}
    assert flat == {field.name for field in fields(graph.Statement)}


def test_what_clients_may_leave_out_has_the_memorys_defaults() -> None:
    made = inputs.EventInput(event_id="e-1", text="Tea.", act=graph.Act.ENDS).record_of()
    assert (made.act, type(made.act)) == ("ends", str)
    made = inputs.EventInput(event_id="e-1", text="Tea.").record_of()
    assert made == graph.Event(event_id="e-1", text="Tea.")
    assert inputs.StatementInput(text="Tea.").record_of() == graph.Statement(text="Tea.")


def test_what_became_of_a_statement_is_shown_whole() -> None:
    of_ruling = {field.name for field in fields(graph.Ruled)}
    assert {field.name for field in fields(statements.Remembered)} == of_ruling | (
        {field.name for field in fields(graph.Remembered)} - {"ruled"}
    )
    assert {field.name for field in fields(statements.GroupSettings)} == {
        field.name for field in fields(graph.GroupSettings)
    }


async def test_an_answer_is_shown_whole() -> None:
    data, errors, _ = await ask(FULL_SEARCH)
    assert errors == []
    assert data is not None
    search = data["search"]
    assert (search["question"], search["profile"], search["roundTrips"]) == ("Tea?", "default", 2)
    assert search["askedAt"] == "2026-03-01T12:00:00+00:00"
    assert search["timings"] == [{"step": "seeds", "ms": 1.5}]
    (evidence,) = search["evidence"]
    assert search["groundedContext"] == "[1] Tea."
    assert (evidence["rank"], evidence["stale"]) == (1, True)
    atom = evidence["atom"]
    assert atom["metadata"] == {"a": {"b": [{"c": 1}]}}
    assert (atom["mentionedFrom"], atom["mentionedTo"]) == ("2026-03-01T12:00:00+00:00", None)
    assert (atom["flags"], atom["timelineRole"], atom["evidenceCount"]) == (["pinned"], "value", 2)
    assert (atom["validFrom"], atom["validUntil"]) == ("2026-03-01T12:00:00+00:00", None)
    assert (atom["key"], atom["value"], atom["act"]) == ("time", "four", "REPLACES")
    assert (atom["relatedUsers"], atom["entities"]) == (["ben"], ["Tea"])
    assert atom["sources"] == [{"id": "s-1", "name": "phone", "kind": "phone", "userId": "ann"}]
    assert atom["quotes"] == [{"recordId": "r-1", "record": "e-1", "quote": None}]
    assert evidence["score"]["arms"] == [{"arm": "english", "score": 1.0}]
    assert evidence["score"]["statusWeight"] == 1.0
    assert evidence["paths"] == [
        {
            "score": 0.9,
            "cypher": "MATCH path = () RETURN path",
            "nodes": [
                {"label": "Atom", "id": "id-1", "caption": "Tea is at four."},
                {"label": "Source", "id": "s-1", "caption": "phone"},
            ],
            "edges": [{"type": "OBSERVED_BY", "forward": True, "score": 1.0}],
        }
    ]


async def test_events_go_in_as_they_were_sent_and_receipts_come_out() -> None:
    receipts = [
        graph.Receipt("e-1", graph.Outcome.RECORDED, atom_id="id-1"),
        graph.Receipt("e-2", graph.Outcome.REJECTED, field="text", reason="It is empty."),
    ]
    sent = [
        {"eventId": "e-1", "text": "Tea.", "source": {"id": "phone"}, "record": {"id": "r"}, "entities": ["Tea"]},
        {"eventId": "e-2", "text": ""},
    ]
    data, errors, door = await ask(RECORD, receipts, events=sent)
    assert errors == []
    assert data == {
        "recordEvents": [
            {"eventId": "e-1", "outcome": "RECORDED", "atomId": "id-1", "field": None, "reason": None},
            {"eventId": "e-2", "outcome": "REJECTED", "atomId": None, "field": "text", "reason": "It is empty."},
        ]
    }
    ((scope, events), _) = door.asked[0]
    assert scope == graph.Scope("home", "ann")
    assert events[0] == graph.Event(event_id="e-1", text="Tea.", source_id="phone", record_id="r", entities=("Tea",))


async def test_a_proposal_is_answered_by_its_two_atoms() -> None:
    for what in ("accept", "decline"):
        query = f"""
        mutation {{
          {what}Proposal(group: "home", viewer: "ann", atomId: "new", supersedes: "old") {{ atomId before after }}
        }}
        """
        data, errors, door = await ask(query, [graph.Touched("old", "active", "superseded")])
        assert errors == []
        assert data == {f"{what}Proposal": [{"atomId": "old", "before": "active", "after": "superseded"}]}
        assert door.asked == [((graph.Scope("home", "ann"), "new", "old"), {})]


async def test_what_waits_is_shown_with_why_and_the_others() -> None:
    query = """
    query {
      toConfirm(group: "home", viewer: "ann", first: 3) { why verdict atom { id } others { id } }
    }
    """
    waiting = [
        graph.ToConfirm(ATOM, graph.Why.PROPOSAL, "UPDATE", (ATOM,)),
        graph.ToConfirm(ATOM, graph.Why.DOUBT, None, ()),
    ]
    data, errors, door = await ask(query, waiting)
    assert errors == []
    assert data == {
        "toConfirm": [
            {"why": "PROPOSAL", "verdict": "UPDATE", "atom": {"id": "id-1"}, "others": [{"id": "id-1"}]},
            {"why": "DOUBT", "verdict": None, "atom": {"id": "id-1"}, "others": []},
        ]
    }
    assert door.asked == [((graph.Scope("home", "ann"),), {"first": 3})]


async def test_the_kind_of_a_key_is_said_once() -> None:
    query = """
    mutation ($kinds: [KeyKindInput!]) {
      configureGroup(group: "home", viewer: "ann", keyKinds: $kinds) { keyKinds { key kind } }
    }
    """
    kinds = [{"key": "lang", "kind": "MANY"}, {"key": "order", "kind": "ORDERED"}]
    data, errors, door = await ask(
        query, graph.GroupSettings(key_kinds={"lang": "many", "order": "ordered"}), kinds=kinds
    )
    assert errors == []
    assert data == {"configureGroup": {"keyKinds": kinds}}
    assert door.asked[0][1]["key_kinds"] == {"lang": "many", "order": "ordered"}
    _, errors, door = await ask(query, kinds=[*kinds, {"key": "lang", "kind": "ONE"}])
    assert "keyKinds: 'lang' is given twice. Give it one kind." in errors[0]
    assert door.asked == []


# Times


async def test_an_instant_is_taken_with_its_offset() -> None:
    _, errors, door = await ask(SEARCH, at="2026-03-01T09:30:00+01:00")
    assert errors == []
    asked_at = door.asked[0][1]["asked_at"]
    assert asked_at == datetime.fromisoformat("2026-03-01T09:30:00+01:00")
    assert asked_at.utcoffset() is not None
    assert (await ask(SEARCH, at="2026-03-01T09:30:00Z"))[1] == []


@pytest.mark.parametrize("naive", ["2026-03-01T09:30:00", "2026-03-01", "20260301T093000"])
async def test_an_instant_without_offset_is_refused_with_the_way_out(naive: str) -> None:
    literal = SEARCH.replace("query ($at: DateTime)", "query").replace("$at", f'"{naive}"')
    for query, variables in ((SEARCH, {"at": naive}), (literal, {})):
        data, errors, door = await ask(query, **variables)
        assert data is None
        assert "has no UTC offset; add one, as in +01:00 or Z" in errors[0]
        assert naive in errors[0]
        assert door.asked == []


@pytest.mark.parametrize("value", ["yesterday", "", 5, True, "2026-02-30T00:00:00Z"])
async def test_what_is_no_instant_is_refused_with_an_example(value: object) -> None:
    _, errors, door = await ask(SEARCH, at=value)
    assert "is not ISO-8601, as in 2026-03-01T09:30:00+01:00" in errors[0]
    assert door.asked == []


# Errors


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("limit: 0 is not between 1 and 100."),
        AccessDenied("The right 'read' is missing."),
        NotFound("(atom 'x')"),
        FuseGraphError(),
    ],
)
async def test_a_known_error_reaches_the_client_as_it_is(error: FuseGraphError) -> None:
    data, errors, _ = await ask(SEARCH, error)
    assert data is None
    assert errors == [str(error)]


@pytest.mark.parametrize(
    "error", [ValueError("secret /srv/data"), KeyError("secret"), RuntimeError("secret"), OSError()]
)
async def test_an_unknown_error_is_masked(error: Exception) -> None:
    data, errors, _ = await ask(SEARCH, error)
    assert data is None
    assert errors == ["Unexpected error."]


async def test_a_bad_group_is_refused_with_its_rule() -> None:
    _, errors, door = await ask(SEARCH.replace('"home"', '"a b"'))
    assert "1 to 64 letters or digits of any script" in errors[0]
    assert door.asked == []


async def test_a_question_that_does_not_fit_the_schema_names_what_is_wrong() -> None:
    _, errors, door = await ask('query { search(group: "home", viewer: "ann", question: "?") { nonsense } }')
    assert "nonsense" in errors[0]
    assert door.asked == []
