"""Health check of the container `prefect-services`: `python -m deployments.prefect_services` (prefect_runtime/background_services.py)."""

from __future__ import annotations

import asyncio
import os
import socket
import sys

from redis.exceptions import RedisError

from prefect_runtime import background_services


def main() -> int:
    """Check the heartbeats in the Redis of PREFECT_SERVER_DOCKET_URL; returns the exit status."""
    host = socket.gethostname()
    try:
        if asyncio.run(background_services.are_alive(os.environ["PREFECT_SERVER_DOCKET_URL"], host)):
            return 0
    except (RedisError, OSError) as error:
        print(f"Redis cannot be reached: {error}")
        return 1
    print(f"Prefect's background services on {host} have not reported")
    return 1


if __name__ == "__main__":
    sys.exit(main())
