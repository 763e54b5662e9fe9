"""Health check of Prefect's background services.

They listen on no port. Their process runs a Docket worker, which writes a heartbeat with the host's name and its tasks to Redis every
two seconds. The scheduler task is registered in the workers of the background services and not in those of the API servers. All services
share one event loop, so this check detects a service that blocks the loop, but not a service that ended by itself.
"""

from __future__ import annotations

from docket import Docket

from prefect_runtime.names import DOCKET, SCHEDULER_TASK


async def are_alive(redis_url: str, host: str) -> bool:
    """Whether the background services of that host reported within 10 s. Raises: RedisError; OSError.

    The options of the URL are left out: with a timeout of reads Docket, closed as soon as it was opened, may wait for its own task without
    end, because `asyncio.wait_for` of Python 3.11 can swallow the cancellation (CPython issue 86296).
    """
    async with Docket(name=DOCKET, url=redis_url.partition("?")[0]) as docket:
        return any(worker.name.startswith(f"{host}#") for worker in await docket.task_workers(SCHEDULER_TASK))
