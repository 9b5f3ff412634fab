"""Client script that relays native messages, for clients that show the lobby and every kind of message themselves.

Requests of the player go to the server, and its messages to the player as `Relayed`, with whole views. Pings are
answered here.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from boardwire.dialects.dialect import ClientOptions, Over, Relayed, Result
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.caller import Caller, ConnectionLost
from boardwire.talk import Script, Talk
from boardwire.wire.websocket import Masks, zero_mask

_REQUESTS: Final = get_args(wire.Request)


def relay(seating: ClientOptions, masks: Masks = zero_mask) -> Script:
    """Return a script that relays messages until the connection ends; `Over` says why it did."""

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk, masks)
        try:
            while True:
                received = await caller.next_input()
                if isinstance(received, _REQUESTS):
                    caller.send(received)
                else:
                    talk.do(Relayed(received))
        except ConnectionLost as lost:
            talk.do(Over(None, str(lost), Result.BROKEN_OFF))

    return script
