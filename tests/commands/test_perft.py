"""`boardwire perft`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from boardwire.commands.perft import perft
from boardwire.errors import Malformed

START = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"

Count = Callable[..., list[str]]


@pytest.fixture
def count(capsys: pytest.CaptureFixture[str]) -> Count:
    """Runs the command; returns the lines it printed."""

    def call(position: str, depth: int = 1, *, divide: bool = False, json: bool = True) -> list[str]:
        perft(position, depth, divide=divide, json=json)
        return capsys.readouterr().out.splitlines()

    return call


def test_text_and_json_have_the_same_counts(count: Count) -> None:
    words = dict(line.split() for line in count(START, json=False))
    (text,) = count(START)
    assert {name: str(value) for name, value in json.loads(text).items()} == words


def test_the_counts_by_turn_add_up_to_the_total(count: Count) -> None:
    words = [line.split() for line in count(START, divide=True, json=False)]
    rows = [json.loads(line) for line in count(START, divide=True)]
    assert [(row["position"], str(row["states"])) for row in rows] == [tuple(word) for word in words]
    (total,) = count(START)
    assert sum(row["states"] for row in rows) == json.loads(total)["states"]


def test_a_wrong_depth_or_position_is_malformed() -> None:
    with pytest.raises(Malformed, match="depth 0: must be at least 1"):
        perft(START, 0)
    with pytest.raises(Malformed, match="a position has"):
        perft("nonsense", 1)


def test_the_states_after_one_turn_are_as_many_as_the_positions_listed(count: Count) -> None:
    position = "0000011000001000000000100/1/mortal:B3,C2/mortal:C4,D3"
    (total,) = count(position)
    assert json.loads(total)["states"] == len(count(position, divide=True, json=False))


@pytest.mark.parametrize("gods", ["tyche mortal", "chaos+pan mortal", "mortal gaea", "hydra hecate"])
def test_turns_with_luck_answers_and_secrets_are_counted_by_turn(count: Count, gods: str) -> None:
    one, other = gods.split()
    position = f"4433300000000000000000000/1/{one}:A4,C3/{other}:E1,D1"
    rows = [json.loads(text) for text in count(position, divide=True)]
    (total,) = count(position)
    assert sum(row["states"] for row in rows) == json.loads(total)["states"] > 0
