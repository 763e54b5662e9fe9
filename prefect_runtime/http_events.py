"""Events of flow and task runs over HTTP, for a process that may not open Prefect's websocket.

Prefect's own client sends events through a websocket whose first message is the server's password. A desktop worker does not have it: it
sends them as it sends everything else.
"""

from __future__ import annotations

import logging

import httpx
from prefect.client.orchestration import PrefectClient, get_client
from prefect.events import Event
from prefect.events.clients import EventsClient
from prefect.events.worker import EventsWorker

from prefect_runtime.client import PrefectApi, is_out_of_reach

log = logging.getLogger(__name__)


class HttpEventsClient(EventsClient):
    """Sends each event in a request of its own."""

    async def __aenter__(self) -> HttpEventsClient:
        self._client: PrefectClient = await get_client().__aenter__()
        self._api = PrefectApi.sharing(self._client)
        await super().__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await super().__aexit__(None, None, None)
        await self._client.__aexit__(None, None, None)

    async def _emit(self, event: Event) -> None:
        try:
            await self._api.send_events([event.model_dump(mode="json")])
        except httpx.HTTPError as error:
            if not is_out_of_reach(error):
                raise
            log.warning("an event of a run is lost, because the service cannot be reached: %r", error)


def use_http() -> None:
    """Send the events of this process over HTTP. Call it before any is emitted."""
    EventsWorker.set_client_override(HttpEventsClient)
