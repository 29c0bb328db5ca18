"""Writes the figures of `bench/results` into the pages that show them, between markers."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measured import MEASURES, code_of
from bench.memfusebench.freeze import REPORTING, TUNING, frozen
from bench.memfusebench.report import LIMITS
from graph.errors import InvalidInput

FIRST = "spine"
NOW = "current"
"""Names in `bench/results`: the figures of the first state, and those of the state at hand."""

RESULTS = Path(__file__).parent / "results"
HISTORY = RESULTS / "history"
_TOLD = (
    "date",
    "code",
    "data",
    "questions",
    "metrics",
    "ratios",
    "latency_ms",
    "ingest",
    "loads",
    "settings",
    "versions",
)
_ROOT = Path(__file__).parent.parent
_PAGES = (_ROOT / "README.md", _ROOT / "docs" / "benchmarks.md")
_BLOCK = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)

Report = Mapping[str, Any]


def keep(name: str, reports: Mapping[str, Report]) -> None:
    """Keep reports beside those that stand under a name already, and write the pages anew.

    Those of the present state are dated, and what they show is added to the history of that day.

    Raises:
        InvalidInput: the first state's figures would be replaced.
    """
    RESULTS.mkdir(exist_ok=True)
    if name == NOW:
        day = datetime.now(UTC).date().isoformat()
        reports = {part: _dated(part, report, day) for part, report in reports.items()}
        _remember(day, reports)
    kept = RESULTS / f"{name}.json"
    before = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    if name == FIRST and (there := sorted(before.keys() & reports.keys())):
        raise InvalidInput(f"{name}: It keeps the first state's {', '.join(there)}, which later figures stand beside.")
    kept.write_text(json.dumps({**before, **reports}, indent=1) + "\n", "utf-8")
    write_pages()


def _dated(name: str, report: Report, day: str) -> Report:
    return {**report, "date": day, **({"code": code_of(name)} if name in MEASURES else {})}


def _remember(day: str, reports: Mapping[str, Report]) -> None:
    """Add to the history of a day what a page could show of reports; single rows are left out."""
    HISTORY.mkdir(exist_ok=True)
    kept = HISTORY / f"{day}.json"
    before = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    told = {name: {part: report[part] for part in _TOLD if part in report} for name, report in reports.items()}
    kept.write_text(json.dumps({**before, **told}, indent=1) + "\n", "utf-8")


def write_pages() -> list[Path]:
    """Fill every block of every page; return the pages that changed.

    Raises:
        KeyError: a page asks for figures that no command makes.
    """
    changed = []
    for page in _PAGES:
        before = page.read_text("utf-8")
        after = filled(before)
        if after != before:
            page.write_text(after, "utf-8")
            changed.append(page)
    return changed


def filled(text: str) -> str:
    """Return a page's text with the figures of this moment in its blocks."""
    return _BLOCK.sub(lambda block: f"{block[1]}{FIGURES[block[2]]()}{block[3]}", text)


def _spine() -> Mapping[str, Report]:
    found: Mapping[str, Report] = json.loads((RESULTS / "spine.json").read_text("utf-8"))
    return found


def _table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _summary() -> str:
    rows = []
    for name, title, part in (
        ("locomo", "LoCoMo, categories 1-4", "categories 1-4"),
        ("lifebench", "LifeBench", "overall"),
    ):
        for state, report in (("", _current(name)), (", first state", _spine()[name])):
            figures = report["metrics"][part]
            rows.append([f"{title}{state}", figures["recall@10"], figures["recall@20"], report.get("date", "")])
    return _table(["set", "recall@10", "recall@20", "measured"], rows)


def _recall(name: str) -> str:
    report = _current(name)
    metrics = report["metrics"]
    parts = {key: value for key, value in metrics.items() if key != "by_category"}
    parts |= {f"category {key}": value for key, value in metrics["by_category"].items() if value["questions"]}
    columns = ["questions", "recall@5", "recall@10", "recall@20", "recall@50", "hit@5", "all@20"]
    table = _table([name, *columns], [[part, *(row[column] for column in columns)] for part, row in parts.items()])
    return f"Measured {report.get('date', 'in the first state')}.\n\n{table}"


def _cost() -> str:
    states = [("", _current), (", first state", lambda name: _spine()[name])]
    rows = [
        [
            f"{name}{state}",
            report["latency_ms"]["p50"],
            report["latency_ms"]["p95"],
            report["latency_ms"]["embedding_p50"],
            report["ingest"]["per_second"],
        ]
        for name in ("locomo", "lifebench")
        for state, of in states
        for report in (of(name),)
    ]
    ratios, first = _current("floor")["ratios"], _spine()["floor"]["ratios"]
    return (
        _table(["set", "search p50, ms", "p95, ms", "embedding p50, ms", "atoms/s with embedding"], rows)
        + "\n"
        + _table(
            ["ratio to the database alone, in one run", "now", "first state"],
            [
                ["writing, to hand-written UNWIND of the same graph", ratios["write"], first["write"]],
                [
                    "search p50 without embedding, to one raw filtered vector query",
                    ratios["search_p50"],
                    first["search_p50"],
                ],
            ],
        )
    )


def _writers() -> str:
    """Return how long writes take where many write and read at once."""
    report = _current("writers")
    keys = ("writes", "write_ms_p50", "write_ms_p99", "write_ms_max", "searches", "search_ms_p50", "retries", "failed")
    rows = [[name, *(load.get(key, "") for key in keys)] for name, load in report["loads"].items()]
    about = report["settings"]
    return f"{about['seconds']} s each, {about['processors']} processors.\n\n" + _table(
        ["at once", *(key.replace("_", " ") for key in keys)], rows
    )


