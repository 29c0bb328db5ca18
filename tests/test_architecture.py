"""What must stay true of the code as a whole: its layers, its statements, its packaging."""

import ast
import os
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import api
import cypher
import graph

ROOT = Path(__file__).resolve().parents[1]
PARTS = "parts"  # of statements, which include them
FOLDERS = sorted(path.name for path in (ROOT / "cypher").iterdir() if any(path.glob("*.cypher")) and path.name != PARTS)
STATEMENTS = [name for folder in FOLDERS for name in cypher.names(folder)]
SHOWN = {f"timelines/{name}" for name in ("decisions", "standing", "timeline")}  # to a viewer, or at a viewer's word
READ_WHOLE = ("schema/", "audits/")  # these folders are run from end to end
SOURCES = sorted(path for package in ("graph", "api") for path in (ROOT / package).rglob("*.py"))
EVIDENCE = ROOT / "graph/search/evidence.py"  # the Cypher it makes is text for people, and is never run
LONGEST_MODULE = 350

CLAUSE = re.compile(r"\b(?:MATCH|MERGE|UNWIND|DETACH|FOREACH)\b|\b(?:CREATE|CALL|DELETE) *[({]|\bRETURN \w")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def literals(path: Path) -> tuple[str, ...]:
    """The texts that a module holds, docstrings left out; what an f-string fills in is shown as `{}`."""
    tree = ast.parse(path.read_text("utf-8"))
    filled = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    skipped = {id(part) for node in filled for part in node.values}
    skipped |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    whole = [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values) for node in filled
    ]
    plain = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in skipped]
    return (*whole, *(node.value for node in plain if isinstance(node.value, str)))


@cache
def statements_named(path: Path) -> tuple[re.Pattern[str], ...]:
    """What a module calls statements by: their names, or f-strings with something of a name filled in."""
    texts = [text for text in literals(path) if re.fullmatch(rf"(?:{'|'.join(FOLDERS)})/[a-z0-9_{{}}]+", text)]
    return tuple(re.compile("[a-z0-9_]+".join(map(re.escape, text.split("{}")))) for text in texts)


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of this test in an interpreter of its own."""
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603


# Layers


def test_imports_keep_the_contracts() -> None:
    check = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = run(check)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_modules_are_short() -> None:
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_the_front_door_is_sorted_and_opens() -> None:
    # In the order that the linter keeps: constants, then the rest.
    assert graph.__all__ == sorted(graph.__all__, key=lambda name: (not name.isupper(), name))
    assert len(set(graph.__all__)) == len(graph.__all__)
    for name in graph.__all__:
        assert getattr(graph, name) is not None


# Statements


def test_every_statement_is_in_a_folder() -> None:
    files = {path.relative_to(ROOT / "cypher").as_posix() for path in (ROOT / "cypher").rglob("*.cypher")}
    told = {re.sub("_[ab]$", "_slot", name) if f"{name}.cypher" not in files else name for name in STATEMENTS}
    assert {f"{name}.cypher" for name in told} == {file for file in files if not file.startswith(f"{PARTS}/")}
    assert len(files) > 40


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_loads_and_says_what_it_does(name: str) -> None:
    query = cypher.query(name)
    assert query.name == name
    assert len(query.title) > len("Find it.")
    assert ";" not in re.sub(r"'[^']*'", "", query.text), "one statement a file"


@pytest.mark.parametrize("name", [name for name in STATEMENTS if not name.startswith(READ_WHOLE)])
def test_a_statement_is_named_by_exactly_one_module(name: str) -> None:
    callers = [named(path) for path in SOURCES if any(one.fullmatch(name) for one in statements_named(path))]
    assert len(callers) == 1, callers


@pytest.mark.parametrize("folder", READ_WHOLE)
def test_a_folder_that_is_read_whole_is_read_by_one_module(folder: str) -> None:
    call = f'statements("{folder.rstrip("/")}")'
    readers = [named(path) for path in SOURCES if call in path.read_text("utf-8")]
    assert len(readers) == 1, readers


@pytest.mark.parametrize("path", [path for path in SOURCES if statements_named(path)], ids=named)
def test_a_module_names_no_statement_that_is_not_there(path: Path) -> None:
    for one in statements_named(path):
        assert any(one.fullmatch(name) for name in STATEMENTS), one.pattern


@pytest.mark.parametrize(
    "name", [name for name in STATEMENTS if name.startswith(("timelines/", "writing/", "search/"))]
)
def test_a_statement_about_a_group_is_bound_to_it(name: str) -> None:
    query = cypher.query(name)
    assert "group_id" in query.params
    shown = name.startswith("search/") or name in SHOWN
    if shown and re.search(r":[\w|]*\bAtom\b", query.text):
        assert "audiences" in query.params


def test_no_module_builds_cypher() -> None:
    built = {named(path): [text for text in literals(path) if CLAUSE.search(text)] for path in SOURCES}
    del built[named(EVIDENCE)]
    assert {path: texts for path, texts in built.items() if texts} == {}


def test_a_planted_statement_would_be_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""MATCH (in a docstring)."""\nlabel = "Atom"\nquery = f"MATCH (n:{label}) RETURN n"\n')
    assert [text for text in literals(module) if CLAUSE.search(text)] == ["MATCH (n:{}) RETURN n"]


@pytest.mark.parametrize("part", sorted(path.stem for path in (ROOT / "cypher" / PARTS).iterdir()))
def test_a_part_is_included_more_than_once(part: str) -> None:
    files = [path for path in (ROOT / "cypher").rglob("*.cypher") if f"// include {part}" in path.read_text("utf-8")]
    assert len(files) > 1, files


# Packaging


@pytest.mark.parametrize("package", ["graph", "api", "cypher"])
def test_the_top_level_packages_are_ours(package: str) -> None:
    assert set(packages_distributions().get(package, [])) <= {"fusegraph"}


def test_the_top_level_packages_come_from_this_checkout() -> None:
    for module in (graph, api, cypher):
        assert module.__file__ is not None
        assert Path(module.__file__).resolve() == ROOT / module.__name__ / "__init__.py"


def test_the_docker_folder_is_no_package() -> None:
    """With an `__init__.py` it would stand in the way of the Docker SDK."""
    assert (ROOT / "docker").is_dir()
    assert not (ROOT / "docker/__init__.py").exists()


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    home = re.compile(r"/(?:home|Users|root)/[\w.-]+/")
    texts = (*SOURCES, *(ROOT / "cypher").rglob("*.cypher"), *(ROOT / "bench").glob("*.py"))
    assert [named(path) for path in texts if home.search(path.read_text("utf-8"))] == []


def test_scripts_can_be_run() -> None:
    for path in [*(ROOT / "scripts").iterdir(), ROOT / ".ci/run"]:
        assert os.access(path, os.X_OK), path.name
