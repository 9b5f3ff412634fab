"""Execution of one task, the smallest part of a run.

- A task has a key: `build/TEAM`, `server/TEAM`, `client/TEAM`, `server-resilience/TEAM`, `client-resilience/TEAM`,
  `match/CLIENT/SERVER` or `tournament/ONE/OTHER`.
- `plan.plan` lists the tasks of a run in order. `execute` runs one in the process that calls it, which is a worker
  (`worker.py`), and returns its cells.
- The cells of a run for one team are those of that team only: a push must not change the scores of others.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import stat
import subprocess
import threading
from collections.abc import Container, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import msgspec

from boardwire import dialects
from boardwire.arena import config as arena_config
from boardwire.arena.match import Cause
from boardwire.arena.results import result_of
from boardwire.arena.schedule import Schedule
from boardwire.arena.worker import Players, play_job
from boardwire.conformance.client import examiner
from boardwire.conformance.client.cases import COALESCED, Goal, cases
from boardwire.conformance.server import checks as server_checks
from boardwire.conformance.server import probe as server_probe
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.conformance.server.runner import run_checks
from boardwire.course.config import Course, Criterion, Team
from boardwire.course.hints import FindingKind
from boardwire.course.play import CONVERSATION_LINES, PLAIN, RESILIENCE, client_case, play_pair, server_case
from boardwire.course.programs import (
    HOME_PORT,
    HOST,
    ProgramFault,
    Programs,
    RunningProgram,
    ServerProgram,
    ended_early,
    exit_description,
    fill_placeholders,
    home_command,
    start_case,
)
from boardwire.course.results import Case, Cell
from boardwire.engines.cage import NetworkAccess
from boardwire.engines.network_program import LOG_TAIL_BYTES, NetworkProgram
from boardwire.errors import BoardwireError, Malformed, Unavailable
from boardwire.table.events import Event

MAX_SNAPSHOT_BYTES: Final = 512 << 20
"""Largest team directory that is copied for a run."""
MAX_SNAPSHOT_FILES: Final = 20_000
UPDATE_SECONDS: Final = 120.0
"""Timeout of the command that fetches a team's latest version."""
MAX_RESTARTS: Final = 20
"""How often a server is restarted during its check."""
WATCH_SECONDS: Final = 0.2
MAX_TASK_ATTEMPTS: Final = 3
"""Attempts at each check of a server."""
STAYS_UP: Final = "stays up during the checks"
BUILDS: Final = "builds"
STARTS: Final = "starts"


class TaskResult(msgspec.Struct, frozen=True):
    """Cells of a task, and the matches that it played, by name."""

    cells: tuple[Cell, ...] = ()
    matches: tuple[tuple[str, tuple[Event, ...]], ...] = ()


class Workspace(msgspec.Struct, frozen=True):
    """Directories of a run: copies of teams' directories, files of cases, and the prefix of match names."""

    work: Path
    files: Path
    run: str


def teams_of(key: str) -> tuple[str, ...]:
    """Return the teams of a task."""
    return tuple(key.split("/")[1:])


def cells_of(key: str, team: str = "") -> tuple[tuple[str, Criterion, str], ...]:
    """Return team, criterion and opponent of every cell that a task fills, or only those of `team`."""
    kind, *names = key.split("/")
    if kind == "match":
        cells = [(names[0], Criterion.CLIENT_MATCHES, names[1]), (names[1], Criterion.SERVER_MATCHES, names[0])]
    elif kind == "tournament":
        cells = [(team_name, Criterion.TOURNAMENT, other) for team_name, other in (names, names[::-1])]
    else:
        cells = [(names[0], Criterion(kind), "")]
    return tuple(cell for cell in cells if not team or cell[0] == team)


def without_result(key: str, team: str, verdict: Verdict, kind: FindingKind, detail: str) -> tuple[Cell, ...]:
    """Return the cells of a task that did not finish."""
    case = Case(key.partition("/")[0], verdict, detail=detail, kind=kind)
    return tuple(Cell(name, criterion, (case,), against) for name, criterion, against in cells_of(key, team))


