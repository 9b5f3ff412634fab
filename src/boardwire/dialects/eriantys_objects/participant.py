"""Server-side state of one client at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardwire.dialects import participant
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.participant import ScriptInput, player_names
from boardwire.games.eriantys import Action, Character, ToHall, ToIsland, UseCharacter, View
from boardwire.games.game import Decision
from boardwire.table.guest import Seated

if TYPE_CHECKING:
    from boardwire.dialects.eriantys_objects.ask import Asked
    from boardwire.dialects.eriantys_objects.session import ClientSession
    from boardwire.dialects.eriantys_objects.tell import Telling


class Participant(participant.Participant[wire.Message | ScriptInput]):
    """One client at a table: the last displays, the open question and the progress of its turn."""

    __slots__ = ("answered", "asked", "character", "decision", "due", "first", "peer", "telling", "to_hall", "view")

    def __init__(self, peer: ClientSession, seated: Seated) -> None:
        super().__init__(peer.talk, seated)
        self.peer = peer
        self.telling: Telling | None = None
        """Last step that was displayed; None before the match begins."""
        self.view: View
        """The table as last displayed; set before the first question."""
        self.decision: Decision[Action]
        """The pending decision; set before the first question."""
        self.asked: Asked | None = None
        """The open question."""
        self.answered: type | None = None
        """Class of the last accepted answer."""
        self.due = False
        """Whether characters are to be offered now."""
        self.first = False
        """Whether that would be the first offer of the turn."""
        self.to_hall = False
        """Whether the island was answered, and the hall is next."""
        self.character: Character | None = None
        """The chosen character, while its effect is asked for."""

    @property
    def company(self) -> tuple[str, ...]:
        """Names by seat; while the table waits, of the players present."""
        return self.names or player_names(self.match)

    def begin(self) -> None:
        """Reset the state of the turn, at its beginning and after an undo."""
        self.due = self.first = True
        self.to_hall = False
        self.character = None

    def took(self, action: Action) -> None:
        """Record an action of this player."""
        match action:
            case ToIsland():
                self.due = self.to_hall = True
            case ToHall():
                self.due, self.to_hall = True, False
            case UseCharacter():
                self.due, self.character = False, None
