"""Finding the legal steps: quick, and exactly what trying out everything finds."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games import santorini
from boardwire.games.santorini import Draft, God, Options, Wording
from boardwire.games.santorini.lookahead import Effort, Search, choices
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.offers import offers
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import compatible
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.testing import laws

UNREACHABLE: Final = "0000000000000000000000001/2/adonis[x|E5,A3]:E5,C3/hermes:A3,C2/@1"
"""Hermes must end beside a worker that he cannot come near, however he walks."""
CROWDED: Final = "0000000031000001001000304/1/hermes:B2,A5,A4/adonis[x|E5,B2]:E5,D5,C5/@1"
DANCE: Final = "00000 00000 00000 00000 00000/1/terpsichore:A1,A2/adonis[x|E5,A1]:E5,E4/@1"


SWAP: Final = "b001a11ab0baa3abb3abbb204/1/apollo:D3,C2/limus:D1,E4/@14"
"""Beside Limus, once she stands where Apollo left, he could build nothing."""


def takes(text: str, effort: int) -> bool:
    """Whether no more than this must be tried out to find what may be done in a position."""
    try:
        parse_position(text, effort=Effort(effort))
    except Illegal:
        return False
    return True


def test_an_endless_walk_is_looked_at_once_for_each_place_it_leads_to() -> None:
    assert takes(UNREACHABLE, 1_200)  # 21 squares for one worker, 20 for the other, and the first steps
    assert not takes(UNREACHABLE, 300)


def test_what_cannot_be_set_right_by_building_is_not_built_out() -> None:
    assert takes(DANCE, 100)


def test_a_position_given_by_hand_that_takes_too_long_is_refused() -> None:
    with pytest.raises(Illegal, match="take too long to compute"):
        santorini.new(Options(Draft.POSITION, position=CROWDED), 2)
    assert santorini.new(Options(Draft.POSITION, position=UNREACHABLE), 2).decision is not None


def tried_out(p: Position) -> tuple[Any, ...]:
    """The offers after which the turn can be finished lawfully, found without any shortcut."""
    rules = p.lineup.rules[p.seat]
    search = Search(rules, shortcuts=False)
    found = tuple(action for action in offers(p) if search.finds(p, action))
    for wisher in rules.wishers:
        if wisher.fate(p) is None:
            search = Search(rules, wisher, shortcuts=False)
            found = tuple(action for action in found if search.finds(p, action)) or found
    if not found and rules.endless and p.turn.moves > 2:  # it walks on, though its turn cannot end in time any more
        return tried_out(replace(p, turn=replace(p.turn, moves=2 - p.turn.moves % 2)))
    return found


def compare(god: God, law: God, seed: int, most: int = 1_000) -> int:
    """Along a random match, whether a god that a law binds has just the steps that trying out finds; how many
    positions were bound, `most` of which are looked at."""
    luck = Random(seed)
    gods = (god, law) if seed % 2 else (law, god)
    options = Options(Draft.GIVEN, gods, wording=Wording.PRINTED if seed % 4 > 1 else Wording.REVISED, ply_cap=30)
    bound = 0
    for ply in laws.playthrough(santorini, options, 2, luck.randrange):
        p = ply.after
        rules = p.lineup.rules[p.seat]
        if p.decision is None or p.setup is not None or p.turn.asks or rules.own.god is not god:
            continue
        if any(power.bound(p) for power in rules.laws) or any(power.fate(p) is None for power in rules.wishers):
            bound += 1
            assert set(tried_out(p)) == set(choices(p))
        if bound == most:
            break
    return bound


PAIRS: Final = [
    (god, law)
    for god in (God.HERMES, God.TERPSICHORE, God.TRITON)
    for law in (God.APHRODITE, God.ADONIS, God.PERSEPHONE)
]


@pytest.mark.parametrize(("god", "law"), PAIRS)
def test_shortcuts_find_what_trying_out_everything_finds(god: God, law: God) -> None:
    assert compare(god, law, 2, 6)


@pytest.mark.slow
@pytest.mark.parametrize(("god", "law"), PAIRS)
def test_shortcuts_find_what_trying_out_everything_finds_in_many_matches(god: God, law: God) -> None:
    assert sum(compare(god, law, seed) for seed in range(20)) > 20


ONE_MOVE: Final = [
    (god, law) for god in (God.ATLAS, God.ARES, God.ATHENA) for law in (God.APHRODITE, God.PERSEPHONE)
]  # fmt: skip


@pytest.mark.parametrize(("god", "law"), ONE_MOVE)
def test_the_only_move_of_a_turn_tells_what_trying_out_everything_finds(god: God, law: God) -> None:
    assert compare(god, law, 0, 12) > 3


def compare_doubts(god: God, foe: God, seed: int) -> int:
    """Along a random match, whether steps without a risk can be finished, and all of those that can are legal; how
    many positions in which someone may doubt one were looked at."""
    luck = Random(seed)
    gods = (god, foe) if seed % 2 else (foe, god)
    options = Options(Draft.GIVEN, gods, wording=Wording.PRINTED if seed % 4 > 1 else Wording.REVISED, ply_cap=60)
    doubted = 0
    for ply in laws.playthrough(santorini, options, 2, luck.randrange):
        p = ply.after
        rules = p.lineup.rules[p.seat]
        if p.decision is None or p.setup is not None or p.turn.asks or rules.veils or not rules.risk_checks:
            continue
        doubted += 1
        assert set(tried_out(p)) == set(choices(p)), f"{gods}, {seed}: {p.decision}"
    return doubted


CAREFUL: Final = [god for god, power in POWERS.items() if power.careful or power.hinders]


@pytest.mark.parametrize("god", CAREFUL)
def test_steps_that_are_not_risky_can_be_finished(god: God) -> None:
    assert sum(compare_doubts(god, God.MINOTAUR, seed) for seed in range(3))


def test_who_builds_first_may_be_carried_where_nothing_can_be_built() -> None:
    assert compare_doubts(God.PROMETHEUS, God.CHARYBDIS, 610059)


def test_a_swap_takes_along_what_the_other_keeps_from_being_built() -> None:
    p = parse_position(SWAP)
    assert set(choices(p)) == set(tried_out(p)) < set(offers(p))


@pytest.mark.slow
@pytest.mark.parametrize("god", CAREFUL)
def test_steps_that_are_not_risky_can_be_finished_in_many_matches(god: God) -> None:
    for foe in (God.ATLAS, God.CHARYBDIS, God.HARPIES, God.LIMUS, God.GAEA, God.CLIO):
        if foe is not god and compatible((god, foe)):
            for seed in range(8):
                compare_doubts(god, foe, seed)