def needs_host_network(course: Course, key: str) -> bool:
    """Return whether a task needs this machine's network: for containers, or programs that teams run themselves."""
    kind, *names = key.split("/")
    teams = [course.team(name) for name in names]
    if kind == "build":
        return bool(teams[0].update)
    if kind == "match":
        programs = [teams[0].client, teams[1].server]
    elif kind in ("server", "server-resilience"):
        programs = [teams[0].server]
    else:
        programs = [team.client for team in teams]
    return any(program is not None and program.needs_host_network for program in programs)


# --- execution --------------------------------------------------------------------------------------------------------


def execute(course: Course, key: str, workspace: Workspace) -> TaskResult:
    """Run a task in this process and return all its cells."""
    kind, *names = key.split("/")
    teams = [course.team(name) for name in names]
    programs = [Programs(course, team, _home(team, workspace)) for team in teams]
    stem = key.replace("/", "-")
    match kind:
        case "build":
            return TaskResult(_build(course, teams[0], workspace))
        case "server":
            return TaskResult(
                (Cell(names[0], Criterion.SERVER, _store_logs(_check_server(programs[0]), workspace, stem)),)
            )
        case "client":
            return TaskResult(
                (Cell(names[0], Criterion.CLIENT, _store_logs(_check_client(programs[0]), workspace, stem)),)
            )
        case "match":
            return _match(programs[0], programs[1], workspace, stem)
        case "tournament":
            return _encounter(course, programs, workspace, stem)
    judge = server_case if kind == Criterion.SERVER_RESILIENCE else client_case
    cases = _resilience(partial(judge, programs[0]), workspace, stem)
    return TaskResult((Cell(names[0], Criterion(kind), _store_logs(cases, workspace, stem)),))


def _home(team: Team, workspace: Workspace) -> Path:
    return workspace.work / team.name


def _store_logs(cases: Sequence[Case], workspace: Workspace, stem: str) -> tuple[Case, ...]:
    """Write logs of cases to files, and return the cases with the files' names."""
    stored = []
    for number, case in enumerate(cases, 1):
        if case.log:
            path = workspace.files / f"{stem}-{number}.log"
            path.write_text(case.log, "utf-8", errors="replace")
            case = msgspec.structs.replace(case, log=path.name)
        stored.append(case)
    return tuple(stored)


def _build(course: Course, team: Team, workspace: Workspace) -> tuple[Cell, ...]:
    """Copy a team's directory and build there; a team without a build has no cell."""
    home, temporary = _home(team, workspace), workspace.work / f"{team.name}.new"
    for path in (home, temporary):
        shutil.rmtree(path, ignore_errors=True)
    case = Case(BUILDS, Verdict.PASS)
    try:
        if team.update:
            _update(course, team)
        snapshot(course.home(team), temporary)
        if team.build:
            _run_build(course, team, temporary)
        temporary.rename(home)
    except ProgramFault as fault:
        case = Case(BUILDS, Verdict.FAIL, detail=str(fault), kind=fault.kind, log=fault.log, repeat=team.build)
    except (OSError, BoardwireError) as error:
        case = Case(BUILDS, Verdict.FAIL, detail=str(error), kind=FindingKind.BUILD, repeat=team.build)
    if not team.build and case.verdict is Verdict.PASS:
        return ()
    return (Cell(team.name, Criterion.BUILD, _store_logs([case], workspace, f"build-{team.name}")),)


def _update(course: Course, team: Team) -> None:
    """Fetch a team's latest version with the teacher's command."""
    try:
        completed = subprocess.run(
            shlex.split(team.update), cwd=course.home(team), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=UPDATE_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramFault(FindingKind.BUILD, f"the update failed: {error}") from None
    if completed.returncode:
        log = completed.stdout[-LOG_TAIL_BYTES:].decode("utf-8", "replace")
        raise ProgramFault(FindingKind.BUILD, f"the update failed (exit code {completed.returncode})", log)


def snapshot(source: Path, target: Path) -> None:
    """Copy a team's directory without following links; raise `ProgramFault` if it is too large.

    Devices, sockets, pipes and `.git` are left out. All users may read the copy, because caged programs may run as
    another user.
    """
    size = files = 0
    target.mkdir(parents=True)
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name != ".git"]
        here = target / Path(folder).relative_to(source)
        for name in [*folders, *names]:
            path, copy = Path(folder) / name, here / name
            status = path.lstat()
            files += 1
            size += status.st_size if stat.S_ISREG(status.st_mode) else 0
            if size > MAX_SNAPSHOT_BYTES or files > MAX_SNAPSHOT_FILES:
                raise ProgramFault(
                    FindingKind.LIMIT,
                    f"the team's directory has more than {MAX_SNAPSHOT_FILES:,} files or {MAX_SNAPSHOT_BYTES >> 20} MB",
                )
            if stat.S_ISLNK(status.st_mode):
                copy.symlink_to(path.readlink())
            elif stat.S_ISDIR(status.st_mode):
                copy.mkdir()
                copy.chmod(0o755)
            elif stat.S_ISREG(status.st_mode):
                shutil.copyfile(path, copy)
                copy.chmod(0o755 if status.st_mode & stat.S_IXUSR else 0o644)
    target.chmod(0o755)


