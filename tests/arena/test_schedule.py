"""The schedule: fixed jobs, rounds that follow from results, and a sequential test in schedule order."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire.arena.config import ArenaTournament, check
from boardwire.arena.results import Result
from boardwire.arena.schedule import Job, Schedule
from boardwire.competition.sprt import Decision

BASE = Path("/nowhere")


def tournament(levels: int = 4, **keys: Any) -> ArenaTournament:
    participants = [{"levels": list(range(1, levels + 1))}]
    return check({"game": "tris", "participant": participants, **keys}, BASE)


def result(one: ArenaTournament, job: Job, first: float | None = None) -> Result:
    """A result: the stronger level wins, unless the points of the first seat are given."""
    if first is None:
        first = float(job.participants[0] > job.participants[1])
    number = int(job.match[-4:]) - 1
    return Result(
        job.match, "tris", tuple((name,) for name in job.names), (first, 1 - first), "line",
        set=f"{job.match[:-5]}-{number // 2}",
    )  # fmt: skip


def test_seats_are_swapped_within_a_pair_and_luck_of_deals_is_shared() -> None:
    first, second, third, *_ = Schedule(tournament(2, games=4)).missing()
    assert first.participants == second.participants[::-1] == third.participants
    assert first.deal_seed == second.deal_seed != third.deal_seed
    assert len({first.seed, second.seed, third.seed}) == 3


def test_openings_change_with_each_pair() -> None:
    openings = {"moves": ["0 1", "0 2", "0 3"]}
    jobs = Schedule(tournament(2, games=8, openings=openings)).missing()
    assert [job.opening for job in jobs] == [0, 0, 1, 1, 2, 2, 0, 0]


def test_a_team_has_both_of_its_seats() -> None:
    raw = {"game": "santorini", "seats": 4, "participant": [{"levels": [1, 2]}]}
    first, second = Schedule(check(raw, BASE)).missing()
    assert first.participants == (0, 1, 0, 1)
    assert first.names == ("level 1", "level 2", "level 1 (2)", "level 2 (2)")
    assert second.participants == (1, 0, 1, 0)


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "neighbours", "swiss", "knockout", "ladder"])
def test_a_tournament_that_is_stopped_anywhere_continues_with_the_same_jobs(form: str) -> None:
    one = tournament(6, format=form)
    luck = Random(form)
    whole = Schedule(one)
    played: list[Result] = []
    while jobs := whole.missing():
        job = luck.choice(jobs)
        played.append(result(one, job))
        whole.add(played[-1])
        again = Schedule(one, luck.sample(played, len(played)))
        assert list(again.jobs) == list(whole.jobs)
        assert {job.match for job in again.missing()} == {job.match for job in whole.missing()}
    assert whole.is_over
    assert len(whole.results) == len({one.match for one in whole.results}) == len(whole.jobs)


def test_add_returns_the_jobs_of_the_next_round() -> None:
    one = tournament(4, format="swiss")
    schedule = Schedule(one)
    first = schedule.missing()
    assert len(first) == 4
    for job in first[:-1]:
        assert schedule.add(result(one, job)) == []
    second = schedule.add(result(one, first[-1]))
    assert len(second) == 4
    assert {frozenset(job.participants) for job in second}.isdisjoint({frozenset(job.participants) for job in first})


def test_more_rounds_continue_a_finished_tournament() -> None:
    one = tournament(2, rounds=1)
    played = [result(one, job) for job in Schedule(one).missing()]
    assert Schedule(one, played).is_over
    assert len(Schedule(tournament(2, rounds=3), played).missing()) == 4


def test_a_sequential_test_stops_at_the_same_pair_in_whatever_order_results_come() -> None:
    one = tournament(2, rounds=200, sprt="elo0=0,elo1=100")
    luck = Random(1)
    counted = set()
    for _ in range(5):
        schedule = Schedule(one)
        jobs = schedule.missing()
        window: list[Job] = []
        while not schedule.is_over:
            while jobs and len(window) < 6:
                window.append(jobs.pop(0))
            job = window.pop(luck.randrange(len(window)))
            schedule.add(result(one, job, Random(job.match).choice((0.0, 0.5, 1.0))))
        assert schedule.missing() == []
        counted.add((schedule.decision, tuple(one.match for one in schedule.results), schedule.pairs))
    assert len(counted) == 1
    decision, matches, _ = counted.pop()
    assert decision in (Decision.H0, Decision.H1)
    assert 20 < len(matches) < 400


def test_results_of_another_tournament_are_ignored() -> None:
    one, other = tournament(2), tournament(2, seed=9)
    foreign = [result(other, job) for job in Schedule(other).missing()]
    assert len(Schedule(one, foreign).missing()) == 2
