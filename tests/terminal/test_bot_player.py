"""Bots on real sockets: `boardwire bot`."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire import cli, dialects
from boardwire.bots.bot import RandomBot
from boardwire.bots.engine import Past, SearchResult
from boardwire.bots.engines import engine
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import Level, consider
from boardwire.bots.pool import Done, Pool, Rank
from boardwire.bots.search import SearchBot
from boardwire.config import Settings
from boardwire.dialects.dialect import (
    Answer,
    Ask,
    ClientOptions,
    Over,
    PlayerMessage,
    Players,
    ProtocolViolation,
    Result,
    Show,
)
from boardwire.errors import Refused
from boardwire.games.game import Decision
from boardwire.games.tris import Kind, View
from boardwire.net.client import ClientConnection
from boardwire.node import Node
from boardwire.simulation.server import SimulatedClient, SimulatedServer, carry
from boardwire.terminal import bot_player
from boardwire.terminal.bot_player import Robot

from ..net.harbour import harbour, run

EMPTY = View((None,) * 9, 0)


@pytest.mark.parametrize("dialect", [name for name in dialects.PROTOCOLS if dialects.dialect(name).game])
def test_bots_play_each_other_over_any_dialect(dialect: str) -> None:
    players = 3 if dialect == "santorini-actions" else 2

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            robots = [Robot(GreedyBot(), Random(number).randrange) for number in range(players)]
            playing = [
                bot_player.play(
                    dialects.dialect(dialect), "127.0.0.1", port, ClientOptions(f"bot {number}", players), one
                )
                for number, one in enumerate(robots)
            ]
            ends = [over.result for over in await asyncio.gather(*playing)]
            assert set(ends) == (
                {Result.DRAWN} if dialects.dialect(dialect).game == "tris" else {Result.WON, Result.LOST}
            )

    run(scenario)


class Asked:
    """Thinkers that answer when the test wants it to."""

    def __init__(self) -> None:
        self.questions: list[tuple[Any, Decision[Any], Level]] = []
        self.cancelled = 0
        self.done: Done | None = None

    def ask(
        self, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, done: Done,
        rank: Rank = Rank.MOVE, address: str = "", past: Past = (),
    ) -> Asked:  # fmt: skip
        self.questions.append((view, decision, level))
        self.done = done
        return self

    def cancel(self) -> None:
        self.cancelled += 1

    def think(self, *turn: Any, fallback_reason: str = "") -> None:
        assert self.done is not None
        self.done(SearchResult(turn, 0.0, 1, 1, fallback_reason=fallback_reason))

    def fail(self, why: str) -> None:
        assert self.done is not None
        self.done(Refused(why))


def searching() -> tuple[Robot, Told, Asked, list[str]]:
    """A robot that searches, its connection, who thinks for it, and what it complains of."""
    asked, said = Asked(), list[str]()
    return Robot(SearchBot(1, seconds=0), Random(1).randrange, said.append, asked), Told(), asked, said


def mark(*cells: int, again: str = "") -> Ask:
    return Ask(EMPTY, Decision(Kind.MARK, (0,), cells), again)


TWO_IN_A_ROW = Ask(View((0, 0, None, 1, 1, None, None, None, None), 0), Decision(Kind.MARK, (0,), (8, 5, 2)))
"""The greedy bot takes cell 2."""


def test_a_search_without_a_time_limit_may_take_as_long_as_its_nodes_do() -> None:
    one, told, asked, _ = searching()
    receive(one, told, mark(1, 2))
    assert asked.questions[0][2].seconds == bot_player.MAX_SEARCH_SECONDS


def test_the_rest_of_a_turn_that_was_thought_of_is_played_without_another_thought() -> None:
    one, told, asked, _ = searching()
    receive(one, told, mark(1, 2, 3))
    asked.think(2, 3, 1)
    receive(one, told, Show(EMPTY), mark(1, 3), Show(EMPTY), mark(1, 0))
    assert told.answers == [2, 3, 1]
    assert len(asked.questions) == 1
    receive(one, told, mark(0, 4))
    assert len(asked.questions) == 2, "the turn was played to its end"


@pytest.mark.parametrize(
    "between",
    [
        [Show(View((None,) * 9, 1)), mark(3, 4)],
        [mark(3, 4, again="no")],
        [mark(4, 5)],
    ],
    ids=["another's turn", "a refusal", "another choice"],
)
def test_whatever_comes_between_is_thought_about_again(between: list[Any]) -> None:
    one, told, asked, _ = searching()
    receive(one, told, mark(2, 3, 4))
    asked.think(2, 3)
    receive(one, told, *between)
    assert told.answers == [2]
    assert len(asked.questions) == 2
    asked.think(4)
    assert told.answers == [2, 4]


def test_a_thought_about_a_question_that_was_replaced_is_not_an_answer() -> None:
    one, told, asked, _ = searching()
    receive(one, told, mark(1, 2))
    late = asked.done
    assert late is not None
    receive(one, told, mark(3, 4))
    assert asked.cancelled == 1
    late(SearchResult((1,), 0.0, 1, 1))
    assert told.answers == []
    receive(one, told, Over(EMPTY, "over", Result.LOST))
    assert asked.cancelled == 2


def test_a_search_that_fails_is_replaced_by_the_greedy_bot_and_reported_once() -> None:
    one, told, asked, said = searching()
    receive(one, told, TWO_IN_A_ROW)
    asked.fail("a bot worker died")
    receive(one, told, TWO_IN_A_ROW)
    asked.fail("a bot worker died")
    assert told.answers == [2, 2]
    assert said == ["the bot used a fallback choice: a bot worker died"]
    assert one.over is None


def test_a_fallback_choice_is_reported() -> None:
    one, told, asked, said = searching()
    receive(one, told, mark(4, 8))
    asked.think(8, fallback_reason="the view is not sane")
    assert told.answers == [8]
    assert said == ["the bot used a fallback choice: the view is not sane"]


class Thinking:
    """Thinkers that think here, when it is their turn, and count."""

    def __init__(self) -> None:
        self.thoughts = 0
        self._due: list[Callable[[], None]] = []

    def ask(
        self, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, done: Done,
        rank: Rank = Rank.MOVE, address: str = "", past: Past = (),
    ) -> Asked:  # fmt: skip
        self.thoughts += 1
        self._due.append(lambda: done(consider(engine(game), view, decision, Random(seed).randrange, level, bool)))
        return Asked()

    def run(self) -> bool:
        """Think about what was asked; whether anything was."""
        due, self._due = self._due, []
        for think in due:
            think()
        return bool(due)


@pytest.mark.parametrize(
    ("dialect", "settings", "share"),
    [
        ("santorini-objects", {}, 0.3), ("santorini-objects/shipped", {}, 0.3), ("santorini-actions", {}, 0.3),
        ("santorini-actions/shipped", {}, 0.3), ("santorini-lobby", {}, 0.3), ("native", {"game": "santorini"}, 0.3),
        ("eriantys-objects", {"mode": "simplified"}, 0.6), ("eriantys-objects", {"mode": "expert"}, 0.6),
        ("eriantys-messages", {"mode": "simplified"}, 0.6), ("eriantys-messages", {"mode": "expert"}, 0.6),
        ("native", {"game": "eriantys"}, 0.6),
    ],
)  # fmt: skip
def test_a_turn_is_thought_about_once_over_every_dialect(dialect: str, settings: dict[str, str], share: float) -> None:
    house, thinking, asked = SimulatedServer(seed=3), Thinking(), 0

    class Line(Told):
        client: SimulatedClient

        def answer(self, action: Any) -> None:
            self.client.talk.tell(Answer(action))

    def player(one: Robot, line: Line) -> Callable[[SimulatedClient, Any], None]:
        def told(client: SimulatedClient, news: Any) -> None:
            nonlocal asked
            asked += isinstance(news, Ask) and len(news.decision.choices) > 1
            line.client = client
            receive(one, line, news)

        return told

    pairs = []
    for number in range(2):
        one = Robot(SearchBot(6, nodes=30), Random(number).randrange, thinkers=thinking)
        client = SimulatedClient(dialect, player(one, Line()), ClientOptions(f"p{number}", 2, settings), house.clock)
        pairs.append((client, house.connect(dialect)))
    for _ in range(100_000):
        if not carry(pairs) and not thinking.run():
            break
    assert house.match().outcome is not None
    assert thinking.thoughts <= asked * (1 - share), "the rest of a turn is played as it was thought"


class Failing:
    """A bot that never chooses."""

    name = "failing"

    def choose(self, view: Any, decision: Decision[Any], below: Any, budget: int) -> Any:
        raise ZeroDivisionError("no depth")


def test_a_bot_that_fails_plays_on_as_the_greedy_bot() -> None:
    said: list[str] = []
    one, told = Robot(Failing(), Random(1).randrange, said.append), Told()
    receive(one, told, TWO_IN_A_ROW)
    assert told.answers == [2]
    assert said == ["the bot used a fallback choice: ZeroDivisionError: no depth"]


def test_a_search_that_spins_keeps_neither_pings_nor_the_match_waiting() -> None:
    """The search never returns to Python, as compiled code that loops: it is ended, and the greedy bot chooses."""
    spinning = (sys.executable, "-P", str(Path(__file__).parents[1] / "bots" / "oddworker.py"), "spins")

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        pool = Pool(loop.call_soon_threadsafe, workers=1, command=spinning, grace=1.5)
        said: list[str] = []
        async with harbour() as place:
            port = await place.open("eriantys-messages")
            robots = (
                Robot(SearchBot(1, nodes=10, seconds=0.05), Random(1).randrange, said.append, pool),
                Robot(GreedyBot(), Random(2).randrange),
            )
            beats = 0

            async def beat() -> None:
                nonlocal beats
                while True:
                    await asyncio.sleep(0.05)
                    beats += 1

            beating = loop.create_task(beat())
            dialect = dialects.dialect("eriantys-messages")
            playing = [
                loop.create_task(bot_player.play(dialect, "127.0.0.1", port, ClientOptions(f"bot {number}", 2), one))
                for number, one in enumerate(robots)
            ]
            while not said:
                await asyncio.sleep(0.05)
            assert beats >= 10, "the loop went on while the search spun"
            assert "did not answer within" in said[0] or "died" in said[0]
            for task in (*playing, beating):
                task.cancel()
            await asyncio.gather(*playing, beating, return_exceptions=True)
        pool.close()

    run(scenario)


class Noting(Robot):
    """A robot that keeps what it hears."""

    def __init__(self, seed: int) -> None:
        super().__init__(RandomBot(), Random(seed).randrange)
        self.heard: list[Any] = []

    def receive(self, connection: ClientConnection, news: PlayerMessage) -> None:
        self.heard.append(news)
        super().receive(connection, news)


@pytest.mark.parametrize(
    "dialect",
    ["santorini-lobby", "santorini-actions", "santorini-objects", "santorini-objects/shipped", "eriantys-messages",
     "eriantys-objects"],
)  # fmt: skip
def test_every_dialect_with_names_tells_who_sits_where_and_draws_the_first_worker(dialect: str) -> None:
    ann, bob = Noting(1), Noting(2)

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            playing = [
                bot_player.play(dialects.dialect(dialect), "127.0.0.1", port, ClientOptions(name), one)
                for name, one in (("ann", ann), ("bob", bob))
            ]
            await asyncio.gather(*playing)

    run(scenario)
    for name, one in (("ann", ann), ("bob", bob)):
        players = [news for news in one.heard if isinstance(news, Players)][-1]
        assert players.seat is not None
        assert players.names[players.seat] == name
        assert sorted(players.names) == ["ann", "bob"]
        kinds = [type(news) for news in one.heard]
        assert Players in kinds[: kinds.index(Ask)], "it is told before it is needed"
        placing = [ask for ask in one.heard if isinstance(ask, Ask) and ask.decision.kind == "place_worker"]
        assert [len(ask.view.workers[ask.decision.seats[0]]) for ask in placing] == [0, 1][: len(placing)]
        assert len(placing) == (2 if "santorini" in dialect else 0)


class Told:
    """A connection that keeps the answers."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.hung_up = False

    def answer(self, action: Any) -> None:
        self.answers.append(action)

    def hang_up(self) -> None:
        self.hung_up = True