def _run_build(course: Course, team: Team, directory: Path) -> None:
    """Run a team's build; raise `ProgramFault` if it fails or does not end in time."""
    limits, limit = course.file.build_limits, course.file.timing.task
    try:
        program = NetworkProgram(
            shlex.split(team.build), limits, directory, network=NetworkAccess.NONE, writable=directory
        )
    except Malformed as error:
        raise ProgramFault(FindingKind.BUILD, f"cannot start the build: {error}") from None
    has_ended = program.wait(limit * 0.9)
    program.stop()
    if not has_ended:
        raise ProgramFault(FindingKind.TIME, f"the build did not end within {limit * 0.9:g} s", program.log())
    if program.excess:
        raise ended_early(program, "it was done", FindingKind.BUILD)
    if program.exit_status:
        raise ProgramFault(FindingKind.BUILD, f"the build failed ({exit_description(program)})", program.log())


# --- checks -----------------------------------------------------------------------------------------------------------


def _case_of_check(result: CheckResult, repeat: str) -> Case:
    """Return a result of a check as a case."""
    kind = None
    if result.verdict is not Verdict.PASS:
        kind = FindingKind.BLOCKED if result.because else FindingKind.SPECIFICATION
        if result.name == COALESCED and result.verdict is Verdict.FAIL:
            kind = FindingKind.FRAMING
    only = shlex.quote(result.because or result.name)
    return Case(
        result.name,
        result.verdict,
        result.section,
        result.detail,
        kind,
        result.because,
        result.ruling,
        conversation=result.conversation[-CONVERSATION_LINES:],
        repeat="" if result.verdict is Verdict.PASS else repeat.format(only=only),
    )


def _failed_case(name: str, fault: ProgramFault, repeat: str = "") -> list[Case]:
    return [Case(name, Verdict.FAIL, detail=str(fault), kind=fault.kind, log=fault.log, repeat=repeat)]


class _CrashWatcher(threading.Thread):
    """Restarts a server that ends during its check, and records each end as a fault."""

    def __init__(self, programs: Programs, server: ServerProgram) -> None:
        super().__init__(daemon=True)
        self._programs = programs
        self.server = server
        self.crashes: list[ProgramFault] = []
        self._stop_event = threading.Event()

    def run(self) -> None:
        """Watch the server until `stop` is called."""
        while not self._stop_event.wait(WATCH_SECONDS):
            running = self.server.program
            if running is None or not running.has_ended or len(self.crashes) >= MAX_RESTARTS:
                continue
            running.stop()
            self.crashes.append(ended_early(running, "the check was over", FindingKind.CRASH))
            program = self._programs.team.server
            assert program is not None
            words = fill_placeholders(program.words(), self.server.port)
            with suppress(ProgramFault):
                self.server.program = self._programs.start(program, words, self.server.port, is_server=True)

    def stop(self) -> None:
        """Stop watching."""
        self._stop_event.set()
        self.join()


