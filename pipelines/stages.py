"""Duration and outcome of the stages of an extraction, measured where they run; one `Stages` per process, held by `Resources`.

Glossary
  ok        the stage has a result.
  refused   the file or the request is at fault: an error below 500.
  failed    the service is at fault, a part of it is unavailable, or the stage was cancelled.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry, Histogram

from spatial.errors import SpatialError

T = TypeVar("T")
Stage = TypeVar("Stage", bound=Callable[..., Awaitable[Any]])

NAMES: Final = ("fetch", "convert", "interpret", "sample", "assemble", "meter")
"""The stages in running order."""

OUTCOMES: Final = ("ok", "refused", "failed")

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the histogram; a converter call ends after limits.CONVERT_SECONDS plus its time in the queue."""


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
            for outcome in OUTCOMES:
                self._seconds.labels(stage, outcome)  # present from the start, so that no rate spans a gap

    async def measure(self, stage: str, work: Awaitable[T]) -> T:
        """Await the work and observe its duration as that of `stage`. Raises: what the work raises."""
        began, outcome = time.perf_counter(), "failed"
        try:
            result = await work
            outcome = "ok"
        except SpatialError as error:
            outcome = outcome_of(error)
            raise
        finally:
            self.observe(stage, time.perf_counter() - began, outcome)
        return result

    def observe(self, stage: str, seconds: float, outcome: str = "ok") -> None:
        """Record a stage whose duration was measured elsewhere."""
        self._seconds.labels(stage, outcome).observe(seconds)


def outcome_of(error: SpatialError) -> str:
    """The outcome of a stage that raised this error."""
    return "refused" if error.is_refusal else "failed"


def measured(name: str, stages: Callable[[], Stages]) -> Callable[[Stage], Stage]:
    """Decorate the function of a stage: each call is measured by the `Stages` that `stages` returns at that moment."""

    def decorate(work: Stage) -> Stage:
        @functools.wraps(work)
        async def call(*args: Any, **kwargs: Any) -> Any:
            return await stages().measure(name, work(*args, **kwargs))

        return call  # type: ignore[return-value]  # the same signature, measured

    return decorate
