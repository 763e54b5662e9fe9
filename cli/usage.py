"""`spatial usage`: print usage totals from the ledger in object storage; rows that are not exported yet are exported first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors, table
from spatial.errors import InvalidRequest
from storage.objects.lake import Lake
from storage.postgres import keys
from storage.postgres.keys import KeyRow
from storage.settings import Settings
from storage.tables.ledger import export
from storage.tables.ledger_query import Group, read_groups
from storage.timestamps import utc

BY_DEFAULT: Final = ("account", "day")
"""Dimensions without --by."""

HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {"key": ("key", "label")}
"""Headings of the columns of a dimension, where they are not its name alone."""

WITHOUT_FORMAT: Final = "(no file)"
"""The format of usage that has none: reasoning."""

AMOUNTS: Final = ("items", "input tokens", "output tokens", "estimated USD")


@dataclass(frozen=True)
class Names:
    """What the ids of the ledger are called."""

    accounts: Mapping[str, str]
    """Name per id."""
    keys: Mapping[str, KeyRow]
    """Key per id."""


def run(account: str | None, since: str | None, until: str | None, by: Sequence[str], home: Path | None) -> None:
    """Print totals by some dimensions (days and months in UTC), and their sum."""
    with report_errors():
        times = _parse_time("--since", since), _parse_time("--until", until)
        groups, names = asyncio.run(_read(stack.settings_with_database(home), account, by, *times))
        if not groups:
            progress("nothing was metered in that time")
            return
        before = [heading for name in by for heading in HEADINGS.get(name, (name,))]
        rows = [_cells(group, by, names) for group in groups]
        everything = ["all", *[""] * (len(before) - 1), *_amounts(*groups)]
        typer.echo(table([*before, *AMOUNTS], [*rows, everything]))


async def _read(
    settings: Settings, account: str | None, by: Sequence[str], since: datetime | None, until: datetime | None
) -> tuple[list[Group], Names]:
    """Usage of one account or of all, and what ids are called."""
    async with database.open_database(settings) as opened:
        lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
        try:
            await export(opened, lake)
            async with opened.transaction() as connection:
                rows = await keys.list_keys(connection)
            names = Names({row.account_id: row.account for row in rows}, {row.id: row for row in rows})
            return await read_groups(lake, by, _account_id(account, names), since, until), names
        finally:
            await lake.close()


def _account_id(name: str | None, names: Names) -> str | None:
    if name is None:
        return None
    for account_id, known in names.accounts.items():
        if known == name:
            return account_id
    raise failure(f"no account is named {name}; run spatial keys list for the accounts")


def _parse_time(flag: str, text: str | None) -> datetime | None:
    """A date or a time, in UTC unless it names an offset. Raises: InvalidRequest."""
    if text is None:
        return None
    try:
        return utc(datetime.fromisoformat(text))
    except ValueError as error:
        raise InvalidRequest(f"{flag} {text} is not a date; write 2026-01-31 or 2026-01-31T12:00") from error


def _cells(group: Group, by: Sequence[str], names: Names) -> list[str]:
    pairs = zip(by, group.values, strict=True)
    return [*(cell for name, value in pairs for cell in _named(name, value, names)), *_amounts(group)]


def _named(dimension: str, value: Any, names: Names) -> list[str]:
    """One cell per heading of the dimension."""
    if dimension == "account":
        return [names.accounts.get(value, value)]
    if dimension == "key":
        key = names.keys.get(value)
        return [f"{key.prefix}…", key.label or ""] if key else [value, ""]
    return [WITHOUT_FORMAT if value is None else str(value)]


def _amounts(*groups: Group) -> list[str]:
    return [
        f"{sum(group.items for group in groups):,}",
        f"{sum(group.input_tokens for group in groups):,}",
        f"{sum(group.output_tokens for group in groups):,}",
        f"{sum(group.estimated_cost_usd for group in groups):,.6f}",
    ]
