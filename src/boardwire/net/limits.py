"""How much one peer may take from everybody else."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Everything a peer can use up has a bound.  0 takes the bound away, but not that of `waiting` and `linger`."""

    per_address: int = 4096
    """Connections from one address."""
    messages: int = 2000
    """Messages a second from one connection; what comes faster waits in its sender's socket."""
    waiting: int = 64
    """Messages that a conversation has not taken up yet; beyond that, its socket is not read."""
    unsent: int = 256 * 1024
    """Bytes a peer has not read yet; beyond that, it is dropped."""
    idle: float = 3600.0
    """Seconds without a word from the peer."""
    linger: float = 2.0
    """Seconds the peer has to read the last words, and close, after we have closed our side."""
