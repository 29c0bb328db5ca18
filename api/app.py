"""The ASGI application: routes, lifespan, and who may talk to it while there are no keys."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from ipaddress import ip_address
from typing import Any, TypedDict

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLRequestData
from strawberry.http.parse_content_type import parse_content_type

import graph
from api.bodies import LimitBody, read_json, read_request, refusal
from api.context import Context
from api.graphiql import graphiql_routes, render_graphiql
from api.schema import schema
from graph.errors import AccessDenied, FuseGraphError
from graph.settings import Settings

_HEALTH_WAIT_S = 3  # a request may wait longer for a database that is being restarted
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")

OpenMemory = Callable[[Settings], AbstractAsyncContextManager[graph.Memory]]


class State(TypedDict):
    """What the lifespan hands to requests."""

    memory: graph.Memory


class FuseGraphQL(GraphQL[Context, None]):
    """The GraphQL endpoint; its explorer works without the internet."""

    async def get_context(
        self,
        request: Request | WebSocket,
        response: Response | WebSocket | None = None,  # noqa: ARG002
    ) -> Context:
        """Give resolvers the memory."""
        return Context(request.state.memory)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what cannot be read as one is refused in the form of GraphQL's errors."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        try:
            response = await self.run(Request(scope, receive))
        except HTTPException as error:
            response = refusal(error.status_code, f"{error.reason.removesuffix('.')}.")
        await response(scope, receive, send)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData | list[GraphQLRequestData]:
        """Read a request; only JSON, which no form of another site can send."""
        if request.method == "POST" and parse_content_type(request.content_type or "")[0] != "application/json":
            raise HTTPException(400, "The request's content type must be application/json.")
        return await super().parse_http_body(request)

    def parse_json(self, data: str | bytes) -> dict[str, Any]:
        """Read the body of a request, or a part of its address."""
        return read_request(data)

    def decode_json(self, data: str | bytes) -> object:
        """Read a message of a WebSocket."""
        return read_json(data)

    async def render_graphql_ide(self, request: Request) -> Response:
        """Answer with GraphiQL out of the local cache."""
        return render_graphiql(request)


async def health(request: HTTPConnection) -> JSONResponse:
    """Tell whether the database answers; 503 and why, where it does not."""
    try:
        async with asyncio.timeout(_HEALTH_WAIT_S):
            status = await request.state.memory.status()
    except TimeoutError:
        return JSONResponse({"ok": False, "error": "The database does not answer."}, status_code=503)
    except FuseGraphError as error:
        return JSONResponse({"ok": False, "error": str(error)}, status_code=503)
    return JSONResponse({"ok": True, "pid": os.getpid(), **status})


def create_app(settings: Settings, open_memory: OpenMemory = graph.Memory.open) -> Starlette:
    """Return the application.

    Raises:
        AccessDenied: it would listen on another address than loopback, which needs keys.
    """
    require_loopback(settings.host)
    endpoint = FuseGraphQL(schema, allow_queries_via_get=False, allowed_origins=_origins(settings.port))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[State]:
        async with open_memory(settings) as memory:
            yield {"memory": memory}

    return Starlette(
        routes=[
            Route("/graphql", endpoint),
            WebSocketRoute("/graphql", endpoint),
            Route("/health", health),
            *graphiql_routes(settings),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[*LOCAL_HOSTS, settings.host], www_redirect=False),
            Middleware(LimitBody),
        ],
        lifespan=lifespan,
    )


def require_loopback(host: str) -> None:
    """Let only programs on this machine in.

    Raises:
        AccessDenied: others can reach the address, too.
    """
    if not is_loopback(host):
        raise AccessDenied(
            f"{host} is not a loopback address, and there are no keys yet that would tell callers apart. "
            "Listen on 127.0.0.1."
        )


def is_loopback(host: str) -> bool:
    """Tell whether only programs on this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _origins(port: int) -> Sequence[str]:
    return [f"http://{host}:{port}" for host in LOCAL_HOSTS]
