"""A running engine in its cage: pipes, resource use and termination.

- Resource limits are per process. The warden, one thread for all engines, sums up the resources of all descendants and
  kills an engine that exceeds a limit. It also starts every engine, because a child with `--die-with-parent` is killed
  when the *thread* that started it ends.
- `kill` leaves no process of the engine: they share a process namespace or, without one, are found in `/proc` by a
  token in their environment.
"""

from __future__ import annotations

import os
import queue
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from enum import StrEnum
from functools import partial
from glob import glob
from pathlib import Path
from time import monotonic
from typing import Any, Final

from boardwire.engines.cage import (
    PRIVATE_TMP,
    CageLimits,
    CageTool,
    NetworkAccess,
    best_cage_tool,
    cage_command,
    own_user,
)
from boardwire.engines.command import ResolvedCommand
from boardwire.errors import Unavailable

PATH: Final = "/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/local/games"
WATCH_SECONDS: Final = 0.1
"""Interval between the warden's checks."""
EXIT_SECONDS: Final = 0.5
"""Time in which an engine must exit after its input is closed; then it is killed."""
ORPHAN_PAUSES_SECONDS: Final = (0.005, 0.02, 0.08)
"""Pauses between searches for orphans: during its `exec`, a process has no environment to recognise it by."""
MEMORY_BLAME_FRACTION: Final = 0.9
"""Share of the memory limit from which the death of an engine counts as caused by it."""
HAS_CAGES: Final = hasattr(os, "wait4")  # Windows has neither sessions nor process groups
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if HAS_CAGES else 4096
CLOCK_TICKS: Final = os.sysconf("SC_CLK_TCK") if HAS_CAGES else 100


class Excess(StrEnum):
    """The limit for which the warden killed an engine."""

    MEMORY = "memory"
    CPU = "CPU time"


