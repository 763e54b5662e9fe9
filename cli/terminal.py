"""How the command line talks: results on stdout, progress and errors on stderr, one sentence an error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

from spatial.errors import SpatialError


@contextmanager
def sentences() -> Iterator[None]:
    """Turn what a command may meet into one sentence on stderr and an exit status."""
    try:
        yield
    except SpatialError as error:
        raise failed(error.message) from error
    except BrokenPipeError as error:
        # The reader of our output is gone; there is nobody to tell, and Python must not complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from error
    except OSError as error:
        raise failed(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error


def failed(sentence: str) -> typer.Exit:
    """Say what failed; raise what this returns."""
    typer.echo(f"spatial: {sentence}", err=True)
    return typer.Exit(1)


def progress(line: str) -> None:
    """A line for who waits."""
    typer.echo(line, err=True)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns, never cut: a terminal wraps, and a pipe gets every character. Columns of numbers lean right."""
    lines = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    right = [bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(headings))]
    laid = [_row(line, widths, right) for line in lines]
    return "\n".join([typer.style(laid[0], bold=True), *laid[1:]])


def _row(line: list[str], widths: list[int], right: list[bool]) -> str:
    cells = (
        cell.rjust(width) if lean else cell.ljust(width) for cell, width, lean in zip(line, widths, right, strict=True)
    )
    return "  ".join(cells).rstrip()


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).isdecimal()
