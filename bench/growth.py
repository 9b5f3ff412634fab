"""Cost of moves in long matches and large journals, and of opening and reading a large journal.

`python -m bench.growth` runs a lobby on a durable journal in this process, without sockets.

- A long match is one with many chat messages before the first move. Finished matches are whole games of Tris.
- Moves are counted per second of processor time, including the journal's thread.
- Opening and reading are given as wall-clock time and, in parentheses, processor time, which hardly depends on other
  programs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any, Final

from boardwire.api.context import ApiContext
from boardwire.api.matches import MatchesQuery, list_matches
from boardwire.games import tris
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Enter, Seek
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.group_commit import Append
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.commands import Act, Chat
from boardwire.table.events import Acted, Chatted, Ended, Event, Joined, Opened, Player, Started, encode
from boardwire.table.guest import Guest
from boardwire.table.policy import Policy

LENGTHS: Final = (10, 100, 1000)
"""Events of a match before its first move."""
FINISHED: Final = (0, 10_000, 100_000)
"""Finished matches in the journal."""
GAMES: Final = 20
ROUNDS: Final = 5
START: Final = 4
"""Events that start a match: opened, joined, joined, started."""
CELLS: Final = (0, 1, 2, 4, 3, 5, 7, 6)
"""Eight moves without a line; the ninth would end the match."""
READ: Final = 300
"""Events of the match that is read."""
BATCH: Final = 500
"""Finished matches per commit while the journal is filled."""


class Server:
    """A lobby on a durable journal, driven by the calling thread."""

    def __init__(self, data: Path) -> None:
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]]] = SimpleQueue()
        self.journal = SqliteJournal(data, lambda call, *arguments: self._calls.put((call, arguments)))
        self.clock = ManualClock()
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(), CountedNames())

    def settle(self) -> None:
        """Wait until all events are stored, and run the journal's callbacks."""
        while self.journal.busy:
            call, arguments = self._calls.get()
            call(*arguments)

    def start_matches(self, length: int = START) -> list[tuple[Guest, Guest]]:
        """Start matches that have `length` events, and return their players."""
        pairs = [(Guest(lambda notification: None), Guest(lambda notification: None)) for _ in range(GAMES)]
        for first, second in pairs:
            self.lobby.do(first, Seek("tris", 2, Player("ann"), fresh=True))
            self.settle()
            assert first.table is not None
            self.lobby.do(second, Enter(first.table.match.id, Player("bob")))
        for _ in range(START, length):
            self.settle()
            self.clock.pass_time(2.0)
            for first, _ in pairs:
                self.lobby.do(first, Chat(0, "hm"))
        self.settle()
        return pairs

    def moves_per_second(self, games: list[tuple[Guest, Guest]]) -> float:
        """Play eight moves in each match and return the moves per second of processor time."""
        start = time.process_time()
        for turn, cell in enumerate(CELLS):
            for game in games:
                self.lobby.do(game[turn % 2], Act(turn % 2, (cell,)))
            self.settle()
        return len(CELLS) * len(games) / (time.process_time() - start)


def finished(number: int) -> Append:
    """Return the events of a finished match."""
    name = f"old-{number}"
    position = tris.new(tris.Options(), 2)
    events: list[Event] = [Opened(1.0, name, "tris@1", 2, {}, Policy()), Joined(1.0, 0, Player("ann", "native")),
                           Joined(1.0, 1, Player("bob", "native")), Started(1.0, {})]  # fmt: skip
    for turn, cell in enumerate((*CELLS, 8)):
        events.append(Acted(2.0, turn % 2, cell))
        position, _ = tris.apply(position, turn % 2, cell)
    outcome = tris.outcome(position)
    assert outcome is not None
    events.append(Ended(3.0, outcome))
    return Append(name, 1, [encode(event) for event in events], True, lambda result: None)


def fill(data: Path, count: int) -> None:
    """Store finished matches, and one of `READ` events, each event in a commit of its own."""
    server = Server(data)
    log = server.journal._log
    for start in range(0, count, BATCH):
        log.write([finished(number) for number in range(start, start + BATCH)])
    log.write([Append("long", 1, [encode(Opened(1.0, "long", "tris@1", 2, {}, Policy()))], False, lambda result: None)])
    for seq in range(2, READ + 1):
        chat = encode(Chatted(2.0, 0, "hm"))
        log.write([Append("long", seq, [chat], False, lambda result: None)])
    server.journal.close()


def timed(work: Callable[[], object]) -> str:
    """Format the median wall-clock and processor time of some calls in milliseconds."""
    wall, cpu = [], []
    for _ in range(ROUNDS):
        start, used = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - used)
    return f"{median(wall) * 1000:.1f} ({median(cpu) * 1000:.1f})"


def run() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.moves_per_second(server.start_matches())  # warm up: the first moves are slower
        print(f"Moves per CPU-second by events in the match before the first move ({GAMES} concurrent matches)\n")
        rates: dict[int, list[float]] = {length: [] for length in LENGTHS}
        for _ in range(ROUNDS):
            for length, results in rates.items():
                results.append(server.moves_per_second(server.start_matches(length)))
        for length, results in rates.items():
            print(f"{length:>8,} events{median(results):>10,.0f}", flush=True)
        server.journal.close()
    print(
        "\nBy finished matches in the journal: moves per CPU-second, and milliseconds (of processor time) to open the"
    )
    print(f"journal, to list a page of matches and to read a match of {READ} events\n")
    print(f"{'finished':>9}{'moves/CPU-s':>13}{'open':>17}{'page':>17}{'read':>17}{'MB':>7}")
    for count in FINISHED:
        with tempfile.TemporaryDirectory() as data:
            _row(Path(data), count)
    print()


def _row(data: Path, count: int) -> None:
    fill(data, count)
    opening = timed(lambda: SqliteJournal(data, lambda *_: None).close())
    server = Server(data)
    page = timed(lambda: list_matches(ApiContext(server.lobby, server.journal, lambda: ""), MatchesQuery()))
    read = timed(lambda: server.journal.read("long"))
    rate = median(server.moves_per_second(server.start_matches()) for _ in range(ROUNDS))
    server.journal.close()
    size = sum(file.stat().st_size for file in data.iterdir()) / 1e6
    print(f"{count:>9,}{rate:>13,.0f}{opening:>17}{page:>17}{read:>17}{size:>7.1f}", flush=True)


if __name__ == "__main__":
    run()
