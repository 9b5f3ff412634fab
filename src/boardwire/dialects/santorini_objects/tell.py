"""TELL: events as messages of santorini-objects.

- All players receive the same bytes, so a step is encoded once per edition.
- The bytes have two parts: the rest of the current turn, and everything from the next turn on. F's player receives the
  second part only after declining (`participant`).
- The set-up is reported from positions, not from events: a table opened by another dialect may start with gods, workers
  or a partly built board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS, cell_at, god_name
from boardwire.games.game import Seat
from boardwire.games.santorini import events as game
from boardwire.games.santorini.board import SQUARES
from boardwire.games.santorini.edits import level
from boardwire.games.santorini.options import Draft
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import known
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment
from boardwire.table.termination import PLAYER_LOST

Messages: TypeAlias = tuple[msgspec.Struct, ...]
StepBytes: TypeAlias = tuple[bytes, bytes]

_GODLESS: Final = (Draft.NONE, Draft.FLEECE)


def tell(step: Step, before: Position | None, edition: Edition, seat: Seat) -> StepBytes:
    """Return a step as bytes for `seat`: the rest of the current turn, and everything after it.

    The bytes are cached for all seats unless powers hide information.
    """
    parts: StepBytes | None = step.memo.get(edition)
    if parts is None:
        position = step.match.position
        audience = seat if position is not None and position.lineup.secretive else None
        writer = StepWriter(edition, audience)
        for moment in step.moments:
            TELL[type(moment.event)](writer, moment, before)
            before = moment.match.position
        parts = writer.parts()
        if audience is None:
            step.memo[edition] = parts
    return parts


class StepWriter:
    """Encoder of one step."""

    __slots__ = ("_after", "_out", "_running", "audience", "edition", "left")

    def __init__(self, edition: Edition, audience: Seat | None) -> None:
        self.edition = edition
        self.audience = audience
        self._running: list[bytes] = []
        self._after: list[bytes] = []
        self._out = self._running

    def say(self, message: msgspec.Struct) -> None:
        """Append a message that recurs in many matches."""
        self._out.append(self.edition.encode_cached(message))

    def say_once(self, message: msgspec.Struct) -> None:
        """Append a message that rarely recurs, bypassing the cache."""
        self._out.append(self.edition.encode(message))

    def next_turn(self) -> None:
        """Append all further messages to the second part."""
        self._out = self._after

    def parts(self) -> StepBytes:
        """Return both parts."""
        return b"".join(self._running), b"".join(self._after)


# --- the set-up -----------------------------------------------------------------------------------------------------


def names(match: Match) -> wire.UpdateInitializeNames:
    """Return the players' names, with a number for a player without a name."""
    players = enumerate(match.players, 1)
    return wire.UpdateInitializeNames(tuple((player.name if player else "") or f"Player {n}" for n, player in players))


def _report_start(writer: StepWriter, moment: Moment, before: Position | None) -> None:
    writer.say_once(names(moment.match))
    p = known(moment.match.position, writer.audience)
    for message in set_up(p, writer.edition):
        writer.say_once(message)
    if p.setup is None:  # a table that starts from a given position
        _report_board(writer, p)


def _report_board(writer: StepWriter, p: Position) -> None:
    """Report the board of a match that starts from a position, and its first turn."""
    blocks = [wire.UpdateBuild(False, CELLS[square][z]) for square in SQUARES for z in range(level(p, square))]
    blocks += [wire.UpdateBuild(True, cell_at(p, square)) for square in SQUARES if p.domes >> square & 1]
    blocks += [_ram_update(p)] if p.ram >= 0 else []
    if writer.edition.is_shipped and blocks:
        writer.say_once(wire.UpdateActions(tuple(blocks), ()))
    elif not writer.edition.is_shipped:
        for block in blocks:  # [6.9] each block exactly once: clients count them
            writer.say(block)
    if p.outcome is None:
        writer.next_turn()
        writer.say(_turn_update(writer.edition, p.seat, p.ply == 0))


def set_up(p: Position, edition: Edition) -> list[msgspec.Struct]:
    """Return all set-up messages up to this position, in a fixed order: a later position only appends to them."""
    if edition.is_shipped:
        return _gods_then_workers(p)
    return [
        wire.UpdateInitializeGame(seat + 1, god_name(god), _worker_cells(p, seat))
        for seat in p.order
        if (god := _god_of(p, seat)) is not None and _has_placed_workers(p, seat)
    ]


