"""Every error says by its code what kind it is, and a cursor that is none is one."""

import base64
from typing import Any

import httpx2
import pytest

RECORD = """
mutation ($g: String!, $viewer: String! = "ann", $events: [EventInput!]!) {
  recordEvents(group: $g, viewer: $viewer, events: $events) { outcome atomId }
}
"""
PAGE = """
query ($g: String!, $viewer: String! = "ann", $after: String, $history: Boolean! = false) {
  atoms(group: $g, viewer: $viewer, first: 2, after: $after, includeHistory: $history) { atoms { eventId } nextCursor }
}
"""


async def post(client: httpx2.AsyncClient, query: str, **variables: Any) -> dict[str, Any]:
    response = await client.post("/graphql", json={"query": query, "variables": variables})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ('{ search(group: "a b", viewer: "ann", question: "?") { roundTrips } }', "INVALID_INPUT"),
        ('{ search(group: "g", viewer: "ann", question: " ") { roundTrips } }', "INVALID_INPUT"),
        ('{ atom(group: "g", viewer: "ann", id: "x") { text } }', "NOT_FOUND"),
        ('{ decisions(group: "g", viewer: "ann", atomId: "x") { rule } }', "NOT_FOUND"),
        ("{ nonsense }", "BAD_REQUEST"),
        ("{", "BAD_REQUEST"),
        ('{ atoms(group: "g") { nextCursor } }', "BAD_REQUEST"),
        ('{ search(group: "g", viewer: "ann", question: "?", askedAt: "noon") { roundTrips } }', "BAD_REQUEST"),
        ("query ($a: Int!) { __typename }", "BAD_REQUEST"),
        ("{ ...nowhere }", "BAD_REQUEST"),
    ],
)
async def test_every_error_has_a_code(client: httpx2.AsyncClient, query: str, code: str) -> None:
    errors = (await post(client, query))["errors"]
    assert {error["extensions"]["code"] for error in errors} == {code}


async def pages(client: httpx2.AsyncClient, group: str, viewer: str = "ann") -> tuple[str, list[str]]:
    events = [{"eventId": f"e-{number}", "text": f"Note {number}."} for number in range(5)]
    await post(client, RECORD, g=group, viewer=viewer, events=events)
    page = (await post(client, PAGE, g=group, viewer=viewer))["data"]["atoms"]
    return page["nextCursor"], [atom["eventId"] for atom in page["atoms"]]


async def test_a_cursor_that_is_cut_or_made_up_is_refused(client: httpx2.AsyncClient, group: str) -> None:
    cursor, first = await pages(client, group)
    assert first == ["e-0", "e-1"]
    next_page = (await post(client, PAGE, g=group, after=cursor))["data"]["atoms"]
    assert [atom["eventId"] for atom in next_page["atoms"]] == ["e-2", "e-3"]
    changed = cursor[:20] + ("A" if cursor[20] != "A" else "B") + cursor[21:]
    bad = ["", " ", "x", "2026-03-01", "\x00", "🙂", "9999", cursor[:-1], cursor[1:], cursor[: len(cursor) // 2]]
    bad += [changed, f"{cursor} ", f" {cursor}", f"{cursor}=", f"{cursor}\n", cursor * 2, "z" * 10_000]
    bad += [base64.urlsafe_b64encode(b"\xff\xfe").decode(), base64.urlsafe_b64encode(b'["atoms"]').decode()]
    for after in bad:
        body = await post(client, PAGE, g=group, after=after)
        assert body["data"] is None, after
        (error,) = body["errors"]
        assert "after: " in error["message"]
        assert error["extensions"]["code"] == "INVALID_INPUT"


async def test_a_cursor_of_another_list_is_refused(client: httpx2.AsyncClient, group: str) -> None:
    cursor, _ = await pages(client, group)
    other, _ = await pages(client, f"{group}-other")
    for variables in (
        {"g": group, "after": other},
        {"g": group, "after": cursor, "viewer": "ben"},
        {"g": group, "after": cursor, "history": True},
        {"g": f"{group}-empty", "after": cursor},
    ):
        (error,) = (await post(client, PAGE, **variables))["errors"]
        assert "after: " in error["message"]
        assert error["extensions"]["code"] == "INVALID_INPUT"
