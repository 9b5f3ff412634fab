"""ASK and ANSWER: how the decisions of the game are put to a client, and what its answers mean (protocol page, 4).

One request is outstanding at a time [9.9].  A turn of students is two questions, one island and then the hall
[4.3.9, 4.3.10], and goes round again while students are left: so several islands can be chosen, and a hall that is full
stops nobody.  In expert games a character is offered before the students, after the island and after the hall
[4.4.14]; what the protocol has no words for is answered by `DEFAULTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects import models, written
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE, encode
from boardwire.errors import Illegal
from boardwire.games.eriantys import (
    Action,
    Character,
    Done,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.events import TurnBegan
from boardwire.games.eriantys.nature import span
from boardwire.games.game import Decision, Seat

FULL: Final = 10
"""Seats of a table in the hall."""


class Asked(StrEnum):
    """What a client is asked, by the word the diagram has for it."""

    CARD = "Planning"
    OFFER = "Offered"
    EFFECT = "Paying"
    ISLAND = "Landing"
    HALL = "Seating"
    STEPS = "Walking"
    CLOUD = "Taking"


ASK: Final = {
    Kind.ASSISTANT: Asked.CARD,
    Kind.STUDENT: Asked.ISLAND,
    Kind.STEPS: Asked.STEPS,
    Kind.CLOUD: Asked.CLOUD,
    Kind.FINISH: Asked.OFFER,
}
"""How a decision is put.  The early cloud that some tables allow beside the first student is not offered; where it must
be taken first, it is asked for like the late one."""

DEFAULTS: Final[dict[Kind, Action]] = {Kind.SWAP: Done()}
"""What is answered at once: the protocol has no words for a second swap."""


def usable(decision: Decision[Any]) -> set[Character]:
    """The characters of this protocol that could be used now."""
    return {one.character for one in decision.choices if isinstance(one, UseCharacter)} & set(models.CHARACTERS)


def default(decision: Decision[Any]) -> Action | None:
    """What is answered for the player: also the end of a turn in which it has nothing left to use."""
    if decision.kind is Kind.FINISH and not usable(decision):
        return Done()
    return DEFAULTS.get(Kind(decision.kind))


ANSWERS: Final[dict[type, Asked]] = {
    wire.PlayAssistantCardMessage: Asked.CARD,
    wire.PlayedCharacterCardMessage: Asked.OFFER,
    wire.MovedFromCardToIsland: Asked.EFFECT,
    wire.MovedStudentFromCardToHall: Asked.EFFECT,
    wire.MovedBanCardMessage: Asked.EFFECT,
    wire.ChosenColorToIgnore: Asked.EFFECT,
    wire.MovedStudentOnIslandMessage: Asked.ISLAND,
    wire.MovedStudentToHallMessage: Asked.HALL,
    wire.MovedMotherNatureMessage: Asked.STEPS,
    wire.AddStudentFromCloudToEntranceMessage: Asked.CLOUD,
}
"""Which question a message answers."""

EFFECTS: Final = {
    Character.MONK: wire.MovedFromCardToIsland,
    Character.PRINCESS: wire.MovedStudentFromCardToHall,
    Character.GRANDMA: wire.MovedBanCardMessage,
    Character.MUSHROOM: wire.ChosenColorToIgnore,
}
"""The characters that need an answer, and its class [4.4.15]."""

_EFFECT_OF: Final[dict[type, Character]] = {answer: character for character, answer in EFFECTS.items()}


class Turn:
    """What one player is asked, and how far the answers have come."""

    __slots__ = ("_character", "_decision", "_due", "_first", "_seat", "_to_hall", "_view", "asked")

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._view: View
        self._decision: Decision[Any]
        self._due = False
        """Whether this is a moment to offer a character."""
        self._first = False
        """Whether it is the first one of the turn."""
        self._to_hall = False
        """Whether the island has been asked for, and the hall is next."""
        self._character: Character | None = None
        """Which character is being paid."""
        self.asked: Asked | None = None
        """What is outstanding."""

    # --- how it goes on ---------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """A turn begins, for whomever; also what was taken back begins afresh."""
        self._due = self._first = True
        self._to_hall = False
        self._character = None

    def took(self, action: Action) -> None:
        """The table took a step of this player's."""
        match action:
            case ToIsland():
                self._due = self._to_hall = True
            case ToHall():
                self._due, self._to_hall = True, False
            case UseCharacter():
                self._due, self._character = False, None

    def hear(self, events: list[Any]) -> None:
        """What happened in the game."""
        if any(isinstance(event, TurnBegan) and event.seat == self._seat for event in events):
            self.begin()

    def rest(self) -> None:
        """Nothing is asked."""
        self.asked = None

    # --- questions --------------------------------------------------------------------------------------------------

    def put(self, decision: Decision[Any], view: View) -> bytes:
        """The request for a decision, written for `ADDRESSEE`."""
        self._decision, self._view = decision, view
        self.asked = self._question()
        return _REQUESTS[self.asked](self)

    def _question(self) -> Asked:
        asked = ASK[Kind(self._decision.kind)]
        if asked is Asked.OFFER:
            return asked if self._character is None else Asked.EFFECT
        if asked in (Asked.ISLAND, Asked.STEPS) and self._due and models.deck(self._view):
            if self._character is not None:
                return Asked.EFFECT
            if self._view.active is None and (self._first or self._usable()):
                return Asked.OFFER
        if asked is Asked.ISLAND and self._to_hall and self._room():
            return Asked.HALL
        return asked

    def _usable(self) -> set[Character]:
        """The characters that this player could use now."""
        return usable(self._decision)

    def _left(self) -> int:
        return self._view.moves - self._view.moved

    def _room(self) -> int:
        """How many students the hall question asks for: as many as are left, or as find a seat."""
        board = self._view.boards[self._seat]
        seats = sum(min(here, FULL - there) for here, there in zip(board.entrance, board.hall, strict=True))
        return min(self._left(), seats)

    def _cards(self) -> tuple[int, ...]:
        return tuple(choice.card for choice in self._decision.choices)

    def _clouds(self) -> list[int]:
        return [index for index, cloud in enumerate(self._view.clouds) if any(cloud)]

    def _ask_card(self) -> bytes:
        return written.ask_card(self._cards())

    def _ask_offer(self) -> bytes:
        return encode(
            wire.ReqPlayCharacterCardMessage(
                nickname=ADDRESSEE,
                exist_card=bool(self._usable()),
                character_deck=models.deck(self._view),
                player=models.outline(self._view, self._seat, ADDRESSEE),
            )
        )

    def _ask_effect(self) -> bytes:
        return encode(self._effect())

    def _effect(self) -> wire.Message:
        card = next(card for card in self._view.characters if card.character is self._character)
        students = models.pawns(card.students)
        match self._character:
            case Character.MONK:
                islands = models.islands(self._view)
                return wire.AskMoveStudentFromCardToIslandMessage(
                    nickname=ADDRESSEE, islands=islands, students_on_card=students
                )
            case Character.PRINCESS:
                return wire.ReqStudentFromCardToHall(nickname=ADDRESSEE, students_on_card=students)
            case Character.GRANDMA:
                return wire.AskMoveBanCardMessage(nickname=ADDRESSEE, islands=models.islands(self._view))
            case _:
                return wire.AskColorToIgnore(nickname=ADDRESSEE)

    def _ask_island(self) -> bytes:
        entrance, islands = models.pawns(self._view.boards[self._seat].entrance), models.islands(self._view)
        return encode(wire.StudentToIslandMessage(nickname=ADDRESSEE, entrance=entrance, islands=islands))

    def _ask_hall(self) -> bytes:
        return written.ask_hall(self._room(), self._view.boards[self._seat].entrance)

    def _ask_steps(self) -> bytes:
        board = self._view.boards[self._seat]
        tower = models.TOWERS[self._view.sides[board.side].tower]
        return written.ask_steps(self._view.steps, board.coins or 0, tower)

    def _ask_cloud(self) -> bytes:
        return written.ask_cloud(self._view.moves, self._view.clouds)

    # --- answers ----------------------------------------------------------------------------------------------------

    def takes(self, message: wire.Message) -> bool:
        """Whether a message answers what is asked.  The answer to a character's question is taken without it [9.9]."""
        asked = ANSWERS.get(type(message))
        return asked is not None and (asked is self.asked or (asked, self.asked) == (Asked.EFFECT, Asked.OFFER))

    def read(self, message: wire.Message) -> tuple[Action, ...]:
        """The steps that an answer asks for; none if it only leads to the next question.  `Illegal` if it is none."""
        return _READ[type(message)](self, message)

    def _read_card(self, message: wire.PlayAssistantCardMessage) -> tuple[Action, ...]:
        cards, index = self._cards(), message.index_assistant_card_model  # [9.8] in what was offered
        if not 0 <= index < len(cards):
            raise Illegal(f"choose a card by its index, 0 to {len(cards) - 1}")
        return (PlayAssistant(cards[index]),)

    def _read_offer(self, message: wire.PlayedCharacterCardMessage) -> tuple[Action, ...]:
        if message.card_played is None:
            self._due = self._first = False
            return (Done(),) if self._decision.kind is Kind.FINISH else ()
        index = message.card_played.character_id  # [9.9] nothing else of it counts
        character = models.CHARACTERS[index] if 0 <= index < len(models.CHARACTERS) else None
        if character is None or character not in self._usable():
            raise Illegal("that character cannot be played now")
        if character in EFFECTS:
            self._character = character
            return ()
        return (UseCharacter(character),)

    def _read_effect(self, message: Any) -> tuple[Action, ...]:
        character = _EFFECT_OF[type(message)]
        if self._character not in (None, character) or character not in self._usable():
            raise Illegal("that is no answer to the character's question")
        match message:
            case wire.MovedFromCardToIsland(student_to_move=student, island_index=index):
                action = UseCharacter(character, self._colour(student), self._island(index))
            case wire.MovedBanCardMessage(index_island=index):
                action = UseCharacter(character, island=self._island(index))
            case wire.MovedStudentFromCardToHall(picked_student=student):
                action = UseCharacter(character, self._colour(student))
            case _:
                action = UseCharacter(character, self._colour(message.chosen_color))
        if action not in self._decision.choices:
            raise Illegal(f"the {character.value} cannot be used like this")
        return (action,)

    def _read_island(self, message: wire.MovedStudentOnIslandMessage) -> tuple[Action, ...]:
        students = models.colours(message.students)
        if len(students) > self._left():
            raise Illegal(f"move at most {self._left()} students")
        if not students:
            if not self._room():
                raise Illegal("your hall has no seat for any of your students: choose an island")
            self._due = self._to_hall = True
            return ()
        island = self._island(message.index_island)
        return tuple(ToIsland(colour, island) for colour in students)

    def _read_hall(self, message: wire.MovedStudentToHallMessage) -> tuple[Action, ...]:
        students = models.colours(message.students)  # [9.3] a missing list is "none"
        if len(students) > self._room():
            raise Illegal(f"move {self._room()} students")
        if not students:
            self._to_hall = False
        return tuple(map(ToHall, students))

    def _read_steps(self, message: wire.MovedMotherNatureMessage) -> tuple[Action, ...]:
        if not 1 <= message.movement <= self._view.steps:
            raise Illegal(f"mother nature moves {span(self._view.steps, 'island')}")
        return (MoveMotherNature(message.movement),)

    def _read_cloud(self, message: wire.AddStudentFromCloudToEntranceMessage) -> tuple[Action, ...]:
        clouds = self._clouds()
        if not 0 <= message.cloud_index < len(clouds):
            raise Illegal("Choose a valid cloud")  # [4.3.12]
        return (TakeCloud(clouds[message.cloud_index]),)

    def _island(self, index: int) -> int:
        """The game's name of an island: the first tile of its group."""
        if not 0 <= index < len(self._view.islands):
            raise Illegal(f"islands are numbered 0 to {len(self._view.islands) - 1}")
        return self._view.islands[index].tiles[0]

    def _colour(self, pawn: wire.ColorPawns | None) -> Any:
        return models.colours((pawn or wire.ColorPawns.NULL,))[0]


_REQUESTS: Final[dict[Asked, Callable[[Turn], bytes]]] = {
    Asked.CARD: Turn._ask_card,
    Asked.OFFER: Turn._ask_offer,
    Asked.EFFECT: Turn._ask_effect,
    Asked.ISLAND: Turn._ask_island,
    Asked.HALL: Turn._ask_hall,
    Asked.STEPS: Turn._ask_steps,
    Asked.CLOUD: Turn._ask_cloud,
}

_READ: Final[dict[type, Callable[[Turn, Any], tuple[Action, ...]]]] = {
    wire.PlayAssistantCardMessage: Turn._read_card,
    wire.PlayedCharacterCardMessage: Turn._read_offer,
    **dict.fromkeys(EFFECTS.values(), Turn._read_effect),
    wire.MovedStudentOnIslandMessage: Turn._read_island,
    wire.MovedStudentToHallMessage: Turn._read_hall,
    wire.MovedMotherNatureMessage: Turn._read_steps,
    wire.AddStudentFromCloudToEntranceMessage: Turn._read_cloud,
}
