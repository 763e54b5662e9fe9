"""Metrics: what this process counts, and what it asks the parts of the house when somebody looks.

Requests are counted by the gate, stages where they run (`tasks.stages`). What can only be asked is asked at the scrape, all at once,
each part with ASK_SECONDS; a part that is away is `spatial_up{part="…"} 0`, and its other metrics are left out rather than guessed.

Cardinality is bounded: routes are templates of this app, methods and statuses are known ones, pools are two, and a pool tells
of a hundred workers at most.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Awaitable, Callable, Iterable
from importlib.metadata import version
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from api.dispatching import Dispatching
from flows.pools import DESKTOP_POOL, POOL
from spatial.contract import limits
from spatial.errors import SpatialError
from storage.postgres import backlog

ASK_SECONDS: Final = 2.0
"""How long one part may take to answer; a longer one counts as away."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

UNROUTED: Final = "unrouted"
"""The route of requests that no route took: unknown paths, and bodies refused before the path was looked at."""

OTHER: Final = "other"
"""The method of requests with a method that HTTP does not name."""

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

CLIENT_LEFT: Final = 499
"""The status of requests whose client went away before there was an answer; nginx calls it so."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the histogram of requests."""

log = logging.getLogger(__name__)


class Requests:
    """The requests of one process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._answered = Counter(
            "spatial_http_requests_total",
            "Requests answered, by route template, method and status",
            ("route", "method", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "spatial_http_request_seconds",
            "Seconds from a request's head to the end of its answer",
            ("route", "method"),
            buckets=SECONDS,
            registry=registry,
        )
        self.under_way = Gauge("spatial_http_requests_under_way", "Requests being answered now", registry=registry)

    def answered(self, route: str | None, method: str, status: int | None, seconds: float) -> None:
        """Count one request. status: None where the client left before there was one."""
        template, known = route or UNROUTED, method if method in METHODS else OTHER
        self._answered.labels(template, known, str(status or CLIENT_LEFT)).inc()
        self._seconds.labels(template, known).observe(seconds)


class Metrics:
    """Everything that /metrics says."""

    def __init__(self, dispatch: Dispatching) -> None:
        self._dispatch = dispatch
        self._registry = dispatch.registry
        self.requests = Requests(self._registry)
        ProcessCollector(registry=self._registry)

    async def exposition(self) -> bytes:
        """All of it, in Prometheus' text format 0.0.4."""
        asked = await asyncio.gather(*(_asked(part, ask, self._dispatch) for part, ask in PARTS.items()))
        up = GaugeMetricFamily("spatial_up", "Whether a part of the house answers this process", labels=["part"])
        for part, found in zip(PARTS, asked, strict=True):
            up.add_metric([part], float(found is not None))
        told = [metric for found in asked for metric in found or ()]
        return written([build(), up, *told], self._registry)


def written(asked: list[Metric], counted: CollectorRegistry) -> bytes:
    """Both in Prometheus' text format, of CONTENT_TYPE."""
    return generate_latest(_Together(asked, counted))


class _Together(Collector):
    """What was asked now and what was counted, without the `_created` moments that double the number of series."""

    def __init__(self, asked: list[Metric], counted: CollectorRegistry) -> None:
        self._asked, self._counted = asked, counted

    def collect(self) -> Iterable[Metric]:
        for metric in (*self._asked, *self._counted.collect()):
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


async def _asked(
    part: str, ask: Callable[[Dispatching], Awaitable[list[Metric]]], of: Dispatching
) -> list[Metric] | None:
    """What a part says; None where it is away."""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return await ask(of)
    except (SpatialError, TimeoutError):
        return None
    except Exception:
        log.exception("metrics of %s cannot be read", part)
        return None


