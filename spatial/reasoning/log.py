"""The solver's log: what a solver did, step by step, as the detail `debug` reports it.

    with recording() as lines:
        ...
        log_step("tested 8 poses")

A step outside of a recording costs nothing and is not kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

MOST_LINES: Final = 500
"""Lines that are kept: a scene of thousands of objects has a step for each."""


class _Recorder:
    """The lines of one recording."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._began = time.perf_counter()
        self._left_out = 0

    def add(self, text: str) -> None:
        milliseconds = (time.perf_counter() - self._began) * 1000
        if len(self.lines) < MOST_LINES:
            self.lines.append({"ms": milliseconds, "text": text})
        else:
            self._left_out += 1
            self.lines[-1] = {"ms": milliseconds, "text": f"{self._left_out + 1} further steps"}


_recorder: ContextVar[_Recorder | None] = ContextVar("solver_log", default=None)


@contextmanager
def recording(wanted: bool = True) -> Iterator[list[dict[str, Any]]]:
    """Record the steps of a block, each with milliseconds since its beginning; nothing where it is not wanted."""
    recorder = _Recorder()
    token = _recorder.set(recorder if wanted else None)
    try:
        yield recorder.lines
    finally:
        _recorder.reset(token)


def log_step(text: str) -> None:
    """Add a step to the recording under way. text: what was done and what came of it, in one phrase."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.add(text)
