"""The course directory: `course.toml`, checked completely before a run begins.

- Teams are tables of the file, rows of a CSV file that it names (`teams = "teams.csv"`), or both. The columns of the
  CSV file are the keys of a team, with a dot for keys of a program: `server.run`, `client.jar`.
- An unknown key is an error that suggests the closest valid one. The error for an invalid value names team and key.
- Paths are relative to the course directory, commands of a team to the team's directory.
- Tokens are stored as hashes; `new_token` creates one that is shown once.
- The criteria are fixed (`Criterion`); the file assigns weights to those that it grades.
"""

from __future__ import annotations

import csv
import io
import re
import secrets
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from hmac import compare_digest
from pathlib import Path
from string import Formatter
from typing import Any, Final

import msgspec

from boardwire import dialects, games
from boardwire.engines import CageLimits
from boardwire.errors import BoardwireError, Malformed, near, validation_message
from boardwire.lobby.held_seats import token_hash
from boardwire.wire.text import escaped

COURSE_FILE: Final = "course.toml"
MAX_FILE_BYTES: Final = 4 << 20
MAX_TEAMS: Final = 500
TOKEN_BYTES: Final = 24
LANGUAGES: Final = ("en", "it")
_TEAM_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_TOKEN_HASH: Final = re.compile(r"[0-9a-f]{32}")
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
PLACEHOLDERS: Final = ("host", "port", "name", "players", "mode")
"""Placeholders of a team's commands: those of `boardwire check-client --run`."""
PROGRAM_LIMITS: Final = CageLimits(cpu_seconds=120, memory_bytes=1 << 30, niceness=5)
"""Default limits of a team's program, for each start."""
BUILD_LIMITS: Final = CageLimits(cpu_seconds=600, memory_bytes=2 << 30, processes=256, niceness=10)
"""Default limits of a team's build."""


class Criterion(StrEnum):
    """A column of the scoreboard."""

    BUILD = "build"
    SERVER = "server"
    CLIENT = "client"
    SERVER_RESILIENCE = "server-resilience"
    CLIENT_RESILIENCE = "client-resilience"
    SERVER_MATCHES = "server-matches"
    """Other teams' clients on this team's server."""
    CLIENT_MATCHES = "client-matches"
    """This team's client on other teams' servers."""
    TOURNAMENT = "tournament"
    """This team's client against other teams' clients on our server."""


class Visibility(StrEnum):
    """Which results of other teams are visible to viewers without the teacher's token."""

    PRIVATE = "private"
    """Nothing: a team sees its own row only."""
    SCORES = "scores"
    """Verdicts and scores, but no findings."""
    OPEN = "open"
    """Everything."""


class Pick(StrEnum):
    """Which of the runs before the deadline counts."""

    BEST = "best"
    LAST = "last"


class ProgramConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to start a team's program: exactly one of `run`, `jar`, `image`, `address` and `listen`.

    - `run`: a command; `jar`: a file for `java -jar`; `image`: a container image. `arguments` are appended.
    - `address` (server): HOST:PORT of a server that the team runs itself.
    - `listen` (client): port to which the team connects its client itself.
    - `input`: a file that is passed to the program's standard input.
    """

    run: str = ""
    jar: str = ""
    image: str = ""
    arguments: str = ""
    address: str = ""
    listen: int = 0
    input: str = ""

    @property
    def is_external(self) -> bool:
        """Whether the team runs the program itself."""
        return bool(self.address or self.listen)

    @property
    def needs_host_network(self) -> bool:
        """Whether the program cannot run on the private loopback network of a task."""
        return self.is_external or bool(self.image)

    def words(self) -> list[str]:
        """Return the words of `command`."""
        return shlex.split(self.command)

    @property
    def command(self) -> str:
        """The command with its placeholders; for an image, the arguments after its name."""
        start = f"java -jar {shlex.quote(self.jar)}" if self.jar else self.run
        return f"{start} {self.arguments}".strip()


class Team(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team and its programs.

    `update` is a command of the teacher, such as `git pull --ff-only`, that runs in the team's directory before a run,
    outside the cage. `build` runs in a copy of the directory, in the cage.
    """

    name: str
    protocol: str = ""
    title: str = ""
    directory: str = ""
    update: str = ""
    build: str = ""
    server: ProgramConfig | None = None
    client: ProgramConfig | None = None
    token_hash: str = ""

    @property
    def label(self) -> str:
        return self.title or self.name


class CriterionConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A criterion of the rubric.

    - `weight`: points for full marks.
    - `none`, `full`: the score (share of passed cases) up to which a team gets no points, and from which it gets all.
    - `deadline`: runs that begin later do not count; without a deadline, all runs count.
    """

    name: Criterion
    weight: float = 0.0
    none: float = 0.0
    full: float = 1.0
    deadline: datetime | None = None


class GradeLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A level of the rubric: its name, and the minimum share of all points."""

    name: str
    at: float


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When runs begin: `nightly` is a local time (`02:00`), or empty; `push` are the criteria of a run that a team
    requests, empty if teams may not request runs."""

    nightly: str = ""
    push: tuple[Criterion, ...] = (
        Criterion.BUILD, Criterion.SERVER, Criterion.CLIENT, Criterion.SERVER_RESILIENCE, Criterion.CLIENT_RESILIENCE,
    )  # fmt: skip


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many runs keep their transcripts, logs and replays; results are always kept."""

    runs: int = 30


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time limits in seconds.

    - `wait`: for an answer; `start`: for a program to listen or to connect.
    - `match`: for a whole match; `move`: for one choice in the tournament.
    - `lost`: for a client to end or to connect again after its connection is lost.
    - `task`: for a whole task, such as the check of a server.
    - `attend`: for a client that the team starts itself.
    """

    wait: float = 3.0
    start: float = 20.0
    match: float = 60.0
    move: float = 5.0
    lost: float = 10.0
    task: float = 600.0
    attend: float = 300.0


class CourseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of `course.toml`."""

    name: str
    game: str
    protocol: str = ""
    """Default protocol of the teams."""
    language: str = "en"
    visibility: Visibility = Visibility.SCORES
    pick: Pick = Pick.BEST
    concurrency: int = 2
    games: int = 2
    """Number of matches between two clients in the tournament."""
    teams: str = ""
    teacher_token_hash: str = ""
    schedule: Schedule = Schedule()
    retention: Retention = Retention()
    timing: Timing = Timing()
    limits: CageLimits = PROGRAM_LIMITS
    build_limits: CageLimits = BUILD_LIMITS
    criterion: tuple[CriterionConfig, ...] = ()
    level: tuple[GradeLevel, ...] = ()
    team: tuple[Team, ...] = ()


class Course(msgspec.Struct, frozen=True):
    """A valid course."""

    directory: Path
    file: CourseFile
    teams: tuple[Team, ...]
    criteria: tuple[CriterionConfig, ...]

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def game(self) -> str:
        return self.file.game

    def team(self, name: str) -> Team:
        """Return the team with this name; raise `Malformed` if there is none."""
        team_entry = next((team for team in self.teams if team.name == name), None)
        if team_entry is None:
            names = [team.name for team in self.teams]
            raise Malformed(f"there is no team {name!r}{near(name, names)}; the teams are {', '.join(names)}")
        return team_entry

    def home(self, team: Team) -> Path:
        """Return the directory of a team's programs."""
        return self.directory / team.directory if team.directory else self.directory

    def criterion(self, name: Criterion) -> CriterionConfig | None:
        """Return the entry of a criterion, or None if the course does not have it."""
        return next((entry for entry in self.criteria if entry.name is name), None)


class Role(StrEnum):
    """Role of a viewer, which decides what it may see."""

    TEACHER = "teacher"
    TEAM = "team"
    PUBLIC = "public"


class Viewer(msgspec.Struct, frozen=True):
    """A viewer of results; `team` is set for the role of a team."""

    role: Role = Role.PUBLIC
    team: str = ""


