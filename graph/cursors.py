"""Cursors: where a list goes on, as a text that only that list takes. Pure.

A cursor carries a position and a digest over the position and the list that it is one of. The digest is no secret:
whoever makes up a cursor sees what the list shows anyway. It tells a text that was cut, changed or taken from another
list, which would else begin somewhere else without a word.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Final

from graph.errors import InvalidInput

_DIGEST_BYTES: Final = 9
_LONGEST: Final = 400
_REFUSED: Final = "after: It is no cursor of this list. Give `nextCursor` of the page before as it is, or begin anew."


def cursor(position: str, *of: str) -> str:
    """Return the cursor of a position in the list that these words name."""
    return urlsafe_b64encode(_digest(position, of) + position.encode()).decode().rstrip("=")


def position(after: str, *of: str) -> str:
    """Return the position of a cursor of the list that these words name.

    Raises:
        InvalidInput: it is cut, changed, or of another list.
    """
    told = _told(after) if len(after) <= _LONGEST else ""
    # Made anew, so that one text stands for one place: the decoder passes over signs that it does not know.
    if not told or cursor(told, *of) != after:
        raise InvalidInput(_REFUSED)
    return told


def _told(after: str) -> str:
    """Return what a cursor says its position is; the empty text where nothing can be read."""
    try:
        return urlsafe_b64decode(after + "=" * (-len(after) % 4))[_DIGEST_BYTES:].decode()
    except ValueError:
        return ""


def _digest(position: str, of: tuple[str, ...]) -> bytes:
    return sha256("\x1f".join((*of, position)).encode()).digest()[:_DIGEST_BYTES]
