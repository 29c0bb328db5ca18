"""MemFuseBench's harness without a server: what it reads, how it scores, and the pages it makes of a report."""

import json
import re
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import graph
from bench import cli, memfuse, memfuse_page, page
from bench.floor import SeededVectors
from bench.memfuse import Outcome, Remembering, report_of
from bench.memfuse_sets import Question, Scenario, described, may_see, read, read_all
from bench.memfusebench import generate
from bench.memfusebench.freeze import frozen
from bench.memfusebench.words import count_tokens
from graph.errors import InvalidInput
from graph.ports import Vectors, no_progress

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


def event(event_id: str, text: str = "Tea at two.", *, user: str = "ann", private: bool = False) -> graph.Event:
    return graph.Event(
        event_id=event_id, text=text, user_id=user, source_id="phone", visibility="private" if private else "group"
    )


def question(needs: str, *, category: str = "causal_reasoning", language: str = "en", viewer: str = "ann") -> Question:
    return Question("Why?", category, language, viewer, NOON, frozenset(needs.split()))


def scenario(*events: graph.Event, parts: str = "") -> Scenario:
    named = dict(zip((one.event_id for one in events), parts.split() or ["scene"] * len(events), strict=True))
    arrivals = [(NOON + timedelta(hours=number), one) for number, one in enumerate(events)]
    return Scenario("g", arrivals, [], named, {one.event_id: one for one in events}, {})


# Reading


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("set")
    began = perf_counter()
    generate(2, 6, "mixed", made, no_progress)
    assert perf_counter() - began < 120, "a whole set is made in less than two minutes"
    return made


def test_a_set_is_read_whole_and_in_order(folder: Path) -> None:
    scenarios = read(folder)
    assert [len(one.questions) for one in scenarios] == [60, 59] * 3
    for one in scenarios:
        assert len(one.arrivals) == len(one.events) == len(one.parts)
        assert [at for at, _ in one.arrivals] == sorted(at for at, _ in one.arrivals)
        asked = [question.asked_at for question in one.questions]
        assert asked == sorted(asked)
        for asked_question in one.questions:
            visible = one.visible(asked_question.viewer, asked_question.asked_at)
            shown = {event.event_id for (_, event), seen in zip(one.arrivals, visible, strict=True) if seen}
            assert asked_question.needs <= shown
    assert {question.language for one in scenarios for question in one.questions} == {"en", "zh"}


def test_a_set_is_frozen_only_byte_for_byte(folder: Path, tmp_path: Path) -> None:
    told = described(folder)
    assert (told["seed"], told["version"], told["frozen"]) == (2, frozen()["version"], True)
    assert told["limits"]["bm25_recall@20"][1] == "below 0.45"
    changed = Path(shutil.copytree(folder, tmp_path / "changed"))
    with (changed / "stages/6-noise.jsonl").open("a") as noise:
        noise.write("\n")
    assert described(changed)["frozen"] is False


def test_a_folder_without_a_set_and_a_set_given_twice_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"events\.jsonl.*fusegraph bench generate"):
        read(tmp_path)
    with pytest.raises(InvalidInput, match="mfb-2-1"):
        read_all([folder, folder])


def test_what_has_not_arrived_or_is_private_to_another_is_not_visible() -> None:
    one = scenario(event("a"), event("b", private=True), event("c", private=True, user="ben"), event("d"))
    assert one.visible("ann", NOON + timedelta(hours=2)) == [True, True, False, False]
    assert one.visible("ben", NOON + timedelta(hours=3)) == [True, False, True, True]
    assert may_see("ben", event("x", private=True, user="ben"))


# Scoring


def test_an_outcome_counts_leaks_distractors_and_tokens() -> None:
    one = scenario(
        event("good"),
        event("needed-noise"),
        event("noise", "Tea at three, 茶."),
        event("secret", private=True, user="ben"),
        parts="scene adversarial noise scene",
    )
    found = Outcome.of(one, question("good needed-noise"), ["noise", "secret", "good", "needed-noise"], 3.0)
    assert found.leaks == 1
    assert found.distractors == 0.25
    assert found.tokens == sum(count_tokens(e.text) for e in one.events.values())
    nothing = Outcome.of(one, question("good"), [], 3.0)
    assert (nothing.leaks, nothing.distractors, nothing.tokens) == (0, 0, 0)


def outcome(
    needs: str, found: str, category: str = "causal_reasoning", language: str = "en", ms: float = 2.0
) -> Outcome:
    one = scenario(*(event(event_id) for event_id in "abcdef"))
    return Outcome.of(one, question(needs, category=category, language=language), found.split(), ms)


def test_a_report_has_every_figure_overall_by_category_and_by_language() -> None:
    ours = {
        "s1": [outcome("a b", "a b"), outcome("a b", "a c", "information_fusion")],
        "s2": [outcome("a", "b", language="zh")],
    }
    report = report_of(ours, ours)
    assert report["recall@20"] == 0.5
    assert report["all@20"] == 0.3333
    assert report["interval95"]["recall@20"] == (0.0, 0.75)
    assert report["by_category"]["causal_reasoning"]["recall@20"] == 0.5
    assert report["by_category"]["information_fusion"]["recall@20"] == 0.5
    assert report["by_language"]["zh"]["recall@20"] == 0
    per_part = {"recall@10", "recall@20", "all@20", "interval95", "leaks", "distractor_share@20", "tokens@20"}
    for part in (report, *report["by_category"].values(), *report["by_language"].values()):
        assert per_part <= part.keys()
    assert report["latency_ms"] == {"p50": 2.0, "p95": 2.0}
    assert "against_fusegraph" not in report


