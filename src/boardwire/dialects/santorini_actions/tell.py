"""TELL: events as messages of santorini-actions.

- The board is sent after each change, so a swap or a push sends two boards [4.4.4].
- Boards are encoded once for all readers of a step.
- A client that has lost receives nothing more [4.5].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.santorini_actions.ask import announce_god_player, can_start, go_through_setup
from boardwire.dialects.santorini_actions.messages import battlefield, replies
from boardwire.dialects.santorini_actions.messages.battlefield import Rows
from boardwire.dialects.santorini_actions.participant import OUT, Participant, cells
from boardwire.dialects.santorini_actions.steps import LAST
from boardwire.games.game import Seat
from boardwire.games.santorini import Kind, Position
from boardwire.games.santorini import events as game
from boardwire.games.santorini.edits import find, with_level, with_new_worker, with_worker
from boardwire.games.santorini.position import OFF
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Moment
from boardwire.table.termination import PLAYER_LOST

Scenes: TypeAlias = list[tuple[Callable[[Participant, Any, bytes], None], Any, bytes]]
"""For each event: the function that reports it, the event, and the encoded board after it."""


def tell(client: Participant, step: Step) -> None:
    """Report all events of a step to one client, in order."""
    if step.moments[-1].match.outcome is not None:
        client.pending_response = None  # [4.5] real clients that receive END with the result do not show the result
    client.follow(step, TELL)


def _report_action(client: Participant, moment: Moment, step: Step) -> None:
    """Report the game's events, cached for all seats unless powers hide information."""
    key = client.board_encoder, moment.match.seq
    scenes: Scenes | None = step.memo.get(key)
    if scenes is None:
        audience = client.audience
        scenes = _scenes_of(client.before.position, moment, client.board_encoder, audience)
        if audience is None:
            step.memo[key] = scenes
    for report, event, board in scenes:
        report(client, event, board)


def _scenes_of(
    before: Position, moment: Moment, board_encoder: battlefield.BoardEncoder, audience: Seat | None
) -> Scenes:
    """Return the reported events of a moment, each with the board after it if it changed the board."""
    if audience is not None:
        moment = _shown_moment(moment, audience)
    boards = iter(boards_of(before, moment, board_encoder, audience))
    scenes: Scenes = []
    for event in moment.happened:
        kind = type(event)
        report = TELL_GAME[kind]
        if report is ignore_event or (kind is game.Banished and _with_its_owner(event)):
            continue
        scenes.append((report, event, battlefield.update(next(boards)) if kind in CHANGES else b""))
    return scenes


def _shown_moment(moment: Moment, audience: Seat) -> Moment:
    """Return a moment with the events as one player may see them."""
    happened = tuple(event for hidden in moment.happened if (event := game.show(hidden, audience)) is not None)
    return replace(moment, happened=happened)


# --- boards ---------------------------------------------------------------------------------------------------------


def boards_of(
    before: Position, moment: Moment, board_encoder: battlefield.BoardEncoder, audience: Seat | None = None
) -> list[Rows]:
    """Return the board after each change; `before` is the position before all of them."""
    changes = [
        event
        for event in moment.happened
        if type(event) in CHANGES and not (type(event) is game.Banished and _with_its_owner(event))
    ]
    after: Position = moment.match.position
    if len(changes) == 1:
        return [cells(after, board_encoder, audience)]
    boards: list[Rows] = []
    p = before
    for event in changes:
        p = CHANGES[type(event)](p, event, after)
        boards.append(cells(p, board_encoder, audience))
    return boards


def _with_its_owner(event: game.Banished) -> bool:
    """Return whether a worker leaves with its eliminated owner, which the board after the elimination shows already."""
    return event.god is None


def _after_placement(p: Position, event: game.WorkerPlaced, after: Position) -> Position:
    return with_new_worker(p, event.side, event.at)


def _after_move(p: Position, event: game.Moved | game.Forced, after: Position) -> Position:
    """Quirk: a worker on the target cell is off the board until it is forced elsewhere [7.1]."""
    if p.occupied >> event.to & 1:
        side, worker = find(p, event.to)
        p = with_worker(p, side, worker, OFF)
    return with_worker(p, event.side, event.worker, event.to)


def _after_build(p: Position, event: game.Built, after: Position) -> Position:
    return replace(p, domes=p.domes | 1 << event.at) if event.dome else with_level(p, event.at, event.level)


def _after_removal(p: Position, event: game.Razed, after: Position) -> Position:
    return with_level(p, event.at, event.level)


def _after_banishment(p: Position, event: game.Banished, after: Position) -> Position:
    return with_worker(p, event.side, event.worker, OFF)


def _after_elimination(p: Position, event: game.Eliminated, after: Position) -> Position:
    return replace(p, out=p.out | 1 << event.seat)


