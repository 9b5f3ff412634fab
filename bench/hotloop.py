"""The driver's hot loop: hotloop.c, compiled on the spot and called through ctypes.

`load` needs a C compiler and says so where there is none; what it made is kept in the cache, by the source's hash.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from socket import socket
from typing import Final, NamedTuple, Self

from training import c_library

SOURCE: Final = Path(__file__).with_name("hotloop.c")
FAILURES: Final = {
    -1: "the server has closed a connection",
    -2: "the server is silent",
    -3: "the server does not read",
    -4: "the server sends a message without end",
}


class PlayResult(NamedTuple):
    """What playing some turns of all matches gave: seconds from a move to the mover's own word of it and to the other
    player's, and bytes to and from the server."""

    answered: array[float]
    shown: array[float]
    sent: int
    received: int


def cache() -> Path:
    """Where what `make bench` makes and installs is kept, outside the repository."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "boardwire-bench"


def load() -> ctypes.CDLL:
    """The loop as a library."""
    library = c_library.load(SOURCE, flags=("-O2",))
    library.loop_new.restype = ctypes.c_void_p
    return library


class HotLoop:
    """All matches of a round: `sockets` holds the two seats of each, one after the other, ready to play.

    `framed`: messages are WebSocket frames, not lines.  `marker`: how those begin that tell of a move; every seat hears
    one of each move, or, with `echo`, the mover alone.
    """

    def __init__(self, sockets: Sequence[socket], marker: bytes, framed: bool, echo: bool = False) -> None:
        self._library = load()
        self._matches = len(sockets) // 2
        self._echo = echo
        self._marker = ctypes.create_string_buffer(marker, len(marker) or 1)
        for sock in sockets:
            sock.setblocking(False)
        numbers = (ctypes.c_int32 * len(sockets))(*(sock.fileno() for sock in sockets))
        loop = self._library.loop_new(self._matches, numbers, int(framed), int(echo), self._marker, len(marker))
        self._loop = ctypes.c_void_p(loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.loop_free(self._loop)

    def play(self, moves: Sequence[Sequence[bytes]], first: int, last: int, pace: float = 0.0) -> PlayResult:
        """Turns `first` to `last - 1` of every match, whose moves are given as bytes.  A pace: seconds between two
        moves of a match; 0: at once."""
        flat = [match[turn] for match in moves for turn in range(last)]
        count = self._matches * (last - first)
        answered, shown = array("f", bytes(4 * count)), array("f", bytes(0 if self._echo else 4 * count))
        amounts = (ctypes.c_uint64 * 2)()
        failed = self._library.loop_play(
            self._loop, first, last, (ctypes.c_char_p * len(flat))(*flat),
            (ctypes.c_int32 * len(flat))(*map(len, flat)), ctypes.c_double(pace),
            _floats(answered), _floats(shown), amounts,
        )  # fmt: skip
        if failed:
            raise RuntimeError(FAILURES[failed])
        return PlayResult(answered, shown, amounts[0], amounts[1])


def _floats(numbers: array[float]) -> ctypes.Array[ctypes.c_float]:
    return (ctypes.c_float * len(numbers)).from_buffer(numbers)
