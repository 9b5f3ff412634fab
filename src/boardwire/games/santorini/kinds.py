"""The kinds of decision."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """The decisions of the set-up, then those of a turn by its stages."""

    PROPOSE_GOD = "propose_god"
    PICK_GOD = "pick_god"
    NAME_START = "name_start"
    CHOOSE_START = "choose_start"
    PLACE_WORKER = "place_worker"
    PLACE_RAM = "place_ram"
    PREPARE = "prepare"
    OPEN = "open"  # the start of a turn: move, or use a power before the move
    GO_ON = "go_on"  # after a move: build, or move again if a power allows it
    BUILD_MORE = "build_more"  # after the build: optional builds
    CLOSE = "close"  # the end of the turn: use a power
    REPLY = "reply"  # during a turn: the question of a power
    CHANCE = "chance"  # a draw


BY_STAGE: Final = (Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE)
