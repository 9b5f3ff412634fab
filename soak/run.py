"""Start all processes of a soak, inject faults, audit the records, and end everything."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from boardwire.store.archive import Archive as SqliteArchive
from boardwire.store.group_commit import Archive
from soak import arena
from soak.audit import DISK, ECHO, Auditor
from soak.disk import Disk
from soak.havoc import FaultInjector, plan
from soak.ledger import Ledger
from soak.ports import Place, choose
from soak.records import Attacked, Count, Echoed, Fault, Fuzzed, Got, Kept, Played, Reader, Saw, Stormed
from soak.report import Figures, Outcome, show
from soak.server import Server
from soak.windows import Phases, Window

WORKERS: Final = {
    "bystanders": 0, "visitors": 0, "guests": 5, "arena": 5, "fuzz": 10, "crowd": 10, "attackers": 10, "ledger": 15,
}  # fmt: skip
"""Niceness of each client process; the server and the timed players have priority."""

HOSTILE: Final = ("fuzz", "crowd", "attackers")
"""Processes that start after the quiet part of a run."""
QUIET_PART: Final = 0.2
"""Quiet part of a run: players only, no attackers and no faults."""
MAX_QUIET_SECONDS: Final = 60.0
WARM_UP_PART: Final = 0.4
"""Part of the quiet time that is not measured, while processes start."""
MAX_WARM_UP_SECONDS: Final = 8.0
INSPECT_TOKEN: Final = "soak-" + "s" * 40
"""Token of the server's inspector; the attackers do not know it."""

ROOT: Final = Path(__file__).parent.parent

ARENA_SECONDS: Final = 60.0
"""Shortest run in which the arena must have results."""
LAST_MATCHES_SECONDS: Final = 90.0
"""Time for players to finish their matches when the time is up."""


