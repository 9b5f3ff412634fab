"""ANSWER: convert a client's messages to game actions [3.5]; QUERIES: requests that a client may send at any time.

Repeated messages are dropped silently, because the shipped clients send some twice [5.4].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.ask import Question, hall_room, send_question, students_left, usable_characters
from boardwire.dialects.eriantys_objects.participant import Participant
from boardwire.dialects.eriantys_objects.tell import lobby
from boardwire.errors import Illegal
from boardwire.games.eriantys import (
    Action,
    Character,
    Colour,
    Done,
    Kind,
    MoveMotherNature,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.nature import count_range
from boardwire.games.eriantys.view import head_at


def answer(player: Participant, message: wire.Message) -> None:
    """Handle a client's message: answer a query, act, or refuse it and repeat the open request."""
    peer = player.peer
    query = QUERIES.get(type(message))
    if query is not None:
        query(player, message)
    elif _answers_question(player, message):
        try:
            actions = ANSWER[type(message)].read(player, message)
        except Illegal as reason:
            peer.refuse(str(reason))
            return
        player.last_answer = type(message)
        if actions:
            player.act(*actions)
        else:
            peer.accept()
            send_question(player)
    elif not _repeats_answer(player, message):
        peer.refuse("this message does not answer the open request" if player.open_question else "it is not your turn")


def _answers_question(player: Participant, message: wire.Message) -> bool:
    """Return whether a message answers the open request.

    A character's effect is also accepted as an answer to the offer of characters [3.4].
    """
    if player.open_question is None or type(message) not in ANSWER:
        return False
    question = ANSWER[type(message)].question
    return question is player.open_question or (question, player.open_question) == (Question.EFFECT, Question.OFFER)


def _repeats_answer(player: Participant, message: wire.Message) -> bool:
    """Return whether a message repeats "no card", the last answer or the login [5.4]."""
    match message:
        case wire.PlayedCharacterCardMessage(card_played=None):
            return True
        case wire.LoginRequest(nickname=name):
            return name == player.peer.name
        case _:
            return type(message) is player.last_answer


# --- answers --------------------------------------------------------------------------------------------------------


def _read_card(player: Participant, message: wire.PlayAssistantCardMessage) -> tuple[Action, ...]:
    cards, index = tuple(player.decision.choices), message.index_assistant_card_model  # [6.2] index in the offer
    if not 0 <= index < len(cards):
        raise Illegal(f"there is no card {index} on offer; choose 0 to {len(cards) - 1}")
    return (cards[index],)


def _read_offer(player: Participant, message: wire.PlayedCharacterCardMessage) -> tuple[Action, ...]:
    """Return the use of a character; a character with choices is stored until its effect is answered."""
    if message.card_played is None:
        player.offer_due = player.offer_is_first = False
        return (Done(),) if player.decision.kind is Kind.FINISH else ()
    character = pieces.character_of(message.card_played)  # [2.3] only the number counts
    if character is None or character not in usable_characters(player.decision):
        name = f"character {message.card_played.character_id}" if character is None else f"the {character.value}"
        raise Illegal(f"{name} cannot be used now; {_usable_sentence(player)}")
    if character in EFFECTS:
        player.character = character
        return ()
    return (UseCharacter(character),)


def _read_effect(player: Participant, message: Any) -> tuple[Action, ...]:
    """Return the use of a character with the choices that its own message contains."""
    character = _EFFECT_OF[type(message)]
    if player.character is not None and player.character is not character:
        raise Illegal(f"{type(message).__name__} is for the {character.value}, not for the {player.character.value}")
    if character not in usable_characters(player.decision):
        raise Illegal(f"the {character.value} cannot be used now; {_usable_sentence(player)}")
    colour: Colour | None = None
    island: int | None = None
    match message:
        case wire.MovedFromCardToIsland():
            colour, island = _colour_of(message.student_to_move), message.island_index
        case wire.MovedBanCardMessage():
            island = message.index_island
        case wire.MovedStudentFromCardToHall():
            colour = _colour_of(message.picked_student)
        case _:
            colour = _colour_of(message.chosen_color)
    action = UseCharacter(character, colour, None if island is None else head_at(player.view, island))
    if action not in player.decision.choices:
        targets = [] if colour is None else [f"the colour {colour.name.lower()}"]
        targets += [] if island is None else [f"island {island}"]
        raise Illegal(f"the {character.value} cannot be used with {' and '.join(targets)}")
    return (action,)


