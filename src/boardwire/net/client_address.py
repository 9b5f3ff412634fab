"""Who shares what an address may use up."""

from __future__ import annotations

from ipaddress import IPv6Address

NETWORK_BITS = 64
"""What a customer of a provider is given at least: all its addresses are one household's."""


def household(address: str) -> str:
    """What is counted as one: an IPv4 address, the network of an IPv6 one."""
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> NETWORK_BITS << NETWORK_BITS)}/{NETWORK_BITS}"
