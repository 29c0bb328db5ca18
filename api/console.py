"""What the commands share: settings, errors as one line, progress bars, and output as JSON."""

import asyncio
import json
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import typer

from graph.errors import FuseGraphError
from graph.ports import Progress
from graph.settings import Settings

T = TypeVar("T")


@contextmanager
def errors_reported() -> Iterator[None]:
    """Print a known error to standard error and end the command with status 1."""
    try:
        yield
    except FuseGraphError as error:
        _complain(str(error))
        raise typer.Exit(1) from None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work to its end and return what it returns; a known error ends the command."""
    with errors_reported():
        return asyncio.run(work)


def load_settings() -> Settings:
    """Read the environment; a value that cannot be used ends the command, naming the variable."""
    from pydantic import ValidationError

    try:
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            _complain(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}.")
        raise typer.Exit(1) from None


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Yield a `Progress` that draws one bar a task on standard error; finished tasks leave the screen."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    tasks: dict[str, TaskID] = {}
    with Bars(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:

        def draw(task: str, done: int, total: int | None) -> None:
            if task not in tasks:
                tasks[task] = bars.add_task(task, total=total)
            bars.update(tasks[task], completed=done, total=total, visible=total is None or done < total)

        yield draw


def emit(data: Any) -> None:
    """Print data as JSON on standard output."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2, default=str) + "\n")


def _complain(message: str) -> None:
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text(message, style="red"), soft_wrap=True)
