"""What the commands share: settings, errors as one line, progress bars, and output as JSON."""

import json
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from graph.errors import FuseGraphError
from graph.ports import Progress

if TYPE_CHECKING:
    from graph.settings import Settings

T = TypeVar("T")


@contextmanager
def errors_reported() -> Iterator[None]:
    """Print a known error to standard error and end the command with status 1."""
    try:
        yield
    except FuseGraphError as error:
        fail(str(error))


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work to its end and return what it returns; a known error ends the command."""
    import asyncio  # `--help` needs none

    with errors_reported():
        return asyncio.run(work)


def load_settings() -> "Settings":
    """Read the environment; a value that cannot be used ends the command, naming the variable."""
    # pydantic takes half a second, which commands without settings need not wait for.
    from pydantic import ValidationError

    from graph.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        fail("\n".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}." for problem in error.errors()))


def fail(message: str) -> NoReturn:
    """Print a message to standard error and end the command with status 1."""
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text(message, style="red"), soft_wrap=True)
    raise typer.Exit(1)


def told_time(option: str, text: str | None, read: Callable[[str], T]) -> T | None:
    """Read a time that an option gives; one that cannot be read ends the command, naming the option."""
    if text is None:
        return None
    try:
        return read(text)
    except ValueError as error:
        fail(f"{option}: {error}.")


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Yield a `Progress` that draws one bar a task on standard error; finished tasks leave the screen.

    Where standard error is no terminal, it names each task once, on a line of its own.
    """
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if not console.is_terminal:
        named: set[str] = set()

        def name(task: str, done: int, total: int | None) -> None:  # noqa: ARG001 - a Progress is told all three
            if task not in named:
                named.add(task)
                console.print(f"{task}…", markup=False, highlight=False, soft_wrap=True)

        yield name
        return
    tasks: dict[str, TaskID] = {}
    with Bars(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as bars:

        def draw(task: str, done: int, total: int | None) -> None:
            if task not in tasks:
                tasks[task] = bars.add_task(task, total=total)
            bars.update(tasks[task], completed=done, total=total, visible=total is None or done < total)

        yield draw


def emit(data: Mapping[str, Any], as_json: bool) -> None:
    """Print what a command found on standard output: as JSON, or as one line for each name."""
    if as_json:
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2, default=str) + "\n")
        return
    width = max(map(len, data), default=0)
    for name, value in data.items():
        sys.stdout.write(f"{name.replace('_', ' '):<{width}}  {value}\n")
