"""Players for the match runner: built-in bots, Python bots and engines."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any, Final

from boardwire.arena.match import Allowance, Budget, Cause, Chosen, PlayerFault
from boardwire.bots.bot import BUDGET, Bot
from boardwire.bots.search import LevelBot
from boardwire.engines import EngineFault, EngineProcess, FaultReason
from boardwire.games.game import Decision, Outcome, Seat

CLOCK_FRACTION: Final = 1 / 30
"""Share of its remaining clock that a built-in level spends on one choice."""
MIN_SEARCH_SECONDS: Final = 0.001
"""Time limit of a built-in level whose clock has run out, because 0 would mean no limit."""

_CAUSES: Final = {
    FaultReason.START_FAILED: Cause.START,
    FaultReason.DIED: Cause.DIED,
    FaultReason.TIMED_OUT: Cause.TIME,
    FaultReason.TOO_MUCH_OUTPUT: Cause.OUTPUT,
    FaultReason.MALFORMED: Cause.MALFORMED,
    FaultReason.ILLEGAL: Cause.ILLEGAL,
    FaultReason.MEMORY: Cause.MEMORY,
    FaultReason.CPU: Cause.CPU,
}


class BotPlayer:
    """A bot in this process. Its limits are not enforced; an exception is a fault."""

    def __init__(self, bot: Bot, budget: Budget = Budget()) -> None:
        self._bot = bot
        self._below = Random(0).randrange
        self.budget = budget

    def begin(self, game: str, seat: Seat, seats: int, options: Any, seed: int) -> None:
        """Begin a match with a newly seeded source of randomness."""
        self._below = Random(seed).randrange
        if isinstance(self._bot, LevelBot):
            self._bot.reset()

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance) -> Chosen:
        """Return the bot's choice."""
        begun = perf_counter()
        try:
            if isinstance(self._bot, LevelBot):
                seconds = allowance.seconds
                if allowance.remaining is not None:
                    share = max(MIN_SEARCH_SECONDS, allowance.remaining * CLOCK_FRACTION)
                    seconds = share if seconds is None else min(max(seconds, MIN_SEARCH_SECONDS), share)
                action = self._bot.choose(view, decision, self._below, 0, seconds)
            else:
                action = self._bot.choose(view, decision, self._below, allowance.nodes or BUDGET)
        except Exception as error:
            raise PlayerFault(Cause.DIED, f"{type(error).__name__}: {error}") from error
        return Chosen(action, perf_counter() - begun)

    def end(self, outcome: Outcome | None) -> None:
        """Do nothing: a bot keeps no state of a match."""

    def log(self) -> str:
        """Return nothing: a bot in this process prints to our standard error."""
        return ""

    def close(self) -> None:
        """Do nothing: a bot has no resources."""


class EnginePlayer:
    """An engine in a separate process; with `restart` every match has a new process."""

    def __init__(
        self, engine: EngineProcess, budget: Budget = Budget(), *, restart: bool = False
    ) -> None:  # fmt: skip
        self._engine = engine
        self._restart = restart
        self._log = ""
        self.budget = budget

    def begin(self, game: str, seat: Seat, seats: int, options: Any, seed: int) -> None:
        """Start the engine if it is not running, and begin the match."""
        self._log = ""
        if self._restart:
            self._engine.close()
        try:
            self._engine.start(game, seat, seats, options, seed=seed)
        except EngineFault as fault:
            raise self._player_fault(fault) from fault

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance) -> Chosen:
        """Return the engine's choice, and the time between question and answer measured at its pipe."""
        try:
            choice = self._engine.choose(
                view, decision, seconds=allowance.seconds, remaining=allowance.remaining, nodes=allowance.nodes
            )
        except EngineFault as fault:
            raise self._player_fault(fault) from fault
        return Chosen(choice.action, choice.elapsed)

    def _player_fault(self, fault: EngineFault) -> PlayerFault:
        self._log = fault.stderr
        return PlayerFault(_CAUSES[fault.fault], fault.detail)

    def end(self, outcome: Outcome | None) -> None:
        """Send the engine the end of the match."""
        self._engine.over(outcome)

    def log(self) -> str:
        """Return the tail of the engine's standard error."""
        return self._log or self._engine.stderr

    def kill(self) -> None:
        """Kill the engine's process; may be called from another thread."""
        self._engine.kill()

    def close(self) -> None:
        """End the engine's process."""
        self._engine.close()
