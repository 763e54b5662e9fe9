"""The pool: one forked child per file, which keeps the parsed file for further calls.

Every call has a worker and a memory limit, and all calls for a file share one deadline (`converter.deadline`). A failure of a child
becomes an error for the caller of that file only, and a failed child is not used again. The deadline includes neither the wait for a
worker nor that for a processor. A kept file without a running call uses no worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO, Final, TypeVar

from converter import errors
from converter.cache import CachedFile, FileCache
from converter.deadline import CLOCK_FACTOR, DeadlinePassed, answer_within
from converter.delegation import LEAST_BYTES, Delegation, Processors
from converter.documents import Packed, packed
from converter.fork_server import ReaderForkServer, create_fork_server
from converter.format_table import FORMATS, formats
from converter.phases import Tell
from converter.semaphore import FairSemaphore, Place
from converter.wire import ConverterHealth, DocumentPlan, InputFile, Phase
from sandbox import frames
from sandbox.children import Child
from spatial.contract import limits
from spatial.errors import UnsupportedFileType
from spatial.models.picture import PicturePlan
from spatial.models.sampling_plan import SamplingPlan

PROCESSORS: Final = len(os.sched_getaffinity(0))
"""Processors of the machine that this process may use."""

SMALL_BYTES: Final = 65_536
"""Size up to which a single file has a place beside workers that are all busy."""

WATCH_SECONDS: Final = 0.05
"""Interval at which the memory of a running child is checked."""

T = TypeVar("T")

PhaseCall = tuple[Phase, dict[str, Any]]
"""One call into a child: its phase and its arguments."""

log = logging.getLogger("converter")


@dataclass(frozen=True)
class PoolSettings:
    """Limits of a pool."""

    deadline: float = limits.CONVERT_SECONDS
    """Seconds that the calls for one file may take together."""
    clock_factor: float = CLOCK_FACTOR
    """Most that they may take by the clock, of the deadline, where other processes have the processors."""
    memory: int = limits.CONVERT_MEMORY_BYTES
    """Bytes that a child may use in addition to the libraries that all children share."""
    workers: int = PROCESSORS + 1
    """Maximum number of concurrent calls: one more than processors, so that none is idle while a file or a document is handed over."""
    queue: int = limits.CONVERTER_QUEUE
    """Maximum number of waiting calls."""
    small_bytes: int = SMALL_BYTES
    """Size of a single file up to which it may be read beside the workers; 0 for none."""
    keep: int = 32
    """Maximum number of kept files."""
    keep_seconds: float = 120.0
    """How long a file is kept after its last call."""
    keep_memory: int = limits.CONVERT_MEMORY_BYTES
    """Maximum bytes of all kept files together; the last one is kept even if it is larger."""
    fork_ahead: bool = True
    """Whether a child is forked before a file needs it."""
    processors: int = PROCESSORS
    """Children that compute at the same time, from which on no file gets a further child for its work."""


class HandleGone(Exception):
    """No file is kept under this handle."""


@dataclass(frozen=True)
class Attempt:
    """One read of a file."""

    seconds: float
    """What is left of its deadline."""
    without: tuple[str, ...] = ()
    """Optional parts of the format that are left out."""
    points: bool = False
    """Whether points will be asked for."""


class Pool:
    """Reads, interprets and samples files, each in a separate child."""

    def __init__(self, settings: PoolSettings, server: ReaderForkServer | None = None, table: str = FORMATS) -> None:
        self.settings = settings
        self.server = server or create_fork_server(memory_bytes=settings.memory, table=table)
        self._formats = formats(table)
        self._semaphore = FairSemaphore(settings.workers, settings.queue, lambda: self.server.restarting.seconds_left)
        self._cache = FileCache(settings.keep, settings.keep_seconds, settings.keep_memory)
        self._processors = Processors(settings.processors)

    async def start(self) -> None:
        """Start the fork server, which loads the readers. Raises: StartError."""
        await self.server.start()
        if self.settings.fork_ahead:
            self.server.fork_all_ahead()
        log.info("isolation of children: %s", ", ".join(self.server.isolation))

    async def close(self) -> None:
        """End every child and the fork server."""
        self.drain()
        self.release_all()
        await self.server.close()

    def drain(self) -> None:
        """Admit no further calls; running calls continue."""
        self._semaphore.drain()

    async def read(self, handle: str, source: InputFile, content: BinaryIO) -> bytes:
        """Read a file; returns the JSON of its ReadFacts. The file is kept under `handle` for further calls.

        Raises: ParseError, ConversionTimeout, UnsupportedFileType; ConverterUnavailable if the queue is full.
        """

        async def read(cached: CachedFile, attempt: Attempt) -> bytes:
            return await self._read(cached, attempt, content)

        async with self._place(source, content) as place:
            cached, body = await self._read_twice(source, read)
            cached.lent = place
            place.lend()
            self._cache.keep(handle, cached)
        return body

    async def interpret(self, handle: str) -> bytes:
        """Interpret a kept file; returns the JSON of its MeaningFacts. Raises: HandleGone, and as `read`."""
        return bytes((await self._call_again(handle, ("interpret", {}))).payload)

    async def sample(self, handle: str, plan: SamplingPlan) -> bytes:
        """Sample a kept file; returns the JSON of its PointFacts. Raises: HandleGone, and as `read`."""
        return bytes((await self._call_again(handle, _sampling(plan))).payload)

    async def assemble(self, handle: str, plan: DocumentPlan, *, is_last: bool = False) -> Packed:
        """The document of a kept file, behind its facts (`converter.documents`). Raises: HandleGone, and as `read`.

        is_last: the child ends with this call.
        """
        return _document(await self._call_again(handle, *_calls(plan), is_last=is_last))

    async def extract(
        self, source: InputFile, content: BinaryIO, plan: DocumentPlan, tell: Tell | None = None
    ) -> Packed:
        """The document of a file, behind its facts; nothing is cached. Raises: what `read` raises.

        tell: takes the answer of each phase before the last.
        """

        async def extract(cached: CachedFile, attempt: Attempt) -> Packed:
            return await self._extract(cached, replace(attempt, points=plan.sampling is not None), content, plan, tell)

        async with self._place(source, content):
            cached, document = await self._read_twice(source, extract)
            cached.child.kill()
        return document

    async def mesh(self, source: InputFile, content: BinaryIO) -> bytes:
        """The mesh of a file, as binary glTF; nothing is cached. Raises: InvalidRequest for a file without surfaces; what `read` raises."""

        async def read_and_mesh(cached: CachedFile, attempt: Attempt) -> bytes:
            await self._read(cached, attempt, content)
            return bytes((await self._call(cached, "mesh", {})).payload)

        async with self._place(source, content):
            cached, body = await self._read_twice(source, read_and_mesh)
            cached.child.kill()
        return body

    async def picture(self, source: InputFile, content: BinaryIO, plan: PicturePlan) -> bytes:
        """A picture of a file, as the JSON of a Picture; nothing is cached. Raises: as `mesh`; InvalidRequest for what cannot be drawn."""

        async def read_and_draw(cached: CachedFile, attempt: Attempt) -> bytes:
            await self._read(cached, attempt, content)
            arguments = {"plan": plan.model_dump(), "title": source.file_name}
            return bytes((await self._call(cached, "picture", arguments)).payload)

        async with self._place(source, content):
            cached, body = await self._read_twice(source, read_and_draw)
            cached.child.kill()
        return body

    def release(self, handle: str) -> None:
        """End the child that keeps a file."""
        self._cache.release(handle)

    def release_all(self) -> None:
        """End the child of every file that is kept."""
        self._cache.release_all()

    def health(self) -> ConverterHealth:
        """Load and settings of the pool."""
        ready = "ready" if self.server.ready else "restarting"
        return ConverterHealth(
            status="draining" if self._semaphore.draining else ready,
            running=self._semaphore.running,
            waiting=self._semaphore.waiting,
            kept=self._cache.idle_count,
            restarts=self.server.restarts,
            isolation=self.server.isolation,
            deadline_seconds=self.settings.deadline,
            memory_bytes=self.settings.memory,
            workers=self.settings.workers,
            queue=self.settings.queue,
        )

    @contextlib.asynccontextmanager
    async def _place(self, source: InputFile, content: BinaryIO) -> AsyncIterator[Place]:
        """A worker for a new file. Raises: UnsupportedFileType; ConverterUnavailable when the queue is full."""
        if source.format not in self._formats:
            raise UnsupportedFileType(
                f"{source.file_name}: there is no reader for the format {source.format!r}; export STEP and send that"
            )
        is_small = _size_of(content) <= self.settings.small_bytes
        async with self._semaphore.acquire(source.account, bulk=source.bulk, is_small=is_small) as place:
            yield place

    async def _read_twice(
        self, source: InputFile, read: Callable[[CachedFile, Attempt], Awaitable[T]]
    ) -> tuple[CachedFile, T]:
        """What a read answers, and its child; a second read follows where the first child died and another may not.

        Both share the deadline. Raises: SpatialError.
        """
        began = time.monotonic()
        try:
            return await self._read_once(source, read, Attempt(self.settings.deadline))
        except errors.ChildDied as died:
            second = self._second(source, died, self.settings.deadline - (time.monotonic() - began))
            if second is None:
                raise died.error from died
        left_out = "".join(f", without {part}" for part in second.without)
        log.warning("%s: read once more within %.3f s%s", source.file_name, second.seconds, left_out)
        try:
            return await self._read_once(source, read, second)
        except errors.ChildDied as died:
            raise died.error from died

    def _second(self, source: InputFile, died: errors.ChildDied, seconds: float) -> Attempt | None:
        """The read after a child's death: the same where it was killed or lost, without optional parts where it crashed."""
        optional = self._formats[source.format].optional_parts if died.phase == "read" else ()
        if seconds <= 0 or died.cause is None or (died.cause == "crash" and not optional):
            return None
        return Attempt(seconds, optional if died.cause == "crash" else ())

    async def _read_once(
        self, source: InputFile, read: Callable[[CachedFile, Attempt], Awaitable[T]], attempt: Attempt
    ) -> tuple[CachedFile, T]:
        """What a read in a new child answers; the child ends where the read fails."""
        layer = self.server.layer_of(source.format)
        child = await self.server.child(layer)
        further = partial(self.server.child, layer)
        delegation = Delegation(child, further, self._processors, self.settings.memory, self.settings.deadline)
        cached = CachedFile(source, child, delegation, seconds=self.settings.deadline - attempt.seconds)
        try:
            async with self._kill_on_failure(cached):
                return cached, await read(cached, attempt)
        finally:
            if self.settings.fork_ahead:
                self.server.fork_ahead(layer)

    async def _read(self, cached: CachedFile, attempt: Attempt, content: BinaryIO) -> bytes:
        # The whole deadline also for a second read, so that both would give the same document.
        if _size_of(content) >= LEAST_BYTES:
            cached.delegation.allowed = self._processors.free(self._semaphore.running)
        arguments = {
            **cached.source.shown_to_child,
            "without": attempt.without,
            "seconds": self.settings.deadline,
            "tasks": cached.delegation.allowed,
            "points": attempt.points,
        }
        return bytes((await self._call(cached, "read", arguments, content)).payload)

    async def _extract(
        self, cached: CachedFile, attempt: Attempt, content: BinaryIO, plan: DocumentPlan, tell: Tell | None
    ) -> Packed:
        seconds: dict[Phase, float] = {}

        async def timed(phase: Phase, call: Awaitable[T]) -> T:
            began = time.perf_counter()
            answer = await call
            seconds[phase] = time.perf_counter() - began
            return answer

        answer: frames.Payload = await timed("read", self._read(cached, attempt, content))
        told: Phase = "read"
        for phase, arguments in _calls(plan):
            if tell is not None:
                await tell(told, bytes(answer))
            frame = await timed(phase, self._call(cached, phase, arguments))
            told, answer = phase, frame.payload
        return _document(frame, seconds)

    async def _call_again(self, handle: str, *calls: PhaseCall, is_last: bool = False) -> frames.Frame:
        """The answer to the last of these calls about a kept file. Raises: HandleGone, and as `read`."""
        cached = self._cache.get(handle)
        if cached is None:
            raise HandleGone(handle)
        cached.begin()
        try:
            place = self._semaphore.resume(cached.turn, cached.lent, cached.source.account)
            async with place, self._kill_on_failure(cached):
                if self._cache.get(handle) is not cached:
                    raise HandleGone(handle)  # the call before this one ended the child
                if is_last:
                    self._cache.release(handle)
                for phase, arguments in calls:
                    frame = await self._call(cached, phase, arguments)
                return frame
        except errors.ChildDied as died:
            if died.cause in ("kill", "lost"):
                raise HandleGone(handle) from died  # the client reads the file again
            raise died.error from died
        finally:
            cached.calls -= 1
            if self._cache.get(handle) is cached:
                self._cache.keep(handle, cached)
            elif not cached.calls:
                cached.child.kill()

    async def _call(
        self,
        cached: CachedFile,
        phase: Phase,
        arguments: dict[str, Any],
        content: BinaryIO | bytes = b"",
    ) -> frames.Frame:
        """One call into a child, under what is left of the file's deadline, and the ceiling. Raises: SpatialError, ChildDied."""
        call = errors.Call(cached.source.file_name, phase, self.settings.deadline, self.settings.memory)
        watch = asyncio.create_task(self._watch_memory(cached.child, call))
        began = time.monotonic()
        try:
            calling = cached.child.call(
                {"phase": phase, **arguments}, limits.READING_BYTES, content, cached.delegation.begin
            )
            frame = await answer_within(
                self.settings.deadline, calling, cached.waited, cached.seconds, self.settings.clock_factor
            )
        except DeadlinePassed as passed:
            raise (errors.busy_error(call, passed) if passed.is_busy else errors.deadline_error(call)) from None
        except frames.FrameTooLarge as error:
            raise errors.result_size_error(call, limits.READING_BYTES) from error
        except frames.BrokenFrame as error:
            raise errors.protocol_error(call, str(error)) from error
        except EOFError as error:
            status = await cached.child.wait_for_exit()
            call.retry_seconds = self.server.restarting.retry_seconds(call.retry_seconds)
            raise errors.exit_error(call, cached.child, status) from error
        finally:
            cached.seconds += time.monotonic() - began
            watch.cancel()
        return errors.checked(call, frame)

    async def _watch_memory(self, child: Child, call: errors.Call) -> None:
        """Kill the child when it exceeds the memory limit."""
        while not call.over_memory:
            await asyncio.sleep(WATCH_SECONDS)
            call.over_memory = child.memory() > self.settings.memory
        child.kill()

    @contextlib.asynccontextmanager
    async def _kill_on_failure(self, cached: CachedFile) -> AsyncIterator[None]:
        """Kill the child if the block fails or is cancelled; a client that disconnects cancels its call."""
        try:
            yield
        except BaseException:
            cached.child.kill()
            self._cache.forget(cached)
            raise


def _size_of(content: BinaryIO) -> int:
    return os.fstat(content.fileno()).st_size


def _calls(plan: DocumentPlan) -> list[PhaseCall]:
    """The calls that make a document of a file that was read; a child answers at once to a phase that it has behind it."""
    sampling = [_sampling(plan.sampling)] if plan.sampling is not None else []
    return [("interpret", {}), *sampling, ("assemble", {"plan": plan.model_dump(mode="json")})]


def _sampling(plan: SamplingPlan) -> PhaseCall:
    return "sample", {"plan": plan.model_dump()}


def _document(frame: frames.Frame, seconds: dict[Phase, float] | None = None) -> Packed:
    """A child's document behind what the child says of it, which the client checks, and the duration of its phases."""
    return packed({"outline": frame.header.get("outline"), "seconds": seconds or {}}, frame.payload)
