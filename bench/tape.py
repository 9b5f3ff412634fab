"""`python -m bench.tape [DIALECT ...] [--matches 20] [--runs 7] [--profile]`: what a message costs without sockets.

Matches between clients that choose at random are played once, and what every client said is kept: a tape.  Then the
tape is played to new houses, again and again, and only the server's own work is counted, in processor time: decoding,
the script, the table and its rules, encoding; no kernel, no disk.  The least of the runs counts, so it can be compared
on a machine that has other things to do.  Two checkouts with the same rules have the same tape.
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

NATIVE: Final = {"game": "tris"}
"""What a native client's seat is asked for."""
STEPS: Final = 100_000

Tape: TypeAlias = list[tuple[int, bytes]]
"""Who said what, in order; whoever says nothing connects."""


def record(dialect: str, seed: int) -> Tape:
    """What two clients say in a match."""
    rng = Random(seed)
    server = SimulatedServer(seed=seed)

    def choose(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(rng.choice(list(notification.decision.choices))))

    tape: Tape = []
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    settings = NATIVE if dialect == "native" else {}
    for name in ("ann", "bob"):
        peer = server.connect(dialect)
        client = SimulatedClient(dialect, choose, ClientOptions(name, settings=settings), server.clock)
        tape.append((len(pairs), b""))
        pairs.append((client, peer))
        _carry(pairs, tape)
    return tape


def _carry(pairs: list[tuple[SimulatedClient, SimulatedConnection]], tape: Tape) -> None:
    for _ in range(STEPS):
        busy = False
        for seat, (client, peer) in enumerate(pairs):
            if told := peer.take():
                client.receive(told)
                busy = True
            if (said := client.take()) and not peer.closed:
                tape.append((seat, said))
                peer.send(said)
                busy = True
        if not busy:
            return
    raise SystemExit(f"has not settled after {STEPS} rounds")


def play(dialect: str, seed: int, tape: Tape) -> int:
    """Play a match from its tape; how many bytes were told."""
    server = SimulatedServer(seed=seed)
    peers: list[SimulatedConnection] = []
    told = 0
    for seat, said in tape:
        if said:
            peers[seat].send(said)
        else:
            peers.append(server.connect(dialect))
        for peer in peers:
            told += len(peer.take())
    return told


def main() -> None:
    """Print a row for each dialect."""
    parser = argparse.ArgumentParser(prog="bench.tape")
    parser.add_argument("dialects", nargs="*", default=list(PROTOCOLS))
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_intermixed_args()
    print(f"{'dialect':<20}{'messages':>10}{'us each':>10}{'bytes each':>12}")
    for dialect in arguments.dialects:
        tapes = [record(dialect, seed) for seed in range(arguments.matches)]
        messages = sum(map(len, tapes))
        best, told = min(_run(dialect, tapes) for _ in range(arguments.runs))
        print(f"{dialect:<20}{messages:>10,}{best / messages / 1000:>10.1f}{told / messages:>12,.0f}", flush=True)
        if arguments.profile:
            with cProfile.Profile() as profile:
                _run(dialect, tapes)
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)


def _run(dialect: str, tapes: list[Tape]) -> tuple[int, int]:
    """Nanoseconds and bytes of all matches; the clock is read twice in all, since that may take a millisecond."""
    before = time.process_time_ns()
    told = sum(play(dialect, seed, tape) for seed, tape in enumerate(tapes))
    return time.process_time_ns() - before, told


if __name__ == "__main__":
    main()
