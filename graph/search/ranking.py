"""Which candidates answer best. Pure: rows of the seed arms in, scores out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log1p
from types import MappingProxyType
from typing import Final, NamedTuple

from graph.model import ScoreParts
from graph.ontology import Origin

_WORD: Final = re.compile(r"\w+")


class Profile(NamedTuple):
    """Weights of relevance, recency and importance in the ranking score."""

    relevance: float
    recency: float
    importance: float


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        "default": Profile(0.5, 0.3, 0.2),
        "qa": Profile(0.7, 0.2, 0.1),
        "assistant": Profile(0.4, 0.4, 0.2),
        "critical": Profile(0.5, 0.2, 0.3),
        "relevance": Profile(1.0, 0.0, 0.0),
    }
)
"""docs/design: ranking score. `relevance` looks at the question alone, as benchmarks of retrieval do."""

ARM_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"vector": 0.35, "english": 1.0, "chinese": 1.0, "entity": 0.5}
)
"""Share of each arm in relevance (docs/benchmarks.md: chosen on the development half of LoCoMo)."""

ASKED_SHARE: Final = 0.7
"""What standing in the time that the question speaks of adds, as a share of what the arms give there."""

SIGNS: Final[Mapping[str, float]] = MappingProxyType({"person": 0.15, "time": 0.2, "length": 0.4, "asks": -0.15})
"""What an atom's own signs add, whatever the arms say: it is about a person whom the question names; it speaks of a
time and a time is asked for; it says much; it is itself a question (weights: as above)."""

MOST_HOPS: Final = 2
"""Atoms that an evidence path may go on to from the one that matched."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of the search counts for; one at 0 is switched off, as benchmarks do to see what it is worth."""

    arms: Mapping[str, float] = field(default_factory=lambda: ARM_WEIGHTS)
    asked: float = ASKED_SHARE
    signs: Mapping[str, float] = field(default_factory=lambda: SIGNS)
    hops: int = MOST_HOPS


WEIGHTS: Final = Weights()

_LONG: Final = 300
"""Characters from which a text says no more by being longer."""

_DAY_MS: Final = 86_400_000
_RECENCY_HALF_LIFE_DAYS: Final = 30.0


class Seed(NamedTuple):
    """What `search/seeds` returns of an atom or cluster: what ranking needs, in that statement's order.

    `hits` are (span, arm, score); `instant` is in milliseconds since 1970.
    """

    id: str
    label: str
    hits: Sequence[tuple[str, str, float]]
    status: str
    importance: float
    instant: int | None
    dated: bool
    subject: str
    user_id: str
    length: int
    asks: bool
    timeline_role: str | None = None
    origin: str = Origin.OBSERVED
    key: str | None = None
    flags: Sequence[str] | None = None
    evidence: int | None = None
    restated_at: int | None = None
    counter_statements: int | None = None


class Candidate(NamedTuple):
    """A seed with the score of each arm that found it (1 is the arm's best), and its signs."""

    seed: Seed
    arms: Mapping[str, float]
    relevance: float


def fuse(seeds: Sequence[Seed], question: str, *, asks_when: bool, weights: Weights = WEIGHTS) -> list[Candidate]:
    """Return the candidates, most relevant first, relevance between 0 and 1.

    Text scores are divided by their arm's greatest; cosines crowd together near 1, so that they are spread between
    the arm's least and greatest. The sum is weighted (convex combination: Bruch et al. 2023, "An Analysis of Fusion
    Functions for Hybrid Retrieval", section 4). Signs are added to what the arms give.
    """
    if weights.arms.keys() != ARM_WEIGHTS.keys() or not all(weights.arms.values()) or not weights.asked:
        seeds = [seed for seed in (_counted(seed, weights) for seed in seeds) if seed.hits]
    bounds = _arm_bounds(seeds)
    asked = _Asked(question.lower(), frozenset(_WORD.findall(question.lower())), asks_when)
    shares = _shares(weights)
    people: dict[str, bool] = {}
    scored = []
    for seed in seeds:
        parts = _arm_scores(seed.hits, bounds) | _signs(seed, asked, people)
        scored.append((seed, parts, sum([share * parts[part] for part, share in shares.items() if part in parts])))
    best = max((score for _, _, score in scored), default=0.0) or 1.0
    candidates = [Candidate(seed, parts, max(0.0, score) / best) for seed, parts, score in scored]
    return sorted(candidates, key=lambda candidate: (-candidate.relevance, candidate.seed.id))


