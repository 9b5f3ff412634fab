"""Results of runs: their storage, scores, grades and the scoreboard.

Theory of operation:

- `runs/RUN/run.json` has the scope of a run; `runs/RUN/results.jsonl` has one line for each finished task. A line is
  appended with one write and made durable before the next task begins, so `kill -9` loses only tasks in progress. An
  incomplete last line is not a result.
- A task has a key that is unique in its run (`server/rossi`, `match/rossi/bianchi`), and only its first line counts:
  nothing is judged twice.
- A line has cells: the cases of one team in one criterion. A match has a cell for each of the two teams.
- Files (transcripts, logs) are in `runs/RUN/files/`, replays in the data directory `runs/RUN/matches/`. Retention
  removes both, never results.
- `grade` and `scoreboard` are pure functions of the stored runs and the course's file: the same input gives the same
  bytes.

A case counts as passed, as not passed, or not at all: `skipped` cases could not be judged through the fault of
another team.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from boardwire.conformance.server.check import ConversationLine, Verdict
from boardwire.course.config import (
    Course,
    Criterion,
    CriterionConfig,
    Pick,
    Role,
    Viewer,
    Visibility,
    utc,
)
from boardwire.course.hints import FindingKind, hint
from boardwire.course.plan import is_judged, judged_teams
from boardwire.errors import Unavailable

RUNS_DIRECTORY: Final = "runs"
MATCHES_DIRECTORY: Final = "matches"
"""Data directory with the matches of a run, like a server's (`boardwire replay MATCH --data runs/RUN/matches`)."""
WORK_DIRECTORY: Final = "work"
"""Copies of teams' directories during a run."""
RUN_FILE: Final = "run.json"
RESULTS_FILE: Final = "results.jsonl"
FILES_DIRECTORY: Final = "files"

CRITERION_TITLES: Final[dict[Criterion, dict[str, str]]] = {
    Criterion.BUILD: {"en": "Build", "it": "Compilazione"},
    Criterion.SERVER: {"en": "Server", "it": "Server"},
    Criterion.CLIENT: {"en": "Client", "it": "Client"},
    Criterion.SERVER_RESILIENCE: {"en": "Server resilience", "it": "Resilienza del server"},
    Criterion.CLIENT_RESILIENCE: {"en": "Client resilience", "it": "Resilienza del client"},
    Criterion.SERVER_MATCHES: {"en": "Others on its server", "it": "Altri sul suo server"},
    Criterion.CLIENT_MATCHES: {"en": "On others' servers", "it": "Sui server degli altri"},
    Criterion.TOURNAMENT: {"en": "Tournament", "it": "Torneo"},
}


class RunCause(StrEnum):
    """Why a run began."""

    DEMAND = "demand"
    PUSH = "push"
    NIGHTLY = "nightly"


class RunInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Scope of a run: all teams or one, all criteria or some. `tasks` are the keys of all its tasks, in order."""

    id: str
    at: datetime
    cause: RunCause = RunCause.DEMAND
    team: str = ""
    criteria: tuple[Criterion, ...] = ()
    tasks: tuple[str, ...] = ()


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One case of a cell: its name, the verdict and the evidence.

    - `detail` describes what was received and what was expected; `because` names the case that prevented this one.
    - `conversation` is the end of the conversation, for a diagram; `transcript` and `log` are files of the run.
    - `replay` is the match in the run's data directory.
    - `repeat` is the command that repeats the case on the team's machine, in the team's directory.
    - `points` is 1, 0.5 or 0 for a match of the tournament.
    """

    name: str
    verdict: Verdict
    section: str = ""
    detail: str = ""
    kind: FindingKind | None = None
    because: str = ""
    ruling: bool = False
    conversation: tuple[ConversationLine, ...] = ()
    transcript: str = ""
    log: str = ""
    replay: str = ""
    repeat: str = ""
    points: float | None = None


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cases of one team in one criterion; `against` is the other team of a match."""

    team: str
    criterion: Criterion
    cases: tuple[Case, ...]
    against: str = ""


class TaskEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the results: a finished task."""

    task: str
    at: datetime
    cells: tuple[Cell, ...]
    seconds: float = 0.0


