"""The pool: one forked child a file, kept with what it read for the calls that follow.

Every call has a place, a deadline and a memory ceiling. Whatever goes wrong in a child becomes a typed error of its own
file's caller; a child that failed is never used again. Waiting for a place does not count toward the deadline, and a
file that is merely kept takes no place.
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

from converter import frames, verdicts
from converter.child import formats
from converter.children import Child
from converter.keeper import FORMATS, ForkServer
from converter.places import Places
from converter.wire import ConverterHealth, Phase, Upload
from spatial.contract import limits
from spatial.errors import UnsupportedFileType
from spatial.models.reading import SamplingPlan

REPLY_BYTES: Final = 134_217_728
"""Largest answer of a child; a 26 MB file says a few times its own size."""

WATCH_SECONDS: Final = 0.05
"""How often the memory of a child that runs is looked at."""

log = logging.getLogger("converter")


@dataclass(frozen=True)
class PoolSettings:
    """How many, how long, how much."""

    deadline: float = limits.CONVERT_SECONDS
    """Seconds that one call may take."""
    memory: int = limits.CONVERT_MEMORY_BYTES
    """Bytes that a child may add to the libraries it shares with all others."""
    workers: int = len(os.sched_getaffinity(0))
    """Calls that run at once."""
    queue: int = limits.CONVERTER_QUEUE
    """Calls that may wait."""
    keep: int = 32
    """Files that are kept at most."""
    keep_seconds: float = 120.0
    """How long a file is kept after its last call."""
    keep_memory: int = limits.CONVERT_MEMORY_BYTES
    """Bytes that kept files may hold together, the last one aside."""
    fork_ahead: bool = True
    """Whether a child is forked before it is asked for."""


class HandleGone(Exception):
    """Nothing is kept under this handle (any more)."""


@dataclass(eq=False)
class Kept:
    """A file and the child that holds it."""

    upload: Upload
    child: Child
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One call at a time: OCCT is not thread safe, and a child has one thread."""
    calls: int = 0
    """Calls that run or wait for their turn."""
    memory: int = 0
    expiry: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """One call more; a file does not expire while it is called."""
        self.calls += 1
        self.stay()

    def stay(self) -> None:
        """No expiry any more."""
        if self.expiry is not None:
            self.expiry.cancel()
            self.expiry = None


