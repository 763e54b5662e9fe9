"""The command `spatial usage`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home


def usage(
    account: Annotated[str | None, typer.Option("--account", metavar="NAME", help="Only this account.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From this date or time on (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Before this date or time (ISO 8601, UTC).")
    ] = None,
    home: Home = None,
) -> None:
    """Show metered usage by account and day."""
    from cli import usage as command

    command.run(account, since, until, home)
