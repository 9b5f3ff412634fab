"""`boardwire course`: check, match and grade the programs of a class."""

from __future__ import annotations

import shutil
import signal
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from boardwire.commands.arguments import parse_listen_address
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.course.config import Course, Criterion, ProgramConfig
    from boardwire.course.results import RunInfo, RunResults, ShownFinding, TaskEntry
    from boardwire.course.runner import ReportTask

app = App(name="course", help="Check, match and grade the clients and servers of a class.")

TEMPLATES: Final = ("java", "python")
DEFAULT_ADDRESS: Final = "127.0.0.1:7080"


@app.command
def init(directory: Path = Path("course")) -> None:
    """Write an example course: a `course.toml` with comments and four small teams, ready to run.

    Parameters
    ----------
    directory
        The directory to write, which must not exist or be empty.
    """
    _copy_package_files(directory, "example")
    print(f"wrote {directory}; run it with: boardwire course run {directory}")


@app.command
def template(language: str, directory: Path) -> None:
    """Write the repository that a team starts from: a client, a server, and a CI job that runs the course's checks.

    Parameters
    ----------
    language
        Language of the programs: java or python.
    directory
        The directory to write, which must not exist or be empty.
    """
    if language not in TEMPLATES:
        raise Malformed(f"there is no template for {language!r}; the languages are {' and '.join(TEMPLATES)}")
    _copy_package_files(directory, "templates", language)
    _copy_package_files(directory, "templates", "common", into=True)
    print(f"wrote {directory}; read {directory}/README.md")


def _copy_package_files(directory: Path, *path: str, into: bool = False) -> None:
    """Copy files of this package into a directory, which must be new or empty unless `into`."""
    if not into and directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise Refused(f"{directory} exists and is not empty; choose another name")
    with as_file(files("boardwire.course").joinpath(*path)) as source:
        shutil.copytree(source, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


@app.command
def check(directory: Path = Path()) -> None:
    """Check a course's file and print the tasks of a run; nothing is started.

    Parameters
    ----------
    directory
        The course directory.
    """
    from boardwire.course import config
    from boardwire.course.plan import plan
    from boardwire.course.programs import program_problems
    from boardwire.engines.cage import CageTool, best_cage_tool, has_landlock

    course = config.load(directory)
    print(escaped(f"{course.name}: {course.game}, {_format_count(len(course.teams), 'team')}"))
    for team in course.teams:
        delivered = (("server", team.server), ("client", team.client))
        programs = [f"{key}: {_describe_program(program)}" for key, program in delivered if program]
        print(escaped(f"  {team.name} ({team.protocol}): {'; '.join(programs)}"))
        for problem in program_problems(course, team):
            print(escaped(f"warning: team {team.name}: {problem}"), file=sys.stderr)
        if not team.token_hash:
            print(escaped(f"    no token: boardwire course token {team.name}"))
    tasks = plan(course)
    kinds: dict[str, int] = {}
    for key in tasks:
        kinds[key.partition("/")[0]] = kinds.get(key.partition("/")[0], 0) + 1
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"a run has {_format_count(len(tasks), 'task')}: {counts}")
    print(f"grades: {', '.join(f'{criterion.name} {criterion.weight:g}' for criterion in course.criteria)}")
    if best_cage_tool() is not CageTool.BUBBLEWRAP:
        files_too = "" if has_landlock() else " and the files of this user"
        print(
            f"warning: without bubblewrap (bwrap), programs of teams can reach the network{files_too}; install it",
            file=sys.stderr,
        )


def _format_count(count: int, noun: str) -> str:
    """Format a count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _describe_program(program: ProgramConfig) -> str:
    """Describe how a team's program is started or reached."""
    if program.address:
        return f"at {program.address}"
    if program.listen:
        return f"connects to port {program.listen}"
    return f"image {program.image} {program.arguments}".strip() if program.image else program.command


@app.command
def run(
    directory: Path = Path(),
    *,
    team: str = "",
    criterion: Annotated[list[str] | None, Parameter(negative="")] = None,
    new: bool = False,
    strict: bool = False,
    json: bool = False,
) -> None:
    """Run a course: build, check, match and grade; programs that fail change the exit code only with --strict.

    Every finished task is stored. A run that was stopped, by Ctrl-C or a crash, continues with the same command.

    Parameters
    ----------
    directory
        The course directory.
    team
        Run only this team; the results of other teams are kept.
    criterion
        Run only this criterion: build, server, client, server-resilience, client-resilience, server-matches,
        client-matches or tournament; may be repeated.
    new
        Begin a new run even if one was interrupted.
    strict
        Exit with code 1 if a case of the run was not passed, for a CI job.
    json
        Print one JSON object for each finished task, and the grades as the last line.
    """
    import asyncio

    import msgspec

    from boardwire.course import config
    from boardwire.course.results import read_run
    from boardwire.errors import near

    course = config.load(directory)
    names = list(map(str, config.Criterion))
    for name in criterion or ():
        if name not in names:
            raise Malformed(f"unknown --criterion {name}{near(name, names)}; the criteria are {', '.join(names)}")
    criteria = tuple(config.Criterion(name) for name in criterion or ())
    runs: set[str] = set()

    def report(info: RunInfo, entry: TaskEntry, done: int, tasks: int) -> None:
        runs.add(info.id)
        if json:
            print(msgspec.json.encode(entry).decode(), flush=True)
        else:
            print(
                escaped(f"{done:>4}/{tasks} {entry.task}: {_entry_summary(entry)} ({entry.seconds:.1f} s)"), flush=True
            )

    stopped_by = asyncio.run(_run_course(course, team, criteria, report, new=new, quiet=json))
    _print_grades(course, json=json)
    if stopped_by is not None:
        if not json:
            print("stopped; the same command continues with the rest")
        sys.exit(130 if stopped_by == signal.SIGINT else 0)
    if strict and any(_has_failures(read_run(course.directory, name)) for name in runs):
        sys.exit(1)


