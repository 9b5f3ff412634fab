"""Client side: convert the server's requests to decisions of the game, and the player's choices to answers.

- The game asks for one student at a time, the server for all students of one island and then for all of the hall. So
  choices are collected in a plan and sent in answer to the requests.
- A character is offered together with the next action; choosing the action declines the character.
- This module has the plan; the client's script only receives, and the model has only displays and choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace

from boardwire.dialects.dialect import Answer, question
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.model import Model
from boardwire.errors import Malformed
from boardwire.games.eriantys import (
    Action,
    Character,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.game import Decision
from boardwire.talk import Gone, Talk, Woke

QuestionInput: TypeAlias = wire.Message | Answer | Woke | Gone | Malformed
"""Input of the client's script."""


class Questions:
    """The server's open request, and the player's choices so far."""

    def __init__(self, model: Model, talk: Talk[QuestionInput], send: Callable[[wire.Message], None]) -> None:
        self._model = model
        self._talk = talk
        self._send = send
        self._request: wire.Message | None = None
        """The open request."""
        self._last_answered: type | None = None
        """Class of the last answered request."""
        self._decision: Decision[Action] | None = None
        """The question that the player was asked."""
        self._last_text = ""
        """The last text: the reason if the request is repeated."""
        self._is_boardwire = True
        """Whether the server is boardwire's, and not the shipped one."""
        self._island_answered = False
        """Whether the island request of this turn was answered."""
        self._steps: MoveMotherNature | None = None
        """Steps of mother nature chosen instead of an offered character."""
        self._use: UseCharacter | None = None
        """The chosen character, until its effect is asked for."""
        self._unconfirmed: list[ToHall | ToIsland] = []
        """Students of the last answer, until the server has accepted it."""
        self.awaits_reaction = False
        """Whether the server has not reacted to the last answer yet."""
        self.seconds_waited = 0
        """Seconds since the last answer."""

    def begin_turn(self) -> None:
        """Begin this player's turn; request the other boards, which show the others' turns."""
        self._send(wire.RequestPlayersBoard(nickname=self._own_name))
        self._model.plan.clear()
        self._model.moved = 0
        self._model.used = self._model.took_cloud = self._island_answered = False
        self._steps = self._use = None
        card = next(
            (played for played in self._model.cemetery if played.owner and played.owner.nickname == self._own_name),
            None,
        )
        self._model.steps = 0 if card is None else card.mother_nature_movement

    @property
    def _own_name(self) -> str | None:
        return self._model.me.nickname

    def note_text(self, text: str) -> None:
        """Store a text; if the same request follows, the text is the reason."""
        self._last_text = text

    def handle_boards(self) -> None:
        """Ask a question that has waited for the other players' boards."""
        if self._request is not None and self._decision is None:
            self._ask_player(self._request)

    def note_message(self, message: wire.Message) -> None:
        """Update `awaits_reaction` after a message.

        The reaction to an answer is the next request, the card in the cemetery, the end of the turn or another player's
        turn. The last player of a round also awaits the refilled clouds, because the shipped server fails there if its
        bag is empty.
        """
        match message:
            case wire.GenericMessage() | wire.WinMessage():
                self.awaits_reaction = False
            case wire.DisplayCemeteryMessage() if self._last_answered is wire.DisplayDeckAndAskCardMessage:
                self.awaits_reaction = False
            case wire.EndTurnMessage():
                self.awaits_reaction = not self._is_boardwire and self._model.was_last
            case wire.DisplayCloudsMessage(clouds=clouds) if len(clouds) > len(self._model.others):
                self.awaits_reaction = (
                    self.awaits_reaction and self._last_answered is not wire.ReqMoveCloudToEntranceMessage
                )
            case _ if type(message) in QUESTIONS:
                self.awaits_reaction = False

    @property
    def is_open(self) -> bool:
        """Whether a request is open."""
        return self._request is not None

    @property
    def is_shipped(self) -> bool:
        """Whether the server is the shipped one."""
        return not self._is_boardwire

    @staticmethod
    def is_end(request: wire.Message) -> bool:
        """Return whether a request without cards or clouds shows the end of the shipped server's match [7.7, 7.8]."""
        match request:
            case wire.DisplayDeckAndAskCardMessage(deck=()) | wire.ReqMoveCloudToEntranceMessage(clouds=()):
                return True
        return False

    # --- the server asks --------------------------------------------------------------------------------------------

    def handle_request(self, request: wire.Message) -> None:
        """Handle a request: answer it from the plan, or ask the player."""
        refusal = self._last_text if type(request) is self._last_answered and self._last_text else ""
        self._last_text = ""
        if refusal:
            self._discard_plan()
        elif isinstance(request, wire.StudentToIslandMessage) and self._island_answered and not self._is_boardwire:
            return  # [7.3] the shipped server asks twice
        self._unconfirmed = []
        self._request, self._decision = request, None
        self._apply_request(request)
        if self._answer_from_plan(request):
            return
        if self._model.others:
            self._ask_player(request, refusal)
        elif not isinstance(request, wire.DisplayDeckAndAskCardMessage):
            self._send(wire.RequestPlayersBoard(nickname=self._own_name))

    def _discard_plan(self) -> None:
        """Discard the plan after a refused answer."""
        self._model.moved -= len(self._unconfirmed)
        self._model.plan.clear()
        self._model.took_cloud = self._island_answered = False
        self._steps = self._use = None

    def _apply_request(self, request: wire.Message) -> None:
        """Store in the model what a request shows of the position."""
        model = self._model
        match request:
            case wire.DisplayDeckAndAskCardMessage(deck=deck):
                self._is_boardwire = deck[0].owner is None
                model.update_hand(deck)
                model.plan.clear()
                self._send(wire.RequestPlayersBoard(nickname=self._own_name))
            case wire.StudentToIslandMessage(entrance=entrance, islands=islands):
                model.entrance = entrance
                model.see_islands(islands)
            case wire.StudentToHallMessage(entrance=entrance):
                model.entrance = entrance
            case wire.ReqMoveMotherNatureMessage(max_movement_allowed=max_steps):
                model.steps = max_steps
            case wire.ReqPlayCharacterCardMessage(character_deck=deck, player=player):
                model.characters, model.expert = deck, True
                model.me = replace(model.me, coins=player.coins)
            case wire.ReqMoveCloudToEntranceMessage(clouds=clouds):
                model.clouds = clouds

    def _answer_from_plan(self, request: wire.Message) -> bool:
        """Answer a request from the plan; return False if the player must be asked."""
        model = self._model
        match request:
            case wire.ReqPlayCharacterCardMessage(exist_card=exist) if not exist or model.plan or model.used:
                self._send_reply(wire.PlayedCharacterCardMessage(nickname=request.nickname))
            case wire.StudentToIslandMessage() if len(model.plan) + model.moved >= model.moves:
                self._send_island(request)
            case wire.StudentToHallMessage() if model.plan:
                self._send_hall(request)
            case wire.ReqMoveMotherNatureMessage(max_movement_allowed=max_steps) if self._steps is not None:
                steps, self._steps = self._steps, None
                if steps.steps > max_steps:
                    return False
                self._send_steps(request, steps)
            case _ if type(request) in _EFFECTS and self._use is not None:
                self._send_effect(request, self._use)
            case _:
                return False
        return True

    def _ask_player(self, request: wire.Message, again: str = "") -> None:
        """Ask the player; `again` is the reason why the last answer was refused."""
        kind, choices = self._choices_of(request)
        self._decision = Decision(kind, (0,), choices)
        if not choices:
            self._decline_request(request)
        else:
            self._talk.do(question(self._model.view(kind), self._decision, again))

    def _choices_of(self, request: wire.Message) -> tuple[Kind, tuple[Action, ...]]:
        """Return the decision and the choices that a request means for the player."""
        model = self._model
        match request:
            case wire.DisplayDeckAndAskCardMessage(deck=deck):
                return Kind.ASSISTANT, tuple(PlayAssistant(card.priority) for card in deck)
            case wire.ReqPlayCharacterCardMessage() if model.moved < model.moves:
                return Kind.STUDENT, (*model.students(one_island=not self._is_boardwire), *model.uses())
            case wire.ReqPlayCharacterCardMessage():
                return Kind.STEPS, (*map(MoveMotherNature, range(1, model.steps + 1)), *model.uses())
            case wire.StudentToIslandMessage():
                return Kind.STUDENT, model.students(one_island=not self._is_boardwire)
            case wire.StudentToHallMessage():
                return Kind.STUDENT, model.students(hall_only=True)
            case wire.ReqMoveMotherNatureMessage(max_movement_allowed=max_steps):
                return Kind.STEPS, tuple(map(MoveMotherNature, range(1, max_steps + 1)))
            case wire.ReqMoveCloudToEntranceMessage(clouds=clouds):
                return Kind.CLOUD, tuple(map(TakeCloud, range(len(clouds))))
            case _:
                return Kind.STUDENT, model.uses(_EFFECTS[type(request)])

    def _decline_request(self, request: wire.Message) -> None:
        """Answer a request without choices, which only the hall request and an offer of characters allow."""
        if isinstance(request, wire.StudentToHallMessage):
            self._send_hall(request)
        elif isinstance(request, wire.ReqPlayCharacterCardMessage):
            self._send_reply(wire.PlayedCharacterCardMessage(nickname=request.nickname))

    # --- the player chooses -----------------------------------------------------------------------------------------

    def handle_choice(self, action: Action) -> None:
        """Handle the player's choice; ask again if it was not offered, and drop it if the question is closed."""
        decision, request = self._decision, self._request
        if decision is None or request is None:
            return
        if action not in decision.choices:
            self._ask_player(request, "That is not among the choices.")
            return
        self._decision = None
        match action:
            case PlayAssistant(card=card) if isinstance(request, wire.DisplayDeckAndAskCardMessage):
                self._send_card(request, card)
            case ToHall() | ToIsland():
                self._model.plan.append(action)
                self._continue_students(request)
            case MoveMotherNature() if isinstance(request, wire.ReqPlayCharacterCardMessage):
                self._steps = action
                self._send_reply(wire.PlayedCharacterCardMessage(nickname=request.nickname))
            case MoveMotherNature() if isinstance(request, wire.ReqMoveMotherNatureMessage):
                self._send_steps(request, action)
            case TakeCloud(cloud=cloud):
                self._model.took_cloud = True
                self._send_reply(
                    wire.AddStudentFromCloudToEntranceMessage(nickname=request.nickname, cloud_index=cloud)
                )
            case UseCharacter() if isinstance(request, wire.ReqPlayCharacterCardMessage):
                self._send_character(request, action)
            case UseCharacter():
                self._send_effect(request, action)

    def _continue_students(self, request: wire.Message) -> None:
        """Continue after the choice of a student."""
        model = self._model
        if isinstance(request, wire.ReqPlayCharacterCardMessage):
            self._send_reply(wire.PlayedCharacterCardMessage(nickname=request.nickname))
        elif isinstance(request, wire.StudentToHallMessage):
            if len(model.plan) < request.number_students_to_move:
                self._ask_player(request)
            else:
                self._send_hall(request)
        elif len(model.plan) + model.moved < model.moves:
            self._ask_player(request)
        else:
            self._send_island(request)

    # --- answers ----------------------------------------------------------------------------------------------------

    def _send_reply(self, message: wire.Message) -> None:
        """Send the reply to the open request and close it."""
        self._last_answered = type(self._request)
        self._request = self._decision = None
        self.awaits_reaction = True
        self.seconds_waited = 0
        self._send(message)

    def _send_card(self, request: wire.DisplayDeckAndAskCardMessage, card: int) -> None:
        owner = request.deck[0].owner
        hand = request.deck if owner is None else owner.deck_assistant_card_model or request.deck  # [7.3]
        index = [model.priority for model in hand].index(card)
        self._send_reply(
            wire.PlayAssistantCardMessage(
                nickname=request.nickname, index_assistant_card_model=index, player_model=request.nickname
            )
        )

    def _send_island(self, request: wire.Message) -> None:
        """Send the students of the plan's first island, or none if all go to the hall."""
        model = self._model
        head = next((step.island for step in model.plan if isinstance(step, ToIsland)), None)
        moves = [step for step in model.plan if isinstance(step, ToIsland) and step.island == head]
        index = 0 if head is None else model.index(head)
        self._island_answered = True
        self._note_sent_moves(list(moves))
        students = tuple(pieces.PAWNS[step.colour] for step in moves)
        self._send_reply(
            wire.MovedStudentOnIslandMessage(nickname=request.nickname, index_island=index, students=students)
        )

    def _send_hall(self, request: wire.StudentToHallMessage) -> None:
        """Send the plan's students for the hall; if others remain, the server asks for an island again."""
        moves = [step for step in self._model.plan if isinstance(step, ToHall)]
        self._note_sent_moves(list(moves))
        students = tuple(pieces.PAWNS[step.colour] for step in moves) or None
        self._send_reply(wire.MovedStudentToHallMessage(nickname=request.nickname, students=students))

    def _note_sent_moves(self, moves: list[ToHall | ToIsland]) -> None:
        """Move sent students from the plan to those that the server has not confirmed."""
        for step in moves:
            self._model.plan.remove(step)
        self._model.moved += len(moves)
        self._unconfirmed = moves

    def _send_steps(self, request: wire.ReqMoveMotherNatureMessage, move: MoveMotherNature) -> None:
        name = request.player.nickname
        self._send_reply(wire.MovedMotherNatureMessage(nickname=name, movement=move.steps, player_model=name))

    def _send_character(self, request: wire.ReqPlayCharacterCardMessage, use: UseCharacter) -> None:
        """Send the card back as received [7.4]; the choices for its effect answer the next request."""
        self._use = use
        self._model.used = True
        card = next(card for card in request.character_deck if pieces.character_of(card) is use.character)
        self._send_reply(wire.PlayedCharacterCardMessage(nickname=request.player.nickname, card_played=card))

    def _send_effect(self, request: wire.Message, use: UseCharacter) -> None:
        """Send the choices of a character, in the class that its request asks for."""
        self._use = None
        name = request.nickname
        pawn = None if use.colour is None else pieces.PAWNS[use.colour]
        index = 0 if use.island is None else self._model.index(use.island)
        match request:
            case wire.AskMoveStudentFromCardToIslandMessage():
                self._send_reply(wire.MovedFromCardToIsland(nickname=name, island_index=index, student_to_move=pawn))
            case wire.ReqStudentFromCardToHall():
                self._send_reply(wire.MovedStudentFromCardToHall(nickname=name, picked_student=pawn))
            case wire.AskMoveBanCardMessage():
                self._send_reply(wire.MovedBanCardMessage(nickname=name, index_island=index))
            case _:
                self._send_reply(wire.ChosenColorToIgnore(nickname=name, chosen_color=pawn))


_EFFECTS: Final[dict[type, Character]] = {
    wire.AskMoveStudentFromCardToIslandMessage: Character.MONK,
    wire.ReqStudentFromCardToHall: Character.PRINCESS,
    wire.AskMoveBanCardMessage: Character.GRANDMA,
    wire.AskColorToIgnore: Character.MUSHROOM,
}

QUESTIONS: Final = frozenset(
    {
        wire.DisplayDeckAndAskCardMessage,
        wire.ReqPlayCharacterCardMessage,
        wire.StudentToIslandMessage,
        wire.StudentToHallMessage,
        wire.ReqMoveMotherNatureMessage,
        wire.ReqMoveCloudToEntranceMessage,
        *_EFFECTS,
    }
)
"""Requests of a server during a match."""
