"""What tests over HTTP share: to send a request, and to ask for what its only field gives."""

from typing import Any

import httpx2


async def post(client: httpx2.AsyncClient, query: str, **variables: Any) -> dict[str, Any]:
    """Return the body of an answer, errors and all."""
    response = await client.post("/graphql", json={"query": query, "variables": variables})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


async def ask(client: httpx2.AsyncClient, query: str, **variables: Any) -> Any:
    """Return what the only field of a query gives."""
    body = await post(client, query, **variables)
    assert "errors" not in body, body["errors"]
    (answer,) = body["data"].values()
    return answer
