"""Which addresses are public: reachable from the whole internet, and not embedding another address.

The tables are IANA's special-purpose registries (RFC 6890 and what was registered since), written out: `ipaddress.is_global` differs
between Python's patch versions, and knows nothing of addresses that carry another one inside.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _table(rows: dict[str, str]) -> tuple[tuple[Network, str], ...]:
    return tuple((ipaddress.ip_network(network), kind) for network, kind in rows.items())


IPV4: Final = _table(
    {
        "0.0.0.0/8": "an unspecified address",
        "10.0.0.0/8": "a private address",
        "100.64.0.0/10": "a carrier's shared address (CGNAT)",
        "127.0.0.0/8": "a loopback address",
        "168.63.129.16/32": "a cloud platform's own address",
        "169.254.0.0/16": "a link-local address",
        "172.16.0.0/12": "a private address",
        "192.0.0.0/24": "a reserved address",
        "192.0.2.0/24": "an address for documentation",
        "192.88.99.0/24": "a 6to4 relay's address",
        "192.168.0.0/16": "a private address",
        "198.18.0.0/15": "an address for benchmarks",
        "198.51.100.0/24": "an address for documentation",
        "203.0.113.0/24": "an address for documentation",
        "224.0.0.0/4": "a multicast address",
        "240.0.0.0/4": "a reserved address",
    }
)
"""IPv4 addresses that are not public."""

IPV6: Final = _table(
    {
        "::/128": "an unspecified address",
        "::1/128": "a loopback address",
        "::ffff:0:0/96": "an IPv4 address in IPv6 spelling",
        "::ffff:0:0:0/96": "an IPv4 address in IPv6 spelling",
        "::/96": "an IPv4 address in IPv6 spelling",
        "64:ff9b::/96": "an IPv4 address behind NAT64",
        "64:ff9b:1::/48": "an IPv4 address behind NAT64",
        "2001::/32": "a Teredo address",
        "2001::/23": "a reserved address",
        "2001:db8::/32": "an address for documentation",
        "2002::/16": "a 6to4 address",
        "3fff::/20": "an address for documentation",
        "fc00::/7": "a private address",
        "fe80::/10": "a link-local address",
        "fec0::/10": "a site-local address",
        "ff00::/8": "a multicast address",
    }
)
"""IPv6 addresses that are not public, the narrower network first."""

GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""The IPv6 space that IANA has allocated so far."""

ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)
"""Upper half of an interface identifier whose lower half is an IPv4 address (RFC 5214)."""


def why_not_public(address: str) -> str | None:
    """The category of an address that is not public, for a message; None if it is public."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "not an address"
    if isinstance(parsed, ipaddress.IPv4Address):
        return _kind(parsed, IPV4)
    if parsed.scope_id is not None:
        return "a link-local address"
    kind = _kind(parsed, IPV6)
    if kind is None and parsed not in GLOBAL_UNICAST:
        kind = "a reserved address"
    if kind is None and (int(parsed) >> 32) & 0xFFFF_FFFF in ISATAP:
        kind = "an IPv4 address in IPv6 spelling"
    return kind


def literal(host: str) -> str | None:
    """The address that a host is a spelling of, in the usual notation; None for a name.

    0x7f.1, 017700000001 and 2130706433 are 127.0.0.1 to every C library (inet_aton).
    """
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def _kind(address: ipaddress.IPv4Address | ipaddress.IPv6Address, table: tuple[tuple[Network, str], ...]) -> str | None:
    return next((kind for network, kind in table if address in network), None)