def _usable_sentence(player: Participant) -> str:
    names = sorted(character.value for character in usable_characters(player.decision))
    return f"usable characters: {', '.join(names) or 'none'}"


def _read_island(player: Participant, message: wire.MovedStudentOnIslandMessage) -> tuple[Action, ...]:
    """Return the students moved to an island; none means that the player moves all to the hall [3.4.2]."""
    students = pieces.colours(message.students)
    if len(students) > students_left(player):
        raise Illegal(f"you can move at most {students_left(player)} of your students, not {len(students)}")
    if not students:
        if not hall_room(player):
            raise Illegal("your hall has no seat for any of your students: choose an island")
        player.offer_due = player.to_hall = True
        return ()
    island = head_at(player.view, message.index_island)
    return tuple(ToIsland(colour, island) for colour in students)


def _read_hall(player: Participant, message: wire.MovedStudentToHallMessage) -> tuple[Action, ...]:
    """Return the students moved to the hall."""
    students = pieces.colours(message.students)  # [3.4.2] a missing list is "none"
    if len(students) > hall_room(player):
        raise Illegal(f"you can move at most {hall_room(player)} of your students to your hall, not {len(students)}")
    if not students:
        player.to_hall = False
    return tuple(map(ToHall, students))


def _read_steps(player: Participant, message: wire.MovedMotherNatureMessage) -> tuple[Action, ...]:
    if not 1 <= message.movement <= player.view.steps:
        raise Illegal(f"mother nature moves {count_range(player.view.steps, 'island')}, not {message.movement}")
    return (MoveMotherNature(message.movement),)


def _read_cloud(player: Participant, message: wire.AddStudentFromCloudToEntranceMessage) -> tuple[Action, ...]:
    clouds = [index for index, cloud in enumerate(player.view.clouds) if any(cloud)]
    if not 0 <= message.cloud_index < len(clouds):
        raise Illegal("Choose a valid cloud")  # [3.4.4]
    return (TakeCloud(clouds[message.cloud_index]),)


def _colour_of(pawn: wire.ColorPawns | None) -> Colour:
    return pieces.colours((pawn or wire.ColorPawns.NULL,))[0]


class AnswerReader(NamedTuple):
    """The question that a message answers, and its conversion to actions."""

    question: Question
    read: Callable[[Participant, Any], tuple[Action, ...]]
    """Function that returns the actions, none if another question must follow, or raises `Illegal`."""


EFFECTS: Final = {
    Character.MONK: wire.MovedFromCardToIsland,
    Character.PRINCESS: wire.MovedStudentFromCardToHall,
    Character.GRANDMA: wire.MovedBanCardMessage,
    Character.MUSHROOM: wire.ChosenColorToIgnore,
}
"""Characters that need another answer, with the class of this answer [2.3]."""

_EFFECT_OF: Final[dict[type, Character]] = {answer: character for character, answer in EFFECTS.items()}

ANSWER: Final[dict[type, AnswerReader]] = {
    wire.PlayAssistantCardMessage: AnswerReader(Question.CARD, _read_card),
    wire.PlayedCharacterCardMessage: AnswerReader(Question.OFFER, _read_offer),
    **dict.fromkeys(EFFECTS.values(), AnswerReader(Question.EFFECT, _read_effect)),
    wire.MovedStudentOnIslandMessage: AnswerReader(Question.ISLAND, _read_island),
    wire.MovedStudentToHallMessage: AnswerReader(Question.HALL, _read_hall),
    wire.MovedMotherNatureMessage: AnswerReader(Question.STEPS, _read_steps),
    wire.AddStudentFromCloudToEntranceMessage: AnswerReader(Question.CLOUD, _read_cloud),
}

# --- queries --------------------------------------------------------------------------------------------------------


def _send_other_players(player: Participant, message: wire.RequestPlayersBoard) -> None:
    """Send the other players, starting with the next seat, so that the client knows the order of seats."""
    others = tuple("" if at == player.seat else name for at, name in enumerate(player.seat_names))
    player.peer.send(lobby(player, others, player.seat + 1))


def _send_board(player: Participant, message: wire.ReqRealPlayerBoardMessage) -> None:
    """Send the board of the named player."""
    name, names = message.nick_to_send, player.seat_names
    if player.last_report is None or name not in names:
        player.peer.refuse("there is no such player in this match")
    else:
        player.peer.send(pieces.board(player.view, names.index(name), name))


QUERIES: Final[dict[type, Callable[[Participant, Any], None]]] = {
    wire.RequestPlayersBoard: _send_other_players,
    wire.ReqRealPlayerBoardMessage: _send_board,
}
