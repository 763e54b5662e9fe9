"""Downloads of content_url: from public addresses only (storage/net/guard.py), in 20 s, up to a number of bytes counted on the stream."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import httpcore
import httpx

from spatial.contract import limits
from spatial.errors import SMALLER, InvalidRequest, RequestTooLarge
from storage.net import guard
from storage.net.guard import FAILURES, Network, Resolver, UrlRefused

REDIRECTS: Final = 5
"""Most redirects that are followed."""


@dataclass(frozen=True)
class Download:
    """One downloaded file."""

    data: bytes
    file_name_hint: str
    """Last segment of the final URL's path; empty where there is none."""
    content_type: str
    """As the server states it; empty if it does not."""


def check_shape(url: str, *, allow: Collection[str] = ()) -> None:
    """Refuse a URL that can be refused without the network.

    Raises: InvalidRequest.
    """
    _check(url, allow)


async def download(
    url: str,
    *,
    allow: Collection[str] = (),
    limit: int = limits.FILE_BYTES,
    seconds: float = limits.CONTENT_URL_SECONDS,
    resolver: Resolver | None = None,
    connector: httpcore.AsyncNetworkBackend | None = None,
    trust: ssl.SSLContext | None = None,
) -> Download:
    """The file behind a URL.

    allow: host:port entries whose address is not judged; limit: in bytes; seconds: for everything, names and redirects included.
    resolver, connector, trust: what resolves names, opens connections and knows certificates; by default the system's and certifi's.

    Raises: InvalidRequest for a URL or an address that is refused, and where nothing can be fetched; RequestTooLarge over `limit`.
    """
    network = Network(resolver, connector, trust)
    try:
        async with asyncio.timeout(seconds), guard.open_pool(allow, network) as pool:
            return await _follow(pool, _check(url, allow), allow, limit)
    except TimeoutError as error:
        raise _refused(
            f"content_url could not be downloaded within {seconds:g} s; send the file by POST /api/v1/uploads"
        ) from error
    except UrlRefused as error:
        raise _refusal(error) from error
    except FAILURES as error:
        raise _refused(
            f"content_url could not be downloaded: {guard.describe_failure(error)}; check the URL"
        ) from error


async def _follow(pool: httpcore.AsyncConnectionPool, url: httpx.URL, allow: Collection[str], limit: int) -> Download:
    """Follow redirects; each hop is checked like the first."""
    for _ in range(REDIRECTS + 1):
        async with _request(pool, url) as answer:
            headers = {name.lower(): value.decode(errors="replace") for name, value in answer.headers}
            if answer.status not in (301, 302, 303, 307, 308):
                data = await _body(answer, headers, limit)
                return Download(data, _last_segment(url), headers.get(b"content-type", ""))
        if not headers.get(b"location"):
            raise _refused(f"content_url answered {answer.status} without a Location; check the URL")
        url = _check(headers[b"location"], allow, base=url)
    raise _refused(f"content_url redirects more than {REDIRECTS} times; use the URL of the file itself")


async def _body(answer: httpcore.Response, headers: dict[bytes, str], limit: int) -> bytes:
    """The bytes, counted on the stream: the size that the server states is used only to refuse one that is too large."""
    if answer.status != 200:
        raise _refused(f"content_url answered {answer.status}; check the URL")
    encoding = headers.get(b"content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise _refused(
            f"content_url is served with Content-Encoding {encoding[:40]}, which was not requested; serve the file as it is"
        )
    announced = headers.get(b"content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise _too_large(limit)
    data = bytearray()
    async for chunk in answer.aiter_stream():
        data += chunk
        if len(data) > limit:
            raise _too_large(limit)
    return bytes(data)


@asynccontextmanager
async def _request(pool: httpcore.AsyncConnectionPool, url: httpx.URL) -> AsyncIterator[httpcore.Response]:
    """The start of an answer; its body is still to come."""
    headers = [
        (b"Host", url.netloc),
        (b"User-Agent", guard.USER_AGENT),
        (b"Accept", b"*/*"),
        (b"Accept-Encoding", b"identity"),
    ]
    async with pool.stream("GET", guard.target_of(url), headers=headers) as answer:
        yield answer


def _check(url: str, allow: Collection[str], base: httpx.URL | None = None) -> httpx.URL:
    """The parsed URL, without fragment. base: where a redirect comes from."""
    try:
        return guard.parse(url, allow, base=base)
    except UrlRefused as error:
        raise _refusal(error, "content_url" if base is None else "content_url redirects to a URL that") from error


def _last_segment(url: httpx.URL) -> str:
    return unquote(url.path).rstrip("/").rpartition("/")[2]


def _refusal(error: UrlRefused, subject: str = "content_url") -> InvalidRequest:
    address = {} if error.address is None else {"address": error.address}
    return _refused(f"{subject} {error.problem}; use a public http(s) URL or send content_base64", address)


def _refused(message: str, details: dict[str, Any] | None = None) -> InvalidRequest:
    return InvalidRequest(message, details={"field": "content_url", **(details or {})})


def _too_large(limit: int) -> RequestTooLarge:
    return RequestTooLarge(
        f"the file behind content_url is larger than {limit} bytes; {SMALLER}",
        details={"limit_bytes": limit},
    )
