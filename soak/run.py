"""Runs everything: the server, its guests, the havoc, the audit; and ends all of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import msgspec

from boardwire.store.archive import Archive
from soak.audit import DISK, ECHO, Auditor
from soak.disk import Disk
from soak.havoc import Havoc, plan
from soak.house import choose
from soak.ledger import Ledger
from soak.report import Figures, Outcome, show
from soak.server import Server
from soak.told import Count, Echoed, Fault, Fuzzed, Kept, Played, Reader, Saw, Stormed

WORKERS: Final = {"bystanders": 0, "visitors": 0, "guests": 5, "fuzz": 10, "crowd": 10, "ledger": 15}
"""The processes, with how much they give way to the server and the players."""

ROOT: Final = Path(__file__).parent.parent

LAST_MATCHES: Final = 90.0
"""Seconds that guests have to finish what they play when the time is up."""


class Soak:
    """One run."""

    def __init__(self, directory: Path, seed: int, seconds: float, workers: dict[str, int]) -> None:
        self._directory = directory
        self._seed = seed
        self._seconds = seconds
        self._wanted = workers
        self._echo = subprocess.Popen([sys.executable, "-m", "bench.echo"], stdout=subprocess.PIPE, cwd=ROOT)
        self._where = choose(self._echo_port())
        (directory / "place.json").write_bytes(msgspec.json.encode(self._where))
        self._server = Server(directory, self._where)
        self._havoc = Havoc(self._server)
        self._disk = Disk(directory)
        self._reader = Reader(directory)
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._shown: dict[str, list[Saw]] = {}
        self._kept: set[str] = set()
        self._figures = Figures()
        self._auditor = Auditor()
        self._end = 0.0

    def run(self) -> Outcome:
        """From the first connection to the last comparison."""
        try:
            self._server.start()
            begin = time.monotonic()
            self._end = begin + self._seconds
            for name in self._wanted:
                self._send(name)
            self._go_on(begin)
            self._wait_for_all()
            code = self._server.stop()
            self._audit()
            return self._outcome(begin, code)
        finally:
            for worker in (*self._workers.values(), self._echo):
                worker.kill()
                worker.wait()
            if self._echo.stdout is not None:
                self._echo.stdout.close()
            self._server.close()
            self._disk.close()

    def _echo_port(self) -> int:
        assert self._echo.stdout is not None
        return int(self._echo.stdout.readline().rpartition(b":")[2])

    def _send(self, name: str) -> None:
        command = [sys.executable, "-m", f"soak.{name}", str(self._directory), str(self._seed), str(self._end)]
        with (self._directory / f"{name}.log").open("ab") as log:
            self._workers[name] = subprocess.Popen(
                ["nice", "-n", str(self._wanted[name]), *command], stderr=log, stdout=log, cwd=ROOT
            )

    def _go_on(self, begin: float) -> None:
        """Havoc by plan, memory and disk every second, and what was told as it comes."""
        blows = plan(self._seed, self._seconds, self._server.can_jump)
        while (now := time.monotonic()) < self._end:
            if not self._server.alive():
                self._havoc.faults.append("the server ended by itself")
                return
            while blows and begin + blows[0].at <= now:
                self._havoc.strike(blows.pop(0))
            self._server.measure()
            self._auditor.waits[DISK].append(self._disk.write())
            self._look_after()
            self._take()
            time.sleep(max(0.0, min(1.0, (begin + blows[0].at if blows else self._end) - time.monotonic())))

    def _look_after(self) -> None:
        """A process that ended in mid-run is told, and sent in again."""
        for name, worker in tuple(self._workers.items()):
            if worker.poll():
                self._tell_of(name, worker.returncode)
                self._send(name)

    def _wait_for_all(self) -> None:
        for name, worker in self._workers.items():
            try:
                code = worker.wait(max(1.0, self._end + LAST_MATCHES - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._havoc.faults.append(f"the process of {name} did not end")
                continue
            if code:
                self._tell_of(name, code)
        self._take()

    def _tell_of(self, name: str, code: int) -> None:
        said = (self._directory / f"{name}.log").read_text(errors="replace")[-800:]
        self._havoc.faults.append(f"the process of {name} ended with {code}: {said}")

    def _take(self) -> None:
        figures = self._figures
        for record in self._reader.new():
            match record:
                case Fuzzed():
                    figures.add_fuzzed(record)
                case Stormed():
                    figures.add_stormed(record)
                case Count(what=what, count=count):
                    figures.counts[what] += count
                case Fault(where=where, what=what):
                    self._havoc.faults.append(f"{where}: {what}")
                case Echoed(waits=waits):
                    self._auditor.waits[ECHO] += waits
                case Played():
                    self._auditor.played(record)
                case Saw(match=match):
                    self._shown.setdefault(match, []).append(record)
                case Kept():
                    self._keep(record)

    def _keep(self, match: Kept) -> None:
        self._auditor.journal(match)
        self._kept.add(match.id)
        self._figures.stored += 1
        self._figures.events += match.events

    def _audit(self) -> None:
        """Read what the ledger has not come to yet, and compare everything."""
        with Archive(self._server.data) as archive:
            for record in Ledger(archive).rest(self._kept):
                if isinstance(record, Kept):
                    self._keep(record)
                else:
                    self._havoc.faults.append(f"{record.where}: {record.what}")
            for name, shown in self._shown.items():
                events = archive.events(name)
                for saw in shown:
                    self._auditor.saw(saw, events)
        self._auditor.close(self._havoc.windows)

    def _outcome(self, begin: float, code: int) -> Outcome:
        if code:
            self._havoc.faults.append(f"a polite stop ended with {code}")
        self._figures.load(self._server.memory, begin, self._end)
        return Outcome(self._figures, self._auditor, self._havoc, self._server)


def soak(minutes: float, seed: int, workers: dict[str, int] | None = None, keep: Path | None = None) -> bool:
    """Run it and print the table; whether every promise was kept.  What was written down stays if one was broken."""
    directory = Path(tempfile.mkdtemp(prefix="boardwire-soak-")) if keep is None else keep
    directory.mkdir(parents=True, exist_ok=True)
    outcome = Soak(directory, seed, minutes * 60.0, WORKERS if workers is None else workers).run()
    show(outcome, minutes, seed)
    if outcome.broken:
        print(f"\nwhat everybody was told, the journal and the log are in {directory}", flush=True)
    elif keep is None:
        shutil.rmtree(directory)
    return not outcome.broken
