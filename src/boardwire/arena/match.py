"""The match runner: plays one match between players in this process, with the reducer of a server's tables.

- `play_match` returns the events of the match, which are stored like those of any other match.
- A player that fails forfeits its seat with a cause (`PlayerFault`); with more than two sides the others play on.
- Randomness is seeded: deals by `deal_seed`, which matches with the same deals share, and players by `seed`. Nothing
  else is random, so budgets in nodes make a match reproducible.
- Clocks run only while a player chooses. A player reports its own thinking time, measured at its pipe.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from boardwire.arena.results import ARENA
from boardwire.bots.arena import draw_choice
from boardwire.bots.bot import decision_for
from boardwire.errors import BoardwireError, Illegal, Malformed, Reason, Refused
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Outcome, Seat
from boardwire.table import commands as cmd
from boardwire.table.commands import Command
from boardwire.table.decide import decide
from boardwire.table.events import Event, Opened, Player
from boardwire.table.match import Match, Status, match_of_opening
from boardwire.table.policy import Policy
from boardwire.table.termination import Termination

MAX_SECONDS: Final = 86_400.0
"""Upper bound of the time limits of a budget."""


class Cause(StrEnum):
    """Reason why a player forfeits."""

    TIME = cmd.OUT_OF_TIME
    ILLEGAL = "illegal"
    DIED = "died"
    MALFORMED = "malformed"
    OUTPUT = "output"
    MEMORY = "memory"
    CPU = "cpu"
    START = "start"


class PlayerFault(BoardwireError):
    """A player failed and forfeits."""

    default_reason = Reason.FAULT

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause
        self.detail = detail


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Budget of a player; 0 stands for no limit.

    `seconds` and `nodes` are for one choice, `match_seconds` for a whole match, with `increment` seconds added after
    each choice.
    """

    seconds: float = 0.0
    nodes: int = 0
    match_seconds: float = 0.0
    increment: float = 0.0

    def __post_init__(self) -> None:
        for name in ("seconds", "match_seconds", "increment"):
            if not 0 <= getattr(self, name) <= MAX_SECONDS:
                raise ValueError(f"{name} must be from 0 to {MAX_SECONDS:,.0f}, not {getattr(self, name):g}")
        if self.nodes < 0:
            raise ValueError(f"nodes must not be negative, but is {self.nodes}")
        if self.increment and not self.match_seconds:
            raise ValueError("increment needs match_seconds")

    def allowance(self, remaining: float) -> Allowance:
        """Return the budget for one choice; `remaining` is the rest of `match_seconds`."""
        remaining_or_none = remaining if self.match_seconds else None
        limits = [limit for limit in (self.seconds or None, remaining_or_none) if limit is not None]
        return Allowance(min(limits, default=None), remaining_or_none, self.nodes or None)


class Allowance(NamedTuple):
    """Budget of a player for one choice; None stands for no limit."""

    seconds: float | None
    remaining: float | None
    nodes: int | None


class Chosen(NamedTuple):
    """A player's action and the seconds that it took."""

    action: Any
    seconds: float


class MatchPlayer(Protocol):
    """A player in the arena. Each method may raise `PlayerFault`, except `end` and `close`."""

    @property
    def budget(self) -> Budget: ...

    def begin(self, game: str, seat: Seat, seats: int, options: Any, seed: int, /) -> None:
        """Begin a match."""

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance, /) -> Chosen:
        """Choose one of the decision's choices."""

    def end(self, outcome: Outcome | None, /) -> None:
        """Notify the player of the end of the match; `outcome` is None if the player has forfeited."""

    def log(self) -> str:
        """Return the player's output, for the record."""

    def close(self) -> None:
        """Release the player's resources."""


class SeatFacts(msgspec.Struct):
    """Facts about a seat that are not in the events of its match."""

    seconds: float = 0.0
    choices: int = 0
    fault: str = ""
    log: str = ""


class PlayedMatch(msgspec.Struct):
    """A finished match: its events and the records of its seats."""

    match: str
    events: list[Event]
    seats: list[SeatFacts]


class Opening(NamedTuple):
    """Beginning of a match: actions in notation, followed by a number of random ones."""

    moves: tuple[str, ...] = ()
    random_plies: int = 0


def play_match(
    game: AnyGame,
    options: Any,
    players: Sequence[MatchPlayer],
    names: Sequence[str],
    *,
    match: str = "match",
    kinds: Sequence[str] = (),
    seed: int = 0,
    deal_seed: int | None = None,
    opening: Opening = Opening(),
    max_moves: int = 0,
    now: Callable[[], float] = time.time,
) -> PlayedMatch:
    """Play a match with a player in each seat and return its events.

    `names` are those of the players, and `kinds` the kinds of programs that the journal stores. After `max_moves`
    actions the match is adjudicated as a draw, unless that is 0.
    """
    return _Run(game, options, players, names, match, kinds, seed, deal_seed, opening, max_moves, now).play()


