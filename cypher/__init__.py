"""The loader of the statements kept beside it, one to a file.

A file opens with its title and declares each parameter (`// param name  meaning`); then follows one statement
that begins with the language version. The path is the name: `search/atoms` is `cypher/search/atoms.cypher`.

What several statements share stands in `cypher/parts`: a line `// include atom` stands for `cypher/parts/atom.cypher`,
and keeps its comma. A file whose name ends in `_slot` is two statements, one for each place of vectors:
`search/seeds_a` is `cypher/search/seeds_slot.cypher` with `_a` wherever `_slot` stands. Both are text of files, and
never data.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import LiteralString, cast

_DECLARED = re.compile(r"^// param (\w+) ", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_USED = re.compile(r"\$(\w+)")
_INCLUDE = re.compile(r"^ *// include (\w+)(,?)$", re.MULTILINE)
_PARTS = "parts"
_SLOT, _SLOTS = "_slot", ("_a", "_b")


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
    source = _source(name)
    title = source.partition("\n")[0].removeprefix("//").strip()
    statement = _COMMENT.sub("", source).strip()
    used, declared = frozenset(_USED.findall(statement)), frozenset(_DECLARED.findall(source))
    if not source.startswith("// ") or not title or title.startswith("param ") or not statement.startswith("CYPHER 25"):
        raise ValueError(f"{name} needs a title line and a statement that begins with CYPHER 25")
    if used != declared:
        raise ValueError(f"{name} declares {sorted(declared)} but uses {sorted(used)}")
    return Query(name, title, cast("LiteralString", statement), used)  # type: ignore[redundant-cast]


def _source(name: str) -> str:
    """Return the text of a statement's file, with the parts that it includes, for its slot."""
    stem, slot = name[:-2], name[-2:]
    file = resources.files(__name__).joinpath(f"{stem}{_SLOT}.cypher")
    if slot not in _SLOTS or not file.is_file():
        file, slot = resources.files(__name__).joinpath(f"{name}.cypher"), ""
    source = _INCLUDE.sub(lambda line: _part(line[1]) + line[2], file.read_text("utf-8"))
    return source.replace(_SLOT, slot) if slot else source


def _part(name: str) -> str:
    """Return the text of a part, without the title that it opens with."""
    source = resources.files(__name__).joinpath(_PARTS, f"{name}.cypher").read_text("utf-8")
    if not source.startswith("// "):
        raise ValueError(f"{_PARTS}/{name} needs a title line")
    return _COMMENT.sub("", source).strip("\n")


@cache
def names(folder: str) -> tuple[str, ...]:
    """Return the names of all statements of a folder, sorted."""
    files = resources.files(__name__).joinpath(folder).iterdir()
    stems = [file.name.removesuffix(".cypher") for file in files if file.name.endswith(".cypher")]
    of_slots = [stem.removesuffix(_SLOT) + slot for stem in stems if stem.endswith(_SLOT) for slot in _SLOTS]
    return tuple(sorted(f"{folder}/{stem}" for stem in (*of_slots, *stems) if not stem.endswith(_SLOT)))
