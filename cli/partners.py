"""`spatial partners`: add, list, remove."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors, table, with_home
from storage.postgres import accounts, partner_secrets
from storage.postgres.partner_secrets import PartnerSecret
from storage.settings import Settings


def add(partner: str, account: str, home: Path | None) -> None:
    """Make a secret for a partner and print only the secret on stdout."""
    with report_errors():
        typer.echo(asyncio.run(_add(stack.settings_with_database(home), partner, account)))


def list_secrets(home: Path | None) -> None:
    """Print every secret's id, partner, account and age."""
    with report_errors():
        settings = stack.settings_with_database(home)
        rows = asyncio.run(_list(settings))
        if rows:
            cells = [[row.id, row.partner, row.account_id, f"{row.created_at:%Y-%m-%d %H:%M}"] for row in rows]
            typer.echo(table(["id", "partner", "account", "made"], cells))
        else:
            progress(
                f"no partner has a secret in {settings.home} yet; "
                f"make one with: {with_home('spatial partners add PARTNER --account NAME', home)}"
            )


def remove(secret_id: str, home: Path | None) -> None:
    """Remove one secret by its id."""
    with report_errors():
        if not asyncio.run(_remove(stack.settings_with_database(home), secret_id)):
            raise failure(f"no secret has this id; list them with: {with_home('spatial partners list', home)}")
        progress("removed")


async def _add(settings: Settings, partner: str, account: str) -> str:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.get_or_create(connection, account)
        return (await partner_secrets.add(connection, owner.id, partner)).secret


async def _list(settings: Settings) -> list[PartnerSecret]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await partner_secrets.read_all(connection)


async def _remove(settings: Settings, secret_id: str) -> bool:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await partner_secrets.remove(connection, secret_id)
