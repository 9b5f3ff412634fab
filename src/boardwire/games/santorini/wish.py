"""What a seat brings along to a table: the gods its program can express.

A protocol knows only some gods.  At a table where its client sits, no other is drawn, proposed or picked: the pool of
the match is what all seats can express.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from boardwire.errors import Reason, Refused
from boardwire.games.santorini.options import Options
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God


class Wish(msgspec.Struct, frozen=True):
    """`gods` are those the seat's program knows; empty: all of them."""

    gods: tuple[God, ...] = ()


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """The options with the pool that every seat can express; `Refused` if that is too small for the seats."""
    limits = [set(wish.gods) for wish in wishes if wish is not None and wish.gods]
    if not limits:
        return options
    pool = tuple(god for god in options.pool or CATALOGUE if all(god in limit for limit in limits))
    if len(pool) < len(wishes):
        raise Refused("the programs at this table have too few gods in common", reason=Reason.NOTHING_IN_COMMON)
    return replace(options, pool=pool)
