"""Duration and outcome of the stages of an extraction, measured where they run; one `Stages` per process, held by `Resources`.

Glossary
  ok        the stage has a result.
  refused   the file or the request is at fault: an error below 500.
  failed    the service is at fault, a part of it is unavailable, or the stage was cancelled.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry, Histogram

from spatial.errors import SpatialError

T = TypeVar("T")
OnStage = Callable[[str, str], None]
"""Called with the name of a stage, and BEGAN or its outcome."""

Stage = TypeVar("Stage", bound=Callable[..., Awaitable[Any]])

NAMES: Final = ("fetch", "convert", "interpret", "sample", "assemble", "meter")
"""The stages in running order."""

BEGAN: Final = "began"

OUTCOMES: Final = ("ok", "refused", "failed")

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the histogram; the calls for one file end after limits.CONVERT_SECONDS plus its time in the queue."""


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
        self._watchers: dict[str, OnStage] = {}
        """By operation id."""

    @contextmanager
    def watch(self, operation_id: str, on_stage: OnStage | None) -> Iterator[None]:
        """Report the stages of an operation as they begin and end, for the length of a block. on_stage: None for nobody."""
        if on_stage is not None:
            self._watchers[operation_id] = on_stage
        try:
            yield
        finally:
            self._watchers.pop(operation_id, None)

    async def measure(self, stage: str, work: Awaitable[T], operation_id: str = "", *, before: float = 0.0) -> T:
        """Await the work and observe its duration as that of `stage`. Raises: what the work raises.

        operation_id: of the operation whose watcher learns of it; empty for a stage that nobody watches. before: seconds that the stage
        has taken already.
        """
        began, outcome = time.perf_counter() - before, "failed"
        self._report(operation_id, stage, BEGAN)
        try:
            result = await work
            outcome = "ok"
        except SpatialError as error:
            outcome = outcome_of(error)
            raise
        finally:
            self.observe(stage, time.perf_counter() - began, outcome)
            self._report(operation_id, stage, outcome)
        return result

    def observe(self, stage: str, seconds: float, outcome: str = "ok") -> None:
        """Record a stage whose duration was measured elsewhere."""
        self._seconds.labels(stage, outcome).observe(seconds)

    def _report(self, operation_id: str, stage: str, event: str) -> None:
        watcher = self._watchers.get(operation_id)
        if watcher is not None:
            watcher(stage, event)


def outcome_of(error: SpatialError) -> str:
    """The outcome of a stage that raised this error."""
    return "refused" if error.is_refusal else "failed"


def measured(name: str, stages: Callable[[], Stages]) -> Callable[[Stage], Stage]:
    """Decorate the function of a stage: each call is measured by the `Stages` that `stages` returns at that moment.

    The first argument of the function is a job or a staged file, which knows its operation.
    """

    def decorate(work: Stage) -> Stage:
        @functools.wraps(work)
        async def call(of: Any, *args: Any, **kwargs: Any) -> Any:
            return await stages().measure(name, work(of, *args, **kwargs), of.operation_id)

        return call  # type: ignore[return-value]  # the same signature, measured

    return decorate
