"""What can be asked, in which stage of a match, and by which rules something cannot be done."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

ONLY: Final = ((0,), (1,), (2,), (3,))
"""The seats of a decision of one seat."""


class Kind(StrEnum):
    """What can be asked; the first eight are asked of luck."""

    MOTHER_NATURE = "mother-nature"
    ISLANDS = "islands"
    ENTRANCES = "entrances"
    CHARACTERS = "characters"
    STOCK = "stock"
    FIRST = "first"
    REFILL = "refill"
    RESTOCK = "restock"
    ASSISTANT = "assistant"
    STUDENT = "student"
    STEPS = "steps"
    CLOUD = "cloud"
    SWAP = "swap"
    FINISH = "finish"


class Rule(StrEnum):
    """Why something cannot be done."""

    NOT_NOW = "not now"
    """Another step of the round is to be done."""
    NOWHERE = "nowhere"
    """There is no such assistant, island or cloud."""
    PLAYED = "played"
    """Somebody has played that assistant in this round, and another one can be played."""
    SPENT = "spent"
    """The assistant was played in an earlier round."""
    NO_STUDENT = "no student"
    TABLE_FULL = "table full"
    FAR = "far"
    """Mother nature goes no further than the assistant allows."""
    CLOUD_TAKEN = "cloud taken"
    NOT_ON_TABLE = "not on table"
    """The character is not among those of this match."""
    ONE_A_TURN = "one a turn"
    """Another character was used in this turn."""
    TOO_DEAR = "too dear"
    USELESS = "useless"
    """There is nothing the character could be used on."""
    NOT_SO = "not so"
    """The character is used on something else."""


class Stage(IntEnum):
    """What is to be decided next."""

    MOTHER_NATURE = 0
    ISLANDS = 1
    ENTRANCES = 2
    CHARACTERS = 3
    STOCK = 4
    FIRST = 5
    REFILL = 6
    RESTOCK = 7
    PLAN = 8
    CLOUD_FIRST = 9
    STUDENTS = 10
    NATURE = 11
    CLOUD = 12
    SWAP = 13
    FINISH = 14
    OVER = 15
