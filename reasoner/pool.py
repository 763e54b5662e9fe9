"""The pool: one forked child per question, under a deadline and a memory limit."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from reasoner.places import Place, Places
from sandbox import frames
from sandbox.children import Child
from sandbox.forkserver_client import ForkServerClient
from spatial.contract import limits
from spatial.contract.responses import TaskType
from spatial.errors import DesktopInferenceUnavailable, InputRejected, InternalError, SpatialError, from_wire

ANSWER_BYTES: Final = 33_554_432
"""Maximum size of an answer: that of a mesh and a proof for hundreds of objects is a few MiB."""

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
        self.server = ForkServerClient(
            program=program,
            options={},
            memory_bytes=self.settings.memory,
            unavailable=_unavailable,
        )
        self._places = Places(self.settings.workers, self.settings.memory)

    async def start(self) -> None:
        """Start the fork server, which loads the solvers. Raises: StartError."""
        await self.server.start()
        self.server.fork_ahead()

    async def close(self) -> None:
        """End every child and the fork server."""
        await self.server.close()

    async def solve(self, task: TaskType, content: bytes, seconds: float | None = None) -> SolvedTask:
        """Solve the task of a request's `input`, given as JSON, within `seconds` (at most those of the settings), waiting included.

        Raises: InputRejected; DesktopInferenceUnavailable if no child can be had or the time is over; InternalError.
        """
        allowed = min(seconds or self.settings.seconds, self.settings.seconds)
        try:
            async with asyncio.timeout(allowed), self._places.taken() as place:
                return await self._solve(task, content, place)
        except TimeoutError as error:
            log.warning("the task %s took longer than %.1f s; its child was ended", task, allowed)
            raise DesktopInferenceUnavailable(
                f"the task {task} was not solved within {allowed:.0f} s and was ended; {SIMPLER}, or try again",
                retry_after=RETRY_SECONDS,
            ) from error

    async def _solve(self, task: TaskType, content: bytes, place: Place) -> SolvedTask:
        child = await self.server.child()
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
            self.server.fork_ahead()
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


def _unavailable(why: str) -> DesktopInferenceUnavailable:
    return DesktopInferenceUnavailable(
        f"the reasoner cannot take the task now ({why}); try again", retry_after=RETRY_SECONDS
    )
