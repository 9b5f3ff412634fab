"""Rules and counts on the command line."""

import json

import pytest

from boardwire import games
from boardwire.clients import rulebook
from boardwire.errors import Malformed, Refused
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
        assert entry.name in listed


def test_a_god_is_told_with_its_players_wordings_and_bans() -> None:
    assert list(rulebook.rules("santorini", "bia")) == [
        "Bia (advanced; for 2, 3, 4 players)",
        CATALOGUE[God.BIA].text,
        f"Printed wording: {CATALOGUE[God.BIA].printed}",
        "Can lie beside the Ram in the Golden Fleece variant.",
        "May not meet: Nemesis, Tartarus.",
    ]
    assert len(list(rulebook.rules("santorini", "Athena"))) == 2


def test_a_god_of_two_names_is_found_by_either() -> None:
    pair = list(rulebook.rules("santorini", "Castor & Pollux"))
    assert pair[0].startswith("Castor & Pollux")
    assert list(rulebook.rules("santorini", "Pollux")) == list(rulebook.rules("santorini", "castor")) == pair


def test_a_god_that_is_none_is_refused_with_a_guess() -> None:
    with pytest.raises(Malformed, match="no god called 'Apolo'; did you mean Apollo"):
        list(rulebook.rules("santorini", "Apolo"))
    with pytest.raises(Malformed, match=r"did you mean Castor & Pollux\?$"):
        list(rulebook.rules("santorini", "Polux"))
    for name in ("xx", "&", " "):
        with pytest.raises(Malformed, match=rf"no god called '{name}'$"):
            list(rulebook.rules("santorini", name))
    with pytest.raises(Malformed, match="tris has no gods"):
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


def test_a_known_count_is_told() -> None:
    line = "0000011000001000000000100/1/mortal:B3,C2/mortal:C4,D3"
    (one,) = rulebook.count(line, 1, by_turn=False, json=True)
    assert json.loads(one)["states"] == len(list(rulebook.count(line, 1, by_turn=True, json=False)))


@pytest.mark.parametrize("gods", ["tyche mortal", "chaos+pan mortal", "mortal gaea", "hydra hecate"])
def test_turns_with_luck_answers_and_secrets_are_counted_by_turn(gods: str) -> None:
    one, other = gods.split()
    line = f"4433300000000000000000000/1/{one}:A4,C3/{other}:E1,D1"
    rows = [json.loads(text) for text in rulebook.count(line, 1, by_turn=True, json=True)]
    (whole,) = rulebook.count(line, 1, by_turn=False, json=True)
    assert sum(row["states"] for row in rows) == json.loads(whole)["states"] > 0
