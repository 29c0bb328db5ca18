"""Questions in, evidence out: plan, seeds, neighbourhood, ranking, paths. Two round trips to the database."""

from calendar import monthrange
from collections.abc import Mapping, Sequence
from heapq import nlargest
from time import perf_counter
from typing import Final

from graph.atoms import read_atom
from graph.embedding import Embedding
from graph.groups import staleness_of
from graph.model import Answer, Evidence
from graph.ontology import CURRENT, Label, Origin, Status
from graph.scope import Right, Scope
from graph.search.context import grounded
from graph.search.evidence import Trail, expand, links, path, steps_between
from graph.search.planning import CANDIDATES, Filters, Plan, Question, plan_search
from graph.search.ranking import PROFILES, Candidate, Seed, fuse, ranking_score, ranking_total, recency
from graph.search.seeding import Failing, find_seeds
from graph.store import Reader, Row, Store
from graph.timelines.history import as_held, holds_at, standing_then
from graph.timelines.standing import TIMES, Standing, instant, milliseconds
from graph.timelines.weights import ACTIVE, Staleness, is_stale, status_weight

_CANDIDATES_THEN: Final = 480  # rows of each arm where some of them were learned later, and are dropped
_ORIGINS: Final = 6
_FAN: Final = 8
_MOST_JOINED: Final = 24
_MARGIN: Final = 8  # candidates read beyond the limit: recency and importance may lift them into it
_PATHS: Final = 3


async def search(
    store: Store, embedding: Embedding, slot: str, scope: Scope, question: Question, failing: Failing
) -> Answer:
    """Return the evidence for a question, best first, with the paths that lead to it.

    `failing` are the indexes that are left out for a while, and are told in the answer.

    Raises:
        AccessDenied: the scope may not read.
        InvalidInput: the question cannot be answered as it is.
    """
    scope.require(Right.READ)
    reader = Reader(store, scope)
    question.check()
    plan = plan_search(scope, question)
    clock = [perf_counter()]
    vector = await embedding.query(plan.question)
    clock.append(perf_counter())
    limit = CANDIDATES if plan.filters.known_at is None else _CANDIDATES_THEN
    found, degraded = await find_seeds(reader, slot, plan, vector, limit, failing)
    clock.append(perf_counter())
    settings = found["settings"]
    staleness = staleness_of(settings)
    candidates = fuse(
        [Seed(*fields) for fields in found["seeds"]], plan.question, asks_when=plan.asks_when, weights=plan.weights
    )
    atoms = await _neighbourhood(reader, plan, candidates, staleness)
    clock.append(perf_counter())
    evidence = _ranked(plan, scope.group, candidates, atoms, staleness)
    clock.append(perf_counter())
    steps = ("embedding", "seeds", "neighbourhood", "ranking")
    timings = {name: 1e3 * (end - start) for name, start, end in zip(steps, clock, clock[1:], strict=False)}
    return Answer(
        plan.question,
        plan.profile,
        plan.asked_at,
        evidence,
        grounded(evidence),
        timings,
        round_trips=reader.exchanges,
        pending=found["pending"],
        left_out=tuple(plan.left_out),
        group_exists=settings is not None,
        degraded=degraded,
    )


async def _neighbourhood(
    reader: Reader, plan: Plan, candidates: Sequence[Candidate], staleness: Staleness
) -> dict[str, Row]:
    """Return the best candidates and what stands next to them, by atom id."""
    atoms = [found for found in candidates if found.seed.label == Label.ATOM]
    origins = [found.seed.id for found in atoms[:_ORIGINS]]
    # Recency and importance may lift what is not the most relevant: all are scored before any is left out.
    at = milliseconds(plan.asked_at)
    best = nlargest(plan.limit + _MARGIN, atoms, key=lambda found: _score(found, plan, staleness, at))
    ids = list(dict.fromkeys([*origins, *(found.seed.id for found in best)]))
    rows = await reader.read(
        "search/neighbourhood",
        statuses=plan.statuses,
        ids=ids,
        origins=origins,
        fan=_FAN,
        most_joined=_MOST_JOINED,
        known_at=plan.filters.known_at,
    )
    return {atom["id"]: atom for atom in (_then(row, plan) for row in rows[0]["atoms"]) if _admitted(atom, plan)}


def _then(row: Row, plan: Plan) -> Row:
    """Return an atom's row with the standing that it had when it is asked for."""
    standing = standing_then(row | {name: row[f"{name.removesuffix('_at')}_ms"] for name in TIMES})
    if plan.filters.as_of is not None:
        standing = as_held(standing, milliseconds(plan.filters.as_of))
    told = {name: instant(at) if (at := getattr(standing, name)) is not None else None for name in TIMES}
    shown = {name: moment.isoformat() if moment else None for name, moment in told.items()}
    count = standing.evidence_count if row["evidence_count"] is not None else None
    told_then = {"status": standing.status, "flags": standing.flags, "evidence_count": count, "standing": standing}
    return {**row, **shown, **told_then}


