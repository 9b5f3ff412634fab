"""Key of a client address for per-address limits."""

from __future__ import annotations

from ipaddress import IPv6Address

NETWORK_BITS = 64
"""Prefix length of the smallest IPv6 network that providers assign: its addresses count as one client."""


def address_key(address: str) -> str:
    """Return the key that limits use for an address: the IPv4 address, or the /64 network of an IPv6 address."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> NETWORK_BITS << NETWORK_BITS)}/{NETWORK_BITS}"
