"""Rules and cards on the command line."""

import pytest

from boardwire import games
from boardwire.errors import Malformed, Refused
from boardwire.games.santorini import CATALOGUE, God
from boardwire.terminal import rulebook
from boardwire.testing.laws import MIN_RULEBOOK_SENTENCES


@pytest.mark.parametrize("game", games.NAMES)
def test_every_game_is_told_in_a_few_sentences(game: str) -> None:
    assert len(rulebook.rules(game)) >= MIN_RULEBOOK_SENTENCES


def test_every_game_is_listed_with_its_first_sentence() -> None:
    listed = list(rulebook.contents())
    assert listed[0] == "tris        Tris, for 2 players."
    assert [line.split()[0] for line in listed] == list(games.NAMES)


def test_a_character_is_told_with_its_price() -> None:
    told = rulebook.rules("eriantys", "herald")
    assert told[0] == "Herald (costs 3 coins at first)"
    assert told[1].startswith("Choose an island")
    assert rulebook.rules("eriantys", "Monk")[0] == "Monk (costs 1 coin at first)"


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


def test_a_card_that_there_is_none_of_is_refused_with_a_guess() -> None:
    with pytest.raises(Malformed, match="santorini has no card called 'Apolo'; did you mean Apollo"):
        list(rulebook.rules("santorini", "Apolo"))
    with pytest.raises(Malformed, match=r"did you mean Castor & Pollux\?$"):
        list(rulebook.rules("santorini", "Polux"))
    for name in ("xx", "&", " "):
        with pytest.raises(Malformed, match=rf"no card called '{name}'$"):
            list(rulebook.rules("santorini", name))
    with pytest.raises(Malformed, match="tris has no cards"):
        list(rulebook.rules("tris", "Apollo"))
    with pytest.raises(Refused, match="there is no game called 'chess'"):
        list(rulebook.rules("chess"))
