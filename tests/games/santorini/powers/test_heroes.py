"""What holds of all heroes [2.4]: their numbers of players, and the laws over random matches."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.errors import Illegal
from boardwire.games import santorini
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import HEROES, God
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.testing import laws

RIVALS = (God.ARTEMIS, God.PERSEPHONE, God.APHRODITE, God.CHARYBDIS, God.LIMUS, God.ADONIS, God.TARTARUS)


@pytest.mark.parametrize("hero", HEROES)
def test_heroes_are_for_two_players(hero: God) -> None:
    santorini.new(Options(Draft.GIVEN, gods=(hero, God.PAN)), 2)
    for gods in ((hero, God.PAN, God.ATLAS), (hero, God.PAN, God.ATLAS, God.HERA)):
        with pytest.raises(Illegal):
            santorini.new(Options(Draft.GIVEN, gods=gods), len(gods))


@pytest.mark.parametrize("hero", HEROES)
def test_heroes_are_spent_once_and_remember_it(hero: God) -> None:
    assert POWERS[hero].once
    assert POWERS[hero].lasting


@pytest.mark.parametrize("wording", list(Wording))
@pytest.mark.parametrize("hero", HEROES)
def test_matches_of_heroes_keep_the_laws_and_end(hero: God, wording: Wording) -> None:
    rng = Random(f"{hero} {wording}")
    rival = rng.choice([god for god in RIVALS if god is not hero])
    options = Options(Draft.GIVEN, gods=(hero, rival), wording=wording, ply_cap=300)
    last = laws.check(santorini, options, 2, rng.randrange, every=5)
    assert santorini.outcome(last) is not None
