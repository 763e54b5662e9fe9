"""`spatial purge`: delete an account and all its data permanently."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

import typer

from cli import database, stack
from cli.flow_runs import NothingRuns, prefect_api
from cli.terminal import failure, progress, report_errors, table
from prefect_runtime.records import RECORDED_SECONDS
from spatial.counting import count_of
from storage.archive import purge
from storage.archive.purge import Holdings
from storage.objects.lake import Lake
from storage.postgres.database import Database, migrate
from storage.settings import Settings

STATEMENT_SECONDS: Final = 300.0
"""Timeout of one statement; accounts may be large."""

WAIT_SECONDS: Final = 60.0
"""How long to wait for running operations."""

T = TypeVar("T")


def run(account: str, yes: bool, force: bool, home: Path | None) -> None:
    """Show the data of the account, ask for confirmation, and delete them."""
    with report_errors():
        settings = stack.settings_with_database(home)
        with database.address(settings) as url:
            asyncio.run(migrate(url))
            held, requests = asyncio.run(_with(url, settings, lambda opened, lake: _show(opened, lake, account)))
            typer.echo(table(["what", "how many"], _cells(held)))
            if held.running and not force:
                raise failure(
                    f"{count_of(held.running, 'operation is', 'operations are')} running for {held.name}; "
                    "wait until none is, or use --force, "
                    "which revokes its keys, waits a minute and deletes"
                )
            if (
                not yes
                and typer.prompt("type the account's name to delete all this", default="", err=True) != held.name
            ):
                raise failure(
                    "that is not the account's name, so nothing was deleted; run the command again and enter the name"
                )
            asyncio.run(_with(url, settings, lambda opened, lake: _purge(opened, lake, held, force)))
        asyncio.run(_delete_runs(settings, requests))


async def _with(url: str, settings: Settings, work: Callable[[Database, Lake], Awaitable[T]]) -> T:
    opened = Database(url, answer_seconds=STATEMENT_SECONDS)
    lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
    try:
        return await work(opened, lake)
    finally:
        await lake.close()
        await opened.close()


async def _show(opened: Database, lake: Lake, account: str) -> tuple[Holdings, list[str]]:
    held = await purge.read_holdings(opened, lake, account)
    return held, await purge.read_request_ids(opened, held.account_id)


async def _purge(opened: Database, lake: Lake, held: Holdings, force: bool) -> None:
    await purge.purge(opened, lake, held.account_id, wait_seconds=WAIT_SECONDS, force=force, report=progress)


async def _delete_runs(settings: Settings, requests: list[str]) -> None:
    """Delete the account's flow runs in Prefect; if Prefect is unreachable, they stay until its retention ends."""
    try:
        async with prefect_api(settings) as api:
            await asyncio.sleep(RECORDED_SECONDS)  # a run that ended just now would be recorded after the deletion
            deleted = await api.delete_runs(requests)
        progress(
            f"{count_of(deleted, 'flow run is', 'flow runs are')} deleted in Prefect; events expire there within days"
        )
    except NothingRuns as error:
        progress(f"the account's flow runs stay in Prefect until their retention ends: {error.message}")


def _cells(held: Holdings) -> list[list[str]]:
    counted = {**held.rows, "lines of the usage ledger": held.ledger_rows, "objects in the lake": len(held.objects)}
    return [["account", held.name], *([name, f"{count:,}"] for name, count in counted.items())]
