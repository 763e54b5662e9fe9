"""`spatial keys`: issue, list, revoke."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors, table, with_home
from storage.postgres import accounts, keys, subscriptions
from storage.postgres.keys import KeyRow
from storage.settings import Settings


def issue(account: str, subscription: str | None, label: str | None, home: Path | None) -> None:
    """Issue a key for an account and print only the key on stdout."""
    with report_errors():
        settings = stack.settings(home)
        if not stack.has_database(settings):
            progress(f"a new database is created in {settings.home}{stack.describe_running()}")
        typer.echo(asyncio.run(_issue(settings, account, subscription, label)))


def list_keys(home: Path | None) -> None:
    """Print every key, oldest first."""
    with report_errors():
        settings = stack.settings_with_database(home)
        rows = asyncio.run(_list(settings))
        if rows:
            typer.echo(table(["id", "key", "account", "label", "issued", "revoked"], [_cells(row) for row in rows]))
        else:
            progress(
                f"no keys in {settings.home} yet; issue one with: {with_home('spatial keys issue --account NAME', home)}"
            )


def revoke(key: str, home: Path | None) -> None:
    """Revoke one key, given as the key, its id or its prefix."""
    with report_errors():
        if not asyncio.run(_revoke(stack.settings_with_database(home), key)):
            raise failure(f"no valid key matches; list them with: {with_home('spatial keys list', home)}")
        progress("revoked")


async def _issue(settings: Settings, account: str, subscription: str | None, label: str | None) -> str:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        is_new = await accounts.by_name(connection, account.strip()) is None
        owner = await accounts.get_or_create(connection, account)
        if subscription is not None or is_new:
            await subscriptions.set_status(connection, owner.id, subscription or "active")
        return (await keys.issue(connection, owner.id, label=label)).secret


async def _list(settings: Settings) -> list[KeyRow]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await keys.list_keys(connection)


async def _revoke(settings: Settings, key: str) -> bool:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await keys.revoke(connection, key.strip().removesuffix("…"))


def _cells(row: KeyRow) -> list[str]:
    return [row.id, f"{row.prefix}…", row.account, row.label or "", _moment(row.created_at), _moment(row.revoked_at)]


def _moment(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""
