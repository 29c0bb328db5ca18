"""What is no request is refused with one sentence, and what is too long is not read to its end."""

import asyncio
import json
from collections.abc import AsyncIterator
from time import perf_counter

import httpx2
import pytest

from api.bodies import MOST_BODY_BYTES

JSON = {"Content-Type": "application/json"}
SEARCH = 'query ($q: String!) { search(group: "g", viewer: "ann", question: $q) { roundTrips } }'
BODIES = {
    "null": b"null",
    "a text": b'"x"',
    "a list": b"[]",
    "a list of requests": b'[{"query": "{ __typename }"}]',
    "a number": b"7",
    "no number": b"NaN",
    "a long number": b"9" * 10_000,
    "nothing": b"",
    "half an object": b'{"query": "{ __typename }"',
    "broken UTF-8": b'{"query": "\xff\xfe"}',
    "a surrogate as bytes": b'{"query": "\xed\xa0\x80"}',
    "half a surrogate pair": json.dumps({"query": SEARCH, "variables": {"q": "tea \ud83d?"}}).encode(),
    "half a surrogate pair as a name": b'{"query": "{ __typename }", "variables": {"\\uDC00": 1}}',
    "JSON nested deep": b'{"query": "{ __typename }", "variables": {"a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}}",
    "no query": b"{}",
    "a query that is no text": b'{"query": {"a": 1}}',
    "variables that are none": b'{"query": "{ __typename }", "variables": []}',
}


def is_one_refusal(response: httpx2.Response, status: int, code: str) -> str:
    """Check that a request was refused with one sentence, and return it."""
    assert response.status_code == status, response.text
    (error,) = response.json()["errors"]
    assert error["extensions"] == {"code": code}
    message: str = error["message"]
    assert message.endswith(".")
    assert len(message) < 200
    return message


@pytest.mark.parametrize("name", BODIES)
async def test_a_body_that_is_no_request_is_refused(client: httpx2.AsyncClient, name: str) -> None:
    response = await client.post("/graphql", content=BODIES[name], headers=JSON)
    is_one_refusal(response, 400, "BAD_REQUEST")


@pytest.mark.parametrize("kind", ["text/plain", "application/graphql", "text/plain; application/json", None])
async def test_another_kind_of_content_is_refused(client: httpx2.AsyncClient, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind is not None else {}
    response = await client.post("/graphql", content=b'{"query": "{ __typename }"}', headers=headers)
    assert "application/json" in is_one_refusal(response, 400, "BAD_REQUEST")


async def test_whole_pairs_and_other_signs_are_no_fault(client: httpx2.AsyncClient) -> None:
    for query in ('"\\ud83d\\ude42"', '"\\\\ud83d"', '"🙂"'):
        body = f'{{"query": "query ($a: String!) {{ __type(name: $a) {{ name }} }}", "variables": {{"a": {query}}}}}'
        response = await client.post("/graphql", content=body.encode(), headers=JSON)
        assert response.json() == {"data": {"__type": None}}


async def test_a_body_that_says_it_is_too_long_is_refused_before_it_is_sent(client: httpx2.AsyncClient) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
    head = "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
    writer.write(f"{head}\r\nContent-Length: {MOST_BODY_BYTES + 1}\r\n\r\n".encode())
    async with asyncio.timeout(5):
        assert b" 413 " in await reader.readline()
    writer.close()


async def test_a_body_that_goes_on_too_long_is_cut_off(client: httpx2.AsyncClient) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.base_url.port)
    writer.write(
        b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"

    async def endless() -> None:
        try:
            while True:
                writer.write(chunk)
                await writer.drain()
        except (ConnectionError, RuntimeError):
            pass

    sending = asyncio.create_task(endless())
    async with asyncio.timeout(20):
        assert b" 413 " in await reader.readline()
    sending.cancel()
    writer.close()


async def test_the_limit_of_a_body_is_told(client: httpx2.AsyncClient) -> None:
    response = await client.post("/graphql", content=b" " * (MOST_BODY_BYTES + 1), headers=JSON)
    assert f"{MOST_BODY_BYTES:,}" in is_one_refusal(response, 413, "TOO_LARGE")


async def test_a_body_at_the_limit_is_read(client: httpx2.AsyncClient) -> None:
    body = b'{"query": "{ __typename }"}'

    async def parts() -> AsyncIterator[bytes]:
        yield b" " * (MOST_BODY_BYTES - len(body))
        yield body

    for content in (b" " * (MOST_BODY_BYTES - len(body)) + body, parts()):
        response = await client.post("/graphql", content=content, headers=JSON)
        assert response.json() == {"data": {"__typename": "Query"}}


async def test_nonsense_is_refused_at_once(client: httpx2.AsyncClient) -> None:
    began = perf_counter()
    for body in BODIES.values():
        await client.post("/graphql", content=body, headers=JSON)
    assert perf_counter() - began < 5
