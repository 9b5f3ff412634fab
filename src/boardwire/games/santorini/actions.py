"""What a player, or luck, can do: one step each.

An action names squares, never workers: the worker is whoever stands there.  Each move and build is made once, by
`interned`.  Which action is legal when is for `offers`; what it does, for `turn` and the powers.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.games.game import Seat
from boardwire.games.santorini.powers.catalogue import God


class Move(msgspec.Struct, frozen=True, tag="move", gc=False, cache_hash=True):
    """The worker on `frm` moves to `to`; who stands there is displaced as the mover's power says."""

    frm: int
    to: int


class Build(msgspec.Struct, frozen=True, tag="build", gc=False, cache_hash=True):
    """The worker on `by` builds on `at`: a block, or a dome."""

    by: int
    at: int
    dome: bool = False


class Done(msgspec.Struct, frozen=True, tag="done", gc=False, cache_hash=True):
    """No more of what is optional now."""


class Use(msgspec.Struct, frozen=True, tag="use", gc=False, cache_hash=True):
    """From here on the power is used, where the steps alone would not tell."""


class Force(msgspec.Struct, frozen=True, tag="force", gc=False, cache_hash=True):
    """A power puts the worker on `frm` to `to`."""

    frm: int
    to: int


class Swap(msgspec.Struct, frozen=True, tag="swap", gc=False, cache_hash=True):
    """A power makes the workers on two squares change places."""

    one: int
    other: int


class Raze(msgspec.Struct, frozen=True, tag="raze", gc=False, cache_hash=True):
    """A power takes away blocks on `at`."""

    at: int


class Banish(msgspec.Struct, frozen=True, tag="banish", gc=False, cache_hash=True):
    """A power takes the worker on `at` off the board."""

    at: int


class Bind(msgspec.Struct, frozen=True, tag="bind", gc=False, cache_hash=True):
    """A power ties an own worker and a foe's to one another."""

    own: int
    foe: int


class PlaceWorker(msgspec.Struct, frozen=True, tag="place_worker", gc=False, cache_hash=True):
    """A worker comes onto the board."""

    at: int


class PlaceToken(msgspec.Struct, frozen=True, tag="place_token", gc=False, cache_hash=True):
    """The token of the player's power, or the Ram, comes onto a square."""

    at: int


class Aim(msgspec.Struct, frozen=True, tag="aim", gc=False, cache_hash=True):
    """A direction is set, an index into `board.DIRECTIONS`; None takes it back."""

    direction: int | None


class ProposeGod(msgspec.Struct, frozen=True, tag="propose_god", cache_hash=True):
    """One more god of the offer."""

    god: God


class PickGod(msgspec.Struct, frozen=True, tag="pick_god", cache_hash=True):
    """A god out of the offer for oneself."""

    god: God


class NameStart(msgspec.Struct, frozen=True, tag="name_start", cache_hash=True):
    """The god whose owner will begin, named before anyone picks (the online edition's draft)."""

    god: God


class ChooseStart(msgspec.Struct, frozen=True, tag="choose_start", gc=False, cache_hash=True):
    """Who begins."""

    seat: Seat


class DealGod(msgspec.Struct, frozen=True, tag="deal_god", cache_hash=True):
    """Luck deals a god."""

    god: God


class DealCard(msgspec.Struct, frozen=True, tag="deal_card", gc=False, cache_hash=True):
    """Luck deals a numbered card of a power's deck."""

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
