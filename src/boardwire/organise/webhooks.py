"""Webhooks: their URLs and secrets, and the signature of a delivery.

Deliveries follow the Standard Webhooks specification 1.0: `webhook-id` names the delivery, `webhook-timestamp` is the
time of the attempt in seconds since the epoch, and `webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 of
`ID.TIMESTAMP.BODY` with the bytes of the secret. A receiver rejects old timestamps and repeated ids.

The addresses of a URL are checked at delivery, not when the URL is stored, and the connection goes to the checked
address. So a name that points elsewhere a moment later (DNS rebinding) does not give access to another host.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import msgspec

from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.organise.events import EventKind
from boardwire.records.records import Transaction

MAX_WEBHOOKS_PER_ORGANISER: Final = 5
"""Webhooks of an organiser."""
MAX_URL_LENGTH: Final = 500
"""Longest URL of a webhook in characters."""
SECRET_PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32

Network: TypeAlias = IPv4Network | IPv6Network
Resolve: TypeAlias = Callable[..., Sequence[tuple[Any, ...]]]

_NAT64: Final = ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for an IPv4 address (RFC 6052)."""


class Webhook(msgspec.Struct, frozen=True):
    """A webhook; without `kinds` it receives every event. The secret is shown once, when it is created."""

    number: int
    url: str
    kinds: tuple[EventKind, ...]
    created: float
    secret: str = ""


class Target(msgspec.Struct, frozen=True):
    """A parsed URL."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.scheme == "https" else 80) else f"{host}:{self.port}"


def parse_url(url: str) -> Target:
    """Return the parts of a webhook's URL; raise `Malformed` if it is invalid."""
    if len(url) > MAX_URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        raise Malformed(f"the URL must have at most {MAX_URL_LENGTH} printable ASCII characters and no spaces")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Malformed(f"{url!r} is not a URL: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Malformed(f"{url!r} is not a URL like https://example.org/hook")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise Malformed("the URL must not have a user, password or fragment; deliveries are signed instead")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path)


def resolve(target: Target, allowed: Sequence[Network], getaddrinfo: Resolve = socket.getaddrinfo) -> str:
    """Return an address of the target; raise `Refused` unless every address of its name may be contacted."""
    try:
        resolved = getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unavailable(f"cannot resolve the name {target.host}: {error}") from None
    addresses = [str(socket_address[0]) for *_, socket_address in resolved]
    for text in addresses:
        if not is_allowed(text, allowed):
            raise Refused(f"{target.host} resolves to {text}, not a public address; the operator may allow its network")
    if not addresses:
        raise Unavailable(f"the name {target.host} resolves to no address")
    return addresses[0]


def is_allowed(text: str, allowed: Sequence[Network]) -> bool:
    """Return whether an address is public, or in a network that the operator allows."""
    address = _embedded_ipv4(ip_address(text.partition("%")[0]))
    if any(address.version == network.version and address in network for network in allowed):
        return True
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded_ipv4(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address stands for, or else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def new_secret() -> str:
    """Return a new secret for a webhook."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature(secret: str, delivery: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b"%s.%d.%s" % (delivery.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


# --- records ----------------------------------------------------------------------------------------------------------


def add_webhook(db: Transaction, owner: int, url: str, kinds: Sequence[EventKind], at: float) -> Webhook:
    """Store a webhook and return it with its secret; raise `Refused` if the organiser has too many."""
    parse_url(url)
    row = db.one("SELECT COUNT(*) FROM organisers_webhooks WHERE owner = ?", owner)
    if row is not None and row[0] >= MAX_WEBHOOKS_PER_ORGANISER:
        raise Refused(f"you have {MAX_WEBHOOKS_PER_ORGANISER} webhooks, the maximum; delete one first")
    secret = new_secret()
    row = db.one(
        "INSERT INTO organisers_webhooks (owner, url, secret, kinds, created) VALUES (?, ?, ?, ?, ?) RETURNING number",
        owner, url, secret, " ".join(kinds), at,
    )  # fmt: skip
    assert row is not None, "INSERT ... RETURNING returns its row"
    return Webhook(int(row[0]), url, tuple(kinds), at, secret)


def read_webhooks(db: Transaction, owner: int) -> list[Webhook]:
    """Return the webhooks of an organiser, without their secrets."""
    rows = db.all("SELECT number, url, kinds, created FROM organisers_webhooks WHERE owner = ? ORDER BY number", owner)
    return [Webhook(int(number), url, _kinds(kinds), float(created)) for number, url, kinds, created in rows]


def _kinds(text: str) -> tuple[EventKind, ...]:
    return tuple(map(EventKind, text.split()))


def delete_webhook(db: Transaction, owner: int, number: int) -> bool:
    """Delete a webhook and its waiting deliveries; return whether it existed."""
    deleted = db.run("DELETE FROM organisers_webhooks WHERE owner = ? AND number = ?", owner, number)
    if deleted:
        db.run("DELETE FROM organisers_deliveries WHERE webhook = ? AND state = 'waiting'", number)
    return bool(deleted)
