"""Laws over random matches of the advanced gods: they end, nothing raises, nothing leaks, and notation round-trips."""

from __future__ import annotations

import random

import pytest

from boardwire.games import santorini
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God, allowed, compatible
from boardwire.testing import laws

ADVANCED = tuple(god for god, entry in CATALOGUE.items() if entry.family is Family.ADVANCED)
OTHERS = (God.PROMETHEUS, God.APOLLO, God.ATHENA, God.HARPIES)


def match(god: God, rng: random.Random, seats: int) -> Options:
    """A match of a god with others that it may meet."""
    pool = [other for other in (*ADVANCED, *OTHERS) if other is not god and allowed(other, seats)]
    while True:
        gods = [god, *rng.sample(pool, seats - 1)]
        rng.shuffle(gods)
        if compatible(tuple(gods)):
            return Options(Draft.GIVEN, gods=tuple(gods), wording=rng.choice(list(Wording)), ply_cap=120)


@pytest.mark.parametrize("god", ADVANCED)
def test_every_advanced_god_keeps_the_laws(god: God) -> None:
    rng = random.Random(god)
    for seats in CATALOGUE[god].players:
        last = laws.check(santorini, match(god, rng, seats), seats, rng.randrange, every=9)
        assert last.outcome is not None


@pytest.mark.parametrize("god", ADVANCED)
def test_positions_of_every_advanced_god_can_be_written_and_read(god: God) -> None:
    rng, written = random.Random(god), 0
    p: Position = santorini.new(match(god, rng, 2), 2)
    while (decision := santorini.pending(p)) is not None:
        if p.setup is None and p.turn == FRESH:
            written += 1
            again = parse_position(format_position(p), p.options)
            assert format_position(again) == format_position(p)
            assert santorini.pending(again) == decision
        p, _ = santorini.apply(p, decision.seats[0], rng.choice(tuple(decision.choices)))
    assert written
    assert format_position(parse_position(format_position(p), p.options)) == format_position(p)


@pytest.mark.slow
@pytest.mark.parametrize("god", ADVANCED)
def test_every_advanced_god_keeps_the_laws_in_many_matches(god: God) -> None:
    rng = random.Random(god)
    for _ in range(20):
        for seats in CATALOGUE[god].players:
            laws.check(santorini, match(god, rng, seats), seats, rng.randrange, every=5)