def _current(name: str) -> Report:
    """Return a report of the state at hand, or the first one where there is no other."""
    kept = RESULTS / f"{NOW}.json"
    found: Mapping[str, Report] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    return found[name] if name in found else _spine()[name]


def _memfuse() -> str:
    report, first = _current("memfuse"), _spine()["memfuse"]
    systems = {**report["systems"], "fusegraph, first state (spine)": _of_first(first), **report["ablations"]}
    rows = []
    for name, system in systems.items():
        within = system["interval95"]
        against = system.get("against_fusegraph")
        rows.append(
            [
                name,
                *(_with_interval(system[key], within[key]) for key in within),
                _with_interval(against["recall@20"], against["interval95"]) if against else "",
                shown(system["distractor_share@20"]),
                system["leaks"],
                round(system["tokens@20"]),
                f"{system['latency_ms']['p50']:.1f}" if "latency_ms" in system else "",
            ]
        )
    head = ["system", "recall@10", "recall@20", "all@20", "recall@20 against ours", "distractors@20", "leaks"]
    told = ", ".join(f"{name} ({'' if one['frozen'] else 'not '}frozen)" for name, one in report["sets"].items())
    return f"Sets {told}: {report['questions']} questions.\n\n" + _table([*head, "tokens@20", "search p50, ms"], rows)


def _of_first(report: Report) -> Report:
    return {name: value for name, value in report["systems"]["fusegraph"].items() if name != "against_fusegraph"}


def _memfuse_verdicts() -> str:
    """Return how often the verdict on an event with a key is its label's."""
    verdicts = _current("memfuse")["verdicts"]
    if isinstance(verdicts, str):
        return f"{verdicts}\n"
    wrong = verdicts["wrong_replacements"]
    rows = [[label, figures["events"], figures["accuracy"]] for label, figures in verdicts["by_label"].items()]
    rows.append(["all", verdicts["events"], verdicts["accuracy"]])
    return _table(["label", "events", "right"], rows) + (
        f"\nWrong replacements: {wrong['count']} of {wrong['denominator']} (95 %: "
        f"{wrong['wilson95'][0]:.1%} to {wrong['wilson95'][1]:.1%}).\n"
    )


def _memfuse_categories() -> str:
    """Return recall@20 of the systems by category and by the question's language."""
    systems = _current("memfuse")["systems"]
    parts = [(part, name) for part in ("by_category", "by_language") for name in systems["fusegraph"][part]]
    rows = [
        [name.replace("_", " "), *(_with_interval(*_recall_within(system[part][name])) for system in systems.values())]
        for part, name in parts
    ]
    return _table(["recall@20", *systems], rows)


def _recall_within(figures: Mapping[str, Any]) -> tuple[float, list[float]]:
    return figures["recall@20"], figures["interval95"]["recall@20"]


def _memfuse_limits() -> str:
    """Return the measured figures of the frozen sets' limits, least and greatest."""
    figures = frozen()["figures"]
    kinds = (TUNING, REPORTING)

    def span(name: str, seeds: tuple[int, ...]) -> str:
        values = [figures[str(seed)][name] for seed in seeds]
        return f"{min(values)} to {max(values)}"

    rows = [[name, f"{how} {limit}", *(span(name, seeds) for seeds in kinds)] for name, (how, limit) in LIMITS.items()]
    rows.append(["evidence events a question", "", *(span("evidence_mean", seeds) for seeds in kinds)])
    return _table(["figure", "limit", *(f"seeds {seeds[0]} to {seeds[-1]}" for seeds in kinds)], rows)


def _with_interval(mean: float, interval: list[float]) -> str:
    low, high = map(shown, interval)
    return f"{shown(mean)} ({low} to {high})"


def shown(figure: float) -> str:
    """Return a figure with three decimals, and zero without a sign."""
    return f"{round(figure, 3) + 0.0:.3f}"


def _arbitration() -> str:
    kept = RESULTS / "arbitration.json"
    if not kept.exists():
        return "not run\n"
    reports = json.loads(kept.read_text("utf-8"))
    parts = ("lang en", "lang zh", "with a key", "without a key")
    rows = []
    for name, report in reports.items():
        accuracy = [report["accuracy"], *(report["accuracy_by"].get(part, {}).get("accuracy", "") for part in parts)]
        seen = report.get("replacements_seen")
        rows.append(
            [
                *(name, report["questions"], *accuracy),
                *(_of(report.get(told)) for told in ("wrong_replacements", "wrong_proposals")),
                " and ".join(str(seen[part]["share"]) for part in parts[2:]) if seen else "",
                report["swallowed"]["count"] if "swallowed" in report else "",
            ]
        )
    head = ["pairs", "rows", "accuracy", "English", "Chinese", "with a key", "without"]
    told = [
        "wrong replacements (95 %)",
        "wrong proposals (95 %)",
        "replacements seen with and without a key",
        "swallowed",
    ]
    return _table([*head, *told], rows)


def _of(wrong: Mapping[str, Any] | None) -> str:
    """Return a count with its denominator and interval; nothing where it was not measured."""
    if wrong is None:
        return ""
    low, high = wrong["wilson95"]
    return f"{wrong['count']} of {wrong['denominator']} ({low:.1%} to {high:.1%})"


FIGURES: Mapping[str, Callable[[], str]] = {
    "summary": _summary,
    "locomo": lambda: _recall("locomo"),
    "lifebench": lambda: _recall("lifebench"),
    "cost": _cost,
    "writers": _writers,
    "arbitration": _arbitration,
    "memfuse": _memfuse,
    "memfuse_categories": _memfuse_categories,
    "memfuse_verdicts": _memfuse_verdicts,
    "memfuse_limits": _memfuse_limits,
}
