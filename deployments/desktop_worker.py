"""The desktop inference worker: solves tasks of spatial reasoning on any machine that can reach the service.

It only dials out, to one address: SPATIAL_DESKTOP_URL, with SPATIAL_DESKTOP_TOKEN. It holds no credentials of database, object storage
or Prefect server; the API forwards what a worker may send to Prefect, and hands it scenes until their requests end.

Run as `python -m deployments.desktop_worker [--limit N]`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import platform
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from deployments import heartbeat
from deployments.worker import Stop
from flows.pools import DESKTOP_POOL
from flows.respond import respond
from flows.respond_batch import respond_batch
from pipelines.desktop import DESKTOP_ROUTE, DesktopResources, Exchange, open_desktop
from prefect_runtime import environment
from prefect_runtime.host import FlowHost
from prefect_runtime.workers import WarmWorkers
from spatial import logs
from spatial.errors import Unavailable
from storage import settings as settings_module
from storage.settings import Settings, SettingsError
from storage.shutdown import DESKTOP_DRAIN_SECONDS

WAIT_SECONDS: Final = 20.0
"""Length of one long poll for a task."""

RETRY_SECONDS: Final = 2.0
"""Pause after a long poll that failed, before the worker looks for tasks itself."""

log = logging.getLogger(__name__)


async def serve(settings: Settings, url: str, token: str, limit: int) -> None:
    """Take tasks until SIGTERM or SIGINT; then end the running ones."""
    stop, name = Stop(), f"{platform.node()}-{os.getpid()}"

    @asynccontextmanager
    async def connect() -> AsyncIterator[DesktopResources]:
        async with open_desktop(name, url, token) as opened:
            yield opened

    host, exchange = FlowHost(connect, None, lambda _: ""), Exchange(url, token)
    await host.open()
    try:
        workers = WarmWorkers(
            DESKTOP_POOL,
            host=host,
            flows={flow.name: flow for flow in (respond, respond_batch)},
            housekeeping=None,
            limit=limit,
            polled=heartbeat.Pulse(settings.home).beat,
            name=name,
        )
        log.info("desktop worker %s takes tasks from %s", name, url)
        await _work(workers, exchange, stop)
    finally:
        await host.close()
        await exchange.close()


async def _work(workers: WarmWorkers, exchange: Exchange, stop: Stop) -> None:
    """Poll until a signal arrives. Raises: the error that ended polling."""
    polling = asyncio.create_task(workers.run())
    waking = asyncio.create_task(_poll_when_told(workers, exchange))
    stopping = asyncio.create_task(stop.requested.wait())
    await asyncio.wait({polling, waking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    await workers.leave()
    await workers.drain(DESKTOP_DRAIN_SECONDS, stop.hurry)
    for task in (stopping, waking, polling):
        task.cancel()
    for outcome in await asyncio.gather(polling, waking, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome


async def _poll_when_told(workers: WarmWorkers, exchange: Exchange) -> None:
    """Poll the pool as soon as the service says that a task waits."""
    while True:
        try:
            await exchange.wait_for_task(WAIT_SECONDS)
        except Unavailable as error:
            log.debug("the service does not say when tasks wait: %s", error.message)
            await asyncio.sleep(RETRY_SECONDS)
        await workers.poll_now()  # also after a failure: what came meanwhile was announced to nobody


def _address(settings: Settings) -> tuple[str, str]:
    """Address and token of the service. Raises: SettingsError."""
    if settings.desktop_url is None or settings.desktop_token is None:
        raise SettingsError(
            "SPATIAL_DESKTOP_URL and SPATIAL_DESKTOP_TOKEN are not both set; set them to the address of the service and to its token "
            "for desktop workers"
        )
    return settings.desktop_url, settings.desktop_token.get_secret_value()


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m deployments.desktop_worker", description=__doc__)
    parser.add_argument(
        "--limit", type=int, default=8 * (os.cpu_count() or 1), help="Maximum number of concurrent flow runs."
    )
    arguments = parser.parse_args(argv)
    try:
        settings = settings_module.load()
        url, token = _address(settings)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    environment.adopt(environment.desktop_client(settings, f"{url}{DESKTOP_ROUTE}/prefect", token))
    logs.configure(settings.log_format, settings.log_level)
    asyncio.run(serve(settings, url, token, arguments.limit))
    return 0


if __name__ == "__main__":
    sys.exit(main())
