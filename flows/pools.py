"""Work pools and their queues, in which flow runs wait for a worker."""

from __future__ import annotations

from typing import Final, Literal

from prefect_runtime.names import WORKER_TYPE

__all__ = ["DESKTOP_POOL", "POOL", "QUEUES", "WORKER_TYPE", "Queue"]

POOL: Final = "extraction"
"""Work pool that the warm workers serve."""

DESKTOP_POOL: Final = "desktop-inference"
"""Work pool that the reasoning worker on a desktop serves."""

Queue = Literal["housekeeping", "default", "bulk"]

QUEUES: Final[dict[Queue, tuple[int, int | None]]] = {"housekeeping": (1, None), "default": (2, None), "bulk": (3, 4)}
"""Work queues of the pool: priority (1 is the highest) and concurrency limit over all workers (None: no limit)."""