async def _converter(dispatch: Dispatching) -> list[Metric]:
    health = await dispatch.converter_health()
    words = {name: float(health[name]) for name in ("running", "waiting", "workers", "queue", "kept", "restarts")}
    return [
        _gauge("spatial_converter_busy", "Converter calls that run", words["running"]),
        _gauge("spatial_converter_workers", "Converter calls that may run at once", words["workers"]),
        _gauge("spatial_converter_waiting", "Converter calls that wait for a place", words["waiting"]),
        _gauge("spatial_converter_queue", "Converter calls that may wait; one more is refused", words["queue"]),
        _gauge("spatial_converter_kept", "Files kept for the calls that follow", words["kept"]),
        _gauge(
            "spatial_converter_restarts", "Times the fork server died since the converter started", words["restarts"]
        ),
    ]


async def _database(dispatch: Dispatching) -> list[Metric]:
    async with dispatch.database.transaction() as connection:
        now = await backlog.read(connection)
    return [
        _gauge("spatial_batches", "Batches to be done", {(state,): n for state, n in now.batches.items()}, "state"),
        _gauge("spatial_batch_items", "Items to be done", {(state,): n for state, n in now.items.items()}, "state"),
        _gauge("spatial_batch_oldest_seconds", "How long the oldest queued batch waits", now.oldest_batch_seconds),
        _gauge("spatial_ledger_unexported_rows", "Usage rows not yet in the Parquet ledger", now.unexported_rows),
        _gauge("spatial_ledger_lag_seconds", "Age of the oldest such row", now.oldest_unexported_seconds),
        *_ingest(now),
    ]


def _ingest(now: backlog.Backlog) -> list[Metric]:
    runs = {(kind,): run.runs for kind, run in now.ingest.items()}
    found = {(kind,): run.found for kind, run in now.ingest.items()}
    ended = {(kind, end): getattr(run, end) for kind, run in now.ingest.items() for end in backlog.COUNTS}
    return [
        _gauge("spatial_ingest_runs", "Ingest and reprocess runs under way", runs, "kind"),
        _gauge("spatial_ingest_found_files", "Files that the runs under way have found", found, "kind"),
        _gauge("spatial_ingest_ended_files", "Files that the runs under way have ended", ended, "kind", "ended"),
        _gauge(
            "spatial_ingest_last_seconds",
            "How long ago a run of that kind last showed that state",
            dict(now.ingest_seconds),
            "kind",
            "state",
        ),
    ]


async def _prefect(dispatch: Dispatching) -> list[Metric]:
    heard = await dispatch.worker_heartbeats(POOL, DESKTOP_POOL)
    ages = {(pool, worker): age for pool, workers in heard.items() for worker, age in workers.items()}
    newest = {(pool,): min(workers.values()) for pool, workers in heard.items() if workers}
    return [
        _gauge("spatial_worker_heartbeat_seconds", "Seconds since a worker's last heartbeat", ages, "pool", "worker"),
        _gauge(
            "spatial_pool_heartbeat_seconds", "Seconds since the last heartbeat of any of its workers", newest, "pool"
        ),
        _gauge("spatial_pool_workers", "Workers heard of lately", {(p,): len(w) for p, w in heard.items()}, "pool"),
    ]


async def _storage(dispatch: Dispatching) -> list[Metric]:
    await dispatch.lake.ping()
    return []


PARTS: Final[dict[str, Callable[[Dispatching], Awaitable[list[Metric]]]]] = {
    "converter": _converter,
    "database": _database,
    "prefect": _prefect,
    "storage": _storage,
}
"""One row a part that is asked."""


def build() -> Metric:
    """Which build this is."""
    words = {
        "version": version("spatial-geometry-service"),
        "interface": limits.INTERFACE_VERSION,
        "python": platform.python_version(),
    }
    return _gauge("spatial_build_info", "Which build this is", {tuple(words.values()): 1}, *words)


def _gauge(name: str, says: str, values: Any, *labels: str) -> Metric:
    """A metric of one moment; values: one number, or label values to numbers."""
    family = GaugeMetricFamily(name, says, labels=labels)
    for which, number in (values if labels else {(): values}).items():
        family.add_metric(which, float(number))
    return family
