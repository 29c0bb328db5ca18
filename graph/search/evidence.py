"""The paths that lead from what matched a question to the atoms and sources that answer it. Pure."""

import heapq
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple

from graph.model import EvidencePath, PathEdge, PathNode
from graph.ontology import Edge, Label
from graph.search.ranking import MOST_HOPS

EDGE_FACTORS: Final[Mapping[Edge, float]] = {
    Edge.NEXT: 0.6,
    Edge.MENTIONS: 0.7,
    Edge.OBSERVED_BY: 0.4,
    Edge.SUPERSEDES: 0.9,
    Edge.REFINES: 0.9,
    Edge.CONFLICTS_WITH: 0.9,
}
"""What following an edge leaves of a score. A bridge over an entity or a source is two edges and costs both."""

HOP_DECAY: Final = 0.8
"""What each further atom leaves of a score."""

_CAPTION: Final = 80
_Row = Mapping[str, Any]


class Step(NamedTuple):
    """From one atom to another: over the edges (type, forward) and the nodes between them."""

    to: str
    edges: tuple[tuple[Edge, bool], ...]
    between: tuple[PathNode, ...]

    @property
    def factor(self) -> float:
        """What the step leaves of a score."""
        factor = HOP_DECAY
        for edge, _ in self.edges:
            factor *= EDGE_FACTORS[edge]
        return factor


@dataclass(frozen=True, slots=True)
class Trail:
    """A way from an atom that matched (`origin`) over steps; `score` is what is left of the origin's relevance."""

    origin: str
    steps: tuple[Step, ...]
    score: float

    @property
    def end(self) -> str:
        """The atom that the trail leads to."""
        return self.steps[-1].to if self.steps else self.origin


def steps_between(atoms: Mapping[str, _Row]) -> dict[str, list[Step]]:
    """Return the steps from each atom to the others of this set.

    They are joined by their stream, their timeline, an entity, or a source that saw both on one day.
    """
    steps: dict[str, list[Step]] = defaultdict(list)
    for atom_id, atom in atoms.items():
        for kind, other in _joined(atom):
            if other in atoms:
                steps[atom_id].append(Step(other, ((kind, True),), ()))
                steps[other].append(Step(atom_id, ((kind, False),), ()))
    bridges: dict[tuple[Edge, str, int], tuple[PathNode, list[str]]] = {}
    for atom_id, atom in atoms.items():
        for bridge, day, node in _bridges(atom):
            bridges.setdefault((bridge, node.id, day), (node, []))[1].append(atom_id)
    for (bridge, _, _), (node, ends) in bridges.items():
        for start in ends:
            edges = ((bridge, True), (bridge, False))
            steps[start] += [Step(end, edges, (node,)) for end in ends if end != start]
    # The order of rows must not decide between steps of equal worth.
    for onward in steps.values():
        onward.sort()
    return steps


def _joined(atom: _Row) -> Iterator[tuple[Edge, str]]:
    for later in atom["later"]:
        yield Edge.NEXT, later
    for kind, other in atom["joined"]:
        yield Edge(kind), other


def _bridges(atom: _Row) -> Iterator[tuple[Edge, int, PathNode]]:
    for entity in atom["mentions"]:
        yield Edge.MENTIONS, 0, PathNode(Label.ENTITY, entity["id"], entity["name"])
    if atom["day"]:
        # One source joins what it saw on one day; all it ever saw would join nearly everything.
        for source in atom["sources"]:
            yield Edge.OBSERVED_BY, atom["day"], PathNode(Label.SOURCE, source["id"], source["name"])


