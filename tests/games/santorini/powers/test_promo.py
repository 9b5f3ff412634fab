"""The promo gods in random matches: they keep the laws and end, by two, three and in teams."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.games import santorini
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God, allowed, compatible
from boardwire.testing import laws

PROMO = tuple(entry.god for entry in CATALOGUE.values() if entry.family is Family.PROMO)
OTHERS = (God.ARTEMIS, God.PERSEPHONE, God.APHRODITE, God.CHARYBDIS, God.LIMUS, God.HECATE, God.TARTARUS, God.MOERAE)


@pytest.mark.parametrize(("god", "seats"), [(god, seats) for god in PROMO for seats in CATALOGUE[god].players])
def test_matches_of_promo_gods_keep_the_laws_and_end(god: God, seats: int) -> None:
    rng = Random(f"{god} {seats}")
    others = [other for other in (*OTHERS, *PROMO) if other is not god and allowed(other, seats)]
    gods: tuple[God, ...] = (god,)
    while len(gods) < seats:
        other = rng.choice(others)
        if other not in gods and compatible((*gods, other)):
            gods = (*gods, other)
    wording = rng.choice(list(Wording))
    last = laws.check(
        santorini, Options(Draft.GIVEN, gods=gods, wording=wording, ply_cap=300), seats, rng.randrange, every=5
    )
    assert santorini.outcome(last) is not None
