"""A report of `bench memfuse` as one HTML file with plots in it, which needs nothing beside it."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from string import Template
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

from bench.page import shown

_TEMPLATE: Final = Path(__file__).with_suffix(".html")
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's, which colour-blind readers tell apart."""
_STYLE: Final[dict[RcKeyType, Any]] = {
    "svg.hashsalt": "memfuse",  # the same report gives the same bytes
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "font.size": 10,
}
_RECALL: Final = "recall@20"

Report = Mapping[str, Any]
Interval = Sequence[float]


def html(report: Report) -> str:
    """Return the page of a report as `bench.memfuse.run` makes it."""
    systems = {**report["systems"], **report["ablations"]}
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        title=escape(", ".join(report["data"])),
        lead=escape(_lead(report)),
        systems=_plot(_draw_systems, report["systems"], height=0.6 + 0.45 * len(report["systems"])),
        categories=_plot(_draw_categories, report["systems"], height=5.2),
        category_table=_category_table(report["systems"]),
        ablations=_plot(_draw_ablations, report["ablations"], height=0.6 + 0.4 * len(report["ablations"])),
        distractors=_plot(_draw_distractors, systems, height=0.6 + 0.36 * len(systems)),
        leaks=escape(_leaks(systems)),
        figures=_table(_HEAD, [_figures(name, system) for name, system in systems.items()]),
        verdicts=_verdicts(report),
        not_run=_not_run(report),
        sets=_limits_table(report["sets"]),
        settings=escape("; ".join(f"{k}: {v}" for k, v in {**report["settings"], **report["versions"]}.items())),
    )


def _lead(report: Report) -> str:
    named = "; ".join(
        f"{name}: {'frozen' if one['frozen'] else 'not a frozen set'}" for name, one in report["sets"].items()
    )
    alone = " There is one scenario: the intervals are points and say nothing." if report["scenarios"] == 1 else ""
    told = f"{report['questions']} questions, each asked of every system at its own time by its own viewer ({named})."
    return told + alone


# Plots


