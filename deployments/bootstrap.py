"""Set up what a deployment needs; safe to run again.

The database's schema and the bucket; in the Prefect server the result storage, work pool, deployments and schedules.

Run as `python -m deployments.bootstrap`; the embedded stack and the compose file do so at every start.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress

import httpx
from prefect import get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate, WorkPoolCreate
from prefect.client.schemas.schedules import IntervalSchedule
from prefect.exceptions import ObjectAlreadyExists
from prefect.utilities.callables import parameter_schema

from deployments import prefect_environment
from flows import results
from flows.catalog import CATALOG, POOL, WORKER_TYPE, Deployed
from storage import bucket
from storage import settings as settings_module
from storage.database import migrate
from storage.lake import LakeUnavailable
from storage.settings import Settings

RETRY_SECONDS = 0.5

TEMPLATE = {
    "job_configuration": {"name": "{{ name }}"},
    "variables": {"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}},
}
"""An in-process run has no infrastructure to configure; Prefect wants a template that is not empty."""

log = logging.getLogger(__name__)


async def register(settings: Settings) -> list[str]:
    """Register everything; returns a line for each thing that is now in place."""
    await bucket.ensure(settings)
    await results.save(settings)
    lines = [f"object storage {settings.storage_url}", f"result storage {results.BLOCK}"]
    async with get_client() as client:
        lines.append(await _pool(client, POOL))
        lines += [await _deployment(client, row, POOL) for row in CATALOG.values()]
    return lines


async def until_registered(settings: Settings) -> None:
    """Register as soon as Prefect server and object storage answer; keeps asking while they are out of reach."""
    while True:
        try:
            for line in await register(settings):
                log.info("registered %s", line)
            return
        except httpx.HTTPStatusError as error:
            if error.response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                raise
            log.info("the Prefect server is not ready: %r", error)
        except (httpx.TransportError, LakeUnavailable) as error:
            log.info("waiting for Prefect server and object storage: %r", error)
        await asyncio.sleep(RETRY_SECONDS)


async def _pool(client: PrefectClient, name: str) -> str:
    pool = WorkPoolCreate(
        name=name,
        type=WORKER_TYPE,
        description="Runs our flows inside warm worker processes; start one with python -m deployments.worker",
        base_job_template=TEMPLATE,
    )
    with suppress(ObjectAlreadyExists):  # a pool that operators have tuned stays as they left it
        await client.create_work_pool(pool)
    return f"work pool {name}"


async def _deployment(client: PrefectClient, row: Deployed, pool: str) -> str:
    schedules = (
        [DeploymentScheduleCreate(schedule=IntervalSchedule(interval=row.every), active=True)] if row.every else []
    )
    flow_id = await client.create_flow_from_name(row.flow.name)
    await client.create_deployment(
        flow_id=flow_id,
        name=row.flow.name,
        work_pool_name=pool,
        description=row.description or row.flow.description,
        entrypoint=row.entrypoint,
        path=".",
        tags=["spatial"],
        schedules=schedules,
        parameter_openapi_schema=parameter_schema(row.flow.fn).model_dump_for_openapi(),
    )
    return f"deployment {row.flow.name}/{row.flow.name}"


async def _everything(settings: Settings) -> list[str]:
    """The schema first: API and worker count on it."""
    await migrate(settings.need_database_url())
    return ["database schema", *await register(settings)]


def main() -> int:
    """Register, and say what is in place."""
    try:
        settings = settings_module.load()
        prefect_environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    for line in asyncio.run(_everything(settings)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
