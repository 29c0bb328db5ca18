"""MemFuseBench: a generator of multi-source memory benchmarks, reproducible from a seed without a language model.

Six stages, each a module: personas, timeline, streams (with routine), questions, filtering, noise. After each a review
states faults and repairs them. `generate` writes what a system is given, what it is asked, the labels it must not see,
and a file a stage.
"""

from pathlib import Path
from typing import Any, Final

from bench.memfusebench import files, library, report, scenario
from bench.memfusebench.model import SetLang
from graph.ports import Progress

VERSION: Final = "1.1"
"""Of the content and the rules. What changes any file of any seed raises it."""

SCENARIOS: Final = 6


def generate(seed: int, scenarios: int, lang: SetLang, out: Path, progress: Progress) -> dict[str, Any]:
    """Write a set under the folder `out` and return its report, which is also written there.

    The same seed, number and language give the same bytes. A scenario does not depend on how many others there are.
    """
    content = library.load()
    made = []
    for number in range(scenarios):
        progress("generating scenarios", number, scenarios)
        made.append(scenario.build(content, seed, number, lang))
    progress("generating scenarios", scenarios, scenarios)
    figures = report.measured(made)
    whole = {
        "bench": "memfusebench",
        "version": VERSION,
        "seed": seed,
        "scenarios": scenarios,
        "language": lang,
        "limits": {name: f"{how} {limit}" for name, (how, limit) in report.LIMITS.items()},
        "broken_limits": report.broken(figures["overall"], whole=scenarios >= SCENARIOS),
        **figures,
    }
    files.write(out, made, whole)
    return whole
