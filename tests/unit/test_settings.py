"""What is read of the environment, and what is not."""

from pathlib import Path

import pytest

from graph.settings import PACKAGED_MODEL, Settings


def test_variables_that_mean_other_things_are_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CACHE", "HEAP", "HOST", "JAVA", "MIRROR", "MODEL", "PORT"):
        monkeypatch.setenv(name, "7")
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = Settings()
    assert settings.home != tmp_path
    assert settings.cache != Path("7")
    assert (settings.heap, settings.java, settings.mirror) == (None, None, None)
    assert (settings.host, settings.port, settings.model) == ("127.0.0.1", 8474, PACKAGED_MODEL)


def test_ours_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FUSEGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("FUSEGRAPH_PORT", "7")
    monkeypatch.setenv("NEO4J_USER", "ann")
    settings = Settings()
    assert (settings.home, settings.port, settings.neo4j_username) == (tmp_path, 7, "ann")
