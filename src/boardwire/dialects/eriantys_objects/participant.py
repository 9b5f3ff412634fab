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
    from boardwire.dialects.eriantys_objects.ask import Question
    from boardwire.dialects.eriantys_objects.session import ClientSession
    from boardwire.dialects.eriantys_objects.tell import StepReport


class Participant(participant.Participant[wire.Message | ScriptInput]):
    """One client at a table: the last displays, the open question and the progress of its turn."""

    __slots__ = (
        "character", "decision", "last_answer", "last_report", "offer_due", "offer_is_first", "open_question", "peer",
        "to_hall", "view",
    )  # fmt: skip

    def __init__(self, peer: ClientSession, seated: Seated) -> None:
        super().__init__(peer.talk, seated)
        self.peer = peer
        self.last_report: StepReport | None = None
        """Last step that was displayed; None before the match begins."""
        self.view: View
        """The table as last displayed; set before the first question."""
        self.decision: Decision[Action]
        """The pending decision; set before the first question."""
        self.open_question: Question | None = None
        """The open question."""
        self.last_answer: type | None = None
        """Class of the last accepted answer."""
        self.offer_due = False
        """Whether characters are to be offered now."""
        self.offer_is_first = False
        """Whether that is the first offer of the turn."""
        self.to_hall = False
        """Whether the island was answered, and the hall is next."""
        self.character: Character | None = None
        """The chosen character, while its effect is asked for."""

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Names by seat; while the table waits, of the players present."""
        return self.names or player_names(self.match)

    def begin(self) -> None:
        """Reset the state of the turn, at its beginning and after an undo."""
        self.offer_due = self.offer_is_first = True
        self.to_hall = False
        self.character = None

    def record_action(self, action: Action) -> None:
        """Record an action of this player."""
        match action:
            case ToIsland():
                self.offer_due = self.to_hall = True
            case ToHall():
                self.offer_due, self.to_hall = True, False
            case UseCharacter():
                self.offer_due, self.character = False, None
