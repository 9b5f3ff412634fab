"""Counts of lines of play on the command line."""

import json

import pytest

from boardwire.commands.perft_counts import count
from boardwire.errors import Malformed

START = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"


def test_lines_are_counted_in_words_and_in_JSON() -> None:
    words = dict(line.split() for line in count(START, 1, by_turn=False, json=False))
    (text,) = count(START, 1, by_turn=False, json=True)
    assert {name: str(value) for name, value in json.loads(text).items()} == words


def test_the_turns_add_up_to_the_whole() -> None:
    words = [line.split() for line in count(START, 1, by_turn=True, json=False)]
    rows = [json.loads(line) for line in count(START, 1, by_turn=True, json=True)]
    assert [(row["position"], str(row["states"])) for row in rows] == [tuple(word) for word in words]
    (whole,) = count(START, 1, by_turn=False, json=True)
    assert sum(row["states"] for row in rows) == json.loads(whole)["states"]


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(Malformed, match="1 or more"):
        list(count(START, 0, by_turn=False, json=False))
    with pytest.raises(Malformed, match="a position has"):
        list(count("nonsense", 1, by_turn=False, json=False))


def test_a_known_count_is_told() -> None:
    line = "0000011000001000000000100/1/mortal:B3,C2/mortal:C4,D3"
    (one,) = count(line, 1, by_turn=False, json=True)
    assert json.loads(one)["states"] == len(list(count(line, 1, by_turn=True, json=False)))


@pytest.mark.parametrize("gods", ["tyche mortal", "chaos+pan mortal", "mortal gaea", "hydra hecate"])
def test_turns_with_luck_answers_and_secrets_are_counted_by_turn(gods: str) -> None:
    one, other = gods.split()
    line = f"4433300000000000000000000/1/{one}:A4,C3/{other}:E1,D1"
    rows = [json.loads(text) for text in count(line, 1, by_turn=True, json=True)]
    (whole,) = count(line, 1, by_turn=False, json=True)
    assert sum(row["states"] for row in rows) == json.loads(whole)["states"] > 0
