"""Options of every game, whatever they are: `new` refuses them, or the match can be played to its end."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardwire import games
from boardwire.errors import BoardwireError, Illegal
from boardwire.games import eriantys, santorini
from boardwire.games.eriantys import Character, Tower
from boardwire.games.santorini import Draft, God, Options, Wording
from boardwire.testing import laws

SQUARES: Final = [f"{file}{rank}" for file in "ABCDE" for rank in "12345"]


@st.composite
def positions(draw: st.DrawFn) -> str:
    """Positions of Santorini in notation, most of them odd and some of them wrong."""
    levels = "".join(draw(st.lists(st.sampled_from("0001234"), min_size=25, max_size=25)))
    seats = draw(st.integers(1, 4))
    taken = iter(draw(st.permutations(SQUARES)))
    parts = []
    for _ in range(seats):
        god = draw(st.sampled_from(God))
        memo = draw(st.sampled_from(["", "", "", "[x]", "[C3]", "[n]", "[1]", "[C3,D4]", "[x|E5,A3]", "[0]", "[pan]"]))
        squares = ",".join(next(taken) for _ in range(draw(st.integers(1, 3))))
        parts.append(f"{god}{memo}:{squares}")
    turn = draw(st.integers(1, seats))
    ply = draw(st.sampled_from(["", "/@1", "/@29", "/@999"]))
    return f"{levels}/{turn}/{'/'.join(parts)}{ply}"


def gods(most: int) -> st.SearchStrategy[tuple[God, ...]]:
    """Some gods, perhaps one of them twice, or none at all."""
    return st.lists(st.sampled_from(God), max_size=most).map(tuple)


SANTORINI: Final = st.one_of(
    st.builds(
        Options,
        st.sampled_from([draft for draft in Draft if draft not in (Draft.GIVEN, Draft.POSITION)]),
        pool=gods(12),
        wording=st.sampled_from(Wording),
        bans=st.booleans(),
        ply_cap=st.integers(1, 30),
    ),
    st.builds(
        Options,
        st.sampled_from([Draft.GIVEN, Draft.FLEECE]),
        gods(4),
        st.one_of(st.just(()), gods(5)),
        st.sampled_from(Wording),
        st.booleans(),
        ply_cap=st.integers(1, 30),
    ),
    st.builds(
        Options,
        st.just(Draft.POSITION),
        wording=st.sampled_from(Wording),
        position=positions(),
        ply_cap=st.integers(1, 30),
    ),
    st.builds(
        Options,
        st.sampled_from(Draft),
        gods(4),
        gods(5),
        st.sampled_from(Wording),
        st.booleans(),
        st.sampled_from(["", "x", "0" * 25]),
        st.integers(-2, 2000),
    ),
)
ERIANTYS: Final = st.builds(
    eriantys.Options,
    st.sampled_from(eriantys.Mode),
    st.sampled_from(eriantys.CloudTime),
    st.none() | st.lists(st.sampled_from(Tower), max_size=4).map(tuple),
    st.none() | st.lists(st.sampled_from(Character), max_size=4).map(tuple),
    st.lists(st.sampled_from(Character), max_size=12).map(tuple) | st.just(tuple(Character)),
)
OPTIONS: Final[dict[str, st.SearchStrategy[Any]]] = {"santorini": SANTORINI, "eriantys": ERIANTYS}


def plays(name: str, options: Any, seats: int, seed: int) -> bool:
    """Whether these options can be played; if so, a match of them was, to its end."""
    game = games.game(name)
    try:
        settled = game.settle(options, (None,) * seats)
        game.new(settled, seats)
    except BoardwireError:
        return False
    position = None
    for ply in laws.playthrough(game, settled, seats, Random(seed).randrange, 3_000):
        position = ply.after
    assert position is None or game.pending(position) is None or getattr(settled, "ply_cap", 0) > 30
    return True


def check(name: str, examples: int) -> None:
    """Try this many options of a game."""
    options = OPTIONS.get(name, st.builds(games.game(name).Options))

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(options, st.integers(0, 5), st.integers(0, 2**32 - 1))
    def tried(options: Any, seats: int, seed: int) -> None:
        plays(name, options, seats, seed)

    tried()


@pytest.mark.parametrize("name", games.NAMES)
def test_options_are_refused_or_played_to_the_end(name: str) -> None:
    check(name, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.NAMES)
def test_many_options_are_refused_or_played_to_the_end(name: str) -> None:
    check(name, 3_000)


def test_a_pool_that_leaves_a_power_nothing_to_choose_is_played_without() -> None:
    atlas_and_nyx = Options(Draft.GIVEN, (God.ATLAS, God.NYX), ply_cap=20)
    for pool in ((God.PAN,), (God.HECATE,), (God.NYX, God.ATLAS)):
        assert plays("santorini", msgspec.structs.replace(atlas_and_nyx, pool=pool), 2, 1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"draft": "given", "gods": ["atlas", "nyx"], "pool": ["mortal"]}, "mortal is not a god"),
        ({"draft": "random", "pool": ["pan", "atlas", "pan"]}, "contains pan twice"),
        ({"draft": "random", "gods": ["pan"]}, "gods must not be given with draft random, only with given or fleece"),
        (
            {"draft": "none", "position": "x" * 60_000},
            "a position must not be given with draft none, only with position",
        ),
        ({"ply_cap": 0}, "1 to 1000 turns, not 0"),
        ({"ply_cap": 1_000_000}, "1 to 1000 turns"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_words(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Illegal, match=words):
        santorini.new(msgspec.convert(fields, Options), 2)