class RunResults(msgspec.Struct, frozen=True, dict=True):
    """A run with its results so far.

    Lookups are indexed once: a scoreboard looks up every team and criterion of every run, and a run of fifty teams has
    4,000 entries.
    """

    info: RunInfo
    entries: tuple[TaskEntry, ...]

    @cached_property
    def done(self) -> frozenset[str]:
        """The keys of finished tasks."""
        return frozenset(entry.task for entry in self.entries)

    @property
    def is_complete(self) -> bool:
        return self.done >= set(self.info.tasks)

    def cases(self, team: str, criterion: Criterion) -> list[tuple[Cell, Case]]:
        """Return the cases of a team in a criterion."""
        return [(cell, case) for cell in self._cells.get((team, criterion), ()) for case in cell.cases]

    @cached_property
    def _cells(self) -> dict[tuple[str, Criterion], list[Cell]]:
        cells: dict[tuple[str, Criterion], list[Cell]] = {}
        for entry in self.entries:
            for cell in entry.cells:
                cells.setdefault((cell.team, cell.criterion), []).append(cell)
        return cells

    @cached_property
    def scores(self) -> dict[tuple[str, Criterion], Score]:
        """The scores of teams in the criteria that are complete: all tasks that judge the team are finished."""
        complete: dict[tuple[str, Criterion], bool] = {}
        for task in self.info.tasks:
            for cell in judged_teams(task):
                complete[cell] = complete.get(cell, True) and task in self.done
        return {cell: score(case for _, case in self.cases(*cell)) for cell, is_done in complete.items() if is_done}


# --- storage ----------------------------------------------------------------------------------------------------------


def run_directory(course: Path, run: str) -> Path:
    """Return the directory of a run."""
    return course / RUNS_DIRECTORY / run


def write_run(course: Path, info: RunInfo) -> None:
    """Store the scope of a new run durably."""
    directory = run_directory(course, info.id)
    (directory / FILES_DIRECTORY).mkdir(parents=True, exist_ok=True)
    temporary = directory / f"{RUN_FILE}.new"
    with temporary.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(info)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(directory / RUN_FILE)


