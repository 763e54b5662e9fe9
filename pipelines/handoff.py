"""What the process that took a request hands to its flow run: work that began before the run existed, and whom to answer.

The flow host keeps one `Handoff` per operation in its resources, for as long as the run lasts; `resources.handoff(operation_id)`
fetches it. A run without one (started again from the Prefect UI, or carried by another process) does the same work by itself.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from converter.client import (
    ConverterClient,
    Document,
    DocumentPlan,
    InputFile,
    MeaningFacts,
    PhaseAnswer,
    PointFacts,
    ReadingHandle,
)
from pipelines.jobs import ExtractJob, Receipt
from pipelines.stages import Stages

Answer = TypeVar("Answer", ReadingHandle, MeaningFacts, PointFacts)

PlanOf = Callable[[str], DocumentPlan]
"""Which document is made of a file with this hash."""


class _Phases:
    """What one call of the converter finds, phase by phase."""

    def __init__(self, converter: ConverterClient, source: InputFile, data: bytes, plan: DocumentPlan) -> None:
        self._told: dict[type[PhaseAnswer], asyncio.Future[PhaseAnswer]] = {}
        self.document = asyncio.create_task(converter.extract(source, data, plan, self._tell))
        self.document.add_done_callback(self._end)

    async def answer(self, kind: type[Answer]) -> Answer:
        """What the phase with such an answer found. Raises: what ended the call."""
        return cast(Answer, await asyncio.shield(self._future(kind)))

    def _tell(self, answer: PhaseAnswer) -> None:
        """Take the answer of a phase; of a file that was read twice the first."""
        future = self._future(type(answer))
        if not future.done():
            future.set_result(answer)

    def _future(self, kind: type[PhaseAnswer]) -> asyncio.Future[PhaseAnswer]:
        if kind not in self._told:
            self._told[kind] = asyncio.get_running_loop().create_future()
            if self.document.done():
                self._end(self.document)
        return self._told[kind]

    def _end(self, call: asyncio.Task[Document]) -> None:
        """Phases that have not ended never will."""
        error = None if call.cancelled() else call.exception()
        for future in self._told.values():
            if not future.done() and error is not None:
                future.set_exception(error)
                future.exception()  # retrieved: the phase before it may be the one that reports it
            elif not future.done():
                future.cancel()


@dataclass
class EarlyConversion:
    """Work on a file by one call, which began as soon as the process that took the request had its bytes."""

    staging: asyncio.Task[None] | None
    """The file on its way into the lake; None for one that lies there."""
    size: int
    """Bytes."""
    sha256: str
    reading: asyncio.Task[ReadingHandle]
    """The conversion."""
    meaning: asyncio.Task[MeaningFacts]
    """The interpretation, which follows the conversion."""
    points: asyncio.Task[PointFacts] | None
    """The sampling, where points are asked for."""
    document: asyncio.Task[Document]
    """The document of all that."""
    taken: set[str] = field(default_factory=set)
    """Stages that have joined their task: a retry of the stage does the work again."""

    def take_reading(self) -> Awaitable[ReadingHandle] | None:
        """The conversion; None after the first call."""
        return self.reading if self._is_first("convert") else None

    def take_meaning(self) -> Awaitable[MeaningFacts] | None:
        """The interpretation; None after the first call."""
        return self.meaning if self._is_first("interpret") else None

    def take_points(self) -> Awaitable[PointFacts] | None:
        """The sampling; None after the first call."""
        return self.points if self._is_first("sample") else None

    def take_document(self) -> Awaitable[Document] | None:
        """The document; None after the first call."""
        return self.document if self._is_first("assemble") else None

    def close(self) -> None:
        """Cancel what still runs, and retrieve every exception, so that none is reported as never retrieved."""
        for task in (self.staging, self.reading, self.meaning, self.points, self.document):
            if task is None:
                continue
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
    """None until the flow run has fetched the file of an upload or of a content_url."""

    def answer(self, receipt: Receipt) -> None:
        """Give the caller its receipt; only the first call counts."""
        if not self.receipt.done():
            self.receipt.set_result(receipt)

    def close(self) -> None:
        """End early work that no stage has joined."""
        if self.early is not None:
            self.early.close()


def begin_early(
    job: ExtractJob,
    data: bytes,
    staging: asyncio.Task[None] | None,
    converter: ConverterClient,
    stages: Stages,
    plan_of: PlanOf,
) -> EarlyConversion:
    """Have the document of a file made now, by one call of the converter; the stages join the work under way."""
    sha256 = hashlib.sha256(data).hexdigest()
    plan = plan_of(sha256)
    source = InputFile(file_name=job.file_name, format=job.format, edges=job.edges, account=job.account_id)
    phases = _Phases(converter, source, data, plan)

    async def read() -> ReadingHandle:
        return await stages.measure("convert", phases.answer(ReadingHandle), job.operation_id)

    reading = asyncio.create_task(read())

    async def interpret() -> MeaningFacts:
        await reading
        return await stages.measure("interpret", phases.answer(MeaningFacts), job.operation_id)

    return EarlyConversion(
        staging=staging,
        size=len(data),
        sha256=sha256,
        reading=reading,
        meaning=asyncio.create_task(interpret()),
        points=asyncio.create_task(phases.answer(PointFacts)) if plan.sampling is not None else None,
        document=phases.document,
    )
