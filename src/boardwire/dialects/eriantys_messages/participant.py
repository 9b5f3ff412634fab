"""Server-side state of one client at a table."""

from __future__ import annotations

from boardwire.dialects import participant
from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.session import ClientSession
from boardwire.dialects.participant import ScriptInput
from boardwire.games.eriantys import Kind, View
from boardwire.table.guest import Seated
from boardwire.table.match import Match


class Participant(participant.Participant[bytes | ScriptInput]):
    """One client at a table: the view that it has received, its open question and its pending request."""

    __slots__ = ("asked_kind", "peer", "request", "view")

    def __init__(self, peer: ClientSession, seated: Seated) -> None:
        self.peer = peer
        self.view: View | None = None
        self.asked_kind: Kind | None = None
        """Kind of the open question."""
        self.request: wire.Request | None = None
        """The client's message whose outcome is pending; None for a default answer."""
        super().__init__(peer.talk, seated)

    def read_names(self, match: Match) -> tuple[str, ...]:
        """Return unique nicknames by seat, because the protocol identifies players by nickname only."""
        return nicknames(match)


def nicknames(match: Match) -> tuple[str, ...]:
    """Return a unique nickname for each seat; unnamed players and duplicates get the number of their seat."""
    names: list[str] = []
    given_names = [player.name if player is not None else "" for player in match.players]
    for seat, name in enumerate(given_names):
        unique_name = name
        while not unique_name or unique_name in names or (unique_name != name and unique_name in given_names):
            unique_name = f"{unique_name or 'player'} {seat + 1}"
        names.append(unique_name)
    return tuple(names)
