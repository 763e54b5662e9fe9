"""The pool: one forked child per question, under a deadline and a memory limit.

Its fork server holds 75 MB of libraries, so it starts with the first task, and ends when there was none for IDLE_SECONDS.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from reasoner.places import Place, Places
from sandbox import frames
from sandbox.children import Child
from sandbox.forkserver_client import ForkServerClient, StartError
from spatial.contract import limits
from spatial.contract.responses import TaskType
from spatial.errors import DesktopInferenceUnavailable, InputRejected, InternalError, SpatialError, from_wire

ANSWER_BYTES: Final = 33_554_432
"""Maximum size of an answer: that of a mesh and a proof for hundreds of objects is a few MiB."""

IDLE_SECONDS: Final = 600.0
"""How long the fork server stays without a task; to load the libraries takes a second or two."""

WATCH_SECONDS: Final = 0.05
"""Interval at which the memory of a running child is checked."""

CLOSE_TO_CEILING: Final = 0.8
"""Part of the memory limit above which the end of a child counts as its reaching the limit: the kernel may refuse memory earlier."""

RETRY_SECONDS: Final = 2

SIMPLER: Final = "send fewer objects or fewer points"

log = logging.getLogger("reasoner")


class SolvedTask(BaseModel):
    """An answer, and where it came from."""

    output: list[dict[str, Any]]
    runtime: str
    """geometric, depth or learned."""
    solver: str
    """Name and version."""
    solve_ms: float


@dataclass(frozen=True)
class ReasonerSettings:
    """Limits of a pool."""

    seconds: float = limits.SOLVE_SECONDS
    memory: int = limits.SOLVE_MEMORY_BYTES
    """Bytes that a child may use in addition to the libraries that all children share."""
    workers: int = len(os.sched_getaffinity(0))
    """Solves that run at full priority; further ones wait, within their deadline, and longer ones make room for them (`Places`)."""


class Reasoner:
    """Solves tasks, each in a child. Abandoning a solve (cancelling the call) kills its child."""

    def __init__(self, settings: ReasonerSettings | None = None, *, program: str = "reasoner.child") -> None:
        """program: the module that runs in the children (sandbox.forkserver_settings)."""
        self.settings = settings or ReasonerSettings()
        self._program = program
        self._loading: asyncio.Task[ForkServerClient] | None = None
        self._under_way = 0
        self._leaving: asyncio.Task[None] | None = None
        self._places = Places(self.settings.workers, self.settings.memory)

    @property
    def server(self) -> ForkServerClient | None:
        """The fork server; None while no task needs it, and while it loads."""
        loading = self._loading
        return loading.result() if loading is not None and _is_loaded(loading) else None

    async def close(self) -> None:
        """End every child and the fork server."""
        if self._leaving is not None:
            self._leaving.cancel()
        await self._end()

    async def solve(self, task: TaskType, content: bytes, seconds: float | None = None) -> SolvedTask:
        """Solve the task of a request's `input`, given as JSON, within `seconds` (at most those of the settings), waiting included.

        Raises: InputRejected; DesktopInferenceUnavailable if no child can be had or the time is over; InternalError.
        """
        allowed = min(seconds or self.settings.seconds, self.settings.seconds)
        try:
            async with asyncio.timeout(allowed), self._places.taken() as place, self._running() as server:
                return await self._solve(server, task, content, place)
        except TimeoutError as error:
            log.warning("the task %s took longer than %.1f s; its child was ended", task, allowed)
            raise DesktopInferenceUnavailable(
                f"the task {task} was not solved within {allowed:.0f} s and was ended; {SIMPLER}, or try again",
                retry_after=RETRY_SECONDS,
            ) from error

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[ForkServerClient]:
        """The fork server, which stays for the length of a block at least. Raises: DesktopInferenceUnavailable."""
        self._under_way += 1
        try:
            if self._loading is None or (self._loading.done() and not _is_loaded(self._loading)):
                self._loading = asyncio.create_task(self._start())
            # A task whose time is over does not end the loading, from which the next one profits.
            yield await asyncio.shield(self._loading)
        finally:
            self._under_way -= 1
            if self._leaving is not None:
                self._leaving.cancel()
            self._leaving = asyncio.create_task(self._leave())

    async def _start(self) -> ForkServerClient:
        server = ForkServerClient(
            program=self._program, layers=[{}], memory_bytes=self.settings.memory, unavailable=_unavailable
        )
        try:
            await server.start()
        except StartError as error:
            log.error("the solvers cannot be loaded: %s", error)
            raise _unavailable(f"the solvers cannot be loaded: {error}") from error
        server.fork_ahead()
        return server

    async def _leave(self) -> None:
        """End the fork server after IDLE_SECONDS, unless a task needs it then."""
        await asyncio.sleep(IDLE_SECONDS)
        if not self._under_way:
            await self._end()

    async def _end(self) -> None:
        loading, self._loading = self._loading, None
        if loading is None:
            return
        await asyncio.wait({loading})
        if _is_loaded(loading):
            await loading.result().close()

    async def _solve(self, server: ForkServerClient, task: TaskType, content: bytes, place: Place) -> SolvedTask:
        child = await server.child()
        watching = asyncio.create_task(self._watch_memory(child))
        sharing = asyncio.create_task(self._places.share(place, child.pid))
        try:
            with tempfile.TemporaryFile(buffering=0) as file:
                file.write(content)
                file.seek(0)
                frame = await child.call({"task": task}, ANSWER_BYTES, file)
        except (EOFError, frames.BrokenFrame, frames.FrameTooLarge) as error:
            raise await self._death(task, child, watching) from error
        finally:
            watching.cancel()
            sharing.cancel()
            child.kill()
            server.fork_ahead()
        return self._answer(task, frame)

    async def _watch_memory(self, child: Child) -> bool:
        """Kill the child when it exceeds the memory limit; returns True then."""
        while child.memory() <= self.settings.memory:
            await asyncio.sleep(WATCH_SECONDS)
        child.kill()
        return True

    async def _death(self, task: TaskType, child: Child, watching: asyncio.Task[bool]) -> SpatialError:
        """The error of a child that gave no answer."""
        if watching.done() and not watching.cancelled():
            return self._memory_error(task)
        status = await child.wait_for_exit()
        if child.peak_memory() > CLOSE_TO_CEILING * self.settings.memory:
            return self._memory_error(task)
        log.error("the child of the task %s ended with %s\n%s", task, status, child.stderr)
        return _unavailable(f"the process of the task {task} ended unexpectedly")

    def _answer(self, task: TaskType, frame: frames.Frame) -> SolvedTask:
        """The answer in a frame. Raises: SpatialError."""
        outcome = frame.header.get("outcome")
        if outcome == "done":
            members = {name: frame.header[name] for name in ("runtime", "solver", "solve_ms")}
            return SolvedTask(output=json.loads(frame.payload), **members)
        if outcome == "memory":
            raise self._memory_error(task)
        if outcome == "error":
            raise from_wire(frame.header["error"])
        log.error("the task %s failed\n%s", task, frame.header.get("traceback"))
        raise InternalError(
            f"the task {task} failed because of a fault in its solver, which is logged; try again, and report it if it stays so"
        )

    def _memory_error(self, task: TaskType) -> InputRejected:
        return InputRejected(
            f"the task {task} needs more memory than the {self.settings.memory / 2**20:.0f} MiB a request may take; {SIMPLER}",
            details={"limit_bytes": self.settings.memory},
        )


def _is_loaded(loading: asyncio.Task[ForkServerClient]) -> bool:
    """Whether a fork server has loaded its libraries."""
    return loading.done() and not loading.cancelled() and loading.exception() is None


def _unavailable(why: str, seconds: int = RETRY_SECONDS) -> DesktopInferenceUnavailable:
    return DesktopInferenceUnavailable(f"the reasoner cannot take the task now ({why}); try again", retry_after=seconds)
