"""One client at one table: the table as it was displayed to it, what it is asked, and what it has said."""

from __future__ import annotations

from boardwire.dialects import participant
from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.peer import Peer
from boardwire.dialects.participant import Told
from boardwire.games.eriantys import Kind, View
from boardwire.table.guest import Seated
from boardwire.table.match import Match


class Participant(participant.Participant[bytes | Told]):
    """See the module."""

    __slots__ = ("asked", "peer", "request", "view")

    def __init__(self, peer: Peer, seated: Seated) -> None:
        self.peer = peer
        self.view: View | None = None
        self.asked: Kind | None = None
        self.request: say.Request | None = None
        """The message whose outcome is not known yet; None where the act under way is a default."""
        super().__init__(peer.talk, seated)

    def called(self, match: Match) -> tuple[str, ...]:
        """A nickname is all that tells players apart here."""
        return nicknames(match)


def nicknames(match: Match) -> tuple[str, ...]:
    """What the players are called: one without a name, or with that of another, is called by its seat."""
    names: list[str] = []
    given = [player.name if player is not None else "" for player in match.players]
    for seat, name in enumerate(given):
        called = name
        while not called or called in names or (called != name and called in given):
            called = f"{called or 'player'} {seat + 1}"
        names.append(called)
    return tuple(names)
