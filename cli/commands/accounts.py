"""The command `spatial accounts`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home

app = typer.Typer(
    no_args_is_help=True, help="Link accounts to Stripe customers, and decide on usage that Stripe does not have."
)

Name = Annotated[str, typer.Argument(metavar="ACCOUNT", help="Name of the account.")]
Uncertain = Annotated[
    bool,
    typer.Option("--uncertain", help="Also events of which it is not known whether Stripe counted them."),
]


@app.command("list")
def list_accounts(home: Home = None) -> None:
    """List every account with its Stripe customer and the state of its subscription that was last read."""
    from cli import accounts as command

    command.list_accounts(home)


@app.command("link")
def link(
    account: Name,
    customer: Annotated[str, typer.Option("--stripe-customer", metavar="ID", help="Id of the customer, cus_….")],
    home: Home = None,
) -> None:
    """Make an account pay as a Stripe customer. Usage from now on is sent to Stripe, earlier usage is not."""
    from cli import accounts as command

    command.link(account, customer, home)


@app.command("unlink")
def unlink(account: Name, home: Home = None) -> None:
    """Let an account no longer pay by Stripe. Usage until now is still sent."""
    from cli import accounts as command

    command.unlink(account, home)


@app.command("unsent")
def unsent(home: Home = None) -> None:
    """List usage that is not sent to Stripe, with the reason."""
    from cli import accounts as command

    command.unsent(home)


@app.command("resend")
def resend(account: Name, uncertain: Uncertain = False, home: Home = None) -> None:
    """Send usage of an account again that Stripe refused, with the next run of push-usage."""
    from cli import accounts as command

    command.resend(account, uncertain, home)


@app.command("dismiss")
def dismiss(account: Name, home: Home = None) -> None:
    """Decide that unsent usage of an account is not sent; the usage itself stays."""
    from cli import accounts as command

    command.dismiss(account, home)
