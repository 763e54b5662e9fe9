"""What both clients are made of: address, key and timeouts, and HTTP requests as httpx takes them."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import httpx

from spatial_geometry._effects import Answer, NoAnswer, Request
from spatial_geometry._retries import RetryPolicy
from spatial_geometry._version import __version__

DEFAULT_URL: Final = "http://127.0.0.1:8000"
CONNECT_SECONDS: Final = 10.0
VISIBLE: Final = re.compile(r"[\x21-\x7e]+")
ADDRESS: Final = re.compile(r"https?://[^/@?#\s]+(/[^?#\s]*)?")
AGENT: Final = f"spatial-geometry-python/{__version__}"

FINAL: Final = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
"""Transport errors that the request itself causes."""


@dataclass(frozen=True)
class Connection:
    """Address and key; the repr has no key."""

    base_url: str
    policy: RetryPolicy = field(repr=False)
    timeout: httpx.Timeout = field(repr=False)
    key: str | None = field(repr=False)

    @classmethod
    def of(cls, api_key: str | None, base_url: str | None, timeout: float, retry_seconds: float) -> Connection:
        """A connection from arguments, else from SPATIAL_API_KEY and SPATIAL_BASE_URL. Raises: ValueError."""
        key = api_key or os.environ.get("SPATIAL_API_KEY") or None
        url = (base_url or os.environ.get("SPATIAL_BASE_URL") or DEFAULT_URL).rstrip("/")
        if key is not None and not VISIBLE.fullmatch(key):
            raise ValueError("the API key holds white space or characters that are not ASCII; pass it as it was issued")
        if not ADDRESS.fullmatch(url) or not _is_url(url):
            raise ValueError(
                "base_url is no address as http://host:8000, without a user or a query; pass such an address"
            )
        policy = RetryPolicy(retry_seconds, poll_seconds=min(20.0, timeout / 2))
        return cls(url, policy, httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)), key)

    def url_of(self, request: Request) -> str:
        """The complete address of a request."""
        return request.path if request.is_foreign else f"{self.base_url}{request.path}"

    def headers_of(self, request: Request) -> dict[str, str]:
        """The headers of a request; the key goes to the service only."""
        headers = {"User-Agent": AGENT, **request.headers}
        if self.key is not None and not request.is_foreign:
            headers["Authorization"] = f"Bearer {self.key}"
        return headers


def answer_of(response: httpx.Response) -> Answer:
    """A response that was read."""
    return Answer(
        response.status_code, {name.lower(): value for name, value in response.headers.items()}, response.content
    )


def failure_of(error: httpx.RequestError) -> NoAnswer:
    """A request without a complete response; a certificate that is not trusted stays so."""
    causes = _causes(error)
    return NoAnswer(
        error, isinstance(error, FINAL) or any(isinstance(one, ssl.SSLCertVerificationError) for one in causes)
    )


def _is_url(text: str) -> bool:
    try:
        return bool(httpx.URL(text).host)
    except httpx.InvalidURL:
        return False


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