def expand(
    relevance: Mapping[str, float],
    origins: Iterable[str],
    steps: Mapping[str, Sequence[Step]],
    most_hops: int = MOST_HOPS,
) -> dict[str, Trail]:
    """Return the best trail to every atom that can be reached from the origins, best first, with hop decay.

    An origin's own trail has no steps. Ties go to the smaller id, so that the same graph gives the same trails.
    """
    heap = [(-relevance[origin], origin, Trail(origin, (), relevance[origin])) for origin in origins]
    heapq.heapify(heap)
    best: dict[str, Trail] = {}
    fewest: dict[str, int] = {}
    count = 0
    while heap:
        _, _, trail = heapq.heappop(heap)
        # A weaker trail of fewer steps is followed too: it may go on where a stronger one has used up its hops.
        if fewest.get(trail.end, most_hops + 1) <= len(trail.steps):
            continue
        fewest[trail.end] = len(trail.steps)
        best.setdefault(trail.end, trail)
        if len(trail.steps) < most_hops:
            for step in steps.get(trail.end, ()):
                further = Trail(trail.origin, (*trail.steps, step), trail.score * step.factor)
                count += 1
                heapq.heappush(heap, (-further.score, f"{step.to} {count:09}", further))
    return best


def links(atom_id: str, ranked: Sequence[str], steps: Mapping[str, Sequence[Step]], most: int) -> list[Trail]:
    """Return trails of one step, each pair's best, from better ranked atoms to this one: how it all hangs together."""
    trails = []
    for other in ranked[: ranked.index(atom_id)]:
        joining = [step for step in steps.get(other, ()) if step.to == atom_id]
        if joining:
            best = max(joining, key=lambda step: step.factor)
            trails.append(Trail(other, (best,), best.factor))
    return sorted(trails, key=lambda trail: -trail.score)[:most]


def path(trail: Trail, atoms: Mapping[str, _Row], group: str) -> EvidencePath:
    """Return the trail as a path of nodes and edges that goes on to the source and its user."""
    nodes = [_atom_node(atoms[trail.origin])]
    edges: list[PathEdge] = []
    for step in trail.steps:
        nodes += [*step.between, _atom_node(atoms[step.to])]
        edges += [PathEdge(edge, forward, EDGE_FACTORS[edge]) for edge, forward in step.edges]
    for node, edge in zip(*_provenance(atoms[trail.end], {node.id for node in nodes}), strict=True):
        nodes.append(node)
        edges.append(PathEdge(edge, forward=True, score=1.0))
    return EvidencePath(tuple(nodes), tuple(edges), trail.score, path_cypher(nodes, edges, group))


def _provenance(atom: _Row, passed: Container[str]) -> tuple[list[PathNode], list[Edge]]:
    """Return what an atom rests on: its source and that source's user, else its record.

    A source that the path has passed through is left out: one edge cannot stand in a path twice.
    """
    for source in sorted(atom["sources"], key=itemgetter("id")):
        if source["id"] not in passed:
            nodes = [
                PathNode(Label.SOURCE, source["id"], source["name"]),
                PathNode(Label.USER, source["user_id"], source["user_id"]),
            ]
            return nodes, [Edge.OBSERVED_BY, Edge.OWNED_BY]
    record = min(atom["quotes"], key=itemgetter("record_id"))
    return [PathNode(Label.RECORD, record["record_id"], record["record"])], [Edge.QUOTED_FROM]


def path_cypher(nodes: Sequence[PathNode], edges: Sequence[PathEdge], group: str) -> str:
    """Return the Cypher that shows a path in Neo4j Browser.

    It is text for people, never run here. Ids and group names hold no quotes or backslashes by their rules.
    """
    text = ""
    for index, node in enumerate(nodes):
        text += f'(n{index}:{node.label} {{group_id: "{group}", id: "{node.id}"}})'
        if index < len(edges):
            edge = edges[index]
            text += f"-[:{edge.type}]->" if edge.forward else f"<-[:{edge.type}]-"
    return f"MATCH path = {text} RETURN path"


def _atom_node(atom: _Row) -> PathNode:
    text = " ".join(str(atom["text"]).split())
    return PathNode(Label.ATOM, atom["id"], text if len(text) <= _CAPTION else text[: _CAPTION - 1] + "…")
