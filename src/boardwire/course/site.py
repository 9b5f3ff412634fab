"""The HTTP side of a course: scoreboard, findings, files, replays, and requests for runs.

- A viewer is the public, a team or the teacher, depending on the token of the request (`config.viewer_of`). Every route
  uses the rules of `results.py` for what each may see.
- The scoreboard has the numbers of findings; a cell with its findings is a separate request.
- A replay has an address that cannot be guessed (`replay_id`), because the page that shows it sends no token. Only
  viewers who may see a finding get it, and may pass it on. It is valid until the server stops.
- The course's file is read again when it changes, so that a teacher can change the visibility without a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Annotated, Final, Protocol

import msgspec
import structlog
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from boardwire.api import conversations, games, import_export, matches
from boardwire.api.authentication import CHALLENGE, credentials
from boardwire.api.body import decode_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, Endpoint, NoQuery, client_address
from boardwire.api.match_file import Record
from boardwire.api.problem import Problem
from boardwire.api.rate_limit import TokenBuckets
from boardwire.api.routes import Health, healthz
from boardwire.conformance.server.check import Verdict
from boardwire.course import config, export
from boardwire.course.config import Course, Criterion, Role, Viewer, viewer_of
from boardwire.course.results import (
    FILES_DIRECTORY,
    MATCHES_DIRECTORY,
    RESULTS_FILE,
    BoardHead,
    CellScore,
    HistoryPoint,
    RunInfo,
    RunProgress,
    RunResults,
    ScoreCell,
    TeamScore,
    TournamentRow,
    may_see_findings,
    may_see_scores,
    read_run,
    run_directory,
    run_names,
    scoreboard,
)
from boardwire.errors import BoardwireError, Malformed, Reason, Refused
from boardwire.store.archive import Archive
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Event
from boardwire.table.ports import Check, never_stop

log = structlog.get_logger("boardwire.course")

MAX_REPLAYS: Final = 20_000
"""Replays whose addresses are valid; the oldest are forgotten."""
MAX_FILE_BYTES: Final = 8 * 1024 * 1024
"""Bytes that are sent of a transcript or log; only the end of a larger file is sent."""
RECENT_MATCHES: Final = 12
"""Matches of the tournament that the projector shows."""
CACHE_SECONDS: Final = 0.5
"""How long the sizes of the course's files are cached for all viewers: each browser of a class polls every 3 s."""
PUSH_BURST: Final = 3
"""Runs that a team may request in a burst."""
PUSHES_PER_SECOND: Final = 1 / 60
"""Sustained rate of the runs that a team may request."""


class Runs(Protocol):
    """The part of `CourseRunner` that the site uses."""

    def begin(self, team: str = "", criteria: Iterable[Criterion] = ()) -> RunInfo: ...
    def request(self, team: str) -> RunInfo | None: ...

    @property
    def running_tasks(self) -> list[tuple[str, str]]: ...


class CellView(CellScore, frozen=True):
    """A cell of the scoreboard; `findings` is their number, or None if the viewer may not see them."""

    findings: int | None
    history: tuple[HistoryPoint, ...]


class RowView(TeamScore, frozen=True):
    """A team's row."""

    cells: tuple[CellView, ...]


class RecentMatch(msgspec.Struct, frozen=True):
    """A match of the tournament: both teams, and the points of the first."""

    at: datetime
    first: str
    second: str
    points: float


class BoardView(BoardHead, frozen=True):
    """The scoreboard of a course as a viewer may see it."""

    rows: tuple[RowView, ...]
    runs: tuple[RunProgress, ...]
    tournament: tuple[TournamentRow, ...]
    recent: tuple[RecentMatch, ...]
    """Newest first."""
    running: tuple[str, ...]
    """Tasks in progress that the viewer may know of."""
    mistake: str = ""
    """The error in the course's file while its last valid version is used; for the teacher only."""


class MatchView(msgspec.Struct, frozen=True):
    """A match of a cell; `points` is 1, 0.5 or 0 for a match of the tournament."""

    name: str
    against: str
    verdict: Verdict
    points: float | None
    replay: str


class CellDetail(msgspec.Struct, frozen=True):
    """A cell with its findings and its stored matches."""

    cell: ScoreCell
    matches: tuple[MatchView, ...]


class CellQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team's cell."""

    team: Annotated[str, msgspec.Meta(max_length=64)]
    criterion: Criterion


class FileQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a run."""

    run: Annotated[str, msgspec.Meta(max_length=64)]
    name: Annotated[str, msgspec.Meta(max_length=300)]


class PushQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The team to run; it may be omitted with a team's token."""

    team: Annotated[str, msgspec.Meta(max_length=64)] = ""


class RunRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run of all teams or one, in all criteria or some."""

    team: Annotated[str, msgspec.Meta(max_length=64)] = ""
    criteria: tuple[Criterion, ...] = ()


class RunAnswer(msgspec.Struct, frozen=True):
    """A requested run of a team, or of all. If `waits`, it begins after the team's current run, and has no name yet."""

    team: str
    run: str | None
    waits: bool


class CourseJournal(MemoryJournal):
    """The matches of all runs, by replay id."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory
        self._secret = secrets.token_bytes(32)
        self._match_by_id: dict[str, tuple[str, str]] = {}
        """Run and name of each match that was given an id, oldest first."""

    def replay_id(self, run: str, match: str) -> str:
        """Return a new id under which a match can be read."""
        name = hmac.new(self._secret, f"{run}/{match}".encode(), hashlib.sha256).hexdigest()[:32]
        self._match_by_id.pop(name, None)
        self._match_by_id[name] = run, match
        while len(self._match_by_id) > MAX_REPLAYS:
            del self._match_by_id[next(iter(self._match_by_id))]
        return name

    def read(self, match: str, after: int = 0, check: Check = never_stop) -> Sequence[Event]:
        """Return the events of a match after number `after`, or none if the match is unknown."""
        run, name = self._match_by_id.get(match, ("", ""))
        directory = run_directory(self._directory, run) / MATCHES_DIRECTORY
        if not run or not directory.is_dir():
            return []
        with Archive(directory, read_only=True) as archive:
            return archive.events(name)[after:]


class CourseSite:
    """HTTP handlers of a course. `runs` is None if this process executes no runs."""

    def __init__(self, course: Course, runs: Runs | None = None) -> None:
        self._course = course
        self._runs = runs
        self.journal = CourseJournal(course.directory)
        self._cached_runs: dict[str, tuple[int, RunResults]] = {}
        """Runs by name, each with the size of the results file that was read."""
        self._file_state = self._state_of_file()
        self._mistake = ""
        self._process = secrets.token_hex(8)
        self._cached_until = 0.0
        self._cached_sizes: list[tuple[str, int]] = []
        self.pushes = TokenBuckets(PUSH_BURST, PUSHES_PER_SECOND)

    # --- stored data --------------------------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """The course according to its current file, or to the last valid one if the file has an error."""
        state = self._state_of_file()
        if state != self._file_state:
            self._file_state = state
            try:
                self._course = config.load(self._course.directory)
                self._mistake = ""
            except BoardwireError as error:
                self._mistake = str(error)
                log.warning("the course file is invalid; using the last valid one", error=str(error))
        return self._course

    def _state_of_file(self) -> tuple[tuple[int, int], ...]:
        names = (config.COURSE_FILE, self._course.file.teams)
        return tuple(_state(self._course.directory / name) for name in names if name)

    def _results(self) -> tuple[RunResults, ...]:
        """Return all runs, and read only those again that have changed."""
        directory = self._course.directory
        runs = {}
        for name in run_names(directory):
            size = _state(run_directory(directory, name) / RESULTS_FILE)[1]
            entry = self._cached_runs.get(name)
            try:
                runs[name] = entry if entry is not None and entry[0] == size else (size, read_run(directory, name))
            except BoardwireError as error:
                log.warning("cannot read a run", run=name, error=str(error))
        self._cached_runs = runs
        return tuple(run for _, run in runs.values())

    def _sizes(self) -> list[tuple[str, int]]:
        """Return the runs with the sizes of their results, at most `CACHE_SECONDS` old."""
        now = monotonic()
        if now >= self._cached_until:
            self._cached_until = now + CACHE_SECONDS
            directory = self._course.directory
            self._cached_sizes = [
                (name, _state(run_directory(directory, name) / RESULTS_FILE)[1]) for name in run_names(directory)
            ]
        return self._cached_sizes

    def _version(self, viewer: Viewer) -> str:
        sizes = self._sizes()
        running = [] if self._runs is None else self._runs.running_tasks
        parts = repr((self._process, self._file_state, sizes, running, viewer))
        return f'"{hashlib.sha256(parts.encode()).hexdigest()[:20]}"'

    # --- viewers ------------------------------------------------------------------------------------------------------

    def _viewer(self, request: Request) -> Viewer:
        viewer = viewer_of(self.course, credentials(request))
        if viewer is None:
            raise Problem(401, "the token does not belong to this course", CHALLENGE, Reason.BAD_TOKEN)
        return viewer

    # --- routes -------------------------------------------------------------------------------------------------------

    async def board(self, context: ApiContext, query: NoQuery, request: Request) -> Response | ApiResponse:
        """Return the scoreboard."""
        viewer = self._viewer(request)
        tag = self._version(viewer)
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Authorization, Accept-Encoding"}
        if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
            return Response(status_code=304, headers=headers)
        body = await context.read(
            lambda: msgspec.json.encode(self.view(viewer)), client_address(request), ("board", tag)
        )
        return ApiResponse(body, headers=headers)

    def view(self, viewer: Viewer) -> BoardView:
        """Return the scoreboard for a viewer."""
        course, results = self.course, self._results()
        board = scoreboard(results, course, viewer)
        rows = tuple(
            RowView(row.place, row.team, row.title, row.points, row.share, row.level, tuple(map(_cell_view, row.cells)))
            for row in board.rows
        )
        shown_teams = {row.team for row in rows}
        running = () if self._runs is None else tuple(task for _, task in self._runs.running_tasks)
        return BoardView(
            board.course,
            board.game,
            board.language,
            viewer,
            board.visibility,
            board.criteria,
            rows,
            board.runs,
            board.tournament,
            tuple(recent_matches(results, course, viewer)),
            tuple(task for task in running if shown_teams.issuperset(task.split("/")[1:])),
            self._mistake if viewer.role is Role.TEACHER else "",
        )

    async def cell(self, context: ApiContext, query: CellQuery, request: Request) -> ApiResponse:
        """Return a cell with its findings."""
        viewer = self._viewer(request)
        if query.team not in {team.name for team in self.course.teams} or not may_see_scores(
            self.course, viewer, query.team
        ):
            raise Problem(404, f"there is no team {query.team!r} that you may see")
        if not may_see_findings(self.course, viewer, query.team):
            raise Problem(403, f"the findings of {query.team} need its token, or the teacher's")
        detail = await context.read(lambda: self._detail(viewer, query), client_address(request))
        if detail is None:
            raise Problem(404, f"the course has no criterion {query.criterion}")
        return ApiResponse(msgspec.json.encode(detail), headers={"Cache-Control": "no-store"})

    def _detail(self, viewer: Viewer, query: CellQuery) -> CellDetail | None:
        """Return a cell with its findings and matches, or None if the viewer cannot see it."""
        results = self._results()
        board = scoreboard(results, self.course, viewer)
        cells = (cell for row in board.rows if row.team == query.team for cell in row.cells)
        cell = next((cell for cell in cells if cell.criterion is query.criterion), None)
        if cell is None:
            return None

        def replay_id(match: str) -> str:
            return self.journal.replay_id(cell.run, match) if match else ""

        run = next((result for result in results if result.info.id == cell.run), None)
        cases = () if run is None else run.cases(query.team, query.criterion)
        matches = tuple(
            MatchView(case.name, part.against, case.verdict, case.points, replay_id(case.replay))
            for part, case in cases
            if case.replay
        )
        findings = tuple(replace(finding, replay=replay_id(finding.replay)) for finding in cell.findings)
        return CellDetail(replace(cell, findings=findings), matches)

    async def file(self, context: ApiContext, query: FileQuery, request: Request) -> ApiResponse:
        """Return a transcript or a log of a finding that the viewer may see."""
        viewer = self._viewer(request)
        body = await context.read(lambda: self._file(viewer, query), client_address(request))
        if body is None:
            raise Problem(404, "there is no such file that you may see; files of old runs are removed")
        headers = {"Cache-Control": "no-store", "Content-Disposition": "inline"}
        return ApiResponse(body, "text/plain; charset=utf-8", headers=headers)

    def _file(self, viewer: Viewer, query: FileQuery) -> bytes | None:
        """Return the end of a transcript or log, or None if the viewer may not see its team's findings."""
        run = next((result for result in self._results() if result.info.id == query.run), None)
        teams = {cell.team for entry in run.entries for cell in entry.cells for case in cell.cases
                 if query.name in (case.transcript, case.log)} if run is not None else set()  # fmt: skip
        if not any(may_see_findings(self.course, viewer, team) for team in teams):
            return None
        root = (run_directory(self.course.directory, query.run) / FILES_DIRECTORY).resolve()
        place = (root / query.name).resolve()
        if not place.is_relative_to(root) or not place.is_file():
            return None
        with place.open("rb") as file:
            file.seek(max(0, place.stat().st_size - MAX_FILE_BYTES))
            return file.read(MAX_FILE_BYTES)

    async def push(self, context: ApiContext, query: PushQuery, request: Request) -> ApiResponse:
        """Queue a run of a team, after a push: with the team's token, or the teacher's and the name of the team."""
        viewer = self._viewer(request)
        if viewer.role is Role.PUBLIC:
            raise Problem(401, "this request needs the token of a team", CHALLENGE)
        if viewer.role is Role.TEAM and query.team not in ("", viewer.team):
            raise Problem(403, f"the token of {viewer.team} cannot start a run of {query.team}")
        team = viewer.team or query.team
        if not self.pushes.take(team):
            message = f"too many runs of this team: {self.pushes.limit}"
            raise Problem(429, message, {"Retry-After": f"{1 / PUSHES_PER_SECOND:.0f}"})
        return self._begin_run(team, lambda runs: runs.request(team))

    async def begin(self, context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
        """Begin a run of all teams or one; for the teacher."""
        viewer = self._viewer(request)
        if viewer.role is not Role.TEACHER:
            raise Problem(401 if viewer.role is Role.PUBLIC else 403, "this request needs the teacher's token")
        scope = await decode_body(request, RunRequest)
        return self._begin_run(scope.team, lambda runs: runs.begin(scope.team, scope.criteria))

    def _begin_run(self, team: str, begin: Callable[[Runs], RunInfo | None]) -> ApiResponse:
        """Begin a run and return the response; a `begin` that returns None has queued it."""
        if self._runs is None:
            raise Problem(409, "this server does not execute runs; use `boardwire course serve`")
        try:
            info = begin(self._runs)
        except Malformed as error:
            raise Problem(422, str(error)) from None
        except Refused as error:
            raise Problem(409, str(error)) from None
        answer = RunAnswer(team, None if info is None else info.id, info is None)
        return ApiResponse(msgspec.json.encode(answer), status=202, headers={"Cache-Control": "no-store"})

    async def plain_page(self, context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
        """Return the scoreboard as a page without scripts."""
        viewer = self._viewer(request)
        text = await context.read(
            lambda: export.html_page(
                self._results(), self.course, viewer, style="/scoreboard.css", base="/api/course/runs/"
            ),
            client_address(request),
        )
        return ApiResponse(text.encode(), "text/html; charset=utf-8", headers={"Cache-Control": "no-store"})

    async def style(self, context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
        """Return the style sheet of the page without scripts."""
        return ApiResponse(export.STYLE.encode(), "text/css; charset=utf-8", headers={"Cache-Control": "no-cache"})

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return the routes of the course, including those that the page needs for a replay."""
        page, api = (422, 503), (401, 403, 404, 422, 503)
        return (
            Endpoint("/api/course", self.board, BoardView, errors=api, tag="course"),
            Endpoint("/api/course/cells/{team}/{criterion}", self.cell, CellDetail, CellQuery, errors=api,
                     tag="course"),
            Endpoint("/api/course/runs/{run}/files/{name:path}", self.file, bytes, FileQuery, errors=api,
                     medias=("text/plain",), tag="course"),
            Endpoint("/api/course/push", self.push, RunAnswer, PushQuery, method="POST", errors=(401, 403, 409, 422),
                     statuses=(202,), tag="course"),
            Endpoint("/api/course/runs", self.begin, RunAnswer, method="POST", body=RunRequest,
                     errors=(401, 403, 408, 409, 413, 415, 422), statuses=(202,), tag="course"),
            Endpoint("/api/matches/{id}", matches.one_match, matches.MatchDetail, matches.MatchQuery, errors=api),
            Endpoint("/api/matches/{id}/steps", matches.match_steps, matches.Steps, matches.PartQuery, errors=api),
            Endpoint("/api/matches/{id}/export", import_export.export_match, Record, import_export.ExportQuery,
                     errors=api),
            Endpoint("/api/matches/{id}/wire", conversations.match_wire, conversations.Wire, conversations.WireQuery,
                     errors=api),
            Endpoint("/api/games/{name}", games.one_game, games.GameDetail, games.GameQuery, errors=api),
            Endpoint("/scoreboard.html", self.plain_page, bytes, errors=api, medias=("text/html",), tag="course"),
            Endpoint("/scoreboard.css", self.style, bytes, errors=page, medias=("text/css",), tag="course"),
            Endpoint("/healthz", healthz, Health, on_loop=True, errors=page),
        )  # fmt: skip


def _cell_view(cell: ScoreCell) -> CellView:
    return CellView(
        cell.criterion, cell.applies, cell.run, cell.score, cell.points, cell.weight,
        len(cell.findings) if cell.is_open else None, cell.history,
    )  # fmt: skip


def recent_matches(results: Sequence[RunResults], course: Course, viewer: Viewer) -> list[RecentMatch]:
    """Return the newest matches of the newest tournament, if the viewer may see the scores of both teams."""
    for run in reversed(results):
        matches: list[RecentMatch] = []
        for entry in run.entries:
            if not entry.task.startswith("tournament/") or len(entry.cells) != 2:
                continue
            first, second = entry.cells
            if all(may_see_scores(course, viewer, cell.team) for cell in entry.cells):
                matches += [
                    RecentMatch(entry.at, first.team, second.team, case.points)
                    for case in first.cases
                    if case.points is not None
                ]
        if matches:
            return matches[::-1][:RECENT_MATCHES]
    return []


def _state(path: Path) -> tuple[int, int]:
    """Return modification time and size of a file, which change with its content; zeros if there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
