"""The other end of a connection: what it says once pings, silence and what cannot be read are taken out [6.6, 6.8]."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.participant import Told
from boardwire.errors import Malformed
from boardwire.table.guest import News, Step
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
        self.over = False
        """Whether nothing more is to be heard: the client is gone, silent, or has said too much that cannot be read."""
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
        if self._faults.add():
            self.over = True
        self.send(say.ErrorMessage(nickname=self.nickname, error=str(error)))

    async def hear(self, *, messages: bool = True) -> say.Request | News | None:
        """The next message or piece of news; None when the conversation is over.  Without `messages`, these wait."""
        talk = self.talk
        while not self.over:
            heard = self.sift(await (talk.hear() if messages else talk.news()), messages=messages)
            if heard is not None:
                return heard
        return None

    def sift(self, heard: bytes | Told, *, messages: bool = True) -> say.Request | News | None:
        """A line as a message, news as they are; None for what is nobody else's business, and for the end.

        Without `messages`, lines wait for an outcome, pings among them: then silence says nothing about the client."""
        if type(heard) is Step:
            return heard
        if isinstance(heard, bytes):
            self.talk.wake(SILENCE_SECONDS, "silence")
            return self._read(heard)
        if isinstance(heard, Woke) and heard.name == "ping":
            self.talk.wake(PING_SECONDS, "ping")
            self.send(say.PingMessage(nickname=self.nickname))
        elif isinstance(heard, Woke) and heard.name == "silence" and not messages:
            self.talk.wake(SILENCE_SECONDS, "silence")
        elif isinstance(heard, Malformed):
            self.blame(heard)  # a line without end: nothing after it can be read
            self.over = True
        elif isinstance(heard, Woke | Gone):
            self.over = True
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
