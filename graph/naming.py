"""How things are known as the same: ids that never change, and the form in which names are compared. Pure."""

import unicodedata
from typing import Final
from uuid import NAMESPACE_URL, uuid5

_NAMESPACE: Final = uuid5(NAMESPACE_URL, "https://fusegraph.example/ids")


def stable_id(kind: str, *parts: str) -> str:
    """Return the UUIDv5 of a thing of this kind; the same parts always give the same id."""
    return str(uuid5(_NAMESPACE, "\x1f".join((kind, *parts))))


def entity_key(name: str) -> str:
    """Return the form by which two names are known as the same entity."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_unicode(text: str) -> bool:
    """Tell whether a text is well-formed: half a surrogate pair cannot be sent to the database."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
