"""Connections to public addresses only: the one guard of every request to a URL that came from outside, whatever the method.

Glossary
  shape      the properties of a URL that need no network: scheme, host, port, notation.
  public     an address that the whole internet can reach, and that embeds no other address (see storage.net.addresses).
  pinned     the connection goes to the same address that was checked: the name is resolved only once, in this module.
  allowed    a host:port of the settings, exempt from the check of its address; for tests and closed networks.

The guard sits where connections are made, so whatever asks for a connection (the first request, every redirect, every repetition)
passes it. Nothing is taken from the environment: no proxies, no netrc, no CA files.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import certifi
import httpcore
import httpx

from spatial.contract import limits
from storage.net import addresses

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


FAILURES: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError)
"""What a request raises when its server cannot be reached or does not speak HTTP."""

USER_AGENT: Final = b"spatial-geometry-service"


class UrlRefused(Exception):
    """A URL that is not requested. problem: a predicate whose subject is the URL, such as `names port 22, which is not one of HTTP`."""

    def __init__(self, problem: str, address: str | None = None) -> None:
        """address: the address that is not public, where the name resolved to one."""
        super().__init__(problem)
        self.problem = problem
        self.address = address


@dataclass(frozen=True)
class Network:
    """What resolves names, opens connections and knows certificates; by default the system's and certifi's."""

    resolver: Resolver | None = None
    connector: httpcore.AsyncNetworkBackend | None = None
    trust: ssl.SSLContext | None = None


def parse(url: str, allow: Collection[str], *, base: httpx.URL | None = None, https_only: bool = False) -> httpx.URL:
    """The parsed URL, without its fragment, if its shape may be requested.

    allow: host:port entries that may be local, and without TLS; base: where a redirect comes from.
    Raises: UrlRefused.
    """
    try:
        parsed = base.join(url) if base is not None else httpx.URL(url)
        problem = _flaw(url, parsed) or (
            None if _is_allowed(parsed.host, _port(parsed), allow) else _local_flaw(parsed, https_only=https_only)
        )
    except (httpx.InvalidURL, ValueError, TypeError):
        problem = "is not a URL"
    if problem is not None:
        raise UrlRefused(problem)
    return parsed.copy_with(fragment=None)


def target_of(url: httpx.URL) -> httpcore.URL:
    """The URL as httpcore requests it."""
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def open_pool(allow: Collection[str], network: Network) -> httpcore.AsyncConnectionPool:
    """The connections of one exchange. TLS names and certificates are the URL's host, whatever address is connected to.

    A request raises UrlRefused where the host has an address that is not public, and FAILURES.
    """
    guard = _Guard(allow, network.resolver or _resolve, network.connector or httpcore.AnyIOBackend())
    trust = network.trust or _certificates()
    return httpcore.AsyncConnectionPool(network_backend=guard, ssl_context=trust, max_keepalive_connections=0)


def describe_failure(error: Exception) -> str:
    """Why one of FAILURES happened, as a clause about the server."""
    if isinstance(error, socket.gaierror):
        return "its host name does not resolve"
    if isinstance(error.__cause__, ssl.SSLError) or isinstance(error.__context__, ssl.SSLError):
        return "its TLS certificate is not valid"
    if isinstance(error, httpcore.ProtocolError):
        return "its server does not speak HTTP, or ended too early"
    return "its server cannot be reached"


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
                    raise UrlRefused(f"resolves to {address}, {kind}", address)
        return found


# Shape --------------------------------------------------------------------------------------------------------------------


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


def _local_flaw(parsed: httpx.URL, *, https_only: bool) -> str | None:
    """Refuse what only an allowed URL may have."""
    if https_only and parsed.scheme != "https":
        return "is not an https URL"
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
