"""The address that a request came from, through the proxies that the settings name."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from starlette.requests import HTTPConnection


def client_address(request: HTTPConnection, trusted_proxies: Sequence[str]) -> str:
    """The last address of X-Forwarded-For that no trusted proxy has; the peer's own, where the peer is not one. Empty without a peer.

    Args:
        trusted_proxies: networks in CIDR notation. What stands before the addresses that they appended was written by the client.
    """
    forwarded = [part.strip() for part in ",".join(request.headers.getlist("x-forwarded-for")).split(",")]
    peer = request.client.host if request.client is not None else ""
    address = peer
    for before in reversed([part for part in forwarded if part]):
        if not _is_within(address, trusted_proxies):
            break
        address = before
    return address


def _is_within(address: str, networks: Sequence[str]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in ipaddress.ip_network(network) for network in networks)
