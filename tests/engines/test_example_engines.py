"""The engines in examples/engines play and pass the examination, where their language is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from boardwire import games
from boardwire.bots.arena import duel
from boardwire.bots.bot import RandomBot
from boardwire.conformance import engine as examination
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.engines import EngineProcess, Mode
from boardwire.games.game import Below, Decision, Seat

from .scripts import share

EXAMPLES = Path(__file__).parents[2] / "examples" / "engines"
SECONDS = {"c": 0.2}
"""Thinking time for a choice of an engine that uses all of it."""
AMPLE_SECONDS = 2.0
"""For one that answers at once, where a loaded machine may not."""


def _copied(directory: Path, name: str) -> Path:
    directory.mkdir(exist_ok=True)
    shutil.copy(EXAMPLES / name, directory / name)
    share(directory)
    return directory / name


def _python(directory: Path) -> str:
    return f"python3 {_copied(directory, 'tris_engine.py')}"


def _java(directory: Path) -> str:
    return f"java {_copied(directory, 'ForzaEngine.java')}"


def _javascript(directory: Path) -> str:
    return f"node {_copied(directory, 'any_engine.js')}"


def _c(directory: Path) -> str:
    source = _copied(directory, "forza_text.c")
    built = directory / "forza_text"
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", built, source], check=True)
    share(directory)
    return str(built)


Engine = tuple[str, Callable[[Path], str], Mode, tuple[str, ...]]
ENGINES: dict[str, Engine] = {
    "python": ("python3", _python, Mode.JSON, ("tris",)),
    "java": ("java", _java, Mode.JSON, ("forza",)),
    "javascript": ("node", _javascript, Mode.JSON, games.NAMES),
    "c": ("cc", _c, Mode.TEXT, ("forza",)),
}


def command_of(language: str, directory: Path) -> tuple[str, Mode, tuple[str, ...]]:
    program, made, mode, played = ENGINES[language]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    return made(directory), mode, played


class EngineBot:
    """An engine with the interface of a bot that begins a match with the first decision that it is asked."""

    name = "engine"

    def __init__(self, engine: EngineProcess, game: str) -> None:
        self._engine = engine
        self._seconds = SECONDS.get(engine.name, AMPLE_SECONDS)
        self._game = game
        self._seat: Seat | None = None

    def choose(self, view: object, decision: Decision[object], below: Below, budget: int) -> object:
        if decision.seats[0] != self._seat:
            self._seat = decision.seats[0]
            self._engine.start(self._game, self._seat, 2, seed=1)
        return self._engine.choose(view, decision, seconds=self._seconds).action


@pytest.mark.parametrize("language", ENGINES)
def test_an_example_beats_the_random_bot(language: str, tmp_path: Path) -> None:
    command, mode, played = command_of(language, tmp_path / "e")
    for name in played:
        game = games.game(name)
        with EngineProcess(language, command, mode=mode) as engine:
            bot = EngineBot(engine, name)
            matches = 1 if name == "eriantys" else 4
            score = duel(game, game.Options(), 2, bot, RandomBot(), Random(2).randrange, matches)
            assert score.won >= score.lost or name == "eriantys"
            assert engine.starts == 1


def not_passed(probe: examination.EngineProbe, played: tuple[str, ...]) -> list[CheckResult]:
    results = examination.examine(probe, examination.checks(played, probe.mode))
    return [result for result in results if result.verdict is not Verdict.PASS]


@pytest.mark.parametrize("language", ["python", "javascript", "c"])
def test_an_example_passes_the_examination_in_a_game(language: str, tmp_path: Path) -> None:
    command, mode, played = command_of(language, tmp_path / "e")
    assert not_passed(examination.EngineProbe(command, mode, SECONDS.get(language, AMPLE_SECONDS)), played[:1]) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ENGINES)
def test_an_example_passes_the_whole_examination(language: str, tmp_path: Path) -> None:
    command, mode, played = command_of(language, tmp_path / "e")
    probe = examination.EngineProbe(command, mode, SECONDS.get(language, AMPLE_SECONDS))
    accepted, refused = examination.accepted_games(probe, games.NAMES if mode is Mode.JSON else played)
    assert set(accepted) == set(played)
    assert set(refused) == (set(games.NAMES) - set(played) if mode is Mode.JSON else set())
    assert not_passed(probe, accepted) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_an_example_says_how_it_is_run(path: Path) -> None:
    head = path.read_text()[:600]
    assert "boardwire bot" in head
    assert "docs/engines.md" in head
