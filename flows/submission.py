"""Submission of batches: exactly one flow run is created per batch, at once or after retries.

The batch's row is the outbox: until it names a flow run, the batch is submitted again with the same idempotency key, for which
Prefect returns the same run. The API submits at once; `Relay` retries in the same process while the engine is unreachable; the flow
`reconcile` submits the batches of processes that were killed.
"""

from __future__ import annotations

import asyncio
import logging

import httpx
from prefect.exceptions import PrefectException

from prefect_runtime.client import NotRegistered, PrefectApi
from spatial.errors import Unavailable
from storage.postgres import batch_runs, batches, notifications
from storage.postgres.batches import Batch
from storage.postgres.database import Database

OUT_OF_REACH = (httpx.HTTPError, PrefectException, NotRegistered, OSError, TimeoutError)
"""Errors of the clients of a Prefect server that is down, restarting or not set up."""

RELAY_SECONDS = 2.0
"""Pause between attempts to submit waiting batches."""

log = logging.getLogger(__name__)


async def submit(api: PrefectApi, database: Database, batch_id: str, *, deployment: str) -> None:
    """Create the flow run of a batch that is queued and has none, and notify the workers.

    Raises: OUT_OF_REACH; DatastoreUnavailable.
    """
    async with database.transaction() as connection:
        batch = await batches.find(connection, batch_id)
    if batch is None or batch.is_expired or batch.state != "queued" or batch.flow_run_id is not None:
        return
    await create(api, database, batch, key=batch.id, deployment=deployment)


async def create(api: PrefectApi, database: Database, batch: Batch, *, key: str, deployment: str) -> None:
    """Create a scheduled flow run, or get the one with the same key, and record its id in the row of the batch.

    Raises: OUT_OF_REACH; DatastoreUnavailable.
    """
    run = await api.create_run(
        deployment, parameters={"batch_id": batch.id}, name=batch.id, tags=[batch.request_id], idempotency_key=key
    )
    async with database.transaction() as connection:
        await batch_runs.record_submission(connection, batch.id, str(run["id"]))
        await notifications.send(connection, notifications.RUNS)


class Relay:
    """Submits batches, and retries failed submissions for as long as this process lives."""

    def __init__(self, api: PrefectApi, database: Database, *, deployment: str) -> None:
        self._api = api
        self._deployment = deployment
        self._database = database
        self._waiting: set[str] = set()
        self._trying: asyncio.Task[None] | None = None

    async def submit(self, batch_id: str) -> None:
        """Submit a batch, now or after retries; does not raise if Prefect or Postgres is unreachable."""
        if await self._submit(batch_id):
            return
        self._waiting.add(batch_id)
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try_again())

    async def close(self) -> None:
        """Stop retrying; the flow `reconcile` submits the remaining batches."""
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.wait({self._trying})

    async def _try_again(self) -> None:
        while self._waiting:
            await asyncio.sleep(RELAY_SECONDS)
            for batch_id in list(self._waiting):
                if await self._submit(batch_id):
                    self._waiting.discard(batch_id)

    async def _submit(self, batch_id: str) -> bool:
        try:
            await submit(self._api, self._database, batch_id, deployment=self._deployment)
        except (*OUT_OF_REACH, Unavailable) as error:
            log.warning("batch %s cannot be submitted now: %r", batch_id, error)
            return False
        return True
