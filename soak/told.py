"""What the processes of a soak write down: one JSON object a line.  Times are those of the monotonic clock, which all
processes of a machine share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

Wait: TypeAlias = tuple[float, float]
"""When an answer to a move came, and how long that took."""


class Played(msgspec.Struct, tag=True):
    """A match, as one player lived it.

    `answers` are its own moves in play, in order, and the first `sure` of them are known to be taken: something was
    asked or shown after them.  `moves` are those of all seats, where the protocol has no names to find the match by.
    """

    dialect: str
    game: str
    name: str
    begun: float
    ended: float
    result: str
    """What the client said: won, lost, drawn, broken off; or `left` (rudely, by plan), `stuck`, `never` seated, or
    `away`: it was over before its player could come back."""
    answers: list[str] = []
    sure: int = 0
    again: int = 0
    """How many answers were refused."""
    moves: list[str] | None = None
    seat: int = -1
    match: str = ""
    words: str = ""
    firm: bool = False
    """Whether the match has to be finished whatever happens to the server."""
    timed: bool = False
    """Whether its waits are a bystander's, in a process with time to look at the clock."""
    waits: list[Wait] = []
    node: int = 0
    """Which of several nodes its connection is with."""
    unanswered: list[tuple[int, float]] = []
    """At which of several nodes it had no answer for too long, and since when; it came again by another."""


class Saw(msgspec.Struct, tag=True):
    """Steps that one native connection was shown: number, name, time and seat of each event, in the order they came."""

    match: str
    steps: list[tuple[int, str, float, int | None]]
    player: str = ""
    """Empty: a spectator."""


class Kept(msgspec.Struct, tag=True):
    """A match of the journal, as far as it is compared: by seat, who sat there, by which dialect, and their moves."""

    id: str
    names: list[str]
    dialects: list[str]
    deeds: list[list[str]]
    moves: list[str] = []
    """Those of all seats, where somebody has no name."""
    ended: str = ""
    """How; empty: not yet."""
    events: int = 0


class Fuzzed(msgspec.Struct, tag=True):
    """What a fuzzer did since its last report."""

    dialect: str
    sessions: int = 0
    messages: int = 0
    refused: int = 0
    """Sessions that heard something back."""
    dropped: int = 0
    """Sessions that the server ended."""
    unreachable: int = 0


class Stormed(msgspec.Struct, tag=True):
    """What the crowd did since its last report."""

    connections: int = 0
    slow: int = 0
    slow_dropped: int = 0


class Fault(msgspec.Struct, tag=True):
    """Something that must not be: a fault of one of our own clients, or of the server's code fed in process."""

    where: str
    what: str


class Echoed(msgspec.Struct, tag=True):
    """How long a bare echo took, by the same clock as the bystanders' moves: that much is the machine's."""

    waits: list[Wait]


class Got(msgspec.Struct, tag=True):
    """GET requests of a bystander: when the answer came, how long it took, its status (0: no answer) and the path."""

    answers: list[tuple[float, float, int, str]]


class Attacked(msgspec.Struct, tag=True):
    """What one attacker did since its last report."""

    name: str
    made: int = 0
    """Requests, or connections where those are the attack."""
    refused: int = 0
    """Requests that were refused, and connections that the server ended."""
    unanswered: int = 0


class Count(msgspec.Struct, tag=True):
    """How many matches some other kind of guest played."""

    what: str
    count: int = 1


Record: TypeAlias = Played | Saw | Kept | Fuzzed | Stormed | Fault | Echoed | Got | Attacked | Count


class Book:
    """A process's own file of records; what is written is there for others at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._encode = msgspec.json.Encoder().encode

    def write(self, record: Record) -> None:
        self._file.write(self._encode(record) + b"\n")


class Reader:
    """Reads the files of a directory as they grow."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._at: dict[Path, int] = {}
        self._decode = msgspec.json.Decoder(Record).decode

    def new(self) -> Iterator[Record]:
        """What was written since the last time."""
        for path in sorted(self._directory.glob("*.told")):
            with path.open("rb") as file:
                file.seek(self._at.get(path, 0))
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # it is being written just now
                    self._at[path] = self._at.get(path, 0) + len(line)
                    yield self._decode(line)
