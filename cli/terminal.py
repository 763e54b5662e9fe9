"""Output of the command line: results on stdout, progress and errors on stderr, one sentence per error."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from spatial.errors import SpatialError


@contextmanager
def report_errors() -> Iterator[None]:
    """Report the errors of a command, each as one sentence on stderr with an exit status."""
    try:
        yield
    except SpatialError as error:
        raise failure(error.message) from error
    except BrokenPipeError as error:
        # The reader of stdout has closed it; without this, Python prints an error when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from error
    except OSError as error:
        raise failure(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error


def failure(sentence: str) -> typer.Exit:
    """Print one error; the caller raises the returned exit."""
    typer.echo(f"spatial: {sentence}", err=True)
    return typer.Exit(1)


def with_home(command: str, home: Path | None) -> str:
    """A command for a hint, with the home that this one was given."""
    return command if home is None else f"{command} --home {shlex.quote(str(home))}"


def progress(line: str) -> None:
    """Print a line of progress."""
    typer.echo(line, err=True)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns, never truncated: a terminal wraps them, and a pipe gets every character. Numbers are right-aligned."""
    lines = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    right = [bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(headings))]
    aligned = [_row(line, widths, right) for line in lines]
    return "\n".join([typer.style(aligned[0], bold=True), *aligned[1:]])


def _row(line: list[str], widths: list[int], right: list[bool]) -> str:
    cells = (
        cell.rjust(width) if is_right else cell.ljust(width)
        for cell, width, is_right in zip(line, widths, right, strict=True)
    )
    return "  ".join(cells).rstrip()


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).isdecimal()