async def _run_course(
    course: Course, team: str, criteria: tuple[Criterion, ...], report: ReportTask, *, new: bool, quiet: bool
) -> int | None:
    """Run a course until the run is over, or until a signal, and return the signal."""
    import asyncio

    from boardwire.course.runner import CourseRunner
    from boardwire.net.signals import on_ending

    signals: list[int] = []
    runner = CourseRunner(course, report)
    try:
        interrupted = None if new else runner.unfinished(team, criteria)
        if interrupted is not None:
            runner.resume(interrupted)
            done, tasks = len(interrupted.done), len(interrupted.info.tasks)
            message = f"continuing {interrupted.info.id}: {done} of {tasks} tasks are done"
        else:
            info = runner.begin(team, criteria)
            message = f"run {info.id}: {_format_count(len(info.tasks), 'task')}"
        if not quiet:
            print(message)
        work = asyncio.ensure_future(runner.work(until_idle=True))

        def stop(number: int) -> None:
            signals.append(number)
            work.cancel()

        on_ending(asyncio.get_running_loop(), stop)
        try:
            await work
        except asyncio.CancelledError:
            return signal.SIGINT if signal.SIGINT in signals else signal.SIGTERM
        return None
    finally:
        await runner.close()


def _print_grades(course: Course, *, json: bool) -> None:
    """Print the points of each team, best first, or all grades as JSON."""
    import msgspec

    from boardwire.course.export import points_text
    from boardwire.course.results import grade, read_results

    grades = grade(read_results(course.directory), course)
    if json:
        print(msgspec.json.encode(grades).decode(), flush=True)
        return
    for row in sorted(grades, key=lambda row: -row.share):
        level = f", {row.level}" if row.level else ""
        points = f"{points_text(row.points)} of {points_text(row.weight)}"
        print(escaped(f"{course.team(row.team).label}: {points} ({row.share:.0%}{level})"))


def _has_failures(results: RunResults) -> bool:
    from boardwire.conformance.server.check import Verdict

    cases = [case for entry in results.entries for cell in entry.cells for case in cell.cases]
    return any(case.verdict in (Verdict.FAIL, Verdict.NOT_EXAMINED) for case in cases)


def _entry_summary(entry: TaskEntry) -> str:
    """Return the numbers of cases of a finished task by team, as a phrase."""
    from boardwire.course.results import score

    parts = []
    for cell in entry.cells:
        total = score(cell.cases)
        counts = [f"{total.passed} passed"]
        counts += [f"{count} {name}" for count, name in (
            (total.failed, "failed"), (total.not_examined, "not examined"), (total.skipped, "not counted"),
        ) if count]  # fmt: skip
        parts.append(f"{cell.team} {', '.join(counts)}")
    return "; ".join(parts) or "done"


@app.command
def serve(
    directory: Path = Path(),
    *,
    listen: str = DEFAULT_ADDRESS,
    public_host: Annotated[list[str] | None, Parameter(negative="")] = None,
) -> None:
    """Serve the scoreboard, and run the course on pushes and by its schedule, until SIGTERM or Ctrl-C.

    Parameters
    ----------
    directory
        The course directory.
    listen
        PORT or HOST:PORT of the scoreboard; 0 picks a free port, which is printed.
    public_host
        A name under which browsers reach the server, other than the host name or an IP address; may be repeated.
    """
    import asyncio

    from boardwire import logs
    from boardwire.course import config, server

    course = config.load(directory)
    logs.configure("warning")
    host, port = parse_listen_address(listen)

    def report(info: RunInfo, entry: TaskEntry, done: int, tasks: int) -> None:
        print(escaped(f"{info.id} {done}/{tasks} {entry.task}: {_entry_summary(entry)}"), flush=True)

    def say(line: str) -> None:
        print(line, flush=True)

    asyncio.run(server.serve(course, host, port, report, say, public_hosts=public_host or ()))


