"""Rules and counts on the command line."""

import json

import pytest

from boardwire import games
from boardwire.clients import rulebook
from boardwire.games.game import Malformed, Refused
from boardwire.games.santorini import CATALOGUE, God

START = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"


@pytest.mark.parametrize("game", games.NAMES)
def test_every_game_is_told_in_a_few_sentences(game: str) -> None:
    lines = list(rulebook.rules(game))
    assert lines[0].lower().startswith(game)
    assert len(lines) >= 4


def test_every_god_is_listed_and_told() -> None:
    listed = "\n".join(rulebook.rules("santorini"))
    for god, entry in CATALOGUE.items():
        told = list(rulebook.rules("santorini", f" {entry.name.upper()} "))
        assert told[0].startswith(entry.name)
        assert told[1] == entry.text
        assert list(rulebook.rules("santorini", god.value)) == told
        assert (entry.name in listed) == (god is not God.MORTAL)


def test_a_god_that_is_none_is_refused_with_a_guess() -> None:
    with pytest.raises(Refused, match="no god called 'Apolo'; did you mean Apollo"):
        list(rulebook.rules("santorini", "Apolo"))
    with pytest.raises(Refused, match=r"no god called 'xx'$"):
        list(rulebook.rules("santorini", "xx"))
    with pytest.raises(Refused, match="tris has no gods"):
        list(rulebook.rules("tris", "Apollo"))
    with pytest.raises(Refused, match="there is no game called 'chess'"):
        list(rulebook.rules("chess"))


def test_lines_are_counted_in_words_and_in_JSON() -> None:
    words = dict(line.split() for line in rulebook.count(START, 1, by_turn=False, json=False))
    (text,) = rulebook.count(START, 1, by_turn=False, json=True)
    assert {name: str(value) for name, value in json.loads(text).items()} == words


def test_the_turns_add_up_to_the_whole() -> None:
    words = [line.split() for line in rulebook.count(START, 1, by_turn=True, json=False)]
    rows = [json.loads(line) for line in rulebook.count(START, 1, by_turn=True, json=True)]
    assert [(row["position"], str(row["states"])) for row in rows] == [tuple(word) for word in words]
    (whole,) = rulebook.count(START, 1, by_turn=False, json=True)
    assert sum(row["states"] for row in rows) == json.loads(whole)["states"]


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(Malformed, match="1 or more"):
        list(rulebook.count(START, 0, by_turn=False, json=False))
    with pytest.raises(Malformed, match="a position has"):
        list(rulebook.count("nonsense", 1, by_turn=False, json=False))
