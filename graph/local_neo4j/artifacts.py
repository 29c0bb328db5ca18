"""The committed lock: every jar of the managed server, its size and its SHA-256."""

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Artifact:
    """One jar of a Maven repository; `role` is `server`, `gds`, `browser` or `graphiql`, `size` is in bytes."""

    group: str
    name: str
    version: str
    classifier: str
    role: str
    size: int
    sha256: str

    @classmethod
    def of(cls, line: dict[str, Any]) -> Self:
        """Read one entry of the lock file."""
        group, name, version, *classifier = line["coordinates"].split(":")
        return cls(group, name, version, "".join(classifier), line["role"], line["size"], line["sha256"].lower())

    @property
    def coordinates(self) -> str:
        """How people name it: `group:name:version`, with the classifier behind if it has one."""
        return ":".join(filter(None, (self.group, self.name, self.version, self.classifier)))

    @property
    def file_name(self) -> str:
        """The jar's name, in a repository and in the cache."""
        return "-".join(filter(None, (self.name, self.version, self.classifier))) + ".jar"

    @property
    def repository_path(self) -> str:
        """Where a Maven repository keeps it, below its base address."""
        return f"{self.group.replace('.', '/')}/{self.name}/{self.version}/{self.file_name}"

    def jar(self, cache: Path) -> Path:
        """Where the cache keeps it: by content, so that versions share what did not change."""
        return cache / "jars" / self.sha256 / self.file_name


@dataclass(frozen=True, slots=True)
class Lock:
    """The server's version and all its jars, with those of GraphiQL."""

    neo4j: str
    artifacts: tuple[Artifact, ...]

    def of(self, *roles: str) -> list[Artifact]:
        """The artifacts of some roles."""
        return [artifact for artifact in self.artifacts if artifact.role in roles]


def load_lock() -> Lock:
    """Read the lock that is shipped with the package."""
    content = json.loads((resources.files(__package__) / "artifacts.json").read_text("utf-8"))
    return Lock(content["neo4j"], tuple(Artifact.of(line) for line in content["artifacts"]))
