"""Client that lets a bot play on a server, over any dialect, and prints the results.

- It knows only the messages of the dialect's client script.
- A choice that the server refuses is not repeated for the same question. If the server refuses all choices, the bot
  leaves, and the match is broken off.
- Searches run in a separate process (`pool.py`), so that pings are answered meanwhile. So do engines and Python bots of
  the user (`boardwire.engines`).
- The later steps of a searched turn are played without another search (`plan.py`), until another player's turn or a
  refusal.
- If a bot fails, the greedy bot's choice, or else the first one, replaces its choice. The fault is reported once.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final

from msgspec.structs import replace

from boardwire.bots.bot import BUDGET, Bot
from boardwire.bots.engine import SearchResult
from boardwire.bots.engines import game_of
from boardwire.bots.levels import SEARCH, Level, greedy_fallback, parse_bot
from boardwire.bots.memory import Memory
from boardwire.bots.plan import MovePlan
from boardwire.bots.pool import Pool, SearchService, Ticket
from boardwire.bots.search import SearchBot
from boardwire.bots.server_bots import BOTS
from boardwire.dialects.dialect import Ask, ClientOptions, Dialect, Over, PlayerMessage, ProtocolViolation, Result, Show
from boardwire.engines.listing import ListedBot, open_engine
from boardwire.engines.process import Mode
from boardwire.engines.service import EngineService, EngineThinkers
from boardwire.errors import BoardwireError, Malformed, Refused
from boardwire.games.game import Below, Decision, Seat
from boardwire.net.client import ClientConnection, connect
from boardwire.table.events import bot_name
from boardwire.wire.text import escaped

MAX_SEARCH_SECONDS: Final = 86_400.0
"""Time limit of a search without one; its limit of nodes ends it earlier."""
DEFAULT_ENGINE_SECONDS: Final = 5.0
"""Default time limit of an engine for one decision."""
MAX_ENGINE_SECONDS: Final = 3600.0
"""Time limit of an engine with `--seconds 0`."""


class Robot:
    """Player of a connection that answers with a bot's choices; `over` is the end of the match, or None."""

    def __init__(
        self, bot: Bot, below: Below, warn: Callable[[str], None] | None = None, thinkers: SearchService | None = None
    ) -> None:
        self._bot = bot
        self._below = below
        self._warn = warn
        """Called with the first violation of the protocol by the server."""
        self._complain = warn
        """Called with the first fault of the bot."""
        self._thinkers = thinkers
        self._refused: list[Any] = []
        """Answers to the open question that the server has refused."""
        self._answer: Any = None
        """The answer sent last."""
        self._searched_ask: Ask | None = None
        """The question that a search is running for."""
        self._ticket: Ticket | None = None
        self._plan = MovePlan()
        self._memory = Memory()
        self._moment = 0
        """Number of own answers plus turns of others; a plan is valid for one value."""
        self._ply: object = None
        """Key that identifies the turn in which the last question was asked."""
        self._seat: Seat | None = None
        self.over: Over | None = None

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Handle a message from the client script (`boardwire.net.client.MatchPlayer`)."""
        match message:
            case Ask(view=view, decision=decision, again=again):
                self.stop_thinking()
                self._refused = [*self._refused, self._answer] if again else []
                remaining = [choice for choice in decision.choices if choice not in self._refused] if again else None
                if remaining == []:
                    self.over = Over(view, f"The server refuses all of the bot's answers: {again}", Result.BROKEN_OFF)
                    connection.hang_up()
                    return
                if remaining is not None:
                    decision = replace(decision, choices=remaining)
                self._consider(connection, replace(message, decision=decision))
            case Show(view=view):
                self._observe(view)
            case ProtocolViolation(text=text) if self._warn is not None:
                self._warn(text)
                self._warn = None
            case Over():
                self.stop_thinking()
                self.over = message

    def _consider(self, connection: ClientConnection, ask: Ask) -> None:
        """Answer a question from the plan, by the bot at once, or by a search."""
        view, decision = ask.view, ask.decision
        ply = getattr(view, "ply", None), getattr(view, "round", None)
        if ask.again or ply != self._ply:
            self._plan.drop()
        self._ply, self._seat = ply, decision.seats[0]
        planned = self._plan.step(decision.choices, self._moment)
        if planned is not None:
            self._send_answer(connection, view, planned)
        elif isinstance(self._bot, SearchBot | EngineBot):
            self._search(connection, ask, self._bot)
        else:
            self._send_answer(connection, view, self._choose(view, decision))

    def _choose(self, view: Any, decision: Decision[Any]) -> Any:
        """Return the choice of a bot that does not search."""
        try:
            return self._bot.choose(view, decision, self._below, BUDGET)
        except Exception as error:  # noqa: BLE001 - a bot may raise anything, and the other players wait for its answer
            return self._fallback(view, decision, f"{type(error).__name__}: {error}")

    def _fallback(self, view: Any, decision: Decision[Any], why: str) -> Any:
        """Return a replacement for the choice of a bot that failed, and report the fault."""
        self._report_fault(why)
        return greedy_fallback(view, decision, self._below, why).turn[0]

    def _report_fault(self, why: str) -> None:
        if self._complain is not None:
            self._complain(f"the bot used a fallback choice: {why}")
            self._complain = None

    def _send_answer(self, connection: ClientConnection, view: Any, action: Any) -> None:
        self._memory.note(view, action)
        self._answer = action
        self._moment += 1
        connection.answer(action)

    def _observe(self, view: Any) -> None:
        """Invalidate the plan if it is another player's turn."""
        if self._searched_ask is None and _mover(view) not in (None, self._seat):
            self._moment += 1

    def _search(self, connection: ClientConnection, ask: Ask, bot: SearchBot | EngineBot) -> None:
        """Search, and answer if the question is still open afterwards."""

        def done(result: SearchResult | BoardwireError) -> None:
            if self._searched_ask is not ask:
                return
            self._searched_ask = self._ticket = None
            if isinstance(result, BoardwireError):
                self._send_answer(connection, ask.view, self._fallback(ask.view, ask.decision, str(result)))
                return
            if result.fallback_reason:
                self._report_fault(result.fallback_reason)
            self._plan.keep(result.turn[1:], self._moment + 1)
            self._send_answer(connection, ask.view, result.turn[0])

        assert self._thinkers is not None, "a search bot needs a search service"
        game = game_of(ask.view)
        level = bot.level(game)
        level = replace(level, seconds=level.seconds or MAX_SEARCH_SECONDS)
        self._searched_ask = ask
        try:
            self._ticket = self._thinkers.ask(
                game, ask.view, ask.decision, level, self._below(1 << 32), done, past=self._memory.past
            )
        except Refused as error:  # an engine that has failed several times is paused
            done(error)

    def stop_thinking(self) -> None:
        """Cancel a running search."""
        if self._ticket is not None:
            self._ticket.cancel()
        self._searched_ask = self._ticket = None


