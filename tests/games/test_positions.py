"""Positions of Tris and Forza Quattro in notation: parsing and formatting are inverse over every match."""

from random import Random
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.errors import Malformed
from boardwire.games import forza, tris
from boardwire.games.forza import notation as forza_notation
from boardwire.games.tris import notation as tris_notation

GAMES = {"tris": (tris, tris_notation), "forza": (forza, forza_notation)}


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_position_of_a_match_is_read_as_it_was_written(name: str, seed: int) -> None:
    game, notation = GAMES[name]
    luck = Random(seed)
    position = game.new(game.Options(), 2)
    while (decision := game.pending(position)) is not None:
        text = game.format_position(position)
        assert game.parse_position(text) == position
        assert notation.format_view(game.view(position, decision.seats[0])) == text
        resigned, _ = game.forfeit(position, luck.randrange(2))
        assert game.parse_position(game.format_position(resigned)) == resigned
        if luck.random() < 0.1:
            position, _ = game.skip(position, decision.seats[0])
        else:
            position, _ = game.apply(position, decision.seats[0], luck.choice(tuple(decision.choices)))
    assert game.parse_position(game.format_position(position)) == position


def test_every_position_of_tris_that_play_can_reach_is_read_as_it_was_written() -> None:
    seen, left = set(), [tris.new(tris.Options(), 2)]
    while left:
        position = left.pop()
        if position in seen:
            continue
        seen.add(position)
        assert tris.parse_position(tris.format_position(position)) == position
        if (decision := tris.pending(position)) is not None:
            left += [tris.apply(position, decision.seats[0], cell)[0] for cell in decision.choices]
    assert len(seen) == 5478


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (tris, "", "not a position"),
        (tris, "x.o/.x./..o", "not a position"),
        (tris, "x.o/.x./..oo x", "not a position"),
        (tris, "x.o/.x./..z x", "not a position"),
        (tris, "x.o/.x./..o x x", "not a position"),
        (tris, "xxx/ooo/... x", "both players"),
        (forza, "x.o/.x./..o x", "not a position"),
        (forza, "x....../......./......./......./......./....... o", "it must lie on another disc"),
        (forza, "......./......./......./......./oooo.../xxxx... o", "both players"),
        (forza, "\x1b[31m", "not a position"),
    ],
)
def test_a_text_that_is_no_position_is_malformed(game: ModuleType, text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        game.parse_position(text)


@pytest.mark.parametrize("name", GAMES)
@given(text=st.text(alphabet="xo./- XO", max_size=60))
def test_any_text_is_a_position_or_malformed(name: str, text: str) -> None:
    game, _ = GAMES[name]
    try:
        position = game.parse_position(text)
    except Malformed:
        return
    assert game.parse_position(game.format_position(position)) == position
