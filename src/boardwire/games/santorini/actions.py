"""Actions of players and of chance, one step each.

An action names squares, not workers: it applies to the worker that stands there. Moves and builds are interned
(`interned`). `offers` decides which actions are legal; `turn` and the powers apply them.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.games.game import Seat
from boardwire.games.santorini.powers.catalogue import God


class Move(msgspec.Struct, frozen=True, tag="move", gc=False, cache_hash=True):
    """The worker on `frm` moves to `to`; the mover's power displaces a worker there."""

    frm: int
    to: int


class Build(msgspec.Struct, frozen=True, tag="build", gc=False, cache_hash=True):
    """The worker on `by` builds a block or a dome on `at`."""

    by: int
    at: int
    dome: bool = False


class Done(msgspec.Struct, frozen=True, tag="done", gc=False, cache_hash=True):
    """Decline the remaining optional actions."""


class Use(msgspec.Struct, frozen=True, tag="use", gc=False, cache_hash=True):
    """Use the power from now on, if the following steps would not show that it is used."""


class Force(msgspec.Struct, frozen=True, tag="force", gc=False, cache_hash=True):
    """A power puts the worker on `frm` onto `to`."""

    frm: int
    to: int


class Swap(msgspec.Struct, frozen=True, tag="swap", gc=False, cache_hash=True):
    """A power swaps the workers on two squares."""

    one: int
    other: int


class Raze(msgspec.Struct, frozen=True, tag="raze", gc=False, cache_hash=True):
    """A power removes blocks on `at`."""

    at: int


class Banish(msgspec.Struct, frozen=True, tag="banish", gc=False, cache_hash=True):
    """A power removes the worker on `at` from the board."""

    at: int


class Bind(msgspec.Struct, frozen=True, tag="bind", gc=False, cache_hash=True):
    """A power ties one of the player's workers and a foe's together."""

    own: int
    foe: int


class PlaceWorker(msgspec.Struct, frozen=True, tag="place_worker", gc=False, cache_hash=True):
    """Place a worker on the board."""

    at: int


class PlaceToken(msgspec.Struct, frozen=True, tag="place_token", gc=False, cache_hash=True):
    """Place the token of the player's power, or the Ram."""

    at: int


class Aim(msgspec.Struct, frozen=True, tag="aim", gc=False, cache_hash=True):
    """Set a direction, an index into `board.DIRECTIONS`; None removes it."""

    direction: int | None


class ProposeGod(msgspec.Struct, frozen=True, tag="propose_god", cache_hash=True):
    """Add a god to the offer."""

    god: God


class PickGod(msgspec.Struct, frozen=True, tag="pick_god", cache_hash=True):
    """Take a god from the offer."""

    god: God


class NameStart(msgspec.Struct, frozen=True, tag="name_start", cache_hash=True):
    """Name the god whose owner begins, before the gods are picked (the online edition's draft)."""

    god: God


class ChooseStart(msgspec.Struct, frozen=True, tag="choose_start", gc=False, cache_hash=True):
    """Choose the seat that begins."""

    seat: Seat


class DealGod(msgspec.Struct, frozen=True, tag="deal_god", cache_hash=True):
    """Chance deals a god."""

    god: God


class DealCard(msgspec.Struct, frozen=True, tag="deal_card", gc=False, cache_hash=True):
    """Chance deals a numbered card of a power's deck."""

    card: int


Action: TypeAlias = (
    Move
    | Build
    | Done
    | Use
    | Force
    | Swap
    | Raze
    | Banish
    | Bind
    | PlaceWorker
    | PlaceToken
    | Aim
    | ProposeGod
    | PickGod
    | NameStart
    | ChooseStart
    | DealGod
    | DealCard
)
Actions: TypeAlias = tuple[Action, ...]

DONE: Final = Done()
USE: Final = Use()
DONE_ONLY: Final[Actions] = (DONE,)
