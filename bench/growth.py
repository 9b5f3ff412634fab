"""What a move costs when matches are long and the journal is large, and how soon a large journal is opened and read.

`python -m bench.growth`.  No sockets: a lobby on a durable journal, in this process.  A long match is one in which much
was said before the first move; finished matches are whole games of Tris.  Moves are counted by processor time, of the
journal's thread too; the rest is what someone waits for, and how much of that was processor time, which hardly depends
on who else uses the machine.
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
FINISHED: Final = (0, 10_000, 100_000)
GAMES: Final = 20
ROUNDS: Final = 5
START: Final = 4
"""The events before the first move: opened, joined, joined, started."""
CELLS: Final = (0, 1, 2, 4, 3, 5, 7, 6)
"""Eight moves that end nothing."""
READ: Final = 300
"""The events of the match that is read."""
BATCH: Final = 500


class Server:
    """A lobby on a journal, and the thread that owns both."""

    def __init__(self, data: Path) -> None:
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]]] = SimpleQueue()
        self.journal = SqliteJournal(data, lambda call, *arguments: self._calls.put((call, arguments)))
        self.clock = ManualClock()
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(), CountedNames())

    def settle(self) -> None:
        """Until all is stored and told."""
        while self.journal.busy:
            call, arguments = self._calls.get()
            call(*arguments)

    def matches(self, length: int = START) -> list[tuple[Guest, Guest]]:
        """Those who sit at matches that have had this many events, by match."""
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
        """All of them at once, by processor time."""
        begun = time.process_time()
        for turn, cell in enumerate(CELLS):
            for game in games:
                self.lobby.do(game[turn % 2], Act(turn % 2, (cell,)))
            self.settle()
        return len(CELLS) * len(games) / (time.process_time() - begun)


def finished(number: int) -> Append:
    """A match that was played to its end."""
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
    """This many finished matches, and one of `READ` events, each stored apart from the others."""
    server = Server(data)
    log = server.journal._log
    for start in range(0, count, BATCH):
        log.write([finished(number) for number in range(start, start + BATCH)])
    log.write([Append("long", 1, [encode(Opened(1.0, "long", "tris@1", 2, {}, Policy()))], False, lambda result: None)])
    for seq in range(2, READ + 1):
        said = encode(Chatted(2.0, 0, "hm"))
        log.write([Append("long", seq, [said], False, lambda result: None)])
    server.journal.close()


def waited(work: Callable[[], object]) -> str:
    """Milliseconds, and those of the processor, each the median of a few."""
    times, taken = [], []
    for _ in range(ROUNDS):
        begun, used = time.perf_counter(), time.process_time()
        work()
        times.append(time.perf_counter() - begun)
        taken.append(time.process_time() - used)
    return f"{median(times) * 1000:.1f} ({median(taken) * 1000:.1f})"


def run() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.moves_per_second(server.matches())  # the first ones are slower
        print(f"Moves per CPU-second by what happened in the match before ({GAMES} matches at once)\n")
        rates: dict[int, list[float]] = {length: [] for length in LENGTHS}
        for _ in range(ROUNDS):
            for length, taken in rates.items():
                taken.append(server.moves_per_second(server.matches(length)))
        for length, taken in rates.items():
            print(f"{length:>8,} events{median(taken):>10,.0f}", flush=True)
        server.journal.close()
    print(f"\nBy the finished matches in the journal; to wait for: opening it, a page of the list, {READ} events")
    print("(in milliseconds, and of the processor)\n")
    print(f"{'finished':>9}{'moves/CPU-s':>13}{'open':>17}{'page':>17}{'read':>17}{'MB':>7}")
    for count in FINISHED:
        with tempfile.TemporaryDirectory() as data:
            _row(Path(data), count)
    print()


def _row(data: Path, count: int) -> None:
    fill(data, count)
    opening = waited(lambda: SqliteJournal(data, lambda *_: None).close())
    server = Server(data)
    page = waited(lambda: list_matches(ApiContext(server.lobby, server.journal, lambda: ""), MatchesQuery()))
    read = waited(lambda: server.journal.read("long"))
    rate = median(server.moves_per_second(server.matches()) for _ in range(ROUNDS))
    server.journal.close()
    size = sum(file.stat().st_size for file in data.iterdir()) / 1e6
    print(f"{count:>9,}{rate:>13,.0f}{opening:>17}{page:>17}{read:>17}{size:>7.1f}", flush=True)


if __name__ == "__main__":
    run()