def _check_server(programs: Programs) -> list[Case]:
    """Run `boardwire check` against a team's server."""
    team, timing = programs.team, programs.timing
    assert team.server is not None
    start = home_command(team.server)
    check = f"boardwire check {team.protocol} {HOST}:{HOME_PORT} --alone --wait {timing.wait:g} --only {{only}}"
    if team.server.address:
        check = check.replace(f"{HOST}:{HOME_PORT}", team.server.address)
    # The server needs time to open its port, and a shell has no portable way to wait for it.
    repeat = check if team.server.is_external else f"{_escape_braces(start)} & sleep 2; {check}; kill $!"
    try:
        server = asyncio.run(programs.start_server())
    except ProgramFault as fault:
        return _failed_case(STARTS, fault, start)
    watcher = _CrashWatcher(programs, server)
    watcher.start()
    try:
        probe = server_probe(team.protocol, server.host, server.port, timing.wait, alone=True)
        probe.tries = MAX_TASK_ATTEMPTS  # a check may fail through the load of this machine
        with _suppress_output():
            results = asyncio.run(run_checks(server_checks(team.protocol), probe, json=True))
    except Unavailable as error:
        watcher.stop()
        asyncio.run(server.stop())
        return _failed_case(STARTS, ProgramFault(FindingKind.NO_PORT, str(error), server.log()), start)
    watcher.stop()
    asyncio.run(server.stop())
    cases = [_case_of_check(result, repeat) for result in results]
    if team.server.is_external:
        return cases
    if watcher.crashes:
        return [*cases, *_failed_case(STAYS_UP, watcher.crashes[0], start)]
    return [*cases, Case(STAYS_UP, Verdict.PASS)]


def _escape_braces(text: str) -> str:
    """Return a text with its braces escaped for `str.format`."""
    return text.replace("{", "{{").replace("}", "}}")


def _check_client(programs: Programs) -> list[Case]:
    """Run `boardwire check-client` with a team's client."""
    team, timing = programs.team, programs.timing
    program = team.client
    assert program is not None
    game = "" if dialects.dialect(team.protocol).game else programs.course.game
    command = program.command
    run = "" if program.listen else command
    flags = f"--wait {timing.wait:g}{f' --game {game}' if game else ''} --only {{only}}"
    started: list[RunningProgram] = []
    if program.listen:
        repeat = f"boardwire check-client {team.protocol} --listen {HOME_PORT} {flags}"
        signal.signal(signal.SIGALRM, lambda number, frame: os.kill(os.getpid(), signal.SIGTERM))
        signal.alarm(int(timing.attend))  # cases without a client then are not examined
    else:
        repeat = f"boardwire check-client {team.protocol} --run {_escape_braces(shlex.quote(command))} {flags}"
    try:
        with _suppress_output():
            results = examiner.check(
                team.protocol, HOST, program.listen, run=run, typed=None, json=True, wait=timing.wait,
                think=timing.wait, game=game, start=partial(start_case, programs, started),
            )  # fmt: skip
    except ProgramFault as fault:
        return _failed_case(STARTS, fault, repeat.partition(" --only")[0].replace("{{", "{").replace("}}", "}"))
    except Unavailable as error:
        log = started[0].log() if started else ""
        kind = FindingKind.NO_CONNECTION if started and started[0].exit_status is None else FindingKind.START
        if started and started[0].excess:
            kind = FindingKind.LIMIT
        command = repeat.partition(" --only")[0].replace("{{", "{").replace("}}", "}")
        return _failed_case(STARTS, ProgramFault(kind, str(error), log), command)
    finally:
        signal.alarm(0)
    team_cases = [_case_of_check(result, repeat) for result in results]
    if program.listen:  # a case without a verdict is one for which the team did not connect
        return team_cases
    by_chance = {case.name for case in cases(team.protocol, game) if case.goal in (Goal.WON, Goal.LOST, Goal.DRAWN)}
    return [_without_chance(case, by_chance) for case in team_cases]


def _without_chance(case: Case, by_chance: Container[str]) -> Case:
    """Return a case as skipped if it needs a win, a loss or a draw that did not occur."""
    if case.verdict is Verdict.NOT_EXAMINED and not case.because and case.name in by_chance:
        return msgspec.structs.replace(case, verdict=Verdict.SKIPPED, kind=FindingKind.CHANCE)
    return case


def _suppress_output() -> Any:
    """Return a context in which checks print nothing, since their results are returned."""
    return redirect_stdout(open(os.devnull, "w"))


