"""The public door, by a plain HTTP client."""

from typing import Any

import httpx2
import pytest

RECORD = """
mutation ($group: String!, $viewer: String!, $events: [EventInput!]!) {
  recordEvents(group: $group, viewer: $viewer, events: $events, wait: VECTORS) { eventId outcome atomId field reason }
}
"""
SEARCH = """
query ($group: String!, $viewer: String!, $question: String!, $filter: SearchFilter) {
  search(group: $group, viewer: $viewer, question: $question, filter: $filter, profile: "relevance") {
    roundTrips
    timings { step ms }
    evidence {
      rank
      atom { id eventId text occurredAt status visibility metadata sources { name kind userId } quotes { quote } }
      score { total relevance recency importance statusWeight arms { arm score } }
      paths { score cypher nodes { label id caption } edges { type forward score } }
    }
  }
}
"""


async def ask(client: httpx2.AsyncClient, query: str, **variables: Any) -> dict[str, Any]:
    response = await client.post("/graphql", json={"query": query, "variables": variables})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    assert "errors" not in body, body["errors"]
    data: dict[str, Any] = body["data"]
    return data


async def record(client: httpx2.AsyncClient, group: str, *events: dict[str, Any]) -> list[dict[str, Any]]:
    data = await ask(client, RECORD, group=group, viewer="hub", events=list(events))
    receipts: list[dict[str, Any]] = data["recordEvents"]
    return receipts


def event(event_id: str, text: str, **more: Any) -> dict[str, Any]:
    return {"eventId": event_id, "text": text, "userId": "ann", **more}


async def found(client: httpx2.AsyncClient, group: str, question: str, viewer: str = "ann", **more: Any) -> list[str]:
    data = await ask(client, SEARCH, group=group, viewer=viewer, question=question, **more)
    return [evidence["atom"]["eventId"] for evidence in data["search"]["evidence"]]


async def test_what_was_recorded_is_found_with_its_evidence(client: httpx2.AsyncClient, group: str) -> None:
    talk = {"conversationId": "kitchen", "source": {"id": "phone-ann", "kind": "phone"}}
    receipts = await record(
        client,
        group,
        event("k-1", "Ann: The boiler shows error 17 again.", occurredAt="2026-03-01T08:00:00+01:00", **talk),
        event("k-2", "Ann: I called Weber, he comes on Tuesday.", occurredAt="2026-03-01T08:01:00+01:00", **talk),
        event("k-3", "Ann: And please buy oat milk.", occurredAt="2026-03-01T08:02:00+01:00", **talk),
    )
    assert [receipt["outcome"] for receipt in receipts] == ["RECORDED"] * 3
    data = await ask(client, SEARCH, group=group, viewer="ann", question="Which error does the boiler show?")
    best = data["search"]["evidence"][0]
    assert best["atom"]["eventId"] == "k-1"
    assert best["atom"]["occurredAt"] == "2026-03-01T08:00:00+01:00"
    assert best["atom"]["sources"] == [{"name": "phone-ann", "kind": "phone", "userId": "ann"}]
    path = best["paths"][0]
    assert [node["label"] for node in path["nodes"]] == ["Atom", "Source", "User"]
    assert [edge["type"] for edge in path["edges"]] == ["OBSERVED_BY", "OWNED_BY"]
    assert data["search"]["roundTrips"] == 2
    neighbour = next(e for e in data["search"]["evidence"] if e["atom"]["eventId"] == "k-2")
    assert any("NEXT" in [edge["type"] for edge in way["edges"]] for way in neighbour["paths"])


async def test_the_same_event_again_is_unchanged_and_other_content_is_rejected(
    client: httpx2.AsyncClient, group: str
) -> None:
    first = await record(client, group, event("a", "Tea at four."))
    again = await record(client, group, event("a", "Tea at four."))
    other = await record(client, group, event("a", "Tea at five."))
    assert again == [{**first[0], "outcome": "UNCHANGED"}]
    assert other[0]["outcome"] == "REJECTED"
    assert other[0]["field"] == "eventId"
    assert "new id" in other[0]["reason"]


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        ({"text": "  "}, "text"),
        ({"occurredAt": "last Tuesday"}, "occurredAt"),
        ({"importance": 3.0}, "importance"),
        ({"visibility": "public"}, "visibility"),
        ({"userId": "a b"}, "userId"),
        ({"userId": "group"}, "userId"),
        ({"key": "lang"}, "value"),
        ({"quote": "not in it"}, "quote"),
        ({"entities": [""]}, "entities"),
        ({"relatedUsers": ["x y"]}, "relatedUsers"),
        ({"origin": "rumour"}, "origin"),
    ],
)
async def test_a_bad_event_is_rejected_by_its_field_and_the_good_one_beside_it_is_kept(
    client: httpx2.AsyncClient, group: str, fault: dict[str, Any], field: str
) -> None:
    receipts = await record(client, group, event("good", "Fine."), {**event("bad", "Not fine."), **fault})
    assert [receipt["outcome"] for receipt in receipts] == ["RECORDED", "REJECTED"]
    assert receipts[1]["field"] == field
    assert await found(client, group, "fine") == ["good"]


