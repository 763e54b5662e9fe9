"""`spatial operators`: add, list, reset, remove."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import progress, report_errors, table, with_home
from storage.postgres import operators
from storage.postgres.operators import Operator
from storage.settings import Settings


def add(name: str, home: Path | None) -> None:
    """Make an operator and print only the password on stdout."""
    with report_errors():
        typer.echo(asyncio.run(_add(stack.settings_with_database(home), name)))


def list_operators(home: Path | None) -> None:
    """Print every operator."""
    with report_errors():
        settings = stack.settings_with_database(home)
        rows = asyncio.run(_list(settings))
        if rows:
            cells = [[row.name, f"{row.created_at:%Y-%m-%d %H:%M}", _signed_in(row)] for row in rows]
            typer.echo(table(["name", "made", "signed in"], cells))
        else:
            progress(
                f"there is no operator in {settings.home} yet; make one with: {with_home('spatial operators add NAME', home)}"
            )


def reset(name: str, home: Path | None) -> None:
    """Give an operator a new password and print only that on stdout."""
    with report_errors():
        typer.echo(asyncio.run(_reset(stack.settings_with_database(home), name)))


def remove(name: str, home: Path | None) -> None:
    """Remove one operator."""
    with report_errors():
        asyncio.run(_remove(stack.settings_with_database(home), name))
        progress("removed")


async def _add(settings: Settings, name: str) -> str:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return (await operators.add(connection, name)).password


async def _list(settings: Settings) -> list[Operator]:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return await operators.list_operators(connection)


async def _reset(settings: Settings, name: str) -> str:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        return (await operators.reset(connection, name)).password


async def _remove(settings: Settings, name: str) -> None:
    async with database.open_database(settings) as opened, opened.transaction() as connection:
        await operators.remove(connection, name)


def _signed_in(operator: Operator) -> str:
    return f"{operator.signed_in_at:%Y-%m-%d %H:%M}" if operator.signed_in_at else "never"
