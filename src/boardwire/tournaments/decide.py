"""Decide the events that follow from a request or from the passage of time.

All functions are pure: they return events, or raise `Refused`.

- A rated tournament admits only players with an account, and bots.
- A participant is active until it withdraws. A withdrawal during a match takes effect after the match.
- At the start, participants that did not check in although they had to are withdrawn. With fewer than two left, the
  tournament is cancelled.
- A round is paired when the previous one is complete and `pause` has passed. A board with a withdrawn participant is
  a walkover.
- An arena pairs participants that have no match until its time is up; matches in progress are finished.
- A match that the server interrupted is replaced until a board has had `MAX_MATCHES_PER_BOARD`; then the board is a
  draw.
- A participant that did not come to its match loses and is withdrawn; it may rejoin.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from boardwire.competition.pairings import (
    Entrants,
    SwissEntrant,
    arena_pairs,
    default_rounds,
    dutch_round,
    knockout_round,
    round_robin,
)
from boardwire.competition.pairings import Format as PairingFormat
from boardwire.errors import Reason, Refused
from boardwire.games.game import Outcome
from boardwire.table.match import Match
from boardwire.table.termination import Termination, is_aborted
from boardwire.tournaments import events as ev
from boardwire.tournaments.events import Entrant, Event
from boardwire.tournaments.setup import ADMITS_LATE, TournamentFormat
from boardwire.tournaments.standings import initial_order, knockout_history, results_by_entrant
from boardwire.tournaments.tournament import Board, Tournament, TournamentStatus, evolve

MAX_MATCHES_PER_BOARD: Final = 10
"""Matches of one board; it gets another one only if the server interrupts a match."""

WALKOVER: Final = "walkover"
"""Termination of a board without a match."""
NO_SHOW: Final = "no show"
"""Termination of a match to which a participant never came."""


# --- requests -------------------------------------------------------------------------------------------------------


def enter(tournament: Tournament, entrant: Entrant, now: float) -> tuple[Event, ...]:
    """Admit a participant, or readmit a withdrawn one."""
    _check_not_over(tournament)
    setup = tournament.setup
    number = tournament.number_of(entrant)
    if number is not None and not tournament.entrants[number].withdrawn:
        return ()
    if tournament.status is TournamentStatus.RUNNING and (number is None or number not in tournament.order):
        _check_late(tournament)
    if setup.rated and not (entrant.account or entrant.bot):
        raise Refused("this tournament is rated; claim a name first", reason=Reason.NO_ACCOUNT)
    if number is not None:
        return (ev.Rejoined(now, number),)
    if len(tournament.entrants) >= setup.max_entrants:
        raise Refused(f"the tournament is full; it admits {setup.max_entrants} participants", reason=Reason.FULL)
    if any(state.entrant.name == entrant.name for state in tournament.entrants):
        raise Refused(f"the name {entrant.name!r} is taken in this tournament; choose another one",
                      reason=Reason.NAME_TAKEN)  # fmt: skip
    return (ev.Entered(now, entrant),)


def _check_not_over(tournament: Tournament) -> None:
    if tournament.status in (TournamentStatus.OVER, TournamentStatus.CANCELLED):
        raise Refused("the tournament is over", reason=Reason.OVER)


def _check_late(tournament: Tournament) -> None:
    """Raise `Refused` if a tournament that has started admits no more participants."""
    setup = tournament.setup
    admits_late = setup.late and setup.format in ADMITS_LATE
    if not admits_late or (
        setup.format is TournamentFormat.SWISS and len(tournament.rounds) >= tournament.planned_rounds
    ):
        raise Refused("the tournament has started and admits no more participants", reason=Reason.BEGUN)


def check_in(tournament: Tournament, number: int, now: float) -> tuple[Event, ...]:
    """Confirm the presence of a participant before the start."""
    setup = tournament.setup
    _check_not_over(tournament)
    if not setup.check_in:
        raise Refused("this tournament has no check-in")
    if tournament.status is not TournamentStatus.OPEN:
        raise Refused("the tournament has already started", reason=Reason.BEGUN)
    if now < setup.starts_at - setup.check_in:
        raise Refused(f"check-in opens {setup.check_in:g} seconds before the start", reason=Reason.NOT_BEGUN)
    state = tournament.entrants[number]
    if state.withdrawn:
        raise Refused("you have withdrawn; enter again first")
    return () if state.checked_in else (ev.CheckedIn(now, number),)


def withdraw(tournament: Tournament, number: int, now: float, *, absent: bool = False) -> tuple[Event, ...]:
    """Withdraw a participant; `absent` if it missed its match or the check-in."""
    _check_not_over(tournament)
    return () if tournament.entrants[number].withdrawn else (ev.Withdrawn(now, number, absent),)


def start(tournament: Tournament, now: float) -> tuple[Event, ...]:
    """Start the tournament with the participants present, and pair the first round; cancel it with fewer than two."""
    if tournament.status is not TournamentStatus.OPEN:
        raise Refused("the tournament has already started", reason=Reason.BEGUN)
    events: list[Event] = []
    if tournament.setup.check_in:
        events = [
            ev.Withdrawn(now, number, absent=True)
            for number in tournament.active()
            if not tournament.entrants[number].checked_in and not tournament.entrants[number].entrant.bot
        ]
    absent = {event.number for event in events if isinstance(event, ev.Withdrawn)}
    present = [number for number in tournament.active() if number not in absent]
    if len(present) < 2:
        return *events, ev.Cancelled(now, "too-few")
    planned_rounds = 0
    if tournament.setup.format is TournamentFormat.SWISS:
        max_rounds = len(present) - 1 + len(present) % 2
        planned_rounds = min(tournament.setup.rounds or default_rounds(PairingFormat.SWISS, len(present)), max_rounds)
    events.append(ev.Started(now, initial_order(tournament, present), planned_rounds))
    return _then_pair(tournament, events, now)


def cancel(tournament: Tournament, now: float, reason: str = "organiser") -> tuple[Event, ...]:
    """End the tournament without a result."""
    _check_not_over(tournament)
    return (ev.Cancelled(now, reason),)


# --- time and results -----------------------------------------------------------------------------------------------


def advance(tournament: Tournament, now: float) -> tuple[Event, ...]:
    """Return the events that are due now: the start, a round, pairings of an arena or the end."""
    setup = tournament.setup
    if tournament.status is TournamentStatus.OPEN:
        return start(tournament, now) if setup.starts_at and now >= setup.starts_at else ()
    if tournament.status is not TournamentStatus.RUNNING:
        return ()
    if setup.is_arena:
        return _advance_arena(tournament, now)
    if next(tournament.open_boards(), None) is not None or now < tournament.changed_at + setup.pause:
        return ()
    return _pair(tournament, now)


def due_at(tournament: Tournament) -> float | None:
    """Return the time from which `advance` may return events, or None if only a request or a result can cause some."""
    setup = tournament.setup
    if tournament.status is TournamentStatus.OPEN:
        return setup.starts_at or None
    if tournament.status is not TournamentStatus.RUNNING:
        return None
    if setup.is_arena:
        return tournament.ends_at
    return None if next(tournament.open_boards(), None) is not None else tournament.changed_at + setup.pause


def assign(tournament: Tournament, number: int, place: int, match: str, now: float) -> tuple[Event, ...]:
    """Assign a match to a board."""
    return (ev.GameAssigned(now, number, place, match),)


def report(tournament: Tournament, number: int, place: int, match: Match | None, now: float) -> tuple[Event, ...]:
    """Return the result of a board's match; return no events if the board needs another match.

    That is so if the server has lost (None) or interrupted the match. After `MAX_MATCHES_PER_BOARD` the board is drawn.
    """
    board = tournament.rounds[number].boards[place]
    if board.points is not None:
        return ()
    outcome = None if match is None else match.outcome
    if match is None or outcome is None or _is_void(match, outcome):
        if board.attempts < MAX_MATCHES_PER_BOARD:
            return ()
        return _then_advance(tournament, [ev.ResultReported(now, number, place, (0.5, 0.5), WALKOVER)], now)
    absent_seats = [seat for seat, chair in enumerate(match.chairs) if chair.away is not None and not chair.returns]
    forfeits = Termination.STAYED_AWAY, Termination.RESIGNED  # the runner reports the second one, against a bot
    no_show = outcome.termination in forfeits and outcome.by in absent_seats
    points = (0.0, 0.0) if no_show and len(absent_seats) == 2 else points_of(outcome)
    termination = NO_SHOW if no_show else str(outcome.termination)
    events: list[Event] = [ev.ResultReported(now, number, place, points, termination)]
    if no_show:
        absent_entrants = [board.entrants[seat] for seat in absent_seats]
        events += [
            ev.Withdrawn(now, entrant, absent=True)
            for entrant in absent_entrants
            if not tournament.entrants[entrant].withdrawn
        ]
    return _then_advance(tournament, events, now)


def _is_void(match: Match, outcome: Outcome) -> bool:
    """Return whether a match must be played again: the server ended it, or it never began."""
    ended_by_server = outcome.termination in (Termination.INTERRUPTED, Termination.FAULT)
    return ended_by_server or (is_aborted(outcome) and outcome.by is None and not match.moves)


def points_of(outcome: Outcome) -> tuple[float, float]:
    """Return the points by seat: 1 for a win, ½ for a draw; an aborted match is lost by the seat responsible."""
    if is_aborted(outcome) and outcome.by in (0, 1):
        return (0.0, 1.0) if outcome.by == 0 else (1.0, 0.0)
    if len(outcome.winners) != 1:
        return 0.5, 0.5
    return (1.0, 0.0) if 0 in outcome.winners else (0.0, 1.0)


# --- pairing --------------------------------------------------------------------------------------------------------


def _then_advance(tournament: Tournament, events: Sequence[Event], now: float) -> tuple[Event, ...]:
    """Return the events, followed by those that are due after them."""
    return *events, *advance(reduce(evolve, events, tournament), now)


def _then_pair(tournament: Tournament, events: Sequence[Event], now: float) -> tuple[Event, ...]:
    """Return the events, followed by the first pairings; the first round does not wait for `pause`."""
    pair = _advance_arena if tournament.setup.is_arena else _pair
    return *events, *pair(reduce(evolve, events, tournament), now)


def _pair(tournament: Tournament, now: float) -> tuple[Event, ...]:
    """Pair the next round, or finish."""
    next_round = _next_round(tournament)
    if next_round is None:
        return (ev.Finished(now),)
    boards, byes = next_round
    number = len(tournament.rounds)
    events: list[Event] = [ev.RoundPaired(now, number, boards, byes)]
    for place, pair in enumerate(boards):
        withdrawn = [tournament.entrants[entrant].withdrawn for entrant in pair]
        if any(withdrawn):
            # a knockout needs a winner on every board; this one loses the next round by a walkover
            double_walkover = (1.0, 0.0) if tournament.setup.format is TournamentFormat.KNOCKOUT else (0.0, 0.0)
            points = double_walkover if all(withdrawn) else (0.0, 1.0) if withdrawn[0] else (1.0, 0.0)
            events.append(ev.ResultReported(now, number, place, points, WALKOVER))
    return tuple(events)


def _next_round(tournament: Tournament) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]] | None:
    """Return boards and byes of the next round, or None if the tournament is over."""
    order, number = tournament.order, len(tournament.rounds)
    match tournament.setup.format:
        case TournamentFormat.SWISS:
            present = [entrant for entrant in order if not tournament.entrants[entrant].withdrawn]
            if number >= tournament.planned_rounds or len(present) < 2:
                return None
            pairs, bye = dutch_round(swiss_entrants(tournament, present))
            return _boards(pairs, order), () if bye is None else (order[bye],)
        case TournamentFormat.ROUND_ROBIN:
            rounds = round_robin(len(order))
            cycle, place = divmod(number, len(rounds))
            if cycle >= max(1, tournament.setup.rounds) or len(tournament.active()) < 2:
                return None
            boards = _boards(rounds[place], order)
            return tuple(pair[::-1] for pair in boards) if cycle % 2 else boards, ()
        case _:
            pairs = knockout_round(len(order), knockout_history(tournament))
            return (_boards(pairs, order), ()) if pairs else None


def _boards(pairs: Sequence[Entrants], order: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((order[first], order[second]) for first, second in pairs)


def swiss_entrants(tournament: Tournament, numbers: Sequence[int]) -> list[SwissEntrant]:
    """Return participants with their histories, numbered by their place in the initial order."""
    place = {number: index for index, number in enumerate(tournament.order)}
    seats: dict[int, list[int]] = {number: [] for number in tournament.order}
    byes = {number for round_ in tournament.rounds for number in round_.byes}
    for round_ in tournament.rounds:
        for board in round_.boards:
            for seat, number in enumerate(board.entrants):
                if board.match:
                    seats[number].append(seat)
    results = results_by_entrant(tournament)
    return [
        SwissEntrant(
            place[number],
            sum(points for _, points, _ in results[number]),
            frozenset(place[other] for other, _, _ in results[number] if other is not None),
            tuple(seats[number]),
            number in byes,
        )
        for number in numbers
    ]


def _advance_arena(tournament: Tournament, now: float) -> tuple[Event, ...]:
    """Return the events that pair the waiting entrants, or end the arena when its time is over and no board is open."""
    busy = {number for _, _, board in tournament.open_boards() for number in board.entrants}
    if now >= tournament.ends_at:
        return () if busy else (ev.Finished(now),)
    free_entrants = [
        entrant for entrant in tournament.order if not tournament.entrants[entrant].withdrawn and entrant not in busy
    ]
    if len(free_entrants) < 2:
        return ()
    place = {number: index for index, number in enumerate(tournament.order)}
    last_opponents = {place[entrant]: place[opponent] for entrant, opponent in _last_opponents(tournament).items()}
    pairs = arena_pairs(swiss_entrants(tournament, free_entrants), last_opponents)
    return (ev.RoundPaired(now, 0, _boards(pairs, tournament.order)),) if pairs else ()


def _last_opponents(tournament: Tournament) -> dict[int, int]:
    """Return the last opponent of each entrant of an arena that has played."""
    boards: Sequence[Board] = tournament.rounds[0].boards if tournament.rounds else ()
    return {
        number: board.entrants[1 - seat] for board in boards for seat, number in enumerate(board.entrants)
    }  # fmt: skip
