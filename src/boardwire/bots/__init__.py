"""Bots: programs that choose from a view and never see a position.

- `RandomBot` and `GreedyBot` choose without a search; `SearchBot` and `LevelBot` search. `LEVELS` and `level_of` define
  their strengths.
- `engine` and `new_engine` return the search engine of a game; `Engine` is its interface.
- `play` and `duel` run whole matches between bots in this process, without tables or connections.
"""

from boardwire.bots.arena import Score, duel, play
from boardwire.bots.bot import BUDGET, Bot, RandomBot
from boardwire.bots.engine import Engine, SearchLimits, SearchResult
from boardwire.bots.engines import engine, new_engine
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import LEVELS, Level, level_of
from boardwire.bots.search import LevelBot, SearchBot

__all__ = [
    "BUDGET",
    "LEVELS",
    "Bot",
    "Engine",
    "GreedyBot",
    "Level",
    "LevelBot",
    "RandomBot",
    "Score",
    "SearchBot",
    "SearchLimits",
    "SearchResult",
    "duel",
    "engine",
    "level_of",
    "new_engine",
    "play",
]
