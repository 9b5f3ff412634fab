"""ASK: convert the decisions of the game to requests of the protocol [4].

- One request is outstanding at a time [6.9].
- Moving students takes two requests, one island and then the hall [3.4.1, 3.4.2], repeated until all are moved. So
  several islands can be chosen, and a full hall does not block the turn.
- In expert games characters are offered before the students, after the island and after the hall [3.4].
- `default` answers decisions for which the protocol has no request.
- Frequent requests are cached in encoded form; their keys are small numbers, so a lookup costs less than an encoding.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import Final, cast

from boardwire.dialects.dispatch import exhaustive
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.messages import ADDRESSEE, encode
from boardwire.dialects.eriantys_objects.participant import Participant
from boardwire.games.eriantys import Action, Character, Done, Kind, PlayAssistant, UseCharacter
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.places import TABLE
from boardwire.games.eriantys.view import CharacterView
from boardwire.games.game import Decision


class Question(StrEnum):
    """Question to a client, named after its state in the diagram."""

    CARD = "Planning"
    OFFER = "Offered"
    EFFECT = "Paying"
    ISLAND = "Landing"
    HALL = "Seating"
    STEPS = "Walking"
    CLOUD = "Taking"


ASK: Final[dict[Kind, Question | None]] = exhaustive(
    {
        Kind.ASSISTANT: Question.CARD,
        Kind.STUDENT: Question.ISLAND,
        Kind.STEPS: Question.STEPS,
        Kind.CLOUD: Question.CLOUD,
        Kind.FINISH: Question.OFFER,
    },
    Kind, None,
    Kind.MOTHER_NATURE, Kind.ISLANDS, Kind.ENTRANCES, Kind.CHARACTERS, Kind.STOCK, Kind.FIRST, Kind.REFILL,
    Kind.RESTOCK, Kind.SWAP,
)  # fmt: skip
"""Question for each decision; None for chance decisions and for swaps, which have a default.

