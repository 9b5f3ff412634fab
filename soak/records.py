"""Records of the soak's processes: one JSON object per line.

Times are from the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

Wait: TypeAlias = tuple[float, float]
"""Time of the answer to a move, and its latency."""


class Played(msgspec.Struct, tag=True):
    """A match as recorded by one player.

    `answers` are the player's moves in order; the first `sure` of them are confirmed by a later question or display.
    `moves` are the moves of all seats, by which the match is found if the protocol has no names.
    """

    dialect: str
    game: str
    name: str
    begun: float
    ended: float
    result: str
    """The client's result (won, lost, drawn, broken off), or `left` (by plan), `stuck`, `never` (seated), or `away`:
    the match ended before its player could return."""
    answers: list[str] = []
    sure: int = 0
    again: int = 0
    """Number of refused answers."""
    moves: list[str] | None = None
    seat: int = -1
    match: str = ""
    words: str = ""
    firm: bool = False
    """Whether the match must finish regardless of faults of the server."""
    timed: bool = False
    """Whether the player is a bystander."""
    waits: list[Wait] = []
    net_waits: list[Wait] = []
    """Waits without the time for which the server's main thread and the player's process were in the run queue."""
    node: int = 0
    """Node of its connection."""
    unanswered: list[tuple[int, float]] = []
    """Nodes that stopped answering, with the time; the player reconnected to another one."""


class Saw(msgspec.Struct, tag=True):
    """Steps that one native connection received: number, name, time and seat of each event, in order."""

    match: str
    steps: list[tuple[int, str, float, int | None]]
    player: str = ""
    """Name of the player; empty for a spectator."""


class Kept(msgspec.Struct, tag=True):
    """Comparable part of a match in the journal: player, dialect and moves of each seat."""

    id: str
    names: list[str]
    dialects: list[str]
    deeds: list[list[str]]
    moves: list[str] = []
    """Moves of all seats, if a player has no name."""
    ended: str = ""
    """Termination; empty while the match is not over."""
    events: int = 0


class Fuzzed(msgspec.Struct, tag=True):
    """Counts of a fuzzer since its last report."""

    dialect: str
    sessions: int = 0
    messages: int = 0
    refused: int = 0
    """Sessions with an answer."""
    dropped: int = 0
    """Sessions that the server ended."""
    unreachable: int = 0


class Stormed(msgspec.Struct, tag=True):
    """Counts of the connection bursts since the last report."""

    connections: int = 0
    slow: int = 0
    slow_dropped: int = 0


class Fault(msgspec.Struct, tag=True):
    """Unexpected exception in a boardwire client, or in server code run in process."""

    where: str
    what: str


class Echoed(msgspec.Struct, tag=True):
    """Latencies of a bare echo server: the part of a bystander's wait that the machine causes."""

    waits: list[Wait]


class Got(msgspec.Struct, tag=True):
    """GET requests of a bystander: time of the answer, latency, status (0: no answer) and path."""

    answers: list[tuple[float, float, int, str]]


class Attacked(msgspec.Struct, tag=True):
    """Counts of one attacker since its last report."""

    name: str
    made: int = 0
    """Requests, or connections if those are the attack."""
    refused: int = 0
    """Refused requests and connections ended by the server."""
    unanswered: int = 0


class Count(msgspec.Struct, tag=True):
    """Number of matches played by another kind of client."""

    what: str
    count: int = 1


Record: TypeAlias = Played | Saw | Kept | Fuzzed | Stormed | Fault | Echoed | Got | Attacked | Count


class Book:
    """A process's file of records; each write is visible to readers at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._encode = msgspec.json.Encoder().encode

    def write(self, record: Record) -> None:
        self._file.write(self._encode(record) + b"\n")


class Reader:
    """Reader of a directory's growing files of records."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._at: dict[Path, int] = {}
        self._decode = msgspec.json.Decoder(Record).decode

    def new(self) -> Iterator[Record]:
        """Return the records written since the last call."""
        for path in sorted(self._directory.glob("*.told")):
            with path.open("rb") as file:
                file.seek(self._at.get(path, 0))
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # the last line is incomplete
                    self._at[path] = self._at.get(path, 0) + len(line)
                    yield self._decode(line)
