"""Programs of teams: started, watched and stopped.

- A command or a jar runs in the engines' cage. A server has the network of the worker that starts it, which is a
  private loopback interface (`worker.py`). A client in a match is alone on its network and can reach only our proxy.
- A container image is run by `docker` (or `podman`), which limits it: the cage cannot limit a daemon's containers.
- A server that the team runs itself is represented by its address alone.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Final, Protocol

from boardwire.arena.network import ISOLATED_PORT
from boardwire.course.config import Course, ProgramConfig, Team
from boardwire.course.hints import FindingKind
from boardwire.engines import CageLimits
from boardwire.engines.cage import CageTool, best_cage_tool
from boardwire.engines.command import MissingProgram, find_program
from boardwire.engines.network_program import LOG_TAIL_BYTES, NetworkProgram
from boardwire.errors import BoardwireError, Reason, Unavailable
from boardwire.proxy.proxy import Proxy

HOST: Final = "127.0.0.1"
POLL_SECONDS: Final = 0.02
LISTENING: Final = "0A"
"""State of a listening socket in /proc/net/tcp."""
HOME_PORT: Final = 7002
"""Port in the commands with which a team repeats a case on its own machine."""
CONTAINER_TOOLS: Final = ("docker", "podman")
CONTAINER_STOP_SECONDS: Final = 20.0


class ProgramFault(BoardwireError):
    """A program of a team failed; `log` is the end of its output."""

    default_reason = Reason.FAULT

    def __init__(self, kind: FindingKind, message: str, log: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log


class RunningProgram(Protocol):
    """A program that was started."""

    @property
    def has_ended(self) -> bool: ...

    @property
    def exit_status(self) -> int | None:
        """Exit code, or minus the number of the signal that ended it; None while it runs."""

    @property
    def excess(self) -> str:
        """The limit for which it was killed, or ''."""

    def stop(self) -> None:
        """Kill it with all its descendants."""

    def log(self) -> str:
        """Return the end of the program's output."""


class ContainerProgram:
    """A container, limited by the container engine."""

    def __init__(self, argv: Sequence[str], name: str) -> None:
        self._argv, self._name = list(argv), name
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._log: str | None = None
        try:
            self._process = subprocess.Popen(
                self._argv, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._output.close()
            raise Unavailable(f"cannot run {self._argv[0]}: {error.strerror}") from None

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def exit_status(self) -> int | None:
        return self._process.poll()

    @property
    def excess(self) -> str:
        return ""

    def stop(self) -> None:
        """Kill the container and the process attached to it."""
        if self._log is not None:
            return
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [self._argv[0], "kill", self._name], stdin=subprocess.DEVNULL, capture_output=True,
                timeout=CONTAINER_STOP_SECONDS, check=False,
            )  # fmt: skip
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, size - LOG_TAIL_BYTES))
        self._log = self._output.read().decode("utf-8", "replace")
        self._output.close()

    def log(self) -> str:
        """Return the end of the program's output, or '' while it runs."""
        return self._log or ""


def container_argv(
    tool: str,
    image: str,
    name: str,
    limits: CageLimits,
    words: Sequence[str],
    port: int,
    *,
    is_server: bool,
) -> list[str]:
    """Return the command that runs an image.

    A server's port is published on this machine only; a client uses the host's network, because our servers listen on
    its loopback interface.
    """
    network = ["--publish", f"{HOST}:{port}:{port}"] if is_server else ["--network", "host"]
    return [
        tool, "run", "--rm", "--name", name, *network, "--memory", str(limits.memory_bytes), "--pids-limit",
        str(limits.processes), "--cpus", "1", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only",
        "--tmpfs", "/tmp", image, *words,
    ]  # fmt: skip


def fill_placeholders(words: Sequence[str], port: int, name: str = "client", players: int = 2) -> list[str]:
    """Return a team's command with its placeholders replaced."""
    values = {"host": HOST, "port": port, "name": name, "players": players, "mode": "simplified"}
    return [word.format_map(values) for word in words]


def home_command(program: ProgramConfig) -> str:
    """Return the command that starts a program by hand, on `HOME_PORT`; '' for one that the team runs itself."""
    if program.is_external:
        return ""
    words = fill_placeholders(program.words(), HOME_PORT)
    return shlex.join(["docker", "run", "--rm", "--network", "host", program.image, *words] if program.image else words)


def program_problems(course: Course, team: Team) -> list[str]:
    """Return the problems of the programs in a team's commands, except for programs that its build may create."""
    home, problems = course.home(team), []
    commands = [("build", team.build), ("update", team.update)]
    commands += [(key, program.command) for key, program in (("server", team.server), ("client", team.client))
                 if program is not None and (program.run or program.jar)]  # fmt: skip
    for key, command in commands:
        words = shlex.split(command)
        if not words or (team.build and key != "build" and "/" in words[0]):
            continue
        try:
            find_program(words[0], home)
        except BoardwireError as error:
            problems.append(f"{key}: {error}")
    return problems


