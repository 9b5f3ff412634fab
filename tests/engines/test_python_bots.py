"""Python bots by MODULE:CLASS, in this process and as engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardwire import games
from boardwire.engines import EngineFault, EngineProcess, FaultReason
from boardwire.engines.python_bots import is_python_bot, load_bot, python_bot
from boardwire.errors import Malformed

from .scripts import share

MODULE = """
class CornerBot:
    name = "corner"

    def choose(self, view, decision, below, budget):
        print("what a bot prints is not an answer")
        corners = [cell for cell in decision.choices if cell in (0, 2, 6, 8)]
        return corners[below(len(corners))]


class NoName:
    def choose(self, view, decision, below, budget): ...


class NoChoose:
    name = "no"


class Raises:
    def __init__(self):
        raise RuntimeError("not today")


class Fails:
    name = "fails"

    def choose(self, view, decision, below, budget):
        return 1 // 0


class Liar:
    name = "liar"

    def choose(self, view, decision, below, budget):
        return 99
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with a module of bots, which Python forgets in the end."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    home = tmp_path / "bots"
    home.mkdir()
    (home / "bots_of_a_test.py").write_text(MODULE)
    share(home)
    yield home
    sys.modules.pop("bots_of_a_test", None)


def choices(engine: EngineProcess, count: int) -> list[int]:
    game = games.game("tris")
    position = game.new(game.Options(), 2)
    decision = game.pending(position)
    assert decision is not None
    return [engine.choose(game.view(position, 0), decision, seconds=5).action for _ in range(count)]


def test_a_bot_is_imported_from_its_directory(directory: Path) -> None:
    assert load_bot("bots_of_a_test:CornerBot", directory).name == "corner"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("CornerBot", "not of the form MODULE:CLASS"),
        ("no_such_module_here:Bot", "there is no module 'no_such_module_here'"),
        ("bots_of_a_test:Nothing", "no attribute 'Nothing'"),
        ("bots_of_a_test:NoName", "has no attribute `name`"),
        ("bots_of_a_test:NoChoose", "has no method `choose`"),
        ("bots_of_a_test:Raises", "RuntimeError: not today"),
    ],
)
def test_what_is_no_bot_is_named(spec: str, words: str, directory: Path) -> None:
    with pytest.raises(Malformed, match=words):
        load_bot(spec, directory)


def test_a_bot_plays_as_an_engine_and_the_seed_repeats_its_choices(directory: Path) -> None:
    played = []
    for _ in range(2):
        with python_bot("corner", "bots_of_a_test:CornerBot", directory=directory) as engine:
            assert engine.start("tris", 0, 2, seed=5).name == "corner"
            played.append(choices(engine, 6))
            assert "what a bot prints" in engine.stderr
    assert played[0] == played[1]
    assert set(played[0]) <= {0, 2, 6, 8}


@pytest.mark.parametrize(
    ("bot", "fault", "words"),
    [("Liar", FaultReason.ILLEGAL, "99 is not one"), ("Fails", FaultReason.DIED, "ZeroDivisionError")],
)
def test_a_fault_of_a_bot_is_one_of_its_engine(bot: str, fault: FaultReason, words: str, directory: Path) -> None:
    with python_bot("bad", f"bots_of_a_test:{bot}", directory=directory) as engine:
        engine.start("tris", 0, 2)
        with pytest.raises(EngineFault, match=words) as caught:
            choices(engine, 1)
        assert caught.value.fault is fault


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("a:B", True), ("a.b:C", True), ("search:5", False), ("greedy", False), ("a b:C", False), (":C", False)],
)
def test_a_module_and_a_class_are_recognised(text: str, is_one: bool) -> None:
    assert is_python_bot(text) is is_one
