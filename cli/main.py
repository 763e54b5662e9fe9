"""The `spatial` command: one module per command in `cli.commands`, and one row each below.

A command imports what it needs when it runs, so that `spatial --help` starts fast and `spatial extract` loads no database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from cli.commands import (
    accounts,
    backup,
    batch,
    doctor,
    env,
    extract,
    ingest,
    keys,
    notifications,
    operators,
    partners,
    preview,
    purge,
    query,
    reprocess,
    run,
    usage,
)

COMMANDS: Final[tuple[Callable[..., Any], ...]] = (
    run.run,
    extract.extract,
    preview.preview,
    usage.usage,
    ingest.ingest,
    reprocess.reprocess,
    query.query,
    doctor.doctor,
    env.env,
    backup.backup,
    backup.restore,
    purge.purge,
)
"""In the order of `spatial --help`."""

app = typer.Typer(
    name="spatial",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Turns CAD files into one structured document: on this machine, or as a service with keys and metering.",
    epilog="Settings are environment variables that begin with SPATIAL_; `spatial doctor` lists them with their values.",
)
app.add_typer(keys.app, name="keys")
app.add_typer(accounts.app, name="accounts")
app.add_typer(operators.app, name="operators")
app.add_typer(partners.app, name="partners")
app.add_typer(notifications.app, name="notifications")
app.add_typer(batch.app, name="batch")
for command in COMMANDS:
    app.command()(command)


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
    del version  # handled by its callback


if __name__ == "__main__":
    app()
