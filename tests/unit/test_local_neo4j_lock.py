import json
import re
from pathlib import Path

import pytest

from graph import local_neo4j
from graph.local_neo4j.artifacts import Artifact, load_lock

LOCK = load_lock()
LOCK_FILE = Path(local_neo4j.__file__).with_name("artifacts.json")


def test_every_entry_is_complete() -> None:
    for artifact in LOCK.artifacts:
        assert artifact.group, artifact
        assert artifact.name, artifact
        assert artifact.version, artifact
        assert artifact.role in {"server", "gds", "browser", "graphiql"}, artifact
        assert artifact.size > 0, artifact
        assert re.fullmatch(r"[0-9a-f]{64}", artifact.sha256), artifact


def test_the_lock_names_no_host() -> None:
    text = LOCK_FILE.read_text("utf-8")

    assert "//" not in text
    assert {key for line in json.loads(text)["artifacts"] for key in line} == {"coordinates", "role", "size", "sha256"}


def test_no_artifact_is_listed_twice() -> None:
    names = [(a.group, a.name, a.classifier) for a in LOCK.artifacts]

    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("role", "coordinates"),
    [
        ("server", f"org.neo4j:neo4j:{LOCK.neo4j}"),
        ("server", f"org.neo4j.app:neo4j-server:{LOCK.neo4j}"),
        ("gds", "org.neo4j.gds:proc"),
        ("gds", "org.neo4j.gds:opengds-extension"),
        ("browser", "org.neo4j.client:neo4j-browser"),
        ("graphiql", "org.webjars.npm:graphiql"),
    ],
)
def test_what_is_asked_for_is_there(role: str, coordinates: str) -> None:
    assert [a for a in LOCK.of(role) if f"{a.coordinates}:".startswith(f"{coordinates}:")]


def test_a_classifier_is_part_of_the_file_name() -> None:
    artifact = Artifact.of(
        {"coordinates": "io.example.net:wire:1.2:linux-x86_64", "role": "server", "size": 1, "sha256": "AB" * 32}
    )

    assert artifact.coordinates == "io.example.net:wire:1.2:linux-x86_64"
    assert artifact.repository_path == "io/example/net/wire/1.2/wire-1.2-linux-x86_64.jar"
    assert artifact.jar(Path("cache")) == Path("cache", "jars", "ab" * 32, "wire-1.2-linux-x86_64.jar")
