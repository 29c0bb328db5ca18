"""Remembering, timelines, decisions and corrections, by a plain HTTP client."""

from datetime import UTC, datetime
from typing import Any

import httpx2

from tests.over_http import ask, post

REMEMBER = """
mutation ($group: String!, $viewer: String!, $statements: [StatementInput!]!) {
  remember(group: $group, viewer: $viewer, statements: $statements) {
    verdict rule words atomId field reason subject touched { atomId before after } proposed { atomId verdict }
  }
}
"""
TO_CONFIRM = """
query ($group: String!, $viewer: String!, $first: Int! = 50) {
  toConfirm(group: $group, viewer: $viewer, first: $first) { why verdict atom { id flags } others { id } }
}
"""
TIMELINE = """
query ($group: String!, $viewer: String!, $asOf: DateTime, $knownAt: DateTime) {
  timeline(group: $group, viewer: $viewer, subject: "ann", key: "lang", asOf: $asOf, knownAt: $knownAt) {
    subject key rendered periods { value since until status atoms }
  }
}
"""
DECISIONS = """
query ($group: String!, $viewer: String!, $id: ID!) {
  decisions(group: $group, viewer: $viewer, atomId: $id) {
    id verdict rule words actor at cause
    before { status flags validFrom validUntil lastEvidenceAt evidenceCount }
    after { status flags validFrom validUntil lastEvidenceAt evidenceCount }
  }
}
"""
SETTINGS = "timeZone keyKinds { key kind } external staleDays staleKeys { key days }"


async def say(client: httpx2.AsyncClient, group: str, text: str, viewer: str = "ann", **more: Any) -> dict[str, Any]:
    statement = {"text": text, **more}
    (remembered,) = await ask(client, REMEMBER, group=group, viewer=viewer, statements=[statement])
    told: dict[str, Any] = remembered
    return told


async def correct(client: httpx2.AsyncClient, what: str, group: str, atom_id: str, viewer: str = "ann") -> Any:
    query = f"""
    mutation ($group: String!, $viewer: String!, $id: ID!) {{
      {what}(group: $group, viewer: $viewer, atomId: $id) {{ atomId before after }}
    }}
    """
    return await ask(client, query, group=group, viewer=viewer, id=atom_id)


async def test_a_change_is_remembered_shown_and_explained(client: httpx2.AsyncClient, group: str) -> None:
    lang = {"key": "lang", "occurredAt": "2024-03-01T08:00:00Z"}
    old = await say(client, group, "我们用 Java", value="Java", **lang)
    between = datetime.now(UTC).isoformat()
    new = await say(client, group, "我们迁到 Go 了", value="Go", **{**lang, "occurredAt": "2026-03-01T08:00:00+08:00"})
    assert (old["verdict"], new["verdict"], new["rule"]) == ("ADD", "UPDATE", "wording of change")
    assert new["words"]
    assert new["words"] in "我们迁到 Go 了"
    assert new["touched"] == [
        {"atomId": new["atomId"], "before": None, "after": "active"},
        {"atomId": old["atomId"], "before": "active", "after": "superseded"},
    ]
    scope = {"group": group, "viewer": "ann"}
    told = await ask(client, TIMELINE, **scope)
    assert told == {
        "subject": "ann",
        "key": "lang",
        "rendered": "Java (2024–2026) → Go (2026–)",
        "periods": [
            {
                "value": "Java",
                "since": "2024-03-01T08:00:00+00:00",
                "until": "2026-03-01T00:00:00+00:00",
                "status": "superseded",
                "atoms": [old["atomId"]],
            },
            {
                "value": "Go",
                "since": "2026-03-01T00:00:00+00:00",
                "until": None,
                "status": "active",
                "atoms": [new["atomId"]],
            },
        ],
    }
    assert (await ask(client, TIMELINE, **scope, knownAt=between))["rendered"] == "Java (2024–)"
    then = await ask(client, TIMELINE, **scope, asOf="2025-03-01T08:00:00Z")
    assert [one["value"] for one in then["periods"]] == ["Java"]
    first, second = await ask(client, DECISIONS, **scope, id=old["atomId"])
    assert (first["verdict"], first["before"], first["actor"]) == ("ADD", None, "rule")
    assert first["after"]["validFrom"] == "2024-03-01T08:00:00+00:00"
    assert (second["verdict"], second["cause"]) == ("UPDATE", new["atomId"])
    assert (second["before"]["status"], second["after"]["status"]) == ("active", "superseded")
    assert second["after"]["validUntil"] == "2026-03-01T00:00:00+00:00"


