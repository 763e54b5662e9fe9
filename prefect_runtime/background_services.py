"""Whether Prefect's background services are alive.

They listen on no port. Their process carries a worker of Docket, which reports every two seconds in Redis, under the host's name, that it
is alive and which tasks it knows; the scheduler is known to theirs and not to those of the API servers. One event loop carries all
services: one that hangs is noticed, one that ended by itself is not.
"""

from __future__ import annotations

from docket import Docket

from prefect_runtime.names import DOCKET, SCHEDULER_TASK


async def are_alive(redis_url: str, host: str) -> bool:
    """Whether the background services of that host reported within 10 s. Raises: RedisError; OSError."""
    async with Docket(name=DOCKET, url=redis_url) as docket:
        return any(worker.name.startswith(f"{host}#") for worker in await docket.task_workers(SCHEDULER_TASK))
