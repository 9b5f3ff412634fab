"""The bots of the house: they sit down at tables when the table or a player asks for one.

Where a decision is for several seats, as that who proposes the gods, people go first: a bot leaves it to those who are
there, and where its own time runs it leaves them half of it.

Whoever plays against a bot must not suffer for its faults: a bot that fails, or chooses what is illegal, plays the
first legal choice instead, and the fault is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from boardwire.bots.bot import BUDGET, Bot, RandomBot, asked_of
from boardwire.bots.greedy import GreedyBot
from boardwire.errors import Illegal
from boardwire.games.game import Below, Decision, Seat
from boardwire.table.commands import Act
from boardwire.table.decide import deadline
from boardwire.table.events import Player
from boardwire.table.guest import Guest, News, Refusal
from boardwire.table.match import Match, Status
from boardwire.table.ports import Report, no_report
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
        report: Report = no_report,
    ) -> None:
        self._below = below
        self._soon = soon
        self._later = later
        self._report = report

    def player(self, game: str) -> Player | None:
        """Who plays on in a seat that was left, or sits down where nobody else comes."""
        return bot_player(USUAL)

    def knows(self, bot: str) -> bool:
        """Whether there is a bot of this name."""
        return bot in BOTS

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        """Let `player` play `seat` from now on."""
        bot = BOTS.get(player.bot) or BOTS[USUAL]  # an old journal may name one that there is no longer

        def think(asked: Decision[Any]) -> None:
            match = table.match
            pending = match.pending
            if pending is None or pending is not asked or guest.table is not table:
                return
            try:
                view = match.setting.game.view(match.position, seat)
                action = bot.choose(view, asked_of(pending, seat), self._below, BUDGET)
            except Exception as error:  # noqa: BLE001 - whatever a bot does wrong must not hang the match
                self._report(match.id, error)
                action = next(iter(pending.choices))
            table.do(guest, Act(seat, (action,), match.seq))

        def stumble(error: Illegal) -> None:
            match = table.match
            self._report(match.id, error)
            if match.pending is not None and seat in match.pending.seats:
                table.do(guest, Act(seat, (next(iter(match.pending.choices)),), match.seq))

        def tell(news: News) -> None:
            if table.match.status is Status.OVER:
                table.leave(guest)
                guest.tell = _nothing  # this function holds the guest: only the collector would free such a ring
                return
            pending = table.match.pending
            if pending is None or seat not in pending.seats:
                return
            consider = partial(think, pending)
            if isinstance(news, Refusal) and isinstance(news.reason, Illegal):
                self._soon(partial(stumble, news.reason))
            elif isinstance(news, Refusal):
                self._later(RETRY_SECONDS, consider)
            elif not _is_for_people(table.match, pending):
                self._soon(consider)
            elif (due := deadline(table.match, seat)) is not None:
                self._later((due - table.match.since) / 2, consider)

        guest = Guest(tell, bot=True)
        table.watch(guest)


def _nothing(news: News) -> None:
    """Whoever has left is told nothing more."""


def _is_for_people(match: Match, pending: Decision[Any]) -> bool:
    """Whether somebody who is no bot, and is there, may answer."""
    chairs = (match.chairs[seat] for seat in pending.seats) if len(pending.seats) > 1 else ()
    return any(chair.player is not None and not chair.player.bot and chair.away is None for chair in chairs)
