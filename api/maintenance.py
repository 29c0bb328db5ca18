"""Work on the whole database: audits, re-embedding."""

from dataclasses import asdict
from typing import Any

from rich.console import Console

import graph
from api.console import emit, load_settings
from graph.ports import Progress


async def audit(progress: Progress) -> dict[str, Any]:
    """Run every audit."""
    async with graph.Inspection.look(load_settings(), progress) as inspection:
        return {"audits": [asdict(finding) for finding in await inspection.audit()]}


def show_audit(report: dict[str, Any], *, as_json: bool) -> None:
    """Print what the audits found."""
    if as_json:
        emit(
            {"audits": [{"name": f["name"], "offenders": list(f["offenders"])} for f in report["audits"]]},
            as_json=True,
        )
        return
    console = Console()
    for finding in report["audits"]:
        count = len(finding["offenders"])
        console.print(f"{'[red]✗' if count else '[green]✓'}[/] [bold]{finding['name']}[/] {finding['looks_for']}")
        for offender in finding["offenders"]:
            console.print(f"    {offender}", markup=False)


async def reembed(progress: Progress) -> dict[str, Any]:
    """Embed everything anew with the model of the settings."""
    async with graph.Memory.open(load_settings(), progress=progress, any_model=True) as memory:
        return asdict(await memory.reembed(progress))
