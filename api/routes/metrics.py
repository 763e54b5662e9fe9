"""GET /metrics for Prometheus (an addition of ours): with a token where one is set, else for callers on this machine only.

Behind a proxy every client is the proxy, so a request that says it was forwarded is never taken for one of this machine; nor is one
whose Host is a foreign name, which is how a web page would reach a loopback port through its visitor's browser.
"""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import dispatching
from api.metrics import CONTENT_TYPE, Metrics
from spatial.errors import AuthenticationFailed
from storage.settings import Settings

router = APIRouter()

FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that say that a request passed a proxy."""

NEEDED: Final = (
    "metrics are for callers on this machine; set SPATIAL_METRICS_TOKEN and send Authorization: Bearer <token>"
)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """What this process counts, and what it asks now."""
    admit(request, dispatching.of(request).settings)
    known: Metrics = request.app.state.metrics
    return Response(await known.exposition(), media_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def admit(request: Request, settings: Settings) -> None:
    """Let who may see them through. Raises: AuthenticationFailed."""
    if settings.metrics_token is None:
        if not _of_this_machine(request):
            raise AuthenticationFailed(NEEDED)
        return
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    expected = settings.metrics_token.get_secret_value()
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode("latin-1"), expected.encode()):
        raise AuthenticationFailed("the metrics token is missing or wrong; send Authorization: Bearer <token>")


def _of_this_machine(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        asked = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return _loopback(request.client.host) and (asked == "localhost" or _loopback(asked))
    except ValueError:  # no address
        return False


def _loopback(host: str) -> bool:
    address = ipaddress.ip_address(host)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
