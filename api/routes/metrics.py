"""GET /metrics for Prometheus (not in the spec): with a token where one is set, else for callers on this machine only.

Behind a proxy every client address is the proxy's, so a request with a forwarding header never counts as local; nor does a request with
a foreign Host, which is how a web page would reach a loopback port through its visitor's browser.
"""

from __future__ import annotations

import hmac
import ipaddress
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from api.dispatcher import dispatcher_of
from api.endpoint import Endpoint, raises
from api.metrics import CONTENT_TYPE, MetricsDep
from spatial.errors import AuthenticationFailed
from storage.settings import Settings

router = APIRouter(route_class=Endpoint, include_in_schema=False)

FORWARDING: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that a proxy adds."""

NEEDED: Final = (
    "metrics are for callers on this machine; set SPATIAL_METRICS_TOKEN and send Authorization: Bearer <token>"
)


class MetricsToken(HTTPBearer):
    """The security scheme of /metrics: the token of the settings, or none for a local caller."""

    async def __call__(self, request: HTTPConnection) -> HTTPAuthorizationCredentials | None:
        """Raises: AuthenticationFailed."""
        require_token(request, (await dispatcher_of(request)).settings)
        return None


@router.get("/metrics")
@raises(AuthenticationFailed)
async def read_metrics(metrics: MetricsDep, _: Annotated[None, Security(MetricsToken())]) -> Response:
    """The counters of this process, and what its parts report now."""
    return Response(await metrics.exposition(), media_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def require_token(request: HTTPConnection, settings: Settings) -> None:
    """Refuse a caller that may not see the metrics. Raises: AuthenticationFailed."""
    if settings.metrics_token is None:
        if not _is_local(request):
            raise AuthenticationFailed(NEEDED)
        return
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    expected = settings.metrics_token.get_secret_value()
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode("latin-1"), expected.encode()):
        raise AuthenticationFailed("the metrics token is missing or wrong; send Authorization: Bearer <token>")


def _is_local(request: HTTPConnection) -> bool:
    if request.client is None or any(name in request.headers for name in FORWARDING):
        return False
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return _is_loopback(request.client.host) and (host == "localhost" or _is_loopback(host))
    except ValueError:  # not an address
        return False


def _is_loopback(host: str) -> bool:
    address = ipaddress.ip_address(host)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