async def test_a_conflict_is_confirmed_retracted_and_pinned(client: httpx2.AsyncClient, group: str) -> None:
    one = await say(client, group, "We use Java", key="lang", value="Java")
    other = await say(client, group, "We use Go", key="lang", value="Go")
    assert other["verdict"] == "CONFLICT"
    assert await correct(client, "confirm", group, one["atomId"]) == [
        {"atomId": one["atomId"], "before": "conflict", "after": "active"},
        {"atomId": other["atomId"], "before": "conflict", "after": "superseded"},
    ]
    assert await correct(client, "pin", group, one["atomId"]) == [
        {"atomId": one["atomId"], "before": "active", "after": "active"}
    ]
    assert await correct(client, "retract", group, one["atomId"]) == [
        {"atomId": one["atomId"], "before": "active", "after": "invalid"}
    ]
    decided = await ask(client, DECISIONS, group=group, viewer="ben", id=one["atomId"])
    assert [decision["actor"] for decision in decided] == ["rule", "rule", "ann", "ann", "ann"]
    assert decided[3]["after"]["flags"] == ["pinned"]
    query = 'mutation ($g: String!, $id: ID!) { pin(group: $g, viewer: "ann", atomId: $id, pinned: false) { after } }'
    assert await ask(client, query, g=group, id=one["atomId"]) == [{"after": "invalid"}]
    body = await post(client, query, g=group, id="unheard-of")
    assert body["data"] is None
    assert "no such thing in this scope" in body["errors"][0]["message"]


async def answer(
    client: httpx2.AsyncClient, what: str, group: str, atom_id: str, target: str, viewer: str = "ann"
) -> Any:
    query = f"""
    mutation ($group: String!, $viewer: String!, $id: ID!, $target: ID!) {{
      {what}(group: $group, viewer: $viewer, atomId: $id, supersedes: $target) {{ atomId before after }}
    }}
    """
    return await post(client, query, group=group, viewer=viewer, id=atom_id, target=target)


async def test_what_may_be_superseded_is_proposed_shown_and_answered(client: httpx2.AsyncClient, group: str) -> None:
    scope = {"group": group, "viewer": "ann"}
    assert await ask(client, TO_CONFIRM, **scope) == []
    old = await say(client, group, "I live in Lyon", act="ASSERTS")
    moved = {"text": "I moved to Oslo", "clientId": "moved", "act": "REPLACES"}
    new = await say(client, group, **moved)
    assert (new["verdict"], new["proposed"]) == ("ADD", [{"atomId": old["atomId"], "verdict": "UPDATE"}])
    assert await say(client, group, **moved) == new
    proposal = {
        "why": "PROPOSAL",
        "verdict": "UPDATE",
        "atom": {"id": new["atomId"], "flags": ["needs_confirmation"]},
        "others": [{"id": old["atomId"]}],
    }
    assert await ask(client, TO_CONFIRM, **scope) == [proposal]
    assert await ask(client, TO_CONFIRM, group=group, viewer="ben") == [proposal]
    refused = await answer(client, "acceptProposal", group, old["atomId"], new["atomId"])
    assert refused["data"] is None
    accepted = await answer(client, "acceptProposal", group, new["atomId"], old["atomId"])
    assert {"atomId": old["atomId"], "before": "active", "after": "superseded"} in accepted["data"]["acceptProposal"]
    assert await ask(client, TO_CONFIRM, **scope) == []
    again = await answer(client, "acceptProposal", group, new["atomId"], old["atomId"])
    assert again["data"] is None


async def test_a_proposal_is_declined(client: httpx2.AsyncClient, group: str) -> None:
    old = await say(client, group, "I live in Lyon", act="ASSERTS")
    new = await say(client, group, "I moved to Oslo", act="REPLACES")
    declined = await answer(client, "declineProposal", group, new["atomId"], old["atomId"])
    assert [one["after"] for one in declined["data"]["declineProposal"]] == ["active"]
    assert await ask(client, TO_CONFIRM, group=group, viewer="ann") == []
    query = 'query ($g: String!, $id: ID!) { atom(group: $g, viewer: "ann", id: $id) { status flags } }'
    for one in (old, new):
        assert await ask(client, query, g=group, id=one["atomId"]) == {"status": "active", "flags": []}


