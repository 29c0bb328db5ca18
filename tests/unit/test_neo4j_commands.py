import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from api.neo4j_commands import app


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FUSEGRAPH_HOME", str(tmp_path))
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.usefixtures("home")
def test_status_where_nothing_runs_says_so_and_ends_with_1() -> None:
    result = invoke("status", "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"running": False}


@pytest.mark.usefixtures("home")
def test_status_is_readable_without_json() -> None:
    assert invoke("status").stdout == "running  False\n"


@pytest.mark.usefixtures("home")
def test_stop_where_nothing_runs_is_no_error() -> None:
    result = invoke("stop", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"stopped": False}


def test_logs_prints_the_end_of_the_log(home: Path) -> None:
    logs = home / "neo4j" / "logs"
    logs.mkdir(parents=True)
    (logs / "neo4j.log").write_text("first\nsecond\nthird\n", "utf-8")

    assert invoke("logs", "--lines", "2").stdout == "second\nthird\n"


@pytest.mark.usefixtures("home")
def test_a_known_error_is_one_line_on_standard_error_and_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://db.example:7687")

    result = invoke("start", "--json")

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        "The managed Neo4j server could not do what was asked. "
        "NEO4J_URI is set, so that server is used and none is started here.\n"
    )


@pytest.mark.usefixtures("home")
def test_a_setting_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUSEGRAPH_HEAP", "much")

    result = invoke("start")

    assert result.exit_code == 1
    assert result.stderr.startswith("FUSEGRAPH_HEAP: ")