async def test_more_than_a_thousand_events_are_refused_whole(client: httpx2.AsyncClient, group: str) -> None:
    events = [event(f"e-{number}", "Hm.") for number in range(1_001)]
    variables = {"group": group, "viewer": "hub", "events": events}
    body = (await client.post("/graphql", json={"query": RECORD, "variables": variables})).json()
    assert "send at most 1000" in body["errors"][0]["message"]
    assert await found(client, group, "Hm") == []


@pytest.mark.parametrize("name", ["a b", "", "x" * 65, "a/b", 'a"b'])
async def test_a_bad_group_name_is_refused_with_the_rule(client: httpx2.AsyncClient, name: str) -> None:
    variables = {"group": name, "viewer": "ann", "question": "?"}
    body = (await client.post("/graphql", json={"query": SEARCH, "variables": variables})).json()
    assert "1 to 64 letters or digits of any script" in body["errors"][0]["message"]


async def test_a_group_name_of_any_script_works(client: httpx2.AsyncClient) -> None:
    await record(client, "团队甲", event("a", "Lunch is at noon."))
    assert await found(client, "团队甲", "When is lunch?") == ["a"]


async def test_private_atoms_are_their_users_alone(client: httpx2.AsyncClient, group: str) -> None:
    secret = event("secret", "Ann: The necklace for Ben costs 90 euros.", visibility="private")
    receipts = await record(client, group, secret, event("open", "Ann: Ben's birthday is in May."))
    assert set(await found(client, group, "What does the necklace cost?")) == {"secret", "open"}
    assert await found(client, group, "What does the necklace cost?", viewer="ben") == ["open"]
    query = 'query ($g: String!, $id: ID!) { atom(group: $g, viewer: "ben", id: $id) { text } }'
    variables = {"g": group, "id": receipts[0]["atomId"]}
    body = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
    assert body["data"] is None
    assert "no such thing in this scope" in body["errors"][0]["message"]


async def test_250_atoms_are_listed_once_each_while_others_are_added(client: httpx2.AsyncClient, group: str) -> None:
    await record(client, group, *[event(f"old-{number}", f"Note {number}.") for number in range(250)])
    query = """
    query ($group: String!, $after: String) {
      atoms(group: $group, viewer: "ann", first: 40, after: $after) { atoms { eventId } nextCursor }
    }
    """
    seen: list[str] = []
    after, page = None, 0
    while True:
        data = (await ask(client, query, group=group, after=after))["atoms"]
        seen += [atom["eventId"] for atom in data["atoms"]]
        if (after := data["nextCursor"]) is None:
            break
        page += 1
        await record(client, group, event(f"new-{page}", "Written meanwhile."))
    old = [event_id for event_id in seen if event_id.startswith("old-")]
    assert len(seen) == len(set(seen))
    assert set(old) == {f"old-{number}" for number in range(250)}


async def test_metadata_comes_back_as_given(client: httpx2.AsyncClient, group: str) -> None:
    metadata = {"a": {"b": [{"c": 1}]}, "由…组成": "`für`", "🙂": None}
    await record(client, group, event("m", "Something with metadata.", metadata=metadata))
    data = await ask(client, SEARCH, group=group, viewer="ann", question="metadata")
    assert data["search"]["evidence"][0]["atom"]["metadata"] == metadata


async def test_the_end_of_a_long_text_is_found(client: httpx2.AsyncClient, group: str) -> None:
    filler = "Nothing of note happened here. " * 6_600
    await record(
        client, group, event("long", f"Xylophone lesson. {filler} Zeppelin flight."), event("b", "Something else.")
    )
    assert (await found(client, group, "xylophone"))[0] == "long"
    assert (await found(client, group, "zeppelin"))[0] == "long"
    data = await ask(client, SEARCH, group=group, viewer="ann", question="zeppelin")
    assert len(data["search"]["evidence"][0]["atom"]["text"]) > 200_000


