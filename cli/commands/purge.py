"""The command `spatial purge`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home


def purge(
    account: Annotated[str, typer.Option("--account", metavar="NAME", help="Account to delete.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the account's name.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Delete also while operations are running: revoke the keys and wait first.")
    ] = False,
    home: Home = None,
) -> None:
    """Delete an account with its keys, files, results, usage and lines of the ledger.

    Shows what will be deleted and asks for the account's name. This cannot be undone.
    """
    from cli import purge as command

    command.run(account, yes, force, home)
