"""An event loop whose clock jumps to the next timer: minutes of waiting are simulated in moments, the same each time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _VirtualLoop(asyncio.SelectorEventLoop):
    """Nothing in it may wait for a socket or another process."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]  # asyncio's own queues, which no interface shows
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]  # as above
        super()._run_once()  # type: ignore[misc]  # as above


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in a loop of that kind."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(coroutine)
