"""The `spatial` command: what can be typed, and where it is done.

Each command is imported when it is run, so that `spatial --help` answers at once and `spatial extract` loads no database.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="spatial",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Turns CAD files into one structured document: on this machine, or as a service with keys and metering.",
    epilog="Settings are environment variables that begin with SPATIAL_; `spatial doctor` lists them with their values.",
)
keys_app = typer.Typer(no_args_is_help=True, help="Issue, list and revoke API keys.")
app.add_typer(keys_app, name="keys")

Home = Annotated[
    Path | None,
    typer.Option(
        "--home", metavar="DIR", help="Folder of the embedded stack's data (SPATIAL_HOME; by default .spatial)."
    ),
]


class Target(StrEnum):
    """What an extraction returns."""

    structured = "structured"
    point_cloud_scene = "point_cloud_scene"
    both = "both"


class Subscription(StrEnum):
    """State of an account's paid subscription."""

    active = "active"
    trialing = "trialing"
    past_due = "past_due"
    canceled = "canceled"
    none = "none"


class Runner(StrEnum):
    """Where the chunks of a bulk run are worked on."""

    local = "local"
    dask = "dask"
    ray = "ray"


class Reprocessed(StrEnum):
    """Which settled files are read again."""

    outdated = "outdated"
    failed = "failed"
    all = "all"


Formats = Annotated[
    list[str] | None, typer.Option("--format", metavar="NAME", help="Only this format, such as step; may be repeated.")
]
ChunkFiles = Annotated[
    int | None, typer.Option("--chunk-files", min=1, max=5_000, metavar="N", help="Files of one task run (500).")
]
Parallel = Annotated[
    int | None,
    typer.Option(
        "--parallel", min=1, max=256, metavar="N", help="Files at a time (three for each place of the converter)."
    ),
]
Tries = Annotated[
    int | None,
    typer.Option(
        "--tries", min=1, max=10, metavar="N", help="How often a file that times out or kills its process is tried (3)."
    ),
]
BulkTarget = Annotated[Target | None, typer.Option("--target", help="What documents hold (structured).")]
BulkRunner = Annotated[
    Runner | None, typer.Option("--runner", help="Where chunks are worked on (SPATIAL_INGEST_RUNNER).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be read.")]
NoWait = Annotated[bool, typer.Option("--no-wait", help="Print the id of the flow run and return at once.")]