def _gods_then_workers(p: Position) -> list[msgspec.Struct]:
    """Return F's set-up messages: gods by player number, since the last one opens the board; then workers [10]."""
    messages: list[msgspec.Struct] = []
    for seat in range(p.lineup.seats):
        god = _god_of(p, seat)
        if god is not None:
            messages.append(wire.UpdateInitializeGodPower(seat + 1, god_name(god)))
        elif not p.out >> seat & 1:
            return messages
    messages += [
        wire.UpdateInitializeWorkerPositions(seat + 1, _worker_cells(p, seat))
        for seat in p.order
        if _has_placed_workers(p, seat)
    ]
    return messages


def _god_of(p: Position, seat: Seat) -> God | None:
    if p.setup is None or p.options.draft in _GODLESS:
        return p.lineup.cards[seat]
    return p.setup.gods[seat]


def _has_placed_workers(p: Position, seat: Seat) -> bool:
    """Return whether a player has placed all workers; those of a player who has left are off the board."""
    workers = p.workers[p.lineup.side(seat)]
    return len(workers) >= (1 if p.options.draft is Draft.POSITION else p.lineup.powers[seat].team)


def _worker_cells(p: Position, seat: Seat) -> tuple[wire.Position, ...]:
    return tuple(cell_at(p, square) for square in p.workers[p.lineup.side(seat)] if square >= 0)


# --- play -----------------------------------------------------------------------------------------------------------


def _report_action(writer: StepWriter, moment: Moment, before: Position | None) -> None:
    """Report an action: what the set-up has added, then the events."""
    p = known(moment.match.position, writer.audience)
    if before is not None and before.setup is not None:
        sent_count = len(set_up(known(before, writer.audience), writer.edition))
        for message in set_up(p, writer.edition)[sent_count:]:
            writer.say_once(message)
    if writer.edition.is_shipped:
        _report_shipped_events(writer, moment.happened, p)
    else:
        _report_document_events(writer, moment.happened, p)


def _report_document_events(writer: StepWriter, happened: tuple[Any, ...], p: Position) -> None:
    for raw in happened:
        event = game.show(raw, writer.audience)
        if event is None:
            continue
        if type(event) is game.TurnStarted:
            writer.next_turn()
        for message in DOCUMENT[type(event)](event, p):
            writer.say(message)


def _report_shipped_events(writer: StepWriter, happened: tuple[Any, ...], p: Position) -> None:
    """Report all moves and builds of an action as one message, a pushed worker before the Minotaur [7.7]."""
    builds: list[wire.UpdateBuild] = []
    moves: list[wire.UpdateShippedMove] = []
    follows_loss = False
    for raw in happened:
        event = game.show(raw, writer.audience)
        if event is None:
            continue
        messages = SHIPPED[type(event)](event, p)
        for message in messages:
            if isinstance(message, wire.UpdateBuild):
                builds.append(message)
            elif isinstance(message, wire.UpdateShippedMove):
                is_pushed = isinstance(event, game.Forced) and event.god is God.MINOTAUR
                moves.insert(0 if is_pushed else len(moves), message)
            else:
                _report_effects(writer, builds, moves)
                if isinstance(event, game.TurnStarted):
                    writer.next_turn()
                if isinstance(event, game.Won) and follows_loss:  # [7] Loser, Turn, Winner
                    writer.say(wire.UpdateShippedTurn(False, event.seats[0] + 1))
                writer.say(message)
                follows_loss = isinstance(event, game.Eliminated)
    _report_effects(writer, builds, moves)


def _report_effects(writer: StepWriter, builds: list[wire.UpdateBuild], moves: list[wire.UpdateShippedMove]) -> None:
    if builds or moves:
        writer.say(wire.UpdateActions(tuple(builds), tuple(moves)))
        builds.clear()
        moves.clear()


def _move_messages(event: game.Moved | game.Forced, p: Position) -> Messages:
    """Report a move or a displacement: without the latter, clients' boards would be wrong [6.9]."""
    return (wire.UpdateMove(event.side + 1, event.worker + 1, cell_at(p, event.to)),)


def _forced_messages(event: game.Forced, p: Position) -> Messages:
    return _move_messages(event, p) if event.frm != event.to else ()


def _build_messages(event: game.Built, p: Position) -> Messages:
    return (_build_update(event),)


