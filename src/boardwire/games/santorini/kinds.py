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
    OPEN = "open"  # the start of a turn: move, or what a power does first
    GO_ON = "go_on"  # after a move: build, or move on where a power allows
    BUILD_MORE = "build_more"  # after the build: optional builds
    CLOSE = "close"  # what a power does at the end of the turn
    REPLY = "reply"  # a power asks in the middle of a turn
    CHANCE = "chance"  # luck


BY_STAGE: Final = (Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE)
