"""The compact match goes on exactly as the rules have it: both are walked side by side."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from boardwire.bots.eriantys.core import slots
from boardwire.bots.eriantys.core.steps import legal, play, refill, restock
from boardwire.bots.eriantys.views import action_of, state_of, step_of
from boardwire.games import eriantys
from boardwire.games.eriantys import Character, CloudTime, Mode, Options, Position, Refill, Restock, Tower
from boardwire.games.game import CHANCE, Draw

SECRET = (slots.USER, slots.RESUME, slots.SWAPS, *range(slots.BEFORE, slots.BEFORE + 5))
"""What a view does not tell."""
IDLE = (slots.LEFT, slots.TOOK)
"""What means something in a turn only."""
SIDE_BY_SIDE = (Tower.WHITE, Tower.WHITE, Tower.BLACK, Tower.BLACK)


def shown(state: list[int]) -> list[int]:
    """What can be compared."""
    hidden = {*SECRET, *(() if state[slots.STAGE] in range(slots.CLOUD_FIRST, slots.OVER) else IDLE)}
    if state[slots.STAGE] in (slots.REFILL, slots.RESTOCK, slots.OVER):
        hidden |= {*IDLE, slots.ASKED}
    seats = state[slots.ORDERED]
    hidden |= set(range(slots.ORDER + seats, slots.ORDER + 4))
    return [-9 if at in hidden else value for at, value in enumerate(state)]


def set_up(options: Options, seats: int, below: Random) -> Position:
    position = eriantys.new(options, seats)
    while position.round == 0:
        position = luck(position, below)[0]
    return position


def luck(position: Position, random: Random) -> tuple[Position, object]:
    decision = eriantys.pending(position)
    assert decision is not None
    choices = decision.choices
    dealt = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
    return eriantys.apply(position, CHANCE, dealt)[0], dealt


def walk(options: Options, seats: int, seed: int, quits: bool = False) -> int:
    """A whole random match in both; how many steps there were."""
    random = Random(seed)
    position = set_up(options, seats, random)
    state = state_of(eriantys.view(position, None))
    count = 0
    while (decision := eriantys.pending(position)) is not None:
        count += 1
        if decision.seats == (CHANCE,):
            position, dealt = luck(position, random)
            if isinstance(dealt, Refill):
                refill(state, [count for cloud in dealt.clouds for count in cloud])
            elif isinstance(dealt, Restock):
                restock(state, dealt.colour)
        else:
            choices = list(decision.choices)
            steps = [step_of(action) for action in choices]
            assert sorted(steps) == sorted(legal(state))
            assert [action_of(step) for step in steps] == choices
            uses = [step for step in steps if step >> 12 == slots.USE]
            step = random.choice(uses if uses and random.random() < 0.4 else steps)
            position, _ = eriantys.apply(position, decision.seats[0], action_of(step))
            play(state, step)
        assert shown(state) == shown(state_of(eriantys.view(position, None)))
        if quits and seats > 2 and random.random() < 0.01 and eriantys.pending(position) is not None:
            seat = random.randrange(seats)
            if not eriantys.view(position, None).boards[seat].gone:
                position, _ = eriantys.forfeit(position, seat)
                state = state_of(eriantys.view(position, None))
                if state[slots.STAGE] in (slots.SWAP, slots.RESTOCK):
                    return count
    outcome = eriantys.outcome(position)
    assert outcome is not None
    sides = {state[slots.SIDE + seat] for seat in outcome.winners}
    assert sides == {side for side in range(3) if state[slots.WINNERS] >> side & 1} or quits
    return count


def trio(number: int) -> tuple[Character, ...]:
    """Three characters; any twelve numbers in a row have all of them."""
    every = tuple(Character)
    return every[number % 12], every[(number + 1) % 12], every[(number + 5) % 12]


@pytest.mark.parametrize(("seats", "mode"), list(product((2, 3, 4), Mode)))
def test_a_few_matches_go_on_as_the_rules_have_it(seats: int, mode: Mode) -> None:
    for seed, cloud in zip((0, 4), (CloudTime.LAST, CloudTime.EITHER), strict=True):
        characters = trio(3 * seats + seed) if mode is Mode.EXPERT else None
        assert walk(Options(mode, cloud, characters=characters), seats, seed) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "mode", "cloud"), list(product((2, 3, 4), Mode, CloudTime)))
def test_many_matches_go_on_as_the_rules_have_it(seats: int, mode: Mode, cloud: CloudTime) -> None:
    for seed in range(60):
        characters = trio(seed) if mode is Mode.EXPERT else None
        towers = SIDE_BY_SIDE if seats == 4 and seed % 2 else None
        walk(Options(mode, cloud, towers, characters), seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "mode"), list(product((3, 4), Mode)))
def test_matches_that_a_player_leaves_continue_by_the_rules(seats: int, mode: Mode) -> None:
    for seed in range(40):
        walk(Options(mode, characters=trio(seed) if mode is Mode.EXPERT else None), seats, seed, quits=True)
