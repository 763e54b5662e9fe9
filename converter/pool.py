"""The pool: one forked child per file, which keeps the parsed file for further calls.

Every call has a worker, a deadline and a memory limit. A failure of a child becomes an error for the caller of that file only, and a
failed child is not used again. The deadline does not include the wait for a worker. A kept file without a running call uses no worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from converter import errors, frames
from converter.children import Child
from converter.forkserver_client import ForkServerClient
from converter.format_table import FORMATS, formats
from converter.semaphore import BoundedQueueSemaphore
from converter.wire import ConverterHealth, InputFile, Phase
from spatial.contract import limits
from spatial.errors import UnsupportedFileType
from spatial.models.reading import SamplingPlan

REPLY_BYTES: Final = 134_217_728
"""Maximum size of a child's answer; the answer of a 26 MB file is a few times as large as the file."""

WATCH_SECONDS: Final = 0.05
"""Interval at which the memory of a running child is checked."""

log = logging.getLogger("converter")


@dataclass(frozen=True)
class PoolSettings:
    """Limits of a pool."""

    deadline: float = limits.CONVERT_SECONDS
    """Seconds that one call may take."""
    memory: int = limits.CONVERT_MEMORY_BYTES
    """Bytes that a child may use in addition to the libraries that all children share."""
    workers: int = len(os.sched_getaffinity(0))
    """Maximum number of concurrent calls."""
    queue: int = limits.CONVERTER_QUEUE
    """Maximum number of waiting calls."""
    keep: int = 32
    """Maximum number of kept files."""
    keep_seconds: float = 120.0
    """How long a file is kept after its last call."""
    keep_memory: int = limits.CONVERT_MEMORY_BYTES
    """Maximum bytes of all kept files together; the last one is kept even if it is larger."""
    fork_ahead: bool = True
    """Whether a child is forked before a file needs it."""


class HandleGone(Exception):
    """No file is kept under this handle."""


@dataclass(eq=False)
class CachedFile:
    """A file that was read, and the child that keeps it."""

    source: InputFile
    child: Child
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held during a call, because OCCT is not thread-safe and a child has one thread."""
    calls: int = 0
    """Number of calls that run or wait for `turn`."""
    memory: int = 0
    """Bytes that the child used after its last call."""
    expiry: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Count a call and stop the timer: a file does not expire during a call."""
        self.calls += 1
        self.cancel_expiry()

    def cancel_expiry(self) -> None:
        """Stop the timer if it runs."""
        if self.expiry is not None:
            self.expiry.cancel()
            self.expiry = None


