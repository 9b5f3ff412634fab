"""Bots: programs that see a view, never a position.

`play` and `duel` let bots play whole matches in this process, without tables or wires.
"""

from boardwire.bots.arena import Score, duel, play
from boardwire.bots.bot import BUDGET, Bot, RandomBot
from boardwire.bots.greedy import GreedyBot

__all__ = ["BUDGET", "Bot", "GreedyBot", "RandomBot", "Score", "duel", "play"]