If a table allows a cloud before the first student, it is not offered; if it requires the cloud first, the request is
the same as after the students.
"""


def ask(player: Participant) -> None:
    """Ask this player for its pending decision if it is new, or take the default."""
    pending = player.match.pending
    if pending is None or player.seat not in pending.seats:
        player.open_question = None
        player.peer.request = b""
    elif player.take_question() is not None:
        player.decision = pending
        action = default(pending)
        if action is None:
            send_question(player)
        else:
            player.act(action)


def default(decision: Decision[Action]) -> Action | None:
    """Return the default for a decision, or None if the player must be asked.

    A second swap is declined, because the protocol cannot express it; a turn without a usable character ends.
    """
    has_default = decision.kind is Kind.SWAP or (decision.kind is Kind.FINISH and not usable_characters(decision))
    return Done() if has_default else None


def send_question(player: Participant) -> None:
    """Send the next question of the pending decision."""
    player.open_question = question = _next_question(player)
    player.peer.ask(_REQUESTS[question](player))


def _next_question(player: Participant) -> Question:
    """Return the question to ask next: the character offer and its effect come before island and steps."""
    question = ASK[cast("Kind", player.decision.kind)]
    assert question is not None, "chance decisions and decisions with a default are never asked"
    if question is Question.OFFER:
        return question if player.character is None else Question.EFFECT
    if question in (Question.ISLAND, Question.STEPS) and player.offer_due and pieces.has_characters(player.view):
        if player.character is not None:
            return Question.EFFECT
        if player.view.active is None and (player.offer_is_first or usable_characters(player.decision)):
            return Question.OFFER
    if question is Question.ISLAND and player.to_hall and hall_room(player):
        return Question.HALL
    return question


def usable_characters(decision: Decision[Action]) -> set[Character]:
    """Return the usable characters that the protocol can express."""
    return {choice.character for choice in decision.choices if isinstance(choice, UseCharacter)} & set(
        pieces.CHARACTERS
    )


def students_left(player: Participant) -> int:
    """Return the number of students that the player must still move."""
    return player.view.moves - player.view.moved


def hall_room(player: Participant) -> int:
    """Return the number of students for the hall request: the remaining ones, as far as the hall has seats."""
    board = player.view.boards[player.seat]
    seats = sum(min(count, TABLE - taken_seats) for count, taken_seats in zip(board.entrance, board.hall, strict=True))
    return min(students_left(player), seats)


# --- requests -------------------------------------------------------------------------------------------------------


def _ask_card(player: Participant) -> bytes:
    return _encode_card_request(
        tuple(choice.card for choice in player.decision.choices if isinstance(choice, PlayAssistant))
    )


@lru_cache(256)
def _encode_card_request(cards: tuple[int, ...]) -> bytes:
    return encode(wire.DisplayDeckAndAskCardMessage(nickname=ADDRESSEE, deck=tuple(map(pieces.card, cards))))


def _ask_offer(player: Participant) -> bytes:
    return encode(
        wire.ReqPlayCharacterCardMessage(
            nickname=ADDRESSEE,
            exist_card=bool(usable_characters(player.decision)),
            character_deck=pieces.deck(player.view),
            player=pieces.outline(player.view, player.seat, ADDRESSEE),
        )
    )


def _ask_effect(player: Participant) -> bytes:
    card = next(card for card in player.view.characters if card.character is player.character)
    return encode(_effect_request(card, _island_models(player)))


def _effect_request(card: CharacterView, islands: tuple[wire.IslandModel, ...]) -> wire.Message:
    """Return the request for the choices of a character."""
    students = pieces.pawns(card.students)
    match card.character:
        case Character.MONK:
            return wire.AskMoveStudentFromCardToIslandMessage(
                nickname=ADDRESSEE, islands=islands, students_on_card=students
            )
        case Character.PRINCESS:
            return wire.ReqStudentFromCardToHall(nickname=ADDRESSEE, students_on_card=students)
        case Character.GRANDMA:
            return wire.AskMoveBanCardMessage(nickname=ADDRESSEE, islands=islands)
        case _:
            return wire.AskColorToIgnore(nickname=ADDRESSEE)


def _ask_island(player: Participant) -> bytes:
    entrance = pieces.pawns(player.view.boards[player.seat].entrance)
    return encode(wire.StudentToIslandMessage(nickname=ADDRESSEE, entrance=entrance, islands=_island_models(player)))


def _island_models(player: Participant) -> tuple[wire.IslandModel, ...]:
    assert player.last_report is not None, "a player is asked only after the table was displayed"
    return player.last_report.islands


def _ask_hall(player: Participant) -> bytes:
    return _encode_hall_request(hall_room(player), player.view.boards[player.seat].entrance)


@lru_cache(512)
def _encode_hall_request(number: int, students: Counts) -> bytes:
    entrance = pieces.pawns(students)
    return encode(wire.StudentToHallMessage(nickname=ADDRESSEE, number_students_to_move=number, entrance=entrance))


def _ask_steps(player: Participant) -> bytes:
    board = player.view.boards[player.seat]
    return _encode_steps_request(
        player.view.steps, board.coins or 0, pieces.TOWERS[player.view.sides[board.side].tower]
    )


@lru_cache(512)
def _encode_steps_request(max_steps: int, coins: int, tower: wire.ColorTower) -> bytes:
    player = wire.PlayerModel(coins=coins, color_tower=tower, nickname=ADDRESSEE)
    return encode(wire.ReqMoveMotherNatureMessage(nickname=ADDRESSEE, max_movement_allowed=max_steps, player=player))


def _ask_cloud(player: Participant) -> bytes:
    return _encode_cloud_request(player.view.moves, player.view.clouds)


@lru_cache(256)
def _encode_cloud_request(size: int, clouds: tuple[Counts, ...]) -> bytes:
    return encode(wire.ReqMoveCloudToEntranceMessage(nickname=ADDRESSEE, clouds=pieces.clouds(size, clouds)))


_REQUESTS: Final[dict[Question, Callable[[Participant], bytes]]] = exhaustive(
    {
        Question.CARD: _ask_card,
        Question.OFFER: _ask_offer,
        Question.EFFECT: _ask_effect,
        Question.ISLAND: _ask_island,
        Question.HALL: _ask_hall,
        Question.STEPS: _ask_steps,
        Question.CLOUD: _ask_cloud,
    },
    Question,
)
