"""The one retry loop for work outside of Prefect's task runs, and what may be retried."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Final, TypeVar

from spatial.errors import Unavailable

T = TypeVar("T")

PAUSES: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Pauses between attempts, in seconds."""

log = logging.getLogger(__name__)


def is_retryable(error: object) -> bool:
    """Whether another attempt may succeed: a part of the service is unavailable, and may be available again."""
    return isinstance(error, Unavailable) and error.can_recover


async def retry(
    attempt: Callable[[], Awaitable[T]],
    pauses: Iterable[float] = PAUSES,
    *,
    is_retryable: Callable[[Exception], bool] = is_retryable,
) -> T:
    """The result of the first attempt that succeeds; the last attempt follows the last pause.

    pauses: seconds between attempts.
    Raises: what the attempt raises, where that is not retryable or no pause is left.
    """
    for pause in pauses:
        try:
            return await attempt()
        except Exception as error:
            if not is_retryable(error):
                raise
            log.warning("trying again in %s s: %r", pause, error)
        await asyncio.sleep(pause)
    return await attempt()


class Patience:
    """Retries while something is unavailable, until nothing that shares this patience has succeeded for a while."""

    def __init__(self, seconds: float, pauses: Sequence[float]) -> None:
        """seconds: how long without a success; pauses: seconds between attempts, the last one again and again."""
        self._seconds = seconds
        self._pauses = pauses
        self._succeeded = time.monotonic()

    async def retry(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """The result of the first attempt that finds everything available. Raises: Unavailable when the patience has ended."""
        result = await retry(attempt, self._remaining_pauses())
        self._succeeded = time.monotonic()
        return result

    def _remaining_pauses(self) -> Iterator[float]:
        for pause in chain(self._pauses, repeat(self._pauses[-1])):
            if time.monotonic() - self._succeeded > self._seconds:
                return
            yield pause