TEACHER: Final = Viewer(Role.TEACHER)
PUBLIC: Final = Viewer()


def viewer_of(course: Course, token: str) -> Viewer | None:
    """Return the viewer with this token: None if it is unknown, the public if it is empty."""
    if not token:
        return PUBLIC
    expected_hash, token_viewer = token_hash(token), None
    for viewer, stored_hash in _tokens(course):
        # no early return, so that the time does not reveal which token matches
        if stored_hash and compare_digest(stored_hash, expected_hash):
            token_viewer = viewer
    return token_viewer


def _tokens(course: Course) -> Iterator[tuple[Viewer, str]]:
    yield TEACHER, course.file.teacher_token_hash
    for team in course.teams:
        yield Viewer(Role.TEAM, team.name), team.token_hash


def new_token() -> tuple[str, str]:
    """Return a new token and its hash, which the course stores."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    return token, token_hash(token)


DEFAULT_CRITERIA: Final = tuple(CriterionConfig(name, weight) for name, weight in (
    (Criterion.BUILD, 5.0), (Criterion.SERVER, 25.0), (Criterion.CLIENT, 25.0), (Criterion.SERVER_RESILIENCE, 10.0),
    (Criterion.CLIENT_RESILIENCE, 10.0), (Criterion.SERVER_MATCHES, 10.0), (Criterion.CLIENT_MATCHES, 10.0),
    (Criterion.TOURNAMENT, 5.0),
))  # fmt: skip
"""Default criteria and weights."""


# --- reading --------------------------------------------------------------------------------------------------------


def load(directory: str | Path) -> Course:
    """Read and check a course, given its directory or its file."""
    path = Path(directory)
    path = (path / COURSE_FILE if path.is_dir() else path).absolute()
    try:
        raw = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"{path} is not TOML: {error}") from None
    try:
        return check(raw, path.parent)
    except BoardwireError as error:
        raise Malformed(f"{path}: {error}") from None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        if path.suffix == ".csv":
            raise Malformed(f"{path} does not exist; create it, or correct the key teams") from None
        raise Malformed(f"{path} does not exist; `boardwire course init` creates an example") from None
    except UnicodeDecodeError as error:
        raise Malformed(f"{path} is not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    except OSError as error:
        raise Malformed(f"cannot read {path}: {error.strerror}") from None


def check(raw: Mapping[str, Any], directory: Path) -> Course:
    """Check the contents of a course's file and return the course; raise `Malformed` if they are invalid."""
    _check_keys(raw, CourseFile, "")
    teams = raw.get("team", ())
    for number, table in enumerate(teams if isinstance(teams, list) else (), 1):
        if isinstance(table, dict):
            _check_keys(table, Team, f"team {table.get('name') or number}")
    criteria = raw.get("criterion", ())
    for table in criteria if isinstance(criteria, list) else ():
        if isinstance(table, dict) and (name := table.get("name")) not in list(Criterion):
            names = list(map(str, Criterion))
            raise Malformed(f"unknown criterion {name!r}{near(str(name), names)}; the criteria are {', '.join(names)}")
    _check_parts(raw)
    file = _convert(dict(raw), CourseFile)
    if file.game not in games.NAMES:
        valid = ", ".join(games.NAMES)
        raise Malformed(f"game = {file.game!r}: unknown game{near(file.game, games.NAMES)}; the games are {valid}")
    if file.language not in LANGUAGES:
        raise Malformed(f"language = {file.language!r}: must be {' or '.join(LANGUAGES)}")
    _check_hash("teacher_token_hash", file.teacher_token_hash, "boardwire course token --teacher")
    _check_numbers(file)
    if file.schedule.nightly and not _CLOCK.fullmatch(file.schedule.nightly):
        raise Malformed(f"schedule.nightly = {file.schedule.nightly!r}: write a time like 02:00")
    teams = [*file.team, *(_csv_teams(directory / file.teams) if file.teams else ())]
    if not teams:
        raise Malformed('the course has no teams; add [[team]] tables, or name a CSV file with teams = "teams.csv"')
    if len(teams) > MAX_TEAMS:
        raise Malformed(f"the course has {len(teams)} teams; the limit is {MAX_TEAMS}")
    checked_teams = tuple(_checked_team(team, file, directory) for team in teams)
    _check_different(checked_teams)
    return Course(directory, file, checked_teams, _criteria(file))


