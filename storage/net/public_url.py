"""Downloads of content_url: from public addresses only, in 20 s, up to a number of bytes counted on the stream.

Glossary
  shape      the properties of a URL that need no network: scheme, host, port, notation.
  public     an address that the whole internet can reach, and that embeds no other address (see storage.net.addresses).
  pinned     the connection goes to the same address that was checked: the name is resolved only once, in this module.
  allowed    a host:port of the settings, exempt from the check of its address; for tests and closed networks.

The guard sits where connections are made, so whatever asks for a connection (the first request, every redirect) passes it. Nothing is
taken from the environment: no proxies, no netrc, no CA files.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

import certifi
import httpcore
import httpx

from spatial.contract import limits
from spatial.errors import SMALLER, InvalidRequest, RequestTooLarge
from storage.net import addresses

REDIRECTS: Final = 5
"""Most redirects that are followed."""

CONNECT_SECONDS: Final = 5.0
"""How long one address may take to accept a connection, before the next one of the name is tried."""

PRIVILEGED: Final = 1024
"""Below this, only the ports of HTTP are connected to: what listens on the others speaks something else."""

NOT_HTTP: Final = frozenset(
    {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}
)
"""Higher ports that browsers refuse to connect to (WHATWG Fetch, port blocking)."""

LOCAL_NAMES: Final = ("localhost", "local", "internal", "localdomain", "home.arpa", "onion")
"""Names, and ends of names, that never mean a public host (RFC 6761, 6762, 8375, 7686; ICANN on .internal)."""

HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?|[0-9a-f:.]*:[0-9a-f:.]*")
"""A host name after IDNA, or an IPv6 address; no zone of an address, no percent-encoding."""

Resolver = Callable[[str, int], Awaitable[Collection[str]]]
"""Host name and port to addresses, in the order in which to try them. Raises OSError."""


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
    guard = _Guard(allow, resolver or _resolve, connector or httpcore.AnyIOBackend())
    try:
        async with asyncio.timeout(seconds), _pool(guard, trust or _certificates()) as pool:
            return await _follow(pool, _check(url, allow), allow, limit)
    except TimeoutError as error:
        raise _refused(
            f"content_url could not be downloaded within {seconds:g} s; send the file by POST /api/v1/uploads"
        ) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as error:
        raise _refused(f"content_url could not be downloaded: {_reason(error)}; check the URL") from error


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
    target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    headers = [
        (b"Host", url.netloc),
        (b"User-Agent", b"spatial-geometry-service"),
        (b"Accept", b"*/*"),
        (b"Accept-Encoding", b"identity"),
    ]
    async with pool.stream("GET", target, headers=headers) as answer:
        yield answer


def _pool(guard: _Guard, trust: ssl.SSLContext) -> httpcore.AsyncConnectionPool:
    """One download's connections. TLS names and certificates are the URL's host, whatever address is connected to."""
    return httpcore.AsyncConnectionPool(network_backend=guard, ssl_context=trust, max_keepalive_connections=0)


class _Guard(httpcore.AsyncNetworkBackend):
    """Resolves a name once, checks all its addresses, and connects to one of those."""

    def __init__(self, allow: Collection[str], resolver: Resolver, connector: httpcore.AsyncNetworkBackend) -> None:
        self._allow = allow
        self._resolver = resolver
        self._connector = connector

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failure: Exception | None = None
        for address in await self._judged(host, port):
            try:
                return await self._connector.connect_tcp(
                    address, port, timeout=CONNECT_SECONDS, socket_options=socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("not a network connection")

    async def sleep(self, seconds: float) -> None:
        await self._connector.sleep(seconds)

    async def _judged(self, host: str, port: int) -> list[str]:
        """The host's addresses; a single address that is not public refuses the host."""
        found = list(dict.fromkeys(await self._resolver(host, port)))
        if not _is_allowed(host, port, self._allow):
            for address in found:
                kind = addresses.why_not_public(address)
                if kind is not None:
                    raise _refused(
                        f"content_url resolves to {address}, {kind}; use a public http(s) URL or send content_base64",
                        {"address": address},
                    )
        return found