def _build_update(event: game.Built) -> wire.UpdateBuild:
    return wire.UpdateBuild(event.dome, CELLS[event.at][event.level if event.dome else event.level - 1])


def _ram_update(p: Position) -> wire.UpdateBuild:
    """Return the Ram as a dome, because it closes its square permanently."""
    return wire.UpdateBuild(True, cell_at(p, p.ram))


def _token_messages(event: game.TokenPlaced, p: Position) -> Messages:
    return (_ram_update(p),) if event.god is None else ()  # other tokens may be removed, which has no message


def _shipped_move(event: game.Moved | game.Forced, p: Position) -> Messages:
    if event.frm == event.to:
        return ()
    to, frm = cell_at(p, event.to), cell_at(p, event.frm)
    return (wire.UpdateShippedMove(event.side + 1, event.worker + 1, to, frm),)


def _shipped_build(event: game.Built, p: Position) -> Messages:
    """Report a build; one below the builder, of Zeus, is followed by a move upwards [7.7]."""
    block = _build_update(event)
    if event.by != event.at:
        return (block,)
    side, worker = next((s, w.index(event.at)) for s, w in enumerate(p.workers) if event.at in w)
    rise = wire.UpdateShippedMove(side + 1, worker + 1, CELLS[event.at][event.level], block.new_position)
    return block, rise


def _turn_update(edition: Edition, seat: Seat, first: bool) -> msgspec.Struct:
    return wire.UpdateShippedTurn(first, seat + 1) if edition.is_shipped else wire.UpdateTurn(seat + 1)


def _turn_messages(event: game.TurnStarted, p: Position) -> Messages:
    return (wire.UpdateTurn(event.seat + 1),)


def _shipped_turn_messages(event: game.TurnStarted, p: Position) -> Messages:
    return (wire.UpdateShippedTurn(event.ply == 0, event.seat + 1),)


def _elimination_messages(event: game.Eliminated, p: Position) -> Messages:
    return (wire.UpdateLoser(event.seat + 1),)


def _win_messages(event: game.Won, p: Position) -> Messages:
    return (wire.UpdateWinner(event.seats[0] + 1),)


def _no_messages(event: Any, p: Position) -> Messages:
    """Return no message for an event that the protocol cannot report, or that the close of the connection shows."""
    return ()


DOCUMENT: Final[dict[type, Callable[[Any, Position], Messages]]] = exhaustive(
    {
        game.Moved: _move_messages,
        game.Forced: _forced_messages,
        game.Built: _build_messages,
        game.TokenPlaced: _token_messages,
        game.TurnStarted: _turn_messages,
        game.Eliminated: _elimination_messages,
        game.Won: _win_messages,
    },
    game.Event, _no_messages,
    game.GodProposed, game.GodPicked, game.StartNamed, game.OrderSet, game.WorkerPlaced,  # the set-up: see `set_up`
    game.Razed, game.Banished, game.TokenTaken, game.Aimed, game.Bound, game.PowerUsed, game.PowerChanged,
    game.CoinsChanged, game.CardDealt, game.Declined, game.Cancelled, game.TurnSkipped, game.Drawn, game.Secret,
)  # fmt: skip

SHIPPED: Final[dict[type, Callable[[Any, Position], Messages]]] = {
    **DOCUMENT,
    game.Moved: _shipped_move,
    game.Forced: _shipped_move,
    game.Built: _shipped_build,
    game.TurnStarted: _shipped_turn_messages,
}


# --- the table ------------------------------------------------------------------------------------------------------


def _report_end(writer: StepWriter, moment: Moment, before: Position | None) -> None:
    """Report a player who left after the names were sent [9]; the board reports other endings."""
    outcome = moment.match.outcome
    leaver = outcome.by if outcome is not None and outcome.termination in PLAYER_LOST else None
    if leaver is not None and before is not None:
        writer.say(wire.UpdateDisconnection(leaver + 1))


TELL: Final[dict[type, Callable[[StepWriter, Moment, Position | None], None]]] = exhaustive(
    {
        table.Started: _report_start,
        **dict.fromkeys(table.PLAY_EVENTS, _report_action),
        table.Ended: _report_end,
    },
    table.Event, ignore_event, *table.SEAT_EVENTS, *table.UNDO_EVENTS, *table.DRAW_EVENTS, table.Chatted,
)  # fmt: skip
