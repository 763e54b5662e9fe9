"""Health check of the container `prefect-services`: `python -m deployments.prefect_services`.

Prefect's background services listen nowhere. Their process carries a worker of Docket, which says every two seconds in Redis that it
lives, under the host's name, and which tasks it knows; the scheduler is known to theirs and not to those of the API servers. One event
loop carries all services, so one that hangs is noticed; one that ended by itself is not.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Final

from docket import Docket
from redis.exceptions import RedisError

DOCKET: Final = "prefect"
"""Name of the docket of Prefect's servers."""

SCHEDULER: Final = "schedule_deployments"
"""Task that the background services run and the API servers do not."""


async def heard_of(url: str, host: str) -> bool:
    """Whether background services of that host have said within 10 s that they live. Raises: RedisError; OSError."""
    async with Docket(name=DOCKET, url=url) as docket:
        return any(worker.name.startswith(f"{host}#") for worker in await docket.task_workers(SCHEDULER))


def main() -> int:
    """Ask where Prefect's own setting says."""
    host = socket.gethostname()
    try:
        if asyncio.run(heard_of(os.environ["PREFECT_SERVER_DOCKET_URL"], host)):
            return 0
    except (RedisError, OSError) as error:
        print(f"Redis cannot be asked: {error}")
        return 1
    print(f"nothing was heard of Prefect's background services on {host}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
