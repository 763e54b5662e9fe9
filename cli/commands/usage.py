"""The command `spatial usage`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.options import Home


class Dimension(StrEnum):
    """What usage can be grouped by."""

    ACCOUNT = "account"
    KEY = "key"
    OPERATION = "operation"
    ROUTE = "route"
    FORMAT = "format"
    DAY = "day"
    MONTH = "month"


def usage(
    account: Annotated[str | None, typer.Option("--account", metavar="NAME", help="Only this account.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From this date or time on (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Before this date or time (ISO 8601, UTC).")
    ] = None,
    by: Annotated[
        list[Dimension] | None,
        typer.Option(
            "--by", help="Group by this; give it again for a finer grouping. By default --by account --by day."
        ),
    ] = None,
    home: Home = None,
) -> None:
    """Show metered usage by account and day, or by what --by names."""
    from cli import usage as command

    chosen = tuple(dict.fromkeys(each.value for each in by)) if by else command.BY_DEFAULT
    command.run(account, since, until, chosen, home)
