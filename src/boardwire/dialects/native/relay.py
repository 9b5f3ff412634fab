"""Client script that relays native messages, for clients that show the lobby and every kind of message themselves.

It sends the player's requests to the server, and the server's messages to the player as `Relayed`, with whole views. It
answers pings itself.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from boardwire.dialects.dialect import ClientOptions, Over, Relayed, Result
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.caller import Caller, ConnectionLost
from boardwire.talk import Script, Talk
from boardwire.wire.websocket import Masks, zero_mask

_REQUESTS: Final = get_args(wire.Request)


def relay(options: ClientOptions, masks: Masks = zero_mask) -> Script:
    """Return a script that relays messages until the connection ends, and reports the reason as `Over`."""

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
