"""`spatial usage`: print usage totals from the ledger in object storage; rows that are not exported yet are exported first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors, table
from spatial.errors import InvalidRequest
from storage.objects.lake import Lake
from storage.postgres import keys
from storage.settings import Settings
from storage.tables.ledger import export
from storage.tables.ledger_query import Total, read_totals
from storage.timestamps import utc

HEADINGS = ["account", "day", "extractions", "input tokens", "output tokens", "estimated USD"]


def run(account: str | None, since: str | None, until: str | None, home: Path | None) -> None:
    """Print totals by account and day (UTC), and their sum."""
    with report_errors():
        rows, names = asyncio.run(
            _totals(stack.settings_with_database(home), _parse_time("--since", since), _parse_time("--until", until))
        )
        if account is not None and account not in names.values():
            raise failure(f"no account is named {account}; run spatial keys list for the accounts")
        shown = [row for row in rows if account in (None, names.get(row.account_id))]
        if shown:
            typer.echo(table(HEADINGS, [*(_cells(row, names) for row in shown), _sum(shown)]))
        else:
            progress("nothing was metered in that time")


async def _totals(
    settings: Settings, since: datetime | None, until: datetime | None
) -> tuple[list[Total], Mapping[str, str]]:
    """Totals, and the accounts' names by id."""
    async with database.open_database(settings) as opened:
        lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
        try:
            await export(opened, lake)
            async with opened.transaction() as connection:
                names = {key.account_id: key.account for key in await keys.list_keys(connection)}
            return await read_totals(lake, since=since, until=until), names
        finally:
            await lake.close()


def _parse_time(flag: str, text: str | None) -> datetime | None:
    """A date or a time, in UTC unless it names an offset. Raises: InvalidRequest."""
    if text is None:
        return None
    try:
        return utc(datetime.fromisoformat(text))
    except ValueError as error:
        raise InvalidRequest(f"{flag} {text} is not a date; write 2026-01-31 or 2026-01-31T12:00") from error


def _cells(row: Total, names: Mapping[str, str]) -> list[str]:
    return [
        names.get(row.account_id, row.account_id),
        row.day.isoformat(),
        f"{row.items:,}",
        f"{row.input_tokens:,}",
        f"{row.output_tokens:,}",
        f"{row.estimated_cost_usd:,.6f}",
    ]


def _sum(rows: list[Total]) -> list[str]:
    return [
        "all",
        "",
        f"{sum(row.items for row in rows):,}",
        f"{sum(row.input_tokens for row in rows):,}",
        f"{sum(row.output_tokens for row in rows):,}",
        f"{sum(row.estimated_cost_usd for row in rows):,.6f}",
    ]
