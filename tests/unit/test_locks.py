"""The two locks: the demo's is the other one without a model's libraries, and names no place to download from."""

import re
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHOLE, DEMO = "requirements.lock", "requirements-demo.lock"
LEFT_OUT = "sentence-transformers"


@cache
def entries(lock: str) -> dict[str, set[str]]:
    """What a lock says of each package: version, marker and hashes, once for each entry."""
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    found: dict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        name, _, rest = line.partition("==")
        found[name].add(" ".join(rest.split()))
    return found


def name_of(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement)[0]


def test_every_pin_of_the_demo_is_one_of_the_whole_lock() -> None:
    assert {name: pins for name, pins in entries(DEMO).items() if entries(WHOLE)[name] != pins} == {}


def test_the_demo_has_all_that_is_required_but_other_models() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    required = {name_of(line) for line in project["project"]["dependencies"]}
    assert LEFT_OUT in required
    assert required - entries(DEMO).keys() == {LEFT_OUT}
    assert required <= entries(WHOLE).keys()
    assert {name_of(line) for line in project["dependency-groups"]["build"]} <= entries(DEMO).keys()


def test_the_demo_has_nothing_of_torch() -> None:
    heavy = re.compile(r"torch|triton|nvidia-|cuda-|transformers|scikit-learn|matplotlib")
    assert [name for name in entries(DEMO) if heavy.search(name)] == []


@pytest.mark.parametrize("lock", [WHOLE, DEMO])
def test_a_lock_has_hashes_and_names_no_host(lock: str) -> None:
    assert "://" not in (ROOT / lock).read_text("utf-8")
    assert [name for name, pins in entries(lock).items() if not all("--hash=sha256:" in pin for pin in pins)] == []
