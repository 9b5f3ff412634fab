"""The kinds of decision, the stages of a match, and the rules that make an action illegal."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

ONLY: Final = ((0,), (1,), (2,), (3,))
"""The `seats` of a decision that one seat must make, by seat."""


class Kind(StrEnum):
    """The kinds of decision; the first eight belong to chance."""

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
    """Why an action is illegal."""

    NOT_NOW = "not now"
    """Another decision is open."""
    NOWHERE = "nowhere"
    """The assistant, island or cloud does not exist."""
    PLAYED = "played"
    """The assistant has been played in this round, and the seat can play another one."""
    SPENT = "spent"
    """The assistant was played in an earlier round."""
    NO_STUDENT = "no student"
    TABLE_FULL = "table full"
    FAR = "far"
    """The assistant does not allow that many steps."""
    CLOUD_TAKEN = "cloud taken"
    NOT_ON_TABLE = "not on table"
    """The character is not one of this match."""
    ONE_A_TURN = "one a turn"
    """A character has been used in this turn."""
    TOO_DEAR = "too dear"
    USELESS = "useless"
    """The character has no legal target."""
    NOT_SO = "not so"
    """The targets do not fit the character."""


class Stage(IntEnum):
    """The stages of a match."""

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
