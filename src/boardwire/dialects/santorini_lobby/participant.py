"""One user in play, and what the users are called."""

from __future__ import annotations

from boardwire.dialects import participant
from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.table.guest import Seated
from boardwire.table.match import Match
from boardwire.talk import Talk


def names_of(match: Match) -> tuple[str, ...]:
    """The players by seat, as this protocol calls them; other protocols have players without a name."""
    players = [chair.player for chair in match.chairs]
    return tuple([(player and player.name) or f"player {n}" for n, player in enumerate(players, 1)])


class Participant(participant.Participant[bytes | Told]):
    """A user whose match has begun, with the request whose RESULT is to come.

    An answer that is given for the user is an act without a request; what the client asks meanwhile waits too."""

    __slots__ = ("request",)

    def __init__(self, talk: Talk[bytes | Told], seated: Seated) -> None:
        super().__init__(talk, seated)
        self.request: wire.Request | None = None

    def called(self, match: Match) -> tuple[str, ...]:
        return names_of(match)

    def result(self, granted: bool) -> None:
        """The RESULT of a request."""
        self.request = None
        self.talk.say(wire.YES if granted else wire.NO)
