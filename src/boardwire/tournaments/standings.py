"""Standings of a tournament.

Participants are ranked by points, then by Buchholz, Sonneborn-Berger, matches won and the initial order; in an arena,
where they play different numbers of matches, by points and matches won; in a knockout by the stage that they reached.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from boardwire.competition.pairings import Encounter, Played, knockout_order
from boardwire.competition.standings import TieBreaks, tie_breaks
from boardwire.tournaments.setup import TournamentFormat
from boardwire.tournaments.tournament import Tournament, TournamentStatus


class Standing(msgspec.Struct, frozen=True):
    """A participant's rank and figures."""

    rank: int
    """From 1; participants with equal figures are ranked by the initial order."""
    number: int
    name: str
    bot: str
    points: float
    buchholz: float
    sonneborn_berger: float
    played: int
    won: int
    drawn: int
    lost: int
    withdrawn: bool
    checked_in: bool


def standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of all participants, best first."""
    order = participants(tournament)
    results = results_by_entrant(tournament)
    figures = tie_breaks({number: [(other, score) for other, score, _ in rows] for number, rows in results.items()})
    place = {number: rank for rank, number in enumerate(order)}
    won = {number: sum(score == 1.0 and played for _, score, played in rows) for number, rows in results.items()}

    def key(number: int) -> tuple[float, ...]:
        figure = figures[number]
        if tournament.setup.is_arena:
            return -figure.points, -won[number], place[number]
        return -figure.points, -figure.buchholz, -figure.sonneborn_berger, -won[number], place[number]

    if tournament.setup.format is TournamentFormat.KNOCKOUT and tournament.rounds:
        started = tournament.order
        ranking = [started[index] for index in knockout_order(len(started), knockout_history(tournament))]
        ranking += [number for number in order if number not in set(started)]
    else:
        ranking = sorted(order, key=key)
    return [_standing(tournament, rank, number, figures[number], results[number])
            for rank, number in enumerate(ranking, 1)]  # fmt: skip


def _standing(
    tournament: Tournament, rank: int, number: int, figure: TieBreaks, rows: Sequence[tuple[int | None, float, bool]]
) -> Standing:
    """Return the standing of an entrant; `rows` has opponent, score and whether it was played for each round."""
    state = tournament.entrants[number]
    played = [score for _, score, was_played in rows if was_played]
    return Standing(
        rank, number, state.entrant.name, state.entrant.bot,
        figure.points, figure.buchholz, figure.sonneborn_berger,
        len(played), played.count(1.0), played.count(0.5), played.count(0.0),
        state.withdrawn, state.checked_in,
    )  # fmt: skip


def participants(tournament: Tournament) -> tuple[int, ...]:
    """Return the participants in the initial order, or all entrants before the start."""
    if tournament.status in (TournamentStatus.OPEN, TournamentStatus.CANCELLED) and not tournament.order:
        return initial_order(tournament, range(len(tournament.entrants)))
    return tournament.order


def initial_order(tournament: Tournament, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return entrants by rating, then by entry."""
    return tuple(sorted(numbers, key=lambda number: (-tournament.entrants[number].entrant.rating, number)))


def results_by_entrant(tournament: Tournament) -> dict[int, list[tuple[int | None, float, bool]]]:
    """Return the results of each participant: the opponent, the points, and whether a match was played."""
    results: dict[int, list[tuple[int | None, float, bool]]] = {number: [] for number in participants(tournament)}
    for round_ in tournament.rounds:
        for number in round_.byes:
            results[number].append((None, 1.0, False))
        for board in round_.boards:
            if board.points is None:
                continue
            for seat, number in enumerate(board.entrants):
                opponent = board.entrants[1 - seat] if board.match else None
                results[number].append((opponent, board.points[seat], bool(board.match)))
    return results


def knockout_history(tournament: Tournament) -> list[list[Played]]:
    """Return the finished rounds of a knockout, with entrants as places in the initial order."""
    place = {number: index for index, number in enumerate(tournament.order)}
    return [
        [
            Played(Encounter(number, table, (place[board.entrants[0]], place[board.entrants[1]])), board.points)
            for table, board in enumerate(round_.boards)
            if board.points is not None
        ]
        for number, round_ in enumerate(tournament.rounds)
        if all(board.points is not None for board in round_.boards)
    ]