class Pool:
    """Reads, interprets and samples files, each in a separate child."""

    def __init__(self, settings: PoolSettings, server: ForkServerClient | None = None, table: str = FORMATS) -> None:
        self.settings = settings
        self.server = server or ForkServerClient(memory_bytes=settings.memory, table=table)
        self._formats = formats(table)
        self._semaphore = BoundedQueueSemaphore(settings.workers, settings.queue)
        self._cached: OrderedDict[str, CachedFile] = OrderedDict()

    async def start(self) -> None:
        """Start the fork server, which loads the readers. Raises: StartError."""
        await self.server.start()
        self._fork_ahead()
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
        """Read a file; returns the JSON of its Reading. The file is kept under `handle` for further calls.

        Raises: ParseError, ConversionTimeout, UnsupportedFileType; ConverterUnavailable if the queue is full.
        """
        async with self._child_for(source) as cached:
            body = await self._call(cached, "read", source.model_dump(), content)
            self._keep(handle, cached)
        return body

    async def interpret(self, handle: str) -> bytes:
        """Interpret a kept file; returns the JSON of its Meaning. Raises: HandleGone, and as `read`."""
        return await self._call_again(handle, "interpret", {})

    async def sample(self, handle: str, plan: SamplingPlan) -> bytes:
        """Sample a kept file; returns the JSON of its PointCloudScene. Raises: HandleGone, and as `read`."""
        return await self._call_again(handle, "sample", {"plan": plan.model_dump()})

    async def extract(self, source: InputFile, content: BinaryIO, plan: SamplingPlan | None) -> bytes:
        """Run all phases on a file without keeping it; returns the JSON of a FullResult. The deadline is per phase. Raises: as `read`."""
        phases: dict[Phase, dict[str, Any]] = {"read": source.model_dump(), "interpret": {}}
        if plan is not None:
            phases["sample"] = {"plan": plan.model_dump()}
        answers, seconds = [], {}
        async with self._child_for(source) as cached:
            for phase, arguments in phases.items():
                began = time.perf_counter()
                answers.append(await self._call(cached, phase, arguments, content if phase == "read" else None))
                seconds[phase] = time.perf_counter() - began
            cached.child.kill()
        members = zip(("reading", "meaning", "clouds"), answers, strict=False)
        body = b",".join(b'"%b":%b' % (name.encode(), answer) for name, answer in members)
        return b'{%b,"seconds":%b}' % (body, json.dumps(seconds).encode())

    def release(self, handle: str) -> None:
        """End the child that keeps a file."""
        self._release(handle)

    def release_all(self) -> None:
        """End the child of every file that is kept."""
        for handle in list(self._cached):
            self._release(handle)

    def health(self) -> ConverterHealth:
        """Load and settings of the pool."""
        ready = "ready" if self.server.ready else "restarting"
        return ConverterHealth(
            status="draining" if self._semaphore.draining else ready,
            running=self._semaphore.running,
            waiting=self._semaphore.waiting,
            kept=sum(1 for cached in self._cached.values() if not cached.calls),
            restarts=self.server.restarts,
            isolation=self.server.isolation,
            deadline_seconds=self.settings.deadline,
            memory_bytes=self.settings.memory,
            workers=self.settings.workers,
            queue=self.settings.queue,
        )

    @contextlib.asynccontextmanager
    async def _child_for(self, source: InputFile) -> AsyncIterator[CachedFile]:
        """A worker and a new child for the length of a block; the child is killed if the block fails."""
        if source.format not in self._formats:
            raise UnsupportedFileType(f"{source.file_name}: no reader for the format {source.format!r}")
        async with self._semaphore.acquire():
            cached = CachedFile(source, await self.server.child())
            try:
                async with self._kill_on_failure(cached):
                    yield cached
            finally:
                self._fork_ahead()

    async def _call_again(self, handle: str, phase: Phase, arguments: dict[str, Any]) -> bytes:
        cached = self._cached.get(handle)
        if cached is None:
            raise HandleGone(handle)
        cached.begin()
        try:
            async with self._semaphore.acquire(cached.turn), self._kill_on_failure(cached):
                if self._cached.get(handle) is not cached:
                    raise HandleGone(handle)  # the previous call ended the child
                return await self._call(cached, phase, arguments)
        finally:
            cached.calls -= 1
            if self._cached.get(handle) is cached:
                self._keep(handle, cached)
            elif not cached.calls:
                cached.child.kill()

    async def _call(
        self, cached: CachedFile, phase: Phase, arguments: dict[str, Any], content: BinaryIO | None = None
    ) -> bytes:
        """Call a child, with deadline and memory limit. Raises: SpatialError."""
        call = errors.Call(cached.source.file_name, phase, self.settings.deadline, self.settings.memory)
        watch = asyncio.create_task(self._watch_memory(cached.child, call))
        try:
            async with asyncio.timeout(self.settings.deadline):
                frame = await cached.child.call({"phase": phase, **arguments}, REPLY_BYTES, content)
        except TimeoutError as error:
            raise errors.deadline_error(call) from error
        except frames.FrameTooLarge as error:
            raise errors.result_size_error(call, REPLY_BYTES) from error
        except frames.BrokenFrame as error:
            raise errors.protocol_error(call, str(error)) from error
        except EOFError as error:
            raise errors.exit_error(call, cached.child, await cached.child.wait_for_exit()) from error
        finally:
            watch.cancel()
        return errors.payload_of(call, frame)

    async def _watch_memory(self, child: Child, call: errors.Call) -> None:
        """Kill the child when it exceeds the memory limit."""
        while not call.over_memory:
            await asyncio.sleep(WATCH_SECONDS)
            call.over_memory = child.memory() > self.settings.memory
        child.kill()

    def _fork_ahead(self) -> None:
        if self.settings.fork_ahead:
            self.server.fork_ahead()

    @contextlib.asynccontextmanager
    async def _kill_on_failure(self, cached: CachedFile) -> AsyncIterator[None]:
        """Kill the child if the block fails or is cancelled; a client that disconnects cancels its call."""
        try:
            yield
        except BaseException:
            cached.child.kill()
            self._forget(cached)
            raise

    def _keep(self, handle: str, cached: CachedFile) -> None:
        if self._cached.get(handle) is not cached:
            self._release(handle)
            cached.child.ended.add_done_callback(lambda _: self._forget(cached))
        self._cached[handle] = cached
        self._cached.move_to_end(handle)
        if not cached.calls:
            cached.memory = cached.child.memory()
            cached.expiry = asyncio.get_running_loop().call_later(self.settings.keep_seconds, self._expire, cached)
        self._evict()

    def _expire(self, cached: CachedFile) -> None:
        self._forget(cached)
        cached.child.kill()

    def _evict(self) -> None:
        """Release the least recently used idle files until their number and memory are within the limits."""
        idle = [handle for handle, cached in self._cached.items() if not cached.calls]
        memory = sum(self._cached[handle].memory for handle in idle)
        for place, handle in enumerate(idle[:-1]):
            if len(idle) - place <= self.settings.keep and memory <= self.settings.keep_memory:
                return
            memory -= self._cached[handle].memory
            self._release(handle)

    def _release(self, handle: str) -> None:
        """Remove a file from the cache; its child is killed now, or after the running call."""
        cached = self._cached.pop(handle, None)
        if cached is None:
            return
        cached.cancel_expiry()
        if not cached.calls:
            cached.child.kill()

    def _forget(self, cached: CachedFile) -> None:
        for handle in [handle for handle, other in self._cached.items() if other is cached]:
            del self._cached[handle]
        cached.cancel_expiry()
