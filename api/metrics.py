"""Metrics: the counters of this process, and the metrics that other parts of the service report when they are scraped.

The request gate counts requests, `pipelines.stages` counts stages. A scrape queries all parts concurrently, each with a timeout of
ASK_SECONDS; a part that does not answer is `spatial_up{part="…"} 0`, and its other metrics are omitted.

Cardinality is bounded: routes are templates of this app, methods and statuses are from fixed sets, there are two pools, and at most a
hundred workers are reported per pool.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, Final, cast

from fastapi import Depends
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request

from api.dispatcher import Dispatcher
from flows.pools import DESKTOP_POOL, POOL
from spatial.contract import limits
from spatial.errors import SpatialError
from storage.postgres import backlog

ASK_SECONDS: Final = 2.0
"""How long one part may take to answer; a part that takes longer counts as down."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

UNROUTED: Final = "unrouted"
"""The route of requests that matched no route: unknown paths, and bodies that are refused before routing."""

OTHER: Final = "other"
"""The method of requests with an unknown method."""

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

CLIENT_LEFT: Final = 499
"""The status of requests whose client disconnected before the response, as in nginx."""

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

    def count(self, route: str | None, method: str, status: int | None, seconds: float) -> None:
        """Count one request. status: None where the client disconnected before the response."""
        template, known = route or UNROUTED, method if method in METHODS else OTHER
        self._answered.labels(template, known, str(status or CLIENT_LEFT)).inc()
        self._seconds.labels(template, known).observe(seconds)


class Metrics:
    """Everything that /metrics reports."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._registry = dispatcher.registry
        self.requests = Requests(self._registry)
        ProcessCollector(registry=self._registry)

    async def exposition(self) -> bytes:
        """Everything in Prometheus' text format 0.0.4."""
        results = await asyncio.gather(*(_ask(part, ask, self._dispatcher) for part, ask in PARTS.items()))
        up = GaugeMetricFamily("spatial_up", "Whether a part of the service answers this process", labels=["part"])
        for part, found in zip(PARTS, results, strict=True):
            up.add_metric([part], float(found is not None))
        reported = [metric for found in results for metric in found or ()]
        return render([build_info(), up, *reported], self._registry)


async def metrics_of(request: Request) -> Metrics:
    """The metrics of the process that serves this request."""
    return cast(Metrics, request.app.state.metrics)


MetricsDep = Annotated[Metrics, Depends(metrics_of)]


def render(reported: list[Metric], counted: CollectorRegistry) -> bytes:
    """Both kinds of metrics in Prometheus' text format (CONTENT_TYPE)."""
    return generate_latest(_Combined(reported, counted))


class _Combined(Collector):
    """Reported and counted metrics, without the `_created` timestamps, which double the number of series."""

    def __init__(self, reported: list[Metric], counted: CollectorRegistry) -> None:
        self._reported, self._counted = reported, counted

    def collect(self) -> Iterable[Metric]:
        for metric in (*self._reported, *self._counted.collect()):
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


async def _ask(
    part: str, ask: Callable[[Dispatcher], Awaitable[list[Metric]]], dispatcher: Dispatcher
) -> list[Metric] | None:
    """The metrics of one part; None where it does not answer."""
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return await ask(dispatcher)
    except (SpatialError, TimeoutError):
        return None
    except Exception:
        log.exception("metrics of %s cannot be read", part)
        return None


async def _converter(dispatcher: Dispatcher) -> list[Metric]:
    health = await dispatcher.converter_health()
    report = {name: float(health[name]) for name in ("running", "waiting", "workers", "queue", "kept", "restarts")}
    return [
        _gauge("spatial_converter_busy", "Converter calls that run", report["running"]),
        _gauge("spatial_converter_workers", "Converter calls that may run at once", report["workers"]),
        _gauge("spatial_converter_waiting", "Converter calls that wait for a worker", report["waiting"]),
        _gauge("spatial_converter_queue", "Converter calls that may wait; one more is refused", report["queue"]),
        _gauge("spatial_converter_kept", "Files kept for the calls that follow", report["kept"]),
        _gauge(
            "spatial_converter_restarts", "Times the fork server died since the converter started", report["restarts"]
        ),
    ]


async def _database(dispatcher: Dispatcher) -> list[Metric]:
    async with dispatcher.database.transaction() as connection:
        found = await backlog.read(connection)
    return [_gauge(metric.name, metric.description, values, *metric.labels) for metric, values in found]


async def _prefect(dispatcher: Dispatcher) -> list[Metric]:
    heartbeats = await dispatcher.worker_heartbeats(POOL, DESKTOP_POOL)
    ages = {(pool, worker): age for pool, workers in heartbeats.items() for worker, age in workers.items()}
    newest = {(pool,): min(workers.values()) for pool, workers in heartbeats.items() if workers}
    return [
        _gauge("spatial_worker_heartbeat_seconds", "Seconds since a worker's last heartbeat", ages, "pool", "worker"),
        _gauge(
            "spatial_pool_heartbeat_seconds", "Seconds since the last heartbeat of any of its workers", newest, "pool"
        ),
        _gauge(
            "spatial_pool_workers",
            "Workers with a heartbeat in the last hour",
            {(p,): len(w) for p, w in heartbeats.items()},
            "pool",
        ),
    ]


async def _storage(dispatcher: Dispatcher) -> list[Metric]:
    await dispatcher.lake.ping()
    return []


PARTS: Final[dict[str, Callable[[Dispatcher], Awaitable[list[Metric]]]]] = {
    "converter": _converter,
    "database": _database,
    "prefect": _prefect,
    "storage": _storage,
}
"""One row per part that a scrape queries."""


def build_info() -> Metric:
    """The version of this build, as labels."""
    labels = {
        "version": version("spatial-geometry-service"),
        "interface": limits.INTERFACE_VERSION,
        "python": platform.python_version(),
    }
    return _gauge("spatial_build_info", "Which build this is", {tuple(labels.values()): 1}, *labels)


def _gauge(name: str, documentation: str, values: float | Mapping[Any, float], *labels: str) -> Metric:
    """A gauge; values: one number, or tuples of label values to numbers."""
    family = GaugeMetricFamily(name, documentation, labels=labels)
    for label_values, number in (values if isinstance(values, Mapping) else {(): values}).items():
        family.add_metric(label_values, float(number))
    return family
