"""What protects the console in a browser: response headers, same-origin requests and tokens against forged forms.

Cookies are SameSite=Lax and HttpOnly. Every request that changes something must come from a page of this host (Sec-Fetch-Site, or Origin
where a browser does not send that) and carry the token of its session, which is derived from the session's cookie and stored nowhere.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from spatial.errors import InvalidRequest

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Scripts and styles are files of this service, never parts of a page; nothing is loaded from elsewhere."""

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response of the console."""

FORGED: Final = (
    "the request did not come from a page of this console, or its session is a new one; reload the page and try again"
)


def token_of(cookie: str) -> str:
    """The token of a session's forms. cookie: the value of the session's cookie."""
    return hmac.new(cookie.encode(), b"console form", hashlib.sha256).hexdigest()


def require_token(cookie: str, sent: str) -> None:
    """Raises: InvalidRequest where the token is not that of the session."""
    if not hmac.compare_digest(token_of(cookie).encode(), sent.encode("utf-8", "replace")):
        raise InvalidRequest(FORGED)


def require_same_origin(request: HTTPConnection) -> None:
    """Raises: InvalidRequest for a request that a page of another site caused. Programs other than browsers send neither header."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise InvalidRequest(FORGED)
    if site is None and origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise InvalidRequest(FORGED)


def is_secure(request: HTTPConnection) -> bool:
    """Whether the browser speaks TLS to this service or to the proxy before it. A client that claims so restricts its own cookie only."""
    return request.url.scheme == "https" or request.headers.get("x-forwarded-proto", "").lower() == "https"
