"""The command `spatial partners`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home

app = typer.Typer(no_args_is_help=True, help="Make, list and remove the secrets with which CAD partners sign events.")


@app.command("add")
def add(
    partner: Annotated[str, typer.Argument(metavar="PARTNER", help="Name that the partner's events carry.")],
    account: Annotated[
        str,
        typer.Option("--account", metavar="NAME", help="Account that the scenes belong to."),
    ],
    create_account: Annotated[
        bool, typer.Option("--create-account", help="Create the account if it does not exist.")
    ] = False,
    home: Home = None,
) -> None:
    """Make a secret and print only the secret on standard output. A partner has at most two: the old one and the new one."""
    from cli import partners as command

    command.add(partner, account, home, create=create_account)


@app.command("list")
def list_secrets(home: Home = None) -> None:
    """List the secrets of every partner by id, without the secrets themselves."""
    from cli import partners as command

    command.list_secrets(home)


@app.command("remove")
def remove(
    secret_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the secret as the list shows it.")],
    home: Home = None,
) -> None:
    """Remove a secret; from now on, events signed with it are refused."""
    from cli import partners as command

    command.remove(secret_id, home)
