"""Vectorised self-play."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="needs boardwire[research]")
research = pytest.importorskip("boardwire.research", reason="needs boardwire[research]")

from boardwire.errors import Illegal, Malformed


def first(observations: Any, masks: Any) -> Any:
    """A policy that takes the first legal action."""
    return np.argmax(masks, axis=1)


@pytest.mark.parametrize("game", ["tris", "forza", "santorini", "eriantys"])
def test_matches_are_played_to_their_end(game: str) -> None:
    space = research.space(game)
    played = research.self_play(space, research.random_policy(1), 4, seed=5)
    assert len(played) == 4
    for match in played:
        assert match.outcome is not None
        assert match.returns == space.returns(match.outcome)
        for turn in match.turns:
            assert turn.mask[turn.action] == 1
            assert turn.observation.shape == (space.layout.size,)


def test_a_policy_gets_all_waiting_matches_in_one_call() -> None:
    batches: list[int] = []

    def counted(observations: Any, masks: Any) -> Any:
        batches.append(len(observations))
        return first(observations, masks)

    played = research.self_play(research.space("tris"), counted, 10)
    assert batches == [10] * len(played[0].turns)


def test_a_match_does_not_depend_on_the_matches_beside_it() -> None:
    space = research.space("eriantys")
    alone = research.self_play(space, first, 1, seed=9)[0]
    beside = research.self_play(space, first, 3, seed=9)
    assert [turn.action for turn in beside[0].turns] == [turn.action for turn in alone.turns]
    assert not np.array_equal(beside[0].turns[0].observation, beside[1].turns[0].observation)


def test_each_seat_can_have_its_own_policy() -> None:
    def last(observations: Any, masks: Any) -> Any:
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)

    match = research.self_play(research.space("tris"), [first, last], 1)[0]
    assert [turn.action for turn in match.turns] == [0, 8, 1, 7, 2]
    assert match.returns == [1, -1]
    with pytest.raises(Malformed, match="3 policies were given for 2 seats"):
        research.self_play(research.space("tris"), [first] * 3, 1)


def test_matches_can_be_cut_off_and_turns_left_out() -> None:
    played = research.self_play(research.space("santorini"), research.random_policy(), 2, keep=False, max_steps=10)
    assert [(match.turns, match.returns, match.outcome) for match in played] == [([], [0, 0], None)] * 2
    assert research.self_play(research.space("tris"), first, 0) == []


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda masks: np.zeros((len(masks), 1), int), Malformed, "one action index per row"),
        (lambda masks: np.zeros(len(masks)), Malformed, "must return integers"),
        (lambda masks: np.full(len(masks), 99), Illegal, "chose action 99 in row 0"),
        (lambda masks: np.full(len(masks), -1), Illegal, "chose action -1 in row 0"),
        (lambda masks: np.zeros(len(masks), int), Illegal, "chose action 0 in row 0; its mask"),
    ],
)
def test_a_wrong_answer_of_a_policy_is_refused(answer: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        research.self_play(research.space("tris"), lambda observations, masks: answer(masks), 2)


def test_epsilon_greedy_takes_the_best_legal_action_or_a_random_one() -> None:
    values = np.array([[9.0, 1.0, 2.0]] * 300)
    masks = np.array([[0, 1, 1]] * 300, np.int8)
    generator = np.random.default_rng(0)
    assert set(research.epsilon_greedy(values, masks, 0.0, generator).tolist()) == {2}
    assert set(research.epsilon_greedy(values, masks, 1.0, generator).tolist()) == {1, 2}