def _check_keys(raw: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> None:
    """Raise `Malformed` for a key that `kind` does not have; the message suggests the closest one."""
    fields = kind.__struct_fields__
    where = f" in {place}" if place else ""
    for key, value in raw.items():
        if key not in fields:
            raise Malformed(f"unknown key {key!r}{where}{near(key, fields)}; the keys are {', '.join(fields)}")
        part = _PARTS.get(key)
        if part is None:
            continue
        for table in value if isinstance(value, list) else [value]:
            if isinstance(table, dict):
                _check_keys(table, part, f"{place} {key}".strip())


_PARTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "schedule": Schedule, "retention": Retention, "timing": Timing, "limits": CageLimits, "build_limits": CageLimits,
    "criterion": CriterionConfig, "level": GradeLevel, "server": ProgramConfig, "client": ProgramConfig,
}  # fmt: skip
"""Tables of the file and of a team, by key."""


def _check_parts(raw: Mapping[str, Any]) -> None:
    """Check values for which msgspec's error would not name the list entry or the valid values."""
    for key, values in (("visibility", Visibility), ("pick", Pick)):
        value = raw.get(key)
        if value is not None and value not in list(values):
            names = list(map(str, values))
            raise Malformed(
                f"{key} = {value!r}{near(str(value), names)}: must be {', '.join(names[:-1])} or {names[-1]}"
            )
    schedule = raw.get("schedule")
    pushed = schedule.get("push") if isinstance(schedule, dict) else ()
    for name in pushed if isinstance(pushed, list) else ():
        if name not in list(Criterion):
            names = list(map(str, Criterion))
            raise Malformed(f"schedule.push: {name!r}{near(str(name), names)}: the criteria are {', '.join(names)}")
    for key, kind in (("criterion", CriterionConfig), ("level", GradeLevel), ("team", Team)):
        entries = raw.get(key)
        for number, table in enumerate(entries if isinstance(entries, list) else (), 1):
            if isinstance(table, dict):
                place = f"{key} {table.get('name') or number}"
                _check_required(table, kind, place)
                try:
                    msgspec.convert(table, kind)
                except (msgspec.ValidationError, ValueError) as error:
                    raise Malformed(f"{place}: {validation_message(error)}") from None
    _check_required(raw, CourseFile, "")


