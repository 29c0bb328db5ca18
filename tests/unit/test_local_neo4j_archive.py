"""A shell script stands in for Java, which is an outside part: it writes the archive it is told to, or fails."""

import os
import time
from pathlib import Path

import pytest

from graph.local_neo4j.archive import ABANDONED, ClassArchive
from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.home import ServerHome
from graph.local_neo4j.runtime import Java
from graph.local_neo4j.server import _start_failure
from graph.settings import Settings

WRITES = r"""#!/bin/sh
for word; do
  case $word in
    -XX:SharedClassListFile=*) classes=${word#*=} ;;
    -XX:SharedArchiveFile=*) archive=${word#*=} ;;
  esac
done
cp "$classes" "$archive"
printf x >>"$0.runs"
"""
FAILS = WRITES + "exit 1\n"


@pytest.fixture
def home(tmp_path: Path) -> ServerHome:
    home = ServerHome(tmp_path / "home")
    home.create()
    home.class_list.write_text("java/lang/Object\njava/lang/Str", "utf-8")
    home.console.write_text("", "utf-8")
    return home


def make_java(folder: Path, script: str) -> Java:
    executable = folder / "java"
    executable.write_text(script, "utf-8")
    executable.chmod(0o755)
    return Java(executable, "25.0.2", has_vector=False)


def archive_of(folder: Path, java: Java, sha256: str = "ab" * 32) -> ClassArchive:
    folder.joinpath("cache").mkdir(exist_ok=True)
    artifact = Artifact("org.example", "jar", "1.0", "", "server", 1, sha256)
    return ClassArchive.of([artifact], folder / "cache", java)


def wait_for_the_maker(archive: ClassArchive) -> None:
    deadline = time.monotonic() + 20
    while archive.file.with_suffix(".making").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_first_start_notes_classes_and_the_next_uses_the_archive(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    archive = archive_of(tmp_path, java)
    assert archive.start_flags(home) == [f"-XX:DumpLoadedClassList={home.class_list}"]

    archive.after_start(home, java)
    wait_for_the_maker(archive)

    assert archive.start_flags(home) == [f"-XX:SharedArchiveFile={archive.file}"]
    assert archive.file.read_text("utf-8") == "java/lang/Object\n"  # the last line was still being written


def test_an_archive_is_made_once(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    archive = archive_of(tmp_path, java)

    for _ in range(2):
        archive.after_start(home, java)
        wait_for_the_maker(archive)

    assert (tmp_path / "java.runs").read_text("utf-8") == "x"


def test_a_maker_that_fails_leaves_nothing(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, FAILS)
    archive = archive_of(tmp_path, java)

    archive.after_start(home, java)
    wait_for_the_maker(archive)

    assert not list(archive.file.parent.iterdir())


def test_what_another_command_makes_is_left_to_it_until_it_is_abandoned(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    archive = archive_of(tmp_path, java)
    making = archive.file.with_suffix(".making")
    making.mkdir(parents=True)

    archive.after_start(home, java)
    assert not (tmp_path / "java.runs").exists()
    long_ago = time.time() - ABANDONED - 1
    os.utime(making, (long_ago, long_ago))
    archive.after_start(home, java)
    wait_for_the_maker(archive)

    assert archive.file.is_file()


def test_another_java_or_another_jar_needs_another_archive(tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    newer = Java(java.executable, "25.0.3", has_vector=False)

    archives = {archive_of(tmp_path, java), archive_of(tmp_path, newer), archive_of(tmp_path, java, "cd" * 32)}

    assert len(archives) == 3


def test_outdated_archives_are_removed(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    old, new = archive_of(tmp_path, java), archive_of(tmp_path, java, "cd" * 32)
    for archive in (old, new):
        archive.after_start(home, java)
        wait_for_the_maker(archive)

    assert list(new.file.parent.iterdir()) == [new.file]


def test_an_archive_that_java_refused_is_removed(home: ServerHome, tmp_path: Path) -> None:
    java = make_java(tmp_path, WRITES)
    archive = archive_of(tmp_path, java)
    archive.after_start(home, java)
    wait_for_the_maker(archive)
    home.console.write_text("[0.037s][warning][cds] The shared archive file has been truncated.\n", "utf-8")

    archive.after_start(home, java)

    assert archive.start_flags(home) == [f"-XX:DumpLoadedClassList={home.class_list}"]


async def test_an_archive_that_java_may_have_crashed_on_is_removed(home: ServerHome, tmp_path: Path) -> None:
    archive = archive_of(tmp_path, make_java(tmp_path, WRITES))
    archive.file.parent.mkdir()
    archive.file.write_text("damaged", "utf-8")
    home.console.write_text(
        "#\n# An error report file with more information is saved as:\n# hs_err_pid1.log\n", "utf-8"
    )

    failure = await _start_failure(Settings(home=tmp_path, cache=tmp_path / "cache"), home)

    assert "Java crashed. Its class archive is removed" in str(failure)
    assert not archive.file.exists()
