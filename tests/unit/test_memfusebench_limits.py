"""The limits and the review of MemFuseBench, that the same seed gives the same bytes, and its command."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bench.generating import generate_command
from bench.memfusebench import VERSION, filtering, library, scenario
from bench.memfusebench.asking import supports
from bench.memfusebench.freeze import REPORTING, TUNING, frozen, hashes
from bench.memfusebench.measures import bm25_recall
from bench.memfusebench.model import Fault, Question
from bench.memfusebench.report import LIMITS, broken
from bench.memfusebench.review import NotCorrected, reviewed
from bench.memfusebench.words import jaccard
from tests.memfusebench import LIBRARY, SEED, Set, made, read

# The limits


def test_a_set_keeps_to_every_limit(whole: Set) -> None:
    assert whole.report["broken_limits"] == []
    overall = whole.report["overall"]
    assert overall["bm25_recall@20"] < 0.45
    assert overall["source_likeness"] <= 0.2
    assert overall["worded_links"] <= 0.3
    assert overall["second_hop"] >= 0.3
    assert overall["carried_why_questions"] >= 40


def test_each_language_keeps_to_the_limits_of_texts(plain: Set) -> None:
    assert plain.report["broken_limits"] == []


def test_a_broken_limit_is_told() -> None:
    figures = {"bm25_recall@20": 0.45, "source_likeness": 0.2, "worded_links": 0.31, "second_hop": 0.3}
    told = broken(figures | {"carried_why_questions": 39})
    assert [line.split()[0] for line in told] == ["bm25_recall@20", "worded_links", "carried_why_questions"]
    assert broken(figures | {"carried_why_questions": 9}, whole=False) == told[:2]


def test_bm25_finds_what_says_the_questions_own_words() -> None:
    one = scenario.build(library.load(), SEED, 0, "en")
    question = one.questions[0]
    event = one.asker.events[question.evidence[0]]
    easy = replace(question, text=event.text, evidence=(event.id,))
    assert bm25_recall(one.streams.events, [easy]) == [1.0]


def test_bm25_ranks_only_what_has_arrived() -> None:
    one = scenario.build(LIBRARY, SEED, 0, "en")
    question = one.questions[0]
    event = one.asker.events[question.evidence[0]]
    early = replace(question, text=event.text, evidence=(event.id,), asked_at=event.arrives)
    assert bm25_recall(one.streams.events, [early]) == [0.0]


# The review


def test_a_review_repairs_until_nothing_is_left_and_keeps_what_it_found() -> None:
    def check(state: int) -> list[Fault]:
        return [Fault("too_low", str(state), "")] if state < 3 else []

    state, rounds = reviewed(0, check, lambda state, _: state + 1)
    assert state == 3
    assert [review.round for review in rounds] == [1, 2, 3]
    with pytest.raises(NotCorrected):
        reviewed(0, check, lambda state, _: state)


Spoil = Callable[[Question, scenario.Scenario], Question]

SPOILT: dict[str, Spoil] = {
    "answer_in_question": lambda q, _: replace(q, text=f"{q.text} {q.checklist[0].any_of[0]}"),
    "item_without_evidence": lambda q, _: replace(q, evidence=q.evidence[:1]),
    "one_event_passes": lambda q, _: replace(q, checklist=q.checklist[:1]),
    "evidence_too_late": lambda q, s: replace(q, asked_at=s.asker.events[q.evidence[-1]].arrives),
    "no_way_in": lambda q, _: replace(q, text="Zyx?"),
    "evidence_left_out": lambda q, s: replace(q, evidence=_without_one_of_two(q, s)),
}


def _without_one_of_two(question: Question, one: scenario.Scenario) -> tuple[str, ...]:
    """Leave out an event that holds a fact which another holds, too."""
    for item in question.checklist:
        holders = [key for key in question.evidence if supports(one.asker.events[key], item)]
        if len(holders) > 1:
            return tuple(key for key in question.evidence if key != holders[0])
    return question.evidence


@pytest.mark.parametrize("rule", SPOILT)
def test_a_spoilt_question_is_dropped(rule: str) -> None:
    one = scenario.build(library.load(), SEED, 0, "en")
    rules = filtering.Rules(one.asker)
    assert not [question.id for question in one.questions if rules.fault_of(question)]
    faults = [rules.fault_of(SPOILT[rule](question, one)) for question in one.questions]
    assert rule in {fault.rule for fault in faults if fault}


# The same bytes


def test_a_scenario_does_not_depend_on_how_many_there_are(whole: Set, tmp_path: Path) -> None:
    alone = made(tmp_path, SEED, 1, "mixed")
    group = alone.arrivals[0]["group"]
    assert alone.arrivals == [line for line in whole.arrivals if line["group"] == group]
    assert alone.labels == [line for line in whole.labels if line["group"] == group]


@pytest.mark.parametrize(("hashing", "zone"), [("0", "Pacific/Kiritimati"), ("12345", "America/St_Johns")])
def test_the_same_seed_gives_the_same_bytes_whatever_the_process(
    whole: Set, tmp_path: Path, hashing: str, zone: str
) -> None:
    code = (
        "import sys; from pathlib import Path; from bench.memfusebench import generate; "
        "from graph.ports import no_progress; generate(1, 3, 'mixed', Path(sys.argv[1]), no_progress)"
    )
    environment = os.environ | {"PYTHONHASHSEED": hashing, "TZ": zone}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=environment, timeout=120)  # noqa: S603
    groups = {line["group"] for line in read(tmp_path / "events.jsonl")}
    for name in ("events.jsonl", "questions.jsonl", "unanswerable.jsonl", "labels.jsonl", "stages/2-timeline.jsonl"):
        mine = [line for line in (whole.folder / name).read_bytes().splitlines() if json.loads(line)["group"] in groups]
        assert mine == (tmp_path / name).read_bytes().splitlines()


def test_another_seed_gives_other_people_and_scenes(whole: Set, tmp_path: Path) -> None:
    other = made(tmp_path, SEED + 1, 1, "mixed")
    first = [line for line in whole.arrivals if line["group"] == whole.arrivals[0]["group"]]
    people = [{line["event"]["userId"] for line in lines} for lines in (first, other.arrivals)]
    texts = [{line["event"]["text"] for line in lines} for lines in (first, other.arrivals)]
    assert people[0] != people[1]
    assert jaccard(frozenset(texts[0]), frozenset(texts[1])) < 0.2


def test_the_frozen_seeds_keep_to_the_limits_and_one_of_them_is_what_is_generated(whole: Set) -> None:
    kept = frozen()
    assert kept["version"] == VERSION
    assert kept["seeds"].keys() == kept["figures"].keys() == {str(seed) for seed in (*TUNING, *REPORTING)}
    for figures in kept["figures"].values():
        assert broken(figures) == []
        assert LIMITS.keys() <= figures.keys()
        assert (figures["events"], figures["questions"]) == (7823, 357)
    assert kept["seeds"][str(SEED)] == hashes(whole.folder)


def test_a_foreign_file_in_the_folder_of_a_set_changes_no_hash(whole: Set, tmp_path: Path) -> None:
    copied = tmp_path / "set"
    shutil.copytree(whole.folder, copied)
    (copied / "notes.txt").write_text("mine", "utf-8")
    assert hashes(copied) == hashes(whole.folder)
    assert len(hashes(copied)) == 11
    (copied / "events.jsonl").write_text("", "utf-8")
    assert hashes(copied) != hashes(whole.folder)


# The command


def test_the_command_writes_a_set_and_prints_its_report_as_json(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(generate_command)
    result = CliRunner().invoke(
        app, ["--seed", "2", "--scenarios", "1", "--lang", "zh", "--out", str(tmp_path), "--json"]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["overall"]["events"] == 1304
    assert (tmp_path / "events.jsonl").exists()


def test_the_command_asks_for_a_folder() -> None:
    app = typer.Typer()
    app.command()(generate_command)
    result = CliRunner().invoke(app, ["--seed", "2"])
    assert result.exit_code == 1
    assert "--out" in result.stderr
