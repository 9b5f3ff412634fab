"""TELL: each event in this protocol's words.

Boards are told after every single change, so a swap or a push is two of them [3.5].  They are encoded once for all
readers of a step.  A client that has lost hears nothing more [3.8, 27].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from boardwire.dialects.santorini_actions import battlefield, replies
from boardwire.dialects.santorini_actions.setup import name_god
from boardwire.dialects.santorini_actions.sitting import Phase, Sitting, cells
from boardwire.dialects.santorini_actions.step import Step as Named
from boardwire.dialects.santorini_actions.turn import can_start
from boardwire.games.game import Seat
from boardwire.games.santorini import Kind, Position
from boardwire.games.santorini import events as game
from boardwire.games.santorini.position import OFF, find, with_level, with_new_worker, with_worker
from boardwire.table import events as table
from boardwire.table.commands import AnswerUndo
from boardwire.table.guest import Step
from boardwire.table.match import Moment

Scenes: TypeAlias = list[tuple[Callable[[Sitting, Any, bytes], None], Any, bytes]]
"""What is said how, of which event, with which board."""


def tell(sitting: Sitting, step: Step) -> None:
    """Everything a step means to one client, in order."""
    name, memo = sitting.caller.edition.name, step.memo
    if step.match.outcome is not None:
        sitting.owed = None  # [8.8] real clients that hear END together with the last word miss their result screen
    for moment in step.moments:
        TELL[type(moment.event)](sitting, moment)
        before, sitting.match = sitting.match, moment.match
        if moment.happened:
            audience = sitting.audience
            key = name, moment.match.seq, audience
            scenes: Scenes | None = memo.get(key)
            if scenes is None:
                scenes = memo[key] = _scenes(before.position, moment, sitting.faces, audience)
            for tell_it, event, board in scenes:
                tell_it(sitting, event, board)


def _scenes(before: Position, moment: Moment, faces: battlefield.Faces, audience: Seat | None) -> Scenes:
    """What happened in a moment and is told, each with the board after it, if it has changed the board."""
    if audience is not None:
        happened = tuple(event for one in moment.happened if (event := game.show(one, audience)) is not None)
        moment = replace(moment, happened=happened)
    boards = boards_of(before, moment, faces, audience)
    scenes: Scenes = []
    for event in moment.happened:
        kind = type(event)
        tell_it = TELL_GAME[kind]
        if tell_it is _unsaid or (kind is game.Banished and _with_its_owner(event)):
            continue
        scenes.append((tell_it, event, battlefield.update(boards.pop(0)) if kind in CHANGES else b""))
    return scenes


# --- boards ---------------------------------------------------------------------------------------------------------


def boards_of(before: Position, moment: Moment, faces: battlefield.Faces, audience: Seat | None = None) -> list[bytes]:
    """The cells after each change; `before` is the position before all of them."""
    changes = [
        event
        for event in moment.happened
        if type(event) in CHANGES and not (type(event) is game.Banished and _with_its_owner(event))
    ]
    after: Position = moment.match.position
    if len(changes) == 1:
        return [cells(after, faces, audience)]
    made = []
    p = before
    for event in changes:
        p = CHANGES[type(event)](p, event, after)
        made.append(cells(p, faces, audience))
    return made


def _with_its_owner(event: game.Banished) -> bool:
    """A worker that leaves with its eliminated owner: the board after the elimination shows it already."""
    return event.god is None


def _placed(p: Position, event: game.WorkerPlaced, after: Position) -> Position:
    return with_new_worker(p, event.side, event.at)


def _moved(p: Position, event: game.Moved | game.Forced, after: Position) -> Position:
    """Quirk: who stands where another one moves is off the board until it is forced elsewhere [3.5, 23]."""
    if p.occupied >> event.to & 1:
        side, worker = find(p, event.to)
        p = with_worker(p, side, worker, OFF)
    return with_worker(p, event.side, event.worker, event.to)


def _built(p: Position, event: game.Built, after: Position) -> Position:
    return replace(p, domes=p.domes | 1 << event.at) if event.dome else with_level(p, event.at, event.level)


def _razed(p: Position, event: game.Razed, after: Position) -> Position:
    return with_level(p, event.at, event.level)


def _banished(p: Position, event: game.Banished, after: Position) -> Position:
    return with_worker(p, event.side, event.worker, OFF)


def _eliminated(p: Position, event: game.Eliminated, after: Position) -> Position:
    return replace(p, out=p.out | 1 << event.seat)


def _tokens(p: Position, event: game.TokenPlaced | game.TokenTaken, after: Position) -> Position:
    return replace(p, solid=after.solid)


CHANGES: Final[dict[type, Callable[[Position, Any, Position], Position]]] = {
    game.WorkerPlaced: _placed,
    game.Moved: _moved,
    game.Forced: _moved,
    game.Built: _built,
    game.Razed: _razed,
    game.Banished: _banished,
    game.Eliminated: _eliminated,
    game.TokenPlaced: _tokens,
    game.TokenTaken: _tokens,
}
"""What each event that can be seen does to the board."""

# --- the game's events ----------------------------------------------------------------------------------------------


def _board(sitting: Sitting, event: Any, board: bytes) -> None:
    if sitting.phase is not Phase.OUT:
        sitting.caller.say(board)  # (creation 5, turn 6)


def _turn_started(sitting: Sitting, event: game.TurnStarted, board: bytes) -> None:
    if sitting.phase is Phase.OUT:
        return
    if sitting.owed is not None:
        sitting.answer(Named.END)  # before whatever the new turn brings
    if event.seat == sitting.seat and not can_start(sitting):
        return  # what a god of another dialect does then has no name here, and the client is not asked to start it
    # Quirk: the shipped program announces the first turn to all, every other to its player alone [3.4, 15]
    if sitting.caller.edition.turns_to_all or event.ply == 0 or event.seat == sitting.seat:
        sitting.caller.say(sitting.lines[event.seat])  # (turn 1)


def _picked(sitting: Sitting, event: game.GodPicked, board: bytes) -> None:
    sitting.note_god(event.seat, event.god)  # told to who asks: `getPlayers`


def _lost(sitting: Sitting, event: game.Eliminated, board: bytes) -> None:
    _board(sitting, event, board)
    if event.seat == sitting.seat:
        _finish(sitting, replies.YOU_LOSE)  # (finish 1) the others may play on


def _won(sitting: Sitting, event: game.Won, board: bytes) -> None:
    sitting.over = True
    _finish(sitting, replies.YOU_WIN if sitting.seat in event.seats else replies.YOU_LOSE)


def _drawn(sitting: Sitting, event: game.Drawn, board: bytes) -> None:
    sitting.over = True
    _finish(sitting, replies.YOU_LOSE)  # there is no word for a draw, and nobody has won


def _finish(sitting: Sitting, word: bytes) -> None:
    """The last word to this client; the answer to its last step, if it is the one that is out, is dropped."""
    if sitting.phase is not Phase.OUT:
        sitting.phase, sitting.owed = Phase.OUT, None
        sitting.caller.say(word)


def _unsaid(sitting: Sitting, event: Any, board: bytes) -> None:
    """The protocol has no word for this event: its players see it in the board, or ask for it."""


TELL_GAME: Final[dict[type, Callable[[Sitting, Any, bytes], None]]] = {
    **dict.fromkeys(CHANGES, _board),
    game.GodPicked: _picked,
    game.Eliminated: _lost,
    game.TurnStarted: _turn_started,
    game.Won: _won,
    game.Drawn: _drawn,
    **dict.fromkeys((game.GodProposed, game.StartNamed, game.OrderSet, game.Declined), _unsaid),
    **dict.fromkeys((game.Aimed, game.Bound, game.PowerUsed, game.PowerChanged, game.CoinsChanged), _unsaid),
    **dict.fromkeys((game.CardDealt, game.Cancelled, game.TurnSkipped, game.Secret), _unsaid),
}

# --- the match's events ---------------------------------------------------------------------------------------------


def _started(sitting: Sitting, moment: Moment) -> None:
    sitting.match = moment.match
    sitting.begin()
    name_god(sitting)
    pending = moment.match.pending
    if pending is not None and pending.kind is Kind.OPEN:  # a position to start from: there is no set-up
        sitting.caller.say(battlefield.update(sitting.board()))
        sitting.caller.say(sitting.lines[pending.seats[0]])


def _acted(sitting: Sitting, moment: Moment) -> None:
    if isinstance(moment.event, table.Acted) and moment.event.seat == sitting.seat:
        sitting.busy = False


def _undo_offered(sitting: Sitting, moment: Moment) -> None:
    if sitting.seat not in moment.match.agreed:
        # the protocol has no words for it; so nothing is ever undone while this client sits here
        sitting.caller.talk.do(AnswerUndo(sitting.seat, agree=False))


def _ended(sitting: Sitting, moment: Moment) -> None:
    """The board has said it already, unless the match was broken off: then `serverError`, and the end (finish 2)."""
    if sitting.over:
        return
    outcome = moment.match.outcome
    if sitting.phase is not Phase.OUT and moment.match.position is not None:
        left = outcome is not None and outcome.termination == "abandoned"
        text = replies.DISCONNECTED if left else replies.INTERRUPTED
        sitting.caller.say(replies.write(replies.ServerError(replies.Fault(text))))
    sitting.caller.gone = sitting.phase is not Phase.OUT


def _silent(sitting: Sitting, moment: Moment) -> None:
    """The protocol has no word for this event, and its players need none."""


TELL: Final[dict[type, Callable[[Sitting, Moment], None]]] = {
    table.Started: _started,
    table.Acted: _acted,
    table.UndoOffered: _undo_offered,
    table.Ended: _ended,
    **dict.fromkeys((table.Joined, table.Readied, table.Left, table.Returned, table.Substituted), _silent),
    **dict.fromkeys((table.Dealt, table.Chatted, table.Resigned, table.TimedOut, table.Skipped), _silent),
    **dict.fromkeys((table.UndoAgreed, table.UndoDeclined, table.Undone), _silent),
}
