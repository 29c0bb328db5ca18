"""`fusegraph bench`: each prints one JSON object on standard output with --json, a table without."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from api.console import emit, progress_bars, run

app = typer.Typer(no_args_is_help=True, help="Measure what the memory finds and what it costs.")

DataFile = Annotated[Path, typer.Option(exists=True, dir_okay=False, help="The set's file.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command()
def locomo(data: DataFile, as_json: Json = False) -> None:
    """Recall of evidence on a LoCoMo file."""
    _set("locomo", data, as_json)


@app.command()
def lifebench(data: DataFile, as_json: Json = False) -> None:
    """Recall of evidence on a LifeBench file."""
    _set("lifebench", data, as_json)


@app.command()
def floor(as_json: Json = False) -> None:
    """Writing and searching, as ratios to the database alone."""
    from bench import floor as bench

    with progress_bars() as progress:
        report = run(bench.run(progress))
    _show(report, as_json)


def _set(name: str, data: Path, as_json: bool) -> None:
    from bench import sets

    with progress_bars() as progress:
        report = run(sets.run(name, data, progress))
    _show(report, as_json)


def _show(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(report, as_json=True)
        return
    for part in ("metrics", "ratios", "latency_ms", "ingest", "settings", "versions"):
        if part in report:
            table = Table(title=f"{report['bench']}: {part}", show_header=False, title_justify="left")
            for name, value in report[part].items():
                table.add_row(name, str(value))
            Console().print(table)
