"""The front door: what may be asked of the memory, and the records that travel.

Nothing else of this package is public; `graph.local_neo4j`, `graph.settings` and `graph.errors` are also used by the
command line. Names are loaded when first used: the driver and pydantic take seconds that `--help` need not wait for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.audit import Finding
    from graph.inspection import MOST_LISTED, Inspection
    from graph.memory import Memory
    from graph.model import (
        Answer,
        Atom,
        Decided,
        Event,
        Evidence,
        EvidencePath,
        GroupSettings,
        Outcome,
        Page,
        PathEdge,
        PathNode,
        Period,
        Proposal,
        Quote,
        Receipt,
        Remembered,
        Ruled,
        ScoreParts,
        SourceRef,
        Statement,
        Timeline,
        ToConfirm,
        Touched,
        Wait,
        Why,
    )
    from graph.scope import ALL_RIGHTS, Right, Scope
    from graph.search.planning import MOST_QUESTION, MOST_RESULTS, Filters
    from graph.search.ranking import PROFILES, WEIGHTS, Weights
    from graph.settings import PACKAGED_MODEL
    from graph.timelines.said import Act, KeyKind, Verdict
    from graph.writing.events import MOST_EVENTS
    from graph.writing.statements import MOST_STATEMENTS

_HOMES = {
    "graph.timelines.decide": ("Act", "KeyKind", "Verdict"),
    "graph.audit": ("Finding",),
    "graph.writing.events": ("MOST_EVENTS",),
    "graph.inspection": ("MOST_LISTED", "Inspection"),
    "graph.memory": ("Memory",),
    "graph.model": (
        "Answer", "Atom", "Decided", "Event", "Evidence", "EvidencePath", "GroupSettings", "Outcome", "Page",
        "PathEdge", "PathNode", "Period", "Proposal", "Quote", "Receipt", "Remembered", "Ruled", "ScoreParts",
        "SourceRef", "Statement", "Timeline", "ToConfirm", "Touched", "Wait", "Why",
    ),
    "graph.writing.statements": ("MOST_STATEMENTS",),
    "graph.scope": ("ALL_RIGHTS", "Right", "Scope"),
    "graph.search.planning": ("MOST_QUESTION", "MOST_RESULTS", "Filters"),
    "graph.settings": ("PACKAGED_MODEL",),
    "graph.search.ranking": ("PROFILES", "WEIGHTS", "Weights"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ALL_RIGHTS",
    "MOST_EVENTS",
    "MOST_LISTED",
    "MOST_QUESTION",
    "MOST_RESULTS",
    "MOST_STATEMENTS",
    "PACKAGED_MODEL",
    "PROFILES",
    "WEIGHTS",
    "Act",
    "Answer",
    "Atom",
    "Decided",
    "Event",
    "Evidence",
    "EvidencePath",
    "Filters",
    "Finding",
    "GroupSettings",
    "Inspection",
    "KeyKind",
    "Memory",
    "Outcome",
    "Page",
    "PathEdge",
    "PathNode",
    "Period",
    "Proposal",
    "Quote",
    "Receipt",
    "Remembered",
    "Right",
    "Ruled",
    "Scope",
    "ScoreParts",
    "SourceRef",
    "Statement",
    "Timeline",
    "ToConfirm",
    "Touched",
    "Verdict",
    "Wait",
    "Weights",
    "Why",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