async def test_conflicts_and_doubts_wait_as_well(client: httpx2.AsyncClient, group: str) -> None:
    scope = {"group": group, "viewer": "ann"}
    one = await say(client, group, "We use Java", key="lang", value="Java", act="ASSERTS")
    other = await say(client, group, "We use Go", key="lang", value="Go", act="ASSERTS")
    hidden = await say(
        client, group, "My PIN is 1234", key="pin", value="1234", visibility="private", origin="inferred"
    )
    waiting = await ask(client, TO_CONFIRM, **scope)
    assert [(row["why"], row["atom"]["id"], row["others"]) for row in waiting] == [
        ("DOUBT", hidden["atomId"], []),
        ("CONFLICT", other["atomId"], [{"id": one["atomId"]}]),
    ]
    assert len(await ask(client, TO_CONFIRM, **scope, first=1)) == 1
    assert [row["why"] for row in await ask(client, TO_CONFIRM, group=group, viewer="ben")] == ["CONFLICT"]
    assert await ask(client, TO_CONFIRM, group=f"{group}-other", viewer="ann") == []
    body = await post(client, TO_CONFIRM, **scope, first=0)
    assert "first: 0 is not between 1 and 500" in body["errors"][0]["message"]
    await correct(client, "confirm", group, one["atomId"])
    assert [row["why"] for row in await ask(client, TO_CONFIRM, **scope)] == ["DOUBT"]


async def test_a_subject_that_is_given_is_the_subject(client: httpx2.AsyncClient, group: str) -> None:
    home = {"key": "home", "value": "里昂"}
    given = await say(client, group, "阿明住在里昂", subject="K", **home)
    assert (given["subject"], given["touched"][0]["after"]) == ("K", "active")
    query = """
    query ($g: String!, $s: String!) { timeline(group: $g, viewer: "ann", subject: $s, key: "home") { rendered } }
    """
    assert "里昂" in (await ask(client, query, g=group, s="K"))["rendered"]
    assert (await ask(client, query, g=group, s="K's 阿明"))["rendered"] == ""
    await say(client, group, "I live in Lyon", key="home", value="Lyon")
    moved = await say(client, group, "My brother switched to Oslo", key="home", value="Oslo")
    assert moved["subject"] == "ann's brother"
    his = await say(client, group, "My brother switched to Bergen", key="home", value="Bergen", subject="Tom")
    assert his["subject"] == "Tom"


async def test_what_a_statement_does_is_kept(client: httpx2.AsyncClient, group: str) -> None:
    said = await say(client, group, "Zed", key="editor", value="Zed", act="REPLACES", clientId="1")
    assert await say(client, group, "Zed", key="editor", value="Zed", act="REPLACES", clientId="1") == said
    other = await say(client, group, "Zed", key="editor", value="Zed", act="ADDS", clientId="1")
    assert (other["verdict"], other["field"]) == ("REFUSED", "clientId")
    query = 'query ($g: String!, $id: ID!) { atom(group: $g, viewer: "ann", id: $id) { act } }'
    assert await ask(client, query, g=group, id=said["atomId"]) == {"act": "REPLACES"}
    plain = await say(client, group, "Vim", key="editor.old", value="Vim")
    assert await ask(client, query, g=group, id=plain["atomId"]) == {"act": None}
    body = await post(client, REMEMBER, group=group, viewer="ann", statements=[{"text": "Vim", "act": "SWITCHES"}])
    assert "'SWITCHES' does not exist in 'Act'" in body["errors"][0]["message"]


async def test_a_statement_takes_all_that_it_may_say_and_is_refused_by_its_field(
    client: httpx2.AsyncClient, group: str
) -> None:
    whole: dict[str, Any] = {
        "clientId": "c-1",
        "userId": "ann",
        "subject": "Kiran",
        "key": "home",
        "value": "Oslo",
        "origin": "user_stated",
        "occurredAt": "2026-03-01",
        "importance": 1.5,
        "visibility": "private",
        "source": {"id": "phone", "kind": "phone"},
        "entities": ["Oslo"],
        "record": {"id": "mail", "text": "P.S. Kiran lives in Oslo."},
        "quote": "Kiran lives in Oslo",
    }
    kept = await say(client, group, "Kiran lives in Oslo", **whole)
    assert await say(client, group, "Kiran lives in Oslo", **whole) == kept
    query = """
    query ($g: String!, $id: ID!) {
      atom(group: $g, viewer: "ann", id: $id) {
        subject key value importance visibility entities evidenceCount flags timelineRole validFrom validUntil
        sources { name kind } quotes { record quote }
      }
    }
    """
    assert await ask(client, query, g=group, id=kept["atomId"]) == {
        "subject": "Kiran",
        "key": "home",
        "value": "Oslo",
        "importance": 1.5,
        "visibility": "private",
        "entities": ["Oslo"],
        "evidenceCount": 1,
        "flags": [],
        "timelineRole": "value",
        "validFrom": "2026-03-01T00:00:00+00:00",
        "validUntil": None,
        "sources": [{"name": "phone", "kind": "phone"}],
        "quotes": [{"record": "mail", "quote": "Kiran lives in Oslo"}],
    }
    refused = await say(client, group, "Kiran lives in Oslo", **{**whole, "clientId": "c-2", "quote": "in Lyon"})
    assert (refused["verdict"], refused["field"], refused["atomId"]) == ("REFUSED", "quote", None)
    assert (await say(client, group, "今天很热"))["verdict"] == "SKIPPED_EPHEMERAL"
    many = [{"text": "Tea"}] * 101
    body = await post(client, REMEMBER, group=group, viewer="ann", statements=many)
    assert "at most 100" in body["errors"][0]["message"]


