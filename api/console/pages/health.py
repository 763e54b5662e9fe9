"""Health for operators: the probes with their history, what waits, and the workers with their last heartbeats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from api.console import charts, rendering
from api.console.endpoint import Page
from api.console.session import SignedInDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import raises
from api.probes import ProberDep
from flows.pools import DESKTOP_POOL, POOL
from spatial import errors
from spatial.contract.health import Health
from spatial.errors import SpatialError
from storage.postgres import backlog, probe_results
from storage.postgres.probe_results import ProbeResult

SECTION: Final = "/console/health"
HISTORY: Final = timedelta(hours=24)

OFFLINE_SECONDS: Final = 90.0
"""Age of its last heartbeat from which on a worker counts as offline. One is sent every 30 s; Prefect allows for three that are missed."""

CONVERTER_COUNTS: Final = {
    "workers": "files read at a time, at most",
    "running": "files read now",
    "waiting": "calls that wait",
    "queue": "calls that may wait",
    "kept": "readings kept for their next stage",
    "restarts": "restarts of the fork server",
}
"""Counts of the converter's report, and what they are called here."""

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get(SECTION)
@raises()
async def read(signed_in: SignedInDep, dispatcher: DispatcherDep, prober: ProberDep) -> Response:
    """The state of every part now, and over the last day."""
    health = await prober.health()
    since = datetime.now(UTC) - HISTORY
    async with dispatcher.database.transaction() as connection:
        results = await probe_results.read_since(connection, since)
        metrics = await backlog.read(connection)
    workers, unreachable = await _workers(dispatcher)
    return rendering.page(
        "health.html",
        signed_in,
        section=SECTION,
        health=health,
        histories=_histories(health, results, since),
        metrics=[(metric, sorted(values.items())) for metric, values in metrics],
        workers=workers,
        unreachable=unreachable,
        offline_seconds=OFFLINE_SECONDS,
        converter=await _converter(dispatcher),
    )


def _histories(health: Health, results: list[ProbeResult], since: datetime) -> dict[str, charts.Svg]:
    """The strip of each probe."""
    of_probe: dict[str, list[ProbeResult]] = {name: [] for name in health.checks}
    for result in results:
        of_probe.setdefault(result.probe, []).append(result)
    return {name: charts.history(name, found, since, HISTORY) for name, found in of_probe.items()}


async def _workers(dispatcher: Dispatcher) -> tuple[list[tuple[str, str, float]], str]:
    """Pool, name and age of the last heartbeat (s) of every worker of the last hour; and why they are not known, if so."""
    try:
        heartbeats = await dispatcher.worker_heartbeats(POOL, DESKTOP_POOL)
    except SpatialError as error:
        return [], error.message
    return [(pool, name, age) for pool, found in heartbeats.items() for name, age in sorted(found.items())], ""


async def _converter(dispatcher: Dispatcher) -> dict[str, object]:
    """The counts of the converter; none while it is out of reach, which its probe shows."""
    try:
        report = await dispatcher.converter_health()
    except errors.ConverterUnavailable:
        return {}
    return {words: report[name] for name, words in CONVERTER_COUNTS.items() if name in report}