def _resilience(judge: Any, workspace: Workspace, stem: str) -> list[Case]:
    """Run the resilience cases; without a plain match the others are not examined."""
    cases: list[Case] = []
    for name in RESILIENCE:
        if cases and cases[0].verdict is not Verdict.PASS:
            cases.append(Case(name, Verdict.NOT_EXAMINED, because=PLAIN, kind=FindingKind.BLOCKED))
            continue
        path = workspace.files / f"{stem}-{name.replace(' ', '-')}.txt"
        case: Case = asyncio.run(judge(name, path))
        if case.verdict is Verdict.PASS:
            path.unlink(missing_ok=True)
        else:
            case = msgspec.structs.replace(case, transcript=path.name)
        cases.append(case)
    return cases


# --- matches ----------------------------------------------------------------------------------------------------------


def _match(client: Programs, server: Programs, workspace: Workspace, stem: str) -> TaskResult:
    """Play a match of one team's client on another team's server; return the cells of both."""
    name = f"{workspace.run}-{stem}-{token_hex(2)}"  # random, because the match may have been stored before a crash
    played_pair = asyncio.run(play_pair(client, server, workspace.files / stem, name))
    client_team, server_team = client.team.name, server.team.name
    cells = (
        Cell(
            client_team,
            Criterion.CLIENT_MATCHES,
            _store_logs([played_pair.client], workspace, f"{stem}-client"),
            server_team,
        ),
        Cell(
            server_team,
            Criterion.SERVER_MATCHES,
            _store_logs([played_pair.server], workspace, f"{stem}-server"),
            client_team,
        ),
    )
    return TaskResult(cells, ((name, played_pair.events),) if played_pair.events else ())


_FORFEITS: Final = {
    Cause.TIME: FindingKind.TIME, Cause.ILLEGAL: FindingKind.ILLEGAL, Cause.DIED: FindingKind.CRASH,
    Cause.START: FindingKind.START, Cause.MEMORY: FindingKind.LIMIT, Cause.CPU: FindingKind.LIMIT,
}  # fmt: skip
"""Kind of the finding for the cause of a forfeit."""


def _encounter(course: Course, programs: Sequence[Programs], workspace: Workspace, stem: str) -> TaskResult:
    """Play the matches of two clients on a server of ours with the arena, in both orders of seats."""
    names = [entrant.team.name for entrant in programs]
    tournament = arena_config.check(_tournament_file(course, programs), workspace.work)
    players = Players(tournament)
    cases: dict[str, list[Case]] = {name: [] for name in names}
    matches = []
    for number, job in enumerate(Schedule(tournament).missing(), 1):
        name = f"{workspace.run}-{stem}-{number}-{token_hex(2)}"
        played = play_job(tournament, players, msgspec.structs.replace(job, match=name))
        result = result_of(played.events)
        matches.append((name, tuple(played.events)))
        for seat, team in enumerate(job.names):
            record = played.seats[seat]
            if result is None:
                case = Case(f"match {number}", Verdict.SKIPPED, detail="the match has no result", replay=name)
            else:
                cause = dict(result.faults).get(team, "")
                points = result.points[next(at for at, side in enumerate(result.names) if team in side)]
                verdict = Verdict.FAIL if cause else Verdict.PASS
                kind = _FORFEITS.get(Cause(cause), FindingKind.CRASH) if cause in list(Cause) else None
                detail = record.fault or (f"it forfeited: {cause}" if cause else "")
                case = Case(
                    f"match {number}", verdict, detail=detail, kind=kind, replay=name, points=points,
                    log=record.log if cause else "",
                )  # fmt: skip
            cases[team].append(case)
    cells = tuple(
        Cell(team, Criterion.TOURNAMENT, _store_logs(cases[team], workspace, f"{stem}-{team}"), other)
        for team, other in (names, names[::-1])
    )
    return TaskResult(cells, tuple(matches))


def _tournament_file(course: Course, programs: Sequence[Programs]) -> dict[str, Any]:
    """Return the contents of the arena's file for a tournament of two clients."""
    timing = course.file.timing
    participants = []
    for entrant in programs:
        client = entrant.team.client
        assert client is not None
        participants.append({
            "name": entrant.team.name, "dialect": entrant.team.protocol, "listen": 0, "directory": str(entrant.home),
            "run": client.command,
            "limits": msgspec.to_builtins(course.file.limits),
        })  # fmt: skip
    return {
        "game": course.game, "games": course.file.games, "participant": participants,
        "budget": {"seconds": timing.move},
    }  # fmt: skip