async def test_a_group_is_configured_a_setting_at_a_time(client: httpx2.AsyncClient, group: str) -> None:
    read = f'query ($g: String!) {{ groupSettings(group: $g, viewer: "ben") {{ {SETTINGS} }} }}'
    defaults = {"timeZone": "UTC", "keyKinds": [], "external": False, "staleDays": 365.0, "staleKeys": []}
    assert await ask(client, read, g=group) == defaults
    expected: dict[str, Any] = dict(defaults)
    kinds = [
        {"key": "lang", "kind": "MANY"},
        {"key": "user.order", "kind": "ORDERED"},
        {"key": "由…组成", "kind": "MANY"},
    ]
    stale = [{"key": "home", "days": 30.0}, {"key": "mood", "days": 0.5}]
    for name, kind, value in (
        ("timeZone", "String", "Asia/Shanghai"),
        ("keyKinds", "[KeyKindInput!]", kinds),
        ("external", "Boolean", True),
        ("staleDays", "Float", 10.5),
        ("staleKeys", "[StaleKeyInput!]", stale),
    ):
        change = f"""
        mutation ($g: String!, $v: {kind}) {{
          configureGroup(group: $g, viewer: "ann", {name}: $v) {{ {SETTINGS} }}
        }}
        """
        expected[name] = value
        assert await ask(client, change, g=group, v=value) == expected
        assert await ask(client, read, g=group) == expected
    for name, bad in (
        ("staleDays", "0"),
        ("keyKinds", '{key: " ", kind: ONE}'),
        ("keyKinds", '[{key: "Lang", kind: ONE}, {key: "lang", kind: MANY}]'),
        ("keyKinds", '[{key: "lang", kind: ONE}, {key: "lang", kind: MANY}]'),
        ("staleKeys", '{key: "x", days: -1}'),
    ):
        query = f'mutation ($g: String!) {{ configureGroup(group: $g, viewer: "ann", {name}: {bad}) {{ external }} }}'
        assert name in (await post(client, query, g=group))["errors"][0]["message"]
    assert await ask(client, read, g=group) == expected
    await say(client, group, "We use Java", key="lang", value="Java")
    besides = await say(client, group, "We use Go", key="lang", value="Go", act="ASSERTS")
    assert besides["rule"] == "the key holds many values"
    assert (await say(client, group, "A page says so", origin="external"))["verdict"] == "ADD"


async def test_the_evidence_as_text_is_marked_and_not_learned_again(client: httpx2.AsyncClient, group: str) -> None:
    await say(client, group, "We use Java\nat home", key="lang", value="Java", occurredAt="2026-03-01T08:00:00Z")
    await say(client, group, "We use Go", key="lang", value="Go", occurredAt="2026-03-02T08:00:00Z")
    query = 'query ($g: String!) { search(group: $g, viewer: "ann", question: "Java or Go?") { groundedContext } }'
    context = (await ask(client, query, g=group))["groundedContext"]
    lines = context.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("⟦fusegraph⟧ [") for line in lines)
    assert any(
        "2026-03-01T08:00:00+00:00, ann (disputed, to be confirmed): We use Java at home" in one for one in lines
    )
    again = await say(client, group, context)
    assert (again["verdict"], again["rule"], again["touched"]) == ("NOOP", "our own output", [])


async def test_an_event_that_states_something_brings_its_ruling(client: httpx2.AsyncClient, group: str) -> None:
    query = """
    mutation ($g: String!, $events: [EventInput!]!) {
      recordEvents(group: $g, viewer: "ann", events: $events) {
        eventId outcome atomId ruled { verdict rule words touched { atomId before after } }
      }
    }
    """
    events = [
        {"eventId": "a", "text": "We use Java", "key": "lang", "value": "Java"},
        {"eventId": "b", "text": "We moved to Go now", "key": "lang", "value": "Go"},
        {"eventId": "c", "text": "Tea at four"},
    ]
    first, second, third = await ask(client, query, g=group, events=events)
    assert [one["outcome"] for one in (first, second, third)] == ["RECORDED"] * 3
    assert third["ruled"] is None
    assert second["ruled"]["verdict"] == "UPDATE"
    assert second["ruled"]["touched"] == [
        {"atomId": second["atomId"], "before": None, "after": "active"},
        {"atomId": first["atomId"], "before": "active", "after": "superseded"},
    ]
    again = await ask(client, query, g=group, events=events)
    assert [(one["outcome"], one["ruled"]) for one in again] == [("UNCHANGED", None)] * 3
