"""The command `spatial reprocess`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.options import BulkRunner, BulkTarget, ChunkFiles, DryRun, Edges, Formats, Home, NoWait, Parallel, Tries


class Reprocessed(StrEnum):
    """Which settled files are extracted again."""

    outdated = "outdated"
    failed = "failed"
    all = "all"


def reprocess(
    which: Annotated[
        Reprocessed | None,
        typer.Argument(
            metavar="[outdated|failed|all]", help="Which files; by default outdated, or all that --sql returns."
        ),
    ] = None,
    sql: Annotated[
        str | None,
        typer.Option(
            "--sql", metavar="SELECT", help="Only files that this returns, as source_uri, extraction_id or document_id."
        ),
    ] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="PREFIX", help="Only below this prefix.")] = None,
    formats: Formats = None,
    extractor_versions: Annotated[
        list[int] | None,
        typer.Option(
            "--extractor-version", metavar="N", help="Only files that this version extracted; may be repeated."
        ),
    ] = None,
    error_types: Annotated[
        list[str] | None,
        typer.Option("--error-type", metavar="TYPE", help="Only failures of this type; may be repeated."),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only files settled then or later (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Only files settled before (ISO 8601, UTC).")
    ] = None,
    chunk_files: ChunkFiles = None,
    parallel: Parallel = None,
    tries: Tries = None,
    target: BulkTarget = None,
    edges: Edges = False,
    runner: BulkRunner = None,
    dry_run: DryRun = False,
    no_wait: NoWait = False,
    home: Home = None,
) -> None:
    """Extract ingested files again: after an upgrade, after a repair, or those that a SELECT returns.

    Old results stay until the new ones are written. Exit status as for `spatial ingest`.
    """
    from cli import reprocess as command
    from cli.ingest import BulkOptions

    selection = command.Selection(
        which.value if which else None,
        sql,
        source,
        formats or [],
        extractor_versions or [],
        error_types or [],
        since,
        until,
    )
    options = BulkOptions(chunk_files, parallel, tries, target, edges, runner, dry_run)
    command.run(selection, options, home, wait=not no_wait)
