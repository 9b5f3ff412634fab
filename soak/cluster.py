"""Several nodes on one database and one bus, which are killed, halted and cut off from both, while guests play.

Run as `python -m soak.cluster --seconds 180 --seed 1 --nodes 3 --times 1 --slower 1`.  Everybody comes to a node by
chance, and so do their opponents: most matches have their players at different nodes.  What everybody was told is
compared with the journal as in any soak (`audit.py`).

Rules:

- A match all of whose players' nodes live is finished on the board, whatever happens to other nodes.
- Native players come back to any node, and finish in any case.
- Whoever comes to a node that is not halted has an answer within `ANSWER` seconds, if there are a database and a bus.
- What a stranger publishes on the bus (`forger.py`) changes nothing; every node counts it as rejected.
- How long a guest of a living node waits for the answer to a move, after another node was killed, is a pause.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import accumulate, cycle
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from scripts.nats import Nats, nats
from scripts.postgres import Postgres, postgres

from boardwire.store.postgres import PostgresArchive
from soak.house import choose
from soak.run import Run
from soak.server import Server
from soak.told import Played, Wait
from soak.visitors import ANSWER
from soak.windows import NOBODY, Window, Windows

WORKERS: Final = {"visitors": 0, "guests": 0}
FORGER: Final = {"forger": 10}
"""A stranger on the bus, where there is one (`forger.py`)."""
KILL_EVERY: Final = 5.0
HALT_EVERY: Final = 25.0
HALTED: Final = 10.0
CUT_EVERY: Final = 30.0
CUT: Final = (1.0, 6.0)
"""Seconds for which the bus or the database is away."""
SETTLED: Final = 20.0
"""Seconds at the end without any blow."""
PAUSE: Final = 0.5
"""A wait that is shorter is none."""
LEASE: Final = 15.0
"""Seconds after a kill within which a wait is put down to it."""
SHOWN: Final = 10
REJECTED: Final = "boardwire_bus_rejected_total"


class Blow(msgspec.Struct, frozen=True, order=True):
    """Something that is done, so many seconds after the beginning."""

    at: float
    kind: str
    node: int = NOBODY
    seconds: float = 0.0


def plan(seed: int, seconds: float, nodes: int) -> list[Blow]:
    """Equal seeds give equal plans.  One node is killed every five seconds, and started again at once; in between one
    is halted, and the bus and the database are cut off in turn."""
    luck = Random(f"{seed} cluster")
    last = max(seconds - SETTLED, seconds / 2)
    blows = [Blow(at, "kill", luck.randrange(nodes)) for at in _times(luck, last, KILL_EVERY)]
    blows += [Blow(at, "halt", luck.randrange(nodes), HALTED) for at in _times(luck, last - HALTED, HALT_EVERY)]
    cuts = cycle(("database", "bus", "silent bus"))
    blows += [Blow(at, next(cuts), seconds=luck.uniform(*CUT)) for at in _times(luck, last - CUT[1], CUT_EVERY)]
    return sorted(blows)


def _times(luck: Random, end: float, gap: float) -> list[float]:
    times, at = [], 0.0
    while (at := at + luck.uniform(0.7, 1.3) * gap) < end:
        times.append(at)
    return times


class Havoc:
    """Carries a plan out.  Whatever has an end is ended by a call that is due then."""

    def __init__(self, nodes: list[Server], bus: Nats | None, database: Postgres) -> None:
        self._nodes = nodes
        self._bus = bus
        self._database = database
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._away: set[str] = set()
        self.done: Counter[str] = Counter()
        self.windows: list[Window] = []

    def strike(self, blow: Blow) -> None:
        """Do it."""
        match blow.kind:
            case "kill":
                self._kill(blow.node)
            case "halt":
                self._halt(blow.node, blow.seconds)
            case "database":
                self._cut(blow, self._database.stop, self._database.start)
            case "bus" if self._bus is not None:
                self._cut(blow, self._bus.stop, self._bus.start)
            case "silent bus" if self._bus is not None:
                pid = self._bus.pid
                self._cut(blow, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT))

    def go_on(self) -> None:
        """End what is due."""
        now = time.monotonic()
        due = [call for at, call in self._due if at <= now]
        self._due = [(at, call) for at, call in self._due if at > now]
        for call in due:
            call()

    def calm(self) -> None:
        """End everything that was begun."""
        for _, call in self._due:
            call()
        self._due = []

    def _kill(self, node: int) -> None:
        if self._away:
            return  # it could not start
        begin = time.monotonic()
        self._nodes[node].kill()
        self.windows.append(Window(begin - 0.1, time.monotonic() + 0.1, "kill", node))
        self._nodes[node].start()
        self.done["kill"] += 1

    def _halt(self, node: int, seconds: float) -> None:
        server = self._nodes[node]
        life, begin = server.lives, time.monotonic()
        server.send(signal.SIGSTOP)

        def wake() -> None:
            if server.lives == life:
                server.send(signal.SIGCONT)
            self.windows.append(Window(begin - 0.1, time.monotonic() + 1.0, "halt", node))

        self._due.append((begin + seconds, wake))
        self.done["halt"] += 1

    def _cut(self, blow: Blow, stop: Callable[[], None], start: Callable[[], None]) -> None:
        if blow.kind.split()[-1] in self._away:
            return
        begin = time.monotonic()
        self._away.add(blow.kind.split()[-1])
        stop()

        def back() -> None:
            start()
            self._away.discard(blow.kind.split()[-1])
            self.windows.append(Window(begin - 0.1, time.monotonic() + 5.0, blow.kind, NOBODY))

        self._due.append((begin + blow.seconds, back))
        self.done[blow.kind] += 1


class Chaos(Run):
    """One run.  `flags` are those of every node beside the store and the bus; without a bus there is one node."""

    def __init__(
        self,
        directory: Path,
        seed: int,
        seconds: float,
        nodes: int = 3,
        times: int = 1,
        slower: float = 1.0,
        *,
        bus: bool = True,
    ) -> None:
        super().__init__(directory, seed, seconds, WORKERS | (FORGER if bus else {}), times, slower)
        self._nodes = nodes
        self._with_bus = bus
        self.rejected: list[int] = []
        """Messages that each node rejected since its last start, when the time was up."""
        self.ready: list[bool] = []
        """What `/readyz` of each node said then."""
        self._waits: list[tuple[int, Wait]] = []
        self._unanswered: list[tuple[int, float]] = []
        self._came: list[tuple[float, int]] = []
        """When players came, and went (-1)."""
        self.havoc: Havoc

    def run(self) -> None:
        """From the first connection to the last comparison."""
        with ExitStack() as stack:
            database = stack.enter_context(postgres())
            bus = stack.enter_context(nats()) if self._with_bus else None
            where = choose(0, self._nodes, bus.port if bus is not None else 0)
            self._write_down(where)
            nodes = []
            for number in range(self._nodes):
                (self._directory / f"node{number}").mkdir()
                flags = [f"--store={database.url}"]
                if bus is not None:
                    flags += [f"--bus={bus.url}", f"--node=node{number}"]
                nodes.append(Server(self._directory / f"node{number}", where, number, flags))
                stack.callback(nodes[-1].close)
            self.havoc = Havoc(nodes, bus, database)
            for node in nodes:
                node.start()
            stack.callback(self._end_all)
            self._go_on(self._send_all(), nodes)
            self.rejected = [int(node.metric(REJECTED)) for node in nodes]
            self.ready = [node.ready() for node in nodes]
            self._wait_for_all()
            for number, node in enumerate(nodes):
                if (code := node.stop()) != 0:
                    self.faults.append(f"a polite stop of node {number} ended with {code}")
                self.faults += [
                    f"node {number}: traceback, {count} times: {what}" for what, count in node.tracebacks.items()
                ]
            with PostgresArchive(database.url) as archive:
                self._audit(archive, self.havoc.windows)
                self._keep_unfinished(archive)

    def _go_on(self, begin: float, nodes: list[Server]) -> None:
        blows = plan(self._seed, self._seconds, self._nodes)
        while (now := time.monotonic()) < self._end:
            self.havoc.go_on()
            while blows and begin + blows[0].at <= now:
                self.havoc.strike(blows.pop(0))
            for number, node in enumerate(nodes):
                if not node.alive():
                    self.faults.append(f"node {number} ended by itself")
                    node.start()
            self._look_after()
            self._take()
            time.sleep(0.1)
        self.havoc.calm()

    def _keep_unfinished(self, archive: PostgresArchive) -> None:
        """What is not over goes with the database; whoever wants to know why has it in a file."""
        with (self._directory / "unfinished.jsonl").open("wb") as file:
            for name in archive.unfinished():
                file.writelines(msgspec.json.encode((name, event)) + b"\n" for event in archive.events(name))

    def _take_played(self, record: Played) -> None:
        self._unanswered += record.unanswered
        self._came += [(record.begun, 1), (record.ended, -1)] if record.result != "never" else ()
        if not record.firm:
            self._waits += [(record.node, wait) for wait in record.waits]
        super()._take_played(record)

    def pauses(self) -> list[float]:
        """How long guests of living nodes waited when another one was killed, shortest first.  One that is halted, or
        without a database or a bus, does not live."""
        kills = [window for window in self.havoc.windows if window.why == "kill"]
        return sorted(
            took
            for node, (when, took) in self._waits
            if took > PAUSE
            and any(kill.node != node and when - took < kill.end + LEASE and when > kill.begin for kill in kills)
            and not self._is_cut_off(node, when - took, when)
        )

    def at_once(self) -> int:
        """How many players there were at the busiest moment."""
        return max(accumulate(change for _, change in sorted(self._came)), default=0)

    def unanswered(self) -> list[str]:
        """Where somebody who came had no answer, though that node was itself."""
        return [
            f"node {node} from {since:.1f} on"
            for node, since in self._unanswered
            if not self._is_cut_off(node, since, since + ANSWER)
        ]

    def _is_cut_off(self, node: int, begin: float, end: float) -> bool:
        windows = [window for window in self.havoc.windows if window.why != "kill" and window.node in (node, NOBODY)]
        return Windows(windows).touch(begin, end)

    def wrong(self) -> list[str]:
        """The promises that were broken."""
        auditor = self.auditor
        found = [f"lost: {what}" for what in auditor.lost]
        found += [f"doubled: {what}" for what in auditor.doubled]
        found += [f"not finished: {what}" for what in auditor.unfinished]
        found += [f"no answer: {what}" for what in self.unanswered()]
        if self._with_bus:
            found += [
                f"not rejected: node {node} counts no forgery" for node, count in enumerate(self.rejected) if not count
            ]
            found += [
                f"not ready: node {node} when the time was up" for node, ready in enumerate(self.ready) if not ready
            ]
        found += [f"fault: {what}" for what in self.faults]
        return found


def lines(chaos: Chaos) -> Iterator[str]:
    """What is said of a run."""
    auditor, figures, done = chaos.auditor, chaos.figures, chaos.havoc.done
    for dialect in sorted(auditor.matches):
        counts = (auditor.matches[dialect], auditor.finished[dialect], auditor.moves[dialect])
        yield f"{dialect:<28}" + "".join(f"{count:>9,}" for count in counts)
    yield f"havoc         {', '.join(f'{count} x {kind}' for kind, count in sorted(done.items()))}"
    yield f"players       {chaos.at_once():,} in matches at once"
    yield f"journal       {figures.stored:,} matches, {figures.events:,} events"
    yield f"compared      {auditor.shown:,} steps shown, {auditor.moves.total():,} moves"
    yield f"not compared  {auditor.unsure:,} players whose moves were refused (only that nothing was doubled)"
    pauses = chaos.pauses()
    if pauses:
        p50, p99 = pauses[len(pauses) // 2], pauses[int(len(pauses) * 0.99)]
        yield f"pauses        p50 {p50:.2f} s, p99 {p99:.2f} s, longest {pauses[-1]:.2f} s, of {len(pauses):,}"
    for attacked in figures.attacked.values():
        yield f"{attacked.name:<14}{attacked.made:,} messages; rejected since each node's last start: {chaos.rejected}"
    yield f"lost {len(auditor.lost)}, doubled {len(auditor.doubled)}, not finished {len(auditor.unfinished)}"
    kinds: Counter[str] = Counter()
    for broken in chaos.wrong():
        kind = broken.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= SHOWN:
            yield f"BROKEN: {broken}"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        prog="python -m soak.cluster", description="Nodes that are killed while guests play."
    )
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--times", type=int, default=1, help="how many times as many guests")
    parser.add_argument("--slower", type=float, default=1.0, help="how many times longer they think")
    parser.add_argument("--alone", action="store_true", help="one node without a bus")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    directory = Path(tempfile.mkdtemp(prefix="boardwire-chaos-"))
    nodes = 1 if chosen.alone else chosen.nodes
    chaos = Chaos(directory, chosen.seed, chosen.seconds, nodes, chosen.times, chosen.slower, bus=not chosen.alone)
    chaos.run()
    print(f"{nodes} nodes for {chosen.seconds:g} s, seed {chosen.seed}\n")
    print(*lines(chaos), sep="\n", flush=True)
    if chaos.wrong():
        sys.exit(f"what everybody was told and the logs are in {directory}")
    shutil.rmtree(directory)


if __name__ == "__main__":
    main()
