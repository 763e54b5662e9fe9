"""The flow host of a process, with the connections that the tasks use."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from pipelines.jobs import ExtractJob
from pipelines.resources import Resources, open_resources, use_resources
from prefect_runtime import result_storage
from prefect_runtime.host import FlowHost
from storage.settings import Settings

OF_SERVICE: Final = "service"
"""Folder for the results of runs that belong to no account: bulk runs and housekeeping."""


def result_folder(parameters: Mapping[str, Any]) -> str:
    """The folder for the results of a run: the id of its operation or batch, by which purge finds those of an account."""
    job = parameters.get("job")
    of_job = (
        job.operation_id if isinstance(job, ExtractJob) else job.get("operation_id") if isinstance(job, dict) else None
    )
    owner = parameters.get("batch_id") or of_job
    # Whoever reaches Prefect's server chooses the parameters of a run.
    return owner if isinstance(owner, str) and re.fullmatch(r"[A-Za-z0-9_-]+", owner) else OF_SERVICE


def flow_host(settings: Settings) -> FlowHost[Resources]:
    """A host whose flows get their connections by `current_resources()`."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Resources]:
        async with open_resources(settings) as opened:
            with use_resources(opened):
                yield opened

    return FlowHost(connect, lambda: result_storage.load(settings), result_folder)
