"""What the process that took a request hands to its flow run: work that began before the run existed, and whom to answer.

The flow host keeps one `Handoff` per operation in its resources, for as long as the run lasts; `resources.handoff(operation_id)`
fetches it. A run without one (started again from the Prefect UI, or carried by another process) does the same work by itself.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass, field

from converter.client import ConverterClient, InputFile, MeaningFacts, ReadingHandle
from pipelines.jobs import ExtractJob, Receipt
from pipelines.stages import Stages
from storage.objects.lake import Lake


@dataclass
class EarlyConversion:
    """Work on an inline upload that began before its flow run existed."""

    staging: asyncio.Task[None]
    """The upload on its way into the lake."""
    size: int
    """Bytes."""
    sha256: str
    reading: asyncio.Task[ReadingHandle]
    """The conversion."""
    meaning: asyncio.Task[MeaningFacts]
    """The interpretation, which follows the conversion."""
    taken: set[str] = field(default_factory=set)
    """Stages that have joined their task: a retry of the stage does the work again."""

    def take_reading(self) -> Awaitable[ReadingHandle] | None:
        """The conversion; None after the first call."""
        return self.reading if self._is_first("convert") else None

    def take_meaning(self) -> Awaitable[MeaningFacts] | None:
        """The interpretation; None after the first call."""
        return self.meaning if self._is_first("interpret") else None

    def close(self) -> None:
        """Cancel what still runs, and retrieve every exception, so that none is reported as never retrieved."""
        for task in (self.staging, self.reading, self.meaning):
            if not task.done():
                task.cancel()
            elif not task.cancelled():
                task.exception()

    def _is_first(self, stage: str) -> bool:
        first = stage not in self.taken
        self.taken.add(stage)
        return first


@dataclass
class Handoff:
    """Everything that a flow run gets from the process that took its request. Create it inside the flow host's event loop."""

    receipt: asyncio.Future[Receipt] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Set as soon as the usage is written, so that the caller does not wait for the end of the flow run."""
    document: bytes | None = None
    """The document as it was written to the lake: a paid answer does not depend on reading it back."""
    early: EarlyConversion | None = None
    """None for a content_url, whose file the flow run downloads."""

    def answer(self, receipt: Receipt) -> None:
        """Give the caller its receipt; only the first call counts."""
        if not self.receipt.done():
            self.receipt.set_result(receipt)

    def close(self) -> None:
        """End early work that no stage has joined."""
        if self.early is not None:
            self.early.close()


def begin_early(job: ExtractJob, data: bytes, lake: Lake, converter: ConverterClient, stages: Stages) -> Handoff:
    """Stage, convert and interpret an inline upload now; the stages of those names join the work under way."""
    assert job.content_key is not None  # an inline upload has a lake key
    source = InputFile(file_name=job.file_name, format=job.format, edges=job.edges, account=job.account_id)

    async def read() -> ReadingHandle:
        return await stages.measure("convert", converter.read(source, data), job.operation_id)

    reading = asyncio.create_task(read())

    async def content() -> bytes:
        return data

    async def interpret() -> MeaningFacts:
        handle = await reading
        return await stages.measure("interpret", converter.interpret(handle, content), job.operation_id)

    early = EarlyConversion(
        staging=asyncio.create_task(lake.put(job.content_key, data)),
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        reading=reading,
        meaning=asyncio.create_task(interpret()),
    )
    return Handoff(early=early)
