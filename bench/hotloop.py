"""Python interface of the driver's hot loop in C (`hotloop.c`), called through ctypes.

`load` compiles the source and caches the library by the hash of the source. It raises `NoCompilerError` if there is
no C compiler.
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
    -1: "the server closed a connection",
    -2: "no message from the server for 20 seconds",
    -3: "the server does not read its socket",
    -4: "a message from the server exceeds 256 KiB",
}
"""Messages for the error codes of `loop_play`."""


class PlayResult(NamedTuple):
    """Latencies and byte counts of some turns of all matches."""

    answered: array[float]
    """Seconds from a move to the server's answer to the mover."""
    shown: array[float]
    """Seconds from a move to the notification of the opponent."""
    sent: int
    """Bytes sent to the server."""
    received: int


def cache() -> Path:
    """Return the directory for what `make bench` compiles and installs, outside the repository."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "boardwire-bench"


def load() -> ctypes.CDLL:
    """Compile the loop, unless it is cached, and load it."""
    library = c_library.load(SOURCE, flags=("-O2",))
    library.loop_new.restype = ctypes.c_void_p
    return library


class HotLoop:
    """Loop over all matches of a batch.

    - `sockets`: the two seats of each match, one match after the other, ready to play.
    - `framed`: messages are WebSocket frames instead of lines.
    - `marker`: prefix of the messages that announce a move. Each seat receives one per move; with `echo`, only the
      mover does.
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
        """Play turns `first` to `last - 1` of every match.

        `moves` has the bytes of all moves of each match; `pace` is the seconds between two moves of a match, 0 for no
        delay.
        """
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
