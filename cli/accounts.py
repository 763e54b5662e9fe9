"""`spatial accounts`: list, link, unlink, unsent, resend, dismiss."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import progress, report_errors, table, with_home
from spatial.counting import count_of
from storage.postgres import accounts, meter_events, stripe_customers
from storage.postgres.meter_events import UNSENT, UnsentRow
from storage.postgres.stripe_customers import LinkRow
from storage.settings import Settings


def list_accounts(home: Path | None) -> None:
    """Print every account with its customer."""
    with report_errors():
        rows = asyncio.run(_list(stack.settings_with_database(home)))
        if not rows:
            progress(f"there is no account yet; make one with: {with_home('spatial keys issue --account NAME', home)}")
            return
        cells = [[row.account, row.account_id, row.customer_id or "-", row.status or "-"] for row in rows]
        typer.echo(table(["account", "id", "stripe customer", "subscription"], cells))


def link(account: str, customer: str, home: Path | None) -> None:
    """Link an account to a customer."""
    with report_errors():
        asyncio.run(_link(stack.settings_with_database(home), account, customer))
        progress("linked; usage from now on is sent to Stripe")


def unlink(account: str, home: Path | None) -> None:
    """Remove the link of an account."""
    with report_errors():
        was_linked = asyncio.run(_unlink(stack.settings_with_database(home), account))
        progress("unlinked" if was_linked else f"{account} was not linked to a Stripe customer")


def unsent(home: Path | None) -> None:
    """Print the events that need a decision, by account and reason."""
    with report_errors():
        rows = asyncio.run(_list_unsent(stack.settings_with_database(home)))
        if not rows:
            progress("no usage needs a decision; what is pending is sent by the next runs of push-usage")
            return
        headings = ["account", "state", "events", "input tokens", "output tokens", "oldest", "reason"]
        typer.echo(table(headings, [_unsent_cells(row) for row in rows]))


def resend(account: str, uncertain: bool, home: Path | None) -> None:
    """Make refused events pending again."""
    states = ("rejected", "uncertain") if uncertain else ("rejected",)
    with report_errors():
        number = asyncio.run(_resend(stack.settings_with_database(home), account, states))
        progress(f"{count_of(number, 'meter event is', 'meter events are')} sent again by the next run of push-usage")


def dismiss(account: str, home: Path | None) -> None:
    """Give up the unsent events of an account."""
    with report_errors():
        number = asyncio.run(_dismiss(stack.settings_with_database(home), account))
        progress(f"{count_of(number, 'meter event is', 'meter events are')} dismissed")


def _unsent_cells(row: UnsentRow) -> list[str]:
    counts = [str(row.events), str(row.input_tokens), str(row.output_tokens)]
    return [row.account, row.state, *counts, f"{row.oldest:%Y-%m-%d %H:%M}", row.problem or "-"]


async def _list(settings: Settings) -> list[LinkRow]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await stripe_customers.list_links(connection)


async def _link(settings: Settings, account: str, customer: str) -> None:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.require(connection, account)
        await stripe_customers.link(connection, owner.id, customer)


async def _unlink(settings: Settings, account: str) -> bool:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.require(connection, account)
        return await stripe_customers.unlink(connection, owner.id)


async def _list_unsent(settings: Settings) -> list[UnsentRow]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await meter_events.list_unsent(connection)


async def _resend(settings: Settings, account: str, states: tuple[str, ...]) -> int:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.require(connection, account)
        return await meter_events.resend(connection, owner.id, states)


async def _dismiss(settings: Settings, account: str) -> int:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.require(connection, account)
        return await meter_events.dismiss(connection, owner.id, UNSENT)
