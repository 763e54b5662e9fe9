"""What a warm worker asks the Prefect server every few seconds, as one small request (`poll_route`).

Both sides import this module, so it imports nothing of Prefect.
"""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

ROUTE: Final = "worker_polls"
"""Path of the route below the server's API; the name of the work pool follows."""


class Poll(BaseModel):
    """A question of a worker, which is its heartbeat as well.

    queues: names of the work queues that it takes runs from; if empty, all of the pool but `other_queues`. within_seconds: how far ahead
    of its start a run counts as due.
    """

    worker: str
    queues: list[str] = []
    other_queues: list[str] = []
    within_seconds: float = Field(ge=0)


class Answer(BaseModel):
    """due: whether a run waits that the worker could take. online: whether the server lists the worker as online. unready: whether the
    server lists one of its queues, or a deployment of one, as not ready, which Prefect's own poll changes."""

    due: bool
    online: bool
    unready: bool
