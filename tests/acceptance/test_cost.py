"""What one request may ask for: refused at once, with the limit, before anything of it runs."""

import asyncio
from time import perf_counter
from typing import Any

import httpx2
import pytest

from api.limits import DEEPEST, MOST_FIELDS, MOST_SEARCHES, MOST_SELECTED, MOST_TOKENS
from graph import MOST_QUESTION

AT_ONCE_S = 2.0


def search(question: str = "tea?", more: str = "roundTrips") -> str:
    return f'search(group: "g", viewer: "ann", question: "{question}") {{ {more} }}'


def aliased(field: str, times: int) -> str:
    return " ".join(f"a{number}: {field}" for number in range(times))


def doubling(times: int) -> str:
    fragments = [f"fragment f{number} on Query {{ ...f{number + 1} ...f{number + 1} }}" for number in range(times)]
    return f"{{ ...f0 }} {' '.join(fragments)} fragment f{times} on Query {{ __typename }}"


def chained(times: int, step: int = 1) -> str:
    fragments = [f"fragment f{number} on Query {{ ...f{number + 1} }}" for number in range(times)]
    fragments.append(f"fragment f{times} on Query {{ __typename }}")
    return " ".join(fragments[::step])


PIN = 'pin(group: "g", viewer: "ann", atomId: "x") { after }'
STATUS = 'status(group: "g", viewer: "ann") { atoms }'
COSTLY = {
    "300 searches": (f"{{ {aliased(search(), 300)} }}", f"at most {MOST_SEARCHES}"),
    "searches in a fragment": (
        f"{{ ...many {search()} }} fragment many on Query {{ {aliased(search(), MOST_SEARCHES)} }}",
        f"at most {MOST_SEARCHES}",
    ),
    "a fragment of searches again and again": (
        f"{{ ...a ...a ...a }} fragment a on Query {{ {aliased(search(), MOST_SEARCHES // 2)} }}",
        f"at most {MOST_SEARCHES}",
    ),
    "searches in an inline fragment": (
        f"{{ ... on Query {{ ... {{ {aliased(search(), MOST_SEARCHES + 1)} }} }} }}",
        f"at most {MOST_SEARCHES}",
    ),
    "2,000 aliases": (f"{{ {aliased('__typename', 2_000)} }}", f"at most {MOST_FIELDS}"),
    "2,000 aliases of one field below": (f"{{ {search(more=aliased('roundTrips', 2_000))} }}", f"{MOST_SELECTED:,}"),
    "one field 2,000 times": (f"{{ {search(more='roundTrips ' * 2_000)} }}", f"{MOST_SELECTED:,}"),
    "mutations": (
        f"mutation {{ {aliased(PIN, MOST_FIELDS + 1)} }}",
        f"at most {MOST_FIELDS}",
    ),
    "statuses": (f"{{ {aliased(STATUS, MOST_FIELDS + 1)} }}", f"at most {MOST_FIELDS}"),
    "a second operation that is not run": (
        f"query a {{ __typename }} query b {{ {aliased(search(), 300)} }}",
        f"at most {MOST_SEARCHES}",
    ),
    "fragments that double": (doubling(20), "at most"),
    "fragments that double for ever": (doubling(400), str(DEEPEST)),
    "a chain of fragments": (f"{{ ...f0 }} {chained(400)}", str(DEEPEST)),
    "a chain of fragments that nobody uses": (f"{{ __typename }} {chained(400)}", str(DEEPEST)),
    "a chain of fragments told from its end": (f"{chained(400, -1)} {{ __typename }}", str(DEEPEST)),
    "fields nested deep": (f"{{ {'a { ' * 100} a {'} ' * 100} }}", str(DEEPEST)),
    "fields nested very deep": (f"{{ {'a { ' * 1_000} a {'} ' * 1_000} }}", "nested too deeply"),
    "a value nested very deep": (f"{{ a(b: {'[' * 2_000}{']' * 2_000}) }}", "nested too deeply"),
    "very many words": (f"{{ {'a ' * 200_000} }}", f"{MOST_TOKENS}"),
    "types of types": (
        "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }",
        "introspection",
    ),
}


async def post(client: httpx2.AsyncClient, query: str, **more: Any) -> dict[str, Any]:
    response = await client.post("/graphql", json={"query": query, **more})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


