"""Health: one coroutine a probe, one row each in PROBES, all asked at once; the worst verdict wins.

A probe returns one sentence about what it found, or raises SpatialError. Each has PROBE_SECONDS. The service is *down*
when a probe whose failure stops every request fails, *degraded* when any other does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from api.dispatching import Dispatching
from spatial.contract.health import Check, Health
from spatial.errors import DesktopInferenceUnavailable, SpatialError

PROBE_SECONDS: Final = 2.0
"""How long one probe may take; a longer one has failed."""

FRESH_SECONDS: Final = 1.0
"""How long a verdict is handed out again: health is public, and each round costs six parts of the house a question."""

HEALTHY: Final = "healthy"
UNAVAILABLE: Final = "unavailable"

log = logging.getLogger(__name__)


async def datastore(dispatch: Dispatching) -> str:
    """Postgres: without it no key can be checked."""
    await dispatch.database.ping()
    return "Postgres answers"


async def converter(dispatch: Dispatching) -> str:
    """The service that runs the native parsers."""
    await dispatch.converter_health()
    return "the converter answers"


async def reasoning_runtime(dispatch: Dispatching) -> str:
    """Whether a reasoning runtime is set up at all."""
    runtime = await dispatch.runtime_status()
    if not runtime.configured:
        raise DesktopInferenceUnavailable(f"no reasoning runtime is configured ({runtime.status})")
    return runtime.status


async def rowe_availability(dispatch: Dispatching) -> str:
    """Whether a desktop worker can take a request right now."""
    runtime = await dispatch.runtime_status()
    if not runtime.available:
        raise DesktopInferenceUnavailable(runtime.upstream_status)
    return runtime.upstream_status


async def storage(dispatch: Dispatching) -> str:
    """The lake: staged files and results."""
    await dispatch.lake.ping()
    return "object storage answers"


async def prefect(dispatch: Dispatching) -> str:
    """The flow engine."""
    await dispatch.prefect_health()
    return "the flow engine answers"


@dataclass(frozen=True)
class Probe:
    """One row: what is asked, and what its failure means for the whole."""

    ask: Callable[[Dispatching], Awaitable[str]]
    failure: Literal["degraded", "down"] = "degraded"

    @property
    def name(self) -> str:
        """Its name in `checks` and `services`."""
        return self.ask.__name__


PROBES: Final = (
    Probe(datastore, failure="down"),
    Probe(converter),
    Probe(reasoning_runtime),
    Probe(rowe_availability),
    Probe(storage),
    Probe(prefect),
)


class Prober:
    """Asks every probe, and shares one round of answers among all who ask at the same time."""

    def __init__(self, dispatch: Dispatching) -> None:
        self._dispatch = dispatch
        self._round: asyncio.Task[Health] | None = None
        self._asked = float("-inf")

    async def health(self) -> Health:
        """The verdict, at most FRESH_SECONDS old."""
        now = time.monotonic()
        if self._round is None or now - self._asked > FRESH_SECONDS:
            self._asked = now
            self._round = asyncio.create_task(self._ask_all())
        return await asyncio.shield(self._round)

    async def _ask_all(self) -> Health:
        timestamp = datetime.now(UTC)
        answers = await asyncio.gather(*(_asked(probe, self._dispatch) for probe in PROBES))
        checks = {probe.name: check for probe, check in zip(PROBES, answers, strict=True)}
        services = {name: check.status for name, check in checks.items()}
        return Health(status=verdict(checks), timestamp=timestamp, services=services, checks=checks)


def verdict(checks: dict[str, Check]) -> Literal["healthy", "degraded", "down"]:
    """The worst that any failed probe means."""
    failed = {probe.failure for probe in PROBES if checks[probe.name].status != HEALTHY}
    return "down" if "down" in failed else "degraded" if failed else "healthy"


async def _asked(probe: Probe, dispatch: Dispatching) -> Check:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            status, detail = HEALTHY, await probe.ask(dispatch)
    except SpatialError as error:
        status, detail = UNAVAILABLE, error.message
    except TimeoutError:
        status, detail = UNAVAILABLE, f"no answer within {PROBE_SECONDS:g} s"
    except Exception:
        log.exception("probe %s failed", probe.name)
        status, detail = UNAVAILABLE, "the probe itself failed; the failure is logged"
    return Check(status=status, latencyMs=round((time.perf_counter() - began) * 1000, 2), detail=detail)
