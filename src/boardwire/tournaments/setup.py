"""Setup of a tournament: the choices of its organiser, with their limits."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Literal

import msgspec

from boardwire import games
from boardwire.errors import Malformed, either
from boardwire.lobby.terms import check_policy
from boardwire.table.match import to_type
from boardwire.table.policy import Leaving, Policy

MAX_TOURNAMENT_NAME_LENGTH: Final = 60
DEFAULT_BANK_SECONDS: Final = 300.0
MAX_ENTRANTS: Final = 2000
MAX_ROUNDS: Final = 30
MAX_ARENA_MINUTES: Final = 24 * 60
MAX_PAUSE_SECONDS: Final = 3600.0
MAX_CHECK_IN_SECONDS: Final = 86_400.0
MIN_GRACE_SECONDS: Final = 10.0
MAX_GRACE_SECONDS: Final = 86_400.0
MAX_MOVE_SECONDS: Final = 14 * 86_400.0
MAX_SECONDS_AHEAD: Final = 366 * 86_400.0
"""Longest time before the start of a tournament."""


class TournamentCreators(StrEnum):
    """Who may create tournaments on a server."""

    ANYONE = "anyone"
    PLAYERS = "players"
    """Players with a claimed name."""
    ORGANISERS = "organisers"
    """Players with the role of an organiser."""


class TournamentFormat(StrEnum):
    """How a tournament is paired."""

    ARENA = "arena"
    """Continuous pairing of waiting participants, for a fixed time."""
    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCKOUT = "knockout"


ADMITS_LATE: Final = frozenset({TournamentFormat.ARENA, TournamentFormat.SWISS})
"""Formats that participants can enter after the start."""


class TournamentSetup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Choices of a tournament's organiser; times are in seconds unless stated otherwise."""

    name: str
    game: str
    format: TournamentFormat
    starts_at: float = 0.0
    """Seconds since the epoch; with 0 the organiser starts it."""
    rounds: int = 0
    """Rounds of a Swiss tournament (0 for enough to find a winner), or cycles of a round robin (0 for one)."""
    minutes: float = 0.0
    """Duration of an arena in minutes."""
    options: Any = None
    """Options of the game, or None for its defaults."""
    bank: float = DEFAULT_BANK_SECONDS
    """Thinking time per match and player, or 0 for no limit."""
    increment: float = 0.0
    """Time added to the bank at the end of a turn."""
    per_move: float = 0.0
    """Time per decision, or 0 for no limit."""
    grace: float = 60.0
    """Time for which a participant may be absent from its match before it forfeits."""
    check_in: float = 0.0
    """Length of the check-in before the start, or 0 for none."""
    max_entrants: int = MAX_ENTRANTS
    late: bool = True
    """Whether participants can enter after the start, in formats that admit them (`ADMITS_LATE`)."""
    pause: float = 5.0
    """Time between two rounds."""
    rated: bool = False
    """Whether matches count for ratings; then every participant has an account or is a bot."""

    @property
    def policy(self) -> Policy:
        """Policy of the tables: seats are held, and absence forfeits after `grace`."""
        increment = self.increment or msgspec.UNSET
        rated: Literal[True] | msgspec.UnsetType = True if self.rated else msgspec.UNSET
        return Policy(Leaving.HOLDS, self.grace, self.bank, self.per_move, increment=increment, rated=rated)

    @property
    def is_arena(self) -> bool:
        return self.format is TournamentFormat.ARENA


def check_setup(setup: TournamentSetup, now: float) -> TournamentSetup:
    """Return a valid setup with typed options; raise `Malformed` or `Refused` for an invalid one."""
    name = " ".join(setup.name.split())
    if not 0 < len(name) <= MAX_TOURNAMENT_NAME_LENGTH or not name.isprintable():
        raise Malformed(f"the name of a tournament must have 1 to {MAX_TOURNAMENT_NAME_LENGTH} printable characters")
    game = games.game(setup.game)
    if 2 not in game.seat_counts:
        seats = either(game.seat_counts)
        raise Malformed(f"tournaments need a game for two players; {setup.game} is for {seats} players")
    options = game.Options() if setup.options is None else to_type(setup.options, game.Options)
    game.new(game.settle(options, (None, None)), 2)  # a match that cannot start must not be announced
    if setup.is_arena != bool(setup.minutes):
        raise Malformed(
            "an arena needs a duration: set minutes"
            if setup.is_arena
            else f"minutes is {setup.minutes:g}; remove it, since only an arena has a duration"
        )
    _check("minutes", setup.minutes, 0, MAX_ARENA_MINUTES)
    _check("rounds", setup.rounds, 0, MAX_ROUNDS)
    _check("max_entrants", setup.max_entrants, 2, MAX_ENTRANTS)
    if not setup.policy.correspondence:
        _check("grace", setup.grace, MIN_GRACE_SECONDS, MAX_GRACE_SECONDS)
    _check("per_move", setup.per_move, 0, MAX_MOVE_SECONDS)
    _check("bank", setup.bank, 0, MAX_MOVE_SECONDS)
    _check("increment", setup.increment, 0, MAX_GRACE_SECONDS)
    _check("check_in", setup.check_in, 0, MAX_CHECK_IN_SECONDS)
    _check("pause", setup.pause, 0, MAX_PAUSE_SECONDS)
    if setup.starts_at:
        _check("starts_at", setup.starts_at, now - 60.0, now + MAX_SECONDS_AHEAD)
    if setup.check_in and not setup.starts_at:
        raise Malformed("a check-in needs a start time: set starts_at")
    if not (setup.bank or setup.per_move):
        raise Malformed("a tournament needs a clock: set bank or per_move")
    check_policy(setup.policy)
    return msgspec.structs.replace(setup, name=name, options=setup.options)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:  # also refuses NaN
        raise Malformed(f"{name} is {value:g}; it must be from {low:g} to {high:g}")
