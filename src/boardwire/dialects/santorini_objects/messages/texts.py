"""Fixed texts of all editions, encoded."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.games.game import Seat

ASK_NAME: Final = "Player's name"  # [6.3]
NUMBER: Final = "You are player {}"  # [11.4] the client reads the character at index 15
SHIPPED_NUMBER: Final = "PLAYER_{}"  # [7.2]
HELLO: Final = "HELLO"  # [12.7] never sent by this server, which detects disconnects at once
BAD_NUMBER: Final = "ERROR_NOT_VALID_NUM_OF_PLAYERS"  # [7.1]
BAD_NAME: Final = "ERROR_NOT_VALID_NAME"  # [7.1]
REJECTED: Final = "REJECTED"  # [9]


class Texts(msgspec.Struct, frozen=True):
    """Encoded fixed messages of an edition; tuples are indexed by seat."""

    ask_name: bytes
    name_refused: bytes
    number: tuple[bytes, ...]
    rejected: tuple[bytes, ...]


@cache
def texts(edition: Edition) -> Texts:
    """Return the encoded fixed messages of an edition."""
    number = SHIPPED_NUMBER if edition.is_shipped else NUMBER
    players = (1, 2, 3)
    errors = [wire.RequestError(n, REJECTED) for n in players] if edition.is_shipped else []
    return Texts(
        edition.encode(wire.Message(ASK_NAME)),
        edition.encode(wire.Message(BAD_NAME)),
        tuple(edition.encode(wire.Message(number.format(n))) for n in players),
        tuple(map(edition.encode, errors)),
    )


def decline_request(edition: Edition, seat: Seat, is_atlas: bool) -> bytes:
    """Encode F's last request of a turn, which can only be declined; `canForceDome` is always true for Atlas [7.8]."""
    none: frozenset[wire.Position] = frozenset()
    return edition.encode_cached(wire.RequestAction(True, is_atlas, False, False, seat + 1, none, none, none, none))
