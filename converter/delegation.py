"""Work that the child of a file hands over: each task has a further child, which gets the same measures and ends with it.

A task that fails, in whatever way, costs nothing but the time that it would have saved: the child of the file is told so, and does the work
itself. So does one whose children together use more memory than one file may.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from converter.deadline import DeadlinePassed, answer_within
from sandbox import frames
from sandbox.children import Child
from spatial.contract import limits
from spatial.errors import Unavailable

WATCH_SECONDS: Final = 0.05
"""Interval at which the memory of the children of a file is checked."""

MOST_TASKS: Final = 3
"""Tasks that the child of one file may hand over: there are no more kinds."""

LEAST_BYTES: Final = 262_144
"""Size of a file from which on its child may hand work over; what it then counts decides whether it does."""

log = logging.getLogger("converter")


class Processors:
    """How many more children may compute."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._delegated = 0

    def free(self, running: int) -> int:
        """Tasks that a file may hand over while so many calls run, its own among them."""
        return max(0, min(MOST_TASKS, self._count - running - self._delegated))

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """One of them, while a task is done."""
        self._delegated += 1
        try:
            yield
        finally:
            self._delegated -= 1


@dataclass(eq=False)
class Delegation:
    """The tasks of one file."""

    child: Child
    """Who reads the file."""
    further: Callable[[], Awaitable[Child]]
    """Makes a further child like the first."""
    processors: Processors
    memory: int
    """Bytes that all children of the file may use together."""
    seconds: float
    """How long a task may take."""
    allowed: int = 0
    """Tasks that it may still hand over."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _children: set[Child] = field(default_factory=set)
    """Who does them."""
    _waited: float = 0.0
    """Seconds that those who are done waited for a processor."""

    def __post_init__(self) -> None:
        self.child.ended.add_done_callback(lambda _: self.close())

    def begin(self, frame: frames.Frame) -> None:
        """Begin a task. Raises: BrokenFrame for one too many."""
        if self.allowed <= 0:
            raise frames.BrokenFrame("more work for other processes than it may hand over")
        self.allowed -= 1
        task = asyncio.create_task(self._answer(frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def waited(self) -> float:
        """Seconds that further children have waited for a processor."""
        return self._waited + sum(child.waited() for child in self._children)

    def close(self) -> None:
        """End what is being done: nobody waits for it any more."""
        for task in self._tasks:
            task.cancel()

    async def _answer(self, frame: frames.Frame) -> None:
        found = await self._perform(frame)
        header = {"number": frame.header.get("number"), "outcome": "failed" if found is None else "done"}
        with contextlib.suppress(EOFError):
            await self.child.send(header, found or b"")

    async def _perform(self, frame: frames.Frame) -> frames.Payload | None:
        """What a further child finds; None where it does not get there."""
        call = {"phase": "work", "task": frame.header.get("task")}
        try:
            async with self._further_child() as child:
                calling = child.call(call, limits.READING_BYTES, frame.payload)
                answer = await answer_within(self.seconds, calling, child.waited)
        except (DeadlinePassed, EOFError, frames.BrokenFrame, frames.FrameTooLarge, Unavailable) as error:
            log.warning("a task that was handed over failed: %s", str(error) or type(error).__name__)
            return None
        if answer.header.get("outcome") == "done":
            return answer.payload
        log.warning("a task that was handed over failed: %s", answer.header)
        return None

    @contextlib.asynccontextmanager
    async def _further_child(self) -> AsyncIterator[Child]:
        with self.processors.one():
            child = await self.further()
            self._children.add(child)
            watch = asyncio.create_task(self._watch_memory(child))
            try:
                yield child
            finally:
                watch.cancel()
                self._waited += child.waited()
                self._children.discard(child)
                child.kill()

    async def _watch_memory(self, child: Child) -> None:
        """End a further child when the children of the file together exceed its ceiling."""
        while sum(each.memory() for each in (self.child, *self._children)) <= self.memory:
            await asyncio.sleep(WATCH_SECONDS)
        child.kill()
