"""Verdicts on labelled pairs: the old statement is remembered first, two days before the new one, each pair alone."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Any, Final

import graph
from bench.scratch import scratch_memory
from graph.errors import InvalidInput
from graph.ports import Progress

REPLACING: Final = frozenset({graph.Verdict.UPDATE, graph.Verdict.REFINE, graph.Verdict.INVALIDATE})
"""Verdicts that retire what was known."""

_SPOKEN: Final = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
_BEFORE: Final = timedelta(days=2)
_SPEAKER: Final = "ann"
_Z95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Pair:
    """A labelled pair: what was known, what is said now, and the verdict that it must get."""

    lang: str
    key: str | None
    old: Mapping[str, str | None]
    new: Mapping[str, str | None]
    expected: graph.Verdict


def read_pairs(path: Path) -> list[Pair]:
    """Read a file of pairs, one JSON object a line.

    Raises:
        InvalidInput: naming the line that is no pair.
    """
    pairs = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
                pairs.append(Pair(row["lang"], row["key"], row["old"], row["new"], graph.Verdict(row["expected"])))
            except (KeyError, TypeError, ValueError) as error:
                form = '{"lang", "key", "old": {"text", "value"}, "new": {"text", "value"}, "expected": a verdict}'
                raise InvalidInput(f"{path}:{number}: It is no labelled pair ({error}); write it as {form}.") from error
    return pairs


async def run(data: Path, progress: Progress) -> dict[str, Any]:
    """Judge every pair in a group of its own, through the memory's front door, and return the report."""
    pairs = read_pairs(data)
    if not pairs:
        raise InvalidInput(f"{data}: It holds no pairs.")
    verdicts = []
    async with scratch_memory(progress) as (memory, _):
        for number, pair in enumerate(pairs):
            scope = graph.Scope(f"pair-{number}", _SPEAKER)
            await memory.remember(scope, [_statement(pair, pair.old, _SPOKEN - _BEFORE)])
            (new,) = await memory.remember(scope, [_statement(pair, pair.new, _SPOKEN)])
            verdicts.append(new.ruled)
            progress("judging pairs", number + 1, len(pairs))
        versions = memory.versions
    return {"bench": "arbitration", "data": data.name, **report(pairs, verdicts), "versions": versions}


def _statement(pair: Pair, said: Mapping[str, str | None], at: datetime) -> graph.Statement:
    return graph.Statement(
        text=said["text"] or "", key=pair.key, value=said["value"] if pair.key else None, occurred_at=at.isoformat()
    )


def report(pairs: Sequence[Pair], verdicts: Sequence[graph.Ruled]) -> dict[str, Any]:
    """Return accuracy, wrong replacements, the confusion matrix, and each row with its verdict and rule."""
    judged = list(zip(pairs, verdicts, strict=True))
    kept = [(pair, ruled) for pair, ruled in judged if pair.expected not in REPLACING]
    wrong = sum(ruled.verdict in REPLACING for _, ruled in kept)
    parts: dict[str, list[bool]] = defaultdict(list)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, ruled in judged:
        right = ruled.verdict == pair.expected
        key = "with a key" if pair.key else "without a key"
        for part in (f"lang {pair.lang}", key, f"{pair.lang}, {key}", str(pair.expected)):
            parts[part].append(right)
        confusion[pair.expected][ruled.verdict] += 1
    return {
        "questions": len(judged),
        "accuracy": share(ruled.verdict == pair.expected for pair, ruled in judged),
        "accuracy_by": {part: {"rows": len(found), "accuracy": share(found)} for part, found in sorted(parts.items())},
        "wrong_replacements": {
            "count": wrong,
            "denominator": len(kept),
            "share": round(wrong / len(kept), 4) if kept else 0.0,
            "wilson95": wilson95(wrong, len(kept)),
        },
        "confusion": {expected: dict(sorted(found.items())) for expected, found in sorted(confusion.items())},
        "rows": [
            {"expected": pair.expected, "verdict": ruled.verdict, "rule": ruled.rule, "words": ruled.words}
            for pair, ruled in judged
        ],
    }


def share(right: Iterable[bool]) -> float:
    """Return the share of what is true, 0 of nothing."""
    found = list(right)
    return round(sum(found) / len(found), 4) if found else 0.0


def wilson95(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927, "Probable Inference", JASA 22, p. 209)."""
    if total == 0:
        return 0.0, 1.0
    found, squared = count / total, _Z95**2
    middle = found + squared / (2 * total)
    width = _Z95 * sqrt(found * (1 - found) / total + squared / (4 * total**2))
    whole = 1 + squared / total
    return round(max(0.0, (middle - width) / whole), 4), round(min(1.0, (middle + width) / whole), 4)
