"""Laws over random matches of whatever gods there are: they end, nothing raises, and no secret leaks."""

from __future__ import annotations

import random

import msgspec
import pytest

from boardwire.errors import Illegal
from boardwire.games import santorini
from boardwire.games.game import CHANCE, AnyGame
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, allowed, compatible
from boardwire.games.santorini.powers.registry import POWERS

PLAYABLE = tuple(god for god in CATALOGUE if god in POWERS)
ENCODE = msgspec.json.encode
ACTION = msgspec.json.Decoder(santorini.Action)
EVENT = msgspec.json.Decoder(santorini.Event)


GAME: AnyGame = santorini


def draw(rng: random.Random, seats: int, wording: Wording) -> Options:
    while True:
        gods = tuple(rng.sample(PLAYABLE, seats))
        if compatible(gods) and all(allowed(god, seats) for god in gods):
            return Options(Draft.GIVEN, gods=gods, wording=wording, ply_cap=300)


def consistent(p: Position) -> None:
    """What must hold in every position."""
    squares = [square for side in p.workers for square in side if square >= 0]
    assert len(set(squares)) == len(squares)
    assert p.occupied == sum(1 << square for square in squares)
    assert not p.occupied & (p.domes | p.solid)
    assert p.b3 & ~p.b2 == p.b2 & ~p.b1 == 0
    assert (p.decision is None) == (p.outcome is not None)
    if p.decision is not None:
        assert p.decision.choices
        assert len(set(p.decision.choices)) == len(tuple(p.decision.choices))


def play(rng: random.Random, options: Options, seats: int) -> Position:
    p = santorini.new(options, seats)
    while (decision := santorini.pending(p)) is not None:
        consistent(p)
        seat, action = rng.choice(decision.seats), rng.choice(tuple(decision.choices))
        assert ACTION.decode(ENCODE(action)) == action
        p, events = santorini.apply(p, seat, action)
        for event in events:
            assert EVENT.decode(ENCODE(event)) == event
    consistent(p)
    return p


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("wording", list(Wording))
def test_random_matches_end_by_a_rule(seats: int, wording: Wording) -> None:
    rng = random.Random(seats)
    for _ in range(25):
        p = play(rng, draw(rng, seats, wording), seats)
        assert p.outcome is not None
        assert all(0 <= seat < seats for seat in p.outcome.winners)


@pytest.mark.parametrize(
    "draft", [draft for draft in Draft if draft not in (Draft.POSITION, Draft.FLEECE, Draft.GIVEN)]
)
@pytest.mark.parametrize("seats", [2, 3])
def test_every_draft_leads_to_a_match_that_ends(draft: Draft, seats: int) -> None:
    assert play(random.Random(5), Options(draft, ply_cap=300), seats).outcome is not None


@pytest.mark.parametrize("god", [god for god in PLAYABLE if CATALOGUE[god].fleece])
def test_every_god_that_can_lie_beside_the_ram_can_be_lent(god: God) -> None:
    for seed in range(2):
        assert play(random.Random(seed), Options(Draft.FLEECE, gods=(god,), ply_cap=300), 2).outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("god", PLAYABLE)
def test_every_god_can_be_played_against_every_other(god: God) -> None:
    rng = random.Random(god)
    for other in PLAYABLE:
        if compatible((god, other)):
            for gods in ((god, other), (other, god)):
                assert play(rng, Options(Draft.GIVEN, gods=gods, ply_cap=300), 2).outcome is not None


def test_the_module_has_the_names_of_a_game() -> None:
    assert (GAME.name, GAME.rules, tuple(GAME.seat_counts)) == ("santorini", 1, (1, 2, 3, 4))
    position = GAME.new(GAME.Options(), 2)
    decision = GAME.pending(position)
    assert decision is not None
    assert len(decision.choices) == 25


def test_the_same_actions_lead_to_the_same_position() -> None:
    def follow(actions: list[tuple[int, Action]]) -> Position:
        p = santorini.new(Options(Draft.RANDOM), 2)
        for seat, action in actions:
            p, _ = santorini.apply(p, seat, action)
        return p

    rng, p, done = random.Random(11), santorini.new(Options(Draft.RANDOM), 2), []
    while (decision := santorini.pending(p)) is not None:
        action = rng.choice(tuple(decision.choices))
        done.append((decision.seats[0], action))
        p, _ = santorini.apply(p, decision.seats[0], action)
    again = follow([(seat, ACTION.decode(ENCODE(action))) for seat, action in done])
    assert again == p
    assert hash(again) == hash(p)


FLAT = "00000 00000 00000 00000 00000"
SECRETS = [
    # the same public position, with something else hidden
    (f"{FLAT}/2/tartarus[12]:A5,E5/pan:A1,E1", f"{FLAT}/2/tartarus[7]:A5,E5/pan:A1,E1"),
    (f"{FLAT}/2/hecate:A5,E5/pan:A1,E1", f"{FLAT}/2/hecate:B2,D2/pan:A1,E1"),
    (f"{FLAT}/1/hecate:A5,E5/pan:A1,E1", f"{FLAT}/1/hecate:B2,D2/pan:A1,E1"),
]


@pytest.mark.parametrize(("one", "other"), SECRETS)
def test_views_and_choices_do_not_change_with_what_a_seat_may_not_know(one: str, other: str) -> None:
    first, second = parse_position(one), parse_position(other)
    assert first != second
    assert santorini.view(first, 1) == santorini.view(second, 1)
    assert santorini.view(first, None) == santorini.view(second, None)
    assert santorini.view(first, 0) != santorini.view(second, 0)
    if first.seat == 1:
        assert santorini.pending(first) == santorini.pending(second)


def test_a_foe_of_hecate_may_choose_anything_it_is_offered() -> None:
    rng = random.Random(3)
    p = santorini.new(Options(Draft.GIVEN, gods=(God.PAN, God.HECATE)), 2)
    while (decision := santorini.pending(p)) is not None:
        if decision.seats == (0,):
            for choice in decision.choices:
                santorini.apply(p, 0, choice)
        p, _ = santorini.apply(p, decision.seats[0], rng.choice(tuple(decision.choices)))


def test_only_the_choices_are_accepted() -> None:
    rng = random.Random(2)
    p = santorini.new(Options(Draft.GIVEN, gods=(God.PROMETHEUS, God.APOLLO)), 2)
    seen: set[Action] = set()
    refused = 0
    for _ in range(80):
        decision = santorini.pending(p)
        if decision is None:
            break
        for action in sorted(seen - set(decision.choices), key=repr)[:20]:
            with pytest.raises(Illegal):
                santorini.apply(p, decision.seats[0], action)
            refused += 1
        seen |= set(decision.choices)
        p, _ = santorini.apply(p, decision.seats[0], rng.choice(tuple(decision.choices)))
    assert refused > 100


def test_views_of_every_seat_and_a_spectator_can_be_encoded() -> None:
    decoder = msgspec.json.Decoder(santorini.View)
    rng, p = random.Random(4), santorini.new(Options(Draft.PRINTED), 3)
    while (decision := santorini.pending(p)) is not None:
        for seat in (0, 1, 2, None):
            view = santorini.view(p, seat)
            assert decoder.decode(ENCODE(view)) == view
        assert CHANCE not in decision.seats or decision.kind == santorini.Kind.CHANCE
        p, _ = santorini.apply(p, decision.seats[0], rng.choice(tuple(decision.choices)))
    assert santorini.view(p, None).outcome == p.outcome