class Pool:
    """Reads, interprets and samples, each file in a child of its own."""

    def __init__(self, settings: PoolSettings, server: ForkServer | None = None, table: str = FORMATS) -> None:
        self.settings = settings
        self.server = server or ForkServer(memory_bytes=settings.memory, table=table)
        self._formats = formats(table)
        self._places = Places(settings.workers, settings.queue)
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    async def start(self) -> None:
        """Load the readers. Raises: StartError."""
        await self.server.start()
        self._fork_ahead()
        log.info("children are held by: %s", ", ".join(self.server.isolation))

    async def close(self) -> None:
        """End every child."""
        self.drain()
        self.release_all()
        await self.server.close()

    def drain(self) -> None:
        """Let the calls that run finish, and admit no other."""
        self._places.drain()

    async def read(self, handle: str, upload: Upload, content: BinaryIO) -> bytes:
        """The JSON of the file's Reading; the file is kept under `handle` for the calls that follow.

        Raises: ParseError, ConversionTimeout, UnsupportedFileType; ConverterUnavailable when the queue is full.
        """
        async with self._child_for(upload) as kept:
            body = await self._call(kept, "read", upload.model_dump(), content)
            self._keep(handle, kept)
        return body

    async def interpret(self, handle: str) -> bytes:
        """The JSON of the file's Meaning. Raises: HandleGone, and what `read` raises."""
        return await self._call_again(handle, "interpret", {})

    async def sample(self, handle: str, plan: SamplingPlan) -> bytes:
        """The JSON of the file's PointCloudScene. Raises: HandleGone, and what `read` raises."""
        return await self._call_again(handle, "sample", {"plan": plan.model_dump()})

    async def whole(self, upload: Upload, content: BinaryIO, plan: SamplingPlan | None) -> bytes:
        """The JSON of a Whole; nothing is kept. Each phase has a deadline of its own. Raises: what `read` raises."""
        phases: dict[Phase, dict[str, Any]] = {"read": upload.model_dump(), "interpret": {}}
        if plan is not None:
            phases["sample"] = {"plan": plan.model_dump()}
        said, seconds = [], {}
        async with self._child_for(upload) as kept:
            for phase, words in phases.items():
                began = time.perf_counter()
                said.append(await self._call(kept, phase, words, content if phase == "read" else None))
                seconds[phase] = time.perf_counter() - began
            kept.child.kill()
        members = zip(("reading", "meaning", "clouds"), said, strict=False)
        body = b",".join(b'"%b":%b' % (name.encode(), answer) for name, answer in members)
        return b'{%b,"seconds":%b}' % (body, json.dumps(seconds).encode())

    def release(self, handle: str) -> None:
        """Let a file go."""
        self._let_go(handle)

    def release_all(self) -> None:
        """Let every file go."""
        for handle in list(self._kept):
            self._let_go(handle)

    def health(self) -> ConverterHealth:
        """How busy it is."""
        ready = "ready" if self.server.ready else "restarting"
        return ConverterHealth(
            status="draining" if self._places.draining else ready,
            running=self._places.running,
            waiting=self._places.waiting,
            kept=sum(1 for kept in self._kept.values() if not kept.calls),
            restarts=self.server.restarts,
            isolation=self.server.isolation,
            deadline_seconds=self.settings.deadline,
            memory_bytes=self.settings.memory,
            workers=self.settings.workers,
            queue=self.settings.queue,
        )

    @contextlib.asynccontextmanager
    async def _child_for(self, upload: Upload) -> AsyncIterator[Kept]:
        """A place and a new child for a file; the child ends where the block fails."""
        if upload.format not in self._formats:
            raise UnsupportedFileType(f"{upload.file_name}: no reader for the format {upload.format!r}")
        async with self._places.taken():
            kept = Kept(upload, await self.server.child())
            try:
                async with self._killed_if_it_fails(kept):
                    yield kept
            finally:
                self._fork_ahead()

    async def _call_again(self, handle: str, phase: Phase, words: dict[str, Any]) -> bytes:
        kept = self._kept.get(handle)
        if kept is None:
            raise HandleGone(handle)
        kept.begin()
        try:
            async with self._places.taken(kept.turn), self._killed_if_it_fails(kept):
                if self._kept.get(handle) is not kept:
                    raise HandleGone(handle)  # the call before this one ended it
                return await self._call(kept, phase, words)
        finally:
            kept.calls -= 1
            if self._kept.get(handle) is kept:
                self._keep(handle, kept)
            elif not kept.calls:
                kept.child.kill()

    async def _call(self, kept: Kept, phase: Phase, words: dict[str, Any], content: BinaryIO | None = None) -> bytes:
        """One call into a child, under deadline and ceiling. Raises: SpatialError."""
        job = verdicts.Job(kept.upload.file_name, phase, self.settings.deadline, self.settings.memory)
        watch = asyncio.create_task(self._watch(kept.child, job))
        try:
            async with asyncio.timeout(self.settings.deadline):
                frame = await kept.child.call({"phase": phase, **words}, REPLY_BYTES, content)
        except TimeoutError as error:
            raise verdicts.too_slow(job) from error
        except frames.FrameTooLarge as error:
            raise verdicts.too_much(job, REPLY_BYTES) from error
        except frames.BrokenFrame as error:
            raise verdicts.nonsense(job, str(error)) from error
        except EOFError as error:
            raise verdicts.died(job, kept.child, await kept.child.ending()) from error
        finally:
            watch.cancel()
        return verdicts.answered(job, frame)

    async def _watch(self, child: Child, job: verdicts.Job) -> None:
        while not job.over_memory:
            await asyncio.sleep(WATCH_SECONDS)
            job.over_memory = child.memory() > self.settings.memory
        child.kill()

    def _fork_ahead(self) -> None:
        if self.settings.fork_ahead:
            self.server.make_ready()

    @contextlib.asynccontextmanager
    async def _killed_if_it_fails(self, kept: Kept) -> AsyncIterator[None]:
        """Also when the caller went away, which cancels the call."""
        try:
            yield
        except BaseException:
            kept.child.kill()
            self._forget(kept)
            raise

    def _keep(self, handle: str, kept: Kept) -> None:
        if self._kept.get(handle) is not kept:
            self._let_go(handle)
            kept.child.ended.add_done_callback(lambda _: self._forget(kept))
        self._kept[handle] = kept
        self._kept.move_to_end(handle)
        if not kept.calls:
            kept.memory = kept.child.memory()
            kept.expiry = asyncio.get_running_loop().call_later(self.settings.keep_seconds, self._expire, kept)
        self._make_room()

    def _expire(self, kept: Kept) -> None:
        self._forget(kept)
        kept.child.kill()

    def _make_room(self) -> None:
        """Let go the oldest files that rest, until number and memory are within their bounds."""
        resting = [handle for handle, kept in self._kept.items() if not kept.calls]
        held = sum(self._kept[handle].memory for handle in resting)
        for place, handle in enumerate(resting[:-1]):
            if len(resting) - place <= self.settings.keep and held <= self.settings.keep_memory:
                return
            held -= self._kept[handle].memory
            self._let_go(handle)

    def _let_go(self, handle: str) -> None:
        """A file that is in a call goes when the call is over."""
        kept = self._kept.pop(handle, None)
        if kept is None:
            return
        kept.stay()
        if not kept.calls:
            kept.child.kill()

    def _forget(self, kept: Kept) -> None:
        for handle in [handle for handle, other in self._kept.items() if other is kept]:
            del self._kept[handle]
        kept.stay()
