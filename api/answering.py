"""Asks one question and prints the answer: evidence, where it comes from, and how it hangs together."""

from dataclasses import asdict, dataclass
from datetime import date, datetime

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

import graph
from api.console import emit, load_settings
from graph.ports import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A search as the command line states it."""

    question: str
    group: str
    viewer: str
    limit: int
    profile: str
    asked_at: datetime | None
    since: datetime | None
    until: datetime | None
    day: date | None
    history: bool
    as_of: datetime | None
    known_at: datetime | None


async def answer(request: Request, progress: Progress) -> graph.Answer:
    """Open the memory and ask."""
    filters = graph.Filters(
        request.since,
        request.until,
        request.day,
        request.day,
        request.history,
        as_of=request.as_of,
        known_at=request.known_at,
    )
    async with graph.Memory.open(load_settings(), progress=progress) as memory:
        return await memory.search(
            graph.Scope(request.group, request.viewer),
            request.question,
            limit=request.limit,
            profile=request.profile,
            asked_at=request.asked_at,
            filters=filters,
        )


def show(answer: graph.Answer, *, as_json: bool) -> None:
    """Print an answer."""
    if as_json:
        emit(asdict(answer), as_json=True)
    else:
        Console().print(picture(answer))


def picture(answer: graph.Answer) -> Tree:
    """Draw an answer as a tree: each piece of evidence with its time, sources, score parts and paths."""
    tree = Tree(Text(answer.question, style="bold"))
    for evidence in answer.evidence:
        atom, score = evidence.atom, evidence.score
        seen_by = ", ".join(f"{source.name} ({source.user_id})" for source in atom.sources)
        branch = tree.add(Text.assemble((f"{evidence.rank}. ", "cyan"), atom.text))
        arms = "  ".join(f"{arm} {value:.2f}" for arm, value in sorted(score.arms.items()))
        branch.add(Text(f"{_when(atom)} · {seen_by} · {atom.status}", style="green"))
        branch.add(
            Text(
                f"score {score.total:.2f} = relevance {score.relevance:.2f}, recency {score.recency:.2f}, "
                f"importance {score.importance:.2f}, status {score.status_weight:.1f}   [{arms}]",
                style="dim",
            )
        )
        for path in evidence.paths:
            branch.add(_drawn(path))
    if not answer.group_exists:
        tree.add(Text("there is no such group; recording makes one", style="yellow"))
    elif not answer.evidence:
        tree.add(Text("nothing that this viewer may see", style="yellow"))
    if answer.left_out:
        tree.add(Text(f"words that full text did not look for: {', '.join(answer.left_out)}", style="yellow"))
    if answer.degraded:
        tree.add(Text(f"without {', '.join(answer.degraded)}: its index does not answer now", style="yellow"))
    return tree


def _when(atom: graph.Atom) -> str:
    """Show a time no finer than it is known."""
    known = {"instant": None, "day": len("2026-03-12"), "month": len("2026-03")}
    return "no time" if atom.occurred_at is None else atom.occurred_at[: known[atom.occurred_precision]]


def _drawn(path: graph.EvidencePath) -> Text:
    drawn = Text()
    for index, node in enumerate(path.nodes):
        drawn.append(f"({node.caption})", style="magenta" if node.label == "Atom" else "blue")
        if index < len(path.edges):
            edge = path.edges[index]
            drawn.append(f" ─{edge.type}→ " if edge.forward else f" ←{edge.type}─ ", style="yellow")
    return drawn