def _check_required(raw: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> None:
    """Raise `Malformed` for a missing key without a default."""
    missing = [field.name for field in msgspec.structs.fields(kind) if field.required and field.name not in raw]
    if missing:
        raise Malformed(f"{place}: {missing[0]} is missing" if place else f"{missing[0]} is missing")


def _convert(raw: dict[str, Any], kind: type[Any]) -> Any:
    for key in ("limits", "build_limits"):  # missing limits get the defaults of a course, not those of engines
        if isinstance(raw.get(key), dict) and kind is CourseFile:
            defaults = PROGRAM_LIMITS if key == "limits" else BUILD_LIMITS
            raw[key] = {**msgspec.to_builtins(defaults), **raw[key]}
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise Malformed(validation_message(error)) from None


def _check_numbers(file: CourseFile) -> None:
    """Raise `Malformed` for a number or a time that is out of range."""
    for key, value, low, high in (
        ("concurrency", file.concurrency, 1, 64),
        ("games", file.games, 2, 100),
        ("retention.runs", file.retention.runs, 1, 10_000),
    ):
        if not low <= value <= high:
            raise Malformed(f"{key} = {value}: must be from {low} to {high:,}")
    if file.games % 2:
        raise Malformed(f"games = {file.games}: must be even, so that both clients begin equally often")
    for key in Timing.__struct_fields__:
        seconds = getattr(file.timing, key)
        if not 0 < seconds <= 86_400:
            raise Malformed(f"timing.{key} = {seconds:g}: must be more than 0 and at most 86400 seconds")


def _criteria(file: CourseFile) -> tuple[CriterionConfig, ...]:
    """Return the valid criteria in the order of `Criterion`; raise `Malformed` for an invalid criterion or level."""
    criteria = file.criterion or DEFAULT_CRITERIA
    names = [criterion.name for criterion in criteria]
    for criterion in criteria:
        if names.count(criterion.name) > 1:
            raise Malformed(f"criterion {criterion.name} occurs twice; remove one entry")
        if not 0 <= criterion.weight <= 1e6:
            raise Malformed(f"criterion {criterion.name}: weight = {criterion.weight:g} must be from 0 to 1000000")
        if not 0 <= criterion.none < criterion.full <= 1:
            raise Malformed(
                f"criterion {criterion.name}: none = {criterion.none:g} must be less than full = {criterion.full:g}, "
                "both from 0 to 1"
            )
        if criterion.deadline is not None and criterion.deadline.tzinfo is None:
            raise Malformed(
                f"criterion {criterion.name}: the deadline needs an offset, such as 2026-12-01T23:59:00+01:00"
            )
    for level in file.level:
        if not 0 <= level.at <= 1:
            raise Malformed(f"level {level.name!r}: at = {level.at:g} must be from 0 to 1")
    return tuple(sorted(criteria, key=lambda criterion: list(Criterion).index(criterion.name)))


# --- teams ----------------------------------------------------------------------------------------------------------


def _csv_teams(path: Path) -> list[Team]:
    """Read teams from a CSV file: a header with keys, then one row for each team; empty cells are missing keys."""
    reader = csv.reader(io.StringIO(_read(path)))
    rows = [row for row in reader if any(cell.strip() for cell in row)]
    if not rows:
        raise Malformed(f"{path.name} is empty; its first row must have the keys of a team: name,protocol,client.run,…")
    header = [cell.strip() for cell in rows[0]]
    if len(header) == 1 and ";" in header[0]:
        raise Malformed(f"{path.name} separates its cells with semicolons; use commas")
    teams = []
    for number, row in enumerate(rows[1:], 2):
        place = f"{path.name}, row {number}"
        if len(row) > len(header):
            raise Malformed(f"{place}: {len(row)} cells, but the header has {len(header)}")
        teams.append(_csv_team(dict(zip(header, row, strict=False)), place))
    return teams


def _csv_team(cells: Mapping[str, str], place: str) -> Team:
    """Return the team of a CSV row; a column `server.run` is the key `run` of the table `server`."""
    raw: dict[str, Any] = {}
    for key, cell in cells.items():
        outer, _, inner = key.partition(".")
        if not cell.strip():
            continue
        if inner:
            raw.setdefault(outer, {})[inner] = cell.strip()
        else:
            raw[outer] = cell.strip()
    _check_keys(raw, Team, place)
    _check_required(raw, Team, place)
    try:
        return msgspec.convert(raw, Team, strict=False)  # a port is text in CSV
    except (msgspec.ValidationError, ValueError) as error:
        raise Malformed(f"{place}: {validation_message(error)}") from None


def _checked_team(team: Team, file: CourseFile, directory: Path) -> Team:
    """Return a valid team with the course's protocol unless it has its own; raise `Malformed` with its name."""
    team = msgspec.structs.replace(team, protocol=team.protocol or file.protocol)
    try:
        _check_team(team, file, directory)
    except BoardwireError as error:
        raise Malformed(f"team {team.name}: {error}") from None
    return team


def _check_team(team: Team, file: CourseFile, directory: Path) -> None:
    """Raise `Malformed` unless a team's name, protocol, directory, programs and commands are valid."""
    if not _TEAM_NAME.fullmatch(team.name):
        raise Malformed(
            "the name must have 1 to 32 lower-case letters, digits, - or _, and begin with a letter or digit; "
            "title may be any text"
        )
    if team.title != escaped(team.title):
        raise Malformed(f"title {team.title!r} must contain only printable characters")
    if not team.protocol:
        raise Malformed("protocol is missing, and the course has no default; set it for the team or the course")
    dialect = dialects.dialect(team.protocol)
    if dialect.game and dialect.game != file.game:
        protocols = ", ".join(dialects.of_game(file.game))
        raise Malformed(f"{team.protocol} is for {dialect.game}; protocols for {file.game} are {protocols}")
    if team.server is None and team.client is None:
        raise Malformed("it has neither a server nor a client; add one")
    started = [
        program for program in (team.server, team.client) if program is not None and (program.run or program.jar)
    ]
    if not team.directory and (started or team.build or team.update):
        raise Malformed("directory is missing; the course copies it and starts the team's programs there")
    home = (directory / team.directory).resolve()
    if team.directory and not home.is_dir():
        raise Malformed(f"the directory {directory / team.directory} does not exist")
    if team.directory and directory.resolve().is_relative_to(home):
        raise Malformed(f"directory = {team.directory!r} contains the course; give the team a directory below it")
    for key, program in (("server", team.server), ("client", team.client)):
        if program is not None:
            try:
                _check_program(program, is_server=key == "server")
            except BoardwireError as error:
                raise Malformed(f"{key}: {error}") from None
    _check_hash("token_hash", team.token_hash, f"boardwire course token {team.name}")
    for command in (team.build, team.update):
        _split(command)


def _check_hash(key: str, value: str, command: str) -> None:
    """Raise `Malformed` unless a value is the hash of a token; the message omits it, since it may be a token."""
    if value and not _TOKEN_HASH.fullmatch(value):
        raise Malformed(
            f"{key} is not the hash of a token (32 hexadecimal digits); "
            f"copy the whole line that `{command}` prints, not the token"
        )


def _check_program(program: ProgramConfig, *, is_server: bool) -> None:
    """Raise `Malformed` unless a program is started or reached in exactly one way, with valid placeholders."""
    allowed = ("run", "jar", "image", "address" if is_server else "listen")
    sources = [key for key in ("run", "jar", "image", "address", "listen") if getattr(program, key)]
    if len(sources) != 1 or sources[0] not in allowed:
        raise Malformed(f"needs exactly one of {', '.join(allowed)}; it has {' and '.join(sources) or 'none of them'}")
    if program.address:
        host, colon, port = program.address.rpartition(":")
        if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise Malformed(f"address = {program.address!r}: write HOST:PORT")
    if program.listen and not 0 < program.listen < 65536:
        raise Malformed(f"listen = {program.listen}: must be a port from 1 to 65535")
    if program.is_external:
        if program.arguments or program.input:
            raise Malformed("arguments and input are only for programs that the course starts; remove them")
        return
    fields = {field for word in _split(f"{program.run} {program.arguments}")
              for _, field, _, _ in Formatter().parse(word) if field is not None}  # fmt: skip
    unknown = sorted(fields - set(PLACEHOLDERS))
    if unknown:
        placeholders = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise Malformed(f"unknown placeholder {{{unknown[0]}}}; known: {placeholders}; write {{{{ and }}}} for braces")
    if "port" not in fields:
        raise Malformed(f"the command lacks the placeholder {{port}}; add it to {program.run or 'arguments'!r}")


def _split(command: str) -> Sequence[str]:
    try:
        words = shlex.split(command)
        for word in words:
            list(Formatter().parse(word))
    except ValueError as error:
        raise Malformed(f"cannot parse the command {command!r}: {error}") from None
    return words


def _check_different(teams: Sequence[Team]) -> None:
    for key in ("name", "token_hash"):
        seen: dict[str, str] = {}
        for team in teams:
            value = getattr(team, key)
            if value and value in seen:
                raise Malformed(f"teams {seen[value]} and {team.name} have the same {key}; change one")
            seen[value] = team.name


def utc(moment: datetime) -> datetime:
    """Return a moment in UTC."""
    return moment.astimezone(UTC)