class Programs:
    """Starts the programs of one team; `home` is the directory of its build."""

    def __init__(self, course: Course, team: Team, home: Path) -> None:
        self.course = course
        self.team = team
        self.home = home
        self.timing = course.file.timing

    def start(
        self, program: ProgramConfig, words: Sequence[str], port: int, *, is_server: bool, isolated: bool = False
    ) -> RunningProgram:
        """Start a program; raise `ProgramFault` if it cannot be started.

        If `isolated`, the program is alone on its network and can reach only `port` (`NetworkProgram.listening`).
        """
        limits = self.course.file.limits
        try:
            if program.image:
                name = f"boardwire-{self.team.name}-{token_hex(4)}"
                tool = next((name for name in CONTAINER_TOOLS if shutil.which(name)), CONTAINER_TOOLS[0])
                argv = container_argv(tool, program.image, name, limits, words, port, is_server=is_server)
                return ContainerProgram(argv, name)
            typed = self.home / program.input if program.input else None
            return NetworkProgram(words, limits, self.home, typed=typed, served_port=port if isolated else 0)
        except MissingProgram as error:
            raise ProgramFault(FindingKind.NOT_FOUND, f"cannot find the program: {error}") from None
        except BoardwireError as error:
            raise ProgramFault(FindingKind.START, f"cannot start the program: {error}") from None

    async def start_server(self) -> ServerProgram:
        """Start the team's server and wait until it listens; raise `ProgramFault` if it does not."""
        assert self.team.server is not None, "the task was planned for a team with a server"
        if self.team.server.address:
            host, _, number = self.team.server.address.rpartition(":")
            return ServerProgram(None, host, int(number))
        port = free_port()
        program = self.team.server
        running = self.start(program, fill_placeholders(program.words(), port), port, is_server=True)
        try:
            await self._until_listening(running, port)
        except BaseException:
            await stop_program(running)
            raise
        return ServerProgram(running, HOST, port)

    async def _until_listening(self, running: RunningProgram, port: int) -> None:
        """Wait until a server listens on its port; raise `ProgramFault` if it ends or does not in time."""
        deadline = monotonic() + self.timing.start
        while not is_listening(port):
            if running.has_ended:
                await stop_program(running)
                raise ended_early(running, "it listened", FindingKind.START)
            if monotonic() > deadline:
                await stop_program(running)
                message = f"the server did not listen on port {port} within {self.timing.start:g} s"
                raise ProgramFault(FindingKind.NO_PORT, message, running.log())
            await asyncio.sleep(POLL_SECONDS)

    async def start_client(self, proxy: Proxy) -> RunningProgram:
        """Start the team's client, and let the proxy listen for it; raise `ProgramFault` if it cannot be started.

        If the system has network namespaces, the client is alone on its network and can reach only the proxy.
        """
        program = self.team.client
        assert program is not None, "the task was planned for a team with a client"
        port = ISOLATED_PORT
        isolated = not program.image and best_cage_tool() is CageTool.BUBBLEWRAP
        if not isolated:
            _, port = await proxy.listen(HOST, 0)
        begin = partial(
            self.start, program, fill_placeholders(program.words(), port), port, is_server=False, isolated=isolated
        )
        running = await asyncio.get_running_loop().run_in_executor(None, begin)
        if isinstance(running, NetworkProgram) and running.listening is not None:
            proxy.serve(running.listening)
        return running


class ServerProgram:
    """A server of a team: a running program, or only an address."""

    def __init__(self, program: RunningProgram | None, host: str, port: int) -> None:
        self.program = program
        self.host = host
        self.port = port

    @property
    def has_ended(self) -> bool:
        return self.program is not None and self.program.has_ended

    async def stop(self) -> None:
        """Stop the program, unless the team runs it itself."""
        if self.program is not None:
            await stop_program(self.program)

    def log(self) -> str:
        """Return the end of the program's output."""
        return "" if self.program is None else self.program.log()


async def stop_program(running: RunningProgram) -> None:
    """Stop a program without blocking the event loop."""
    await asyncio.get_running_loop().run_in_executor(None, running.stop)


def ended_early(running: RunningProgram, before: str, kind: FindingKind) -> ProgramFault:
    """Return the fault of a program that ended too early, with the limit that it exceeded, if any."""
    if running.excess:
        return ProgramFault(FindingKind.LIMIT, f"the program exceeded the limit of {running.excess}", running.log())
    return ProgramFault(kind, f"the program ended before {before} ({exit_description(running)})", running.log())


def exit_description(running: RunningProgram) -> str:
    """Describe how a program ended: the exceeded limit, the signal or the exit code."""
    status = running.exit_status
    if running.excess:
        return f"over the limit of {running.excess}"
    if status is None:
        return "it is still running"
    return f"signal {-status}" if status < 0 else f"exit code {status}"


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def is_listening(port: int) -> bool:
    """Return whether a program listens on a port, without connecting: a server takes each connection for a player."""
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].exists():
        with suppress(OSError), socket.create_connection((HOST, port), 0.2):
            return True
        return False
    port_suffix = f":{port:04X}"
    for table in tables:
        with suppress(OSError):
            for line in table.read_text().splitlines()[1:]:
                fields = line.split()
                if fields[1].endswith(port_suffix) and fields[3] == LISTENING:
                    return True
    return False


class CaseClient:
    """A team's client, for the examination of clients (`conformance.client.examiner.ClientProgram`)."""

    def __init__(self, program: RunningProgram) -> None:
        self.program = program

    @property
    def returncode(self) -> int | None:
        return self.program.exit_status

    async def stop(self) -> None:
        """End the client."""
        await stop_program(self.program)


async def start_case(
    programs: Programs, started: list[RunningProgram], words: list[str], typed: Path | None
) -> CaseClient:
    """Start a client for one case, and store it in `started`, from which its log is read later."""
    program = programs.team.client
    assert program is not None, "the task was planned for a team with a client"
    begin = partial(programs.start, program, words, 0, is_server=False)
    running = await asyncio.get_running_loop().run_in_executor(None, begin)
    started[:] = [running]
    return CaseClient(running)
