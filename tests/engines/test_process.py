"""Engines as processes: whole matches, and every way to fail."""

from pathlib import Path
from random import Random

import pytest
from tests.engines.scripts import FIRST, write

from boardwire import games
from boardwire.bots.arena import play
from boardwire.bots.bot import Bot, RandomBot
from boardwire.engines import EngineFault, EngineProcess, FaultReason
from boardwire.games.game import Below, Decision


class EngineBot:
    """An engine with the interface of a bot, for the arena."""

    name = "engine"

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine

    def choose(self, view: object, decision: Decision[object], below: Below, budget: int) -> object:
        return self._engine.choose(view, decision, seconds=5).action


@pytest.mark.parametrize("name", games.NAMES)
def test_an_engine_plays_a_whole_match_of_every_game(name: str, tmp_path: Path) -> None:
    game = games.game(name)
    with EngineProcess("first", write(tmp_path / "e", FIRST)) as engine:
        assert engine.start(name, 0, 2).name == "test"
        outcome = play(game, game.Options(), [EngineBot(engine), RandomBot()], Random(1).randrange)
        engine.over(outcome)
        assert engine.starts == 1


def test_one_process_plays_several_matches(tmp_path: Path) -> None:
    game = games.game("tris")
    with EngineProcess("first", write(tmp_path / "e", FIRST)) as engine:
        for seat in (0, 1, 0):
            engine.start("tris", seat, 2)
            bots: list[Bot] = [RandomBot(), RandomBot()]
            bots[seat] = EngineBot(engine)
            engine.over(play(game, game.Options(), bots, Random(seat).randrange))
        assert engine.starts == 1


def ask(engine: EngineProcess, seconds: float = 5.0) -> object:
    game = games.game("tris")
    position = game.new(game.Options(), 2)
    decision = game.pending(position)
    assert decision is not None
    return engine.choose(game.view(position, 0), decision, seconds=seconds).action


def test_a_number_an_action_or_a_text_is_a_choice(tmp_path: Path) -> None:
    body = """
    for question in asked():
        answer = [dict(number=4), dict(action=5), dict(text="6")][question["id"] - 1]
        say(type="choice", id=question["id"], **answer)
    """
    with EngineProcess("any", write(tmp_path / "e", body)) as engine:
        engine.start("tris", 0, 2)
        assert [ask(engine) for _ in range(3)] == [4, 5, 6]


FAULTS = {
    "exit(3)": FaultReason.DIED,
    "os.close(1); time.sleep(60)": FaultReason.TIMED_OUT,
    "time.sleep(60)": FaultReason.TIMED_OUT,
    "print('no JSON', flush=True)": FaultReason.MALFORMED,
    "say(type='choice', id=7, number=0)": FaultReason.MALFORMED,
    "say(type='choice', id=1)": FaultReason.MALFORMED,
    "say(type='choice', id=1, number=0, text='0')": FaultReason.MALFORMED,
    "say(type='choice', id=1, action='corner')": FaultReason.MALFORMED,
    "say(type='choice', id=1, text='corner')": FaultReason.MALFORMED,
    "say(type='info', value=2)": FaultReason.MALFORMED,
    "say(type='choice', id=1, number=9)": FaultReason.ILLEGAL,
    "say(type='choice', id=1, number=-1)": FaultReason.ILLEGAL,
    "print('x' * 100_000, flush=True)": FaultReason.TOO_MUCH_OUTPUT,
}


@pytest.mark.parametrize("body", FAULTS)
def test_a_fault_has_its_reason_and_ends_the_process(body: str, tmp_path: Path) -> None:
    with EngineProcess("bad", write(tmp_path / "e", f"for question in asked():\n    {body}")) as engine:
        engine.start("tris", 0, 2)
        with pytest.raises(EngineFault) as caught:
            ask(engine, seconds=0.5)
        assert caught.value.fault is FAULTS[body]
        assert not engine.is_running
        engine.start("tris", 0, 2)
        assert engine.starts == 2
