"""The loader of statements: what a file must say of itself."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import cypher

TITLE = "// Count the atoms of a group.\n"
PARAM = "// param group_id  the group\n"
STATEMENT = "\nCYPHER 25\nMATCH (atom:Atom {group_id: $group_id})\nRETURN count(atom) AS atoms\n"

Write = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Keep a statement in a folder that the loader reads instead of its own, and return its name."""
    monkeypatch.setattr(cypher, "resources", SimpleNamespace(files=lambda _: tmp_path))
    caches = (cypher.query, cypher.names)

    def write(source: str, name: str = "tests/one") -> str:
        file = tmp_path / f"{name}.cypher"
        file.parent.mkdir(exist_ok=True)
        file.write_text(source, "utf-8")
        return name

    for cache in caches:
        cache.cache_clear()
    yield write
    for cache in caches:
        cache.cache_clear()


def test_a_statement_is_loaded_with_its_title_and_parameters(written: Write) -> None:
    query = cypher.query(written(TITLE + PARAM + STATEMENT))
    assert query.name == "tests/one"
    assert query.title == "Count the atoms of a group."
    assert query.params == {"group_id"}
    assert query.text == STATEMENT.strip()


def test_comments_are_not_sent_and_use_no_parameter(written: Write) -> None:
    commented = STATEMENT.replace("RETURN", "// Not $this one.\nRETURN")
    query = cypher.query(written(TITLE + PARAM + commented))
    assert query.params == {"group_id"}
    assert "Not" not in query.text


def test_a_title_of_several_lines_is_told_by_its_first(written: Write) -> None:
    assert cypher.query(written(TITLE + "// All of them.\n" + PARAM + STATEMENT)).title == TITLE[3:].strip()


@pytest.mark.parametrize(
    "source",
    [
        TITLE + STATEMENT,
        TITLE + PARAM + "// param limit  most rows\n" + STATEMENT,
        TITLE + "// param group  the group\n" + STATEMENT,
    ],
    ids=["undeclared", "unused", "misspelt"],
)
def test_declared_and_used_parameters_must_agree(written: Write, source: str) -> None:
    with pytest.raises(ValueError, match=r"tests/one declares .* but uses \['group_id'\]"):
        cypher.query(written(source))


@pytest.mark.parametrize(
    "source",
    [
        STATEMENT.lstrip(),
        PARAM + STATEMENT,
        "//\n" + PARAM + STATEMENT,
        "// \n" + PARAM + STATEMENT,
        "\n" + TITLE + PARAM + STATEMENT,
    ],
    ids=["none", "parameter first", "empty", "blank", "not first"],
)
def test_a_title_must_come_first(written: Write, source: str) -> None:
    with pytest.raises(ValueError, match="title"):
        cypher.query(written(source))


@pytest.mark.parametrize("statement", [STATEMENT.replace("CYPHER 25\n", ""), STATEMENT.replace("25", "5"), ""])
def test_a_statement_begins_with_the_language_version(written: Write, statement: str) -> None:
    with pytest.raises(ValueError, match="CYPHER 25"):
        cypher.query(written(TITLE + PARAM + statement))


def test_a_name_without_a_file_is_an_error(written: Write) -> None:
    written(TITLE + PARAM + STATEMENT)
    with pytest.raises(FileNotFoundError):
        cypher.query("tests/two")


def test_the_names_of_a_folder_are_sorted_and_only_of_statements(
    written: Callable[[str, str], str], tmp_path: Path
) -> None:
    for name in ("tests/b", "tests/a", "tests/notes.txt", "other/c"):
        written(TITLE + PARAM + STATEMENT, name)
    (tmp_path / "tests" / "readme.md").write_text("No statement.")
    assert cypher.names("tests") == ("tests/a", "tests/b", "tests/notes.txt")


def test_a_part_stands_where_it_is_included(written: Write) -> None:
    written("// What is shown.\n  .id,\n  .text\n", "parts/shown")
    include = STATEMENT.replace("count(atom) AS atoms", "atom {\n    // include shown,\n    more: 1\n  } AS atom")
    query = cypher.query(written(TITLE + PARAM + include))
    assert " ".join(query.text.split()).endswith("RETURN atom { .id, .text, more: 1 } AS atom")


def test_parameters_of_a_part_are_declared_by_who_includes_it(written: Write) -> None:
    written("// The bound.\nLIMIT $limit\n", "parts/bound")
    with pytest.raises(ValueError, match=r"uses \['group_id', 'limit'\]"):
        cypher.query(written(TITLE + PARAM + STATEMENT + "// include bound\n"))


def test_a_part_has_a_title(written: Write) -> None:
    written("LIMIT 1\n", "parts/bound")
    with pytest.raises(ValueError, match="parts/bound needs a title"):
        cypher.query(written(TITLE + PARAM + STATEMENT + "// include bound\n"))


def test_a_file_of_slots_is_two_statements(written: Write) -> None:
    written(TITLE + PARAM + STATEMENT.replace("atom:Atom", "atom_slot:Atom"), "tests/one_slot")
    assert cypher.names("tests") == ("tests/one_a", "tests/one_b")
    first, second = cypher.query("tests/one_a").text, cypher.query("tests/one_b").text
    assert "atom_a:Atom" in first
    assert first.replace("atom_a", "atom_b") == second
