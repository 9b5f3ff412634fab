"""The other end of a connection: what it says once pings, silence and what cannot be read are taken out [6.6, 6.8]."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.participant import Told
from boardwire.errors import Malformed
from boardwire.table.guest import News
from boardwire.talk import Gone, Strikes, Talk, Woke

STRIKE_LIMIT: Final = 10  # [6.6]
"""How many messages that cannot be read end the connection."""
PING_SECONDS: Final = 5.0  # [6.8]
SILENCE_SECONDS: Final = 15.0


class Peer:
    """One client's connection, and the nickname that it logged in with."""

    def __init__(self, talk: Talk[bytes | Told]) -> None:
        self.talk = talk
        self.nickname = ""
        self._faults = Strikes(STRIKE_LIMIT)
        talk.wake(PING_SECONDS, "ping")
        talk.wake(SILENCE_SECONDS, "silence")

    def send(self, *messages: say.Reply) -> None:
        """Say these messages."""
        self.talk.say(b"".join(map(say.encode, messages)))

    def inform(self, text: str) -> None:
        """Tell this client something [6.6]."""
        self.send(say.TextMessage(nickname=self.nickname, text=text))

    def refuse(self, reason: str) -> None:
        """Tell this client why its message was not taken, where the document has no message for it [6.6]."""
        self.send(say.TextMessage(nickname=self.nickname, text=reason, ask=say.REFUSED))

    def blame(self, error: Malformed) -> None:
        """Say that a message cannot be read, and count it [6.6]."""
        self._faults.add()
        self.send(say.ErrorMessage(nickname=self.nickname, error=str(error)))

    async def hear(self, *, messages: bool = True) -> say.Request | News | None:
        """The next message or piece of news; None when the conversation is over.  Without `messages`, these wait."""
        while not self._faults.out:
            heard = await (self.talk.hear() if messages else self.talk.news())
            if isinstance(heard, bytes):
                self.talk.wake(SILENCE_SECONDS, "silence")
                request = self._read(heard)
                if request is not None:
                    return request
            elif isinstance(heard, Woke):
                if heard.name != "ping":
                    return None
                self.talk.wake(PING_SECONDS, "ping")
                self.send(say.PingMessage(nickname=self.nickname))
            elif isinstance(heard, Malformed):
                self.blame(heard)  # a line without end: nothing after it can be read
                return None
            elif isinstance(heard, Gone):
                return None
            else:
                return heard
        return None

    def _read(self, line: bytes) -> say.Request | None:
        try:
            request = say.decode_request(line)
        except Malformed as error:
            self.blame(error)
            return None
        return None if type(request) is say.PingMessage else request  # it was heard, and that is all it is for [6.8]
