"""The command `spatial query`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.options import Home


class AnswerFormat(StrEnum):
    """How a result is written."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def query(
    sql: Annotated[
        str | None,
        typer.Argument(metavar="SQL", help="One SELECT; `-` reads it from standard input. Without it: list the views."),
    ] = None,
    file_format: Annotated[
        AnswerFormat | None,
        typer.Option("--format", help="By default from the extension of F; else a table on a terminal, csv in a pipe."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, metavar="F", help="Write the result to F.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=0, metavar="N", help="Maximum number of rows; by default 1,000 for a table, all for a file."
        ),
    ] = None,
    describe: Annotated[
        str | None,
        typer.Option("--describe", metavar="VIEW", help="Explain the columns of VIEW, one per line, and exit."),
    ] = None,
    home: Home = None,
) -> None:
    """Query the tables of bulk ingest and usage with SQL (DuckDB's dialect).

    Reads only object storage, so the stack need not run. docs/tables.md describes the views, and has examples.
    """
    from cli import query as command

    if describe is not None:
        command.describe(describe, is_alone=(sql, file_format, output, limit) == (None,) * 4, home=home)
    else:
        command.run(sql, file_format.value if file_format else None, output, limit, home)
