"""The figures that pages show are of the code as it is, or say why they still stand."""

import json

import pytest

from bench import page
from bench.measured import MEASURES, code_of, noted
from graph.errors import InvalidInput

KEPT = json.loads((page.RESULTS / f"{page.NOW}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", MEASURES)
def test_a_shown_figure_is_no_older_than_the_code_it_measures(name: str) -> None:
    report, now = KEPT[name], code_of(name)
    note = noted().get(name, {})
    assert report["code"] == now or (note.get("code") == now and len(note["note"]) > len("It is faster.")), (
        f"{name} was measured on {report['date']}, and what it measures has changed. Run `fusegraph bench all`, or "
        f'say in bench/results/notes.json why it still stands: {{"{name}": {{"code": "{now}", "note": "..."}}}}'
    )


@pytest.mark.parametrize("name", MEASURES)
def test_a_shown_figure_is_in_the_history_of_its_day(name: str) -> None:
    report = KEPT[name]
    told = json.loads((page.HISTORY / f"{report['date']}.json").read_text("utf-8"))[name]
    assert told["code"] == report["code"]
    assert any(part in told for part in ("metrics", "ratios", "loads"))


def test_code_has_a_digest_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len({code_of(name) for name in MEASURES}) == len(MEASURES) - 1, "LoCoMo and LifeBench measure the same"
    monkeypatch.setitem(MEASURES, "locomo", ("graph/search/ranking.py",))
    assert code_of("locomo") != code_of("lifebench")


def test_the_first_state_is_not_replaced() -> None:
    with pytest.raises(InvalidInput, match="first state"):
        page.keep(page.FIRST, {"locomo": {}})