@pytest.mark.parametrize(
    "question",
    [
        "tb-",
        "node:",
        "C++",
        "(x",
        '"open',
        "~alien",
        "AND",
        "NOT",
        "a && b",
        "*",
        "/b testing",
        r"C:\a\b.py",
        "OR ^2 [a TO",
        "猫",
    ],
)
async def test_signs_of_the_query_language_are_plain_text(
    client: httpx2.AsyncClient, group: str, question: str
) -> None:
    texts = ["TB-12 node: the C++ alien opened x", r"Testing /b with C:\a\b.py and not or", "我的猫病了"]
    await record(client, group, *[event(f"t-{number}", text) for number, text in enumerate(texts)])
    hits = await found(client, group, question)
    sensible = {"tb-": "t-0", "node:": "t-0", "C++": "t-0", "/b testing": "t-1", r"C:\a\b.py": "t-1", "猫": "t-2"}
    assert hits[0] == sensible.get(question, hits[0])


async def test_times_with_and_without_offsets_are_ordered_as_instants(client: httpx2.AsyncClient, group: str) -> None:
    times = {"naive": "2024-05-01T10:00:00", "utc": "2024-05-01T10:00:01Z", "east": "2024-05-01T17:59:59+08:00"}
    await record(
        client,
        group,
        *[event(name, f"Tick {name}.", occurredAt=time, conversationId="c") for name, time in times.items()],
    )
    data = await ask(client, SEARCH, group=group, viewer="ann", question="tick")
    shown = {e["atom"]["eventId"]: e["atom"]["occurredAt"] for e in data["search"]["evidence"]}
    assert shown == {
        "naive": "2024-05-01T10:00:00+00:00",
        "utc": "2024-05-01T10:00:01+00:00",
        "east": "2024-05-01T17:59:59+08:00",
    }
    window = {"since": "2024-05-01T10:00:00Z", "until": "2024-05-01T10:00:01Z"}
    assert await found(client, group, "tick", filter=window) == ["naive"]


async def test_an_event_is_found_by_the_day_of_its_own_offset(client: httpx2.AsyncClient, group: str) -> None:
    await record(client, group, event("early", "The alarm rang.", occurredAt="2025-07-25T02:00:00Z"))
    day = {"firstDay": "2025-07-25", "lastDay": "2025-07-25"}
    assert await found(client, group, "alarm", filter=day) == ["early"]
    other = {"firstDay": "2025-07-24", "lastDay": "2025-07-24"}
    assert await found(client, group, "alarm", filter=other) == []


async def test_naive_times_are_read_in_the_groups_zone(client: httpx2.AsyncClient, group: str) -> None:
    query = (
        'mutation ($g: String!, $z: String!) { configureGroup(group: $g, viewer: "ann", timeZone: $z) { timeZone } }'
    )
    await ask(client, query, g=group, z="Asia/Shanghai")
    await record(client, group, event("n", "Noodles.", occurredAt="2024-05-01T10:00:00"))
    data = await ask(client, SEARCH, group=group, viewer="ann", question="noodles")
    assert data["search"]["evidence"][0]["atom"]["occurredAt"] == "2024-05-01T10:00:00+08:00"
    body = (await client.post("/graphql", json={"query": query, "variables": {"g": group, "z": "Mars/Base"}})).json()
    assert "timeZone" in body["errors"][0]["message"]


async def test_names_of_keys_and_entities_are_data(client: httpx2.AsyncClient, group: str) -> None:
    names = ["non-compliant", "für", "由…组成", "`tick`", "🙂", "x'}) DETACH DELETE n //"]
    await record(
        client,
        group,
        *[event(f"n-{i}", "A word.", key=name, value=name, entities=[name]) for i, name in enumerate(names)],
    )
    query = 'query ($g: String!) { atoms(group: $g, viewer: "ann") { atoms { key value entities } } }'
    atoms = (await ask(client, query, g=group))["atoms"]["atoms"]
    assert sorted(atom["key"] for atom in atoms) == sorted(names)
    assert all(atom["entities"] == [atom["value"]] for atom in atoms)


async def test_status_counts_what_the_viewer_may_see(client: httpx2.AsyncClient, group: str) -> None:
    await record(client, group, event("a", "One."), event("b", "Two.", visibility="private"))
    query = "query ($g: String!, $v: String!) { status(group: $g, viewer: $v) { atoms model neo4j gds timeZone } }"
    seen = [(await ask(client, query, g=group, v=viewer))["status"] for viewer in ("ann", "ben")]
    assert [status["atoms"] for status in seen] == [2, 1]
    assert seen[0]["timeZone"] == "UTC"
