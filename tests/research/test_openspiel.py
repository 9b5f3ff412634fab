"""The games in OpenSpiel."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs boardwire[research]")
research = pytest.importorskip("boardwire.research", reason="needs boardwire[research]")

NAMES = research.register_openspiel()


@pytest.mark.parametrize(
    "name",
    [
        "boardwire_tris",
        "boardwire_forza",
        "boardwire_santorini(ply_cap=20)",
        "boardwire_santorini(gods=apollo+tartarus,ply_cap=20)",
        "boardwire_santorini(seats=3,draft=random,ply_cap=20)",
        "boardwire_eriantys",
        "boardwire_eriantys(seats=3,mode=expert)",
        "boardwire_eriantys(seats=4)",
    ],
)
def test_a_game_passes_openspiels_random_simulation(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert game.num_distinct_actions() == len(game.space.actions)


def test_the_games_are_registered_once() -> None:
    assert research.register_openspiel() == NAMES
    assert set(NAMES) <= set(pyspiel.registered_names())


def played(name: str, seed: int) -> Any:
    """A match of random actions and draws."""
    random, state = Random(seed), pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    return state


def test_chance_nodes_are_uniform_and_bounded() -> None:
    random, state = Random(3), pyspiel.load_game("boardwire_eriantys(mode=expert)").new_initial_state()
    sizes: Counter[int] = Counter()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            sizes[len(outcomes)] += 1
            assert sum(probability for _, probability in outcomes) == pytest.approx(1)
        state.apply_action(random.choice(state.legal_actions()))
    assert max(sizes) <= state.get_game().max_chance_outcomes()
    assert {12, 220, 120} <= set(sizes)  # mother nature's tile, the characters, the full bag


@pytest.mark.parametrize("options", [{"game": "eriantys", "mode": "expert"}, {"game": "santorini", "draft": "random"}])
def test_draws_are_those_of_the_game_with_the_same_numbers(options: dict[str, str]) -> None:
    game, (name, value) = options["game"], list(options.items())[1]
    state = pyspiel.load_game(f"boardwire_{game}({name}={value})").new_initial_state()
    episode = research.Episode(research.space(game, **{name: value}), Random(5).randrange)
    random = Random(5)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.randrange(len(state.chance_outcomes())))
        else:
            assert state.position == episode.position
            action = state.legal_actions()[-1]
            state.apply_action(action)
            episode.step(action)
    assert state.position == episode.position
    assert state.returns() == state.space.returns(episode.outcome)


def test_an_information_state_has_what_the_seat_was_shown() -> None:
    state = pyspiel.load_game("boardwire_tris").new_initial_state()
    for cell in (4, 0):
        state.apply_action(cell)
    assert state.information_state_string(0).splitlines() == [
        '[{"type":"marked","seat":0,"cell":4,"line":[]}]',
        '[{"type":"marked","seat":1,"cell":0,"line":[]}]',
    ]
    tensor = state.information_state_tensor(0)
    assert tensor[19:] == pytest.approx([5 / 9, 1 / 9, 0, 0, 0, 0, 0, 0, 0])
    assert state.observation_tensor(0) == tensor[:19]


def test_a_concealed_choice_is_known_to_its_seat_only() -> None:
    """Tartarus places its abyss in secret, as the last step before the first turn."""
    state = pyspiel.load_game("boardwire_santorini(gods=tartarus+atlas)").new_initial_state()
    player, action = state.current_player(), state.legal_actions()[0]
    while not state.space.game.conceals(state.position, player, state.space.actions[action]):
        state.apply_action(action)
        player, action = state.current_player(), state.legal_actions()[0]
    state.apply_action(action)
    assert state.actions_known(player)[-1] == action + 1
    assert state.actions_known(1 - player)[-1] == 0
    assert state.information_state_string(0) != state.information_state_string(1)


def test_returns_add_up_to_zero_for_two_seats() -> None:
    for seed in range(5):
        assert sum(played("boardwire_forza", seed).returns()) == 0
    assert sorted(set(played("boardwire_santorini(seats=3)", 1).returns())) in ([-1, 1], [0])


def test_a_copy_of_a_state_goes_its_own_way() -> None:
    state = pyspiel.load_game("boardwire_tris").new_initial_state()
    copy = state.clone()
    copy.apply_action(4)
    assert state.legal_actions() == list(range(9))
    assert copy.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert copy.action_to_string(1, 0) == "0"


def test_a_search_of_openspiel_solves_a_position() -> None:
    """Minimax of OpenSpiel on our Tris: the first player wins with the fork that is open here."""
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("boardwire_tris")
    state = game.new_initial_state()
    for cell in (0, 1, 3):
        state.apply_action(cell)
    value, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
    assert value == 1
