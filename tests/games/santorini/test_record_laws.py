"""Every god in pairs, trios and teams: random matches keep the laws, end by a rule, and come back from their record."""

from __future__ import annotations

import random

import pytest

from boardwire.games import santorini
from boardwire.games.game import Idle
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, allowed, banned, compatible
from boardwire.games.santorini.record import format_record, parse_record, record_match
from boardwire.testing import laws

NAMES = ("Ann", "Bob", "Cid", "Dora")
PAIRS = [
    (one, other)
    for at, one in enumerate(CATALOGUE)
    for other in list(CATALOGUE)[at + 1 :]
    if not banned(one, other)
]  # fmt: skip


def company(rng: random.Random, god: God, seats: int) -> tuple[God, ...]:
    """A god in a random seat among others that it may meet."""
    others = [other for other in CATALOGUE if other is not god and allowed(other, seats)]
    while True:
        gods = [god, *rng.sample(others, seats - 1)]
        rng.shuffle(gods)
        if compatible(tuple(gods)):
            return tuple(gods)


def check(rng: random.Random, gods: tuple[God, ...], cap: int, every: int) -> None:
    """Play a match of these gods by the laws, and write it down."""
    options = Options(Draft.GIVEN, gods=gods, wording=rng.choice(list(Wording)), ply_cap=cap)
    seed = rng.randrange(2**32)
    last = laws.check(santorini, options, len(gods), random.Random(seed).randrange, every=every)
    assert last.outcome is not None
    steps: list[tuple[int, Action | Idle]] = [
        (ply.seat, ply.action)
        for ply in laws.playthrough(santorini, options, len(gods), random.Random(seed).randrange)
    ]  # fmt: skip
    record = record_match(NAMES[: len(gods)], options, steps)
    assert record.outcome == last.outcome
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(("one", "other"), random.Random(1).sample(PAIRS, 10))
def test_a_pair_of_gods_keeps_the_laws(one: God, other: God) -> None:
    check(random.Random(f"{one} {other}"), (one, other), cap=40, every=9)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_trio_and_teams_keep_the_laws(seats: int) -> None:
    rng = random.Random(seats)
    for god in rng.sample([god for god in CATALOGUE if allowed(god, seats)], 4):
        check(rng, company(rng, god, seats), cap=40, every=9)


@pytest.mark.slow
@pytest.mark.parametrize("god", CATALOGUE)
def test_every_pair_of_gods_keeps_the_laws(god: God) -> None:
    rng = random.Random(god)
    for one, other in PAIRS:
        if one is god:
            check(rng, rng.choice([(one, other), (other, one)]), cap=300, every=17)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("god", CATALOGUE)
def test_every_god_keeps_the_laws_in_trios_and_teams(god: God, seats: int) -> None:
    rng = random.Random(f"{god} {seats}")
    if allowed(god, seats):
        for _ in range(8):
            check(rng, company(rng, god, seats), cap=300, every=17)
