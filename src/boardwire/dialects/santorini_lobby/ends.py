"""How a lobby ends without a winner: SERVER_ERROR, in the program's own words where it has them [2].

The protocol has no message for a user who leaves, so a lobby that a user left is at its end for everybody attached,
also before it was full (document; [3.16]).  A table that holds the seat, or lets a bot play on, goes on in silence.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.games.game import Seat
from boardwire.table.events import Left
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment, Status


def error(kind: str, description: str) -> bytes:
    """A SERVER_ERROR."""
    return wire.encode(wire.ServerError(wire.Trouble(kind, description)))


UNRESPONSIVE: Final = error("Failed to respond to pings", "You will be disconnected")
"""To a connection that has not logged in and is silent."""

_LOST: Final = "the connection to {} was lost"


def disconnected(name: str) -> bytes:
    """The user's connection was closed."""
    return error("User disconnected", f'User: "{name}" disconnected. Terminating.')


def lost(name: str) -> bytes:
    """The user answers no pings."""
    return error("Connection to user ", f'User: "{name}" has been lost.')


def loss_of(name: str) -> str:
    """The termination of a match that ends because a user answers no pings."""
    return _LOST.format(name)


def left(before: Match, moment: Moment, step: Step, names: tuple[str, ...], seat: Seat | None) -> bytes:
    """Before play it is the end for all who were told of the user; in play the match may have ended, or not."""
    event: Any = moment.event
    if before.status is Status.WAITING and before.chairs[event.seat].ready:
        player = before.chairs[event.seat].player
        return disconnected(player.name if player is not None and player.name else names[event.seat])
    return b""


def ended(before: Match, moment: Moment, step: Step, names: tuple[str, ...], seat: Seat | None) -> bytes:
    """What a WIN has not said already."""
    outcome = moment.match.outcome
    if outcome is None or outcome.winners:
        return b""
    gone = [one.event.seat for one in step.moments if isinstance(one.event, Left)]
    if gone:
        return disconnected(names[gone[0]]) if before.position is not None else b""
    who = next((name for name in names if loss_of(name) == outcome.termination), None)
    if who is not None:
        return lost(who)
    return error("Game over", f"The game ended without a winner: {outcome.termination}.")