def test_a_difference_is_taken_question_by_question() -> None:
    hard_and_easy = [outcome("a b c d", "a"), outcome("a", "a")]
    worse = [outcome("a b c d", "", ms=0.0), outcome("a", "b", ms=0.0)]
    told = report_of({"s1": worse, "s2": worse}, {"s1": hard_and_easy, "s2": hard_and_easy})
    assert told["against_fusegraph"] == {"recall@20": -0.625, "interval95": (-0.625, -0.625)}
    assert "latency_ms" not in told  # baselines are not timed


def test_every_part_of_the_ranking_has_an_ablation_that_changes_only_it() -> None:
    whole = memfuse.SYSTEMS[memfuse.OURS]
    assert whole == graph.WEIGHTS
    off = set()
    for name, weights in memfuse.SYSTEMS.items():
        differing = [
            part for part in ("arms", "asked", "signs", "hops") if getattr(weights, part) != getattr(whole, part)
        ]
        assert len(differing) == (name != memfuse.OURS), name
        off |= {part for part in differing if part != "arms"}
        off |= {arm for arm in whole.arms if weights.arms[arm] != whole.arms[arm]}
    assert off == {*whole.arms, "asked", "signs", "hops"}


class Counting(SeededVectors):
    """Counts what it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return super().passages(texts)


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1), min_size=1))
def test_a_text_is_embedded_once_and_gives_what_it_gave(calls: list[list[str]]) -> None:
    inner = Counting()
    remembering = Remembering(inner)
    for texts in calls:
        assert np.array_equal(remembering.passages(texts), SeededVectors().passages(texts))
    assert inner.embedded == len({text for texts in calls for text in texts})
    assert remembering.query_ms == []
    remembering.queries(["e", "e", "f"])
    remembering.queries(["f"])
    assert len(remembering.query_ms) == 1


# Pages


@pytest.fixture
def report() -> dict[str, Any]:
    ours = {
        f"s{number}": [outcome("a b", "a b c"), outcome("a", "c", "information_fusion", "zh"), outcome("b", "b")]
        for number in range(3)
    }
    theirs = {group: [outcome("a b", "c", ms=0.0), *asked[1:]] for group, asked in ours.items()}
    limits = {"bm25_recall@20": [0.17, "below 0.45"]}
    return {
        "bench": "memfuse",
        "data": ["seed-1"],
        "scenarios": 2,
        "sets": {"seed-1": {"seed": 1, "version": "1.0", "frozen": False, "limits": limits}},
        "questions": 9,
        "metrics": {"overall": {}, "by_category": {"causal_reasoning": {}, "information_fusion": {}}},
        "systems": {"<b&m>": report_of(theirs, ours), "fusegraph": report_of(ours, ours)},
        "ablations": {"without paths": report_of(theirs, ours)},
        "clusters": memfuse.NOT_RUN,
        "verdicts": memfuse.verdict_figures([("ADD", "ADD"), ("NOOP", "UPDATE"), ("UPDATE", "none")]),
        "settings": {"limit": 20},
        "versions": {"neo4j": "x"},
    }


def test_the_page_shows_every_system_and_what_was_not_run_and_needs_nothing_beside_it(report: dict[str, Any]) -> None:
    made = memfuse_page.html(report)
    assert made.count('<img src="data:image/svg+xml;base64,') == 4
    assert "&lt;b&amp;m&gt;" in made
    assert "<b&m>" not in made
    assert "without paths" in made
    assert "<li>clusters: not run" in made
    assert "<li>verdicts" not in made
    assert "<tr><td>all</td><td>3</td><td>0.333</td></tr>" in made
    assert "Wrong replacements: 1 of 2." in made
    assert "0 in every system" in made
    assert "not reproduced" in made
    assert "below 0.45" in made
    assert not re.search(r"https?://|<script|<link", made)
    assert "$" not in made
    assert memfuse_page.html(report) == made


def test_the_page_names_the_systems_that_leak(report: dict[str, Any]) -> None:
    report["systems"]["fusegraph"]["leaks"] = 2
    assert "<strong>fusegraph 2</strong>" in memfuse_page.html(report)


def test_the_command_makes_the_page_of_a_report_that_is_kept_or_printed(report: dict[str, Any], tmp_path: Path) -> None:
    kept, out = tmp_path / "kept.json", tmp_path / "page.html"
    for written in (report, {"memfuse": report}):
        kept.write_text(json.dumps(written), "utf-8")
        out.unlink(missing_ok=True)
        result = CliRunner().invoke(cli.app, ["memfuse-page", str(kept), "--out", str(out)])
        assert result.exit_code == 0, result.output
        assert "fusegraph" in out.read_text("utf-8")
    kept.write_text('{"bench": "locomo"}', "utf-8")
    result = CliRunner().invoke(cli.app, ["memfuse-page", str(kept), "--out", str(out)])
    assert result.exit_code == 1
    assert "no report" in result.stderr


@pytest.mark.parametrize("name", ["README.md", "docs/benchmarks.md"])
def test_the_figures_of_a_page_are_those_of_the_results(name: str) -> None:
    shown = (ROOT / name).read_text("utf-8")
    assert "<!-- figures: " in shown
    assert page.filled(shown) == shown
    assert page.filled(shown.replace("| 0.", "| 7.")) == shown
