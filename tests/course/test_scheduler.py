"""Which task comes next."""

from datetime import UTC, datetime

from boardwire.course.results import RunCause, RunInfo
from boardwire.course.scheduler import ActiveRun, RunScheduler, dependencies


def run(name: str, *tasks: str, team: str = "", done: tuple[str, ...] = ()) -> ActiveRun:
    return ActiveRun(RunInfo(name, datetime(2026, 11, 1, tzinfo=UTC), team=team, tasks=tasks), done)


def taken(scheduler: RunScheduler, count: int) -> list[str]:
    found = [scheduler.take() for _ in range(count)]
    return [f"{one[0].info.id}:{one[1]}" for one in found if one is not None]


def test_a_match_waits_for_the_builds_and_plain_matches_of_both() -> None:
    tasks = ("build/a", "build/b", "client-resilience/a", "server-resilience/b", "server-resilience/a", "match/a/b")
    assert dependencies("match/a/b", tasks) == ["build/a", "build/b", "client-resilience/a", "server-resilience/b"]
    assert dependencies("build/a", tasks) == []


def test_a_task_begins_when_what_it_depends_on_is_finished() -> None:
    scheduler, one = RunScheduler(), run("r", "build/a", "server/a")
    scheduler.add(one)
    assert taken(scheduler, 2) == ["r:build/a"]
    scheduler.finish(one, "build/a")
    assert taken(scheduler, 1) == ["r:server/a"]


def test_runs_take_turns_so_that_a_push_does_not_wait_for_the_night() -> None:
    scheduler = RunScheduler()
    scheduler.add(run("night", *(f"server/t{number}" for number in range(9))))
    assert taken(scheduler, 2) == ["night:server/t0", "night:server/t1"]
    scheduler.add(run("push", "server/x", "client/x", team="x"))
    assert taken(scheduler, 4) == ["night:server/t2", "push:server/x", "night:server/t3", "push:client/x"]


def test_a_team_has_one_run_at_a_time_and_one_that_waits() -> None:
    scheduler, one = RunScheduler(), run("p", "server/a", team="a")
    assert scheduler.request("a", RunCause.PUSH)
    scheduler.add(one)
    assert not scheduler.request("a", RunCause.PUSH)
    assert not scheduler.request("a", RunCause.PUSH)
    assert scheduler.request("b", RunCause.PUSH)
    scheduler.take()
    waiting = scheduler.finish(one, "server/a")
    assert waiting is not None
    assert waiting.team == "a"
    assert not scheduler.runs
    assert scheduler.request("a", RunCause.PUSH)


def test_finished_tasks_of_a_resumed_run_are_not_taken_again() -> None:
    scheduler = RunScheduler()
    scheduler.add(run("r", "build/a", "server/a", "client/a", done=("build/a", "server/a")))
    assert taken(scheduler, 3) == ["r:client/a"]
