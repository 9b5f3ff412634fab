"""The plan of a run: the keys of its tasks, and the teams that each task judges.

Pure functions of the course's file.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations

from boardwire.bridge.server import pair as check_pair
from boardwire.course.config import Course, Criterion, Team
from boardwire.errors import Malformed


def plan(course: Course, only_team: str = "", criteria: Iterable[Criterion] = ()) -> tuple[str, ...]:
    """Return the keys of all tasks of a run: for all teams or one, for all criteria of the course or some."""
    criterion_names = [entry.name for entry in course.criteria if entry.name in (tuple(criteria) or tuple(Criterion))]
    teams = [team for team in course.teams if only_team in ("", team.name)]
    keys: list[str] = []
    for criterion in criterion_names:
        match criterion:
            case Criterion.BUILD:
                continue
            case Criterion.SERVER | Criterion.SERVER_RESILIENCE:
                keys += [f"{criterion}/{team.name}" for team in teams if team.server is not None]
            case Criterion.CLIENT:
                keys += [f"{criterion}/{team.name}" for team in teams if team.client is not None]
            case Criterion.CLIENT_RESILIENCE:
                keys += [f"{criterion}/{team.name}" for team in teams if _is_started(team)]
            case Criterion.SERVER_MATCHES | Criterion.CLIENT_MATCHES:
                keys += [key for key in _matches(course) if not only_team or judges(key, only_team, criterion)]
            case Criterion.TOURNAMENT:
                keys += [key for key in _tournament(course) if not only_team or judges(key, only_team, criterion)]
    keys = list(dict.fromkeys(keys))
    involved = {name for key in keys for name in key.split("/")[1:]} | {team.name for team in teams}
    builds = [f"{Criterion.BUILD}/{team.name}" for team in course.teams if team.directory and team.name in involved]
    return (*builds, *keys)


def _is_started(team: Team) -> bool:
    """Return whether the course starts a team's client."""
    return team.client is not None and not team.client.listen


def _matches(course: Course) -> list[str]:
    """Return the matches of every client on every other team's server, where an adapter exists."""
    return [
        f"match/{team.name}/{other.name}"
        for team in course.teams for other in course.teams
        if team is not other and _plays_on(team, other)
    ]  # fmt: skip


def _plays_on(client: Team, server: Team) -> bool:
    """Return whether a team's client plays on another team's server."""
    return _is_started(client) and server.server is not None and _can_meet(client, server)


def _can_meet(client: Team, server: Team) -> bool:
    if client.protocol == server.protocol:
        return True
    with suppress(Malformed):
        check_pair(client.protocol, server.protocol)
        return True
    return False


def _plays_tournament(team: Team) -> bool:
    """Return whether a team's client plays in the tournament: the course starts it, and not as a container."""
    return team.client is not None and bool(team.client.run or team.client.jar)


def _tournament(course: Course) -> list[str]:
    clients = [team.name for team in course.teams if _plays_tournament(team)]
    return [f"tournament/{first}/{second}" for first, second in combinations(clients, 2)]


def is_judged(course: Course, name: str, criterion: Criterion) -> bool:
    """Return whether a run of all teams judges a team in a criterion: it delivers a program, and has an opponent."""
    team = course.team(name)
    others = [other for other in course.teams if other is not team]
    match criterion:
        case Criterion.BUILD:
            return bool(team.build)
        case Criterion.SERVER | Criterion.SERVER_RESILIENCE:
            return team.server is not None
        case Criterion.CLIENT:
            return team.client is not None
        case Criterion.CLIENT_RESILIENCE:
            return _is_started(team)
        case Criterion.SERVER_MATCHES:
            return any(_plays_on(other, team) for other in others)
        case Criterion.CLIENT_MATCHES:
            return any(_plays_on(team, other) for other in others)
        case Criterion.TOURNAMENT:
            return _plays_tournament(team) and any(map(_plays_tournament, others))


def judges(task: str, team: str, criterion: Criterion) -> bool:
    """Return whether a task fills a cell of a team in a criterion."""
    return (team, criterion) in judged_teams(task)


def judged_teams(task: str) -> list[tuple[str, Criterion]]:
    """Return the teams that a task judges, each with the criterion."""
    kind, *teams = task.split("/")
    match kind:
        case "match":
            return list(zip(teams, (Criterion.CLIENT_MATCHES, Criterion.SERVER_MATCHES), strict=True))
        case _:
            return [(team, Criterion(kind)) for team in teams]
