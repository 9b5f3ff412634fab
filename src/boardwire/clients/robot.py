"""A bot plays on somebody's server, over any dialect: questions go to the bot, results are printed.

It knows only what the dialect's client tells it.  A choice that the server does not take is not made a second time for
the same question; a server that takes none of them loses its player.  A bot that searches does so in a thread, while
pings are answered.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random, SystemRandom
from typing import Any

from msgspec.structs import replace

from boardwire.bots.bot import BUDGET, Bot
from boardwire.bots.house import BOTS
from boardwire.bots.levels import SEARCH, parse_bot
from boardwire.bots.search import SearchBot
from boardwire.clients.connection import ClientConnection, connect
from boardwire.dialects.dialect import Ask, Dialect, Over, PlayerNews, Result, Seating, Strange
from boardwire.errors import Malformed
from boardwire.games.game import Below
from boardwire.table.events import bot_name
from boardwire.wire.text import escaped


class Robot:
    """A bot at one end of a connection.  `over` is how its match ended."""

    def __init__(self, bot: Bot, below: Below, warn: Callable[[str], None] | None = None) -> None:
        self._bot = bot
        self._below = below
        self._warn = warn
        """Hears what is strange about the server, the first time."""
        self._refused: list[Any] = []
        """What the server did not take as an answer to the open question."""
        self._answer: Any = None
        self._asked: Ask | None = None
        """The question it thinks about in a thread."""
        self.over: Over | None = None

    def hear(self, connection: ClientConnection, news: PlayerNews) -> None:
        """See `boardwire.clients.connection.Player`."""
        match news:
            case Ask(view=view, decision=decision, again=again):
                self._refused = [*self._refused, self._answer] if again else []
                left = [choice for choice in decision.choices if choice not in self._refused] if again else None
                if left == []:
                    self.over = Over(view, f"The server takes none of the bot's answers: {again}", Result.BROKEN_OFF)
                    connection.hang_up()
                    return
                if left is not None:
                    decision = replace(decision, choices=left)
                if isinstance(self._bot, SearchBot):
                    self._asked = replace(news, decision=decision)
                    self._search(connection, self._asked)
                else:
                    self._answer = self._bot.choose(view, decision, self._below, BUDGET)
                    connection.answer(self._answer)
            case Strange(text=text) if self._warn is not None:
                self._warn(text)
                self._warn = None
            case Over():
                self.over, self._asked = news, None

    def _search(self, connection: ClientConnection, asked: Ask) -> None:
        """Answer a question when it has been thought about, if it is still open then; a bot that fails leaves."""

        def done(found: asyncio.Future[Any]) -> None:
            if self._asked is not asked or found.cancelled():
                return
            self._asked, error = None, found.exception()
            if error is not None:
                words = f"The bot failed: {type(error).__name__} {error}"
                self.over = Over(asked.view, words, Result.BROKEN_OFF)
                connection.hang_up()
                return
            self._answer = found.result()
            connection.answer(self._answer)

        choosing = partial(self._bot.choose, asked.view, asked.decision, self._below, BUDGET)
        asyncio.get_running_loop().run_in_executor(None, choosing).add_done_callback(done)


def find(bot: str, level: int | None = None, nodes: int | None = None, seconds: float | None = None) -> Bot:
    """The bot of this name; one that searches may be given a level and other limits."""
    name = parse_bot(bot if level is None else f"{bot}:{level}", tuple(BOTS))
    if name.level:
        return SearchBot(name.level, nodes, seconds)
    if nodes is not None or seconds is not None:
        raise Malformed(f"{bot} does not search: it takes no --nodes and no --seconds; {SEARCH} does")
    return BOTS[name.bot]


def run(dialect: Dialect, host: str, port: int, bot: Bot, seating: Seating, games: int, seed: int | None) -> bool:
    """Play so many matches, one after the other, and print how each went; whether all were played to the end.  A bot
    without a name gets one."""
    if not seating.name:
        seating = replace(seating, name=_own_name(bot.name))
    return asyncio.run(_play(dialect, host, port, seating, bot, Random(seed), games))


def _own_name(bot: str) -> str:
    """A name that other bots of the kind hardly have, because most protocols want different ones; however the luck of
    the bot itself is seeded."""
    return f"{bot_name(bot)} {SystemRandom().randrange(100, 1000)}"


async def _play(dialect: Dialect, host: str, port: int, seating: Seating, bot: Bot, luck: Random, games: int) -> bool:
    results: Counter[Result] = Counter()
    for number in range(1, games + 1):
        over = await play(dialect, host, port, seating, Robot(bot, luck.randrange, _warn))
        print(f"match {number}: {over.result}. {escaped(over.text)}", flush=True)
        results[over.result] += 1
    if games > 1:
        print(", ".join(f"{results[result]} {result}" for result in Result), flush=True)
    return not results[Result.BROKEN_OFF]


async def play(dialect: Dialect, host: str, port: int, seating: Seating, robot: Robot) -> Over:
    """Play one match; how it ended."""
    connection = await connect(dialect, host, port, seating, robot)
    await connection.finished
    return robot.over or Over(None, "The connection is gone.", Result.BROKEN_OFF)


def _warn(text: str) -> None:
    print(f"boardwire: {escaped(text)}", file=sys.stderr, flush=True)
