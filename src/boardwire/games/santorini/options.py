"""The options of a match."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.games.santorini.powers.catalogue import God

MAX_PLY_CAP: Final = 1000
"""Number of turns after which any match is a draw."""


class Wording(StrEnum):
    """The edition of the powers' wording."""

    REVISED = "revised"
    PRINTED = "printed"


class Draft(StrEnum):
    """How gods, order and workers are decided; `setup.STAGES` lists the stages."""

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

    - `gods`: by seat (`GIVEN`), or the one beside the Ram (`FLEECE`).
    - `pool`: the gods that can be drawn or proposed, each once; empty: every god that the number of players allows.
    - `bans`: if false, banned pairs may meet.
    - `position`: a position in our notation to start from (`POSITION`).
    - `ply_cap`: turns after which the match is a draw, because some powers remove what others build and such a match
      may never end [santorini 3.2].
    """

    draft: Draft = Draft.NONE
    gods: tuple[God, ...] = ()
    pool: tuple[God, ...] = ()
    wording: Wording = Wording.REVISED
    bans: bool = True
    position: str = ""
    ply_cap: int = MAX_PLY_CAP


MIN_POOL_SIZE: Final = 10
"""Smallest pool of an ordinary match: the number of simple gods."""


def ordinary(options: Options) -> bool:
    """Whether the set-up is a published one, without given gods, a given position, a small pool or a low ply cap."""
    given = options.draft in (Draft.GIVEN, Draft.POSITION)
    few = bool(options.pool) and len(set(options.pool)) < MIN_POOL_SIZE
    return not given and not few and options.ply_cap >= Options().ply_cap