class Run:
    """Client processes and the audit of their records; subclasses run the servers."""

    def __init__(
        self,
        directory: Path,
        seed: int,
        seconds: float,
        workers: dict[str, int],
        times: int = 1,
        slower: float = 1.0,
    ) -> None:
        self._directory = directory
        self._seed = seed
        self._seconds = seconds
        self._wanted = workers
        self._times = times
        self._slower = slower
        self._reader = Reader(directory)
        self._held_back: tuple[str, ...] = ()
        """Processes to start later."""
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._shown: dict[str, list[Saw]] = {}
        self._kept: set[str] = set()
        self._end = 0.0
        self.figures = Figures()
        self.auditor = Auditor()
        self.faults: list[str] = []

    def _write_place(self, where: Place) -> None:
        """Write the servers' ports for the client processes."""
        (self._directory / "place.json").write_bytes(msgspec.json.encode(where))

    def _start_workers(self) -> float:
        """Start the client processes; return the time."""
        begin = time.monotonic()
        self._end = begin + self._seconds
        for name in self._wanted:
            if name not in self._held_back:
                self._start_worker(name)
        return begin

    def _start_worker(self, name: str) -> None:
        given = (self._directory, self._seed, self._end, self._times, self._slower)
        command = [sys.executable, "-m", f"soak.{name}", *map(str, given)]
        with (self._directory / f"{name}.log").open("ab") as log:
            self._workers[name] = worker = subprocess.Popen(
                ["nice", "-n", str(self._wanted[name]), *command],
                stderr=log,
                stdout=log,
                cwd=ROOT,
                start_new_session=True,
            )
        set_session_niceness(worker.pid, session_niceness() + self._wanted[name])

    def _restart_workers(self) -> None:
        """Record a process that ended too early, and restart it."""
        for name, worker in tuple(self._workers.items()):
            if worker.poll():
                self._report_exit(name, worker.returncode)
                self._start_worker(name)

    def _wait_for_workers(self) -> None:
        for name, worker in self._workers.items():
            try:
                code = worker.wait(max(1.0, self._end + LAST_MATCHES_SECONDS - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.faults.append(f"soak.{name} did not exit")
                continue
            if code:
                self._report_exit(name, code)
        self._process_records()

    def _kill_workers(self) -> None:
        for worker in self._workers.values():
            worker.kill()
            worker.wait()

    def _report_exit(self, name: str, code: int) -> None:
        said = (self._directory / f"{name}.log").read_text(errors="replace")[-800:]
        self.faults.append(f"soak.{name} exited with code {code}: {said}")

    def _process_records(self) -> None:
        """Sort the new records of all processes into figures, faults and the auditor."""
        figures = self.figures
        for record in self._reader.new():
            match record:
                case Fuzzed():
                    figures.add_fuzzed(record)
                case Stormed():
                    figures.add_stormed(record)
                case Count(what=what, count=count):
                    figures.counts[what] += count
                case Fault(where=where, what=what):
                    self.faults.append(f"{where}: {what}")
                case Attacked():
                    figures.add_attacked(record)
                case Got():
                    self.auditor.add_gets(record)
                case Echoed(waits=waits):
                    self.auditor.waits[ECHO] += waits
                case Played():
                    self._take_played(record)
                case Saw(match=match):
                    self._shown.setdefault(match, []).append(record)
                case Kept():
                    self._keep_match(record)

    def _take_played(self, record: Played) -> None:
        self.auditor.add_played(record)

    def _keep_match(self, match: Kept) -> None:
        self.auditor.add_match(match)
        self._kept.add(match.id)
        self.figures.stored += 1
        self.figures.events += match.events

    def _audit(self, archive: Archive, windows: Iterable[Window]) -> None:
        """Read the matches that the ledger has not read, and compare everything."""
        for record in Ledger(archive).read_others(self._kept):
            if isinstance(record, Kept):
                self._keep_match(record)
            else:
                self.faults.append(f"{record.where}: {record.what}")
        for name, shown in self._shown.items():
            events = archive.events(name)
            for saw in shown:
                self.auditor.compare_steps(saw, events)
        self.auditor.close(windows)


class Soak(Run):
    """One run against one server."""

    def __init__(self, directory: Path, seed: int, seconds: float, workers: dict[str, int]) -> None:
        super().__init__(directory, seed, seconds, workers)
        self._echo = subprocess.Popen([sys.executable, "-m", "bench.echo"], stdout=subprocess.PIPE, cwd=ROOT)
        where = choose(self._echo_port())
        self._write_place(where)
        flags = (f"--data={directory / 'data'}", "--inspect", f"--inspect-token={INSPECT_TOKEN}")
        self._server = Server(directory, where, flags=flags)
        self._attackers = tuple(name for name in HOSTILE if name in workers)
        self._havoc = FaultInjector(self._server)
        self._disk = Disk(directory)

    def run(self) -> Outcome:
        """Run the soak and return its result."""
        try:
            self._server.start()
            self._held_back = self._attackers
            begin = self._start_workers()
            attack = begin + quiet_seconds(self._seconds, bool(self._attackers))
            warm_up = min(MAX_WARM_UP_SECONDS, WARM_UP_PART * (attack - begin))
            self._run_faults(attack)
            self._wait_for_workers()
            code = self._server.stop()
            with SqliteArchive(self._server.data) as archive:
                self._audit(archive, self._havoc.windows)
                if "arena" in self._wanted:
                    broken, results = arena.audit(self._server.data, archive.events)
                    self.faults += [f"arena: {what}" for what in broken]
                    self.figures.counts["arena results"] = results
                    if not results and self._seconds >= ARENA_SECONDS:
                        self.faults.append("arena: no match was finished")
            return self._outcome(begin, Phases(begin + warm_up, attack, self._end), code)
        finally:
            self._kill_workers()
            self._echo.kill()
            self._echo.wait()
            if self._echo.stdout is not None:
                self._echo.stdout.close()
            self._server.close()
            self._disk.close()

    def _echo_port(self) -> int:
        assert self._echo.stdout is not None
        return int(self._echo.stdout.readline().rpartition(b":")[2])

    def _run_faults(self, attack: float) -> None:
        """Start attackers and faults after the quiet time; measure memory and disk every second; read records."""
        faults = plan(self._seed, self._end - attack, self._server.can_jump)
        while (now := time.monotonic()) < self._end:
            if not self._server.is_alive():
                self.faults.append("the server exited unexpectedly")
                return
            if self._held_back and now >= attack:
                for name in self._held_back:
                    self._start_worker(name)
                self._held_back = ()
            while faults and attack + faults[0].at <= now:
                self._havoc.inject(faults.pop(0))
            self._server.measure()
            self.auditor.waits[DISK].append(self._disk.write())
            self._restart_workers()
            self._process_records()
            due = attack + faults[0].at if faults else self._end
            time.sleep(max(0.0, min(1.0, (attack if self._held_back else due) - time.monotonic())))

    def _outcome(self, begin: float, phases: Phases, code: int) -> Outcome:
        if code:
            self.faults.append(f"the server exited with code {code} after SIGTERM")
        self._havoc.faults += self.faults
        self.figures.load(self._server.memory, begin, self._end)
        return Outcome(self.figures, self.auditor, self._havoc, self._server, phases)


def session_niceness() -> int:
    """Return the niceness of this process's session, or 0 if the system does not report it."""
    with suppress(OSError, ValueError):
        return int(Path("/proc/self/autogroup").read_text().rpartition(" ")[2])
    return 0


def set_session_niceness(pid: int, niceness: int) -> None:
    """Set the niceness of a process's session if Linux schedules by session (`kernel.sched_autogroup_enabled`).

    The niceness of a process then counts only within its session.
    """
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness))


def quiet_seconds(seconds: float, attacked: bool) -> float:
    """Return the length of the quiet part of a run."""
    return min(MAX_QUIET_SECONDS, QUIET_PART * seconds) if attacked else 0.0


def soak(minutes: float, seed: int, workers: dict[str, int] | None = None, keep: Path | None = None) -> bool:
    """Run a soak and print its report; return whether every guarantee held. If not, the records are kept."""
    directory = Path(tempfile.mkdtemp(prefix="boardwire-soak-")) if keep is None else keep
    directory.mkdir(parents=True, exist_ok=True)
    outcome = Soak(directory, seed, minutes * 60.0, WORKERS if workers is None else workers).run()
    show(outcome, minutes, seed)
    if outcome.broken:
        print(f"\nrecords, journal and log are in {directory}", flush=True)
    elif keep is None:
        shutil.rmtree(directory)
    return not outcome.broken