class CagedProcess:
    """A running engine with its pipes. `stdin` is non-blocking; `protections` are the active ones.

    Raises `Unavailable` if it cannot be started.
    """

    def __init__(
        self,
        program: ResolvedCommand,
        limits: CageLimits,
        cage_tool: CageTool | None = None,
        *,
        network: NetworkAccess = NetworkAccess.NONE,
        writable: Path | None = None,
        prefix: Sequence[str] = (),
        descriptors: Sequence[int] = (),
    ) -> None:
        self.limits = limits
        self._prefix = prefix
        """Command that is put before the cage's, and executes it."""
        self._network = network
        self._writable = writable
        self.excess: Excess | None = None
        """The limit for which the warden killed it."""
        self.peak_memory_bytes = 0
        self.exit_status: int | None = None
        """Exit code, or minus the number of the signal that ended it; None while it runs."""
        self._cage_tool = cage_tool or best_cage_tool()
        # not BOARDWIRE_..., which a boardwire in the cage would reject as an unknown setting
        self._token = f"ENGINE_CAGE={os.getpid()}.{os.urandom(8).hex()}"
        self._scratch: str | None = None
        """Temporary home directory, or None if the cage provides one."""
        self._kill_lock = threading.Lock()
        self._wait_lock = threading.Lock()
        """Held while the exit status is collected, which the system returns only once."""
        argv, environment = self._caged_command(program)
        try:
            self._process = _warden().start_engine(
                partial(_start_process, argv, program.directory, environment, descriptors)
            )
        except OSError as error:
            self._remove_scratch()
            raise Unavailable(f"cannot start {shlex.join(program.argv)}: {error}") from error
        self.pid = self._process.pid
        self.exit_descriptor = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        """Descriptor that becomes readable when the process ends, or -1 if the system has none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.stdin, self.stdout, self.stderr = self._process.stdin, self._process.stdout, self._process.stderr
        os.set_blocking(self.stdin.fileno(), False)
        if limits.niceness:
            with suppress(OSError):
                os.setpriority(os.PRIO_PGRP, self.pid, limits.niceness)
        _warden().watch(self)

    def _caged_command(self, program: ResolvedCommand) -> tuple[list[str], dict[str, str]]:
        """Return the command line and the environment of the caged program; make its user own the writable folders."""
        user = own_user()
        if self._cage_tool is not CageTool.BUBBLEWRAP:
            self._scratch = tempfile.mkdtemp(prefix="boardwire-engine-")
            if user is not None:
                os.chown(self._scratch, user, user)
        if self._writable is not None and user is not None:
            for path in (self._writable, *self._writable.rglob("*")):
                os.chown(path, user, user, follow_symlinks=False)
        home = self._scratch or PRIVATE_TMP
        argv, self.protections = cage_command(
            program, self.limits, self._cage_tool, home, user, self._network, self._writable
        )
        name, _, token = self._token.partition("=")
        return [*self._prefix, *argv], {
            "PATH": f"{PATH}:{os.environ.get('PATH', '')}".rstrip(":"), "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", name: token,
        }  # fmt: skip

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return not self._reap_process(os.WNOHANG)

    def wait(self, seconds: float) -> bool:
        """Wait until the process has ended, for at most `seconds`; return whether it has."""
        deadline = monotonic() + seconds
        delay = 0.0005
        while not self._reap_process(os.WNOHANG):
            remaining = deadline - monotonic()
            if remaining <= 0:
                return False
            threading.Event().wait(min(delay, remaining))
            delay = min(delay * 2, 0.02)
        return True

    def kill(self, excess: Excess | None = None) -> None:
        """Kill the process with all its descendants and release its resources; further calls have no effect."""
        with self._kill_lock:
            if excess is not None and self.exit_status is None:
                self.excess = excess
            self._kill_descendants()
            self._reap_process(0)
            if self._cage_tool is not CageTool.SESSION:
                self._wait_for_namespace()
            self._remove_scratch()
        _warden().forget(self)

    def close(self) -> None:
        """Close the pipes, after `kill`."""
        for stream in (self.stdin, self.stdout, self.stderr):
            with suppress(OSError):
                stream.close()
        if self.exit_descriptor >= 0:
            os.close(self.exit_descriptor)
            self.exit_descriptor = -1

    def usage(self) -> tuple[int, float]:
        """Return the resident memory in bytes and the CPU seconds of all running processes of the engine."""
        memory, ticks = 0, 0
        for pid in self._process_tree():
            with suppress(OSError, IndexError, ValueError):
                _, resident, shared, *_ = map(int, _read_file(f"/proc/{pid}/statm").split())
                memory += (resident - shared) * PAGE_BYTES  # without mapped files, which processes share
                # the second field, a name in brackets, may contain spaces: count the fields after it
                fields = _read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
                ticks += sum(map(int, fields[11:15]))  # of the process, and of its children that have ended
        self.peak_memory_bytes = max(self.peak_memory_bytes, memory)
        return memory, ticks / CLOCK_TICKS

    def _process_tree(self) -> list[int]:
        """Return the process ids of the engine and its descendants, the engine's first."""
        tree, unvisited = [self.pid], [self.pid]
        while unvisited:
            pid = unvisited.pop()
            for file in glob(f"/proc/{pid}/task/*/children"):
                with suppress(OSError, ValueError):
                    children = list(map(int, _read_file(file).split()))
                    tree += children
                    unvisited += children
        return tree

    def _kill_descendants(self) -> None:
        """Kill all processes of the engine, including orphans that left its session."""
        descendants: list[int] = []
        if self._cage_tool is CageTool.SESSION and self.exit_status is None:
            for pid in self._process_tree():  # stopped first, so that they cannot start further processes
                with suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
            descendants = self._process_tree()[1:]  # again: a process may have been started before the stop
        if self.exit_status is None:
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        _kill_processes(descendants)
        if self._cage_tool is CageTool.SESSION:
            _kill_processes(self._orphans())
            for pause in ORPHAN_PAUSES_SECONDS:
                threading.Event().wait(pause)
                _kill_processes(self._orphans())

    def _orphans(self) -> Iterator[int]:
        """Yield the processes that have inherited the engine's token, in any session."""
        token = self._token.encode()
        for path in glob("/proc/[0-9]*/environ"):
            with suppress(OSError):
                if token in _read_file(path):
                    yield int(path.split("/")[2])

    def _wait_for_namespace(self) -> None:
        """Wait until all processes in the namespace have ended: they hold the write ends of the pipes."""
        deadline = monotonic() + EXIT_SECONDS
        while monotonic() < deadline and not self._is_stderr_closed():
            threading.Event().wait(0.001)

    def _is_stderr_closed(self) -> bool:
        """Return whether all writers of the standard error have ended."""
        try:
            return not _has_writer(self.stderr.fileno())
        except (OSError, ValueError):
            return True

    def _reap_process(self, flags: int) -> bool:
        """Collect the exit status if the process has ended; return whether it has."""
        import resource  # here, because it exists on POSIX only, as cages do

        with self._wait_lock:
            if self.exit_status is not None:
                return True
            pid, status, usage = os.wait4(self.pid, flags)
            if pid == 0:
                return False
            # Linux initialises a child's peak with that of the forking process, so a lower value says nothing.
            if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
                self.peak_memory_bytes = max(self.peak_memory_bytes, usage.ru_maxrss * 1024)
            code = os.waitstatus_to_exitcode(status)
            # bubblewrap and shells report a signal as 128 plus its number
            self.exit_status = self._process.returncode = 128 - code if code > 128 else code
            return True

    def _remove_scratch(self) -> None:
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None


