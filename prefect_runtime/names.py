"""Names that the service and Prefect share; this module imports nothing, so that any process can use it."""

from __future__ import annotations

from typing import Final

WORKER_TYPE: Final = "spatial-warm"
"""Type of the warm worker, and of the work pools that it serves."""

DESKTOP_POLL_SECONDS: Final = 4
"""Interval of the polls of a desktop worker, which are its heartbeats; the service tells it of a task at once."""

DESKTOP_HEARTBEAT_SECONDS: Final = 5
"""Interval of its heartbeats where no poll was one; Prefect takes whole seconds."""

DOCKET: Final = "prefect"
"""Name of the docket, in Redis, of Prefect's servers."""

SCHEDULER_TASK: Final = "schedule_deployments"
"""Docket task that only Prefect's background services run, and not its API servers."""