def _counted(seed: Seed, weights: Weights) -> Seed:
    """Return the seed with the hits that count for anything."""
    return seed._replace(
        hits=[hit for hit in seed.hits if weights.arms.get(hit[1]) and (hit[0] == "all" or weights.asked)]
    )


def _arm_bounds(seeds: Iterable[Seed]) -> dict[tuple[str, str], tuple[float, float]]:
    scores: dict[tuple[str, str], list[float]] = {}
    for seed in seeds:
        for span, arm, score in seed.hits:
            scores.setdefault((span, arm), []).append(score)
    return {arm: (min(found) if arm[1] == "vector" else 0.0, max(found)) for arm, found in scores.items()}


def _arm_scores(
    hits: Iterable[tuple[str, str, float]], bounds: Mapping[tuple[str, str], tuple[float, float]]
) -> dict[str, float]:
    arms: dict[str, float] = {}
    for span, arm, raw in hits:
        low, high = bounds[span, arm]
        score = (raw - low) / (high - low) if high > low else float(raw > 0)
        name = arm if span == "all" else f"{span}:{arm}"
        arms[name] = max(score, arms.get(name, 0.0))
    return arms


def _shares(weights: Weights) -> dict[str, float]:
    """Return what each part of a candidate's score counts for in its relevance."""
    asked = {f"asked:{arm}": weights.asked * weight for arm, weight in weights.arms.items()}
    return {**weights.arms, **asked, **weights.signs}


class _Asked(NamedTuple):
    text: str
    words: frozenset[str]
    when: bool


def _signs(seed: Seed, asked: _Asked, people: dict[str, bool]) -> dict[str, float]:
    """Return the signs that a seed has. `people` holds whom the question names, as far as that was looked at."""
    for person in (seed.subject, seed.user_id):
        if person not in people:
            people[person] = _named(person, asked)
    signs = {
        "person": float(people[seed.subject] or people[seed.user_id]),
        "time": float(asked.when and seed.dated),
        "length": min(1.0, log1p(seed.length) / log1p(_LONG)),
        "asks": float(seed.asks),
    }
    return {name: value for name, value in signs.items() if value}


def _named(name: str, asked: _Asked) -> bool:
    """Tell whether the question names a person: all words of the name, or the name itself where no spaces part it."""
    words = _WORD.findall(name.lower())
    return bool(words) and (asked.words.issuperset(words) or (not name.isascii() and name.lower() in asked.text))


def recency(instant: int | None, asked_at: int) -> float:
    """Return 0.5^(age in days / 30), 1 for what lies ahead, 0 for what has no time; instants in ms since 1970."""
    if instant is None:
        return 0.0
    age = max(0, asked_at - instant) / _DAY_MS
    return float(0.5 ** (age / _RECENCY_HALF_LIFE_DAYS))


def ranking_total(profile: Profile, relevance: float, fresh: float, importance: float, weight: float) -> float:
    """Return the ranking score: `(w_rel·relevance + w_rec·0.5^(age_days/30) + w_imp·importance) · status weight`.

    Additive, as in Park et al. 2023, "Generative Agents", section 4.1, so that an old or plain memory that answers is
    never lost entirely. `weight` is that of its standing (`graph.timelines.weights`).
    """
    return (profile.relevance * relevance + profile.recency * fresh + profile.importance * importance) * weight


def ranking_score(
    *,
    relevance: float,
    instant: int | None,
    importance: float,
    weight: float,
    asked_at: int,
    profile: Profile,
    arms: Mapping[str, float],
) -> ScoreParts:
    """Return the ranking score and its parts; instants in ms since 1970."""
    fresh = recency(instant, asked_at)
    total = ranking_total(profile, relevance, fresh, importance, weight)
    return ScoreParts(total, relevance, fresh, importance, weight, arms)