def _kill_processes(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _start_process(
    argv: Sequence[str], directory: Path, environment: dict[str, str], descriptors: Sequence[int]
) -> subprocess.Popen[bytes]:
    """Start a process in its own session, with pipes and only these additional descriptors."""
    return subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, close_fds=True,
        cwd=directory, env=environment, start_new_session=True, pass_fds=descriptors,
    )  # fmt: skip


def _has_writer(descriptor: int) -> bool:
    """Return whether a process still has the other end of a pipe open."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return not any(flags & select.POLLHUP for _, flags in poll.poll(0))


def _read_file(path: str) -> bytes:
    """Read a small file of /proc with one system call."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


# --- the warden -------------------------------------------------------------------------------------------------------


class Warden(threading.Thread):
    """Starts engines and watches their total memory and CPU time, in one thread that lives as long as the process."""

    def __init__(self) -> None:
        super().__init__(name="engine warden", daemon=True)
        self._requests: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._engines: set[CagedProcess] = set()
        self._lock = threading.Lock()

    def start_engine(self, call: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """Run a call that starts an engine in the thread of the warden, and return its result."""
        future: Future[subprocess.Popen[bytes]] = Future()
        self._requests.put((call, future))
        return future.result()

    def watch(self, process: CagedProcess) -> None:
        """Watch an engine from now on."""
        with self._lock:
            self._engines.add(process)
        self._requests.put(None)  # wakes the thread

    def forget(self, process: CagedProcess) -> None:
        """Stop watching an engine."""
        with self._lock:
            self._engines.discard(process)

    def run(self) -> None:
        """Serve requests, and check every engine in between."""
        next_check = 0.0
        while True:
            timeout = max(0.0, next_check - monotonic()) if self._engines else None
            try:
                request = self._requests.get(timeout=timeout)
            except queue.Empty:
                request = None
            if request is not None:
                call, future = request
                try:
                    future.set_result(call())
                except BaseException as error:  # noqa: BLE001 - it is raised to the caller
                    future.set_exception(error)
            if monotonic() >= next_check:
                with self._lock:
                    processes = tuple(self._engines)
                for process in processes:
                    _check_usage(process)
                next_check = monotonic() + WATCH_SECONDS


def _check_usage(process: CagedProcess) -> None:
    """Kill an engine whose processes together exceed a limit."""
    if not process.is_running:
        return
    memory, seconds = process.usage()
    if memory > process.limits.memory_bytes:
        process.kill(Excess.MEMORY)
    elif seconds > process.limits.cpu_seconds:
        process.kill(Excess.CPU)


_shared_warden: Warden | None = None
_warden_lock = threading.Lock()


def _warden() -> Warden:
    """Return the warden of this process, started on first use."""
    global _shared_warden
    with _warden_lock:
        if _shared_warden is None:
            _shared_warden = Warden()
            _shared_warden.start()
        return _shared_warden


def _forget_warden() -> None:
    """Reset the warden in a forked child, which does not inherit its thread."""
    global _shared_warden, _warden_lock
    _shared_warden, _warden_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_warden)
