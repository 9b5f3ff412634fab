"""The examples of the page's rules are played by the real rules."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from scripts.rule_examples import EXAMPLES, GAMES, frames, main, read, written

from boardwire.games import eriantys, santorini

STUCK = """
example: wrong
  given 00000 02000 00000 00000 00000/1/mortal:A3,E1/mortal:E5,C1
  {step}
"""


@pytest.mark.parametrize("game", GAMES)
def test_what_the_page_shows_is_what_the_rules_say(game: str) -> None:
    assert (EXAMPLES / f"{game}.json").read_text("utf-8") == written(game), "run `make types`"


@pytest.mark.parametrize("game", [santorini, eriantys])
def test_every_card_has_an_example_in_which_something_happens(game: ModuleType) -> None:
    name = game.__name__.rpartition(".")[2]
    found = {example.name: frames(GAMES[name], example) for example in read(EXAMPLES / f"{name}.txt")}
    for card in GAMES[name].game.cards:
        if card.card != "mortal":
            assert any("refused" in frame or frame.get("happened") for frame in found[card.card]), card.card


def test_no_two_examples_of_a_game_have_the_same_name() -> None:
    for game in GAMES:
        names = [example.name for example in read(EXAMPLES / f"{game}.txt")]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("do A3>B4", "example wrong, do A3>B4: high; legal are"),
        ("refuse A3>B3", "example wrong, refuse A3>B3: legal"),
        ("play A3>B3", "wrong.txt:4: 'play' is not example:"),
    ],
)
def test_a_wrong_example_is_named(tmp_path: Path, step: str, words: str) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text(STUCK.format(step=step))
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        [frames(GAMES["santorini"], example) for example in read(path)]


def test_a_stale_file_fails_the_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["rule_examples", "--check"])
    assert main() == 0
    monkeypatch.setattr("scripts.rule_examples.written", lambda name: "{}\n")
    assert main() == 1
    assert "run `make types`" in capsys.readouterr().err


def test_a_secret_is_shown_only_to_its_seat() -> None:
    stored = msgspec.json.decode((EXAMPLES / "santorini.json").read_bytes())
    assert stored["hecate"][0]["view"]["workers"][0] == [11, 9]
