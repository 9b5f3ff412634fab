"""What a node of a cluster needs from outside: who has which table, and what is stored of it.

Nothing here waits: every answer is told to `done`, on the thread of whoever asked, `None` where there is none to be had
at the moment.  `boardwire.testing` has ports of a world without a network; `leases.py` and `bus.py` are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from boardwire.table.events import Event

LOBBY: Final = ""
"""The name of the lease that says who has the lobby; all others are names of matches."""

LEASE_SECONDS: Final = 3.0
"""How long a node that is not heard of keeps what it has, by the database's clock."""
BEAT_SECONDS: Final = 0.5
"""How often a node lets the database know that it is there."""


class Peer(msgspec.Struct, frozen=True):
    """A node that is there: its name, and which life of that name it is."""

    name: str
    life: int
    version: int = 0
    """Of the letters that it writes."""


class Roll(msgspec.Struct, frozen=True):
    """What the database said when this node was last heard of: who is there, and who has the lobby (empty: nobody)."""

    peers: tuple[Peer, ...]
    lobby: str = ""
    lapsed: bool = False
    """Whether it had not been heard of for so long that others may have thought it dead."""


class Leases(Protocol):
    """Who has which table.  Nobody relies on it for what is true: that is the journal's business."""

    def take(self, names: Sequence[str], done: Callable[[Mapping[str, str] | None], None], /) -> None:
        """Have those that nobody who is there has; `done` is told who has each."""

    def give(self, names: Sequence[str], node: str, /) -> None:
        """Let `node` have these, which this node has, or nobody."""

    def drop(self, names: Sequence[str], /) -> None:
        """Have these no longer."""

    def held(self, done: Callable[[Sequence[str] | None], None], /) -> None:
        """The matches without an end that this node has."""

    def orphans(self, done: Callable[[Sequence[str] | None], None], /) -> None:
        """The matches without an end that nobody who is there has, oldest first."""


class Reader(Protocol):
    """Reads the journal."""

    def fetch(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None], /) -> None:
        """The events of a match that come after number `after`."""
