"""Playing strength: levels 1 to 10, the same scale in every game.

- A level is a budget for one search (nodes, plies, seconds) and a percentage of random choices (slips). A slip never
  misses a turn that wins at once.
- Each level should win 60 to 80 of 100 matches against the level below; `python -m bench ladder` measures it.
- An engine gets only consistent views (`view_checks`), and its result is used only if it is one of the choices;
  otherwise the greedy bot chooses.
- The name of a bot in journals is `greedy` or, with a level, `search:5`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from boardwire.bots.bot import BUDGET
from boardwire.bots.engine import Engine, Past, SearchLimits, SearchResult, Stop
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.view_checks import flaw
from boardwire.errors import Malformed
from boardwire.games.game import Below, Decision

SEARCH: Final = "search"
"""The bot that has levels: the engine of each game."""

TITLES: Final = (
    "Pebble", "Novice", "Learner", "Casual", "Regular", "Skilled", "Strong", "Expert", "Master", "Champion",
)  # fmt: skip
"""Display names of the levels, from level 1."""
LEVELS: Final = range(1, len(TITLES) + 1)
DEFAULT_LEVEL: Final = 5
"""Level if none is requested."""

SECONDS: Final = 2.0
"""Default time limit of a search, which people wait for."""


class Level(msgspec.Struct, frozen=True):
    """Budget of one search, and the percentage of choices made at random.

    `samples` is the number of samples for a forecast (`SearchLimits`).
    """

    nodes: int
    depth: int = 0
    slips: int = 0
    seconds: float = SECONDS
    samples: int = 0


_ANY_GAME: Final = (
    Level(20, 1, 70), Level(20, 1, 48), Level(40, 1, 30), Level(100, 1, 16), Level(200, 2, 8),
    Level(1_000, 2, 3), Level(4_000), Level(15_000), Level(60_000), Level(250_000),
)  # fmt: skip

SCALES: Final[dict[str, Sequence[Level]]] = {
    "santorini": (
        Level(1, 1, 72), Level(1, 1, 54), Level(1, 1, 36), Level(1, 1, 22), Level(10, 1, 8),
        Level(60, 2, 5), Level(400, 0, 1), Level(1_000), Level(2_000), Level(4_000),
    ),
    "eriantys": (
        Level(60, 1, 80), Level(60, 1, 69), Level(60, 1, 56), Level(60, 1, 42), Level(60, 1, 26),
        Level(60, 1, 4), Level(100, 1), Level(250), Level(3_000), Level(12_000),
    ),
    "forza": (
        Level(1, 1, 60), Level(1, 1, 40), Level(5, 1, 25), Level(20, 2, 14), Level(60, 2, 7),
        Level(1_000, 0, 3), Level(2_000, 0, 2), Level(4_500, 0, 1), Level(1_000_000), Level(12_000_000),
    ),
    "tris": tuple(Level(1, 0, slips) for slips in (80, 65, 52, 42, 33, 25, 18, 11, 5, 0)),
}  # fmt: skip
"""The levels of each game that has an engine. Tris is solved, so its levels differ only in slips."""


def level_of(game: str, number: int) -> Level:
    """Return the budget of a level in a game."""
    return SCALES.get(game, _ANY_GAME)[number - 1]


class BotName(msgspec.Struct, frozen=True):
    """A bot and its level (0: the bot has no levels)."""

    bot: str
    level: int = 0

    def __str__(self) -> str:
        return f"{self.bot}:{self.level}" if self.level else self.bot


def parse_bot(text: str, bots: Sequence[str]) -> BotName:
    """Parse a bot's name: one of `bots`, or `search` with a level; raise `Malformed` for any other text."""
    bot, colon, level = text.partition(":")
    if bot == SEARCH:
        if not colon:
            return BotName(SEARCH, DEFAULT_LEVEL)
        if level.isascii() and level.isdigit() and len(level) < 3 and int(level) in LEVELS:
            return BotName(SEARCH, int(level))
        raise Malformed(f"{text!r}: the level must be a number from {LEVELS[0]} to {LEVELS[-1]}")
    if colon and bot in bots:
        raise Malformed(f"{text!r}: {bot} has no levels; only {SEARCH} has")
    if bot not in bots:
        raise Malformed(f"there is no bot {text!r}; the bots are {', '.join(bots)}, and {SEARCH} with a level, "
                        f"{SEARCH}:{LEVELS[0]} to {SEARCH}:{LEVELS[-1]}")  # fmt: skip
    return BotName(bot)


def consider(
    engine: Engine, view: Any, decision: Decision[Any], below: Below, level: Level, stop: Stop, past: Past = ()
) -> SearchResult:
    """Return the choice of a bot at this level."""
    if len(decision.choices) == 1:
        return SearchResult(tuple(decision.choices), 0.0, 0, 0)
    inconsistency = flaw(view, decision)
    if below(100) < level.slips:
        return _slip(engine, view, decision, below, level, stop, bool(inconsistency))
    if inconsistency:
        return greedy_fallback(view, decision, below, f"the view is inconsistent: {inconsistency}")
    result = engine.think(view, decision, below, SearchLimits(level.nodes, level.depth, level.samples), stop, past)
    if not result.turn or result.turn[0] not in decision.choices:
        return greedy_fallback(
            view, decision, below, f"the engine chose {result.turn[:1]}, which is not a legal choice"
        )
    return result


def _slip(
    engine: Engine, view: Any, decision: Decision[Any], below: Below, level: Level, stop: Stop, is_inconsistent: bool
) -> SearchResult:
    """Return a random choice, or a turn that wins at once: even weak players see that."""
    if not is_inconsistent:
        result = engine.think(view, decision, below, SearchLimits(level.nodes, 1), stop)
        if result.proved == 1 and result.turn and result.turn[0] in decision.choices:
            return result
    choices = tuple(decision.choices)
    return SearchResult((choices[below(len(choices))],), 0.0, 0, 0)


def greedy_fallback(view: Any, decision: Decision[Any], below: Below, fallback_reason: str) -> SearchResult:
    """Return the greedy bot's choice instead of an engine's, or the first choice if the greedy bot fails too."""
    try:
        action = GreedyBot().choose(view, decision, below, BUDGET)
    except Exception:  # noqa: BLE001 - an inconsistent view may make it raise anything
        action = next(iter(decision.choices))
    return SearchResult((action,), 0.0, 0, 0, fallback_reason=fallback_reason)
