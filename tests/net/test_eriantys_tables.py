"""Mixed Eriantys tables over real sockets: a client of the document, one of the objects, and a bot, to the end; all end
with the board that the journal has."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from boardwire.bots.server_bots import BOTS, ServerBots, bot_player
from boardwire.dialects import dialect
from boardwire.dialects.dialect import Ask, ClientOptions, Over, Result
from boardwire.games.eriantys import CloudTime, Mode, Options, View, view
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Open, Seek
from boardwire.net.client import ClientConnection, connect
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.node import LoopClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.match import Match, Status, fold
from boardwire.terminal.bot_player import Robot

from .harbour import Harbour, run

MESSAGES, OBJECTS, BOT = "eriantys-messages", "eriantys-objects", "bot"
SEATS = {2: (MESSAGES, OBJECTS), 3: (MESSAGES, OBJECTS, BOT), 4: (OBJECTS, BOT, MESSAGES, OBJECTS)}
MODES = (Mode.SIMPLIFIED, Mode.EXPERT)


class Inn(Harbour):
    """Harbour with bots and its own source of randomness."""

    def __init__(self, seed: int) -> None:
        super().__init__(ConnectionLimits())
        loop = asyncio.get_running_loop()
        self.journal = MemoryJournal()
        bots = ServerBots(Random(seed).randrange, loop.call_soon, loop.call_later)
        self.lobby = Lobby(self.journal, LoopClock(loop), ScriptedDealer(seed=seed), CountedNames(), bots)
        self.connections = Connections(self.lobby, ConnectionLimits(), loop)

    def match(self) -> Match:
        (name,) = self.journal.names()
        return fold(self.journal.read(name))


class Guesser:
    """Play at random, and record the result."""

    def __init__(self, seed: int) -> None:
        self._luck = Random(seed)
        self.over: Over | None = None

    def receive(self, connection: ClientConnection, notification: Any) -> None:
        if isinstance(notification, Ask):
            assert not notification.again, notification.again
            connection.answer(self._luck.choice(tuple(notification.decision.choices)))
        elif isinstance(notification, Over):
            self.over = notification


async def seat(inn: Inn, ports: dict[str, int], kinds: tuple[str, ...], mode: Mode, seed: int) -> list[Any]:
    """Fill one table.

    With even seeds the bot is the server's and sits there first, with odd ones it comes as a client; so a table
    is opened now by us, now by one dialect, now by the other.
    """
    bot = kinds.index(BOT) if BOT in kinds else None
    if bot is not None and seed % 2 == 0:
        options = Options(mode, (CloudTime.LAST, CloudTime.EITHER)[seed // 2 % 2])
        seek = Seek("eriantys", len(kinds), Player(), options, terms=(mode.value,), bots=((bot, bot_player("greedy")),))
        inn.lobby.do(Guest(lambda notification: None), Open(seek))
    sitting: list[Any] = []
    for number, kind in enumerate(kinds):
        if kind == BOT and seed % 2 == 0:
            continue
        spoken = dialect(kind if kind != BOT else (MESSAGES, OBJECTS)[seed // 2 % 2])
        luck = Random(seed * 10 + number)
        player = Guesser(seed * 10 + number) if kind != BOT else Robot(BOTS["greedy"], luck.randrange)
        settings = ClientOptions(f"{kind} {number}", len(kinds), {"mode": mode.value})
        connection = await connect(spoken, "127.0.0.1", ports[spoken.name], settings, player)
        sitting.append((spoken.name, settings.name, player, connection))
        await inn.settled(lambda: _has_sat_down(inn, settings.name) or connection.finished.done())  # noqa: B023 - called in this round
    return sitting


def _has_sat_down(inn: Inn, name: str) -> bool:
    return any(player and player.name == name for match in inn.journal.names() for player in _players(inn, match))


def _players(inn: Inn, match: str) -> tuple[Player | None, ...]:
    return fold(inn.journal.read(match)).players


def look(board: View, mine: int) -> object:
    """Return what every client can see: the islands, and its own hall, professors and towers."""
    own = board.boards[mine]
    towers = [None if one.side is None else board.sides[one.side].tower for one in board.islands]
    groups = [(len(one.tiles), one.students, one.towers, one.mother_nature) for one in board.islands]
    return groups, towers, own.hall, own.professors, board.sides[own.side].towers


def everything(board: View) -> object:
    """Return the view of a client of the document, by seat."""
    halls = [(one.hall, one.entrance, one.professors, one.coins) for one in board.boards]
    return halls, board.clouds, [side.towers for side in sorted(board.sides, key=lambda side: side.tower.name)]


async def play(kinds: tuple[str, ...], mode: Mode, seed: int) -> None:
    """Play one match, from the first connection to the last message."""
    inn = Inn(seed)
    try:
        ports = {name: await inn.open(name) for name in (MESSAGES, OBJECTS)}
        sitting = await seat(inn, ports, kinds, mode, seed)
        await asyncio.gather(*(connection.finished for *_, connection in sitting))
    finally:
        await inn.close()
    match = inn.match()
    assert match.status is Status.OVER
    assert match.outcome is not None
    assert match.outcome.termination not in ("abandoned", "interrupted")
    truth = view(match.position, None)
    names = [player.name for player in match.players if player]
    for spoken, name, player, _ in sitting:
        over: Over = player.over
        mine = names.index(name)
        shown: View = over.view
        assert over.result is not Result.BROKEN_OFF, over.text
        assert (over.result is Result.LOST) == (mine not in match.outcome.winners)
        assert look(shown, 0 if spoken == OBJECTS else mine) == look(truth, mine), f"{name} sees another board"
        if spoken == MESSAGES:
            assert everything(shown) == everything(truth)


@pytest.mark.parametrize(
    ("count", "mode", "seed"),
    [(2, Mode.SIMPLIFIED, 1), (3, Mode.EXPERT, 2), (3, Mode.SIMPLIFIED, 5), (4, Mode.EXPERT, 7)],
)
def test_a_mixed_table_ends_with_one_board_for_all(count: int, mode: Mode, seed: int) -> None:
    run(lambda: play(SEATS[count], mode, seed))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_many_mixed_tables_end_with_one_board_for_all(count: int, mode: Mode) -> None:
    for seed in range(30):
        kinds = Random(seed).sample(
            SEATS[count] if count > 2 or seed % 3 else ((MESSAGES, OBJECTS)[seed % 2], BOT), count
        )
        run(lambda: play(tuple(kinds), mode, seed))  # noqa: B023 - called in this round
