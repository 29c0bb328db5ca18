"""Who asks, for which tenant, with which rights: the first argument of every call.

The names that appear in a scope are checked where it is made, so that no later step has to.
"""

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from graph.errors import AccessDenied, InvalidInput

GROUP_AUDIENCE = "group"
"""The audience of everything that a whole group may see; no user can have this id."""

RULE_ACTOR: Final = "rule"
"""The actor of a decision that no person made; no user can have this id."""

GROUP_RULE = "A group name has 1 to 64 letters or digits of any script, or any of _ . : - (no spaces)."
USER_RULE = (
    "A user id has 1 to 128 letters or digits of any script, or any of _ . : - @ + (no spaces), "
    f'and is neither "{GROUP_AUDIENCE}" nor "{RULE_ACTOR}".'
)
_LONGEST_GROUP, _LONGEST_USER = 64, 128
_GROUP_SIGNS, _USER_SIGNS = frozenset("_.:-"), frozenset("_.:-@+")


class Right(StrEnum):
    """What a scope may do. `ON_BEHALF`: record for other users of the group, as a hub or an importer does."""

    READ = "read"
    WRITE = "write"
    ON_BEHALF = "on_behalf"
    ADMIN = "admin"


ALL_RIGHTS = frozenset(Right)


def check_group(name: str) -> str:
    """Return the group name in Unicode NFC; refuse one that breaks `GROUP_RULE`."""
    name = unicodedata.normalize("NFC", name)
    if not _is_name(name, _LONGEST_GROUP, _GROUP_SIGNS):
        raise InvalidInput(f"group: {name[:80]!r} is no group name. {GROUP_RULE}")
    return name


def check_user(name: str, field_name: str = "user") -> str:
    """Return the user id in Unicode NFC; refuse one that breaks `USER_RULE`."""
    name = unicodedata.normalize("NFC", name)
    if not _is_name(name, _LONGEST_USER, _USER_SIGNS) or name in (GROUP_AUDIENCE, RULE_ACTOR):
        raise InvalidInput(f"{field_name}: {name[:80]!r} is no user id. {USER_RULE}")
    return name


def _is_name(name: str, longest: int, signs: frozenset[str]) -> bool:
    """Tell whether a name has letters, their combining marks, digits and these signs only."""
    return 1 <= len(name) <= longest and all(
        sign in signs or sign.isalnum() or unicodedata.category(sign).startswith("M") for sign in name
    )


def tag(*parts: str) -> str:
    """Return a hex hash that full text keeps as one token (so that names of any script can be required)."""
    return sha256("\x1f".join(parts).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Scope:
    """One group, the viewer on whose behalf the call runs, and what it may do.

    Raises:
        InvalidInput: the group or the viewer breaks its rule.
    """

    group: str
    viewer: str
    rights: frozenset[Right] = field(default=ALL_RIGHTS)

    def __post_init__(self) -> None:
        object.__setattr__(self, "group", check_group(self.group))
        object.__setattr__(self, "viewer", check_user(self.viewer, "viewer"))

    def require(self, right: Right) -> None:
        """Raise `AccessDenied` unless the scope has this right."""
        if right not in self.rights:
            raise AccessDenied(f"The right {right.value!r} is missing.")

    @property
    def audiences(self) -> list[str]:
        """The audiences whose atoms the viewer may see."""
        return [GROUP_AUDIENCE, self.viewer]

    def parameters(self) -> dict[str, object]:
        """Return the parameters that the store adds to every statement run under this scope."""
        return {"group_id": self.group, "audiences": self.audiences}


@dataclass(frozen=True, slots=True)
class System:
    """The scope of schema work, audits across groups and maintenance. `graph` makes it; the API cannot."""

    reason: str

    def parameters(self) -> dict[str, object]:
        """Return no parameters: a statement that names a group cannot run under this scope."""
        return {}