class EngineBot:
    """An engine or Python bot of the user, in a separate process."""

    def __init__(self, listed: ListedBot) -> None:
        self.listed = listed
        self.name = listed.name

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Do not call: questions go to the process."""
        raise NotImplementedError

    def level(self, game: str) -> Level:
        """Return the limits of one decision."""
        return Level(self.listed.nodes or 1, seconds=self.listed.seconds)


def _mover(view: Any) -> Seat | None:
    """Return the seat whose turn it is, or None if the view does not contain it."""
    mover: Seat | None = getattr(view, "turn", None)
    return mover


def make_engine_bot(
    command: str, bot: str, game: str, seats: int, seconds: float | None = None, nodes: int | None = None, *, text: bool
) -> EngineBot:
    """Return the bot that plays with the engine `command` or, if that is empty, the Python bot `bot` (`MODULE:CLASS`).

    The engine is started once, so that its faults are reported before the match. `seconds` per decision is
    `DEFAULT_ENGINE_SECONDS` if None and `MAX_ENGINE_SECONDS` if 0. Raises `Malformed` if the engine does not exist, and
    `EngineFault` if it does not start.
    """
    limit = DEFAULT_ENGINE_SECONDS if seconds is None else seconds or MAX_ENGINE_SECONDS
    mode = Mode.TEXT if text else Mode.JSON
    listed = ListedBot(name="engine", command=command, bot=bot if not command else "", mode=mode, seconds=limit,
                       nodes=nodes)  # fmt: skip
    with open_engine(listed, Path.cwd()) as engine:
        engine.start(game, 0, seats)
    return EngineBot(listed)


def make_bot(bot: str, level: int | None = None, nodes: int | None = None, seconds: float | None = None) -> Bot:
    """Return a bot by name; a search bot may have a level and other limits."""
    parsed = parse_bot(bot if level is None else f"{bot}:{level}", tuple(BOTS))
    if parsed.level:
        return SearchBot(parsed.level, nodes, seconds)
    if nodes is not None or seconds is not None:
        raise Malformed(f"{bot} does not search, so --nodes and --seconds do not apply; use {SEARCH}")
    return BOTS[parsed.bot]


def run(dialect: Dialect, host: str, port: int, bot: Bot, seating: ClientOptions, games: int, seed: int | None) -> bool:
    """Play `games` matches one after the other and print each result; return False if one was broken off.

    A bot without a name gets a random one.
    """
    if not seating.name:
        seating = replace(seating, name=_random_name(bot.name))
    return asyncio.run(_play(dialect, host, port, seating, bot, Random(seed), games))


def _random_name(bot: str) -> str:
    """Return a name that other instances of the bot are unlikely to have, since most protocols require unique names.

    It does not depend on the seed of the bot.
    """
    return f"{bot_name(bot)} {SystemRandom().randrange(100, 1000)}"


async def _play(
    dialect: Dialect, host: str, port: int, seating: ClientOptions, bot: Bot, random: Random, games: int
) -> bool:
    results: Counter[Result] = Counter()
    with thinking(bot, seating.players) as thinkers:
        for number in range(1, games + 1):
            if isinstance(thinkers, EngineThinkers):
                thinkers.begin_match()
            over = await play(dialect, host, port, seating, Robot(bot, random.randrange, _warn, thinkers))
            print(f"match {number}: {over.result}. {escaped(over.text)}", flush=True)
            results[over.result] += 1
    if games > 1:
        print(", ".join(f"{results[result]} {result}" for result in Result), flush=True)
    return not results[Result.BROKEN_OFF]


@contextmanager
def thinking(bot: Bot, seats: int = 2) -> Iterator[SearchService | None]:
    """Yield the process in which a bot searches, or None for a bot that does not search."""
    if not isinstance(bot, SearchBot | EngineBot):
        yield None
        return
    post = asyncio.get_running_loop().call_soon_threadsafe
    pool: Pool | EngineThinkers
    if isinstance(bot, EngineBot):
        service = EngineService(post, (bot.listed,), Path.cwd(), 1, idle=MAX_SEARCH_SECONDS, niceness=0)
        pool = EngineThinkers(service, bot.name, seats)
    else:
        # the process is never idle for too long: a search has memory, and a new process might choose differently
        pool = Pool(post, workers=1, idle=MAX_SEARCH_SECONDS)
    try:
        yield pool
    finally:
        pool.close()


async def play(dialect: Dialect, host: str, port: int, seating: ClientOptions, robot: Robot) -> Over:
    """Play one match and return its end."""
    connection = await connect(dialect, host, port, seating, robot)
    try:
        await connection.finished
    finally:
        robot.stop_thinking()  # a running search would delay the next match
    return robot.over or Over(None, "The connection is gone.", Result.BROKEN_OFF)


def _warn(text: str) -> None:
    print(f"boardwire: {escaped(text)}", file=sys.stderr, flush=True)
