"""One client at one table: what it was told last, what it is asked, and how far its answers have come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardwire.dialects import participant
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.participant import Told, names_of
from boardwire.games.eriantys import Action, Character, ToHall, ToIsland, UseCharacter, View
from boardwire.games.game import Decision
from boardwire.table.guest import Seated

if TYPE_CHECKING:
    from boardwire.dialects.eriantys_objects.ask import Asked
    from boardwire.dialects.eriantys_objects.peer import Peer
    from boardwire.dialects.eriantys_objects.tell import Telling


class Participant(participant.Participant[wire.Message | Told]):
    """See the module."""

    __slots__ = ("answered", "asked", "character", "decision", "due", "first", "peer", "telling", "to_hall", "view")

    def __init__(self, peer: Peer, seated: Seated) -> None:
        super().__init__(peer.talk, seated)
        self.peer = peer
        self.telling: Telling | None = None
        """What was told last; before the match begins there is nothing."""
        self.view: View
        """The table as this client was told of it; whoever is asked has seen it."""
        self.decision: Decision[Action]
        """What is to be decided, if something is asked."""
        self.asked: Asked | None = None
        """What is outstanding."""
        self.answered: type | None = None
        """The class of the last answer that was taken."""
        self.due = False
        """Whether this is a moment to offer a character."""
        self.first = False
        """Whether it is the first one of the turn."""
        self.to_hall = False
        """Whether the island has been asked for, and the hall is next."""
        self.character: Character | None = None
        """Which character is being paid."""

    @property
    def company(self) -> tuple[str, ...]:
        """The players by seat; while the table waits, those who are there."""
        return self.names or names_of(self.match)

    def begin(self) -> None:
        """This player's turn begins; also what was taken back begins afresh."""
        self.due = self.first = True
        self.to_hall = False
        self.character = None

    def took(self, action: Action) -> None:
        """The table took a step of this player's."""
        match action:
            case ToIsland():
                self.due = self.to_hall = True
            case ToHall():
                self.due, self.to_hall = True, False
            case UseCharacter():
                self.due, self.character = False, None