class _Run:
    """A match in progress."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        players: Sequence[MatchPlayer],
        names: Sequence[str],
        match: str,
        kinds: Sequence[str],
        seed: int,
        deal_seed: int | None,
        opening: Opening,
        max_moves: int,
        now: Callable[[], float],
    ) -> None:
        self._players = players
        self._names = names
        self._kinds = kinds or [""] * len(players)
        self._seed = seed
        self._below: Below = Random(f"deal {seed if deal_seed is None else deal_seed}").randrange
        self._opening = opening
        self._max_moves = max_moves
        self._now = now
        first = Opened(now(), match, f"{game.name}@{game.rules}", len(players), options, Policy(), ARENA)
        self.match: Match = match_of_opening(first)
        self.events: list[Event] = [first]
        self.seats = [SeatFacts() for _ in players]
        self._remaining = [player.budget.match_seconds for player in players]

    def play(self) -> PlayedMatch:
        """Play the match to its end."""
        for seat, (name, kind) in enumerate(zip(self._names, self._kinds, strict=True)):
            self._do(cmd.Join(Player(name, bot=kind), seat))
        game, options = self.match.setting.game, self.match.setting.options
        for seat, player in enumerate(self._players):
            if self.match.status is not Status.OVER and not self.seats[seat].fault:
                seed = Random(f"{self._seed} {seat}").getrandbits(32)
                self._call(seat, partial(player.begin, game.name, seat, len(self._players), options, seed))
        self._play_opening()
        while (decision := self.match.pending) is not None:
            if self._max_moves and self.match.moves >= self._max_moves:
                self._do(cmd.Close(Termination.ADJUDICATED))
                break
            seat = decision.seats[0] if len(decision.seats) == 1 else decision.seats[self._below(len(decision.seats))]
            if seat == CHANCE:
                self._do(cmd.Deal(draw_choice(decision, self._below)))
            else:
                self._call(seat, partial(self._turn, seat, decision))
        for record, player in zip(self.seats, self._players, strict=True):
            if not record.fault:
                player.end(self.match.outcome)
            record.log = player.log()
        return PlayedMatch(self.match.id, self.events, self.seats)

    def _do(self, command: Command) -> None:
        for moment in decide(self.match, command, self._now()):
            self.events.append(moment.event)
            self.match = moment.match

    def _call(self, seat: Seat, call: Callable[[], None]) -> None:
        """Make a call for a player; a fault forfeits its seat."""
        try:
            call()
        except PlayerFault as fault:
            self.seats[seat].fault = f"{fault.cause}: {fault.detail}"
            self._do(cmd.Forfeit(seat, fault.cause))
            self._players[seat].end(None)

    def _turn(self, seat: Seat, decision: Decision[Any]) -> None:
        """Let a player choose within its remaining time, and apply its choice; raise `PlayerFault` if it is illegal."""
        player, record = self._players[seat], self.seats[seat]
        allowance = player.budget.allowance(self._remaining[seat])
        view = self.match.setting.game.view(self.match.position, seat)
        action, seconds = player.choose(view, decision_for(decision, seat), allowance)
        record.seconds += seconds
        record.choices += 1
        if allowance.remaining is not None:
            self._remaining[seat] = max(0.0, allowance.remaining - seconds) + player.budget.increment
        try:
            self._do(cmd.Act(seat, (action,)))
        except (Illegal, Refused, Malformed) as error:
            raise PlayerFault(Cause.ILLEGAL, str(error)) from error

    def _play_opening(self) -> None:
        """Play the opening: its actions, then random ones, with deals where the game needs them."""
        game = self.match.setting.game
        moves = [*map(game.parse_action, self._opening.moves), *[None] * self._opening.random_plies]
        for move in moves:
            while self.match.pending is not None and CHANCE in self.match.pending.seats:
                self._do(cmd.Deal(draw_choice(self.match.pending, self._below)))
            if self.match.pending is None:
                return
            action = draw_choice(self.match.pending, self._below) if move is None else move
            self._do(cmd.Act(self.match.pending.seats[0], (action,)))


def check_opening(game: AnyGame, options: Any, seats: int, moves: Iterable[str]) -> None:
    """Raise `Malformed` if a match cannot begin with these actions, or would be over after them."""
    position = game.new(options, seats)
    below = Random(0).randrange
    for number, text in enumerate(moves, 1):
        while (decision := game.pending(position)) is not None and CHANCE in decision.seats:
            position, _ = game.apply(position, CHANCE, draw_choice(decision, below))
        if decision is None:
            raise Malformed(f"the match is over before action {number} ({text})")
        try:
            position, _ = game.apply(position, decision.seats[0], game.parse_action(text))
        except (Illegal, Refused, Malformed) as error:
            raise Malformed(f"action {number} ({text}): {error}") from None
    if game.pending(position) is None:
        raise Malformed("the match is over after the opening; remove its last actions")