def _plot(draw: Callable[[Axes, Report], str], systems: Report, height: float) -> str:
    """Return what a function draws as an image inside the page; the function says it in words, too."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.6, height), layout="constrained")
        said = draw(figure.add_subplot(), systems)
        written = BytesIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return f'<img src="data:image/svg+xml;base64,{b64encode(written.getvalue()).decode()}" alt="{escape(said)}">'


def _whiskers(axes: Axes, at: float, mean: float, interval: Interval, colour: str, label: str | None = None) -> None:
    low, high = interval
    axes.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot([mean], [at], "o", color=colour, markersize=6, label=label)


def _rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _draw_systems(axes: Axes, systems: Report) -> str:
    for at, system in enumerate(systems.values()):
        mean = system[_RECALL]
        _whiskers(axes, at, mean, system["interval95"][_RECALL], _COLOURS[at % len(_COLOURS)])
        axes.annotate(shown(mean), (mean, at), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=9)
    _rows(axes, list(systems))
    axes.set_xlim(left=0)
    axes.set_xlabel(_RECALL)
    return f"{_RECALL}: " + ", ".join(f"{name} {system[_RECALL]}" for name, system in systems.items())


def _draw_categories(axes: Axes, systems: Report) -> str:
    categories = list(next(iter(systems.values()))["by_category"])
    step = 0.7 / len(systems)
    for place, (name, system) in enumerate(systems.items()):
        for at, category in enumerate(categories):
            _whiskers(
                axes,
                at + (place - (len(systems) - 1) / 2) * step,
                system["by_category"][category][_RECALL],
                system["by_category"][category]["interval95"][_RECALL],
                _COLOURS[place % len(_COLOURS)],
                name if at == 0 else None,
            )
    _rows(axes, categories)
    axes.set_xlim(left=0)
    axes.set_xlabel(_RECALL)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(systems), frameon=False)
    return f"{_RECALL} of {', '.join(systems)} in each of {', '.join(categories)}; the figures are in the table below"


def _draw_ablations(axes: Axes, ablations: Report) -> str:
    apart = {name: system["against_fusegraph"] for name, system in ablations.items()}
    for at, difference in enumerate(apart.values()):
        _whiskers(axes, at, difference[_RECALL], difference["interval95"], _COLOURS[0])
    axes.axvline(0, color="#1d1d1f", linewidth=1)
    _rows(axes, list(apart))
    axes.set_xlabel(f"{_RECALL}, difference to the whole")
    return "Difference to the whole: " + ", ".join(f"{name} {one[_RECALL]}" for name, one in apart.items())


def _draw_distractors(axes: Axes, systems: Report) -> str:
    shares = {name: system["distractor_share@20"] for name, system in systems.items()}
    bars = axes.barh(range(len(shares)), list(shares.values()), height=0.6, color=_COLOURS[5])
    axes.bar_label(bars, fmt="%.3f", padding=3, fontsize=9)
    _rows(axes, list(shares))
    axes.set_xlabel("share of distractors among the first 20")
    return "Share of distractors: " + ", ".join(f"{name} {share}" for name, share in shares.items())


# Tables


_HEAD: Final = (
    "system",
    "recall@10",
    "recall@20",
    "all@20",
    "recall@20 against fusegraph",
    "distractors@20",
    "leaks",
    "tokens@20",
    "search p50 / p95, ms",
)


def _figures(name: str, system: Report) -> list[str]:
    against, latency = system.get("against_fusegraph"), system.get("latency_ms")
    return [
        name,
        *(_with_interval(system[key], system["interval95"][key]) for key in ("recall@10", _RECALL, "all@20")),
        _with_interval(against[_RECALL], against["interval95"]) if against else "",
        shown(system["distractor_share@20"]),
        str(system["leaks"]),
        f"{system['tokens@20']:.0f}",
        f"{latency['p50']:.0f} / {latency['p95']:.0f}" if latency else "",
    ]


def _category_table(systems: Report) -> str:
    categories = list(next(iter(systems.values()))["by_category"])
    rows = [
        [
            name,
            *(
                _with_interval(system["by_category"][one][_RECALL], system["by_category"][one]["interval95"][_RECALL])
                for one in categories
            ),
        ]
        for name, system in systems.items()
    ]
    return _table([_RECALL, *(category.replace("_", " ") for category in categories)], rows)


def _limits_table(sets: Mapping[str, Report]) -> str:
    rows = [
        ["seed", "", *(str(one["seed"]) for one in sets.values())],
        ["version", "", *(one["version"] for one in sets.values())],
        ["frozen, byte for byte", "", *("yes" if one["frozen"] else "no" for one in sets.values())],
    ]
    for name, (_, limit) in next(iter(sets.values()))["limits"].items():
        rows.append([name.replace("_", " "), limit, *(str(one["limits"][name][0]) for one in sets.values())])
    return _table(["", "limit", *sets], rows)


def _with_interval(mean: float, interval: Interval) -> str:
    low, high = map(shown, interval)
    return f"{shown(mean)}\n{low} to {high}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(cells: Sequence[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"

    return f"<div class=wide><table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table></div>"


def _leaks(systems: Report) -> str:
    leaking = {name: system["leaks"] for name, system in systems.items() if system["leaks"]}
    return ", ".join(f"{name} {count}" for name, count in leaking.items()) or "0 in every system"


def _verdicts(report: Report) -> str:
    verdicts = report["verdicts"]
    if isinstance(verdicts, str):
        return f"<p>{escape(verdicts)}</p>"
    rows = [[label, str(one["events"]), shown(one["accuracy"])] for label, one in verdicts["by_label"].items()]
    wrong = verdicts["wrong_replacements"]
    told = f"Wrong replacements: {wrong['count']} of {wrong['denominator']}."
    return _table(
        ["label", "events", "right"], [*rows, ["all", str(verdicts["events"]), shown(verdicts["accuracy"])]]
    ) + (f"<p>{escape(told)}</p>")


def _not_run(report: Report) -> str:
    missing = {name: why for name, why in report.items() if isinstance(why, str) and why.startswith("not run")}
    lines = "".join(f"<li>{escape(name.replace('_', ' '))}: {escape(why)}</li>" for name, why in missing.items())
    return f"<ul>{lines}</ul>" if missing else "<p>Everything was run.</p>"
