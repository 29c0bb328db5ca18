"""Bodies of requests: how long they may be, and what is no request at all."""

import json
import re
from typing import Any, Final

from cross_web import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY_BYTES: Final = 8 * 2**20
"""Bytes of a request's body: 1,000 events of eight thousand signs."""

_HALF_A_PAIR: Final = re.compile(r"\\u[dD][89a-fA-F]")

BAD_REQUEST: Final = "BAD_REQUEST"
"""The code of what is refused before anything of it runs."""

_CODES: Final = {405: "METHOD_NOT_ALLOWED", 413: "TOO_LARGE"}


def refusal(status: int, message: str) -> JSONResponse:
    """Return the answer to a request that is none, in the form of GraphQL's errors."""
    error = {"message": message, "extensions": {"code": _CODES.get(status, BAD_REQUEST)}}
    return JSONResponse({"errors": [error]}, status_code=status)


def read_json(data: str | bytes) -> Any:
    """Read JSON out of a body or a message.

    Raises:
        json.JSONDecodeError: saying in one sentence what is wrong; whatever is wrong, it is this error.
    """
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value = json.loads(text)
    except UnicodeDecodeError as error:
        raise json.JSONDecodeError(f"It is no UTF-8 (byte {error.start}).", "", 0) from None
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(f"It is no JSON: {error.msg} (character {error.pos}).", "", 0) from None
    except RecursionError:
        raise json.JSONDecodeError("Its JSON nests too deep.", "", 0) from None
    except ValueError:  # of a whole number, Python reads no more than 4,300 digits
        raise json.JSONDecodeError("A number in it has too many digits.", "", 0) from None
    if _HALF_A_PAIR.search(text):
        _require_unicode(value)
    return value


def _require_unicode(value: Any) -> None:
    """Refuse halves of surrogate pairs: nothing behind the API can keep or compare such a text."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise json.JSONDecodeError("It holds half a surrogate pair; send well-formed Unicode.", "", 0) from None
    except RecursionError:
        raise json.JSONDecodeError("Its JSON nests too deep.", "", 0) from None


def read_request(data: str | bytes) -> dict[str, Any]:
    """Read the JSON object that a request is.

    Raises:
        HTTPException: it is none.
    """
    try:
        value = read_json(data)
    except json.JSONDecodeError as error:
        raise HTTPException(400, f"The request's body cannot be read. {error.msg}") from error
    if not isinstance(value, dict):
        raise HTTPException(400, "The request's body must be one JSON object with a `query`.")
    return value


class _TooLong(Exception):
    """More of a body has come than may come."""


class LimitBody:
    """Refuses bodies of more than `MOST_BODY_BYTES`: at once where the length is told, else where it is reached."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through as far as the limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if int(told) > MOST_BODY_BYTES:  # the server has checked that it is a number
            await _too_long(scope, receive, send)
            return
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BODY_BYTES:
                raise _TooLong
            return message

        try:
            await self._app(scope, limited, send)
        except _TooLong:  # no route answers before it has read the body
            await _too_long(scope, receive, send)


async def _too_long(scope: Scope, receive: Receive, send: Send) -> None:
    message = f"The request's body is longer than {MOST_BODY_BYTES:,} bytes; send it in parts."
    await refusal(413, message)(scope, receive, send)
