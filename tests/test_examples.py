"""The programs in examples/ run as they stand."""

from __future__ import annotations

import asyncio
import re
import runpy
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardwire.config import Settings
from boardwire.node import Node

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py"))

Run = Callable[..., list[str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a program in this process, which is quicker than one of its own; gives the lines that it printed."""

    def call(program: str, *arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [program, *arguments])
        capsys.readouterr()
        runpy.run_path(str(EXAMPLES / program), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return call


@pytest.fixture
def port() -> Iterator[str]:
    """The HTTP port of a server in a thread of its own."""
    served: list[int] = []
    ready, done = threading.Event(), threading.Event()

    async def serve() -> None:
        node = Node(Settings(data=":memory:", http="0", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start(say=lambda line: None)
        served.append(node.ports["native"])
        ready.set()
        await asyncio.to_thread(done.wait)
        await node.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(20)
    yield str(served[0])
    done.set()
    thread.join(20)


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_example_is_short_and_says_how_it_is_run(program: str) -> None:
    text = (EXAMPLES / program).read_text()
    assert len(text.splitlines()) <= 80
    assert f"`python {program}" in text.partition("\n")[0]


def test_the_rules_alone_play_a_match(run: Run) -> None:
    told = run("play_tris.py", "1")
    assert told[0] == "X marks cell 2"
    assert told[-4:-1] == ["O O X", "X X X", "O X O"]
    assert told[-1].startswith("Outcome(termination=<Termination.LINE: 'line'>, winners=(0,)")


def test_a_game_of_ones_own_is_checked_against_the_laws(run: Run) -> None:
    assert run("check_my_game.py") == ["all laws hold; 3 different outcomes"]


def test_bots_of_ones_own_are_rated_in_a_tournament(run: Run) -> None:
    told = run("rate_bots.py", "20")
    assert told[0].startswith("level 3 ")
    assert {line.split("  ")[0].strip() for line in told[:4]} == {"level 3", "level 2", "level 1", "middle"}
    assert told[-1].startswith("middle against level 1: ")


def test_a_server_inside_a_program_lets_two_dialects_meet(run: Run) -> None:
    told = run("embed_server.py")
    assert told[0].startswith("listening http 127.0.0.1:")
    assert told[1].startswith("listening tris-lines 127.0.0.1:")
    assert told[2] == "ready"
    assert told[-1] in ("greedy bot: won; random bot: lost", "greedy bot: drawn; random bot: drawn")


def test_a_bot_of_ones_own_plays_on_a_server_and_its_match_can_be_followed(run: Run, port: str) -> None:
    result, _, words = run("random_bot.py", "127.0.0.1", port)[-1].partition(": ")
    assert result in ("lost", "drawn"), "the greedy bot never loses at Tris"
    assert words in ("You lose (line).", "A draw (full board).")
    events = [line.partition(" ")[0] for line in run("watch_match.py", f"http://127.0.0.1:{port}")]
    assert events[0] == "opened"
    assert 5 <= events.count("acted") <= 9


def test_a_table_learns_tris_until_it_never_loses_against_a_random_player(run: Run) -> None:
    pytest.importorskip("pettingzoo", reason="needs boardwire[research]")
    before, after = run("train_tris.py")
    assert int(before.split()[5]) > 100
    assert after.endswith(" 0 lost against a random player")


@pytest.mark.slow  # about a minute
def test_a_network_learns_forza_until_it_wins_most_matches_against_a_random_player(run: Run) -> None:
    pytest.importorskip("pettingzoo", reason="needs boardwire[research]")
    shares = [int(re.findall(r"(\d+)%", line)[0]) for line in run("train_forza.py", "60")]
    assert shares[0] < 85 < shares[-1]
