"""`spatial query`: query the tables of bulk ingest and the usage ledger with SQL; reads only object storage."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path

import typer

from cli import stack
from cli.terminal import progress, report_errors, table
from spatial.counting import count_of
from spatial.errors import InvalidRequest
from storage.objects.lake import Lake
from storage.tables import query, result_writers
from storage.tables.result_writers import FORMATS, FileFormat, Rows

SHOWN_ROWS = 1_000
"""Maximum number of rows of a table on the terminal, without --limit."""

STDIN = "-"

TABLE = "table"


def run(sql: str | None, file_format: str | None, output: Path | None, limit: int | None, home: Path | None) -> None:
    """Run one query, or list the views if there is no SQL."""
    with report_errors():
        settings = stack.settings_with_lake(home)
        lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
        asyncio.run(_run(lake, sys.stdin.read() if sql == STDIN else sql, file_format, output, limit))


def describe(view: str, *, is_alone: bool, home: Path | None) -> None:
    """Print what a view and its columns hold. is_alone: whether no SQL and no option of a query was given."""
    with report_errors():
        if not is_alone:
            raise InvalidRequest(
                "--describe runs no query; use it without SQL, --format, --output and --limit, or query without it"
            )
        settings = stack.settings_with_lake(home)
        asyncio.run(_describe(Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint), view))


async def _describe(lake: Lake, name: str) -> None:
    try:
        view = await query.describe_view(lake, name)
    finally:
        await lake.close()
    typer.echo(f"{typer.style(view.name, bold=True)}  {view.about}\n")
    typer.echo(table(["column", "type", "what it holds"], view.columns))


async def _run(lake: Lake, sql: str | None, file_format: str | None, output: Path | None, limit: int | None) -> None:
    try:
        if sql is None:
            await _overview(lake)
        elif (chosen := _format(file_format, output)) is None:
            await _show(lake, sql, SHOWN_ROWS if limit is None else limit)
        elif output is None:
            await _print(lake, sql, chosen, limit)
        else:
            await _save(lake, sql, chosen, limit, output)
    finally:
        await lake.close()


def _format(wanted: str | None, output: Path | None) -> FileFormat | None:
    """The given format; else by the extension of the file; else a table (None) on a terminal and csv in a pipe. Raises: InvalidRequest."""
    endings = ", ".join(FORMATS)
    if wanted == TABLE:
        if output is not None:
            raise InvalidRequest(
                f"a table is for the terminal and cannot be written to a file; use --output with {endings}"
            )
        return None
    if wanted is None and output is None:
        return None if sys.stdout.isatty() else "csv"
    name = wanted if wanted is not None else str(output and output.suffix).lower().removeprefix(".")
    for known in FORMATS:
        if name == known:
            return known
    raise InvalidRequest(f"--output {output} does not end in {endings}; name the format with --format")


async def _overview(lake: Lake) -> None:
    """List every view with its rows and columns."""
    views = await query.list_views(lake)
    width = max(shutil.get_terminal_size().columns, 60)
    for view in views:
        typer.echo(f"{typer.style(view.name, bold=True)}  {count_of(view.rows, 'row')}")
        columns = ", ".join(f"{name}\N{NO-BREAK SPACE}{kind}" for name, kind in view.columns)
        text = textwrap.fill(columns, width, initial_indent="    ", subsequent_indent="    ")
        typer.echo(text.replace("\N{NO-BREAK SPACE}", " "))
    progress(
        "`spatial query --describe callouts` explains the columns of a view, "
        "`spatial query 'SUMMARIZE callouts'` shows their values"
    )
    if not any(view.rows for view in views):
        progress(f"nothing was ingested into {lake.url} yet; run spatial ingest PREFIX")


async def _show(lake: Lake, sql: str, limit: int) -> None:
    found = await query.run(lake, sql, result_writers.read_first(limit))
    typer.echo(_table(found))
    if not found.rows:
        progress("0 rows")
    if found.more:
        progress(f"{count_of(limit, 'row is', 'rows are')} shown; --limit N shows more, --output FILE writes them all")


def _table(found: Rows) -> str:
    return table(found.columns, [[_printable(result_writers.to_text(value)) for value in row] for row in found.rows])


def _printable(text: str) -> str:
    """The text on one line, without control characters for the terminal: it comes from untrusted files."""
    return "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in text.replace("\n", " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ")
    )


async def _print(lake: Lake, sql: str, chosen: FileFormat, limit: int | None) -> None:
    """Write the result to stdout after the query has succeeded, because printed output cannot be withdrawn."""
    with tempfile.TemporaryFile() as file:
        count = await query.run(lake, sql, result_writers.write_to(file, chosen, limit))
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout.buffer)
    if not count:
        progress("0 rows")


async def _save(lake: Lake, sql: str, chosen: FileFormat, limit: int | None, output: Path) -> None:
    """Write the result to a file atomically."""
    scratch = output.with_name(f".{output.name}.new")
    try:
        with scratch.open("w+b") as file:
            count = await query.run(lake, sql, result_writers.write_to(file, chosen, limit))
        size = scratch.stat().st_size
        scratch.replace(output)
    finally:
        scratch.unlink(missing_ok=True)
    progress(f"{output}: {count_of(count, 'row')}, {count_of(size, 'byte')}")
