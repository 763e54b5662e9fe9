"""The warm worker: polls a work pool and runs flows of the catalog inside its own process (prefect_runtime/worker.py).

On SIGTERM or SIGINT it takes no new runs, waits SPATIAL_WORKER_DRAIN_SECONDS for its runs to end, and requeues the others, so that
another worker starts them at once. A second signal requeues immediately. Housekeeping has a separate concurrency limit, so that long
runs do not delay it.

Run as `python -m deployments.worker [--pool NAME] [--limit N] [--register] [--metrics-port N]`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from typing import NoReturn

from deployments import bootstrap, heartbeat, worker_metrics
from flows import background_work, watch
from flows.catalog import CATALOG, POOL
from flows.hosting import flow_host
from flows.notifications import start_on_notification
from pipelines.resources import Resources
from prefect_runtime import environment
from prefect_runtime.host import FlowHost
from prefect_runtime.workers import WarmWorkers
from spatial import logs
from storage import settings as settings_module
from storage.postgres import notifications
from storage.postgres.database import Database
from storage.settings import Settings

log = logging.getLogger(__name__)


class Stop:
    """SIGTERM and SIGINT as asyncio events: `requested` at the first signal, `hurry` at the second."""

    def __init__(self) -> None:
        self.requested, self.hurry = asyncio.Event(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stop_on_signal)

    def _stop_on_signal(self) -> None:
        (self.hurry if self.requested.is_set() else self.requested).set()


async def serve(settings: Settings, pool: str, *, register: bool) -> None:
    """Poll the pool until SIGTERM or SIGINT; then finish or requeue the running flow runs."""
    stop, host = Stop(), flow_host(settings)
    await host.open()
    registering = asyncio.create_task(_register(settings, register))
    stopping = asyncio.create_task(stop.requested.wait())
    await asyncio.wait({registering, stopping}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if not stop.requested.is_set():
            await registering
            workers = WarmWorkers(
                pool,
                host=host,
                flows={name: row.flow for name, row in CATALOG.items()},
                housekeeping="housekeeping",
                limit=settings.worker_limit,
                polled=heartbeat.Pulse(settings.home).beat,
            )
            with worker_metrics.served(settings, settings.worker_metrics_port, host.connections.registry):
                await _poll(workers, host, settings, stop)
    finally:
        registering.cancel()
        stopping.cancel()
        await host.close()


async def _register(settings: Settings, register: bool) -> None:
    if register:
        await bootstrap.register_when_reachable(settings)


async def _poll(workers: WarmWorkers, host: FlowHost[Resources], settings: Settings, stop: Stop) -> None:
    """Poll until a signal arrives. Raises: the error that ended polling, which is a defect."""
    database = Database(settings.need_database_url())
    polling = asyncio.create_task(workers.run())
    waking = asyncio.create_task(_act_on_notifications(workers, host, database, settings))
    watching = asyncio.create_task(watch.watch(host))
    searching = asyncio.create_task(watch.search(host, settings.reconcile_seconds))
    keeping = asyncio.create_task(background_work.start_where_needed(host))
    stopping = asyncio.create_task(stop.requested.wait())
    beside = (keeping, searching, watching, waking, polling)
    await asyncio.wait({*beside, stopping}, return_when=asyncio.FIRST_COMPLETED)
    requeued = await workers.drain(settings.worker_drain_seconds, stop.hurry)
    log.info("shutting down; %d runs were requeued", requeued)
    for task in (stopping, *beside):
        task.cancel()
    outcomes = await asyncio.gather(*beside, return_exceptions=True)
    await database.close()
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome


async def _act_on_notifications(
    workers: WarmWorkers, host: FlowHost[Resources], database: Database, settings: Settings
) -> None:
    """Poll at once whenever Postgres notifies about a new run, and create a run where a delivery waits; runs until cancelled."""
    run_created, delivery_written = asyncio.Event(), asyncio.Event()
    listeners = {notifications.RUNS: run_created.set}
    async with asyncio.TaskGroup() as group:
        if settings.notifications:
            listeners[notifications.DELIVERIES] = delivery_written.set
            group.create_task(start_on_notification(host, delivery_written))
        group.create_task(notifications.listen(database, listeners))
        group.create_task(_poll_when(run_created, workers))


async def _poll_when(notified: asyncio.Event, workers: WarmWorkers) -> NoReturn:
    while True:
        await notified.wait()
        notified.clear()
        await workers.poll_now()


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m deployments.worker", description=__doc__)
    parser.add_argument("--pool", default=POOL, help="Work pool to serve (default: %(default)s).")
    parser.add_argument("--limit", type=int, help="Maximum number of concurrent runs (default: SPATIAL_WORKER_LIMIT).")
    parser.add_argument("--register", action="store_true", help="First register pools, deployments and schedules.")
    parser.add_argument("--metrics-port", type=int, help="Port of /metrics (default: SPATIAL_WORKER_METRICS_PORT).")
    arguments = parser.parse_args(argv)
    flags = {"worker_limit": arguments.limit, "worker_metrics_port": arguments.metrics_port}
    try:
        settings = settings_module.load(**flags)
        environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    logs.configure(settings.log_format, settings.log_level)
    asyncio.run(serve(settings, arguments.pool, register=arguments.register))
    return 0


if __name__ == "__main__":
    sys.exit(main())
