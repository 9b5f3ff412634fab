"""What can be chosen about a match before it starts."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.games.santorini.powers.catalogue import God

LONGEST: Final = 1000
"""The turns after which any match is a draw."""


class Wording(StrEnum):
    """Which wording of the powers holds."""

    REVISED = "revised"
    PRINTED = "printed"


class Draft(StrEnum):
    """How gods, order and workers come about; `setup.STAGES` says in which stages."""

    NONE = "none"
    GIVEN = "given"
    RANDOM = "random"
    CHALLENGER = "challenger"
    PRINTED = "printed"
    FIRST_PROPOSES = "first_proposes"
    TOGETHER = "together"
    TWO_ROUNDS = "two_rounds"
    ONLINE = "online"
    FLEECE = "fleece"
    POSITION = "position"


class Options(msgspec.Struct, frozen=True):
    """The options of a match.

    `gods` are those of the seats in order (`GIVEN`), or the one beside the Ram (`FLEECE`).  `pool` limits what can be
    drawn or proposed, each god once; empty means every god the number of players allows.  `bans` off lets banned pairs
    meet.  `position` is a position in our notation to start from (`POSITION`).  After `ply_cap` turns the match is a
    draw, because some powers take away what others build, and two of them may never end [santorini 3.2].
    """

    draft: Draft = Draft.NONE
    gods: tuple[God, ...] = ()
    pool: tuple[God, ...] = ()
    wording: Wording = Wording.REVISED
    bans: bool = True
    position: str = ""
    ply_cap: int = LONGEST


MANY: Final = 10
"""So many gods leave something to choose: there are as many simple ones."""


def ordinary(options: Options) -> bool:
    """A published set-up: not gods or a position given by hand, a handful of gods, or a match that is soon drawn."""
    given = options.draft in (Draft.GIVEN, Draft.POSITION)
    few = bool(options.pool) and len(set(options.pool)) < MANY
    return not given and not few and options.ply_cap >= Options().ply_cap
