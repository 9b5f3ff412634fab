"""Instructions that accounts, moderation, ratings, tournaments and push notifications add to a move.

`python -m bench.identity [DIALECT ...]` plays the tapes of `bench.tape` to a bare lobby and to one with all services of
a node, and counts instructions with valgrind (cachegrind), which do not depend on the load of the machine.

- A second run plays only the messages before the first move. The difference of both runs counts, so that imports, seats
  and connections cancel out.
- Sockets and commits are left out, so the share in a real server is smaller.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from functools import cache
from typing import Any, Final

from bench.tape import Tape, record
from boardwire.moderation.moderation import Moderation
from boardwire.players.accounts import Accounts
from boardwire.players.entrance import Entrance
from boardwire.players.ratings import Ratings
from boardwire.push.notifier import Notifier
from boardwire.push.subscriptions import Subscriptions
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.luck import CountedNames
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.events import Acted
from boardwire.tournaments.runner import Tournaments
from boardwire.tournaments.store import TournamentStore

DIALECTS: Final = ("tris-lines", "native")
MATCHES: Final = 20
GOAL: Final = 0.03
"""Largest share of instructions that the services may add."""


@cache
def _records() -> tuple[SqliteRecords, Accounts, Moderation, Subscriptions, TournamentStore]:
    """Return the records that all simulated servers share, because a real server creates them once."""
    records = SqliteRecords(None)
    return records, Accounts(records), Moderation(records), Subscriptions(records), TournamentStore(records)


class FullServer(SimulatedServer):
    """A server with all services of a node around its lobby."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        lobby, clock = self.lobby, self.clock
        records, accounts, moderation, subscriptions, store = _records()
        Tournaments(store, lobby, self.journal, clock, CountedNames(), lambda call, *rest: call(*rest))
        lobby.change_observers.append(Ratings(records, self.journal).observe)
        Notifier(subscriptions, lobby, clock.now, "https://games.example/")
        self.lobby: Any = Entrance(moderation.guard(lobby), accounts.directory)


def moves_of(dialect: str, seed: int, tape: Tape) -> int:
    """Return the number of moves in a match; they are the last messages of its tape."""
    server = SimulatedServer(seed)
    play(server, dialect, tape)
    return sum(isinstance(event, Acted) for event in server.events())


def play(server: SimulatedServer, dialect: str, tape: Tape) -> None:
    """Replay a match from its tape."""
    peers: list[SimulatedConnection] = []
    for seat, data in tape:
        if data:
            peers[seat].send(data)
        else:
            peers.append(server.connect(dialect))
        for peer in peers:
            peer.take()


def work(dialect: str, kind: str, part: str) -> int:
    """Replay matches or only their beginnings, which valgrind counts, and return the number of moves."""
    tapes = [record(dialect, seed) for seed in range(MATCHES)]
    counts = [moves_of(dialect, seed, tape) for seed, tape in enumerate(tapes)]
    servers = [FullServer(seed) if kind == "full" else SimulatedServer(seed) for seed in range(MATCHES)]
    for server, tape, count in zip(servers, tapes, counts, strict=True):
        play(server, dialect, tape if part == "all" else tape[: len(tape) - count])
    return sum(counts)


def instructions(dialect: str, kind: str, part: str) -> int:
    """Count the instructions of a run in a process of its own."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", sys.executable,
               "-m", "bench.identity", dialect, "--kind", kind, "--part", part]  # fmt: skip
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "malloc"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if found is None:
        raise SystemExit(f"no instruction count from valgrind: {done.stderr[-500:]}")
    return int(found[1].replace(",", ""))


def main() -> None:
    """Print a row for each dialect."""
    parser = argparse.ArgumentParser(prog="bench.identity")
    parser.add_argument("dialects", nargs="*", default=list(DIALECTS), help="dialects to measure")
    parser.add_argument("--kind", choices=["bare", "full"], help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=["all", "begin"], default="all", help=argparse.SUPPRESS)
    arguments = parser.parse_intermixed_args()
    if arguments.kind:
        work(arguments.dialects[0], arguments.kind, arguments.part)
        return
    print(f"Python {sys.version.split()[0]}, goal {GOAL:.0%}")
    print(f"{'instructions':<16}{'moves':>8}{'bare':>12}{'full':>12}{'added':>10}{'part':>9}")
    for dialect in arguments.dialects:
        moves = work(dialect, "bare", "begin")
        bare, full = (
            (instructions(dialect, kind, "all") - instructions(dialect, kind, "begin")) / moves
            for kind in ("bare", "full")
        )
        added, part = full - bare, full / bare - 1
        print(f"{dialect:<16}{moves:>8,}{bare:>12,.0f}{full:>12,.0f}{added:>10,.0f}{part:>9.2%}", flush=True)


if __name__ == "__main__":
    main()
