"""The front door: what may be asked of the memory, the records that travel, and the errors.

Nothing else of this package is public; `graph.local_neo4j`, `graph.settings` and `graph.errors` are also used by the
command line.
"""

from graph.audit import Finding
from graph.ingest import MOST_EVENTS
from graph.memory import MOST_LISTED, Memory
from graph.model import (
    Answer,
    Atom,
    Event,
    Evidence,
    EvidencePath,
    Outcome,
    Page,
    PathEdge,
    PathNode,
    Quote,
    Receipt,
    ScoreParts,
    SourceRef,
)
from graph.scope import ALL_RIGHTS, Right, Scope
from graph.search import MOST_RESULTS
from graph.search.planning import Filters
from graph.search.ranking import PROFILES, WEIGHTS, Weights

__all__ = [
    "ALL_RIGHTS",
    "MOST_EVENTS",
    "MOST_LISTED",
    "MOST_RESULTS",
    "PROFILES",
    "WEIGHTS",
    "Answer",
    "Atom",
    "Event",
    "Evidence",
    "EvidencePath",
    "Filters",
    "Finding",
    "Memory",
    "Outcome",
    "Page",
    "PathEdge",
    "PathNode",
    "Quote",
    "Receipt",
    "Right",
    "Scope",
    "ScoreParts",
    "SourceRef",
    "Weights",
]