# Shape --------------------------------------------------------------------------------------------------------------------


def _check(url: str, allow: Collection[str], base: httpx.URL | None = None) -> httpx.URL:
    """The parsed URL, without fragment. base: where a redirect comes from."""
    try:
        parsed = base.join(url) if base is not None else httpx.URL(url)
        problem = _flaw(url, parsed) or (
            None if _is_allowed(parsed.host, _port(parsed), allow) else _local_flaw(parsed)
        )
    except (httpx.InvalidURL, ValueError, TypeError):
        problem = "is not a URL"
    if problem is not None:
        subject = "content_url" if base is None else "content_url redirects to a URL that"
        raise _refused(f"{subject} {problem}; use a public http(s) URL or send content_base64")
    return parsed.copy_with(fragment=None)


def _flaw(url: str, parsed: httpx.URL) -> str | None:
    """Refuse what no URL may have, allowed or not."""
    if len(url) > limits.CONTENT_URL_CHARACTERS:
        return f"is longer than {limits.CONTENT_URL_CHARACTERS} characters"
    if parsed.scheme not in ("http", "https"):
        return "is not an http or https URL"
    if parsed.userinfo or "\\" in url:
        return "carries a user name, a password or a backslash"
    host = parsed.raw_host.decode("ascii")
    if not HOST.fullmatch(host) or len(host) > 253:
        return "has no valid host name"
    if not 0 < _port(parsed) <= 65535:
        return "has a port that does not exist"
    return None


def _local_flaw(parsed: httpx.URL) -> str | None:
    """Refuse what only an allowed URL may have."""
    host = parsed.raw_host.decode("ascii").rstrip(".")
    port = _port(parsed)
    if (port < PRIVILEGED and port not in (80, 443)) or port in NOT_HTTP:
        return f"names port {port}, which is not one of HTTP"
    if any(host == name or host.endswith(f".{name}") for name in LOCAL_NAMES):
        return f"names {host}, which is not a public host"
    literal = addresses.literal(host)
    kind = addresses.why_not_public(literal) if literal else None
    return f"names {host}, {kind}" if kind else None


def _port(url: httpx.URL) -> int:
    return url.port if url.port is not None else {"http": 80, "https": 443}.get(url.scheme, 0)


def _is_allowed(host: str, port: int, allow: Collection[str]) -> bool:
    name = host.lower().strip("[]").rstrip(".")
    return f"{name}:{port}" in allow or f"[{name}]:{port}" in allow


def _last_segment(url: httpx.URL) -> str:
    return unquote(url.path).rstrip("/").rpartition("/")[2]


# Network ------------------------------------------------------------------------------------------------------------------

_resolving = ThreadPoolExecutor(max_workers=16, thread_name_prefix="resolve")
"""Threads of their own: names that do not resolve for half a minute must not hold up the threads that the lake writes with."""


async def _resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_resolving, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    return [str(entry[4][0]) for entry in found]


@cache
def _certificates() -> ssl.SSLContext:
    """The CAs of certifi: a minimal Debian has none, and the environment is not read."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certifi.where())
    return context


def _reason(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "its host name does not resolve"
    if isinstance(error.__cause__, ssl.SSLError) or isinstance(error.__context__, ssl.SSLError):
        return "its TLS certificate is not valid"
    if isinstance(error, httpcore.ProtocolError):
        return "its server does not speak HTTP, or ended too early"
    return "its server cannot be reached"


def _refused(message: str, details: dict[str, Any] | None = None) -> InvalidRequest:
    return InvalidRequest(message, details={"field": "content_url", **(details or {})})


def _too_large(limit: int) -> RequestTooLarge:
    return RequestTooLarge(
        f"the file behind content_url is larger than {limit} bytes; {SMALLER}",
        details={"limit_bytes": limit},
    )
