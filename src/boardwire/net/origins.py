"""Which pages may talk to this server.

A browser says where a page came from (Origin) and which name it asked for (Host).  Rules:

- A program that sends no Origin is no browser, and may.
- A page may if it came from here: its Origin is the Host, and the Host is a name of ours.  If any name would do, a page
  of a stranger could let its own name point to this machine and be taken for ours (DNS rebinding).
- An address in digits is a name of ours wherever it is equal to the Origin: nobody can let it point elsewhere.
- Two Origins are one too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import ip_address

import msgspec

LOOPBACK = "localhost"


class Site(msgspec.Struct, frozen=True):
    """The names under which this server is reached, beside addresses in digits and those of the loopback."""

    names: frozenset[str] = frozenset()

    def admits(self, origins: Sequence[str], host: str) -> bool:
        """Whether a page with these Origins may talk to us, whom it called `host`."""
        if not origins:
            return True
        if len(origins) > 1:
            return False
        _, _, place = origins[0].partition("://")
        return place.lower() == host.lower() and self.owns(host)

    def owns(self, host: str) -> bool:
        """Whether a Host, with or without its port, is us."""
        name = normal(_without_port(host))
        return name in self.names or name == LOOPBACK or name.endswith("." + LOOPBACK) or _is_address(name)


def site(names: Iterable[str]) -> Site:
    """The site with these names."""
    return Site(frozenset(map(normal, names)))


def normal(name: str) -> str:
    """A name as names are compared."""
    return name.lower().removesuffix(".")


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
