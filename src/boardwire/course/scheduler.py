"""Scheduler of tasks: selects the next task of all active runs.

- A team has at most one active run and one that waits. A push while one waits changes nothing, because the
  waiting run will include it.
- Active runs take turns, so that a team's push does not wait for the end of a nightly run, and a team that pushes often
  does not delay the others.
- A task waits for the tasks of its run on which it depends: the builds of its teams, and for matches the plain matches
  of both programs.

Pure: no clock, no processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec

from boardwire.course.config import Criterion
from boardwire.course.results import RunCause, RunInfo


def dependencies(key: str, tasks: Iterable[str]) -> list[str]:
    """Return the tasks of a run that must be finished before a task."""
    kind, *names = key.split("/")
    if kind == Criterion.BUILD:
        return []
    before = [f"{Criterion.BUILD}/{name}" for name in names]
    if kind == "match":
        before += [f"{Criterion.CLIENT_RESILIENCE}/{names[0]}", f"{Criterion.SERVER_RESILIENCE}/{names[1]}"]
    elif kind == "tournament":
        before += [f"{Criterion.CLIENT_RESILIENCE}/{name}" for name in names]
    keys = set(tasks)
    return [task for task in before if task in keys]


class ActiveRun:
    """A run in progress."""

    def __init__(self, info: RunInfo, done: Iterable[str] = ()) -> None:
        self.info = info
        self.done = set(done)
        self.running_tasks: set[str] = set()
        self._waiting = deque(key for key in info.tasks if key not in self.done)
        self._before = {key: dependencies(key, info.tasks) for key in self._waiting}

    def take(self) -> str | None:
        """Return the next task that can begin, and mark it as running."""
        for place, key in enumerate(self._waiting):
            if self.done.issuperset(self._before[key]):
                del self._waiting[place]
                self.running_tasks.add(key)
                return key
        return None

    def finish(self, key: str) -> None:
        """Mark a task as finished."""
        self.running_tasks.discard(key)
        self.done.add(key)

    @property
    def is_over(self) -> bool:
        return not self._waiting and not self.running_tasks


class PushRequest(msgspec.Struct, frozen=True):
    """A run of one team that waits for the end of the team's active run."""

    team: str
    cause: RunCause


class RunScheduler:
    """Active runs and waiting pushes."""

    def __init__(self) -> None:
        self.runs: deque[ActiveRun] = deque()
        self._waiting: dict[str, PushRequest] = {}

    def add(self, run: ActiveRun) -> None:
        """Begin a run."""
        self.runs.append(run)

    def request(self, team: str, cause: RunCause) -> bool:
        """Return whether a run of a team can begin now; if not, queue it."""
        if any(run.info.team == team for run in self.runs):
            self._waiting.setdefault(team, PushRequest(team, cause))
            return False
        return True

    def take(self) -> tuple[ActiveRun, str] | None:
        """Take the next task; runs take turns."""
        for _ in range(len(self.runs)):
            run = self.runs[0]
            self.runs.rotate(-1)
            key = run.take()
            if key is not None:
                return run, key
        return None

    def finish(self, run: ActiveRun, key: str) -> PushRequest | None:
        """Mark a task as finished; return the push that can begin now because the run is over, or None."""
        run.finish(key)
        return self.close(run)

    def close(self, run: ActiveRun) -> PushRequest | None:
        """Remove a run if it is over; return the push that waited for it, or None."""
        if not run.is_over or run not in self.runs:
            return None
        self.runs.remove(run)
        return self._waiting.pop(run.info.team, None) if run.info.team else None
