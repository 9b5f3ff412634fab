"""The address of a client behind reverse proxies: `Forwarded` (RFC 7239) and `X-Forwarded-For`.

Rules:

- The headers count only if the connection comes from a trusted proxy (`--trusted-proxy`), because any client can send
  them. A trusted proxy appends the address of its peer at the right end.
- Hops are therefore read from the right. The client is the first hop that is not a trusted proxy; everything to its
  left was written by the client and is not parsed. If all hops are trusted, the client is the leftmost one.
- A hop that is not an address (`unknown`, `_hidden`, any other text) ends the search: the client is then the last hop
  before it.
- A proxy that maintains one of the two headers usually passes the other one on as the client wrote it. The operator
  chooses the header that the proxies maintain (`--proxy-header`); the other one is then ignored.
- By default either header counts, and if a request has both, they must agree; otherwise the client is the proxy.
  Preferring `Forwarded` would let every client choose its address behind a proxy that maintains only
  `X-Forwarded-For`, as most do.
- Addresses are written in one form: no port, no zone, IPv4 instead of IPv4-mapped IPv6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

import msgspec

Network: TypeAlias = IPv4Network | IPv6Network

MAX_HOP_LENGTH: Final = 64
"""Maximum length of a hop in characters; an IPv6 address in brackets with a port has at most 47."""
MAX_ELEMENT_LENGTH: Final = 512
"""Maximum length of an element of `Forwarded` in characters."""

MAX_PORT: Final = 65535

_PORT: Final = r"(?::([0-9]{1,5}))?"
_BRACKETED: Final = re.compile(rf"\[([0-9A-Fa-f:.]+)\]{_PORT}")
_IPV4: Final = re.compile(rf"([0-9.]+){_PORT}")
_IPV6: Final = re.compile(r"([0-9A-Fa-f:.]+)()")

_TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_QUOTED: Final = r'"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"'
_PAIR: Final = rf"({_TOKEN})=({_TOKEN}|{_QUOTED})"
_ELEMENT: Final = re.compile(rf"[ \t]*{_PAIR}(?:;{_PAIR})*[ \t]*")
_PAIRS: Final = re.compile(_PAIR)


def parse_network(text: str) -> Network:
    """Parse a network, `ADDRESS/BITS` or a single address; raise `ValueError`."""
    return ip_network(text)


class ProxyHeader(StrEnum):
    """The header in which a trusted proxy names the client."""

    EITHER = "either"
    FORWARDED = "forwarded"
    X_FORWARDED_FOR = "x-forwarded-for"


class TrustedProxies(msgspec.Struct, frozen=True):
    """The networks of trusted proxies, and the header that the proxies maintain."""

    networks: tuple[Network, ...] = ()
    header: ProxyHeader = ProxyHeader.EITHER

    def trusts(self, address: str) -> bool:
        """Return whether a peer at this address is a trusted proxy."""
        if not self.networks:
            return False
        ip = _parse_ip(address.partition("%")[0])
        return ip is not None and any(ip in network for network in self.networks)

    def client_address(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Return the address of the client behind `peer`, given the headers of its request (names in lower case)."""
        if not self.trusts(peer):
            return peer
        forwarded, addresses = [], []
        for name, value in headers:
            if name == b"forwarded":
                forwarded.append(value)
            elif name == b"x-forwarded-for":
                addresses.append(value)
        clients = set()
        if forwarded and self.header is not ProxyHeader.X_FORWARDED_FOR:
            clients.add(self._first_untrusted(peer, _forwarded_hops(forwarded)))
        if addresses and self.header is not ProxyHeader.FORWARDED:
            clients.add(self._first_untrusted(peer, _address_hops(addresses)))
        return clients.pop() if len(clients) == 1 else peer

    def _first_untrusted(self, peer: str, hops: Iterator[str]) -> str:
        """Return the first untrusted hop from the nearest one, or the last hop that is an address."""
        client = peer
        for hop in hops:
            ip = _hop_address(hop)
            if ip is None:
                break
            client = str(ip)
            if not any(ip in network for network in self.networks):
                break
        return client


def trusted_proxies(texts: Sequence[str], header: ProxyHeader = ProxyHeader.EITHER) -> TrustedProxies:
    """Return the proxies in the networks `texts`, which maintain `header`."""
    return TrustedProxies(tuple(map(parse_network, texts)), header)


def _address_hops(values: Sequence[bytes]) -> Iterator[str]:
    """Yield the hops of `X-Forwarded-For`, the nearest first."""
    for value in reversed(values):
        for hop in reversed(value.decode("latin-1").split(",")):
            yield hop.strip(" \t")


def _forwarded_hops(values: Sequence[bytes]) -> Iterator[str]:
    """Yield the `for` of each element of `Forwarded`, the nearest first; '' if it has none."""
    for value in reversed(values):
        rest: str | None = value.decode("latin-1")
        while rest is not None:
            split = _last_element(rest)
            if split is None:
                yield ""
                return
            rest, element = split
            yield _for_parameter(element)


def _last_element(text: str) -> tuple[str | None, str] | None:
    """Split off the last element; return the rest and the element, or None if it cannot be parsed.

    The last element is the shortest suffix that parses as one, so a quote that the client leaves open cannot hide what
    a proxy appended.
    """
    comma = len(text)
    while comma >= 0:
        comma = text.rfind(",", 0, comma)
        if len(text) - comma > MAX_ELEMENT_LENGTH:
            return None
        if _ELEMENT.fullmatch(text, comma + 1) is not None:
            return (text[:comma] if comma >= 0 else None), text[comma + 1 :]
    return None


def _for_parameter(element: str) -> str:
    """Return the `for` parameter of an element, or '' unless it has exactly one."""
    hops = [value for name, value in _PAIRS.findall(element) if name.lower() == "for"]
    if len(hops) != 1:
        return ""
    return re.sub(r"\\(.)", r"\1", hops[0][1:-1]) if hops[0].startswith('"') else hops[0]


def _hop_address(hop: str) -> IPv4Address | IPv6Address | None:
    """Return the address of a hop, with or without brackets and port, or None."""
    if len(hop) > MAX_HOP_LENGTH:
        return None
    for form in (_BRACKETED, _IPV4, _IPV6):
        match = form.fullmatch(hop)
        if match is not None:
            return _parse_ip(match[1]) if int(match[2] or 0) <= MAX_PORT else None
    return None


def _parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
