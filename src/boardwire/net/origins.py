"""Origin checks for WebSockets and the API.

- Requests without an Origin do not come from a browser and are allowed.
- An Origin is allowed if it equals the Host and the Host is a name of this server. If any Host were accepted, another
  site could point its name to this machine (DNS rebinding).
- IP addresses count as names of this server: another site cannot redirect one.
- More than one Origin is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import ip_address

import msgspec

LOOPBACK = "localhost"


class Site(msgspec.Struct, frozen=True):
    """Names of this server, besides IP addresses and localhost."""

    names: frozenset[str] = frozenset()

    def admits(self, origins: Sequence[str], host: str) -> bool:
        """Return whether a page with these Origins may use this server under the Host `host`."""
        if not origins:
            return True
        if len(origins) > 1:
            return False
        _, _, authority = origins[0].partition("://")
        return authority.lower() == host.lower() and self.owns(host)

    def owns(self, host: str) -> bool:
        """Return whether a Host, with or without a port, names this server."""
        name = normal(_without_port(host))
        return name in self.names or name == LOOPBACK or name.endswith("." + LOOPBACK) or _is_address(name)


def site(names: Iterable[str]) -> Site:
    """Return the site with these names."""
    return Site(frozenset(map(normal, names)))


def normal(name: str) -> str:
    """Normalize a host name for comparison."""
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
