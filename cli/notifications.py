"""`spatial notifications`: add, list, remove, rotate, test, deliveries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors, table, with_home
from spatial.counting import count_of
from spatial.errors import NotFound
from storage.net import post
from storage.postgres import accounts, webhook_deliveries, webhook_endpoints
from storage.postgres.database import Database
from storage.postgres.webhook_deliveries import Delivery, State
from storage.postgres.webhook_endpoints import Endpoint
from storage.settings import Settings

T = TypeVar("T")

TEST_SECONDS: Final = 40.0
"""How long a test waits for its first attempt: a worker takes it within seconds, and the endpoint may take 20 s to answer."""

POLL_SECONDS: Final = 0.5
"""Interval at which a test looks whether its attempt has ended."""

OPERATOR: Final = "(operator)"
"""What stands in place of the account of an operator's endpoint."""


def add(url: str, account: str | None, operator: bool, home: Path | None) -> None:
    """Add an endpoint and print only its secret on stdout."""
    with report_errors():
        if (account is None) != operator:
            raise failure("an endpoint belongs to an account or to the operator; give --account NAME or --operator")
        settings = stack.settings_with_database(home)
        post.check_shape(url, allow=settings.notifications_allow)
        endpoint_id, secret = asyncio.run(_changed(settings, lambda to: _add(to, account, url)))
        typer.echo(secret)
        progress(f"{endpoint_id} is added; messages are sent while the workers run with SPATIAL_NOTIFICATIONS=1")


def list_endpoints(home: Path | None) -> None:
    """Print every endpoint, oldest first."""
    with report_errors():
        settings = stack.settings_with_database(home)
        rows = asyncio.run(_changed(settings, webhook_endpoints.read_all))
        if rows:
            typer.echo(table(["id", "account", "url", "added", "state"], [_cells(row) for row in rows]))
        else:
            hint = with_home("spatial notifications add URL --account NAME", home)
            progress(f"there are no endpoints in {settings.home} yet; add one with: {hint}")


def remove(endpoint_id: str, home: Path | None) -> None:
    """Remove one endpoint by its id."""
    with report_errors():
        settings = stack.settings_with_database(home)
        asyncio.run(_changed(settings, lambda to: webhook_endpoints.remove(to, endpoint_id)))
        progress("removed")


def rotate(endpoint_id: str, home: Path | None) -> None:
    """Make a new secret of one endpoint and print only the secret on stdout."""
    with report_errors():
        settings = stack.settings_with_database(home)
        typer.echo(asyncio.run(_changed(settings, lambda to: webhook_endpoints.rotate(to, endpoint_id))))
        hours = count_of(webhook_endpoints.ROTATION // timedelta(hours=1), "hour")
        progress(f"messages are signed with the old secret as well, for {hours}")


def send_test(endpoint_id: str, home: Path | None) -> None:
    """Send a test message and print what its first attempt came to."""
    with report_errors():
        sent = asyncio.run(_send_test(stack.settings_with_database(home), endpoint_id))
        if sent.state != "delivered":
            reason = sent.problem or (
                f"no worker has sent it within {TEST_SECONDS:g} s: start one with SPATIAL_NOTIFICATIONS=1, which sends it later"
            )
            raise failure(f"{sent.id} is {sent.state}: {reason}")
        progress(f"{sent.id} is delivered: the endpoint answered {sent.status}")


def list_deliveries(state: State | None, limit: int, home: Path | None) -> None:
    """Print the newest deliveries."""
    with report_errors():
        settings = stack.settings_with_database(home)
        rows = asyncio.run(_changed(settings, lambda to: webhook_deliveries.read_newest(to, state=state, limit=limit)))
        if rows:
            headings = ["id", "account", "event", "written", "state", "attempts", "next attempt", "problem"]
            typer.echo(table(headings, [_delivery_cells(row) for row in rows]))
        else:
            progress("there are no such deliveries")


async def _changed(settings: Settings, work: Callable[[Any], Awaitable[T]]) -> T:
    """The result of one transaction. work: takes the connection."""
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await work(connection)


async def _add(connection: Any, account: str | None, url: str) -> tuple[str, str]:
    if account is None:
        return await webhook_endpoints.add(connection, None, url)
    owner = await accounts.by_name(connection, account.strip())
    if owner is None:
        raise NotFound(f"there is no account named {account}; run spatial keys list for the accounts")
    return await webhook_endpoints.add(connection, owner.id, url)


async def _send_test(settings: Settings, endpoint_id: str) -> Delivery:
    """The delivery after its first attempt, or after TEST_SECONDS without one."""
    async with database.open_database(settings) as opened:
        async with opened.transaction() as connection:
            message_id = await webhook_deliveries.announce_test(connection, endpoint_id)
        if message_id is None:
            raise NotFound(
                f"no endpoint has the id {endpoint_id}, or it is disabled: list them with spatial notifications list; "
                "remove a disabled one and add it again"
            )
        deadline = time.monotonic() + TEST_SECONDS
        while (sent := await _read(opened, message_id)).attempts == 0 and time.monotonic() < deadline:
            await asyncio.sleep(POLL_SECONDS)
        return sent


async def _read(opened: Database, message_id: str) -> Delivery:
    async with opened.transaction() as connection:
        found = await webhook_deliveries.read_newest(connection, delivery_id=message_id)
    if not found:
        raise NotFound("the endpoint was removed meanwhile; add it again to test it")
    return found[0]


def _cells(row: Endpoint) -> list[str]:
    state = "enabled" if row.disabled_at is None else f"disabled: {row.disabled_reason}"
    return [row.id, row.account or OPERATOR, row.url, f"{row.created_at:%Y-%m-%d %H:%M}", state]


def _delivery_cells(row: Delivery) -> list[str]:
    planned = f"{row.next_attempt_at:%Y-%m-%d %H:%M:%S}" if row.state == "pending" else ""
    written = f"{row.created_at:%Y-%m-%d %H:%M}"
    account = row.account or OPERATOR
    return [row.id, account, row.event, written, row.state, str(row.attempts), planned, row.problem or ""]
