"""The options of a match."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.games.santorini.powers.catalogue import God

MAX_PLY_CAP: Final = 1000
"""Number of turns after which any match is a draw."""


class Wording(StrEnum):
    """The wording of the powers: the revised rules or the printed cards."""

    REVISED = "revised"
    PRINTED = "printed"


class Draft(StrEnum):
    """How the set-up chooses the gods and the order of play; `setup.STAGES` lists the stages of each draft."""

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

    - `gods`: the gods by seat (`GIVEN`), or the god beside the Ram (`FLEECE`).
    - `pool`: the gods that can be drawn or proposed, each once; empty: every god allowed with the number of players.
    - `bans`: if false, banned pairs may meet.
    - `position`: the start position in notation (`POSITION`).
    - `ply_cap`: the number of turns after which the match is a draw. Without a cap a match might never end, because
      some powers remove what others build [santorini 3.2].
    """

    draft: Draft = Draft.NONE
    gods: tuple[God, ...] = ()
    pool: tuple[God, ...] = ()
    wording: Wording = Wording.REVISED
    bans: bool = True
    position: str = ""
    ply_cap: int = MAX_PLY_CAP


MIN_POOL_SIZE: Final = 10
"""Minimum pool of a standard match: the number of simple gods."""


def is_standard(options: Options) -> bool:
    """Return whether the set-up is a published one, without given gods or position, small pool or low ply cap."""
    is_arranged = options.draft in (Draft.GIVEN, Draft.POSITION)
    has_small_pool = bool(options.pool) and len(set(options.pool)) < MIN_POOL_SIZE
    return not is_arranged and not has_small_pool and options.ply_cap >= Options().ply_cap
