"""What exists is documented, and what is documented exists."""

import json
import re
from pathlib import Path

import pytest
from graphql import parse, validate

from api.readers import EventLine
from api.reference import page
from api.schema import schema
from graph.settings import Settings

ROOT = Path(__file__).parent.parent
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def _variables() -> list[str]:
    aliases = [field.validation_alias for field in Settings.model_fields.values()]
    return sorted(str(name) for alias in aliases for name in (getattr(alias, "choices", None) or [alias]))


@pytest.mark.parametrize("variable", _variables())
def test_every_setting_is_documented(variable: str) -> None:
    assert f"`{variable}`" in OPERATIONS


def test_no_setting_is_documented_that_does_not_exist() -> None:
    assert set(re.findall(r"`((?:FUSEGRAPH|NEO4J)_\w+)`", OPERATIONS)) <= set(_variables())


def test_the_api_reference_is_the_schema() -> None:
    assert (ROOT / "docs" / "api.md").read_text("utf-8") == page()


def test_the_readmes_event_line_is_one() -> None:
    (line,) = re.findall(r"^\{\"eventId\".*\}$", README, re.MULTILINE)
    assert EventLine.model_validate(json.loads(line)).event().event_id == "chat-0001"


def test_the_readmes_requests_are_json_that_the_schema_accepts() -> None:
    bodies = re.findall(r"<<'END'\n(.*?)\nEND", README, re.DOTALL)
    assert len(bodies) == 2
    for body in bodies:
        assert validate(schema._schema, parse(json.loads(body)["query"])) == []


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for one in pages:
        for target in re.findall(r"\]\(((?!http)[^)#]+)\)", one.read_text("utf-8")):
            assert (one.parent / target).exists(), f"{one.name}: {target}"


@pytest.mark.parametrize("name", ["decisions.md", "operations.md", "benchmarks.md"])
def test_pages_name_no_registry_and_no_machine(name: str) -> None:
    text = (ROOT / "docs" / name).read_text("utf-8")
    assert not re.search(r"https?://(?!127\.0\.0\.1|localhost)", text)


def test_every_dependency_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    decisions = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    names = [re.split(r"[<>=\[;]", line)[0] for line in project["dependencies"]]
    assert [name for name in names if name not in decisions] == []
