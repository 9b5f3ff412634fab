"""The engine beside a naive second implementation: the same turns everywhere, in the base game and with simple gods."""

from __future__ import annotations

import random
from collections import deque

import pytest
from msgspec.structs import replace

from boardwire.games.santorini.edits import heights
from boardwire.games.santorini.lookahead import choices
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.position import END, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.squares import square_name
from boardwire.games.santorini.step import advance
from boardwire.games.santorini.turn import settle

from .naive import Key, State, turns

GODS = (God.MORTAL, *(god for god, entry in CATALOGUE.items() if entry.family is Family.SIMPLE))


def scene(rng: random.Random, gods: tuple[God, ...], high: int) -> str:
    """Any position of these gods, likely or not; the board is about as built up as `high` says."""
    squares = rng.sample(range(25), 2 * len(gods))
    signs = [str(min(rng.randrange(high + 1), rng.randrange(5))) for _ in range(25)]
    for square in rng.sample(range(25), 3):
        signs[square] = rng.choice("abc4")
    for square in squares:
        signs[square] = str(rng.randrange(min(high, 3) + 1))
    sections = [
        f"{god}{'[^]' if god is God.ATHENA and rng.random() < 0.5 else ''}:"
        + ",".join(map(square_name, squares[2 * seat : 2 * seat + 2]))
        for seat, god in enumerate(gods)
    ]
    return f"{''.join(signs)}/{rng.randrange(len(gods)) + 1}/{'/'.join(sections)}"


def copied(p: Position) -> State:
    """An engine's position for the naive rules."""
    domes = [bool(p.domes >> square & 1) for square in range(25)]
    workers = [[square for square in side if square >= 0] for side in p.workers]
    state = State(list(heights(p)), domes, workers, [god.value for god in p.lineup.gods], p.seat)
    state.bans = [power.written(p) == "^" for power in p.lineup.powers]
    state.winner = p.outcome.winners[0] if p.outcome is not None else -1
    return state


def engine_turns(p: Position) -> dict[Key, Position]:
    """The ends of the turn, found step by step, the shortest ways first: strolls may go round for ever."""
    ends: dict[Key, Position] = {}
    waiting, seen = deque([p]), set[object]()
    while waiting and p.outcome is None:
        here = waiting.popleft()
        for action in choices(here):
            after = advance(here, action, [])
            if after.outcome is not None or after.turn.stage == END:
                ends[copied(after).key()] = after
                continue
            if p.lineup.rules[p.seat].endless:
                place = replace(after, turn=replace(after.turn, moves=0, came=-1, start=-1))
                if place in seen:
                    continue
                seen.add(place)
            waiting.append(after)
    return ends


def compare(p: Position) -> list[Position]:
    """Compare the turns of a position; gives the ends the engine found."""
    mine, other = engine_turns(p), turns(copied(p))
    assert mine.keys() == other.keys(), format_position(p)
    assert bool(other) == (p.outcome is None), format_position(p)
    return list(mine.values())


@pytest.mark.parametrize("god", GODS)
def test_the_engine_finds_the_same_turns_as_a_naive_one_on_any_board(god: God) -> None:
    rng = random.Random(god)
    for high in (1, 3) if god is God.HERMES else (1, 2, 3, 4):
        compare(parse_position(scene(rng, (god, rng.choice(GODS)), high)))


@pytest.mark.parametrize("god", [god for god in GODS if god is not God.HERMES][::3])
def test_the_engine_and_a_naive_one_agree_turn_by_turn_along_a_match(god: God) -> None:
    rng = random.Random(god)
    p = parse_position(f"{'0' * 25}/1/{god}:B3,D3/{rng.choice(GODS[:7])}:C4,C2/minotaur:A1,E5")
    for _ in range(6):
        ends = compare(p)
        p = settle(rng.choice([end for end in ends if end.outcome is None] or ends), [])
        if p.outcome is not None:
            break


@pytest.mark.slow
@pytest.mark.parametrize("god", GODS)
def test_the_engine_finds_the_same_turns_as_a_naive_one_for_every_pair(god: God) -> None:
    rng = random.Random(god)
    for other in GODS:
        for high in (0, 1, 2, 3, 4, 5):
            compare(parse_position(scene(rng, (god, other), high)))
            compare(parse_position(scene(rng, (god, other, rng.choice(GODS)), high)))


@pytest.mark.slow
@pytest.mark.parametrize("god", GODS)
def test_the_engine_and_a_naive_one_agree_turn_by_turn_along_whole_matches(god: God) -> None:
    rng = random.Random(god)
    for other in rng.sample(GODS, 3):
        p = parse_position(f"{'0' * 25}/1/{god}:B3,D3/{other}:C4,C2")
        while p.outcome is None:
            ends = compare(p)
            p = settle(rng.choice(ends), [])


def test_a_difference_would_be_seen() -> None:
    p = parse_position("1000000000000000000000000/1/pan:B3,D3/mortal:C4,C2")
    state = copied(p)
    state.gods[0] = "apollo"
    assert engine_turns(p).keys() != turns(state).keys()
