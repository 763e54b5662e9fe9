"""The command `spatial notifications`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.options import Home

app = typer.Typer(
    no_args_is_help=True,
    help="Manage the URLs that are notified of ended batches and ingest runs, and show deliveries.",
)

EndpointId = Annotated[str, typer.Argument(metavar="ID", help="Id of the endpoint as the list shows it.")]


class DeliveryState(StrEnum):
    """State of a delivery."""

    pending = "pending"
    delivered = "delivered"
    failed = "failed"


@app.command("add")
def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="Public https URL that messages are posted to.")],
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help="Account whose ended batches it is notified of.")
    ] = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="Notify it of ended ingest runs, which belong to no account.")
    ] = False,
    home: Home = None,
) -> None:
    """Add an endpoint of an account or of the operator, and print only its secret on standard output. It is not shown again."""
    from cli import notifications as command

    command.add(url, account, operator, home)


@app.command("list")
def list_endpoints(home: Home = None) -> None:
    """List the endpoints, without their secrets."""
    from cli import notifications as command

    command.list_endpoints(home)


@app.command("remove")
def remove(endpoint_id: EndpointId, home: Home = None) -> None:
    """Remove an endpoint and its deliveries."""
    from cli import notifications as command

    command.remove(endpoint_id, home)


@app.command("rotate")
def rotate(endpoint_id: EndpointId, home: Home = None) -> None:
    """Make a new secret and print only the secret on standard output. For 24 hours messages are signed with the old one as well.

    A second rotation within that time ends the oldest secret at once.
    """
    from cli import notifications as command

    command.rotate(endpoint_id, home)


@app.command("test")
def send_test(endpoint_id: EndpointId, home: Home = None) -> None:
    """Send a test message through the running stack, and print what its first attempt came to."""
    from cli import notifications as command

    command.send_test(endpoint_id, home)


@app.command("deliveries")
def deliveries(
    state: Annotated[DeliveryState | None, typer.Option("--state", help="Only deliveries in this state.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, metavar="N", help="At most so many (100).")] = 100,
    home: Home = None,
) -> None:
    """List the newest deliveries with their state, number of attempts and the problem of the last one."""
    from cli import notifications as command

    command.list_deliveries(None if state is None else state.value, limit, home)
