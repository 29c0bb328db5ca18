"""Writes the figures of `bench/results` into the pages that show them, between markers."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
_ROOT = Path(__file__).parent.parent
_PAGES = (_ROOT / "README.md", _ROOT / "docs" / "benchmarks.md")
_BLOCK = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)

Report = Mapping[str, Any]


def keep(name: str, reports: Mapping[str, Report]) -> None:
    """Keep reports beside those that stand under a name already, and write the pages anew."""
    RESULTS.mkdir(exist_ok=True)
    kept = RESULTS / f"{name}.json"
    before = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    kept.write_text(json.dumps({**before, **reports}, indent=1) + "\n", "utf-8")
    write_pages()


def write_pages() -> list[Path]:
    """Fill every block of every page; return the pages that changed.

    Raises:
        KeyError: a page asks for figures that no command makes.
    """
    changed = []
    for page in _PAGES:
        before = page.read_text("utf-8")
        after = _BLOCK.sub(lambda block: f"{block[1]}{FIGURES[block[2]]()}{block[3]}", before)
        if after != before:
            page.write_text(after, "utf-8")
            changed.append(page)
    return changed


def _spine() -> Mapping[str, Report]:
    found: Mapping[str, Report] = json.loads((RESULTS / "spine.json").read_text("utf-8"))
    return found


def _table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _summary() -> str:
    spine = _spine()
    locomo, life = (spine[name]["metrics"] for name in ("locomo", "lifebench"))
    return _table(
        ["set", "recall@10", "recall@20"],
        [
            ["LoCoMo, categories 1-4", *(locomo["categories 1-4"][f"recall@{k}"] for k in (10, 20))],
            ["LifeBench", *(life["overall"][f"recall@{k}"] for k in (10, 20))],
        ],
    )


def _recall(name: str) -> str:
    metrics = _spine()[name]["metrics"]
    parts = {key: value for key, value in metrics.items() if key != "by_category"}
    parts |= {f"category {key}": value for key, value in metrics["by_category"].items() if value["questions"]}
    columns = ["questions", "recall@5", "recall@10", "recall@20", "recall@50", "hit@5", "all@20"]
    return _table([name, *columns], [[part, *(row[column] for column in columns)] for part, row in parts.items()])


def _cost() -> str:
    spine = _spine()
    rows = [
        [
            name,
            report["latency_ms"]["p50"],
            report["latency_ms"]["p95"],
            report["latency_ms"]["embedding_p50"],
            report["ingest"]["per_second"],
        ]
        for name, report in spine.items()
        if name != "floor"
    ]
    ratios = spine["floor"]["ratios"]
    return (
        _table(["set", "search p50, ms", "p95, ms", "embedding p50, ms", "atoms/s with embedding"], rows)
        + "\n"
        + _table(
            ["ratio to the database alone, in one run", "figure"],
            [
                ["writing, to hand-written UNWIND of the same graph", ratios["write"]],
                ["search p50 without embedding, to one raw filtered vector query", ratios["search_p50"]],
            ],
        )
    )


def _memfuse() -> str:
    report = _spine()["memfuse"]
    rows = []
    for name, system in {**report["systems"], **report["ablations"]}.items():
        overall, within = system["overall"], system["interval95"]
        cells = [f"{overall[key]:.3f} ({within[key][0]:.3f} to {within[key][1]:.3f})" for key in within]
        p50 = system.get("latency_ms", {}).get("p50", "")
        rows.append([name, *cells, system["distractor_share@20"], system["leaks"], system["tokens@20"], p50])
    head = ["system", "recall@10", "recall@20", "all@20", "distractors@20", "leaks", "tokens@20", "search p50, ms"]
    return f"Sets {', '.join(report['data'])}: {report['questions']} questions.\n\n" + _table(head, rows)


def _memfuse_categories() -> str:
    report = _spine()["memfuse"]
    systems = report["systems"]
    categories = list(report["metrics"]["by_category"])
    rows = [
        [name, *(system["by_category"][category]["recall@20"] for category in categories)]
        for name, system in systems.items()
    ]
    return _table(["recall@20", *(category.replace("_", " ") for category in categories)], rows)


FIGURES: Mapping[str, Callable[[], str]] = {
    "summary": _summary,
    "locomo": lambda: _recall("locomo"),
    "lifebench": lambda: _recall("lifebench"),
    "cost": _cost,
    "memfuse": _memfuse,
    "memfuse_categories": _memfuse_categories,
}
