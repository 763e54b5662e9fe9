"""Work that a worker does itself where it sees some, and what the stack's Prefect server has of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from flows.background_work import WORK, run_if_needed
from flows.hosting import flow_host
from flows.housekeeping import export_usage
from pipelines.resources import Resources
from prefect_runtime.host import FlowHost
from storage import settings
from storage.postgres.schema import usage
from tests.stack.test_flow import extract
from tests.support.stack import RunningStack, eventually

pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
async def host(stack: RunningStack, tmp_path: Path) -> AsyncIterator[FlowHost[Resources]]:
    """A flow host as that of the stack's worker."""
    known = stack.addresses
    chosen = settings.load(home=tmp_path, database_url=known["database_url"], storage_url=f"file://{stack.home}/lake")
    server = {PREFECT_API_URL: known["prefect_api_url"], PREFECT_API_AUTH_STRING: known["prefect_auth"]}
    with temporary_settings(server):
        opened = flow_host(chosen)
        await opened.open()
        yield opened
        await opened.close()


async def aged(host: FlowHost[Resources]) -> int:
    """Make all rows of the ledger a minute older; the number of those that are not exported."""
    async with host.connections.database.transaction() as connection:
        await connection.execute(
            sa.update(usage).values(created_at=usage.c.created_at - sa.text("interval '1 minute'"))
        )
        waiting = sa.select(sa.func.count()).where(usage.c.object_id.is_(None))
        return int((await connection.execute(waiting)).scalar_one())


@pytest.mark.requirement("housekeeping.runs-here", "usage.exported-to-parquet")
async def test_rows_that_wait_are_exported_here_and_the_run_is_seen_once_it_has_ended(
    stack: RunningStack, host: FlowHost[Resources]
) -> None:
    work = next(work for work in WORK if work.runs_here is export_usage)
    with stack.prefect() as prefect:

        def seen() -> list[Any]:
            ours = {"flow_runs": {"name": {"any_": [work.flow]}, "state": {"type": {"any_": ["COMPLETED"]}}}}
            return [run["id"] for run in prefect.post("flow_runs/filter", json=ours).json()]

        before = seen()
        ran = False
        while not ran:  # the worker of the stack may be sooner
            assert extract(stack).status_code == 200
            await host.call(lambda: aged(host))
            ran = await host.call(lambda: run_if_needed(host, work, export_usage))
        assert await host.call(lambda: aged(host)) == 0
        assert not await host.call(lambda: run_if_needed(host, work, export_usage))
        eventually(lambda: len(seen()) > len(before), what="the run in Prefect")
