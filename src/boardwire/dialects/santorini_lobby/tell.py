"""TELL: events as messages of santorini-lobby, the same for all attached clients and encoded once.

- `TELL` is keyed by match events, `SHOW` by game events.
- Moves are derived from the positions before and after a step: a MOVE onto an occupied cell swaps two pawns, and a push
  is two MOVEs [5].
- A lobby that ends without a winner ends with SERVER_ERROR, in the program's words where it has them [10].
- There is no message for a user who leaves, so that ends the lobby for all attached clients, even before it is full
  (document; [10]). If the table holds the seat, or a bot takes over, play continues without a message.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from boardwire.dialects.dispatch import exhaustive, no_bytes
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.ask import ask
from boardwire.dialects.santorini_lobby.messages import CELLS, IDENTIFIERS, encode
from boardwire.dialects.santorini_lobby.users import Users
from boardwire.games.game import Seat
from boardwire.games.santorini import events as shown
from boardwire.games.santorini.edits import level
from boardwire.games.santorini.events import show
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import view
from boardwire.table import events as table_events
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment, Status
from boardwire.table.termination import Termination


def tell(before: Match, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Return the lines of a step for the player at `seat`, or for a spectator if it is None.

    They are cached for all readers unless powers hide information.
    """
    lines: bytes | None = step.memo.get(users)
    if lines is None:
        lines = _encode_step(before, step, users, seat)
        position = step.match.position
        if position is None or not position.lineup.secretive:
            step.memo[users] = lines
    return lines