def _after_token(p: Position, event: game.TokenPlaced | game.TokenTaken, after: Position) -> Position:
    return replace(p, solid=after.solid)


CHANGES: Final[dict[type, Callable[[Position, Any, Position], Position]]] = {
    game.WorkerPlaced: _after_placement,
    game.Moved: _after_move,
    game.Forced: _after_move,
    game.Built: _after_build,
    game.Razed: _after_removal,
    game.Banished: _after_banishment,
    game.Eliminated: _after_elimination,
    game.TokenPlaced: _after_token,
    game.TokenTaken: _after_token,
}
"""Effect on the board of each visible event."""

# --- the game's events ----------------------------------------------------------------------------------------------


def _report_board(client: Participant, event: Any, board: bytes) -> None:
    if client.phase is not OUT:
        client.session.say(board)  # (creation 5, turn 6)


def _report_turn(client: Participant, event: game.TurnStarted, board: bytes) -> None:
    """Announce a turn to the clients that the edition tells it."""
    if client.phase is OUT:
        return
    if client.pending_response is not None:
        client.answer(LAST)  # before the messages of the new turn
    if event.seat == client.seat and not can_start(client):
        return  # this protocol cannot express the turn of a god of another dialect; defaults play it
    # Quirk: the shipped program announces the first turn to all, later ones only to their player [6]
    if client.session.edition.turns_to_all or event.ply == 0 or event.seat == client.seat:
        client.session.say(client.lines[event.seat])  # (turn 1)


def _note_pick(client: Participant, event: game.GodPicked, board: bytes) -> None:
    client.note_god(event.seat, event.god)  # clients learn it from `getPlayers`


def _report_loss(client: Participant, event: game.Eliminated, board: bytes) -> None:
    _report_board(client, event, board)
    if event.seat == client.seat:
        _send_result(client, replies.YOU_LOSE)  # (finish 1) the others may continue


def _report_win(client: Participant, event: game.Won, board: bytes) -> None:
    client.over = True
    _send_result(client, replies.YOU_WIN if client.seat in event.seats else replies.YOU_LOSE)


def _report_draw(client: Participant, event: game.Drawn, board: bytes) -> None:
    client.over = True
    _send_result(client, replies.YOU_LOSE)  # the protocol has no draw


def _send_result(client: Participant, result: bytes) -> None:
    """Send the result to this client, and drop the response to its last step."""
    if client.phase is not OUT:
        client.phase, client.pending_response = OUT, None
        client.session.say(result)


TELL_GAME: Final[dict[type, Callable[[Participant, Any, bytes], None]]] = exhaustive(
    {
        **dict.fromkeys(CHANGES, _report_board),
        game.GodPicked: _note_pick,
        game.Eliminated: _report_loss,
        game.TurnStarted: _report_turn,
        game.Won: _report_win,
        game.Drawn: _report_draw,
    },
    game.Event, ignore_event,
    game.GodProposed, game.StartNamed, game.OrderSet, game.Declined, game.Aimed, game.Bound, game.PowerUsed,
    game.PowerChanged, game.CoinsChanged, game.CardDealt, game.Cancelled, game.TurnSkipped, game.Secret,
)  # fmt: skip

# --- the match's events ---------------------------------------------------------------------------------------------


def _report_start(client: Participant, moment: Moment, step: Step) -> None:
    """Begin the match for a client; from a given position, go through a formal set-up."""
    client.begin()
    announce_god_player(client)
    pending = moment.match.pending
    if pending is not None and pending.kind is Kind.OPEN:  # a match from a position has no set-up
        client.session.say(battlefield.update(client.board()))
        go_through_setup(client)
        client.session.say(client.lines[pending.seats[0]])


def _report_end(client: Participant, moment: Moment, step: Step) -> None:
    """Report an interrupted match with `serverError`, and close (finish 2); other endings were reported before."""
    if client.over:
        return
    outcome = moment.match.outcome
    if client.phase is not OUT and moment.match.position is not None:
        player_lost = outcome is not None and outcome.termination in PLAYER_LOST
        text = replies.DISCONNECTED if player_lost else replies.INTERRUPTED
        client.session.say(replies.write(replies.ServerError(text)))
    client.session.gone = client.phase is not OUT


TELL: Final[dict[type, Callable[[Participant, Moment, Step], None]]] = exhaustive(
    {
        table.Started: _report_start,
        table.Ended: _report_end,
        **dict.fromkeys(table.PLAY_EVENTS, _report_action),
    },
    table.Event, ignore_event, *table.SEAT_EVENTS, *table.UNDO_EVENTS, *table.DRAW_EVENTS, table.Chatted,
)  # fmt: skip
