"""`fusegraph bench`: each prints one JSON object on standard output with --json, a table without."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from api.console import emit, fail, progress_bars, run
from bench.generating import generate_command


class _Benches(TyperGroup):
    """Benchmarks, of which some need what the demo's set-up leaves out."""

    def invoke(self, ctx: Any) -> Any:
        """Run a benchmark; say how to get a package that it misses."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] in ("api", "bench", "cypher", "graph"):
                raise
            fail(f"bench: {error.name} is not installed. Run ./scripts/setup --all to get what benchmarks need.")


app = typer.Typer(cls=_Benches, no_args_is_help=True, help="Measure what the memory finds and what it costs.")

app.command("generate")(generate_command)

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


@app.command()
def start(
    keep_as: Annotated[str | None, typer.Option(help="Keep the report in bench/results under this name.")] = None,
    as_json: Json = False,
) -> None:
    """What the demo fetches and how long it takes from nothing, and how long commands take that need no model."""
    from bench import page
    from bench import start as bench

    with progress_bars() as progress:
        report = bench.run(progress)
    if keep_as:
        page.keep(keep_as, {"start": report})
    _show(report, as_json)


@app.command()
def writers(
    seconds: Annotated[int, typer.Option(min=1, help="Seconds of each load.")] = 60,
    keep_as: Annotated[str | None, typer.Option(help="Keep the report in bench/results under this name.")] = None,
    as_json: Json = False,
) -> None:
    """How long writes take where many write and read at once."""
    from bench import page
    from bench import writers as bench

    with progress_bars() as progress:
        report = run(bench.run(progress, seconds))
    if keep_as:
        page.keep(keep_as, {"writers": report})
    _show(report, as_json)


@app.command("all")
def run_all(
    locomo_file: Annotated[Path, typer.Option("--locomo", exists=True, dir_okay=False, help="The LoCoMo file.")],
    lifebench_file: Annotated[Path, typer.Option("--lifebench", exists=True, dir_okay=False, help="LifeBench's.")],
    memfuse_sets: Annotated[
        list[Path] | None, typer.Option("--memfuse", exists=True, file_okay=False, help="A generated set; any number.")
    ] = None,
    from_nothing: Annotated[bool, typer.Option("--start", help="Measure the demo's set-up, too.")] = False,
) -> None:
    """Measure the present state with every benchmark, keep the figures with their date, and write the pages."""
    from bench import floor as floor_bench
    from bench import page, sets
    from bench import writers as writers_bench

    with progress_bars() as progress:
        # Each is kept as it ends, so that what breaks off later costs nothing that was measured.
        page.keep(page.NOW, {"locomo": run(sets.run("locomo", locomo_file, progress))})
        page.keep(page.NOW, {"lifebench": run(sets.run("lifebench", lifebench_file, progress))})
        page.keep(page.NOW, {"floor": run(floor_bench.run(progress))})
        page.keep(page.NOW, {"writers": run(writers_bench.run(progress))})
        if memfuse_sets:
            from bench import memfuse as memfuse_bench

            page.keep(page.NOW, {"memfuse": run(memfuse_bench.run(memfuse_sets, progress))})
        if from_nothing:
            from bench import start as start_bench

            page.keep(page.NOW, {"start": start_bench.run(progress)})


@app.command()
def memfuse(
    data: Annotated[list[Path], typer.Option(exists=True, file_okay=False, help="A generated set; may be repeated.")],
    keep_as: Annotated[str | None, typer.Option(help="Keep the reports in bench/results under this name.")] = None,
    html: Annotated[Path | None, typer.Option("--page", dir_okay=False, help="Write a page with plots, too.")] = None,
    as_json: Json = False,
) -> None:
    """Recall of evidence on generated sets: ours, each part switched off, and the baselines."""
    from bench import memfuse as bench
    from bench import memfuse_page, page

    with progress_bars() as progress:
        report = run(bench.run(data, progress))
    if keep_as:
        page.keep(keep_as, {"memfuse": report})
    if html:
        html.write_text(memfuse_page.html(report), "utf-8")
    _show(report, as_json)


@app.command()
def arbitration(
    data: DataFile,
    name: Annotated[str | None, typer.Option("--set", help="Judge only this set of the file.")] = None,
    keep_as: Annotated[str | None, typer.Option(help="Keep the report in bench/results under this name.")] = None,
    as_json: Json = False,
) -> None:
    """Verdicts on labelled pairs of statements; the file may be compressed (.gz)."""
    from bench import arbitration as bench
    from bench import page

    with progress_bars() as progress:
        report = run(bench.run(data, progress, name))
    if keep_as:
        kept = {part: value for part, value in report.items() if part != "rows"}
        page.keep(keep_as, {name or data.name.split(".")[0]: kept})
    _show({**report, "metrics": _figures(report)}, as_json)


@app.command("fit-reading")
def fit_reading(
    encoder_too: Annotated[bool, typer.Option("--encoder", help="Fit the encoder, too (some 10 minutes).")] = False,
) -> None:
    """Fit the weights by which statements are read on the archive of labelled pairs, and keep them."""
    from bench import fit_encoder, fit_reading
    from bench.regression import ARCHIVE, archived

    rows = fit_reading.rows_of(archived())
    about = {"pairs": fit_reading.digest(ARCHIVE)}
    with progress_bars() as progress:
        if encoder_too:
            fit_encoder.save(fit_encoder.fit(rows, progress), about)
        fit_reading.save(fit_reading.fit(rows, progress), {**about, "makers": fit_reading.makers()})


@app.command("memfuse-page")
def memfuse_html(
    report: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Kept reports, or what --json printed.")],
    out: Annotated[Path, typer.Option(dir_okay=False, help="The page to write.")],
) -> None:
    """Write the page with plots of a report of `memfuse` that is there already."""
    from bench import memfuse_page

    read = json.loads(report.read_text("utf-8"))
    found = read.get("memfuse", read)
    if found.get("bench") != "memfuse":
        fail(f"{report}: It holds no report of `fusegraph bench memfuse`.")
    out.write_text(memfuse_page.html(found), "utf-8")


@app.command("page")
def write_page() -> None:
    """Write the figures of bench/results into README.md and docs/benchmarks.md."""
    from bench import page

    for changed in page.write_pages():
        typer.echo(changed.name)


def _set(name: str, data: Path, as_json: bool) -> None:
    from bench import sets

    with progress_bars() as progress:
        report = run(sets.run(name, data, progress))
    _show(report, as_json)


def _figures(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a table of verdicts shows: accuracy and how often it went wrong, in which way."""
    told = ("wrong_replacements", "wrong_proposals", "replacements_seen", "swallowed")
    return {"accuracy": report["accuracy"], **report["accuracy_by"], **{part: report[part] for part in told}}


def _show(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(report, as_json=True)
        return
    from rich.console import Console  # every command imports this module
    from rich.table import Table

    for part in (
        "seconds",
        "commands",
        "fetched_mb",
        "installed_mb",
        "metrics",
        "ratios",
        "latency_ms",
        "ingest",
        "verdicts",
        "loads",
        "settings",
        "versions",
    ):
        if isinstance(report.get(part), dict):
            table = Table(title=f"{report['bench']}: {part}", show_header=False, title_justify="left")
            for name, value in report[part].items():
                table.add_row(name, str(value))
            Console().print(table)
    if "systems" in report:
        keys = ("recall@10", "recall@20", "all@20", "distractor_share@20", "leaks", "tokens@20")
        table = Table("system", *keys, title=f"{report['bench']}: systems", title_justify="left")
        for name, system in {**report["systems"], **report["ablations"]}.items():
            table.add_row(name, *(str(system[key]) for key in keys))
        Console().print(table)
