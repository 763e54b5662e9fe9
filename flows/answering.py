"""The receipt of an extraction, by the time at which its caller must be answered.

Work that is late is abandoned: its operation is closed first, so that what the caller is told (nothing is billed) stays true, and its run
is cancelled after that, which ends its call of the converter. What was metered meanwhile is answered.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final

from converter.deadline import most_seconds
from pipelines.jobs import Receipt
from spatial.contract import limits
from spatial.errors import ConverterUnavailable
from spatial.restarts import LONGER
from storage.postgres import operations
from storage.postgres.database import Database

METERED_SECONDS: Final = 5.0
"""How long the receipt of a late extraction may take whose operation is closed already."""

TRAVEL_SECONDS: Final = 20.0
"""Beyond what the converter may take: what its way there and back takes on a busy machine, and a short wait for a free child."""

RETRY_SECONDS: Final = 30
"""The shortest Retry-After of an extraction that was abandoned: the queue that it waited in is long."""

Abandon = Callable[[], Awaitable[bool]]


def answer_seconds(convert_seconds: float) -> float:
    """How long the caller of a single extraction waits: until the converter has said why it gave up the file, if it does.

    convert_seconds: the deadline of a file in the converter.
    """
    return max(convert_seconds + limits.EXTRACT_WAIT_SECONDS, most_seconds(convert_seconds) + TRAVEL_SECONDS)


async def wait_for_receipt(
    run: asyncio.Task[Any], receipt: asyncio.Future[Receipt], seconds: float, abandon: Abandon
) -> None:
    """Return when the run has a receipt or has ended.

    abandon: closes the operation without a charge; False where it was closed before.
    Raises: ConverterUnavailable after so many seconds; BillingUnavailable where it cannot be abandoned then.
    """
    if await _one_is_done(run, receipt, seconds):
        return
    try:
        if not await abandon() and await _one_is_done(run, receipt, METERED_SECONDS):
            return
    finally:
        if not receipt.done():
            run.cancel()
    raise ConverterUnavailable(
        f"the extraction did not end within {seconds:g} s, most of which it waited for other files or for a processor; "
        "nothing is billed, send the request again",
        retry_after=max(RETRY_SECONDS, math.ceil(LONGER * seconds)),
    )


async def abandon(database: Database, operation_id: str) -> bool:
    """Close an operation that its caller does not wait for any longer; False where it is closed. Raises: BillingUnavailable."""
    async with database.transaction() as connection:
        return await operations.fail(connection, operation_id, status=ConverterUnavailable.status, result_key=None)


async def _one_is_done(run: asyncio.Task[Any], receipt: asyncio.Future[Receipt], seconds: float) -> bool:
    done, _ = await asyncio.wait({run, receipt}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return bool(done)
