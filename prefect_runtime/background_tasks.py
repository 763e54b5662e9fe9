"""The workers of Prefect's background tasks, quieter, and with tasks that are given to another one soon after a connection died.

Docket, which runs them, looks four times a second for work and ten times for the cancellation of a task, which took a third of the idle
server's processor time. The shortest of Prefect's own intervals is 5 s, and it cancels no background task.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

from docket import Worker
from prefect.server.api import background_workers

LOOK: Final = timedelta(seconds=1)
"""How often background tasks look for work."""

AGAIN: Final = timedelta(seconds=120)
"""How long the worker that took a task may be silent until another one has it; Docket waits for five minutes.

A task that Redis sent over a dead connection reached nobody, and the scheduler's next run is such a task. A worker reports each quarter of
this time; where its own connection is dead, it notices that when a read ends, after up to 75 s (docker-compose.yml).
"""


class QuietWorker(Worker):
    """Runs background tasks, looks for them every LOOK, and listens to no cancellations."""

    async def _cancellation_listener(self) -> None:
        session = self._processing_session
        if session is not None:
            session.cancellation_ready.set()
            await session.stopping.wait()


def use_quiet_workers() -> None:
    """Have this process run Prefect's background tasks so."""
    quiet = partial(QuietWorker, minimum_check_interval=LOOK, scheduling_resolution=LOOK, redelivery_timeout=AGAIN)
    background_workers.Worker = quiet  # type: ignore[attr-defined,assignment]  # it has no setting for this