@app.command
def export(
    directory: Path = Path(),
    *,
    csv: Path | None = None,
    json: Path | None = None,
    html: Path | None = None,
    findings: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Write the grades of the stored runs; without a file, print them as CSV.

    The same runs and the same course file give the same bytes.

    Parameters
    ----------
    directory
        The course directory.
    csv
        One row for each team, with score and points of each criterion.
    json
        The scoreboard with its history, as far as the course's `visibility` allows.
    html
        The same as one page; links to transcripts are relative to the course directory.
    findings
        Include all teams and their findings in the JSON and HTML files, regardless of the visibility.
    """
    from boardwire.course import config
    from boardwire.course import export as exports
    from boardwire.course.results import RUNS_DIRECTORY, read_results

    course = config.load(directory)
    results = read_results(course.directory)
    if not results:
        print("warning: no run is stored, so there are no grades; start one with boardwire course run", file=sys.stderr)
    if csv is None and json is None and html is None:
        print(escaped(exports.csv_text(results, course), "\n"), end="")
        return
    viewer = config.TEACHER if findings else config.PUBLIC
    if course.file.visibility is config.Visibility.PRIVATE and not findings and (json or html):
        print("warning: visibility is private, so the export has no teams; --findings includes all", file=sys.stderr)
    contents_by_path: list[tuple[Path, bytes]] = []
    if csv is not None:
        contents_by_path.append((csv, exports.csv_text(results, course).encode()))
    if json is not None:
        contents_by_path.append((json, exports.json_bytes(results, course, viewer)))
    if html is not None:
        base = f"{RUNS_DIRECTORY}/"
        contents_by_path.append((html, exports.html_page(results, course, viewer, base=base).encode()))
    for path, data in contents_by_path:
        try:
            path.write_bytes(data)
        except FileNotFoundError:
            raise Unavailable(f"cannot write {path}: the directory {path.parent} does not exist") from None
        except OSError as error:
            raise Unavailable(f"cannot write {path}: {error.strerror}") from None
        print(f"wrote {path}")


@app.command
def why(team: str, case: str = "", *, course: Path = Path(), language: str = "") -> None:
    """Explain why a team failed a case: what was received and expected, a hint, and the command that repeats it.

    Parameters
    ----------
    team
        The team.
    case
        A part of the name of a case or a criterion [all that were not passed].
    course
        The course directory.
    language
        Language of the hint: en or it [the course's].
    """
    from boardwire.course import config
    from boardwire.course.export import reasons
    from boardwire.course.results import read_results

    loaded_course = config.load(course)
    loaded_course.team(team)
    hint_language = language or loaded_course.file.language
    if hint_language not in config.LANGUAGES:
        raise Malformed(f"--language {language}: must be {' or '.join(config.LANGUAGES)}")
    results = read_results(loaded_course.directory)
    findings = reasons(results, loaded_course, team, case)
    judged_names = {
        name
        for run in results
        for criterion in config.Criterion
        for _, judged_case in run.cases(team, criterion)
        for name in (judged_case.name, str(criterion))
    }
    if not any(case in name for name in judged_names):
        raise Refused(f"no judged case or criterion of {team} has {case!r} in its name; leave it out to see all")
    if not findings:
        print("nothing to fix: every judged case was passed")
        return
    for finding in findings:
        for line in _explanation_lines(finding, hint_language):
            print(escaped(line))
        print()


def _explanation_lines(finding: ShownFinding, language: str) -> list[str]:
    """Return the lines that explain a finding: what, why, the hint, and how to repeat it."""
    against = f" ({finding.against})" if finding.against else ""
    lines = [f"{finding.verdict}  {finding.name}{against}" + (f" ({finding.section})" if finding.section else "")]
    if finding.because:
        lines.append(f'      because of "{finding.because}"')
    lines += [f"      {line}" for line in finding.detail.split("\n") if line]
    lines.append(f"      -> {finding.hint[language]}")
    if finding.repeat:
        lines.append(f"      $ {finding.repeat}")
    return lines


@app.command
def token(
    team: str = "", *, teacher: Annotated[bool, Parameter(negative="")] = False, course: Path | None = None
) -> None:
    """Create and print a token, and the line for course.toml that contains its hash.

    Nothing is stored: add the line to course.toml yourself.

    Parameters
    ----------
    team
        The team that gets the token; it must be in the course.
    teacher
        Create the token of the teacher, who sees everything.
    course
        The course directory [this one].
    """
    from boardwire.course.config import COURSE_FILE, load, new_token

    if teacher == bool(team):
        raise Malformed("give either a team or --teacher")
    if team and (course is not None or Path(COURSE_FILE).exists()):
        load(course or Path()).team(team)
    elif team:
        print(
            f"warning: there is no {COURSE_FILE} in this directory, so the team's name is not checked; "
            "give --course DIR to check it",
            file=sys.stderr,
        )
    secret, secret_hash = new_token()
    print(f"token (give it to {'the teacher' if teacher else escaped(team)}, it is not stored): {secret}")
    print(f'line for course.toml: {"teacher_token_hash" if teacher else "token_hash"} = "{secret_hash}"')
