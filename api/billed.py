"""A billed operation, from the moment it begins to execute to the answer that is kept of it.

It runs in a task of its own: a caller who hangs up loses the connection, not the work, and finds the answer under the
same Idempotency-Key. While it runs its lease is renewed; if this process dies the lease lapses, and the key is free again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from api import faults
from api.dispatching import Dispatching
from api.gates.idempotency import Named
from api.gates.keys import Caller
from spatial.contract.usage import Usage
from spatial.errors import InternalError, SpatialError, UsageFinalizationUnavailable
from storage.objects import lake
from storage.postgres import idempotency, operations, usage

RENEWALS_PER_LEASE: Final = 4
"""How often a lease is renewed in its own length: three renewals may fail before it lapses."""

DRAIN_SECONDS: Final = 20.0
"""How long operations under way may take to end when the server stops."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Claim:
    """One billed request that passed every gate."""

    operation_id: str
    request_id: str
    caller: Caller
    route: str
    named: Named | None = None
    input_bytes: int = 0
    """Size of the inline file, for the usage that a failure reports."""


Admission = Callable[[Any], Awaitable[None]]
"""What else is written in the transaction that opens the operation; takes the connection. Where it raises, nothing is opened."""


class Operations:
    """The billed operations that run in this process."""

    def __init__(self, dispatch: Dispatching) -> None:
        self._dispatch = dispatch
        self._running: set[asyncio.Task[Any]] = set()

    async def run(
        self, claim: Claim, work: Callable[[], Awaitable[bytes]], admission: Admission | None = None
    ) -> bytes:
        """Claim the key, do the work to its end even if the caller leaves, and return the body of its 2xx.

        Raises: IdempotencyConflict and IdempotencyInProgress where another request was quicker; what admission and work raise.
        """
        await self._begin(claim, admission)
        return await asyncio.shield(self._kept_running(self._to_its_end(claim, work)))

    def follow(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Do what no caller waits for; a failure is logged."""
        _ = self._kept_running(_logged(coroutine))

    async def drain(self) -> None:
        """Let what runs end, for a while."""
        if self._running:
            await asyncio.wait(self._running, timeout=DRAIN_SECONDS)

    def _kept_running(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def _begin(self, claim: Claim, admission: Admission | None) -> None:
        async with self._dispatch.database.transaction() as connection:
            await operations.open(
                connection,
                operation_id=claim.operation_id,
                account_id=claim.caller.account_id,
                key_id=claim.caller.key_id,
                request_id=claim.request_id,
                route=claim.route,
                lease_seconds=self._dispatch.settings.lease_seconds,
            )
            if (named := claim.named) is not None:
                await idempotency.claim(
                    connection,
                    claim.caller.account_id,
                    named.route,
                    named.key,
                    named.fingerprint,
                    claim.operation_id,
                )
            if admission is not None:
                await admission(connection)

    async def _to_its_end(self, claim: Claim, work: Callable[[], Awaitable[bytes]]) -> bytes:
        async with self._renewing(claim.operation_id):
            try:
                return await work()
            except SpatialError as error:
                failure = _with_usage(error, claim)
                await self._close(claim, failure)
                raise failure from error
            except Exception:
                await self._close(claim, InternalError("the operation failed"))
                raise

    async def _close(self, claim: Claim, error: SpatialError) -> None:
        """Keep a 4xx for the retries of its caller; let the key of a 5xx go. If that does not work the lease lapses."""
        result_key = await self._kept(claim, error) if error.status < 500 and claim.named else None
        try:
            async with self._dispatch.database.transaction() as connection:
                await operations.fail(connection, claim.operation_id, status=error.status, result_key=result_key)
        except SpatialError as trouble:
            log.warning("operation %s stays open until its lease lapses: %s", claim.operation_id, trouble.message)

    async def _kept(self, claim: Claim, error: SpatialError) -> str | None:
        """Where the answer is kept; None where the lake does not take it, so that a retry runs again."""
        key = lake.result_key(claim.operation_id)
        try:
            await self._dispatch.lake.put(key, faults.body(error, claim.request_id))
        except SpatialError as trouble:
            log.warning("the refusal of %s is not kept: %s", claim.operation_id, trouble.message)
            return None
        return key

    @asynccontextmanager
    async def _renewing(self, operation_id: str) -> AsyncIterator[None]:
        renewer = asyncio.create_task(self._renew(operation_id))
        try:
            yield
        finally:
            renewer.cancel()
            await asyncio.wait({renewer})

    async def _renew(self, operation_id: str) -> None:
        seconds = self._dispatch.settings.lease_seconds
        held = True
        while held:
            await asyncio.sleep(seconds / RENEWALS_PER_LEASE)
            try:
                async with self._dispatch.database.transaction() as connection:
                    held = await operations.renew(connection, operation_id, seconds)
            except SpatialError as trouble:
                log.warning("lease of %s not renewed: %s", operation_id, trouble.message)
            except Exception:
                log.exception("lease of %s not renewed", operation_id)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that a caller who left does not make asyncio complain


async def _logged(coroutine: Coroutine[Any, Any, None]) -> None:
    try:
        await coroutine
    except Exception:
        log.exception("what was to follow an answer failed")


def _with_usage(error: SpatialError, claim: Claim) -> SpatialError:
    """The same error, reporting what was counted; a request that failed costs nothing (spec: Usage)."""
    counted = Usage(
        input_tokens=usage.count_tokens(claim.input_bytes),
        output_tokens=0,
        estimated_input_cost_usd=0.0,
        estimated_output_cost_usd=0.0,
        estimated_cost_usd=0.0,
    )
    details = {**(error.details or {}), "usage": counted.model_dump(exclude_none=True)}
    return type(error)(error.message, details=details, retry_after=error.retry_after)


def not_charged() -> UsageFinalizationUnavailable:
    """What a caller is told whose operation was closed by somebody else before it could be metered."""
    return UsageFinalizationUnavailable("the usage record could not be finalized; nothing is billed, try again")
