"""The family of the Golden Fleece: all of it is there, and it keeps the laws against a handful of others."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.games import santorini
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God, allowed, compatible
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.testing import laws

FAMILY = tuple(entry.god for entry in CATALOGUE.values() if entry.family is Family.FLEECE)
OTHERS = (God.APOLLO, God.ARTEMIS, God.ATHENA, God.DEMETER, God.MINOTAUR, God.PAN, God.PROMETHEUS, *FAMILY)


def lineup(rng: Random, god: God, seats: int, wording: Wording) -> tuple[God, ...] | None:
    """The god and others it may meet, in any order; None if it is not for this many."""
    printed = wording is Wording.PRINTED
    if not allowed(god, seats, printed):
        return None
    while True:
        gods = [god, *rng.sample([other for other in OTHERS if other is not god], seats - 1)]
        rng.shuffle(gods)
        if compatible(tuple(gods)) and all(allowed(other, seats, printed) for other in gods):
            return tuple(gods)


def test_the_whole_family_can_be_played() -> None:
    assert len(FAMILY) == 15
    assert set(FAMILY) <= set(POWERS)


@pytest.mark.parametrize("god", FAMILY)
def test_the_family_keeps_the_laws(god: God) -> None:
    rng, played = Random(god), 0
    for seats in (2, 3, 4):
        for wording in Wording:
            gods = lineup(rng, god, seats, wording)
            if gods is not None:
                played += 1
                options = Options(Draft.GIVEN, gods=gods, wording=wording, ply_cap=40)
                last: Position = laws.check(santorini, options, seats, rng.randrange, every=9)
                assert last.outcome is not None
    assert played


@pytest.mark.parametrize("god", FAMILY)
def test_what_the_family_remembers_is_written_and_read(god: God) -> None:
    rng = Random(god)
    gods = lineup(rng, god, 2, Wording.REVISED)
    assert gods is not None
    written = 0
    for ply in laws.playthrough(santorini, Options(Draft.GIVEN, gods=gods, ply_cap=60), 2, rng.randrange):
        p: Position = ply.position
        if p.setup is None and p.turn == FRESH:
            written += 1
            again = parse_position(format_position(p), p.options)
            assert (again.memos, again.solid, again.decision) == (p.memos, p.solid, p.decision)
    assert written
