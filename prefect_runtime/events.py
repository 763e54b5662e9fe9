"""Events of the flow and task runs of a process, sent to the Prefect server together and without states that have passed already.

Prefect's own client sends each event by itself, through a websocket whose first message is the server's password. That costs the server
a third of its processor time, and a desktop worker does not have the password. Here the events of half a second go in one request. A
stage that began and ended within that time is one event instead of three: the last one carries the whole task run, with its start, its
end and its tries, and Prefect's server makes the same row of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import httpx
from prefect.client.orchestration import get_client
from prefect.events.schemas.events import Event
from prefect.events.worker import EventsWorker, ProcessPoolForwardingEventsClient

from prefect_runtime.client import PrefectApi

GATHER_SECONDS: Final = 0.5
"""How long events are gathered into one request; a state that lasts longer is seen in the Prefect UI."""

RETRY_SECONDS: Final = 5.0
"""Pause before events that the server did not take are sent again, unless new ones come before."""

LAST_SECONDS: Final = 5.0
"""How long the last request may take when the process ends."""

MOST_WAITING: Final = 10_000
"""Maximum number of unsent events; older ones are dropped."""

PASSING: Final = frozenset({"prefect.task-run.Pending", "prefect.task-run.Running"})
"""Events of states that tell nothing once the run has a later one."""

log = logging.getLogger(__name__)


class Events:
    """The events of this process on their way to the server. Create it inside the event loop that sends them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Event] = []
        self._arrived = asyncio.Event()

    def install(self) -> None:
        """Make Prefect hand over its events. Call it before any is emitted."""
        EventsWorker.set_client_override(ProcessPoolForwardingEventsClient, event_queue=self)

    def put(self, item: tuple[str, Event]) -> None:
        """Take one event, from any thread (Prefect calls it)."""
        self._loop.call_soon_threadsafe(self._take, item[1])

    async def run(self) -> None:
        """Send events until cancelled; then those that are left, once."""
        async with get_client() as client:
            api = PrefectApi.sharing(client)
            try:
                while True:
                    await self._arrived.wait()
                    await asyncio.sleep(GATHER_SECONDS)
                    await self._send(api)
            except asyncio.CancelledError:
                worker = EventsWorker.instance()
                EventsWorker.set_client_override(None)
                await asyncio.to_thread(worker.drain)
                await asyncio.sleep(0)  # until what the thread handed over is taken
                with suppress(TimeoutError):
                    async with asyncio.timeout(LAST_SECONDS):
                        await self._send(api)
                raise

    async def _send(self, api: PrefectApi) -> None:
        self._arrived.clear()
        sending, self._waiting = self._waiting, []
        if not sending:
            return
        try:
            await api.send_events([event.model_dump(mode="json") for event in last_states(sending)])
        except httpx.HTTPError as error:
            log.warning("%d events of runs cannot be sent now: %r", len(sending), error)
            self._waiting = [*sending, *self._waiting][-MOST_WAITING:]
            self._loop.call_later(RETRY_SECONDS, self._arrived.set)

    def _take(self, event: Event) -> None:
        self._waiting.append(event)
        self._arrived.set()


def last_states(events: Sequence[Event]) -> list[Event]:
    """The same events without passing states of task runs that have a later event; what followed such an event follows its predecessor."""
    last = {event.resource.id: place for place, event in enumerate(events)}
    dropped: dict[UUID, UUID | None] = {}
    kept: list[Event] = []
    for place, event in enumerate(events):
        follows: Any = event.follows
        while follows in dropped:
            follows = dropped[follows]
        if event.event in PASSING and last[event.resource.id] != place:
            dropped[event.id] = follows
        else:
            kept.append(event if follows == event.follows else event.model_copy(update={"follows": follows}))
    return kept
