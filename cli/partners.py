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


def add(partner: str, account: str, home: Path | None, *, create: bool = False) -> None:
    """Make a secret for a partner and print only the secret on stdout. create: make the account where there is none."""
    with report_errors():
        secret = asyncio.run(_add(stack.settings_with_database(home), partner, account, create))
        if secret is None:
            raise failure(
                f"there is no account named {account}; see {with_home('spatial accounts list', home)}, or make it with --create-account"
            )
        typer.echo(secret)


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


async def _add(settings: Settings, partner: str, account: str, create: bool) -> str | None:
    """The secret; None where there is no such account."""
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        owner = await accounts.by_name(connection, account.strip())
        if owner is None and not create:
            return None
        owner = owner or await accounts.get_or_create(connection, account)
        return (await partner_secrets.add(connection, owner.id, partner)).secret


async def _list(settings: Settings) -> list[PartnerSecret]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await partner_secrets.read_all(connection)


async def _remove(settings: Settings, secret_id: str) -> bool:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await partner_secrets.remove(connection, secret_id)
