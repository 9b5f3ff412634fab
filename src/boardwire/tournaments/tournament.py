"""A tournament as an immutable value: the fold of its events (`evolve`).

`decide.py` decides the events that follow from a request; `standings.py` ranks the participants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import reduce
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from boardwire.errors import Reason, Unavailable
from boardwire.tournaments import events as ev
from boardwire.tournaments.events import Entrant, Event
from boardwire.tournaments.setup import TournamentSetup


class TournamentStatus(StrEnum):
    """Stage of a tournament."""

    OPEN = "open"
    """Announced; participants enter."""
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class EntrantState(msgspec.Struct, frozen=True):
    """A participant with its state."""

    entrant: Entrant
    checked_in: bool = False
    withdrawn: bool = False


class Board(msgspec.Struct, frozen=True):
    """A pairing: its entrants by seat, its match, and the points by seat when it is over."""

    entrants: tuple[int, int]
    match: str = ""
    attempts: int = 0
    """Matches assigned so far; more than one if the server interrupted some."""
    points: tuple[float, float] | None = None
    termination: str = ""


class Round(msgspec.Struct, frozen=True):
    """The boards of a round, and the entrants with a bye."""

    boards: tuple[Board, ...]
    byes: tuple[int, ...] = ()


class Tournament(msgspec.Struct, frozen=True):
    """A tournament after some events."""

    id: str
    setup: TournamentSetup
    created_at: float
    organiser: str = ""
    organiser_name: str = ""
    seq: int = 1
    """Number of events so far."""
    status: TournamentStatus = TournamentStatus.OPEN
    entrants: tuple[EntrantState, ...] = ()
    order: tuple[int, ...] = ()
    """Entrants in the initial order, set at the start; late ones are appended."""
    rounds: tuple[Round, ...] = ()
    planned_rounds: int = 0
    """Rounds that a Swiss tournament will have."""
    started_at: float = 0.0
    changed_at: float = 0.0
    """Time of the last result or pairing."""
    ended_at: float = 0.0
    reason: str = ""
    """Why it was cancelled."""

    @property
    def ends_at(self) -> float:
        """Time at which an arena stops pairing."""
        return self.started_at + 60.0 * self.setup.minutes

    def active(self) -> list[int]:
        """Return the numbers of the participants that are not withdrawn."""
        return [number for number, state in enumerate(self.entrants) if not state.withdrawn]

    def open_boards(self) -> Iterator[tuple[int, int, Board]]:
        """Yield the boards without a result, with the numbers of their round and board."""
        for number in range(max(0, len(self.rounds) - 1), len(self.rounds)):  # earlier rounds are complete
            for place, board in enumerate(self.rounds[number].boards):
                if board.points is None:
                    yield number, place, board

    def number_of(self, entrant: Entrant) -> int | None:
        """Return the number of a participant with the same identity, or None."""
        for number, state in enumerate(self.entrants):
            candidate = state.entrant
            if entrant.bot or candidate.bot:
                continue
            if (candidate.key and candidate.key == entrant.key) or (
                candidate.account and candidate.account == entrant.account
            ):
                return number
        return None


def created(event: ev.Created) -> Tournament:
    """Return the tournament that a `Created` event announces."""
    return Tournament(
        event.tournament, event.setup, event.at, event.organiser, event.organiser_name, changed_at=event.at
    )


def fold(events: Iterable[Event]) -> Tournament:
    """Return the tournament after these events, the first of which is `Created`."""
    remaining = iter(events)
    first = next(remaining, None)
    if not isinstance(first, ev.Created):
        raise Unavailable(
            f"a tournament must begin with Created, but its first event is {type(first).__name__}",
            reason=Reason.UNREADABLE,
        )
    return reduce(evolve, remaining, created(first))


def evolve(tournament: Tournament, event: Event) -> Tournament:
    """Apply an event that `decide` has allowed."""
    return replace(_EVOLVE[type(event)](tournament, event), seq=tournament.seq + 1)


def _enter(tournament: Tournament, event: ev.Entered) -> Tournament:
    number = len(tournament.entrants)
    order = (*tournament.order, number) if tournament.status is TournamentStatus.RUNNING else tournament.order
    return replace(tournament, entrants=(*tournament.entrants, EntrantState(event.entrant)), order=order)


def _with_entrant(tournament: Tournament, number: int, **changes: Any) -> Tournament:
    entrants = tournament.entrants
    changed = replace(entrants[number], **changes)
    return replace(tournament, entrants=(*entrants[:number], changed, *entrants[number + 1 :]))


def _check_in(tournament: Tournament, event: ev.CheckedIn) -> Tournament:
    return _with_entrant(tournament, event.number, checked_in=True)


def _withdraw(tournament: Tournament, event: ev.Withdrawn) -> Tournament:
    return _with_entrant(tournament, event.number, withdrawn=True)


def _rejoin(tournament: Tournament, event: ev.Rejoined) -> Tournament:
    tournament = _with_entrant(tournament, event.number, withdrawn=False)
    if tournament.status is TournamentStatus.RUNNING and event.number not in tournament.order:
        return replace(tournament, order=(*tournament.order, event.number))
    return tournament


def _start(tournament: Tournament, event: ev.Started) -> Tournament:
    return replace(
        tournament,
        status=TournamentStatus.RUNNING,
        order=event.order,
        planned_rounds=event.rounds,
        started_at=event.at,
        changed_at=event.at,
    )


def _add_round(tournament: Tournament, event: ev.RoundPaired) -> Tournament:
    boards = tuple(Board(pair) for pair in event.boards)
    if event.round < len(tournament.rounds):  # an arena adds boards to its only round
        before = tournament.rounds[event.round]
        return _with_round(tournament, event.round, Round((*before.boards, *boards)), event.at)
    return replace(tournament, rounds=(*tournament.rounds, Round(boards, event.byes)), changed_at=event.at)


def _with_round(tournament: Tournament, number: int, changed: Round, at: float) -> Tournament:
    rounds = tournament.rounds
    return replace(tournament, rounds=(*rounds[:number], changed, *rounds[number + 1 :]), changed_at=at)


def _with_board(tournament: Tournament, number: int, place: int, board: Board, at: float) -> Tournament:
    before = tournament.rounds[number]
    boards = (*before.boards[:place], board, *before.boards[place + 1 :])
    return _with_round(tournament, number, Round(boards, before.byes), at)


def _assign_game(tournament: Tournament, event: ev.GameAssigned) -> Tournament:
    board = tournament.rounds[event.round].boards[event.board]
    board = replace(board, match=event.match, attempts=board.attempts + 1)
    return _with_board(tournament, event.round, event.board, board, event.at)


def _add_result(tournament: Tournament, event: ev.ResultReported) -> Tournament:
    board = tournament.rounds[event.round].boards[event.board]
    board = replace(board, points=event.points, termination=event.termination)
    return _with_board(tournament, event.round, event.board, board, event.at)


def _finish(tournament: Tournament, event: ev.Finished) -> Tournament:
    return replace(tournament, status=TournamentStatus.OVER, ended_at=event.at)


def _cancel(tournament: Tournament, event: ev.Cancelled) -> Tournament:
    return replace(tournament, status=TournamentStatus.CANCELLED, ended_at=event.at, reason=event.reason)


_EVOLVE: Final[dict[type, Callable[[Tournament, Any], Tournament]]] = {
    ev.Entered: _enter,
    ev.CheckedIn: _check_in,
    ev.Withdrawn: _withdraw,
    ev.Rejoined: _rejoin,
    ev.Started: _start,
    ev.RoundPaired: _add_round,
    ev.GameAssigned: _assign_game,
    ev.ResultReported: _add_result,
    ev.Finished: _finish,
    ev.Cancelled: _cancel,
}
