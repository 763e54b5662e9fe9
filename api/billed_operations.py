"""A billed operation, from the moment it begins to execute to the response that is stored.

It runs in a task of its own: a caller that disconnects loses the connection, not the work, and finds the response under the
same Idempotency-Key. While it runs its lease is renewed; if this process dies the lease lapses, and the key is free again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from fastapi import Depends
from starlette.requests import Request

from api import faults
from api.dispatcher import Dispatcher
from api.gates.capacity import Capacity
from api.gates.idempotency import IdempotentRequest
from api.gates.keys import Caller
from spatial.contract.usage import Usage
from spatial.errors import InternalError, SpatialError, UsageFinalizationUnavailable
from storage.objects import lake
from storage.postgres import idempotency, operations, usage
from storage.shutdown import OPERATIONS_SECONDS

RENEWALS_PER_LEASE: Final = 4
"""How often a lease is renewed in its own length: three renewals may fail before it lapses."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BilledRequest:
    """One request that passed every gate, about to be executed as an operation."""

    operation_id: str
    request_id: str
    caller: Caller
    route: str
    idempotent: IdempotentRequest | None = None
    input_bytes: int = 0
    """Size of the file or of the reasoning request, for the usage that a failure reports."""


Admission = Callable[[Any], Awaitable[None]]
"""Writes more in the transaction that opens the operation; takes the connection. If it raises, the operation is not opened."""


class BilledOperations:
    """The billed operations that run in this process."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.capacity = Capacity(
            dispatcher.settings.extract_parallel,
            dispatcher.settings.extract_waiting,
            dispatcher.registry,
            still=dispatcher.converter_away,
        )
        self._dispatcher = dispatcher
        self._running: set[asyncio.Task[Any]] = set()

    async def run(
        self, billed: BilledRequest, work: Callable[[], Awaitable[bytes]], admission: Admission | None = None
    ) -> bytes:
        """Claim the key, do the work to its end even if the caller disconnects, and return the body of its 2xx.

        Raises: IdempotencyConflict and IdempotencyInProgress where another request claimed the key first; what admission and work raise.
        """
        await self._open(billed, admission)
        return await asyncio.shield(self._start_task(self._execute(billed, work)))

    def run_in_background(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run what no caller waits for; a failure is logged."""
        _ = self._start_task(_log_failure(coroutine))

    async def drain(self) -> None:
        """Wait for running operations, for at most OPERATIONS_SECONDS."""
        if self._running:
            await asyncio.wait(self._running, timeout=OPERATIONS_SECONDS)

    def _start_task(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._discard)
        return task

    async def _open(self, billed: BilledRequest, admission: Admission | None) -> None:
        database, is_alone = self._dispatcher.database, billed.idempotent is None and admission is None
        async with database.statements() if is_alone else database.transaction() as connection:
            await operations.open(
                connection,
                operation_id=billed.operation_id,
                account_id=billed.caller.account_id,
                key_id=billed.caller.key_id,
                request_id=billed.request_id,
                route=billed.route,
                lease_seconds=self._dispatcher.settings.lease_seconds,
            )
            if (idempotent := billed.idempotent) is not None:
                await idempotency.claim(
                    connection,
                    billed.caller.account_id,
                    idempotent.route,
                    idempotent.key,
                    idempotent.fingerprint,
                    billed.operation_id,
                )
            if admission is not None:
                await admission(connection)

    async def _execute(self, billed: BilledRequest, work: Callable[[], Awaitable[bytes]]) -> bytes:
        async with self._renewing_lease(billed.operation_id):
            try:
                return await work()
            except SpatialError as error:
                failure = with_usage(error, billed.input_bytes)
                await self._close(billed, failure)
                raise failure from error
            except Exception:
                await self._close(billed, InternalError("the operation failed; send the request again"))
                raise

    async def _close(self, billed: BilledRequest, error: SpatialError) -> None:
        """Store a 4xx for the caller's retries; release the key of a 5xx. If neither works the lease lapses."""
        result_key = await self._store_refusal(billed, error) if error.status < 500 and billed.idempotent else None
        try:
            async with self._dispatcher.database.transaction() as connection:
                await operations.fail(connection, billed.operation_id, status=error.status, result_key=result_key)
        except SpatialError as problem:
            log.warning("operation %s stays open until its lease lapses: %s", billed.operation_id, problem.message)

    async def _store_refusal(self, billed: BilledRequest, error: SpatialError) -> str | None:
        """The key of the stored response; None where the lake does not take it, so that a retry runs again."""
        key = lake.result_key(billed.operation_id)
        try:
            await self._dispatcher.lake.put(key, faults.body(error, billed.request_id))
        except SpatialError as problem:
            log.warning("the refusal of %s is not stored: %s", billed.operation_id, problem.message)
            return None
        return key

    @asynccontextmanager
    async def _renewing_lease(self, operation_id: str) -> AsyncIterator[None]:
        renewer = asyncio.create_task(self._renew(operation_id))
        try:
            yield
        finally:
            renewer.cancel()
            await asyncio.wait({renewer})

    async def _renew(self, operation_id: str) -> None:
        seconds = self._dispatcher.settings.lease_seconds
        is_held = True
        while is_held:
            await asyncio.sleep(seconds / RENEWALS_PER_LEASE)
            try:
                async with self._dispatcher.database.transaction() as connection:
                    is_held = await operations.renew(connection, operation_id, seconds)
            except SpatialError as problem:
                log.warning("lease of %s not renewed: %s", operation_id, problem.message)
            except Exception:
                log.exception("lease of %s not renewed", operation_id)

    def _discard(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not complain about a caller that disconnected


async def operations_of(request: Request) -> BilledOperations:
    """The operations of the process that serves this request."""
    return cast(BilledOperations, request.app.state.operations)


OperationsDep = Annotated[BilledOperations, Depends(operations_of)]


async def _log_failure(coroutine: Coroutine[Any, Any, None]) -> None:
    try:
        await coroutine
    except Exception:
        log.exception("background work of a request failed")


def with_usage(error: SpatialError, input_bytes: int) -> SpatialError:
    """The same error with what was counted of so many bytes; a request that failed costs nothing (spec: Usage)."""
    counted = Usage(
        input_tokens=usage.count_tokens(input_bytes),
        output_tokens=0,
        estimated_input_cost_usd=0.0,
        estimated_output_cost_usd=0.0,
        estimated_cost_usd=0.0,
    )
    details = {**(error.details or {}), "usage": counted.model_dump(exclude_none=True)}
    return type(error)(error.message, details=details, retry_after=error.retry_after)


def usage_not_finalized() -> UsageFinalizationUnavailable:
    """The error of an operation that the reconciler closed before it could be metered."""
    return UsageFinalizationUnavailable("the usage record could not be finalized; nothing is billed, try again")
