"""The command `spatial keys`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.options import Home


class Subscription(StrEnum):
    """State of an account's paid subscription."""

    active = "active"
    trialing = "trialing"
    past_due = "past_due"
    canceled = "canceled"
    none = "none"


app = typer.Typer(no_args_is_help=True, help="Issue, list and revoke API keys.")


@app.command("issue")
def issue(
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help="Account that pays; created if it does not exist.")
    ],
    subscription: Annotated[
        Subscription | None,
        typer.Option(
            "--subscription", help="State of the account's subscription; by default `active` for a new account."
        ),
    ] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="What the key is for.")] = None,
    home: Home = None,
) -> None:
    """Issue a key and print only the key on standard output. It is stored hashed and cannot be shown again."""
    from cli import keys as command

    command.issue(account, subscription.value if subscription else None, label, home)


@app.command("list")
def list_keys(home: Home = None) -> None:
    """List every key with its id, prefix, account and revocation."""
    from cli import keys as command

    command.list_keys(home)


@app.command("revoke")
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key, its id, or its prefix as the list shows it.")],
    home: Home = None,
) -> None:
    """Revoke a key; from now on, requests with it are refused."""
    from cli import keys as command

    command.revoke(key, home)
