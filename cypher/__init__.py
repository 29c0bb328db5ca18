"""The loader of the statements kept beside it, one to a file.

A file opens with its title and declares each parameter (`// param name  meaning`); then follows one statement
that begins with the language version. The path is the name: `search/seeds` is `cypher/search/seeds.cypher`.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import LiteralString, cast

_DECLARED = re.compile(r"^// param (\w+) ", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_USED = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Query:
    """One statement: its name, its title, its text, and the parameters it takes."""

    name: str
    title: str
    text: LiteralString
    params: frozenset[str]


@cache
def query(name: str) -> Query:
    """Return the statement kept in `cypher/<name>.cypher`.

    Raises:
        ValueError: the header has no title, or declares other parameters than the statement uses.
    """
    source = resources.files(__name__).joinpath(f"{name}.cypher").read_text("utf-8")
    title = source.partition("\n")[0].removeprefix("//").strip()
    statement = _COMMENT.sub("", source).strip()
    used, declared = frozenset(_USED.findall(statement)), frozenset(_DECLARED.findall(source))
    if not source.startswith("// ") or not title or title.startswith("param ") or not statement.startswith("CYPHER 25"):
        raise ValueError(f"{name} needs a title line and a statement that begins with CYPHER 25")
    if used != declared:
        raise ValueError(f"{name} declares {sorted(declared)} but uses {sorted(used)}")
    return Query(name, title, cast("LiteralString", statement), used)  # type: ignore[redundant-cast]


@cache
def names(folder: str) -> tuple[str, ...]:
    """Return the names of all statements of a folder, sorted."""
    files = resources.files(__name__).joinpath(folder).iterdir()
    stems = (file.name.removesuffix(".cypher") for file in files if file.name.endswith(".cypher"))
    return tuple(sorted(f"{folder}/{stem}" for stem in stems))
