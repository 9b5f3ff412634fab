"""Processor time of the server per message, without sockets.

`python -m bench.tape [DIALECT ...] [--matches 20] [--runs 7] [--profile]`

- Matches between clients that choose at random are played once and their messages recorded: the tape.
- The tape is replayed to new servers several times. Only the server's own work is measured: decoding, the dialect's
  script, table and rules, encoding; neither kernel nor disk.
- The fastest run counts, so that the result can be compared on a busy machine.
- Two checkouts with the same rules record the same tape.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from random import Random
from typing import Any, Final, TypeAlias

from boardwire.dialects import PROTOCOLS
from boardwire.dialects.dialect import Answer, Ask, ClientOptions
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer

NATIVE_SETTINGS: Final = {"game": "tris"}
"""Settings of a native client, whose dialect has every game."""
MAX_STEPS: Final = 100_000

Tape: TypeAlias = list[tuple[int, bytes]]
"""Seat and bytes of each message in order; empty bytes stand for a new connection."""


def record(dialect: str, seed: int) -> Tape:
    """Play a match between two random clients and return what they send."""
    rng = Random(seed)
    server = SimulatedServer(seed=seed)

    def choose(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(rng.choice(list(notification.decision.choices))))

    tape: Tape = []
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    settings = NATIVE_SETTINGS if dialect == "native" else {}
    for name in ("ann", "bob"):
        peer = server.connect(dialect)
        client = SimulatedClient(dialect, choose, ClientOptions(name, settings=settings), server.clock)
        tape.append((len(pairs), b""))
        pairs.append((client, peer))
        _carry(pairs, tape)
    return tape


def _carry(pairs: list[tuple[SimulatedClient, SimulatedConnection]], tape: Tape) -> None:
    for _ in range(MAX_STEPS):
        busy = False
        for seat, (client, peer) in enumerate(pairs):
            if received := peer.take():
                client.receive(received)
                busy = True
            if (sent := client.take()) and not peer.closed:
                tape.append((seat, sent))
                peer.send(sent)
                busy = True
        if not busy:
            return
    raise SystemExit(f"the match has not ended after {MAX_STEPS} rounds")


def play(dialect: str, seed: int, tape: Tape) -> int:
    """Replay a match from its tape and return the number of bytes that the server sent."""
    server = SimulatedServer(seed=seed)
    peers: list[SimulatedConnection] = []
    received = 0
    for seat, data in tape:
        if data:
            peers[seat].send(data)
        else:
            peers.append(server.connect(dialect))
        for peer in peers:
            received += len(peer.take())
    return received


def main() -> None:
    """Print a row for each dialect."""
    parser = argparse.ArgumentParser(prog="bench.tape")
    parser.add_argument("dialects", nargs="*", default=list(PROTOCOLS), help="dialects to measure (default: all)")
    parser.add_argument("--matches", type=int, default=20, help="recorded matches per dialect")
    parser.add_argument("--runs", type=int, default=7, help="replays; the fastest counts")
    parser.add_argument("--profile", action="store_true", help="print a profile of each dialect")
    arguments = parser.parse_intermixed_args()
    print(f"{'dialect':<20}{'messages':>10}{'us each':>10}{'bytes each':>12}")
    for dialect in arguments.dialects:
        tapes = [record(dialect, seed) for seed in range(arguments.matches)]
        messages = sum(map(len, tapes))
        best, received = min(_run(dialect, tapes) for _ in range(arguments.runs))
        print(f"{dialect:<20}{messages:>10,}{best / messages / 1000:>10.1f}{received / messages:>12,.0f}", flush=True)
        if arguments.profile:
            with cProfile.Profile() as profile:
                _run(dialect, tapes)
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)


def _run(dialect: str, tapes: list[Tape]) -> tuple[int, int]:
    """Replay all matches and return the nanoseconds and the bytes sent.

    The clock is read once before and once after all matches, because reading it may take a millisecond.
    """
    before = time.process_time_ns()
    received = sum(play(dialect, seed, tape) for seed, tape in enumerate(tapes))
    return time.process_time_ns() - before, received


if __name__ == "__main__":
    main()
