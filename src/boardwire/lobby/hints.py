"""Hints for a person who practises against bots."""

from __future__ import annotations

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.lobby.requests import Advise
from boardwire.table.guest import Advised, Guest, Refusal
from boardwire.table.ports import Bots


def request_hint(bots: Bots, guest: Guest, request: Advise) -> None:
    """Request a hint from a bot and notify `guest` of it later; raise `Refused` if `guest` may not have one."""
    table = guest.table
    seat = None if table is None else table.seat_of(guest)
    if table is None or seat is None:
        raise Refused("you have no seat", reason=Reason.NO_SEAT)
    match = table.match
    if not match.setting.policy.practice:
        raise Refused("hints are available only at a practice table")
    if match.pending is None or seat not in match.pending.seats:
        raise Refused("hints are available only on your turn", reason=Reason.NOT_YOUR_TURN)

    def reply(result: Advised | BoardwireError) -> None:
        guest.tell(Refusal(request, result.without_frames()) if isinstance(result, BoardwireError) else result)

    bots.advise(match, seat, guest.address_key, reply)
