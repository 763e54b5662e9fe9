"""How long stages take and how they end, measured where they run; `Resources` holds one of these a process.

Glossary
  ok        the stage's result is there.
  refused   the caller's file or request is at fault: an error below 500.
  failed    ours, or a part out of reach; also what was cancelled on the way.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry, Histogram

from spatial.errors import SpatialError

T = TypeVar("T")
Work = TypeVar("Work", bound=Callable[..., Awaitable[Any]])

NAMES: Final = ("fetch", "convert", "interpret", "sample", "assemble", "meter")
"""The stages in running order."""

ENDS: Final = ("ok", "refused", "failed")

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the histogram; a converter call ends after limits.CONVERT_SECONDS, its waiting aside."""

OURS: Final = 500
"""From this status on an error is not the caller's."""


class Stages:
    """The stage durations of one process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._seconds = Histogram(
            "spatial_stage_seconds",
            "Seconds that a stage of an extraction took in this process, by how it ended",
            ("stage", "ended"),
            buckets=SECONDS,
            registry=registry,
        )
        for stage in NAMES:
            for end in ENDS:
                self._seconds.labels(stage, end)  # there from the start, so that a rate is never over a gap

    async def measured(self, stage: str, work: Awaitable[T]) -> T:
        """What the work comes to, its time counted as that of `stage`."""
        began, ended = time.perf_counter(), "failed"
        try:
            result = await work
            ended = "ok"
        except SpatialError as error:
            ended = end_of(error)
            raise
        finally:
            self.took(stage, time.perf_counter() - began, ended)
        return result

    def took(self, stage: str, seconds: float, ended: str = "ok") -> None:
        """Count a stage whose time somebody else has taken."""
        self._seconds.labels(stage, ended).observe(seconds)


def end_of(error: SpatialError) -> str:
    """What a stage that raised this has come to."""
    return "refused" if error.status < OURS else "failed"


def stage(name: str, stages: Callable[[], Stages]) -> Callable[[Work], Work]:
    """A decorator for a stage's function: counts each of its calls with whatever `stages` finds at that moment."""

    def wrap(work: Work) -> Work:
        @functools.wraps(work)
        async def counted(*words: Any, **named: Any) -> Any:
            return await stages().measured(name, work(*words, **named))

        return counted  # type: ignore[return-value]  # the same function, watched

    return wrap