def receive(one: Robot, told: Told, *news: Any) -> None:
    for each in news:
        one.receive(told, each)  # type: ignore[arg-type]  # all of a connection that a robot uses


def test_a_refused_answer_is_not_repeated_for_the_same_question() -> None:
    one, told = Robot(RandomBot(), lambda count: 0), Told()
    decision = Decision(Kind.MARK, (0,), (3, 5, 7))
    receive(one, told, Ask(EMPTY, decision), Ask(EMPTY, decision, "no"), Ask(EMPTY, decision, "no"))
    assert told.answers == [3, 5, 7]
    receive(one, told, Ask(EMPTY, decision))
    assert told.answers[3:] == [3], "a new question is a new one"
    assert one.over is None


def test_a_server_that_takes_nothing_loses_its_player() -> None:
    one, told = Robot(RandomBot(), lambda count: 0), Told()
    decision = Decision(Kind.MARK, (0,), (3,))
    receive(one, told, Ask(EMPTY, decision), Show(EMPTY), Ask(EMPTY, decision, "not that"))
    assert told.hung_up
    assert one.over is not None
    assert one.over.result is Result.BROKEN_OFF
    assert "not that" in one.over.text


def test_a_server_that_goes_breaks_the_match_off() -> None:
    async def scenario() -> None:
        async def vanish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        server = await asyncio.start_server(vanish, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        tris = dialects.dialect("tris-lines")
        over = await bot_player.play(tris, "127.0.0.1", port, ClientOptions(), Robot(RandomBot(), Random(0).randrange))
        assert over.result is Result.BROKEN_OFF
        server.close()

    run(scenario)


# --- a server of another protocol -----------------------------------------------------------------------------------


class Impatient(Noting):
    """A robot that leaves a server that says nothing."""

    def receive(self, connection: ClientConnection, news: PlayerMessage) -> None:
        super().receive(connection, news)
        if news == ProtocolViolation(
            "The server is silent: it may be waiting for other players, or this is not a port for tris-lines."
        ):
            connection.hang_up()


async def met(dialect: str, words: bytes, *, stays: bool) -> tuple[Noting, Over]:
    """A robot meets a server that says these words and nothing else."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        while stays and await reader.read(1000):
            pass
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    one = Impatient(1)
    over = await bot_player.play(dialects.dialect(dialect), "127.0.0.1", port, ClientOptions("ann"), one)
    server.close()
    return one, over


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        ("santorini-lobby", b"WAIT\n"),
        ("santorini-actions", b"WAIT\n"),
        ("eriantys-messages", b"WAIT\n"),
        ("tris-lines", b'{"type":"PING","content":{}}\n'),
        ("santorini-objects", b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        ("eriantys-objects", b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        ("native", b"HTTP/1.1 404 Not Found\r\n\r\n"),
        ("native", b"WAIT\r\n\r\n"),
        ("native", b"WAIT\n"),
        ("native", b"W"),
    ],
)
@pytest.mark.parametrize("stays", [True, False])
def test_on_the_port_of_another_protocol_it_is_broken_off_and_said_why(
    monkeypatch: pytest.MonkeyPatch, dialect: str, words: bytes, stays: bool
) -> None:
    monkeypatch.setattr("boardwire.net.client.LATE_SECONDS", 0.02)

    async def scenario() -> None:
        _, over = await met(dialect, words, stays=stays)
        assert over.result is Result.BROKEN_OFF
        assert over.text.endswith(f"Perhaps this is not a port for {dialect}.")

    run(scenario)


def test_a_server_that_closes_without_a_word_is_doubted_too() -> None:
    async def scenario() -> None:
        _, over = await met("santorini-lobby", b"", stays=False)
        assert over.text.endswith("Perhaps this is not a port for santorini-lobby.")

    run(scenario)


def test_a_silent_server_is_wondered_about_but_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.net.client.LATE_SECONDS", 0.02)

    async def scenario() -> None:
        one, _ = await met("tris-lines", b"", stays=True)
        assert [type(news) for news in one.heard] == [ProtocolViolation]
        assert one.over is None, "only who played it has given up"

    run(scenario)


def test_a_bot_says_once_what_is_strange(capsys: pytest.CaptureFixture[str]) -> None:
    one = Robot(RandomBot(), lambda count: 0, bot_player._warn)
    receive(one, Told(), ProtocolViolation("odd\x1b"), ProtocolViolation("odder"))
    assert capsys.readouterr().err == "boardwire: odd\\x1b\n"
    receive(Robot(RandomBot(), lambda count: 0), Told(), ProtocolViolation("odd"))
    assert capsys.readouterr().err == ""


def test_a_robot_plays_over_the_native_dialect_as_over_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    with server(capsys, http="0", listen=("tris-lines=0",), fill=0.01) as addresses:
        port = int(addresses["http"].rpartition(":")[2])
        seating = ClientOptions("corner", settings={"game": "tris"})

        async def scenario() -> None:
            one = Robot(GreedyBot(), Random(1).randrange)
            assert (
                await bot_player.play(dialects.dialect("native"), "127.0.0.1", port, seating, one)
            ).result is Result.DRAWN

        run(scenario)


# --- the command ----------------------------------------------------------------------------------------------------


@contextmanager
def server(capsys: pytest.CaptureFixture[str], **settings: Any) -> Iterator[dict[str, str]]:
    """A node in a thread of its own; gives the addresses by dialect."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def call(what: Callable[[], Any]) -> Any:
        async def there() -> Any:
            return await what()

        return asyncio.run_coroutine_threadsafe(there(), loop).result(10)

    node = Node(Settings(data=":memory:", **settings), loop)
    try:
        call(node.start)
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        yield {line[1]: line[2] for line in lines if line[0] == "listening"}
    finally:
        call(node.stop)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(["bot", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_bot_plays_several_matches_against_those_that_fill_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with server(capsys, http="off", listen=("tris-lines=0",), fill=0.01) as addresses:
        at = addresses["tris-lines"]
        code = command("tris", "--dialect", "tris-lines", "--connect", at, "--games", "3", "--seed", "1")
    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[:3] == [f"match {number}: drawn. A draw." for number in (1, 2, 3)]
    assert lines[3:] == ["0 won, 0 lost, 3 drawn, 0 broken off"]


def test_a_bot_comes_in_by_the_http_port_too(capsys: pytest.CaptureFixture[str]) -> None:
    with server(capsys, http="0", listen=("tris-lines=0",), fill=0.01) as addresses:
        at = addresses["http"]
        code = command("santorini", "--dialect", "native", "--connect", at, "--bot", "random", "--players", "3")
    out = capsys.readouterr().out
    assert code == 0
    assert out.startswith(("match 1: lost. You lose (", "match 1: won. You win ("))


def test_a_bot_takes_the_settings_of_its_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    with server(capsys, http="off", listen=("eriantys-messages=0",), fill=0.01) as addresses:
        at = addresses["eriantys-messages"]
        code = command("eriantys", "--dialect", "eriantys-messages", "--connect", at, "--set", "mode=expert")
    assert code == 0
    assert capsys.readouterr().out.startswith("match 1: ")


def test_a_match_that_is_broken_off_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*arguments: Any) -> Over:
        return Over(None, "gone\x1b[2J", Result.BROKEN_OFF)

    monkeypatch.setattr(bot_player, "play", broken)
    assert command("tris", "--dialect", "tris-lines", "--connect", ":1") == 1
    assert capsys.readouterr().out == "match 1: broken off. gone\\x1b[2J\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["chess", "--dialect", "tris-lines"], 2, "no game called 'chess'"),
        (["tris", "--dialect", "santorini-lobby"], 2, "a protocol for santorini"),
        (["tris", "--dialect", "morse"], 2, "no dialect called 'morse'"),
        (["tris", "--dialect", "tris-lines", "--bot", "deep"], 2, "no bot 'deep'; the bots are random, greedy"),
        (["tris", "--dialect", "tris-lines"], 1, "cannot connect"),
        (["tris", "--dialect", "tris-lines", "--games", "0"], 2, "--games 0: must be at least 1"),
        (["tris", "--dialect", "tris-lines", "--players", "3"], 2, "tris over tris-lines is for 2 players"),
        (["santorini", "--dialect", "santorini-lobby", "--players", "5"], 2,
         "--players 5: santorini over santorini-lobby is for 1, 2 or 3 players"),
        (["santorini", "--dialect", "native", "--players", "5"], 2, "is for 1, 2, 3 or 4 players"),
        (["tris", "--dialect", "tris-lines", "--set", "mode=x"], 2, "no setting 'mode'; it has no settings"),
        (["eriantys", "--dialect", "eriantys-objects", "--set", "moed=expert"], 2,
         "eriantys-objects has no setting 'moed'; its settings are mode, tower"),
        (["eriantys", "--dialect", "eriantys-messages", "--set", "mode=easy"], 2, "mode must be simplified or expert"),
        (["eriantys", "--dialect", "eriantys-messages", "--set", "mode"], 2, "'mode' is not KEY=VALUE"),
        (["eriantys", "--dialect", "eriantys-messages", "--set", "tower=Grey"], 1, "cannot connect"),
    ],
)  # fmt: skip
def test_a_failing_command_says_why_and_exits_with_its_code(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert command(*arguments, "--connect", "127.0.0.1:1") == code
    assert words in capsys.readouterr().err


def test_the_help_names_the_settings_of_every_dialect_that_has_values_for_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["play", "--help"])
    words = re.sub(r"[^\w-]+", " ", capsys.readouterr().out)
    assert "eriantys-messages and eriantys-objects have mode simplified or expert and tower white" in words
    assert dialects.dialect("eriantys-messages").settings == dialects.dialect("eriantys-objects").settings
