"""The text mode: every decision has the position that it belongs to, and whole turns are played step by step."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from boardwire import games
from boardwire.bots.arena import play
from boardwire.bots.bot import RandomBot
from boardwire.engines import EngineFault, EngineProcess, FaultReason, Info, Mode
from boardwire.engines.protocol import Budget, ChoiceMessage, Ready
from boardwire.engines.text_mode import TextLines, parse_info
from boardwire.errors import Malformed
from boardwire.games import forza, santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.line import Line
from boardwire.testing.laws import playthrough

from .scripts import share
from .test_process import EngineBot

ENGINE = """
import random, sys
whole = "--turns" in sys.argv
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "uci":
        print("banner that means nothing\\nid name texter\\nid author us\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "choices":
        choices = rest.split()
    elif word == "go":
        print("info depth 2 nodes 20 value 0.25 pv", choices[0], flush=True)
        print("bestmove", random.choice(choices), flush=True)
    elif word == "quit":
        break
"""


def texter(directory: Path) -> str:
    directory.mkdir()
    (directory / "texter.py").write_text(ENGINE)
    share(directory)
    return f"/usr/bin/python3 {directory / 'texter.py'}"


@pytest.mark.parametrize("name", ["santorini", "forza"])
def test_an_engine_plays_a_whole_match_by_text(name: str, tmp_path: Path) -> None:
    game = games.game(name)
    with EngineProcess("texter", texter(tmp_path / "e"), mode=Mode.TEXT) as engine:
        assert engine.start(name, 1, 2) == Ready(name="texter", author="us")
        engine.over(play(game, game.Options(), [RandomBot(), EngineBot(engine)], Random(1).randrange))


def test_a_game_without_a_text_mode_is_refused(tmp_path: Path) -> None:
    engine = EngineProcess("texter", texter(tmp_path / "e"), mode=Mode.TEXT)
    with pytest.raises(Malformed, match="not tris"):
        engine.start("tris", 0, 2)
    assert engine.starts == 0


def asked(lines: bytes) -> dict[str, str]:
    """What the lines of a question say, by their first words."""
    return dict(line.partition(" ")[::2] for line in lines.decode().splitlines())


@pytest.mark.parametrize("draft", ["none", "random", "challenger", "printed"])
@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_santorini_has_the_choices_of_its_decision(draft: str, seed: int) -> None:
    talks = TextLines(), TextLines()
    for seat in (0, 1):
        talks[seat].hello(games.game("santorini"), seat, 2, None, 1)
    written = unwritten = 0
    options = santorini.Options(draft=santorini.Draft(draft), ply_cap=30)
    for ply in playthrough(games.game("santorini"), options, 2, Random(seed).randrange):
        if ply.seat == CHANCE:
            continue
        talk, view = talks[ply.seat], santorini.view(ply.position, ply.seat)
        question = asked(talk.choose(view, ply.decision, Budget(nodes=7)))
        assert question["choices"].split() == list(map(santorini.format_action, ply.decision.choices))
        assert question["go"] == "nodes 7"
        start, _, moves = question["position"].partition(" moves ")
        if start == "none":
            unwritten += 1
        else:
            assert Line(start).play(moves).steps == set(question["choices"].split())
            written += 1
        answer = talk.read(f"bestmove {santorini.format_action(ply.action)}".encode())
        assert isinstance(answer, ChoiceMessage)
        assert talk.action(answer, view, ply.decision) == ply.action
    assert written > 5 * unwritten


def test_every_position_of_forza_is_the_one_of_its_decision() -> None:
    talk = TextLines()
    talk.hello(games.game("forza"), 0, 2, None, 1)
    for ply in playthrough(games.game("forza"), forza.Options(), 2, Random(3).randrange):
        question = asked(talk.choose(forza.view(ply.position, ply.seat), ply.decision, Budget(1.5, 60.0)))
        assert forza.parse_position(question["position"]) == ply.position
        assert question["go"] == "movetime 1500 time 60000"


def test_the_steps_of_a_turn_are_played_without_another_question() -> None:
    talk = TextLines()
    talk.hello(games.game("santorini"), 0, 2, None, 1)
    line = Line("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2")
    decision = line.position.decision
    assert decision is not None
    view = santorini.view(line.position, 0)
    assert talk.take_planned(view, decision) is None
    talk.choose(view, decision, Budget())
    answer = talk.read(b"bestmove B3>A3 A3^B3 ponder C4>C5")
    assert isinstance(answer, ChoiceMessage)
    assert santorini.format_action(talk.action(answer, view, decision)) == "B3>A3"
    line.play("B3>A3")
    assert line.position.decision is not None
    planned = talk.take_planned(santorini.view(line.position, 0), line.position.decision)
    assert santorini.format_action(planned) == "A3^B3"


def test_what_is_known_of_an_info_line_is_read_and_the_rest_is_ignored() -> None:
    assert parse_info("depth 3 seldepth 9 nodes 100 value -0.5 pv 4 4 3") == Info(
        value=-0.5, depth=3, nodes=100, line=("4", "4", "3")
    )
    assert parse_info("string any words") == Info(text="any words")


@pytest.mark.parametrize("text", ["depth x", "value 2", "value nan", "nodes -1", "depth 1e3"])
def test_an_info_line_with_a_wrong_number_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse_info(text)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("bestmove", FaultReason.MALFORMED),
        ("bestmove 9", FaultReason.MALFORMED),
        ("bestmove corner", FaultReason.MALFORMED),
        ("info value 7", FaultReason.MALFORMED),
        ("\\xff", FaultReason.TIMED_OUT),
    ],
)
def test_a_wrong_answer_is_a_fault(answer: str, fault: FaultReason, tmp_path: Path) -> None:
    command = texter(tmp_path / "e")
    path = tmp_path / "e" / "texter.py"
    path.write_text(
        path.read_text().replace(
            'print("bestmove", random.choice(choices), flush=True)', f'print("{answer}", flush=True)'
        )
    )
    with EngineProcess("texter", command, mode=Mode.TEXT) as engine:
        engine.start("forza", 0, 2)
        position = forza.new(forza.Options(), 2)
        decision = forza.pending(position)
        assert decision is not None
        with pytest.raises(EngineFault) as caught:
            engine.choose(forza.view(position, 0), decision, seconds=0.2)
        assert caught.value.fault is fault
