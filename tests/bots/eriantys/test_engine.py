"""The engine that plays Eriantys: always by the rules, within its limits, and blind for what is hidden."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from boardwire.bots.arena import play as play_match
from boardwire.bots.engine import WON, SearchLimits, SearchResult
from boardwire.bots.eriantys import ENGINE, forecast
from boardwire.bots.greedy import GreedyBot
from boardwire.games import eriantys
from boardwire.games.eriantys import Action, Character, CloudTime, Kind, Mode, Options, Position, UseCharacter, View
from boardwire.games.eriantys.diagram import build_position
from boardwire.games.eriantys.position import changed
from boardwire.games.eriantys.stages import Stage
from boardwire.games.game import CHANCE, Below, Decision, Draw

KINDS = list(product((2, 3, 4), Mode))


def think(position: Position, nodes: int = 400, seed: int = 1, depth: int = 0) -> SearchResult:
    decision = eriantys.pending(position)
    assert decision is not None
    view = eriantys.view(position, decision.seats[0])
    return ENGINE.think(view, decision, Random(seed).randrange, SearchLimits(nodes, depth), lambda: False)


class Player:
    """The engine as a bot that plays each turn as it was thought."""

    name = "engine"

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._rest: list[Action] = []

    def choose(self, view: View, decision: Decision[Action], below: Below, budget: int) -> Action:
        if not self._rest or self._rest[0] not in decision.choices:
            self._rest = list(ENGINE.think(view, decision, below, SearchLimits(self._nodes), lambda: False).turn)
        return self._rest.pop(0)


def random_play(options: Options, seats: int, seed: int, nodes: int, often: int) -> int:
    """A match of random steps, where the engine is asked now and then, and each turn that it finds is played; how often
    it was asked."""
    random = Random(seed)
    position = eriantys.new(options, seats)
    asked = 0
    while (decision := eriantys.pending(position)) is not None:
        choices = decision.choices
        if decision.seats == (CHANCE,):
            dealt = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
            position, _ = eriantys.apply(position, CHANCE, dealt)
        elif random.randrange(often):
            position, _ = eriantys.apply(position, decision.seats[0], random.choice(tuple(choices)))
        else:
            asked += 1
            seat = decision.seats[0]
            thought = think(position, nodes, seed)
            assert -1 <= thought.value <= 1
            assert thought.nodes <= nodes
            assert thought.turn[0] in choices
            for action in thought.turn:
                while (due := eriantys.pending(position)) is not None and due.seats == (CHANCE,):
                    assert isinstance(due.choices, Draw)
                    position, _ = eriantys.apply(position, CHANCE, due.choices.draw(random.randrange))
                position, _ = eriantys.apply(position, seat, action)
    return asked


@pytest.mark.parametrize(("seats", "mode"), KINDS)
def test_whatever_it_is_asked_it_finds_a_whole_turn_by_the_rules(seats: int, mode: Mode) -> None:
    for seed, cloud in enumerate(CloudTime):
        assert random_play(Options(mode, cloud), seats, seed, 30, 12) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "mode", "cloud"), list(product((2, 3, 4), Mode, CloudTime)))
def test_in_many_random_matches_it_never_breaks_a_rule(seats: int, mode: Mode, cloud: CloudTime) -> None:
    assert sum(random_play(Options(mode, cloud), seats, seed, 40, 2) for seed in range(40)) > 500


def opened(options: Options, seats: int, seed: int) -> Position:
    """A match before its first assistant."""
    random = Random(seed)
    position = eriantys.new(options, seats)
    while (decision := eriantys.pending(position)) is not None and decision.seats == (CHANCE,):
        choices = decision.choices
        dealt = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
        position, _ = eriantys.apply(position, CHANCE, dealt)
    return position


def test_the_same_luck_gives_the_same_thought() -> None:
    position = opened(Options(Mode.EXPERT), 3, 5)
    assert think(position, seed=3) == think(position, seed=3)


def test_in_the_midst_of_swaps_it_says_only_the_next_step() -> None:
    random_play(Options(Mode.EXPERT, CloudTime.FIRST), 2, 1000, 40, 2)


def unlike(position: Position) -> Position:
    """The same match, with other things that a view does not tell: swaps that may follow, and what was before them."""
    expert = position.expert
    assert expert is not None
    more = replace(expert, swaps=expert.swaps + 1, hall=expert.hall ^ 1, resume=Stage.FINISH, user=1 - position.seat)
    return changed(position, expert=more)


@pytest.mark.parametrize("stage", [Stage.STUDENTS, Stage.NATURE, Stage.SWAP])
def test_the_choice_does_not_change_with_what_a_view_does_not_tell(stage: Stage) -> None:
    """The order of the bag is in no position, and everyone's assistants are open; what else is not told is changed
    here, in matches of swaps."""
    options = Options(Mode.EXPERT, characters=(Character.JESTER, Character.MINSTREL, Character.THIEF))
    random, asked = Random(3), 0
    while asked < 3:
        position = opened(options, 2, random.randrange(100))
        while (decision := eriantys.pending(position)) is not None:
            choices = decision.choices
            if position.stage is stage and len(choices) > 1:
                asked += 1
                twin = unlike(position)
                assert twin != position
                views = [eriantys.view(one, decision.seats[0]) for one in (position, twin)]
                said = [ENGINE.think(view, decision, Random(1).randrange, SearchLimits(60), bool) for view in views]
                assert said[0] == said[1]
                break
            dealt = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
            position, _ = eriantys.apply(position, decision.seats[0], dealt)


def test_matches_whose_bags_are_drawn_otherwise_get_the_same_choices_until_they_are() -> None:
    one = other = opened(Options(), 2, 5)
    lucks = Random(1), Random(2)
    while one == other:
        decision = eriantys.pending(one)
        assert decision is not None
        if isinstance(decision.choices, Draw):
            acts = [decision.choices.draw(luck.randrange) for luck in lucks]
        else:
            acts = [think(position, 60).turn[0] for position in (one, other)]
            assert acts[0] == acts[1]
        one, other = (
            eriantys.apply(position, decision.seats[0], act)[0]
            for position, act in zip((one, other), acts, strict=True)
        )
    assert one.round == other.round == 2


def test_it_respects_its_limits_and_stops_when_the_caller_stops_waiting() -> None:
    position = opened(Options(), 2, 6)
    for nodes in (1, 10, 100):
        assert think(position, nodes).nodes <= nodes
    decision = eriantys.pending(position)
    assert decision is not None
    view = eriantys.view(position, decision.seats[0])
    assert ENGINE.think(view, decision, Random(1).randrange, SearchLimits(10**9), lambda: True).nodes < 100


LAST_TOWER = [
    ("group 4", "4 5 6 7 8 9 10"),
    ("owner 4", "white"),
    ("card A", "1"),
    ("entrance A", "green 3 yellow 4"),
]
"""A has one tower left, mother nature is on island 0 and may go one step, and no professor has a holder."""

RED_IS_MINE = [("professor red", "A"), ("hall A", "red 2")]
BLUE_IS_THEIRS = [("professor blue", "B"), ("hall B", "blue 2")]
RED_IS_THEIRS = [("professor red", "B"), ("hall B", "red 1"), ("hall A", "red 1"), ("island 1", "red 1")]

NEEDED = {
    Character.MONK: [("on monk", "red 1 green 3"), *RED_IS_MINE],
    Character.FARMER: RED_IS_THEIRS,
    Character.HERALD: [("island 3", "red 1"), *RED_IS_MINE],
    Character.POSTMAN: [("island 3", "red 1"), *RED_IS_MINE],
    Character.CENTAUR: [("owner 1", "black"), ("island 1", "red 1"), *RED_IS_MINE],
    Character.JESTER: [("on jester", "red 1 green 5"), ("asked", "student"), ("moved", "2"), *RED_IS_MINE],
    Character.KNIGHT: [("island 1", "blue 1"), *BLUE_IS_THEIRS],
    Character.MUSHROOM: [("island 1", "blue 2 red 1"), *RED_IS_MINE, *BLUE_IS_THEIRS],
    Character.MINSTREL: [("professor red", "B"), ("hall A", "green 1"), ("entrance A", "red 4"), ("island 1", "red 1")],
    Character.PRINCESS: [("on princess", "red 1 green 3"), *RED_IS_THEIRS],
}
"""What else makes a position where this character alone wins the match in this turn."""


def won_with(position: Position, thought: SearchResult) -> tuple[int, ...]:
    """Who has won once the turn is played, by the rules."""
    for action in thought.turn:
        while (decision := eriantys.pending(position)) is not None and decision.seats == (CHANCE,):
            assert isinstance(decision.choices, Draw)
            position, _ = eriantys.apply(position, CHANCE, decision.choices.draw(lambda count: 0))
        position, _ = eriantys.apply(position, 0, action)
    outcome = eriantys.outcome(position)
    return () if outcome is None else outcome.winners


def test_it_wins_where_it_can_and_says_so() -> None:
    position = build_position([*LAST_TOWER, *RED_IS_MINE, ("entrance A", "red 1 green 3 yellow 3")])
    thought = think(position, 1_000)
    assert (thought.value, thought.proved) == (WON, 1)
    assert won_with(position, thought) == (0,)


@pytest.mark.parametrize("character", NEEDED)
def test_it_wins_with_a_character_where_that_alone_wins(character: Character) -> None:
    others = [other for other in (Character.THIEF, Character.GRANDMA) if other is not character]
    given = dict([*LAST_TOWER, ("asked", "steps"), ("coins A", "3"), *NEEDED[character]])
    position = build_position([("characters", " ".join((character, *others))), *given.items()])
    thought = think(position, 3_000)
    assert [action.character for action in thought.turn if isinstance(action, UseCharacter)] == [character]
    assert thought.proved == 1
    assert won_with(position, thought) == (0,)


@pytest.mark.slow
def test_in_matches_it_uses_every_character() -> None:
    used: set[Character] = set()
    every = tuple(Character)

    class Watched(Player):
        """Whose characters are noted."""

        def choose(self, view: View, decision: Decision[Action], below: Below, budget: int) -> Action:
            action = super().choose(view, decision, below, budget)
            if isinstance(action, UseCharacter):
                used.add(action.character)
            return action

    for number in range(40):  # those that cost three coins are seldom worth it, so it takes some matches
        if used == set(every):
            break
        trio = sorted(every, key=lambda one: (one in used, (every.index(one) + number) % 12))[:3]
        players = [Watched(1_500), Watched(1_500)]
        play_match(eriantys, Options(Mode.EXPERT, characters=tuple(trio)), players, Random(number).randrange)
    assert used == set(every)


def test_a_view_of_a_foreign_client_is_enough() -> None:
    position = opened(Options(), 2, 8)
    decision = eriantys.pending(position)
    assert decision is not None
    view = eriantys.view(position, 0)
    bare = replace(view, bag=(0,) * 5, first=0, boards=tuple(replace(board, hand=()) for board in view.boards))
    assert (
        ENGINE.think(bare, decision, Random(1).randrange, SearchLimits(300), lambda: False).turn[0] in decision.choices
    )


def test_what_the_rules_would_not_offer_is_left_to_the_greedy_bot() -> None:
    position = opened(Options(), 2, 8)
    strange: Decision[Action] = Decision(Kind.CLOUD, (0,), (eriantys.TakeCloud(0), eriantys.TakeCloud(1)))
    thought = ENGINE.think(eriantys.view(position, 0), strange, Random(1).randrange, SearchLimits(300), lambda: False)
    assert thought.turn[0] in strange.choices


@pytest.mark.parametrize(("seats", "mode"), KINDS)
def test_a_forecast_has_chances_towers_and_influence(seats: int, mode: Mode) -> None:
    position = opened(Options(mode), seats, 2)
    found = forecast(eriantys.view(position, 0), Random(1).randrange, 1, lambda: False)
    assert sum(found.chances) == pytest.approx(1, abs=0.01)
    assert len(found.islands) == 12
    assert all(len(island.influence) == len(found.chances) for island in found.islands)
    assert sum(found.expected) >= sum(found.towers) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "mode"), KINDS)
def test_it_beats_the_greedy_bot(seats: int, mode: Mode) -> None:
    sides = 2 if seats == 4 else seats
    won = 0
    for number in range(24):
        own = number % sides
        players = [Player(2_000) if seat % sides == own else GreedyBot() for seat in range(seats)]
        outcome = play_match(eriantys, Options(mode), players, Random(number).randrange)
        won += {seat % sides for seat in outcome.winners} == {own}
    assert won > 24 / sides
