"""The command `spatial ingest`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import BulkRunner, BulkTarget, ChunkFiles, DryRun, Edges, Formats, Home, NoWait, Parallel, Tries


def ingest(
    prefix: Annotated[
        str, typer.Argument(metavar="PREFIX", help="Folder or file on this machine, or an s3:// or file:// prefix.")
    ],
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern",
            metavar="GLOB",
            help="Glob below the prefix; without a slash it matches file names in any folder.",
        ),
    ] = None,
    formats: Formats = None,
    min_bytes: Annotated[
        int | None, typer.Option("--min-bytes", min=0, metavar="N", help="Leave smaller files out.")
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=1, metavar="N", help="Leave larger files out.")
    ] = None,
    changed_since: Annotated[
        str | None,
        typer.Option(
            "--changed-since", metavar="DATE", help="Leave out files that were not modified since (ISO 8601, UTC)."
        ),
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
    """Extract every new or changed file under a prefix into tables for `spatial query`.

    The running stack does the work in a flow run, which continues when this command is stopped. Not metered. Exit status:
    0 success, 3 done with some files in the table `failures`, 1 the run failed.
    """
    from cli import ingest as command

    selection = command.Selection(pattern, formats or [], min_bytes, max_bytes, changed_since)
    options = command.BulkOptions(chunk_files, parallel, tries, target, edges, runner, dry_run)
    command.run(prefix, selection, options, home, wait=not no_wait)
