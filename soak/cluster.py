"""Soak test of a cluster: nodes are killed, suspended and cut off from database and bus while guests play.

Run as `python -m soak.cluster --seconds 180 --seed 1 --nodes 3 --times 1 --slower 1`. Guests connect to random nodes,
so most matches have players at different nodes. All notifications are compared with the journal (`audit.py`).

- A match ends on the board if the nodes of its players live, whatever happens to other nodes.
- Native players reconnect to any node, and always finish their matches.
- A guest that connects to a live node gets an answer within `ANSWER_SECONDS`, unless database or bus are down.
- Forged messages on the bus (`forger.py`) have no effect; every node counts them as rejected.
- A pause is the time for which a guest of a live node waits for the answer to a move after another node was killed.
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
from soak.ports import choose
from soak.records import Played, Wait
from soak.run import Run
from soak.server import Server
from soak.visitors import ANSWER_SECONDS
from soak.windows import NO_SINGLE_NODE, Window, Windows

WORKERS: Final = {"visitors": 0, "guests": 0}
FORGER: Final = {"forger": 10}
"""A forger on the bus (`forger.py`)."""
KILL_INTERVAL_SECONDS: Final = 5.0
SUSPEND_INTERVAL_SECONDS: Final = 25.0
SUSPEND_SECONDS: Final = 10.0
CUT_INTERVAL_SECONDS: Final = 30.0
CUT_SECONDS: Final = (1.0, 6.0)
"""Shortest and longest outage of the bus or the database."""
CALM_SECONDS: Final = 20.0
"""Time without faults at the end."""
MIN_PAUSE_SECONDS: Final = 0.5
"""Shorter waits are not counted as pauses."""
KILL_EFFECT_SECONDS: Final = 15.0
"""A wait that begins this soon after a kill is attributed to it."""
MAX_LINES_PER_KIND: Final = 10
REJECTED_METRIC: Final = "boardwire_bus_rejected_total"


class Fault(msgspec.Struct, frozen=True, order=True):
    """A planned fault; `at` is in seconds after the start."""

    at: float
    kind: str
    node: int = NO_SINGLE_NODE
    seconds: float = 0.0


def plan(seed: int, seconds: float, nodes: int) -> list[Fault]:
    """Return the planned faults; equal seeds give equal plans.

    A node is killed and restarted about every five seconds. In between, a node is suspended, and the database and the
    bus are stopped in turn.
    """
    luck = Random(f"{seed} cluster")
    last = max(seconds - CALM_SECONDS, seconds / 2)
    faults = [Fault(at, "kill", luck.randrange(nodes)) for at in _times(luck, last, KILL_INTERVAL_SECONDS)]
    faults += [
        Fault(at, "halt", luck.randrange(nodes), SUSPEND_SECONDS)
        for at in _times(luck, last - SUSPEND_SECONDS, SUSPEND_INTERVAL_SECONDS)
    ]
    cuts = cycle(("database", "bus", "silent bus"))
    faults += [
        Fault(at, next(cuts), seconds=luck.uniform(*CUT_SECONDS))
        for at in _times(luck, last - CUT_SECONDS[1], CUT_INTERVAL_SECONDS)
    ]
    return sorted(faults)


def _times(luck: Random, end: float, gap: float) -> list[float]:
    times, at = [], 0.0
    while (at := at + luck.uniform(0.7, 1.3) * gap) < end:
        times.append(at)
    return times


class FaultInjector:
    """Carries out a plan."""

    def __init__(self, nodes: list[Server], bus: Nats | None, database: Postgres) -> None:
        self._nodes = nodes
        self._bus = bus
        self._database = database
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._down: set[str] = set()
        self.done: Counter[str] = Counter()
        self.windows: list[Window] = []

    def inject(self, fault: Fault) -> None:
        """Carry out a fault."""
        match fault.kind:
            case "kill":
                self._kill(fault.node)
            case "halt":
                self._suspend(fault.node, fault.seconds)
            case "database":
                self._cut(fault, self._database.stop, self._database.start)
            case "bus" if self._bus is not None:
                self._cut(fault, self._bus.stop, self._bus.start)
            case "silent bus" if self._bus is not None:
                pid = self._bus.pid
                self._cut(fault, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT))

    def end_due(self) -> None:
        """End the faults whose time is over."""
        now = time.monotonic()
        due = [call for at, call in self._due if at <= now]
        self._due = [(at, call) for at, call in self._due if at > now]
        for call in due:
            call()

    def end_all(self) -> None:
        """End all faults."""
        for _, call in self._due:
            call()
        self._due = []

    def _kill(self, node: int) -> None:
        if self._down:
            return  # the node could not start
        begin = time.monotonic()
        self._nodes[node].kill()
        self.windows.append(Window(begin - 0.1, time.monotonic() + 0.1, "kill", node))
        self._nodes[node].start()
        self.done["kill"] += 1

    def _suspend(self, node: int, seconds: float) -> None:
        server = self._nodes[node]
        life, begin = server.lives, time.monotonic()
        server.send(signal.SIGSTOP)

        def wake() -> None:
            if server.lives == life:
                server.send(signal.SIGCONT)
            self.windows.append(Window(begin - 0.1, time.monotonic() + 1.0, "halt", node))

        self._due.append((begin + seconds, wake))
        self.done["halt"] += 1

    def _cut(self, fault: Fault, stop: Callable[[], None], start: Callable[[], None]) -> None:
        if fault.kind.split()[-1] in self._down:
            return
        begin = time.monotonic()
        self._down.add(fault.kind.split()[-1])
        stop()

        def restore() -> None:
            start()
            self._down.discard(fault.kind.split()[-1])
            self.windows.append(Window(begin - 0.1, time.monotonic() + 5.0, fault.kind, NO_SINGLE_NODE))

        self._due.append((begin + fault.seconds, restore))
        self.done[fault.kind] += 1


class ClusterRun(Run):
    """One run. Without a bus there is one node."""

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
        """Messages that each node has rejected since its last start, at the end of the run."""
        self.ready: list[bool] = []
        """Whether each node was ready at the end of the run."""
        self._waits: list[tuple[int, Wait]] = []
        self._unanswered: list[tuple[int, float]] = []
        self._came: list[tuple[float, int]] = []
        """Times of arrivals (1) and departures (-1) of players."""
        self.injector: FaultInjector

    def run(self) -> None:
        """Run everything from the first connection to the last comparison."""
        with ExitStack() as stack:
            database = stack.enter_context(postgres())
            bus = stack.enter_context(nats()) if self._with_bus else None
            where = choose(0, self._nodes, bus.port if bus is not None else 0)
            self._write_place(where)
            nodes = []
            for number in range(self._nodes):
                (self._directory / f"node{number}").mkdir()
                flags = [f"--store={database.url}"]
                if bus is not None:
                    flags += [f"--bus={bus.url}", f"--node=node{number}"]
                nodes.append(Server(self._directory / f"node{number}", where, number, flags))
                stack.callback(nodes[-1].close)
            self.injector = FaultInjector(nodes, bus, database)
            for node in nodes:
                node.start()
            stack.callback(self._kill_workers)
            self._run_faults(self._start_workers(), nodes)
            self.rejected = [int(node.metric(REJECTED_METRIC)) for node in nodes]
            self.ready = [node.ready() for node in nodes]
            self._wait_for_workers()
            for number, node in enumerate(nodes):
                if (code := node.stop()) != 0:
                    self.faults.append(f"node {number} exited with code {code} on SIGTERM")
                self.faults += [
                    f"node {number}: traceback, {count} times: {what}" for what, count in node.tracebacks.items()
                ]
            with PostgresArchive(database.url) as archive:
                self._audit(archive, self.injector.windows)
                self._keep_unfinished(archive)

    def _run_faults(self, begin: float, nodes: list[Server]) -> None:
        faults = plan(self._seed, self._seconds, self._nodes)
        while (now := time.monotonic()) < self._end:
            self.injector.end_due()
            while faults and begin + faults[0].at <= now:
                self.injector.inject(faults.pop(0))
            for number, node in enumerate(nodes):
                if not node.is_alive():
                    self.faults.append(f"node {number} exited unexpectedly")
                    node.start()
            self._restart_workers()
            self._process_records()
            time.sleep(0.1)
        self.injector.end_all()

    def _keep_unfinished(self, archive: PostgresArchive) -> None:
        """Write the unfinished matches to a file: the database is removed at the end."""
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
        """Return the seconds for which guests of live nodes waited after another node was killed, shortest first.

        Waits at suspended nodes or during an outage do not count.
        """
        kills = [window for window in self.injector.windows if window.why == "kill"]
        return sorted(
            took
            for node, (when, took) in self._waits
            if took > MIN_PAUSE_SECONDS
            and any(
                kill.node != node and when - took < kill.end + KILL_EFFECT_SECONDS and when > kill.begin
                for kill in kills
            )
            and not self._is_cut_off(node, when - took, when)
        )

    def max_players(self) -> int:
        """Return the number of players at the busiest moment."""
        return max(accumulate(change for _, change in sorted(self._came)), default=0)

    def unanswered(self) -> list[str]:
        """Return the nodes that did not answer an arriving guest although nothing was suspended or down."""
        return [
            f"node {node} from {since:.1f} on"
            for node, since in self._unanswered
            if not self._is_cut_off(node, since, since + ANSWER_SECONDS)
        ]

    def _is_cut_off(self, node: int, begin: float, end: float) -> bool:
        windows = [
            window for window in self.injector.windows if window.why != "kill" and window.node in (node, NO_SINGLE_NODE)
        ]
        return Windows(windows).has_overlap(begin, end)

    def violations(self) -> list[str]:
        """Return the broken guarantees."""
        auditor = self.auditor
        broken = [f"lost: {what}" for what in auditor.lost]
        broken += [f"doubled: {what}" for what in auditor.doubled]
        broken += [f"not finished: {what}" for what in auditor.unfinished]
        broken += [f"no answer: {what}" for what in self.unanswered()]
        if self._with_bus:
            broken += [
                f"not rejected: node {node} has counted no forgery"
                for node, count in enumerate(self.rejected)
                if not count
            ]
            broken += [
                f"not ready: node {node} at the end of the run" for node, ready in enumerate(self.ready) if not ready
            ]
        broken += [f"fault: {what}" for what in self.faults]
        return broken


def lines(run: ClusterRun) -> Iterator[str]:
    """Return the report of a run."""
    auditor, figures, done = run.auditor, run.figures, run.injector.done
    for dialect in sorted(auditor.matches):
        counts = (auditor.matches[dialect], auditor.finished[dialect], auditor.moves[dialect])
        yield f"{dialect:<28}" + "".join(f"{count:>9,}" for count in counts)
    yield f"faults        {', '.join(f'{count} x {kind}' for kind, count in sorted(done.items()))}"
    yield f"players       {run.max_players():,} in matches at once"
    yield f"journal       {figures.stored:,} matches, {figures.events:,} events"
    yield f"compared      {auditor.shown:,} steps shown, {auditor.moves.total():,} moves"
    yield f"not compared  {auditor.unsure:,} players with refused moves (checked only for duplicates)"
    pauses = run.pauses()
    if pauses:
        p50, p99 = pauses[len(pauses) // 2], pauses[int(len(pauses) * 0.99)]
        yield f"pauses        p50 {p50:.2f} s, p99 {p99:.2f} s, longest {pauses[-1]:.2f} s, of {len(pauses):,}"
    for attacked in figures.attacked.values():
        yield f"{attacked.name:<14}{attacked.made:,} messages; rejected since each node's last start: {run.rejected}"
    yield f"lost {len(auditor.lost)}, doubled {len(auditor.doubled)}, not finished {len(auditor.unfinished)}"
    kinds: Counter[str] = Counter()
    for broken in run.violations():
        kind = broken.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= MAX_LINES_PER_KIND:
            yield f"BROKEN: {broken}"


def main() -> None:
    """Run the soak test from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m soak.cluster", description="Kill, suspend and cut off nodes of a cluster while guests play."
    )
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--times", type=int, default=1, help="multiply the number of guests")
    parser.add_argument("--slower", type=float, default=1.0, help="multiply the thinking time of guests")
    parser.add_argument("--alone", action="store_true", help="run a single node without a bus")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    directory = Path(tempfile.mkdtemp(prefix="boardwire-chaos-"))
    nodes = 1 if chosen.alone else chosen.nodes
    run = ClusterRun(directory, chosen.seed, chosen.seconds, nodes, chosen.times, chosen.slower, bus=not chosen.alone)
    run.run()
    print(f"{nodes} nodes for {chosen.seconds:g} s, seed {chosen.seed}\n")
    print(*lines(run), sep="\n", flush=True)
    if run.violations():
        sys.exit(f"{len(run.violations())} guarantees broken; the records and logs are in {directory}")
    shutil.rmtree(directory)


if __name__ == "__main__":
    main()
