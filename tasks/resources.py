"""What stages reach for: database, lake and converter, opened once a process and found by context.

The API and the warm worker open them at start and `use` them; a run in a process of its own (`prefect flow-run execute`)
opens them from the settings on first use.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry

from converter.client import ConverterClient, ReadingHandle
from spatial.models.reading import Meaning
from storage import settings as settings_module
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.settings import Settings
from tasks.jobs import Receipt
from tasks.stages import Stages


@dataclass
class HeadStart:
    """Work on an inline upload that began before its flow run existed."""

    staged: asyncio.Task[None]
    """The upload on its way into the lake."""
    size: int
    sha256: str
    reading: asyncio.Task[ReadingHandle] | None
    """The conversion under way; None once a stage has claimed it."""
    meaning: asyncio.Task[Meaning] | None
    """Its interpretation, which follows by itself; None once claimed."""


@dataclass
class Resources:
    """One process's connections."""

    settings: Settings
    database: Database
    lake: Lake
    converter: ConverterClient
    head_starts: dict[str, HeadStart] = field(default_factory=dict)
    """By content key."""
    receipts: dict[str, asyncio.Future[Receipt]] = field(default_factory=dict)
    """By operation id: who waits in this process for an answer gets it when it is metered, not when the run is tidied up."""
    documents: dict[str, bytes] = field(default_factory=dict)
    """By operation id, for who waits in this process: a paid answer does not depend on reading the lake once more."""
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    """What this process counts; the one registry that it has."""
    stages: Stages = field(init=False)

    def __post_init__(self) -> None:
        self.stages = Stages(self.registry)

    async def close(self) -> None:
        """Let every connection go."""
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
async def opened(settings: Settings) -> AsyncIterator[Resources]:
    """Resources for the length of a block, closed after it."""
    resources = connect(settings)
    try:
        yield resources
    finally:
        await resources.close()


@contextmanager
def use(resources: Resources) -> Iterator[None]:
    """Make these the current resources of this context and of the tasks it starts."""
    token = _current.set(resources)
    try:
        yield
    finally:
        _current.reset(token)


@asynccontextmanager
async def at_hand() -> AsyncIterator[Resources]:
    """The resources of this context; where nobody opened any (a process of a Dask or Ray cluster), our own for the length of a block."""
    found = _current.get()
    if found is not None:
        yield found
        return
    async with opened(settings_module.load()) as own:
        with use(own):
            yield own


def current() -> Resources:
    """The resources of this context; opened from the settings where nobody did."""
    resources = _current.get()
    if resources is not None:
        return resources
    loop = asyncio.get_running_loop()
    if loop not in _opened_on_demand:
        _opened_on_demand[loop] = connect(settings_module.load())
    return _opened_on_demand[loop]
