"""Messages that come again and again, in many matches, as bytes: looked up by what they tell, and written once.

All are for `ADDRESSEE`.  The keys are small numbers, so that looking one up costs less than making it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects import models
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE, encode
from boardwire.games.eriantys.piles import Counts

START_TURN: Final = encode(wire.StartTurnMessage(nickname=ADDRESSEE))
END_TURN: Final = encode(wire.EndTurnMessage(nickname=ADDRESSEE))
SKIPPED: Final = encode(wire.EffectSkippingInfluenceMessage(nickname=ADDRESSEE))


@lru_cache(256)
def text(words: str) -> bytes:
    """A text."""
    return encode(wire.TextMessage(nickname=ADDRESSEE, text=words))


@lru_cache(1024)
def entrance(students: Counts) -> bytes:
    """The reader's entrance."""
    return encode(wire.EntranceChangeMessage(nickname=ADDRESSEE, student_in_entrance=models.pawns(students)))


@lru_cache(512)
def clouds(size: int, left: tuple[Counts, ...]) -> bytes:
    """The clouds."""
    return encode(wire.DisplayCloudsMessage(nickname=ADDRESSEE, clouds=models.clouds(size, left)))


@lru_cache(512)
def ask_card(cards: tuple[int, ...]) -> bytes:
    """Which of these assistants?"""
    return encode(wire.DisplayDeckAndAskCardMessage(nickname=ADDRESSEE, deck=tuple(map(models.card, cards))))


@lru_cache(1024)
def ask_hall(number: int, students: Counts) -> bytes:
    """Which students go to the hall?"""
    pawns = models.pawns(students)
    return encode(wire.StudentToHallMessage(nickname=ADDRESSEE, number_students_to_move=number, entrance=pawns))


@lru_cache(512)
def ask_steps(most: int, coins: int, tower: wire.ColorTower) -> bytes:
    """How far does mother nature go?"""
    player = wire.PlayerModel(coins=coins, color_tower=tower, nickname=ADDRESSEE)
    return encode(wire.ReqMoveMotherNatureMessage(nickname=ADDRESSEE, max_movement_allowed=most, player=player))


@lru_cache(512)
def ask_cloud(size: int, left: tuple[Counts, ...]) -> bytes:
    """Which cloud?"""
    return encode(wire.ReqMoveCloudToEntranceMessage(nickname=ADDRESSEE, clouds=models.clouds(size, left)))
