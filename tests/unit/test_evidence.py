"""Trails over the graph, and the paths that show them."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isclose, prod
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import EvidencePath
from graph.ontology import ALLOWED, Edge, Label
from graph.search.evidence import (
    EDGE_FACTORS,
    HOP_DECAY,
    Step,
    Trail,
    expand,
    links,
    path,
    steps_between,
)
from graph.search.ranking import MOST_HOPS

GROUP = "团队-1"
NODE = r'\(n\d+:[A-Z][a-z]+ \{group_id: "[^"\\]+", id: "[\w.:@+-]+"\}\)'
EDGE = r"(?:-\[:[A-Z_]+\]->|<-\[:[A-Z_]+\]-)"
CYPHER = re.compile(rf"MATCH path = {NODE}(?:{EDGE}{NODE})* RETURN path")

NASTY = "Ann said: \"go\" \\ 'x'}) DETACH DELETE n // `tick`"

Rows = Mapping[str, Mapping[str, Any]]


def row(
    name: str,
    *,
    later: Sequence[str] = (),
    mentions: Sequence[str] = (),
    sources: Sequence[str] = ("phone",),
    day: int = 20260301,
) -> dict[str, Any]:
    return {
        "id": name,
        "text": f"{NASTY} {name}",
        "later": list(later),
        "joined": [],
        "mentions": [{"id": one, "name": NASTY} for one in mentions],
        "sources": [{"id": one, "name": NASTY, "kind": "phone", "user_id": "ann@example.org"} for one in sources],
        "quotes": [{"record_id": f"record-{name}", "record": NASTY, "quote": None}],
        "day": day,
    }


def rows(*made: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in made}


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, dict[str, Any]], dict[str, float]]:
    """Atoms in one or two streams with entities and sources, and the relevance of those that matched."""
    names = [f"atom-{number}" for number in range(draw(st.integers(1, 7)))]
    streams = [draw(st.booleans()) for _ in names]
    after: dict[str, list[str]] = {name: [] for name in names}
    for side in (True, False):
        for earlier, later in pairwise([name for name, stream in zip(names, streams, strict=True) if stream is side]):
            after[earlier].append(later)
    subset = st.lists(st.sampled_from(("boiler", "weber", "lyon")), unique=True, max_size=2)
    seen_by = st.lists(st.sampled_from(("phone", "laptop")), unique=True, min_size=1)
    atoms = rows(
        *(
            row(
                name,
                later=after[name],
                mentions=draw(subset),
                sources=draw(seen_by),
                day=draw(st.sampled_from((0, 20260301, 20260302))),
            )
            for name in names
        )
    )
    matched = draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
    return atoms, {name: draw(st.sampled_from((1.0, 0.5, 0.3, 0.1))) for name in matched}


def all_trails(relevance: Mapping[str, float], steps: Mapping[str, Sequence[Step]]) -> list[Trail]:
    """Every trail that visits no atom twice, by trying them all."""
    found = [Trail(origin, (), score) for origin, score in relevance.items()]
    for trail in found:
        if len(trail.steps) < MOST_HOPS:
            visited = {trail.origin, *(step.to for step in trail.steps)}
            found += [
                Trail(trail.origin, (*trail.steps, step), trail.score * step.factor)
                for step in steps.get(trail.end, ())
                if step.to not in visited
            ]
    return found


def shuffled(atoms: Rows, random: Random) -> dict[str, dict[str, Any]]:
    mixed = {}
    for name in random.sample(list(atoms), len(atoms)):
        lists = {key: random.sample(value, len(value)) for key, value in atoms[name].items() if isinstance(value, list)}
        mixed[name] = {**atoms[name], **lists}
    return mixed


def check(shown: EvidencePath) -> None:
    assert len(shown.nodes) == len(shown.edges) + 1
    relationships = []
    for (start, end), edge in zip(pairwise(shown.nodes), shown.edges, strict=True):
        tail, head = (start, end) if edge.forward else (end, start)
        assert (tail.label, edge.type, head.label) in ALLOWED
        relationships.append((tail.id, edge.type, head.id))
    assert len(set(relationships)) == len(relationships), "Cypher matches no relationship twice in a path"
    assert CYPHER.fullmatch(shown.cypher), shown.cypher
    assert re.findall(r'[{ ]id: "([^"]+)"', shown.cypher) == [node.id for node in shown.nodes]
    assert re.findall(r'group_id: "([^"]+)"', shown.cypher) == [GROUP] * len(shown.nodes)
    assert re.findall(r"\[:(\w+)\]", shown.cypher) == [edge.type for edge in shown.edges]


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_the_best_trail_to_every_atom_in_reach_is_found(graph: tuple[Rows, Mapping[str, float]]) -> None:
    atoms, relevance = graph
    steps = steps_between(atoms)
    best: dict[str, float] = {}
    for trail in all_trails(relevance, steps):
        best[trail.end] = max(best.get(trail.end, 0.0), trail.score)
    found = expand(relevance, relevance, steps)
    assert found.keys() == best.keys()
    for name, trail in found.items():
        assert trail.end == name
        assert isclose(trail.score, best[name])


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_trails_come_best_first_and_lose_with_every_hop(graph: tuple[Rows, Mapping[str, float]]) -> None:
    atoms, relevance = graph
    found = list(expand(relevance, relevance, steps_between(atoms)).values())
    assert all(better.score >= worse.score for better, worse in pairwise(found))
    for trail in found:
        assert len(trail.steps) <= MOST_HOPS
        factors = [HOP_DECAY * prod(EDGE_FACTORS[edge] for edge, _ in step.edges) for step in trail.steps]
        assert isclose(trail.score, relevance[trail.origin] * prod(factors))
        assert trail.score <= relevance[trail.origin] * HOP_DECAY ** len(trail.steps)


@settings(deadline=None, max_examples=60)
@given(graphs(), st.randoms(use_true_random=False))
def test_the_same_graph_gives_the_same_trails_and_links(
    graph: tuple[Rows, Mapping[str, float]], random: Random
) -> None:
    """The database returns rows, and lists in them, in no order."""
    atoms, relevance = graph
    mixed = shuffled(atoms, random)
    steps, mixed_steps = steps_between(atoms), steps_between(mixed)
    order = random.sample(list(relevance), len(relevance))
    trails = expand({name: relevance[name] for name in order}, order, mixed_steps)
    assert trails == expand(relevance, relevance, steps)
    ranked = sorted(atoms)
    for name in ranked:
        assert links(name, ranked, mixed_steps, 2) == links(name, ranked, steps, 2)
    assert [path(trail, mixed, GROUP) for trail in trails.values()] == [
        path(trail, atoms, GROUP) for trail in trails.values()
    ]


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_paths_alternate_nodes_and_edges_that_may_stand_in_the_graph(
    graph: tuple[Rows, Mapping[str, float]],
) -> None:
    atoms, relevance = graph
    steps = steps_between(atoms)
    trails = list(expand(relevance, relevance, steps).values())
    ranked = [trail.end for trail in trails]
    linked = [trail for name in ranked for trail in links(name, ranked, steps, 2)]
    own = [Trail(name, (), 1.0) for name in atoms]
    for trail in [*trails, *linked, *own]:
        shown = path(trail, atoms, GROUP)
        check(shown)
        assert shown.score == trail.score
        assert shown.nodes[0].id == trail.origin
        passed = [node.id for node in shown.nodes if node.label == Label.ATOM]
        assert passed == [trail.origin, *(step.to for step in trail.steps)]
        assert shown.nodes[-1].label in {Label.USER, Label.RECORD}


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_links_come_from_better_ranked_atoms_one_a_pair(graph: tuple[Rows, Mapping[str, float]]) -> None:
    atoms, _ = graph
    steps, ranked = steps_between(atoms), sorted(atoms)
    for rank, name in enumerate(ranked):
        found = links(name, ranked, steps, 2)
        assert len(found) <= 2
        assert all(trail.end == name and len(trail.steps) == 1 for trail in found)
        origins = [trail.origin for trail in found]
        assert set(origins) <= set(ranked[:rank])
        assert len(set(origins)) == len(origins)
        assert all(better.score >= worse.score for better, worse in pairwise(found))
        for trail in found:
            assert trail.score == max(step.factor for step in steps[trail.origin] if step.to == name)


def test_steps_follow_streams_entities_and_a_source_on_one_day() -> None:
    atoms = rows(
        row("a", later=["b", "out of this set"], mentions=["weber"]),
        row("b", sources=["laptop"]),
        row("c", mentions=["weber"], day=20260302),
        row("d"),
        row("e", day=0),
        row("f", day=0),
    )
    steps = steps_between(atoms)
    told = {
        start: sorted((step.to, step.edges[0][0], step.edges[0][1]) for step in onward)
        for start, onward in steps.items()
        if onward
    }
    assert told == {
        "a": [("b", Edge.NEXT, True), ("c", Edge.MENTIONS, True), ("d", Edge.OBSERVED_BY, True)],
        "b": [("a", Edge.NEXT, False)],
        "c": [("a", Edge.MENTIONS, True)],
        "d": [("a", Edge.OBSERVED_BY, True)],
    }


@pytest.mark.parametrize(
    ("atoms", "factor"),
    [
        (rows(row("a", later=["b"], day=0), row("b", day=0)), 0.6 * 0.8),
        (rows(row("a", day=0), row("b", later=["a"], day=0)), 0.6 * 0.8),
        (rows(row("a", mentions=["x"], day=0), row("b", mentions=["x"], day=0)), 0.7 * 0.7 * 0.8),
        (rows(row("a"), row("b")), 0.4 * 0.4 * 0.8),
    ],
    ids=["next", "next, back", "entity", "source"],
)
def test_a_step_costs_its_edges_and_a_hop(atoms: Rows, factor: float) -> None:
    trail = expand({"a": 0.5}, ["a"], steps_between(atoms))["b"]
    assert trail.score == pytest.approx(0.5 * factor)


def test_a_far_atom_is_reached_over_at_most_two_others() -> None:
    chain = [row(f"a{n}", later=[f"a{n + 1}"] if n < 4 else [], day=0) for n in range(5)]
    found = expand({"a0": 1.0}, ["a0"], steps_between(rows(*chain)))
    assert {name: len(trail.steps) for name, trail in found.items()} == {"a0": 0, "a1": 1, "a2": 2}


def test_what_only_a_weaker_match_is_near_enough_to_reach_is_reached() -> None:
    stream = [row(f"a{n}", later=[f"a{n + 1}"] if n < 3 else [], day=0) for n in range(4)]
    other = row("z", mentions=["weber"], day=0)
    stream[2]["mentions"] = other["mentions"]
    found = expand({"a0": 1.0, "z": 0.3}, ["a0", "z"], steps_between(rows(*stream, other)))
    assert found["a2"].origin == "a0"
    assert found["a3"].origin == "z"


def test_a_path_goes_on_to_the_source_and_its_user() -> None:
    atoms = rows(row("a", later=["b"]), row("b"))
    step = Step("b", ((Edge.NEXT, True),), ())
    shown = path(Trail("a", (step,), step.factor), atoms, GROUP)
    assert [(node.label, node.id) for node in shown.nodes] == [
        (Label.ATOM, "a"),
        (Label.ATOM, "b"),
        (Label.SOURCE, "phone"),
        (Label.USER, "ann@example.org"),
    ]
    assert [edge.type for edge in shown.edges] == [Edge.NEXT, Edge.OBSERVED_BY, Edge.OWNED_BY]
    assert shown.cypher == (
        'MATCH path = (n0:Atom {group_id: "团队-1", id: "a"})-[:NEXT]->(n1:Atom {group_id: "团队-1", id: "b"})'
        '-[:OBSERVED_BY]->(n2:Source {group_id: "团队-1", id: "phone"})'
        '-[:OWNED_BY]->(n3:User {group_id: "团队-1", id: "ann@example.org"}) RETURN path'
    )


def test_an_edge_against_the_path_is_shown_as_such() -> None:
    atoms = rows(row("a"), row("b", later=["a"]))
    step = next(step for step in steps_between(atoms)["a"] if step.edges == ((Edge.NEXT, False),))
    shown = path(Trail("a", (step,), step.factor), atoms, GROUP)
    assert '{group_id: "团队-1", id: "a"})<-[:NEXT]-(n1:Atom' in shown.cypher
    assert not shown.edges[0].forward


def test_a_path_over_a_source_ends_at_the_record() -> None:
    atoms = rows(row("a"), row("b"))
    trail = expand({"a": 1.0}, ["a"], steps_between(atoms))["b"]
    shown = path(trail, atoms, GROUP)
    check(shown)
    assert [node.id for node in shown.nodes] == ["a", "phone", "b", "record-b"]


def test_captions_are_short_and_on_one_line() -> None:
    atoms = rows({**row("a"), "text": "Tea\n at   four. " + "x" * 200})
    caption = path(Trail("a", (), 1.0), atoms, GROUP).nodes[0].caption
    assert caption.startswith("Tea at four. xxx")
    assert caption.endswith("…")
    assert len(caption) == 80
