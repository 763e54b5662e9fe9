"""Connections that pipelines use: database, lake and converter, opened once per process and found through the context.

The API and the warm worker open them at start and make them current; a run in a process of its own
(`prefect flow-run execute`) opens them from the settings on first use.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry

from converter.client import ConverterClient
from pipelines.handoff import Handoff
from pipelines.stages import Stages
from storage import settings as settings_module
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.settings import Settings


@dataclass
class Resources:
    """The connections of one process."""

    settings: Settings
    database: Database
    lake: Lake
    converter: ConverterClient
    handoffs: dict[str, Handoff] = field(default_factory=dict)
    """By operation id; the flow host adds one before it starts the run, and removes it when the run has ended."""
    uncommitted: Counter[str] = field(default_factory=Counter)
    """By run of bulk ingest: files that this process has read and will count when it commits them."""
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    """The metrics registry of this process."""
    stages: Stages = field(init=False)

    def __post_init__(self) -> None:
        self.stages = Stages(self.registry)

    async def close(self) -> None:
        """Close every connection."""
        await self.converter.close()
        await self.lake.close()
        await self.database.close()


_current: ContextVar[Resources | None] = ContextVar("resources", default=None)
_opened_on_demand: dict[asyncio.AbstractEventLoop, Resources] = {}


def connect(settings: Settings) -> Resources:
    """Resources for these settings; nothing is contacted yet."""
    return Resources(
        settings=settings,
        database=Database(settings.need_database_url()),
        lake=Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint),
        converter=ConverterClient(settings.converter_url),
    )


@asynccontextmanager
async def open_resources(settings: Settings) -> AsyncIterator[Resources]:
    """Resources for the length of a block, closed after it."""
    resources = connect(settings)
    try:
        yield resources
    finally:
        await resources.close()


@contextmanager
def use_resources(resources: Resources) -> Iterator[None]:
    """Make these the current resources of this context and of the tasks that it starts."""
    token = _current.set(resources)
    try:
        yield
    finally:
        _current.reset(token)


@asynccontextmanager
async def ensure_resources() -> AsyncIterator[Resources]:
    """The current resources; in a process that has none (of a Dask or Ray cluster), new ones for the length of a block."""
    found = _current.get()
    if found is not None:
        yield found
        return
    async with open_resources(settings_module.load()) as own:
        with use_resources(own):
            yield own


def current_resources() -> Resources:
    """The resources of this context; opened from the settings where the process opened none."""
    resources = _current.get()
    if resources is not None:
        return resources
    loop = asyncio.get_running_loop()
    if loop not in _opened_on_demand:
        _opened_on_demand[loop] = connect(settings_module.load())
    return _opened_on_demand[loop]


def handoff(operation_id: str) -> Handoff | None:
    """What this process handed to the flow run of the operation; None where it handed over nothing."""
    return current_resources().handoffs.get(operation_id)
