"""Sanctions in force: the fold of all acts.

- `ban_of_address` is called for every new connection. Without bans it costs one test; with bans, one lookup in a cache
  of verdicts, which is cleared when an act changes them.
- A sanction ends when it expires, or when another act lifts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import Final

from boardwire.moderation.acts import Act, ActKind
from boardwire.moderation.subjects import SubjectKind, parse_network

MAX_VERDICTS: Final = 10_000
"""Addresses whose verdict is cached."""
CLOSED_SECONDS: Final = 86_400.0
"""How long a closed match is remembered, for a node that was down or is still recovering it."""

_BITS: Final = {4: 32, 6: 128}


class AddressBans:
    """Banned networks, searchable by address."""

    def __init__(self) -> None:
        self._networks: dict[tuple[int, int], dict[int, Act]] = {}
        """Acts by IP version and prefix length, then by the prefix."""
        self._verdicts: dict[str, Act | None] = {}

    def __bool__(self) -> bool:
        return bool(self._networks)

    def add(self, network: str, act: Act) -> None:
        """Ban a network."""
        length, prefix = _split(network)
        self._networks.setdefault(length, {})[prefix] = act
        self._verdicts.clear()

    def remove(self, network: str) -> None:
        """Lift the ban of a network."""
        length, prefix = _split(network)
        acts = self._networks.get(length, {})
        acts.pop(prefix, None)
        if not acts:
            self._networks.pop(length, None)
        self._verdicts.clear()

    def find(self, address_key: str, now: float) -> Act | None:
        """Return the ban in force for an address key (`net.client_address`), or None."""
        if not self._networks:
            return None
        if address_key not in self._verdicts:
            if len(self._verdicts) >= MAX_VERDICTS:
                self._verdicts.clear()
            self._verdicts[address_key] = self._search(address_key, now)
        verdict = self._verdicts[address_key]
        if verdict is None or verdict.holds(now):
            return verdict
        self._verdicts[address_key] = verdict = self._search(address_key, now)
        return verdict

    def _search(self, address_key: str, now: float) -> Act | None:
        """Return the ban in force for an address key, without the cache."""
        try:
            address = ip_address(address_key.partition("/")[0])
        except ValueError:  # not an IP address: a connection of a test, for example
            return None
        version, number = address.version, int(address)
        for (network_version, length), acts in self._networks.items():
            if network_version == version:
                act = acts.get(number >> (_BITS[version] - length))
                if act is not None and act.holds(now):
                    return act
        return None


def _split(text: str) -> tuple[tuple[int, int], int]:
    """Return the IP version and prefix length of a network, and its prefix as a number."""
    network = parse_network(text)
    return (network.version, network.prefixlen), int(network.network_address) >> (
        _BITS[network.version] - network.prefixlen
    )


class Sanctions:
    """Bans, mutes and the announcement in force, and recently closed matches."""

    def __init__(self, acts: Iterable[Act] = ()) -> None:
        self._bans: dict[str, Act] = {}
        self._mutes: dict[str, Act] = {}
        self._addresses = AddressBans()
        self._muted_addresses = AddressBans()
        self._announcement: Act | None = None
        self.closings: dict[str, Act] = {}
        """Acts that ordered matches to end, by match."""
        self.last_number = 0
        """Number of the last act applied."""
        for act in acts:
            self.apply(act)

    def apply(self, act: Act) -> bool:
        """Apply an act; return False for one that was applied already."""
        if act.number <= self.last_number:
            return False
        self.last_number = act.number
        match act.kind:
            case ActKind.BAN:
                _set(self._bans, self._addresses, act)
            case ActKind.UNBAN:
                _lift(self._bans, self._addresses, act)
            case ActKind.MUTE:
                _set(self._mutes, self._muted_addresses, act)
            case ActKind.UNMUTE:
                _lift(self._mutes, self._muted_addresses, act)
            case ActKind.ANNOUNCE:
                self._announcement = act if act.reason else None
            case ActKind.CLOSE:
                self.closings[act.target] = act
                for match in [
                    match for match, closing in self.closings.items() if act.at - closing.at > CLOSED_SECONDS
                ]:
                    del self.closings[match]
            case _:
                pass
        return True

    @property
    def has_subjects(self) -> bool:
        """Whether any player or guest is banned or muted."""
        return bool(self._bans or self._mutes)

    def ban_of_address(self, address_key: str, now: float) -> Act | None:
        """Return the ban of an address, or None."""
        return self._addresses.find(address_key, now)

    def mute_of_address(self, address_key: str, now: float) -> Act | None:
        """Return the mute of an address, or None."""
        return self._muted_addresses.find(address_key, now)

    def ban_of(self, subject: str, now: float) -> Act | None:
        """Return the ban of a player or guest, or None."""
        act = self._bans.get(subject)
        return act if act is not None and act.holds(now) else None

    def mute_of(self, subject: str, now: float) -> Act | None:
        """Return the mute of a player or guest, or None."""
        act = self._mutes.get(subject)
        return act if act is not None and act.holds(now) else None

    def announcement(self, now: float) -> Act | None:
        """Return the announcement in force, or None."""
        act = self._announcement
        return act if act is not None and act.holds(now) else None

    def bans(self, now: float) -> Iterator[Act]:
        """Yield the bans in force, oldest first."""
        return (act for act in sorted(self._bans.values(), key=lambda act: act.number) if act.holds(now))

    def mutes(self, now: float) -> Iterator[Act]:
        """Yield the mutes in force, oldest first."""
        return (act for act in sorted(self._mutes.values(), key=lambda act: act.number) if act.holds(now))


def _set(acts: dict[str, Act], addresses: AddressBans, act: Act) -> None:
    acts[act.target] = act
    kind, _, rest = act.target.partition(":")
    if kind == SubjectKind.ADDRESS:
        addresses.add(rest, act)


def _lift(acts: dict[str, Act], addresses: AddressBans, act: Act) -> None:
    acts.pop(act.target, None)
    kind, _, rest = act.target.partition(":")
    if kind == SubjectKind.ADDRESS:
        addresses.remove(rest)