@pytest.mark.parametrize("name", COSTLY)
async def test_what_costs_too_much_is_refused_at_once(client: httpx2.AsyncClient, name: str) -> None:
    query, told = COSTLY[name]
    more = {"operationName": "a"} if "query a" in query else {}

    async def health() -> float:
        began = perf_counter()
        assert (await client.get("/health")).json()["ok"] is True
        return perf_counter() - began

    began = perf_counter()
    body, waited = await asyncio.gather(post(client, query, **more), health())
    assert perf_counter() - began < AT_ONCE_S
    assert waited < AT_ONCE_S
    assert body["data"] is None
    for error in body["errors"]:
        assert told.casefold() in error["message"].casefold()
        assert error["extensions"]["code"] == "BAD_REQUEST"


async def test_what_may_be_asked_at_once_is_answered(client: httpx2.AsyncClient) -> None:
    answered = await post(client, f"{{ {aliased(search(), MOST_SEARCHES)} }}")
    assert len(answered["data"]) == MOST_SEARCHES
    answered = await post(client, f"{{ {aliased('__typename', MOST_FIELDS)} }}")
    assert len(answered["data"]) == MOST_FIELDS


async def test_fragments_that_are_unknown_or_name_themselves_are_refused_as_such(client: httpx2.AsyncClient) -> None:
    body = await post(client, "{ ...nowhere }")
    assert [error["message"] for error in body["errors"]] == ["Unknown fragment 'nowhere'."]
    body = await post(client, "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }")
    assert "within itself" in body["errors"][0]["message"]
    assert {error["extensions"]["code"] for error in body["errors"]} == {"BAD_REQUEST"}


async def test_a_long_question_is_refused_with_the_limit(client: httpx2.AsyncClient, group: str) -> None:
    query = 'query ($g: String!, $q: String!) { search(group: $g, viewer: "ann", question: $q) { roundTrips } }'
    began = perf_counter()
    for length in (MOST_QUESTION + 1, 2_000_000):
        body = await post(client, query, variables={"g": group, "q": "x" * length})
        (error,) = body["errors"]
        assert f"question: It has {length} characters" in error["message"]
        assert f"at most {MOST_QUESTION}" in error["message"]
        assert error["extensions"]["code"] == "INVALID_INPUT"
    assert perf_counter() - began < AT_ONCE_S
    assert "errors" not in await post(client, query, variables={"g": group, "q": "tea " * (MOST_QUESTION // 4)})


@pytest.mark.parametrize("where", ["last", "first", "amid"])
async def test_the_telling_word_of_a_long_question_is_looked_for(
    client: httpx2.AsyncClient, group: str, where: str
) -> None:
    record = (
        'mutation ($g: String!, $e: [EventInput!]!) { recordEvents(group: $g, viewer: "ann", events: $e) { outcome } }'
    )
    events = [{"eventId": "told", "text": "The zymurgist called."}, {"eventId": "other", "text": "Tea at four."}]
    await post(client, record, variables={"g": group, "e": events})
    filler = [f"{first}{second}q" for first in "abcdefghijk" for second in "bcdfghjkl"]
    at = {"last": len(filler), "first": 0, "amid": len(filler) // 2}[where]
    question = " ".join([*filler[:at], "zymurgist", *filler[at:]])
    query = """
    query ($g: String!, $q: String!) {
      search(group: $g, viewer: "ann", question: $q) {
        leftOut evidence { atom { eventId } score { arms { arm score } } }
      }
    }
    """
    found = (await post(client, query, variables={"g": group, "q": question}))["data"]["search"]
    arms = {one["atom"]["eventId"]: {arm["arm"] for arm in one["score"]["arms"]} for one in found["evidence"]}
    assert "english" in arms["told"]
    assert set(found["leftOut"]) < set(filler)
    assert len(found["leftOut"]) == len(filler) + 1 - 64
    brief = (await post(client, query, variables={"g": group, "q": "Who called?"}))["data"]["search"]
    assert brief["leftOut"] == []


LONG = {
    "one letter": "x",
    "short words": "".join(f"{first}{second} " for first in "abcdefghij" for second in "abcdefghij"),
    "kana": "あいうえおかきくけこさしすせそ",
    "Thai": "ฉันชอบชา",
    "Hangul": "나는차를좋아한다",
    "Han": "".join(chr(0x4E00 + number) for number in range(2_000)),
    "signs": "a.b:c'd_e-",
    "days": "yesterday, on 3 March 2026, ",
    "emoji": "🙂",
}


@pytest.mark.parametrize("name", LONG)
async def test_whatever_the_longest_question_is_made_of_it_is_answered(
    client: httpx2.AsyncClient, group: str, name: str
) -> None:
    query = 'query ($g: String!, $q: String!) { search(group: $g, viewer: "ann", question: $q) { roundTrips } }'
    question = (LONG[name] * MOST_QUESTION)[:MOST_QUESTION]
    assert await post(client, query, variables={"g": group, "q": question}) == {"data": {"search": {"roundTrips": 2}}}
