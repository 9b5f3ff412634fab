"""One santorini-lobby user in play."""

from __future__ import annotations

from boardwire.dialects import participant
from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.users import users_of
from boardwire.table.guest import Seated
from boardwire.table.match import Match
from boardwire.talk import Talk


class Participant(participant.Participant[bytes | ScriptInput]):
    """A user whose match has begun, with the request that awaits its RESULT.

    A default answer for the user is an act without a request; the client's requests also wait for its completion.
    """

    __slots__ = ("has_second_offer", "request", "users")

    def __init__(self, talk: Talk[bytes | ScriptInput], seated: Seated) -> None:
        super().__init__(talk, seated)
        self.request: wire.Request | None = None
        self.has_second_offer = False
        """Whether the second list of dealt gods has been sent [6]."""

    def read_names(self, match: Match) -> tuple[str, ...]:
        """Store the users of a match; return their names by seat."""
        self.users = users_of(match)
        return self.users.names

    def complete_request(self, granted: bool) -> bytes:
        """Close the open request; return its RESULT."""
        self.request = None
        return wire.YES if granted else wire.NO
