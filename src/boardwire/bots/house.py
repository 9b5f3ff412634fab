"""The bots of the house: they sit down at tables when the table or a player asks for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.bots.bot import BUDGET, Bot, RandomBot, asked_of
from boardwire.bots.greedy import GreedyBot
from boardwire.games.game import Below, Seat
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest, News, Refusal
from boardwire.table.match import Status
from boardwire.table.table import Table

RETRY_SECONDS: Final = 1.0
"""How long a bot waits when its move was refused, as it is while the journal cannot be written."""

BOTS: Final[dict[str, Bot]] = {"random": RandomBot(), "greedy": GreedyBot()}
"""Every bot there is, by name."""

USUAL: Final = "greedy"
"""Who sits down where nobody asked for another one."""


def bot_player(bot: str) -> Player:
    """A bot as a table knows it."""
    return Player(f"{bot} bot", "bot", bot)


class HouseBots:
    """Seats bots.  `soon` runs a call after the current one, so that a bot never thinks inside somebody's move;
    `later` runs one after so many seconds."""

    def __init__(
        self,
        below: Below,
        soon: Callable[[Callable[[], None]], Any],
        later: Callable[[float, Callable[[], None]], Any],
    ) -> None:
        self._below = below
        self._soon = soon
        self._later = later

    def player(self, game: str) -> Player | None:
        """Who plays on in a seat that was left, or sits down where nobody else comes."""
        return bot_player(USUAL)

    def knows(self, bot: str) -> bool:
        """Whether there is a bot of this name."""
        return bot in BOTS

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        """Let `player` play `seat` from now on."""
        bot = BOTS.get(player.bot) or BOTS[USUAL]  # an old journal may name one that there is no longer

        def think() -> None:
            match = table.match
            pending = match.pending
            if pending is None or seat not in pending.seats or guest.table is not table:
                return
            view = match.setting.game.view(match.position, seat)
            action = bot.choose(view, asked_of(pending, seat), self._below, BUDGET)
            table.do(guest, Act(seat, (action,), match.seq))

        def tell(news: News) -> None:
            if table.match.status is Status.OVER:
                table.leave(guest)
                return
            pending = table.match.pending
            if pending is not None and seat in pending.seats:
                if isinstance(news, Refusal):
                    self._later(RETRY_SECONDS, think)
                else:
                    self._soon(think)

        guest = Guest(tell)
        table.watch(guest)
