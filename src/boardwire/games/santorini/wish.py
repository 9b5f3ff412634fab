"""Wishes of seats: the gods that a seat's program supports.

Most protocols support only some gods. The pool of a match is limited to the gods that all seats support, so that no
other god is drawn, proposed or picked.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from boardwire.errors import Reason, Refused
from boardwire.games.santorini.options import Options
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God


class Wish(msgspec.Struct, frozen=True):
    """The gods that the seat's program supports; empty: all."""

    gods: tuple[God, ...] = ()


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """Return the options with the pool limited to the gods that all seats support; `Refused` if it is too small."""
    limits = [set(wish.gods) for wish in wishes if wish is not None and wish.gods]
    if not limits:
        return options
    pool = tuple(god for god in options.pool or CATALOGUE if all(god in limit for limit in limits))
    if len(pool) < len(wishes):
        common = ", ".join(pool) or "none"
        raise Refused(
            f"the programs at this table have too few gods in common ({common}); a match needs {len(wishes)}",
            reason=Reason.NOTHING_IN_COMMON,
        )
    return replace(options, pool=pool)
