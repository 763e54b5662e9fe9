"""Health: one coroutine per probe, one row each in PROBES; all probes run concurrently, and the worst result decides.

A probe returns one sentence about what it found, or raises SpatialError. Each has PROBE_SECONDS. The service is *down*
if a probe fails whose part every request needs, *degraded* if another probe fails.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, cast

from fastapi import Depends
from starlette.requests import Request

from api.dispatcher import Dispatcher
from spatial.contract.health import Check, Health
from spatial.errors import DesktopInferenceUnavailable, SpatialError

PROBE_SECONDS: Final = 2.0
"""How long one probe may take; a probe that takes longer has failed."""

FRESH_SECONDS: Final = 1.0
"""How long a result is reused: the health route is public, and each round sends requests to six parts."""

HEALTHY: Final = "healthy"
UNAVAILABLE: Final = "unavailable"

log = logging.getLogger(__name__)


async def datastore(dispatcher: Dispatcher) -> str:
    """Postgres: no key can be checked without it."""
    await dispatcher.database.ping()
    return "Postgres answers"


async def converter(dispatcher: Dispatcher) -> str:
    """The service that runs the native parsers."""
    await dispatcher.converter_health()
    return "the converter answers"


async def reasoning_runtime(dispatcher: Dispatcher) -> str:
    """Whether a reasoning runtime is configured."""
    runtime = await dispatcher.runtime_status()
    if not runtime.configured:
        raise DesktopInferenceUnavailable(
            f"no reasoning runtime is configured ({runtime.status}); start a desktop worker"
        )
    return "configured"


async def rowe_availability(dispatcher: Dispatcher) -> str:
    """Whether a desktop worker can take a request right now."""
    runtime = await dispatcher.runtime_status()
    if not runtime.available:
        raise DesktopInferenceUnavailable(runtime.upstream_status)
    return runtime.upstream_status


async def storage(dispatcher: Dispatcher) -> str:
    """The lake: staged files and results."""
    await dispatcher.lake.ping()
    return "object storage answers"


async def prefect(dispatcher: Dispatcher) -> str:
    """The flow engine."""
    await dispatcher.prefect_health()
    return "the flow engine answers"


@dataclass(frozen=True)
class Probe:
    """One row: the probe, and what its failure means for the service."""

    run: Callable[[Dispatcher], Awaitable[str]]
    failure: Literal["degraded", "down"] = "degraded"

    @property
    def name(self) -> str:
        """Its name in `checks` and `services`."""
        return self.run.__name__


PROBES: Final = (
    Probe(datastore, failure="down"),
    Probe(converter),
    Probe(reasoning_runtime),
    Probe(rowe_availability),
    Probe(storage),
    Probe(prefect),
)


class Prober:
    """Runs all probes; concurrent requests share one round."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._round: asyncio.Task[Health] | None = None
        self._started = float("-inf")

    async def health(self) -> Health:
        """The result of the probes, at most FRESH_SECONDS old."""
        now = time.monotonic()
        if self._round is None or now - self._started > FRESH_SECONDS:
            self._started = now
            self._round = asyncio.create_task(self._run_all())
        return await asyncio.shield(self._round)

    async def _run_all(self) -> Health:
        timestamp = datetime.now(UTC)
        results = await asyncio.gather(*(_check(probe, self._dispatcher) for probe in PROBES))
        checks = {probe.name: check for probe, check in zip(PROBES, results, strict=True)}
        services = {name: check.status for name, check in checks.items()}
        return Health(status=verdict(checks), timestamp=timestamp, services=services, checks=checks)


async def prober_of(request: Request) -> Prober:
    """The prober of the process that serves this request."""
    return cast(Prober, request.app.state.prober)


ProberDep = Annotated[Prober, Depends(prober_of)]


def verdict(checks: dict[str, Check]) -> Literal["healthy", "degraded", "down"]:
    """The worst consequence of the failed probes."""
    failed = {probe.failure for probe in PROBES if checks[probe.name].status != HEALTHY}
    return "down" if "down" in failed else "degraded" if failed else "healthy"


async def _check(probe: Probe, dispatcher: Dispatcher) -> Check:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            status, detail = HEALTHY, await probe.run(dispatcher)
    except SpatialError as error:
        status, detail = UNAVAILABLE, error.message
    except TimeoutError:
        status, detail = UNAVAILABLE, f"no answer within {PROBE_SECONDS:g} s"
    except Exception:
        log.exception("probe %s failed", probe.name)
        status, detail = UNAVAILABLE, "the probe failed unexpectedly; the error is logged"
    return Check(status=status, latencyMs=round((time.perf_counter() - began) * 1000, 2), detail=detail)
