"""PettingZoo environments of every game."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

pytest.importorskip("pettingzoo", reason="needs boardwire[research]")
research = pytest.importorskip("boardwire.research", reason="needs boardwire[research]")

from pettingzoo.test import api_test, seed_test

from boardwire.errors import Illegal, Malformed

CASES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("tris", {}),
    ("forza", {}),
    ("santorini", {}),
    ("santorini", {"gods": ("apollo", "tartarus")}),
    ("santorini", {"seats": 3, "draft": "random", "ply_cap": 30}),
    ("santorini", {"seats": 4, "draft": "challenger", "max_steps": 50}),
    ("eriantys", {}),
    ("eriantys", {"seats": 3, "mode": "expert"}),
    ("eriantys", {"seats": 4, "mode": "expert", "max_steps": 100}),
]

pytestmark = pytest.mark.filterwarnings("ignore:Observation")  # api_test expects arrays; those with masks are dicts


@pytest.mark.parametrize(("game", "options"), CASES, ids=str)
def test_an_environment_passes_pettingzoos_tests(game: str, options: dict[str, Any]) -> None:
    make = partial(research.env, game, **options)
    api_test(make(), num_cycles=150)
    seed_test(make, num_cycles=150)
    api_test(research.raw_env(game, **options), num_cycles=20)


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    env = research.env("tris")
    env.reset()
    for cell in (4, 0, 8, 1, 2, 5, 6):
        assert env.agents == ["player_0", "player_1"]
        env.step(cell)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    last = {}
    for agent in env.agent_iter():
        _, last[agent], *_ = env.last()
        env.step(None)
    assert last == {"player_0": 1.0, "player_1": -1.0}
    assert env.agents == []


def test_the_agent_to_choose_gets_its_choices_in_notation() -> None:
    env = research.env("santorini")
    env.reset(seed=1)
    *_, info = env.last()
    assert info["kind"] == "place_worker"
    assert len(info["choices"]) == 25
    assert info["choices"][0] == env.unwrapped.space.game.format_action(env.unwrapped.space.actions[0])
    assert env.infos["player_1"] == {}
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_a_match_is_truncated_after_its_steps() -> None:
    env = research.env("forza", max_steps=3)
    env.reset()
    for column in range(3):
        assert not any(env.truncations.values())
        env.step(column)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_an_illegal_action_raises_or_loses_by_wrapper() -> None:
    raw = research.raw_env("tris")
    raw.reset()
    raw.step(4)
    with pytest.raises(Illegal, match="action 4 is not legal here"):
        raw.step(4)
    with pytest.raises(Malformed, match="must move"):
        raw.step(None)
    wrapped = research.env("tris")
    wrapped.reset()
    wrapped.step(4)
    wrapped.step(4)
    assert wrapped.rewards == {"player_0": 0, "player_1": -1}
    assert all(wrapped.terminations.values())


def test_seeds_determine_draws() -> None:
    def clouds(seed: int) -> list[float]:
        env = research.raw_env("eriantys")
        env.reset(seed=seed)
        found: list[float] = env.space.layout.split(env.observe("player_0")["observation"])["islands"].tolist()
        return found

    assert clouds(1) == clouds(1)
    assert clouds(1) != clouds(2)


def test_the_board_is_rendered_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = research.raw_env("tris", render_mode="ansi")
    env.reset()
    assert "───┼───┼───" in env.render()
    env = research.raw_env("tris", render_mode="human")
    env.reset()
    env.step(4)
    assert "X" in capsys.readouterr().out.upper()
    assert research.raw_env("tris").render() is None
    with pytest.raises(Malformed, match="unknown render mode 'rgb'"):
        research.raw_env("tris", render_mode="rgb")
    with pytest.raises(Malformed, match="must be at least 1"):
        research.raw_env("tris", max_steps=0)
