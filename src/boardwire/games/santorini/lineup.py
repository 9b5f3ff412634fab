"""The powers in play, compiled: for each seat, just the hooks that bear on its turn.

A lineup is known by its gods, so positions share and compare it cheaply.  It changes when a power changes hands or its
owner is eliminated.  It knows which hooks exist, not what any god does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from boardwire.games.game import Illegal, Seat
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.powers.registry import POWERS


def overrides(power: Power, hook: str) -> bool:
    """Whether a god's class has a hook of its own."""
    return getattr(type(power), hook) is not getattr(Power, hook)


class Rules:
    """What holds in the turn of one seat.  Powers are in the order own, team mate's, foes' (rules page, 1.2)."""

    def __init__(self, powers: tuple[Power, ...], seat: Seat) -> None:
        own = powers[seat]
        mates = tuple(power for power in powers if power.side == own.side and power is not own)
        foes = tuple(power for power in powers if power.side != own.side)
        everybody = (own, *mates, *foes)

        def having(hook: str, among: tuple[Power, ...] = everybody) -> tuple[Power, ...]:
            return tuple(power for power in among if overrides(power, hook))

        def binding(hook: str) -> tuple[Power, ...]:
            return tuple(power for power in having(hook) if power in foes or power.everyone)

        self.own: Final = own
        self.side: Final = own.side
        self.reach: Final = own.reach
        self.spots: Final = own.spots
        self.move_limits: Final = tuple(power.limit_moves for power in binding("limit_moves"))
        self.build_limits: Final = tuple(power.limit_builds for power in binding("limit_builds"))
        self.closers: Final[tuple[Callable[..., int], ...]] = tuple(power.closed for power in having("closed", foes))
        self.judges: Final = having("judge")
        self.starts: Final = tuple(power.at_start for power in having("at_start"))
        self.move_effects: Final = tuple(power.after_move for power in having("after_move"))
        self.build_effects: Final = tuple(power.after_build for power in having("after_build"))
        self.entries: Final = tuple(power.entered for power in having("entered"))
        self.ends: Final = tuple(power.at_end for power in having("at_end"))
        self.laws: Final = tuple(power.lawful for power in having("lawful", foes))
        self.wishes: Final = tuple(power.wish for power in having("wish", foes))
        self.veils: Final = tuple(power.conceal for power in having("conceal", foes))
        self.foils: Final = tuple(power.foils for power in having("foils", foes))
        self.openings: Final = own.openings if overrides(own, "openings") else None
        self.more_moves: Final = own.more_moves if overrides(own, "more_moves") else None
        self.more_builds: Final = own.more_builds if overrides(own, "more_builds") else None
        self.closings: Final = own.closings if overrides(own, "closings") else None
        self.skips: Final = own.may_skip_build if overrides(own, "may_skip_build") else None
        self.doubters: Final = tuple(
            power.doubts for power in everybody if (power is own and own.careful) or (power in foes and power.hinders)
        )
        self.endless: Final = own.endless


class Lineup:
    """The powers of all seats, and the rules of each seat's turn."""

    def __init__(self, gods: tuple[God, ...], seats: int, printed: bool) -> None:
        missing = [CATALOGUE[god].name for god in gods if god not in POWERS]
        if missing:
            raise Illegal(f"{missing[0]} cannot be played yet")
        self.gods: Final = gods
        self.seats: Final = seats
        self.printed: Final = printed
        self.sides: Final = 2 if seats == 4 else seats
        self.powers: Final = tuple(
            POWERS[god](seat, seat % self.sides, seats, printed) for seat, god in enumerate(gods)
        )
        self.rules: Final = tuple(Rules(self.powers, seat) for seat in range(seats))
        self.secretive: Final = tuple(power for power in self.powers if overrides(power, "conceal"))

    def __reduce__(self) -> tuple[object, ...]:
        return lineup, (self.gods, self.printed)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Lineup) and self.gods == other.gods and self.printed == other.printed
        )

    def __hash__(self) -> int:
        return hash((self.gods, self.printed))

    def side(self, seat: Seat) -> int:
        """The side of a seat: with four players, teams of two sit across."""
        return seat % self.sides

    def changed(self, seat: Seat, god: God) -> Lineup:
        """The lineup in which a seat has another god."""
        return lineup((*self.gods[:seat], god, *self.gods[seat + 1 :]), self.printed)

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """The seats of a side."""
        return tuple(range(side, self.seats, self.sides))


@lru_cache(maxsize=4096)
def lineup(gods: tuple[God, ...], printed: bool = False) -> Lineup:
    """The lineup of these gods, one per seat."""
    return Lineup(gods, len(gods), printed)
