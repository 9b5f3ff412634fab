"""What seats bring along, settled."""

from __future__ import annotations

import pytest

from boardwire.errors import Refused
from boardwire.games.eriantys import Character, Mode, Options, Tower, Wish, settle

W, B, G = Tower.WHITE, Tower.BLACK, Tower.GREY


def test_options_without_wishes_are_unchanged() -> None:
    options = Options()
    assert settle(options, [None, None]) is options
    assert settle(options, [Wish(), None]) is options


@pytest.mark.parametrize(
    ("wanted", "towers"),
    [
        ([B, None], (B, W)),
        ([None, W], (B, W)),
        ([G, None, W], (G, B, W)),
        ([B, B, None, None], (B, B, W, W)),
        ([None, B, None, B], (W, B, W, B)),
    ],
)
def test_each_seat_has_the_colour_it_wants_and_the_others_what_is_left(
    wanted: list[Tower | None], towers: tuple[Tower, ...]
) -> None:
    assert settle(Options(), [Wish(tower) for tower in wanted]).towers == towers


def test_a_taken_colour_is_refused_by_name() -> None:
    with pytest.raises(Refused, match="white towers are taken"):
        settle(Options(), [Wish(W), Wish(W)])
    with pytest.raises(Refused, match="black towers are taken"):
        settle(Options(), [Wish(B), Wish(B), Wish(B), None])


def test_a_colour_that_does_not_exist_for_this_number_of_players_is_refused() -> None:
    with pytest.raises(Refused, match="grey towers are taken"):
        settle(Options(), [Wish(G), None])


def test_only_characters_that_every_program_knows_are_drawn() -> None:
    some = (Character.MONK, Character.KNIGHT, Character.CENTAUR, Character.THIEF)
    others = (Character.KNIGHT, Character.MONK, Character.CENTAUR)
    settled = settle(Options(Mode.EXPERT), [Wish(characters=some), Wish(characters=others)])
    assert settled.catalogue == (Character.MONK, Character.CENTAUR, Character.KNIGHT)


def test_too_few_common_characters_are_refused_in_an_expert_game_only() -> None:
    wishes = [Wish(characters=(Character.MONK,)), None]
    with pytest.raises(Refused, match="too few characters"):
        settle(Options(Mode.EXPERT), wishes)
    assert settle(Options(), wishes) == Options()
