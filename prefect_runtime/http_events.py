"""Events of flow and task runs over HTTP, for a process that may not open Prefect's websocket.

Prefect's own client sends events through a websocket whose first message is the server's password. A desktop worker does not have it: it
sends them as it sends everything else. Prefect emits events only through clients that it knows, so its client for child processes, which
puts events into a queue, puts them into this one.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final, NoReturn

import httpx
from prefect.client.orchestration import get_client
from prefect.events.worker import EventsWorker, ProcessPoolForwardingEventsClient

from prefect_runtime.client import PrefectApi

GATHER_SECONDS: Final = 0.05
"""How long events are gathered into one request: the states of one task run follow each other within this time."""

MOST_WAITING: Final = 10_000
"""Maximum number of unsent events; older ones are dropped."""

log = logging.getLogger(__name__)


class HttpEvents:
    """The events of this process on their way to the server. Create it inside the event loop that runs it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()

    def install(self) -> None:
        """Make Prefect hand over its events. Call it before any is emitted."""
        EventsWorker.set_client_override(ProcessPoolForwardingEventsClient, event_queue=self)

    def put(self, item: tuple[str, Any]) -> None:
        """Take one event, from any thread (Prefect calls it)."""
        self._loop.call_soon_threadsafe(self._take, item[1].model_dump(mode="json"))

    async def run(self) -> NoReturn:
        """Send events until cancelled; those that the server does not take are sent again with the next ones."""
        async with get_client() as client:
            api = PrefectApi.sharing(client)
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                await asyncio.sleep(GATHER_SECONDS)
                await self._send(api)

    async def _send(self, api: PrefectApi) -> None:
        sending, self._waiting = self._waiting, []
        try:
            await api.send_events(sending)
        except httpx.HTTPError as error:
            log.warning("%d events of runs cannot be sent now: %r", len(sending), error)
            self._waiting = [*sending, *self._waiting][-MOST_WAITING:]

    def _take(self, event: dict[str, Any]) -> None:
        self._waiting.append(event)
        self._arrived.set()