class AnswerFormat(StrEnum):
    """How an answer is written."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def _version(wanted: bool) -> None:
    if wanted:
        from cli.version import version

        typer.echo(f"spatial {version()}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version  # the callback has answered


@app.command()
def run(
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=1, max=65535, metavar="N", help="Port of the API (SPATIAL_API_PORT; by default 8000)."
        ),
    ] = None,
    home: Home = None,
    no_sample: Annotated[
        bool, typer.Option("--no-sample", help="Do not extract the bundled sample part on the first run.")
    ] = False,
    no_desktop_worker: Annotated[
        bool, typer.Option("--no-desktop-worker", help="Do not start a desktop inference worker.")
    ] = False,
) -> None:
    """Start the whole stack on this machine and serve until Ctrl-C.

    Postgres, the Prefect server with its UI, the converter, a warm worker and the API, each unless the settings point elsewhere.
    """
    from cli import run as command

    command.run(port=port, home=home, no_sample=no_sample, no_desktop_worker=no_desktop_worker)


@app.command()
def extract(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, readable=True, metavar="FILE", help="CAD model, drawing or diagram."
        ),
    ],
    target: Annotated[Target, typer.Option("--target", help="What to return.")] = Target.structured,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="F", help="Write the JSON document to F; `-` is standard output."),
    ] = None,
    home: Home = None,
) -> None:
    """Extract one file here and now: no server, no key, no metering.

    On a terminal it prints a summary; piped, or with --output -, the JSON document.
    """
    from cli import extract as command

    command.run(file, target.value, output, home)


@app.command()
def preview(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Drawing or diagram.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F", help="Where to; by default FILE's name with .svg.")
    ] = None,
    page: Annotated[int, typer.Option("--page", min=1, metavar="N", help="Which of its pages or spaces.")] = 1,
    home: Home = None,
) -> None:
    """Draw what was extracted: an SVG picture of one page, with what was understood tinted.

    It is drawn from the document and nothing else, so what the picture lacks, the document lacks.
    """
    from cli import preview as command

    command.run(file, output, page, home)


@keys_app.command("issue")
def keys_issue(
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help="Account that pays; created if it does not exist.")
    ],
    subscription: Annotated[
        Subscription | None,
        typer.Option(
            "--subscription", help="Set the account's subscription; a new account gets `active` unless told otherwise."
        ),
    ] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="What the key is for.")] = None,
    home: Home = None,
) -> None:
    """Issue a key and print it, alone, on standard output. It is stored hashed and cannot be shown again."""
    from cli import keys as command

    command.issue(account, subscription.value if subscription else None, label, home)


@keys_app.command("list")
def keys_list(home: Home = None) -> None:
    """List every key: its id, how it begins, whose it is and whether it is revoked."""
    from cli import keys as command

    command.listing(home)


@keys_app.command("revoke")
def keys_revoke(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="The key itself, its id, or the prefix that the list shows.")
    ],
    home: Home = None,
) -> None:
    """Revoke a key; requests with it are refused from now on."""
    from cli import keys as command

    command.revoke(key, home)


@app.command()
def usage(
    account: Annotated[str | None, typer.Option("--account", metavar="NAME", help="Only this account.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From this day or moment on (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Before this day or moment (ISO 8601, UTC).")
    ] = None,
    home: Home = None,
) -> None:
    """Show what was metered, by account and day."""
    from cli import usage as command

    command.run(account, since, until, home)


@app.command()
def ingest(
    prefix: Annotated[
        str, typer.Argument(metavar="PREFIX", help="Folder or file of this machine, or an s3:// or file:// prefix.")
    ],
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern", metavar="GLOB", help="Glob below the prefix; without a slash, of names in any folder."
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
        typer.Option("--changed-since", metavar="DATE", help="Leave out what was not modified since (ISO 8601, UTC)."),
    ] = None,
    chunk_files: ChunkFiles = None,
    parallel: Parallel = None,
    tries: Tries = None,
    target: BulkTarget = None,
    runner: BulkRunner = None,
    dry_run: DryRun = False,
    no_wait: NoWait = False,
    home: Home = None,
) -> None:
    """Extract every new or changed file under a prefix into tables for `spatial query`.

    The running stack does it, as a flow run that goes on when this command is stopped. Not metered. Exit status: 0 all is
    well, 3 done with files in the table failures, 1 the run failed.
    """
    from cli import ingest as command

    which = command.Which(pattern, formats or [], min_bytes, max_bytes, changed_since)
    how = command.How(
        chunk_files, parallel, tries, target.value if target else None, runner.value if runner else None, dry_run
    )
    command.run(prefix, which, how, home, wait=not no_wait)


@app.command()
def reprocess(
    which: Annotated[
        Reprocessed | None,
        typer.Argument(metavar="[outdated|failed|all]", help="What is read again; outdated, or all that --sql names."),
    ] = None,
    sql: Annotated[
        str | None,
        typer.Option(
            "--sql", metavar="SELECT", help="Only what this returns: source_uri, extraction_id or document_id."
        ),
    ] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="PREFIX", help="Only below this prefix.")] = None,
    formats: Formats = None,
    extractor_versions: Annotated[
        list[int] | None,
        typer.Option("--extractor-version", metavar="N", help="Only what this version read; may be repeated."),
    ] = None,
    error_types: Annotated[
        list[str] | None,
        typer.Option("--error-type", metavar="TYPE", help="Only failures of this type; may be repeated."),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only what was settled then or later (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Only what was settled before (ISO 8601, UTC).")
    ] = None,
    chunk_files: ChunkFiles = None,
    parallel: Parallel = None,
    tries: Tries = None,
    target: BulkTarget = None,
    runner: BulkRunner = None,
    dry_run: DryRun = False,
    no_wait: NoWait = False,
    home: Home = None,
) -> None:
    """Read files again that were ingested before: after an upgrade, after a repair, or those that an SQL names.

    Old results stay until the new ones are there. Exit status as for `spatial ingest`.
    """
    from cli import ingest as options
    from cli import reprocess as command

    chosen = command.Chosen(
        which.value if which else None,
        sql,
        source,
        formats or [],
        extractor_versions or [],
        error_types or [],
        since,
        until,
    )
    how = options.How(
        chunk_files, parallel, tries, target.value if target else None, runner.value if runner else None, dry_run
    )
    command.run(chosen, how, home, wait=not no_wait)


@app.command()
def query(
    sql: Annotated[
        str | None,
        typer.Argument(
            metavar="SQL", help="One SELECT; `-` reads it from standard input. Without it: what can be asked."
        ),
    ] = None,
    file_format: Annotated[
        AnswerFormat | None,
        typer.Option("--format", help="By default as F ends; else a table on a terminal, csv in a pipe."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, metavar="F", help="Write the answer to F.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=0, metavar="N", help="Most rows; by default 1,000 of a table, all of a file."),
    ] = None,
    home: Home = None,
) -> None:
    """Ask the tables of bulk ingest, and usage, with SQL (DuckDB's).

    Reads object storage and nothing else, so it works whether the stack runs or not. docs/tables.md tells the views.
    """
    from cli import query as command

    command.run(sql, file_format.value if file_format else None, output, limit, home)


@app.command()
def doctor(home: Home = None) -> None:
    """Check settings and parts; say what to do.

    Says what is configured and from where, what can be reached, and what to do about what cannot. Exit status 1 if
    something that is needed is broken.
    """
    from cli import doctor as command

    command.run(home)


@app.command()
def backup(
    output: Annotated[
        Path, typer.Option("--output", "-o", dir_okay=False, metavar="FILE", help="Archive to write; a new file.")
    ],
    home: Home = None,
) -> None:
    """Write one archive of the database and the lake, of a running stack or of one at rest.

    It holds what callers sent and were answered, and digests of their keys; only its owner can read it.
    """
    from cli import backup as command

    command.backup(output, home)


@app.command()
def restore(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Archive of a backup.")
    ],
    home: Home = None,
) -> None:
    """Restore a backup into an empty home, or an empty database and lake: all of it, or nothing."""
    from cli import backup as command

    command.restore(file, home)


@app.command()
def purge(
    account: Annotated[str, typer.Option("--account", metavar="NAME", help="Whose data to delete.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the account's name.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also where operations are running: revoke the keys, wait a while, delete.")
    ] = False,
    home: Home = None,
) -> None:
    """Delete an account and everything that is its: keys, files, results, usage and its lines of the ledger.

    Shows what will be deleted and asks for the account's name. It cannot be taken back.
    """
    from cli import purge as command

    command.run(account, yes, force, home)


if __name__ == "__main__":
    app()
