"""Bots: programs that choose from a view and never see a position.

`play` and `duel` run whole matches between bots in this process, without tables or connections.
"""

from boardwire.bots.arena import Score, duel, play
from boardwire.bots.bot import BUDGET, Bot, RandomBot
from boardwire.bots.greedy import GreedyBot

__all__ = ["BUDGET", "Bot", "GreedyBot", "RandomBot", "Score", "duel", "play"]
