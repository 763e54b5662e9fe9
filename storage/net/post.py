"""POST to a URL that came from outside: public addresses only (storage/net/guard.py), no redirects; the answer's body is not used."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

import httpcore
import httpx

from spatial.errors import InvalidRequest
from storage.net import guard
from storage.net.guard import FAILURES, Network, UrlRefused

ANSWER_BYTES: Final = 16_384
"""How much of an answer's body is read, so that its server can end the exchange in order; none of it is used."""

DRAIN_SECONDS: Final = 1.0
"""How long that may take."""

RETRY_AFTER_DIGITS: Final = 9
"""Longest Retry-After in seconds that is understood."""


class NotPosted(Exception):
    """The request got no answer; its text is a clause that says why."""


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    retry_after: float | None = None
    """Seconds until it may be asked again (RFC 9110 §10.2.3); None where it does not say."""


def check_shape(url: str, *, allow: Collection[str] = ()) -> None:
    """Refuse a URL that no message can be sent to, as far as that shows without the network.

    Raises: InvalidRequest.
    """
    try:
        guard.parse(url, allow, https_only=True)
    except UrlRefused as error:
        raise InvalidRequest(
            f"the URL {error.problem}; use a public https URL, or add its host:port to SPATIAL_NOTIFICATIONS_ALLOW"
        ) from error


async def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    allow: Collection[str] = (),
    network: Network = Network(),  # noqa: B008  # frozen
    seconds: float,
    clock: Callable[[], float] = time.time,
) -> Answer:
    """Send a JSON body and return the answer, whatever its status; a redirect is an answer.

    allow: host:port entries whose address is not judged, and which need no TLS; seconds: for everything, from the name to the answer.
    clock: the time in seconds since 1970, for a Retry-After that is a date.
    Raises: NotPosted.
    """
    try:
        async with asyncio.timeout(seconds), guard.open_pool(allow, network) as pool:
            return await _exchange(pool, guard.parse(url, allow, https_only=True), headers, body, clock)
    except TimeoutError as error:
        raise NotPosted(f"no answer within {seconds:g} s") from error
    except UrlRefused as error:
        raise NotPosted(f"the URL {error.problem}") from error
    except FAILURES as error:
        raise NotPosted(guard.describe_failure(error)) from error


async def _exchange(
    pool: httpcore.AsyncConnectionPool,
    url: httpx.URL,
    headers: Mapping[str, str],
    body: bytes,
    clock: Callable[[], float],
) -> Answer:
    sent = [
        (b"Host", url.netloc),
        (b"User-Agent", guard.USER_AGENT),
        (b"Content-Type", b"application/json"),
        (b"Content-Length", str(len(body)).encode()),
        *((name.encode(), value.encode()) for name, value in headers.items()),
    ]
    async with pool.stream("POST", guard.target_of(url), headers=sent, content=body) as answer:
        received = {name.lower(): value.decode(errors="replace") for name, value in answer.headers}
        await _drain(answer)
    return Answer(answer.status, _retry_after(received.get(b"retry-after", ""), clock))


async def _drain(answer: httpcore.Response) -> None:
    """Read a short body to its end. The status counts from the moment it arrived, even if the body breaks off."""
    read = 0
    with suppress(TimeoutError, *FAILURES):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in answer.aiter_stream():
                read += len(chunk)
                if read > ANSWER_BYTES:
                    return


def _retry_after(value: str, clock: Callable[[], float]) -> float | None:
    """Seconds from a number or a date (RFC 9110 §10.2.3); None for what is neither."""
    written = value.strip()
    if written.isascii() and written.isdecimal():
        return float(written[:RETRY_AFTER_DIGITS])
    try:
        return max(0.0, parsedate_to_datetime(written).timestamp() - clock())
    except (ValueError, OverflowError):
        return None
