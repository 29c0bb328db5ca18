"""`fusegraph bench generate`: writes a set of MemFuseBench, or freezes the sets that results are reported on."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from api.console import emit, errors_reported, fail, progress_bars


class Language(StrEnum):
    """What a set is written in; mixed: a scenario in English, one in Chinese, one in both, and so on."""

    EN = "en"
    ZH = "zh"
    MIXED = "mixed"


def generate_command(
    out: Annotated[Path | None, typer.Option(help="Folder to write the set to.", file_okay=False)] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other people and scenes.")] = 1,
    scenarios: Annotated[int, typer.Option(min=1, max=60, help="How many groups; the published shape has 6.")] = 6,
    lang: Annotated[Language, typer.Option(help="Language of the set.")] = Language.MIXED,
    freeze: Annotated[bool, typer.Option("--freeze", help="Instead: hash every frozen seed's files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Generate a set of MemFuseBench from a seed, and report the figures of its limits."""
    from bench.memfusebench import freeze as freezing
    from bench.memfusebench import generate

    with errors_reported(), progress_bars() as progress:
        if freeze:
            report = freezing.freeze(progress)
        elif out is None:
            fail("Say where to write the set: --out DIR.")
        else:
            report = generate(seed, scenarios, lang.value, out, progress)
    emit(report if as_json or freeze else _short(report), as_json=as_json)


def _short(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a person wants to see first."""
    overall = report["overall"]
    names = ("events", "questions", "unanswerable", "evidence_mean", *report["limits"])
    return {name: overall[name] for name in names} | {"broken_limits": report["broken_limits"] or "none"}
