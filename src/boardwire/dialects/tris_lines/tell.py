"""TELL: the lines that report each event. READY and board lines also tell a player that it is its turn (2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.participant import Participant
from boardwire.dialects.tris_lines import messages as line
from boardwire.games.tris import Termination, outcome, view
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Moment

Player: TypeAlias = Participant[Any]

_ON_THE_BOARD: Final = frozenset({Termination.LINE, Termination.FULL_BOARD})


def _report_start(player: Player, moment: Moment, step: Step) -> None:
    player.talk.say(line.READY)  # (1)


def _report_action(player: Player, moment: Moment, step: Step) -> None:
    """Send the mover the verdict and its opponent the board, with the result at the end."""
    position = moment.match.position
    result = None if moment.match.pending is not None else outcome(position)
    if cast("table.Acted", moment.event).seat == player.seat:
        player.talk.say(line.OK if result is None else line.WON if result.winners else line.DRAWN)  # (3), (5)
    else:
        mark = "" if result is None else line.LOST_MARK if result.winners else line.DRAWN_MARK
        player.talk.say(line.format_board(view(position, player.seat).cells, mark))  # (4), (5)


def _report_end(player: Player, moment: Moment, step: Step) -> None:
    """Send DISCONNECTED if the match did not end on the board; otherwise the last board has reported the end (6).

    The player who overran its time gets it too [6.10]: the protocol has no other word for such an end.
    """
    result = moment.match.outcome
    if result is not None and result.termination not in _ON_THE_BOARD and moment.match.position is not None:
        player.talk.say(line.DISCONNECTED)


TELL: Final[dict[type, Callable[[Player, Moment, Step], None]]] = exhaustive(
    {table.Started: _report_start, table.Acted: _report_action, table.Ended: _report_end}, table.Event, ignore_event,
    *table.SEAT_EVENTS, *table.UNDO_EVENTS, *table.DRAW_EVENTS, table.Dealt, table.Chatted,
    table.Resigned, table.TimedOut, table.Skipped,
)  # fmt: skip