def _score(found: Candidate, plan: Plan, staleness: Staleness, at: int) -> float:
    """Return the ranking score of a candidate, asked for at an instant (ms)."""
    seed = found.seed
    return ranking_total(
        PROFILES[plan.profile],
        found.relevance,
        recency(seed.evidence if seed.evidence is not None else seed.instant, at),
        seed.importance,
        _weight(seed, plan, staleness, at),
    )


def _weight(seed: Seed, plan: Plan, staleness: Staleness, at: int) -> float:
    if seed.status == Status.ACTIVE and seed.timeline_role is None and seed.origin != Origin.INFERRED:
        return ACTIVE  # an observation, as nearly all candidates are
    standing = Standing(
        seed.status,
        tuple(seed.flags or ()),
        last_evidence_at=seed.evidence,
        restated_at=seed.restated_at,
        counter_statements=seed.counter_statements or 0,
    )
    then = plan.filters.as_of is not None or plan.filters.known_at is not None
    return status_weight(
        standing,
        timeline_role=seed.timeline_role,
        origin=seed.origin,
        stale_after=staleness.days(seed.key),
        at=at,
        past=plan.past or then,
    )


def _admitted(atom: Row, plan: Plan) -> bool:
    """Tell whether the filters let an atom through; one known to the month stands on no single day of it."""
    # What was superseded later was current then; what was superseded then is asked for like any other.
    wanted = plan.statuses if plan.past or plan.filters.as_of is not None else CURRENT
    if atom["standing"].status not in wanted:
        return False
    as_of = plan.filters.as_of
    if as_of is not None and not holds_at(atom["standing"], milliseconds(as_of)):
        return False
    first, last = plan.spans[0]["first_day"], plan.spans[0]["last_day"]
    if atom["occurred_precision"] == "month" and plan.filters.last_day:
        last_of_month = monthrange(atom["day"] // 10_000, atom["day"] // 100 % 100)[1]
        return bool(first <= atom["day"] and last >= atom["day"] - 1 + last_of_month)
    return first <= atom["day"] <= last and _within(atom["instant"], plan.filters)


def _ranked(
    plan: Plan, group: str, candidates: Sequence[Candidate], atoms: Mapping[str, Row], staleness: Staleness
) -> tuple[Evidence, ...]:
    found = {one.seed.id: one for one in candidates if one.seed.id in atoms}
    relevance = {atom_id: candidate.relevance for atom_id, candidate in found.items()}
    steps = steps_between(atoms)
    trails = expand(relevance, list(relevance)[:_ORIGINS], steps, plan.weights.hops)
    scores = {}
    at = milliseconds(plan.asked_at)
    for atom_id, atom in atoms.items():
        trail = trails.get(atom_id)
        arms = dict(found[atom_id].arms) if atom_id in found else {}
        if trail and trail.steps:
            arms["path"] = trail.score
        scores[atom_id] = ranking_score(
            relevance=max(relevance.get(atom_id, 0.0), trail.score if trail else 0.0),
            instant=evidence if (evidence := atom["standing"].last_evidence_at) is not None else atom["instant"],
            importance=atom["importance"],
            weight=status_weight(
                atom["standing"],
                timeline_role=atom["held_role"],
                origin=atom["origin"],
                stale_after=staleness.days(atom["key"]),
                at=at,
                past=plan.past,
            ),
            asked_at=at,
            profile=PROFILES[plan.profile],
            arms=arms,
        )
    ranked = sorted(scores, key=lambda atom_id: (-scores[atom_id].total, atom_id))[: plan.limit]
    return tuple(
        Evidence(
            rank,
            read_atom(atoms[atom_id]),
            _stale(atoms[atom_id], plan, staleness),
            scores[atom_id],
            tuple(
                path(way, atoms, group)
                for way in _ways(atom_id, scores[atom_id].relevance, trails, links(atom_id, ranked, steps, _PATHS))
            ),
        )
        for rank, atom_id in enumerate(ranked, 1)
    )


def _stale(row: Row, plan: Plan, staleness: Staleness) -> bool:
    days = staleness.days(row["key"])
    return is_stale(row["standing"], timeline_role=row["held_role"], stale_after=days, at=milliseconds(plan.asked_at))


def _ways(atom_id: str, relevance: float, trails: Mapping[str, Trail], linked: Sequence[Trail]) -> list[Trail]:
    """Return the trails shown for an atom: its own, the one that reached it, and how better ranked ones join it."""
    own = Trail(atom_id, (), relevance)
    ways = {(own.origin, own.steps): own}
    for trail in (*([trails[atom_id]] if atom_id in trails else []), *linked):
        ways.setdefault((trail.origin, trail.steps), trail)
    return list(ways.values())[:_PATHS]


def _within(instant: int | None, filters: Filters) -> bool:
    """Tell whether an instant (ms) lies in the range asked for; what has no time lies in none."""
    if filters.since is None and filters.until is None:
        return True
    if instant is None:
        return False
    return (filters.since is None or instant >= 1e3 * filters.since.timestamp()) and (
        filters.until is None or instant < 1e3 * filters.until.timestamp()
    )