def _encode_step(before: Match, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Return the lines of a step, and the question that follows it."""
    lines, pending = b"", before.pending
    for moment in step.moments:
        lines += TELL[type(moment.event)](before, moment, step, users, seat)
        before = moment.match
    return lines + ask(pending, before, users)


# --- the end --------------------------------------------------------------------------------------------------------


def _error_line(kind: str, description: str) -> bytes:
    return encode(wire.ServerError(kind, description))


UNRESPONSIVE: Final = _error_line("Failed to respond to pings", "You will be disconnected")
"""Sent to a silent connection that has not logged in."""


def disconnected_line(name: str) -> bytes:
    """Encode the end of a lobby after a user's connection was closed."""
    return _error_line("User disconnected", f'User: "{name}" disconnected. Terminating.')


def lost_line(name: str) -> bytes:
    """Encode the end of a lobby after a user stopped answering pings."""
    return _error_line("Connection to user ", f'User: "{name}" has been lost.')


# --- TELL -----------------------------------------------------------------------------------------------------------


def joined_line(name: str) -> bytes:
    return encode(wire.UserJoined(wire.User(name)))


def _report_login(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    event: Any = moment.event
    return joined_line(users.names[event.seat]) if moment.match.chairs[event.seat].ready else b""


def _report_start(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Report the parts that another protocol's set-up has fixed in advance: gods, pawns, cells, the first turn."""
    position = moment.match.position
    seat_view = view(position, seat)
    gods = [
        shown.GodPicked(n, god) for n, god in enumerate(seat_view.gods) if god is not None and god is not God.MORTAL
    ]
    lines = [_pick_line(before, moment, god, users) for god in gods]
    for side, squares in enumerate(seat_view.workers):
        pawns = [shown.WorkerPlaced(side, side, number, at) for number, at in enumerate(squares) if at >= 0]
        lines += [_placement_line(before, moment, pawn, users) for pawn in pawns]
    lines += [_cell_line(position, square) for square in range(25) if _building_on(position, square) != (0, False)]
    if position.setup is None:
        lines.append(users.turn(position.seat, position.ply))
    return b"".join(lines)


def _report_action(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Return the lines of an action's events, as far as the seat may see them."""
    lines = b""
    for hidden in moment.happened:
        event = show(hidden, seat)
        if event is not None:
            lines += SHOW[type(event)](before, moment, event, users)
    return lines


def _report_undo(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Restore cells and pawns. Happens only without players of this dialect, who decline every undo."""
    old_position, new_position = before.position, moment.match.position
    cells = [
        _cell_line(new_position, square)
        for square in range(25)
        if _building_on(old_position, square) != _building_on(new_position, square)
    ]
    return b"".join([*cells, _lines_between(old_position, new_position)])


def _report_departure(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Report a user who leaves before play, which ends the lobby; in play, `_report_end` reports the end if any."""
    event: Any = moment.event
    if before.status is Status.WAITING and before.chairs[event.seat].ready:
        player = before.chairs[event.seat].player
        return disconnected_line(player.name if player is not None and player.name else users.names[event.seat])
    return b""


def _report_end(before: Match, moment: Moment, step: Step, users: Users, seat: Seat | None) -> bytes:
    """Report an ending other than a WIN."""
    outcome = moment.match.outcome
    if outcome is None or outcome.winners:
        return b""
    leavers = [part.event.seat for part in step.moments if isinstance(part.event, table_events.Left)]
    if leavers:
        return disconnected_line(users.names[leavers[0]]) if before.position is not None else b""
    if outcome.termination == Termination.CONNECTION_LOST and outcome.by is not None:
        return lost_line(users.names[outcome.by])
    return _error_line("Game over", f"The game ended without a winner: {outcome.termination}.")


TELL: Final[dict[type, Callable[[Match, Moment, Step, Users, Seat | None], bytes]]] = exhaustive(
    {
        table_events.Joined: _report_login,
        table_events.Readied: _report_login,
        table_events.Left: _report_departure,
        table_events.Ended: _report_end,
        table_events.Undone: _report_undo,
        table_events.Started: _report_start,
        **dict.fromkeys(table_events.PLAY_EVENTS, _report_action),
    },
    table_events.Event, no_bytes, table_events.Opened, table_events.Returned, table_events.Substituted,
    table_events.Chatted, table_events.UndoOffered, table_events.UndoAgreed, table_events.UndoDeclined,
    *table_events.DRAW_EVENTS,
)  # fmt: skip


# --- SHOW -----------------------------------------------------------------------------------------------------------


def _pick_line(before: Match, moment: Moment, event: shown.GodPicked, users: Users) -> bytes:
    return encode(wire.GodChosen(wire.User(users.names[event.seat]), IDENTIFIERS[event.god]))


def _placement_line(before: Match, moment: Moment, event: shown.WorkerPlaced, users: Users) -> bytes:
    return encode(wire.PawnPlaced(wire.User(users.names[event.seat]), event.worker, CELLS[event.at]))


def _turn_lines(before: Match, moment: Moment, event: shown.TurnStarted, users: Users) -> bytes:
    return users.turn(event.seat, event.ply)


def _move_lines(before: Match, moment: Moment, event: shown.Moved, users: Users) -> bytes:
    """Return the MOVE of a move; of a move with forced workers, the MOVEs of all."""
    if len(moment.happened) > 1 and any(type(other) is shown.Forced for other in moment.happened):
        return _lines_between(before.position, moment.match.position)
    return move_line(event.frm, event.to)


def _forced_lines(before: Match, moment: Moment, event: shown.Forced, users: Users) -> bytes:
    """Report the movements of a step at its first one."""
    kinds = (shown.Moved, shown.Forced)
    first = next(other for other in moment.happened if type(other) in kinds)
    return _lines_between(before.position, moment.match.position) if first is event else b""


@lru_cache(maxsize=1024)
def move_line(frm: int, to: int) -> bytes:
    """Encode a MOVE. Cached, because few different ones recur."""
    return encode(wire.Move(CELLS[frm], CELLS[to]))


def _lines_between(before: Position, after: Position) -> bytes:
    """Return the MOVEs that lead from one position to another: to free cells first, then swaps."""
    squares = {(side, n): square for side, row in enumerate(before.workers) for n, square in enumerate(row)}
    targets = {
        (side, n): after.workers[side][n]
        for (side, n), square in squares.items()
        if after.workers[side][n] >= 0 and square >= 0
    }
    lines = []
    while misplaced := [worker for worker, square in targets.items() if squares[worker] != square]:
        occupants = {square: worker for worker, square in squares.items() if square >= 0}
        moving = next((worker for worker in misplaced if targets[worker] not in occupants), misplaced[0])
        other = occupants.get(targets[moving])
        lines.append(move_line(squares[moving], targets[moving]))
        if other is not None:
            squares[other] = squares[moving]
        squares[moving] = targets[moving]
    return b"".join(lines)


def _build_line(before: Match, moment: Moment, event: shown.Built, users: Users) -> bytes:
    return build_line(event.at, event.level, event.dome)


@lru_cache(maxsize=1024)
def build_line(square: int, height: int, dome: bool) -> bytes:
    """Encode a BUILD: the new state of a cell."""
    return encode(wire.Build(wire.Building(f"LEVEL{height}", dome), CELLS[square]))


def _changed_cell_line(before: Match, moment: Moment, event: Any, users: Users) -> bytes:
    """Report the new state of a cell after blocks were removed or a token closed or opened it."""
    return _cell_line(moment.match.position, event.at)


def _cell_line(p: Position, square: int) -> bytes:
    return build_line(square, *_building_on(p, square))


def _building_on(p: Position, square: int) -> tuple[int, bool]:
    return level(p, square), bool((p.domes | p.solid) >> square & 1)


def _elimination_line(before: Match, moment: Moment, event: shown.Eliminated, users: Users) -> bytes:
    return encode(wire.Elimination(wire.User(users.names[event.seat])))


def _win_lines(before: Match, moment: Moment, event: shown.Won, users: Users) -> bytes:
    return b"".join([encode(wire.Win(wire.User(users.names[seat]))) for seat in event.seats])


SHOW: Final[dict[type, Callable[[Match, Moment, Any, Users], bytes]]] = exhaustive(
    {
        shown.GodPicked: _pick_line,
        shown.WorkerPlaced: _placement_line,
        shown.TurnStarted: _turn_lines,
        shown.Moved: _move_lines,
        shown.Forced: _forced_lines,
        shown.Built: _build_line,
        **dict.fromkeys((shown.Razed, shown.TokenPlaced, shown.TokenTaken), _changed_cell_line),
        shown.Eliminated: _elimination_line,
        shown.Won: _win_lines,
    },
    shown.Event, no_bytes, shown.Secret, shown.GodProposed, shown.StartNamed, shown.OrderSet, shown.Banished,
    shown.Drawn, shown.Aimed, shown.Bound, shown.PowerUsed, shown.PowerChanged, shown.CoinsChanged, shown.CardDealt,
    shown.Declined, shown.Cancelled, shown.TurnSkipped,
)  # fmt: skip
