"""The first words: what a client wants, and the texts of both editions.

Names: D cannot refuse one, so it is made to fit (a number if it is empty, cut to 32 characters, a suffix if somebody at
the table has it); F has words to refuse it (protocol page, 9.12).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_objects import classes as wire
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.games.game import Seat

ASK_NAME: Final = "Player's name"  # [3.1.2]
NUMBER: Final = "You are player {}"  # [3.1.3] the client reads the character at index 15
SHIPPED_NUMBER: Final = "PLAYER_{}"  # [3.2.5]
HELLO: Final = "HELLO"  # [3.2.3] never sent by us: we notice at once when somebody leaves [9.14]
BAD_NUMBER: Final = "ERROR_NOT_VALID_NUM_OF_PLAYERS"  # [3.2.2]
BAD_NAME: Final = "ERROR_NOT_VALID_NAME"  # [3.2.4]
REJECTED: Final = "REJECTED"  # [3.2.11]

NAME_LENGTH: Final = 32
NAME_SECONDS: Final = 60.0
"""How long a D client may take to say its name; the others at the table wait for it."""

SEATS: Final = (2, 3)


class Visitor(msgspec.Struct, frozen=True):
    """What a client wants: a table of so many seats, under this name (D says it later)."""

    seats: int
    name: str = ""


class Texts(msgspec.Struct, frozen=True):
    """The fixed messages of an edition, ready to send; lists are by seat."""

    ask_name: bytes
    name_refused: bytes
    number: tuple[bytes, ...]
    rejected: tuple[bytes, ...]


@cache
def texts(edition: Edition) -> Texts:
    """The fixed messages of an edition."""
    number = SHIPPED_NUMBER if edition.is_shipped else NUMBER
    players = (1, 2, 3)
    errors = [wire.RequestError(n, REJECTED) for n in players] if edition.is_shipped else []
    return Texts(
        edition.encode(wire.Message(ASK_NAME)),
        edition.encode(wire.Message(BAD_NAME)),
        tuple(edition.encode(wire.Message(number.format(n))) for n in players),
        tuple(map(edition.encode, errors)),
    )


def nothing_left(edition: Edition, seat: Seat, is_atlas: bool) -> bytes:
    """F's last request of a turn: nothing is on offer but to decline; Atlas may always force domes [3.2.10]."""
    none: frozenset[wire.Position] = frozenset()
    return edition.known(wire.RequestAction(True, is_atlas, False, False, seat + 1, none, none, none, none))


def greet(edition: Edition, first: Any) -> Visitor | bytes:
    """What the first message wants, or what to say before hanging up."""
    if edition.is_shipped:
        return _greet_shipped(edition, first) if isinstance(first, wire.Connection) else b""
    # [3.1.1] only the first character counts; older servers seat every number but 2 with three
    text = first.message if isinstance(first, wire.Message) and first.message else " "
    if text[0] in "23":
        return Visitor(int(text[0]))
    return Visitor(3) if edition is Edition.D1 and text[0] in "0123456789" else b""


def _greet_shipped(edition: Edition, first: wire.Connection) -> Visitor | bytes:
    if first.num_of_players not in SEATS:
        return edition.encode(wire.Message(BAD_NUMBER))
    name = first.name or ""
    if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
        return texts(edition).name_refused
    return Visitor(first.num_of_players, name)


def name_with(name: str, seat: Seat, attempt: int) -> str:
    """The name of a player, made to fit: the first attempt as it is, later ones with a number."""
    fit = "".join(sign if sign.isprintable() else " " for sign in name).strip() or f"Player {seat + 1}"
    suffix = f" {attempt}" if attempt > 1 else ""
    return fit[: NAME_LENGTH - len(suffix)].rstrip() + suffix
