"""Whole games of Eriantys: the invariants of the rules, legality, and that every game ends by a rule."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from boardwire.errors import Illegal, Refused
from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Action,
    Character,
    CloudTime,
    Colour,
    Done,
    DrawFirst,
    Event,
    Mode,
    MoveMotherNature,
    Options,
    PlaceMotherNature,
    PlayAssistant,
    Position,
    Restock,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.piles import counts, size, slot
from boardwire.games.eriantys.position import owner
from boardwire.games.eriantys.stages import Stage
from boardwire.games.game import CHANCE, Below, Decision

MODES = tuple(product((2, 3, 4), Mode, CloudTime))

UNIVERSE: tuple[Action, ...] = (
    *(PlayAssistant(card) for card in range(-1, 13)),
    *(ToHall(colour) for colour in Colour),
    *(ToIsland(colour, tile) for colour in Colour for tile in range(-1, 13)),
    *(MoveMotherNature(steps) for steps in range(-1, 9)),
    *(TakeCloud(cloud) for cloud in range(-1, 5)),
    *(UseCharacter(character) for character in Character),
    *(UseCharacter(character, colour) for character in Character for colour in Colour),
    *(UseCharacter(character, island=tile) for character in Character for tile in range(-1, 13)),
    *(UseCharacter(Character.MONK, colour, tile) for colour in Colour for tile in range(-1, 13)),
    *(
        UseCharacter(character, colour, give=give)
        for character in (Character.JESTER, Character.MINSTREL, Character.KNIGHT)
        for colour in Colour
        for give in Colour
    ),
    *(Swap(colour, give) for colour in Colour for give in Colour),
    Done(),
    *(PlaceMotherNature(tile) for tile in range(-1, 13)),
    *(DrawFirst(seat) for seat in range(-1, 5)),
    *(Restock(colour) for colour in Colour),
)
"""Everything a player can say, and what luck can say in few words."""


def pick(decision: Decision[Any], below: Below) -> Action:
    """Any of the choices."""
    choices: Any = decision.choices
    action: Action = choices.draw(below) if hasattr(choices, "draw") else tuple(choices)[below(len(choices))]
    return action


def step(position: Position, below: Below) -> tuple[Position, tuple[Event, ...]]:
    """A random legal step."""
    decision = eriantys.pending(position)
    assert decision is not None
    return eriantys.apply(position, decision.seats[0], pick(decision, below))


def students(position: Position) -> int:
    """How many students there are, wherever they are."""
    places = [slot(position.islands, tile) for tile in range(12)]
    places += [slot(position.entrances, seat) for seat in range(4)]
    places += [slot(position.halls, seat) for seat in range(4)]
    places += [*position.clouds, position.bag]
    if position.expert is not None:
        places += [card.students for card in position.expert.cards]
    return sum(map(size, places))


def check(position: Position) -> None:
    """The invariants of rules 2.2, and what a position promises of itself."""
    if position.islands:
        assert students(position) == 130
    heads = position.ring.heads
    assert all(not slot(position.islands, tile) for tile in range(12) if tile not in heads)
    assert 0 <= position.mother < 12
    ended = eriantys.outcome(position)
    won_by_towers = ended is not None and ended.termination == "towers"
    standing = Counter(owner(position, tile) for tile in range(12))
    for side, left in enumerate(position.towers):
        assert left >= 0
        assert left + standing[side] == position.terms.towers
    for index, head in enumerate(heads):
        side_here = owner(position, head)
        if not won_by_towers:
            assert {owner(position, tile) for tile in position.ring.tiles[index]} == {side_here}
            assert side_here is not None or len(position.ring.tiles[index]) == 1
            assert side_here is None or side_here != owner(position, heads[index - 1])
    for seat in range(position.terms.seats):
        assert max(counts(slot(position.halls, seat))) <= 10
    for colour, holder in enumerate(position.professors.holders):
        # The Minstrel's professors are settled when the swaps are over.
        if holder < 0 and position.stage is not Stage.SWAP:
            assert not any(counts(slot(position.halls, seat))[colour] for seat in range(position.terms.seats))
    check_expert(position)
    assert (eriantys.pending(position) is None) == (ended is not None)


def check_expert(position: Position) -> None:
    """Coins and no-entry tiles are never lost."""
    expert = position.expert
    if expert is None:
        return
    assert sum(expert.coins) + expert.supply + sum(card.used for card in expert.cards) == 20
    assert min(*expert.coins, expert.supply) >= 0
    tiles = sum(expert.no_entry) + sum(card.no_entry for card in expert.cards)
    assert tiles == (4 if any(card.character is Character.GRANDMA for card in expert.cards) else 0)


def check_legality(position: Position) -> None:
    """Legal is exactly what apply accepts, from exactly those seats."""
    decision = eriantys.pending(position)
    assert decision is not None
    (seat,) = decision.seats
    for action in UNIVERSE:
        try:
            eriantys.apply(position, seat, action)
        except Illegal:
            assert action not in decision.choices
        else:
            assert action in decision.choices
    other = 0 if seat == CHANCE else (seat + 1) % position.terms.seats
    with pytest.raises(Refused):
        eriantys.apply(position, other, PlayAssistant(1))


def check_choices(position: Position) -> None:
    """The choices are a sequence without repetitions, and all of them are legal."""
    decision = eriantys.pending(position)
    assert decision is not None
    choices: Any = decision.choices
    if hasattr(choices, "draw"):
        return
    listed = tuple(choices)
    assert len(listed) == len(choices) == len(set(listed)) > 0
    assert tuple(choices[index] for index in range(len(choices))) == listed
    assert choices[-1] == listed[-1]
    for action in listed:
        eriantys.apply(position, decision.seats[0], action)


def check_encoding(events: tuple[Event, ...], position: Position) -> None:
    """Events and views survive the journal and the wire."""
    assert msgspec.json.decode(msgspec.json.encode(events), type=tuple[Event, ...]) == events
    seen = eriantys.view(position, None)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=eriantys.View) == seen
    assert all(eriantys.show(event, 0) is event for event in events)


def play(seats: int, options: Options, seed: int, *, checked: int) -> Position:
    """A whole random game, with all checks at every `checked`-th step."""
    luck = random.Random(seed)
    below = luck.randrange
    position = eriantys.new(options, seats)
    number = 0
    while eriantys.pending(position) is not None:
        number += 1
        if checked and number % checked == 0:
            check_choices(position)
            check_legality(position)
        before = position
        position, events = step(position, below)
        if checked:
            check(position)
            assert hash(before) is not None
            if number % checked == 0:
                check_encoding(events, position)
        assert number < 600, "a game has at most ten rounds"
    return position


@pytest.mark.parametrize(("seats", "mode", "cloud"), MODES)
def test_random_games_keep_the_invariants_and_end_by_a_rule(seats: int, mode: Mode, cloud: CloudTime) -> None:
    for seed in range(3):
        position = play(seats, Options(mode=mode, cloud=cloud), seed, checked=29)
        ended = eriantys.outcome(position)
        assert ended is not None
        assert ended.termination in ("towers", "islands", "bag", "assistants")
        assert ended.winners


@pytest.mark.parametrize("character", list(Character))
def test_games_with_each_character_keep_the_invariants(character: Character) -> None:
    others = [other for other in (Character.MONK, Character.JESTER, Character.MINSTREL) if other is not character]
    options = Options(mode=Mode.EXPERT, characters=(character, others[0], others[1]))
    for seats in (2, 3):
        play(seats, options, 7, checked=41)


@pytest.mark.parametrize(("seats", "mode", "cloud"), MODES)
def test_games_of_three_and_four_also_run_to_the_end_of_the_bag(seats: int, mode: Mode, cloud: CloudTime) -> None:
    endings = Counter(
        ended.termination
        for seed in range(25)
        if (ended := eriantys.outcome(play(seats, Options(mode=mode, cloud=cloud), seed, checked=0)))
    )
    assert endings["assistants" if seats == 2 else "bag"] > 0
    assert endings["towers"] > 0
    assert not endings["bag" if seats == 2 else "assistants"]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "mode", "cloud"), MODES)
def test_thousands_of_games_end_by_a_rule(seats: int, mode: Mode, cloud: CloudTime) -> None:
    rounds: Counter[int] = Counter()
    for seed in range(2000):
        position = play(seats, Options(mode=mode, cloud=cloud), seed, checked=0)
        check(position)
        rounds[position.round] += 1
    assert max(rounds) <= (10 if seats == 2 else 9)


def test_equal_histories_give_equal_positions() -> None:
    first, second = (play(3, Options(mode=Mode.EXPERT), 5, checked=0) for _ in range(2))
    assert first == second
    assert first is not second


class Match(RuleBasedStateMachine):
    """Any mode, any legal step, wrong steps, and people who leave or are absent."""

    position: Position

    @initialize(
        mode=st.sampled_from(MODES),
        seed=st.integers(0, 2**32),
        characters=st.lists(st.sampled_from(list(Character)), min_size=3, max_size=3, unique=True),
    )
    def begin(self, mode: tuple[int, Mode, CloudTime], seed: int, characters: list[Character]) -> None:
        seats, kind, cloud = mode
        self.luck = random.Random(seed)
        chosen = tuple(characters) if kind is Mode.EXPERT and seed % 2 else None
        self.position = eriantys.new(Options(mode=kind, cloud=cloud, characters=chosen), seats)

    def playing(self) -> bool:
        return eriantys.pending(self.position) is not None

    @precondition(playing)
    @rule(count=st.integers(1, 40))
    def play_on(self, count: int) -> None:
        for _ in range(count):
            if self.playing():
                self.position, _ = step(self.position, self.luck.randrange)
                check(self.position)

    @precondition(playing)
    @rule(action=st.sampled_from(UNIVERSE))
    def try_something(self, action: Action) -> None:
        decision = eriantys.pending(self.position)
        assert decision is not None
        legal = action in decision.choices
        try:
            self.position, _ = eriantys.apply(self.position, decision.seats[0], action)
        except Illegal:
            assert not legal
        else:
            assert legal

    @precondition(lambda self: self.playing() and self.position.seat >= 0)
    @rule()
    def be_absent(self) -> None:
        self.position, _ = eriantys.skip(self.position, self.position.seat)

    @precondition(lambda self: self.playing() and self.luck.random() < 0.2)
    @rule(seat=st.integers(0, 3))
    def leave(self, seat: int) -> None:
        try:
            self.position, _ = eriantys.forfeit(self.position, seat)
        except Refused:
            assert seat >= self.position.terms.seats or eriantys.view(self.position, seat).boards[seat].gone
        ended = eriantys.outcome(self.position)
        assert ended is None or seat not in ended.winners

    @rule()
    def look(self) -> None:
        seen = eriantys.view(self.position, None)
        assert (seen.outcome is None) == self.playing()
        if not self.playing():
            with pytest.raises(Refused, match="over"):
                eriantys.forfeit(self.position, 0)

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "position"):
            check(self.position)


TestMatch = Match.TestCase
TestMatch.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
