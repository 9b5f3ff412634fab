"""Wishes of seats: the preferred tower colour, and the characters that a seat's program supports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from boardwire.errors import Reason, Refused
from boardwire.games.eriantys.options import Character, Mode, Options, Tower, default_towers


class Wish(msgspec.Struct, frozen=True):
    """The preferred tower colour (None: any), and the characters that the seat's program supports (empty: all)."""

    tower: Tower | None = None
    characters: tuple[Character, ...] = ()


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """Return the options with the seats' colours and the characters supported by all; raise `Refused` on a conflict."""
    towers = _assign_towers(wishes)
    if towers is not None:
        options = replace(options, towers=towers)
    limits = [set(wish.characters) for wish in wishes if wish is not None and wish.characters]
    if options.mode is Mode.SIMPLIFIED or not limits:
        return options
    catalogue = tuple(character for character in options.catalogue if all(character in limit for limit in limits))
    if len(catalogue) < 3:
        common = ", ".join(catalogue) or "none"
        raise Refused(
            f"the programs at this table have too few characters in common ({common}); an expert game needs 3",
            reason=Reason.NOTHING_IN_COMMON,
        )
    return replace(options, catalogue=catalogue)


def _assign_towers(wishes: Sequence[Wish | None]) -> tuple[Tower, ...] | None:
    """Return the colours by seat: the preferred one, else the next free one; None if no seat has a preference."""
    wanted = [wish.tower if wish is not None else None for wish in wishes]
    if not any(wanted):
        return None
    left = Counter(default_towers(len(wishes)))
    for tower in wanted:
        if tower is not None:
            if not left[tower]:
                raise Refused(f"the {tower.value} towers are taken; choose another colour", reason=Reason.CHOICE_TAKEN)
            left[tower] -= 1
    rest = [tower for tower in default_towers(len(wishes)) if _take_tower(left, tower)]
    return tuple(tower if tower is not None else rest.pop(0) for tower in wanted)


def _take_tower(left: Counter[Tower], tower: Tower) -> bool:
    """Take a tower colour from those left; return whether it was left."""
    left[tower] -= 1
    return left[tower] >= 0
