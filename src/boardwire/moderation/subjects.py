"""Subjects of bans and mutes: networks of addresses, players, guests without an account.

- A subject is written `address:NETWORK`, `player:NUMBER` or `guest:KEY`; callers that know the accounts also accept
  `name:NAME` for the player of that name.
- An address has the same key as for limits (`net.client_address`): an IPv6 address stands for its /64 network, an IPv4
  address in IPv6 form for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_interface
from typing import Final, TypeAlias

from boardwire.errors import Malformed
from boardwire.moderation.acts import Act
from boardwire.players.directory import Directory
from boardwire.table.events import ACCOUNT_KEY, account_of

Network: TypeAlias = IPv4Network | IPv6Network

MAX_IPV6_PREFIX: Final = 64
"""Longest IPv6 prefix of a ban: providers assign a /64 network to a customer."""
MIN_PREFIX: Final = {4: 8, 6: 16}
"""Shortest prefix of a ban by IP version: a shorter one is probably a typing error that bans most of the internet."""
MAX_SUBJECT_LENGTH: Final = 128
_IPV4_IN_IPV6: Final = IPv6Network("::ffff:0:0/96")


class SubjectKind(StrEnum):
    """Kind of subject."""

    ADDRESS = "address"
    PLAYER = "player"
    GUEST = "guest"


def parse_subject(text: str) -> str:
    """Return the canonical form of a subject; `address:` may be omitted. Raise `Malformed` for an invalid one."""
    text = text.strip()
    kind, colon, rest = text.partition(":")
    if kind == SubjectKind.ADDRESS:
        return address_subject(rest)
    if colon and kind in (SubjectKind.PLAYER, SubjectKind.GUEST):
        is_valid = rest.isascii() and (rest.isdigit() if kind == SubjectKind.PLAYER else rest.isalnum())
        if not is_valid or len(text) > MAX_SUBJECT_LENGTH:
            form = "player:NUMBER or name:NAME" if kind == SubjectKind.PLAYER else "guest:KEY"
            raise Malformed(f"{text[:MAX_SUBJECT_LENGTH]!r} is not a {kind}; write {form}")
        return text
    return address_subject(text)


def subject_of(key: str) -> str:
    """Return the subject for a guest's key: its account, or the guest itself; '' without a key."""
    if not key:
        return ""
    return key if key.startswith(f"{SubjectKind.PLAYER}:") else f"{SubjectKind.GUEST}:{key}"


def target_names(acts: Iterable[Act], directory: Directory) -> dict[str, str]:
    """Return the names of players that are targets of acts, by target."""
    names = {}
    for target in {act.target for act in acts}:
        account = directory.account(account_of(target)) if target.startswith(ACCOUNT_KEY) else None
        if account is not None:
            names[target] = account.name
    return names


def address_subject(text: str) -> str:
    """Return the subject of an address or a network."""
    return f"{SubjectKind.ADDRESS}:{parse_network(text)}"


def parse_network(text: str) -> Network:
    """Return the network of an address like `203.0.113.7` or `203.0.113.0/24`; raise `Malformed` if it is neither."""
    try:
        interface = ip_interface(text.strip().partition("%")[0])
    except ValueError:
        raise Malformed(
            f"{text!r} is not a subject; write an address, a network like 203.0.113.0/24, player:NUMBER, name:NAME or"
            " guest:KEY"
        ) from None
    network: Network = interface.network
    if "/" in text and interface.ip != network.network_address:
        raise Malformed(f"{text!r} has host bits; write {network} for the network, or {interface.ip} for the address")
    if isinstance(network, IPv6Network) and network.subnet_of(_IPV4_IN_IPV6):
        network = IPv4Network((int(network.network_address) & 0xFFFF_FFFF, network.prefixlen - 96))
    elif isinstance(network, IPv6Network):
        network = network.supernet(new_prefix=min(network.prefixlen, MAX_IPV6_PREFIX))
    if network.prefixlen < MIN_PREFIX[network.version]:
        raise Malformed(f"{text!r} is too wide; the shortest allowed prefix is /{MIN_PREFIX[network.version]}")
    return network
