"""When a request is sent again, and sending it until it has an answer.

Sent again are requests without an answer, 429, 503, 409 idempotency_in_progress, and 502 and 504 of a proxy: after Retry-After
seconds where the answer has it, else after a random time that grows (full jitter). A POST keeps its Idempotency-Key, so the service
executes it once. No other error is sent again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from spatial_geometry._answers import error_of
from spatial_geometry._effects import Answer, Clock, NoAnswer, Pause, Request, Send, Steps
from spatial_geometry.error_types import IdempotencyInProgress, RateLimitExceeded, Unavailable
from spatial_geometry.errors import ConnectionFailed, GatewayError, SpatialError

LOGGER: Final = logging.getLogger("spatial_geometry")

FIRST_SECONDS: Final = 0.5
"""Upper bound of the first random delay; it doubles with every attempt."""

LEAST_SECONDS: Final = 0.1
"""Shortest delay, where an answer says that it makes sense to try at once."""

LONGEST_SECONDS: Final = 20.0
"""Upper bound of every random delay."""

RETRYABLE: Final = (ConnectionFailed, RateLimitExceeded, Unavailable, IdempotencyInProgress, GatewayError)


@dataclass(frozen=True)
class RetryPolicy:
    """Bounds of the repeated attempts of one request."""

    seconds: float
    """An attempt begins at most this long after the first; 0: no request is sent again."""
    clock: Clock = field(default_factory=Clock)
    jitter: Callable[[], float] = random.random
    """A number from 0 to 1."""
    waits_for_ceilings: bool = True
    """Whether 429 is sent again."""
    poll_seconds: float = 20.0
    """How long one request may wait for a batch to change; below the timeout of an answer."""

    def wait_before(self, attempt: int, began: float, error: SpatialError) -> float | None:
        """Seconds to wait before another attempt; None where there is none. attempt: number of the one that failed, from 0."""
        if not isinstance(error, RETRYABLE) or (isinstance(error, RateLimitExceeded) and not self.waits_for_ceilings):
            return None
        if error.retry_after is not None:
            wait = max(error.retry_after, LEAST_SECONDS)
        else:
            wait = self.jitter() * min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(attempt, 16))
        return wait if self.clock.now() - began + wait <= self.seconds else None


def send(
    request: Request,
    policy: RetryPolicy,
    *,
    accepted: Collection[int] = (),
    before_retry: Callable[[], Steps[Answer | None]] | None = None,
) -> Steps[Answer]:
    """Send a request, several times if need be.

    accepted: statuses beside 2xx that are no errors.
    before_retry: is run before each further attempt, and may return the answer that makes it unnecessary.

    Raises: SpatialError, of the last attempt.
    """
    began = policy.clock.now()
    for attempt in count():
        outcome: Answer | NoAnswer = yield Send(request)
        if isinstance(outcome, Answer) and (200 <= outcome.status < 300 or outcome.status in accepted):
            return outcome
        error = error_of(outcome)
        wait = None if isinstance(outcome, NoAnswer) and outcome.is_final else policy.wait_before(attempt, began, error)
        if wait is None:
            raise error from (outcome.cause if isinstance(outcome, NoAnswer) else None)
        LOGGER.info("%s %s is sent again in %.1f s: %s", request.method, request.path, wait, error)
        yield Pause(wait)
        if before_retry is not None and (found := (yield from before_retry())) is not None:
            return found
    raise AssertionError("unreachable: count() does not end")
