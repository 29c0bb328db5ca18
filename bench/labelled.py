"""Labelled pairs: what was known, what is said now, and the verdict that it must get; and their files. Pure."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from graph.errors import InvalidInput
from graph.timelines.said import Act, Verdict

SPEAKER: Final = "ann"
"""Who says a statement whose pair names nobody; what is said is about its speaker."""

CIRCUMSTANCES: Final = ("subject", "speaker", "source", "act")
"""What a row may say of its new statement (of both: `subject`), and either statement of itself."""

_FOR_THE_USER: Final = frozenset(("ann", "user", "assistant", "agent", "crm", "device", "note", "system", "bot"))
"""Speakers who say a statement themselves, or write it down in the user's name: it is the user's."""

_SIDE: Final = frozenset({"text", "value", *CIRCUMSTANCES})
_FORM: Final = '{"lang", "key", "old": {"text", "value"}, "new": {"text", "value"}, "expected": a verdict}'


@dataclass(frozen=True, slots=True)
class Spoken:
    """One statement of a pair. `subject` None: it is about its speaker; `act` None: its wording tells what it does."""

    text: str
    value: str | None = None
    subject: str | None = None
    speaker: str = SPEAKER
    source: str | None = None
    act: Act | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled pair; `set` names the set that it comes from, where its file holds several."""

    lang: str
    key: str | None
    old: Spoken
    new: Spoken
    expected: Verdict
    set: str = ""

    def saying(self, text: str, *, old: str | None = None) -> "Pair":
        """Return the pair with another text of the new statement, and of the old one where it is given."""
        told = self.old if old is None else replace(self.old, text=old)
        return replace(self, old=told, new=replace(self.new, text=text))


def read_pairs(path: Path, name: str | None = None) -> list[Pair]:
    """Read a file of pairs, one JSON object a line, compressed where its name ends with `.gz`.

    `name` chooses the pairs of one set.

    Raises:
        InvalidInput: naming the line that is no pair; or the file holds none of the set.
    """
    whole = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    pairs = []
    for number, line in enumerate(whole.decode("utf-8").split("\n"), 1):
        if line.strip():
            try:
                pair = pair_of(json.loads(line))
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise InvalidInput(
                    f"{path}:{number}: It is no labelled pair ({error}); write it as {_FORM}."
                ) from error
            if name in (None, pair.set):
                pairs.append(pair)
    if not pairs:
        raise InvalidInput(f"{path}: It holds no pairs{f' of the set {name}' if name else ''}.")
    return pairs


def pair_of(row: Mapping[str, Any]) -> Pair:
    """Return the pair that a row of a file holds.

    Raises:
        ValueError: the value of a field is not allowed; KeyError: one is missing. Other fields are passed over.
    """
    about = {name: row[name] for name in CIRCUMSTANCES if row.get(name) is not None}
    subject = {name: about[name] for name in ("subject",) if name in about}
    lang, key = row["lang"], row["key"]
    if lang not in ("en", "zh"):
        raise ValueError(f"lang {lang!r}")
    old, new = _spoken({**subject, **row["old"]}, key), _spoken({**about, **row["new"]}, key)
    return Pair(lang, key, old, new, Verdict(row["expected"]), row.get("set") or "")


def _spoken(side: Mapping[str, Any], key: str | None) -> Spoken:
    given = {name: value for name, value in side.items() if value is not None and name in _SIDE}
    if key is None:
        given.pop("value", None)  # without a key the text alone counts
    if str(given.get("speaker", "")).casefold() in _FOR_THE_USER:
        given.pop("speaker")
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
    act = Act(given.pop("act")) if "act" in given else None
    return Spoken(**{"text": side["text"], **given}, act=act)
