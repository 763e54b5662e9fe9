"""The warm worker with flows to try it out: `python -m tests.deployments.drill --pool NAME --limit N`."""

from __future__ import annotations

import asyncio
import os
import sys

from prefect import flow

from deployments import worker
from flows.catalog import CATALOG, Deployed
from prefect_runtime import environment, host


@flow(name="drill-waits", persist_result=False)
async def waits() -> None:
    """Until it is stopped."""
    await asyncio.Event().wait()


@flow(name="drill-fails", persist_result=False)
async def fails() -> None:
    """As a mistake of ours does."""
    raise LookupError("nothing is there")


@flow(name="drill-exits", persist_result=False)
async def exits() -> None:
    """As no flow may."""
    sys.exit(3)


@flow(name="drill-ends", persist_result=False)
async def ends() -> None:
    """At once."""


@flow(name="drill-keeps-house", persist_result=False)
async def keeps_house() -> None:
    """At once, from the queue of housekeeping."""


def main() -> int:
    """Serve the drill flows beside the others, with frequent heartbeats.

    DRILL_QUERY_SECONDS in the environment: how often it polls.
    """
    for each in (waits, fails, exits, ends, keeps_house):
        CATALOG[each.name] = Deployed(each, f"tests/deployments/drill.py:{each.fn.__name__}")
    host.HEARTBEAT_SECONDS = 0.2  # shorter than a test wants to wait
    if "DRILL_QUERY_SECONDS" in os.environ:
        usual = environment.client
        seldom = {"PREFECT_WORKER_QUERY_SECONDS": os.environ["DRILL_QUERY_SECONDS"]}
        environment.client = lambda settings: usual(settings) | seldom
    return worker.main()


if __name__ == "__main__":
    sys.exit(main())
