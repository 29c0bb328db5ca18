"""What tests of statements share: to say something, and to look at what became of it."""

from typing import Any

import graph
from graph.search.planning import Filters

Seen = list[tuple[str, str]]


async def say(memory: graph.Memory, scope: graph.Scope, text: str, **more: Any) -> graph.Remembered:
    """Remember one statement."""
    (remembered,) = await memory.remember(scope, [graph.Statement(text=text, **more)])
    return remembered


async def lang(
    memory: graph.Memory, scope: graph.Scope, text: str, value: str | None, day: str | None = None, **more: Any
) -> graph.Remembered:
    """Remember a statement of the key `lang`, said at noon of a day, or now."""
    return await say(memory, scope, text, key="lang", value=value, occurred_at=day and f"{day}T12:00:00Z", **more)


async def standings(memory: graph.Memory, scope: graph.Scope) -> Seen:
    """Return text and status of all that a viewer may see, in the order in which it was learned."""
    page = await memory.atoms(scope, first=500, include_history=True)
    return [(atom.text, atom.status) for atom in page.atoms]


async def values(memory: graph.Memory, scope: graph.Scope, **more: Any) -> Seen:
    """Return value and status of the periods of the viewer's `lang`."""
    subject = more.pop("subject", scope.viewer)
    return [(one.value, one.status) for one in (await memory.timeline(scope, subject, "lang", **more)).periods]


async def found(memory: graph.Memory, scope: graph.Scope, question: str, **filters: Any) -> list[str]:
    """Return the texts that a search gives."""
    answer = await memory.search(scope, question, filters=Filters(**filters), limit=50)
    return [one.atom.text for one in answer.evidence]


async def sound(memory: graph.Memory, *groups: str) -> None:
    """Assert that no audit finds fault with these groups."""
    findings = {
        finding.name: [row for row in finding.offenders if row.get("group_id") in groups]
        for finding in await memory.audit()
    }
    assert {name: rows for name, rows in findings.items() if rows} == {}


async def size(memory: graph.Memory, group: str) -> tuple[int, int]:
    """Return how many nodes and edges a group has."""
    result = await memory.store._driver.execute_query(
        """
        MATCH (node) WHERE node.group_id = $group
        RETURN count(node) AS nodes, sum(COUNT { (node)-->() }) AS edges
        """,
        group=group,
    )
    return result.records[0]["nodes"], result.records[0]["edges"]
