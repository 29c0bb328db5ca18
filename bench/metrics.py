"""Recall of evidence, and latency. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

CUTS = (5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's outcome: what it needs, what came back in order, how long it took (ms)."""

    category: str
    needs: frozenset[str]
    found: Sequence[str]
    search_ms: float
    embedding_ms: float


def recall(asked: Asked, k: int) -> float:
    """Share of the question's evidence among the first k returned."""
    return len(asked.needs.intersection(asked.found[:k])) / len(asked.needs)


def hit(asked: Asked, k: int) -> float:
    """1 if any of the question's evidence is among the first k returned."""
    return float(not asked.needs.isdisjoint(asked.found[:k]))


def complete(asked: Asked, k: int) -> float:
    """1 if all of the question's evidence is among the first k returned."""
    return float(asked.needs.issubset(asked.found[:k]))


_MEASURES: Mapping[str, Callable[[Asked, int], float]] = {"recall": recall, "hit": hit, "all": complete}


def metrics(asked: Iterable[Asked], cuts: Sequence[int] = CUTS) -> dict[str, float]:
    """Average each measure at each cut over the questions that have evidence."""
    scored = [one for one in asked if one.needs]
    if not scored:
        return {"questions": 0}
    figures: dict[str, float] = {"questions": len(scored)}
    for name, measure in _MEASURES.items():
        for k in cuts:
            figures[f"{name}@{k}"] = round(fmean(measure(one, k) for one in scored), 4)
    return figures


def by_category(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Return the metrics of each category, by name."""
    names = sorted({one.category for one in asked})
    return {name: metrics(one for one in asked if one.category == name) for name in names}


def latency(asked: Sequence[Asked]) -> dict[str, float]:
    """Median and 95th percentile of search without embedding, and the median of embedding, in ms."""
    search = sorted(one.search_ms for one in asked)
    return {
        "p50": round(percentile(search, 50), 2),
        "p95": round(percentile(search, 95), 2),
        "embedding_p50": round(percentile([one.embedding_ms for one in asked], 50), 2),
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile (inclusive method) of at least two values."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]
