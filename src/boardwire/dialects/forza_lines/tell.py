"""TELL: the lines that report each event, and ASK: the line that asks for each decision."""

from collections.abc import Callable
from typing import Any, Final, cast

from boardwire.dialects.dialect import Result
from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.forza_lines.messages import COLOURS, format_board, write
from boardwire.dialects.participant import Participant
from boardwire.games.forza import Kind, format_action, view
from boardwire.games.game import Outcome
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Moment
from boardwire.table.termination import is_aborted

ASK: Final = exhaustive({Kind.DROP: "TURN"}, Kind, "")  # [2.2] sent to both players


def _send_position(player: Participant[Any], moment: Moment, step: Step) -> None:
    """Send the dropped disc, the board and the player to move, encoded once for both players."""
    key = (__name__, moment.match.seq)
    if key not in step.memo:
        event, pending = moment.event, moment.match.pending
        drop = write("DROP", COLOURS[event.seat], format_action(event.action)) if type(event) is table.Acted else b""
        turn = b"" if pending is None else write(ASK[Kind(pending.kind)], COLOURS[pending.seats[0]])
        step.memo[key] = drop + format_board(view(moment.match.position, None)) + turn
    player.talk.say(step.memo[key])


def _report_start(player: Participant[Any], moment: Moment, step: Step) -> None:
    other = 1 - player.seat
    player.talk.say(write("START", COLOURS[player.seat], player.names[other] or f"player {other + 1}"))
    _send_position(player, moment, step)


def _report_chat(player: Participant[Any], moment: Moment, step: Step) -> None:
    event = cast("table.Chatted", moment.event)
    player.talk.say(write("SAID", "WATCHER" if event.seat is None else COLOURS[event.seat], event.text))


def _report_end(player: Participant[Any], moment: Moment, step: Step) -> None:
    outcome = cast("Outcome", moment.match.outcome)
    result = Result.WON if player.seat in outcome.winners else Result.LOST if outcome.winners else Result.DRAWN
    player.talk.say(write((Result.BROKEN_OFF if is_aborted(outcome) else result).name, outcome.termination))


TELL: Final[dict[type, Callable[[Participant[Any], Moment, Step], None]]] = exhaustive(
    {
        table.Started: _report_start, table.Acted: _send_position,
        table.Chatted: _report_chat, table.Ended: _report_end,
    },
    table.Event, ignore_event, *table.SEAT_EVENTS, *table.UNDO_EVENTS, *table.DRAW_EVENTS,
    table.Dealt, table.Resigned, table.TimedOut, table.Skipped,  # [6]
)  # fmt: skip
