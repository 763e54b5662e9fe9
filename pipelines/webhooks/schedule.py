"""When a delivery is tried again (Standard Webhooks, Deliverability and reliability)."""

from __future__ import annotations

from typing import Final

from storage.net.post import Answer
from storage.postgres.webhook_deliveries import Attempt

DELAYS: Final = (5.0, 300.0, 1_800.0, 7_200.0, 18_000.0, 36_000.0, 50_400.0, 72_000.0, 86_400.0)
"""Seconds from a failed attempt to the next one; the first attempt is made at once, so there are ten."""

JITTER: Final = 0.1
"""Largest random addition to a delay, as a share of it: endpoints that failed together are not asked again together."""

LONGEST_WAIT: Final = 86_400.0
"""Longest Retry-After that is respected, in seconds."""

GONE: Final = 410
"""Status with which an endpoint asks for no more messages."""

GONE_REASON: Final = "the endpoint answered 410 Gone"

SUCCESSES: Final = range(200, 300)


def assess(answer: Answer | str, earlier: int, share: float) -> Attempt:
    """What an attempt came to.

    answer: the endpoint's, or why there was none; earlier: number of attempts before this one; share: random, 0 to 1.
    """
    if isinstance(answer, str):
        return _try_again(None, answer, earlier, share, 0.0)
    if answer.status in SUCCESSES:
        return Attempt("delivered", answer.status)
    if answer.status == GONE:
        return Attempt("failed", answer.status, GONE_REASON, is_gone=True)
    problem = f"the endpoint answered {answer.status}"
    return _try_again(answer.status, problem, earlier, share, min(answer.retry_after or 0.0, LONGEST_WAIT))


def _try_again(status: int | None, problem: str, earlier: int, share: float, at_least: float) -> Attempt:
    if earlier >= len(DELAYS):
        return Attempt("failed", status, problem)
    delay = max(DELAYS[earlier], at_least)
    return Attempt("pending", status, problem, delay * (1 + JITTER * share))
