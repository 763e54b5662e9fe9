"""Calls that take long: the client asks now and then, over another connection, whether the service still works on one.

A connection that died without a sign (half-open, RFC 9293 §3.5.1) tells neither end. A call over it would last until the time limit of an
answer, which is long, because it includes the wait in the queue of the service.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

LOOK_SECONDS: Final = 10.0
"""Interval of questions about a call."""

LAST_SECONDS: Final = 2.0
"""How long the answer of a call may be on its way that the service has ended."""

SILENCES: Final = 2
"""Questions without an answer, one after another, after which a call counts as lost: the service may be busy."""

T = TypeVar("T")


class ConnectionLost(Exception):
    """The service does not work on the call, or does not answer, and no answer of the call comes."""


async def answer_of(
    call: Coroutine[Any, Any, T], ask: Callable[[], Awaitable[bool | None]], *, seconds: float | None = None
) -> T:
    """The answer of a call.

    ask: whether the service works on it; None where it does not say. seconds: interval of such questions, LOOK_SECONDS by default.
    Raises: ConnectionLost; what the call raises.
    """
    sending = asyncio.ensure_future(call)
    try:
        silences = 0
        while not await _is_done(sending, LOOK_SECONDS if seconds is None else seconds):
            said = await ask()
            silences = silences + 1 if said is None else 0
            if silences >= SILENCES or (said is False and not await _is_done(sending, LAST_SECONDS)):
                raise ConnectionLost
        return sending.result()
    finally:
        if not sending.done():
            sending.cancel()
            await asyncio.wait({sending})


async def _is_done(sending: asyncio.Future[Any], seconds: float) -> bool:
    done, _ = await asyncio.wait({sending}, timeout=seconds)
    return bool(done)
