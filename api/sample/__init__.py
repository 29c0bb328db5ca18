"""The demo's own sample: two people, one home in Freiburg, five weeks in spring 2026.

Mira and Jun, their phones, watches and mail, a shared calendar and the devices of the house tell one story in
pieces. Events are in the order of arrival, so a few come late. Entities are named as the sender knows them,
also where the text only says "she", "the tins" or the Chinese word: that joins sources and languages.
"""

import json
from importlib.resources import files
from typing import Any, cast

_HERE = files(__name__)


def events() -> list[dict[str, Any]]:
    """Return the events, each with the field names that `recordEvents` takes; absent fields are left out."""
    lines = (_HERE / "household.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def questions() -> list[dict[str, Any]]:
    """Return the questions to ask of the sample.

    Each has `question`, `viewer`, `kind`, `askedAt` (ISO-8601), `needs` (ids of the events that answer it
    together) and `about` (why one source is not enough); where privacy is at stake also `mustNotShow` (ids
    of the events that the viewer may not see).
    """
    text = (_HERE / "questions.json").read_text(encoding="utf-8")
    return cast("list[dict[str, Any]]", json.loads(text))