class ResultsWriter:
    """Appends entries to a run's results; an incomplete last line of a killed process is removed first."""

    def __init__(self, course: Path, run: str) -> None:
        self._path = run_directory(course, run) / RESULTS_FILE
        with suppress(FileNotFoundError):
            data = self._path.read_bytes()
            complete = data.rfind(b"\n") + 1
            if complete < len(data):
                os.truncate(self._path, complete)
        try:
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise Unavailable(f"cannot write {self._path}: {error.strerror}") from None

    def append(self, entry: TaskEntry) -> None:
        """Store an entry; return when it is durable."""
        line = msgspec.json.encode(entry) + b"\n"
        try:
            if os.write(self._file, line) != len(line):
                raise Unavailable(f"cannot write {self._path}: the disk is full")
            os.fsync(self._file)
        except OSError as error:
            raise Unavailable(f"cannot write {self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def read_run(course: Path, run: str) -> RunResults:
    """Read a run; raise `Unavailable` if it cannot be read."""
    directory = run_directory(course, run)
    try:
        info = msgspec.json.decode((directory / RUN_FILE).read_bytes(), type=RunInfo)
        data = (directory / RESULTS_FILE).read_bytes() if (directory / RESULTS_FILE).exists() else b""
        entries = [msgspec.json.decode(line, type=TaskEntry) for line in data.split(b"\n")[:-1]]
    except (OSError, msgspec.MsgspecError) as error:
        raise Unavailable(f"cannot read the run {run} in {directory}: {error}") from None
    entry_by_task: dict[str, TaskEntry] = {}
    for entry in entries:
        entry_by_task.setdefault(entry.task, entry)
    return RunResults(info, tuple(entry_by_task.values()))


def run_names(course: Path) -> list[str]:
    """Return the names of all runs, oldest first."""
    with suppress(FileNotFoundError):
        return sorted(path.parent.name for path in (course / RUNS_DIRECTORY).glob(f"*/{RUN_FILE}"))
    return []


def read_results(course: Path) -> tuple[RunResults, ...]:
    """Read all runs, oldest first."""
    return tuple(read_run(course, name) for name in run_names(course))


# --- scores and grades ------------------------------------------------------------------------------------------------


class Score(msgspec.Struct, frozen=True):
    """The share of passed cases, and the numbers of cases by verdict; `value` is None if no case counts."""

    value: float | None = None
    passed: int = 0
    failed: int = 0
    not_examined: int = 0
    skipped: int = 0


def score(cases: Iterable[Case]) -> Score:
    """Return the score of cases: passed cases, or points of matches, divided by all cases that count."""
    counts = dict.fromkeys(Verdict, 0)
    points, cases_that_count = 0.0, 0
    for case in cases:
        counts[case.verdict] += 1
        if case.verdict is not Verdict.SKIPPED:
            cases_that_count += 1
            points += (case.verdict is Verdict.PASS) if case.points is None else case.points
    value = points / cases_that_count if cases_that_count else None
    return Score(
        value, counts[Verdict.PASS], counts[Verdict.FAIL], counts[Verdict.NOT_EXAMINED], counts[Verdict.SKIPPED]
    )


class CriterionGrade(msgspec.Struct, frozen=True):
    """The points of a team in a criterion, and the run that counts, or ''."""

    criterion: Criterion
    run: str
    score: Score
    points: float
    weight: float


class Grade(msgspec.Struct, frozen=True):
    """The grade of a team: its points, their share of all points that it can get, and the level of the rubric."""

    team: str
    criteria: tuple[CriterionGrade, ...]
    points: float
    weight: float
    share: float
    level: str = ""


def grade(results: Sequence[RunResults], course: Course) -> tuple[Grade, ...]:
    """Grade every team by the stored runs.

    A criterion counts for a team that delivers the judged program and has an opponent, unless only faults of other
    teams have prevented a judgement. Of the runs before the deadline in which the team's part of the criterion is
    complete, the best or the last one counts (`pick`).
    """
    grades = []
    for team in course.teams:
        rows = tuple(_criterion_grade(results, course, team.name, criterion) for criterion in course.criteria
                     if applies(results, course, team.name, criterion.name))  # fmt: skip
        points, weight = sum(row.points for row in rows), sum(row.weight for row in rows)
        share = points / weight if weight else 0.0
        levels = sorted(course.file.level, key=lambda level: -level.at)
        name = next((level.name for level in levels if share >= level.at), "")
        grades.append(Grade(team.name, rows, round(points, 4), weight, round(share, 6), name))
    return tuple(grades)


def applies(results: Sequence[RunResults], course: Course, team: str, criterion: Criterion) -> bool:
    """Return whether a criterion applies to a team: the course judges the team in it, or a stored run has judged it.

    Without the second condition, a team would lose the points of its matches when its only opponent leaves the course.
    """
    return is_judged(course, team, criterion) or (
        _delivers(course, team, criterion) and any((team, criterion) in run.scores for run in results)
    )


def _delivers(course: Course, team: str, criterion: Criterion) -> bool:
    """Return whether a team delivers the program that a criterion judges."""
    programs = course.team(team)
    match criterion:
        case Criterion.BUILD:
            return bool(programs.build)
        case Criterion.SERVER | Criterion.SERVER_RESILIENCE | Criterion.SERVER_MATCHES:
            return programs.server is not None
        case _:
            return programs.client is not None


def _criterion_grade(
    results: Sequence[RunResults], course: Course, team: str, criterion: CriterionConfig
) -> CriterionGrade:  # fmt: skip
    """Return a team's grade in a criterion: its score in the run that counts, and the points for it."""
    in_time = [run for run in results if _is_in_time(run.info, criterion)]
    candidates = history(in_time, team, criterion.name)
    if not candidates:
        all_skipped = any((team, criterion.name) in run.scores for run in in_time)  # through faults of other teams
        return CriterionGrade(criterion.name, "", Score(), 0.0, 0.0 if all_skipped else criterion.weight)
    if course.file.pick is Pick.LAST:
        run, best = candidates[-1]
    else:
        run, best = max(candidates, key=lambda pair: pair[1].value or 0.0)
    share = min(1.0, max(0.0, ((best.value or 0.0) - criterion.none) / (criterion.full - criterion.none)))
    points = round(share * criterion.weight, 4)
    return CriterionGrade(criterion.name, run.info.id, best, points, criterion.weight)


def _is_in_time(info: RunInfo, criterion: CriterionConfig) -> bool:
    return criterion.deadline is None or utc(info.at) <= utc(criterion.deadline)


def history(results: Sequence[RunResults], team: str, criterion: Criterion) -> list[tuple[RunResults, Score]]:
    """Return the runs in which a team's part of a criterion is complete and counts, with its score."""
    scores = ((run, run.scores.get((team, criterion))) for run in results)
    return [(run, score) for run, score in scores if score is not None and score.value is not None]


# --- the scoreboard ---------------------------------------------------------------------------------------------------


class HistoryPoint(msgspec.Struct, frozen=True):
    """A team's score in a criterion in one run."""

    run: str
    at: datetime
    score: float


class ShownFinding(msgspec.Struct, frozen=True):
    """A case that was not passed, for a viewer."""

    name: str
    verdict: Verdict
    section: str
    detail: str
    hint: dict[str, str]
    """The hint by language."""
    because: str
    against: str
    ruling: bool
    conversation: tuple[ConversationLine, ...]
    transcript: str
    """File of the run, relative to `runs/RUN/files/`; empty if there is none."""
    log: str
    replay: str
    repeat: str


class CellScore(msgspec.Struct, frozen=True):
    """The score of a team in a criterion, and the run that counts."""

    criterion: Criterion
    applies: bool
    run: str
    score: Score
    points: float
    weight: float


class ScoreCell(CellScore, frozen=True):
    """A cell of the scoreboard. `findings` is empty if the viewer may not see them (`is_open` is False)."""

    is_open: bool
    findings: tuple[ShownFinding, ...] = ()
    history: tuple[HistoryPoint, ...] = ()


class TeamScore(msgspec.Struct, frozen=True):
    """The total of a team; `place` is shared by equal teams."""

    place: int
    team: str
    title: str
    points: float
    share: float
    level: str


class ScoreRow(TeamScore, frozen=True):
    """A team's row."""

    cells: tuple[ScoreCell, ...]


class RunProgress(msgspec.Struct, frozen=True):
    """A run on the scoreboard, with the numbers of finished and of all tasks."""

    id: str
    at: datetime
    cause: RunCause
    team: str
    done: int
    tasks: int


class TournamentRow(msgspec.Struct, frozen=True):
    """A team in the tournament of the newest run that has one."""

    team: str
    title: str
    played: int
    won: int
    drawn: int
    lost: int
    points: float


class BoardHead(msgspec.Struct, frozen=True):
    """The course, its viewer and the columns of the scoreboard."""

    course: str
    game: str
    language: str
    viewer: Viewer
    visibility: Visibility
    criteria: tuple[tuple[Criterion, dict[str, str]], ...]
    """The columns, with their titles by language."""


class Scoreboard(BoardHead, frozen=True):
    """The course as a viewer may see it."""

    rows: tuple[ScoreRow, ...]
    runs: tuple[RunProgress, ...]
    """Newest first."""
    tournament: tuple[TournamentRow, ...]
    """Best first."""


def scoreboard(results: Sequence[RunResults], course: Course, viewer: Viewer) -> Scoreboard:
    """Return the scoreboard that a viewer may see."""
    grades = sorted(grade(results, course), key=lambda row: (-row.share, row.team))
    by_id = {run.info.id: run for run in results}
    rows = []
    for number, row in enumerate(grades):
        if may_see_scores(course, viewer, row.team):
            place = 1 + sum(other.share > row.share for other in grades[:number])
            cells = tuple(_score_cell(results, by_id, course, viewer, row, entry) for entry in course.criteria)
            rows.append(ScoreRow(place, row.team, course.team(row.team).label, row.points, row.share, row.level, cells))
    runs = tuple(
        RunProgress(run.info.id, run.info.at, run.info.cause, run.info.team, len(run.done), len(run.info.tasks))
        for run in reversed(results) if not run.info.team or may_see_scores(course, viewer, run.info.team)
    )  # fmt: skip
    return Scoreboard(
        course=course.name,
        game=course.game,
        language=course.file.language,
        viewer=viewer,
        visibility=course.file.visibility,
        criteria=tuple((entry.name, CRITERION_TITLES[entry.name]) for entry in course.criteria),
        rows=tuple(rows),
        runs=runs,
        tournament=tuple(row for row in tournament_rows(results, course) if may_see_scores(course, viewer, row.team)),
    )


def may_see_scores(course: Course, viewer: Viewer, team: str) -> bool:
    """Return whether a viewer may see the verdicts and scores of a team."""
    return may_see_findings(course, viewer, team) or course.file.visibility is Visibility.SCORES


def may_see_findings(course: Course, viewer: Viewer, team: str) -> bool:
    """Return whether a viewer may see the findings, files and replays of a team."""
    if viewer.role is Role.TEACHER or course.file.visibility is Visibility.OPEN:
        return True
    return viewer.role is Role.TEAM and viewer.team == team


def _score_cell(
    results: Sequence[RunResults],
    by_id: dict[str, RunResults],
    course: Course,
    viewer: Viewer,
    team_grade: Grade,
    entry: CriterionConfig,
) -> ScoreCell:
    """Return a team's cell for a criterion, with the findings if the viewer may see them."""
    criterion_grade = next((row for row in team_grade.criteria if row.criterion is entry.name), None)
    is_open = may_see_findings(course, viewer, team_grade.team)
    if criterion_grade is None:
        return ScoreCell(entry.name, applies=False, run="", score=Score(), points=0.0, weight=0.0, is_open=is_open)
    findings: tuple[ShownFinding, ...] = ()
    if is_open and criterion_grade.run:
        cases = by_id[criterion_grade.run].cases(team_grade.team, entry.name)
        findings = tuple(_shown_finding(cell, case) for cell, case in cases if case.verdict is not Verdict.PASS)
    points = tuple(HistoryPoint(run.info.id, run.info.at, round(run_score.value or 0.0, 6))
                   for run, run_score in history(results, team_grade.team, entry.name))  # fmt: skip
    return ScoreCell(
        entry.name, True, criterion_grade.run, criterion_grade.score, criterion_grade.points, criterion_grade.weight,
        is_open, findings, points,
    )  # fmt: skip


def _shown_finding(cell: Cell, case: Case) -> ShownFinding:
    kind = case.kind or FindingKind.SPECIFICATION
    return ShownFinding(
        case.name, case.verdict, case.section, case.detail, {code: hint(kind, code) for code in ("en", "it")},
        case.because, cell.against, case.ruling, case.conversation, case.transcript, case.log, case.replay, case.repeat,
    )  # fmt: skip


def tournament_rows(results: Sequence[RunResults], course: Course) -> list[TournamentRow]:
    """Return the standings of the newest run of all teams that has matches of the tournament."""
    for run in reversed(results):
        rows = []
        for team in course.teams:
            points = [case.points for _, case in run.cases(team.name, Criterion.TOURNAMENT) if case.points is not None]
            if points:
                won, lost = points.count(1.0), points.count(0.0)
                drawn = len(points) - won - lost
                rows.append(TournamentRow(team.name, team.label, len(points), won, drawn, lost, sum(points)))
        if rows and not run.info.team:
            return sorted(rows, key=lambda row: (-row.points, row.played, row.team))
    return []


def now() -> datetime:
    """Return the current time in UTC, rounded down to a second."""
    return datetime.now(UTC).replace(microsecond=0)
