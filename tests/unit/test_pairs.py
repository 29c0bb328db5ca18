"""The labelled pairs are what the benchmark takes them for."""

import json
from pathlib import Path

import pytest

from graph.timelines.decide import Verdict

PAIRS = Path(__file__).parents[2] / "bench" / "pairs"
FILES = sorted(PAIRS.glob("*.jsonl"))


def rows(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_form(file: Path) -> None:
    for row in rows(file):
        assert row.keys() == {"lang", "key", "old", "new", "expected"}
        assert row["lang"] in ("en", "zh")
        assert row["expected"] in set(Verdict) - {Verdict.REFUSED}
        for side in (row["old"], row["new"]):
            assert isinstance(side, dict)
            assert side.keys() == {"text", "value"}
            assert side["text"].strip()
            assert row["key"] is not None or side["value"] is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_pair_twice(file: Path) -> None:
    lines = [json.dumps({**row, "expected": ""}, sort_keys=True) for row in rows(file)]
    assert len(lines) == len(set(lines))


def test_what_is_asked_of_the_pairs() -> None:
    tuning = rows(PAIRS / "tuning.jsonl")
    assert len(tuning) >= 600
    assert {row["lang"] for row in tuning} == {"en", "zh"}
    assert len({row["key"] for row in tuning if row["key"]}) >= 40
    assert sum(row["key"] is None for row in tuning) >= 200
    for lang in ("en", "zh"):
        verdicts = {row["expected"] for row in tuning if row["lang"] == lang}
        assert verdicts == set(Verdict) - {Verdict.REFUSED}
