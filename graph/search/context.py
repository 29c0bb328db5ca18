"""Evidence as text for a model's prompt. Pure."""

from collections.abc import Sequence

from graph.model import Evidence
from graph.ontology import Status
from graph.timelines.doors import MARK

_NO_TIME = "undated"
_STANDINGS = {
    Status.CONFLICT: "disputed, to be confirmed",
    Status.SUPERSEDED: "no longer so",
    Status.INVALID: "withdrawn",
}


def grounded(evidence: Sequence[Evidence]) -> str:
    """Return one line for each piece of evidence: mark, rank, time, whose it is, standing where it is doubtful, text.

    The mark keeps it from being learned anew when a model's answer or its prompt is sent back to the memory.
    """
    return "\n".join(_line(one) for one in evidence)


def _line(one: Evidence) -> str:
    atom = one.atom
    doubt = _STANDINGS.get(Status(atom.status))
    told = f" ({doubt})" if doubt else ""
    return f"{MARK} [{one.rank}] {atom.occurred_at or _NO_TIME}, {atom.subject}{told}: {' '.join(atom.text.split())}"
