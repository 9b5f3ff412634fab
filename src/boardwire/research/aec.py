"""PettingZoo environments (AEC, the turn-based interface) for every game.

- Agents are `player_0`, `player_1`, ... by seat. An observation is a dict with `observation` and `action_mask`; only
  the mask of the agent to move has ones.
- Chance is drawn inside the environment, from the generator that `reset(seed=...)` seeds.
- Rewards are given at the end: 1 to each winner, -1 to each loser, 0 for a draw. Team mates win and lose together; a
  player eliminated earlier also gets its reward at the end.
- If several seats may answer a decision (some drafts), the first of them chooses.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.research.space import Array, Episode, Space, space

VERSION: Final = 0
"""Version of the environments; a release raises it if an action index or an observation has changed."""

RENDER_MODES: Final = ("ansi", "human")


class GameEnv(AECEnv):
    """A game as a turn-based environment."""

    def __init__(self, space: Space, render_mode: str | None = None, max_steps: int | None = None) -> None:
        super().__init__()
        self.metadata = {
            "name": f"boardwire_{space.game.name}_v{VERSION}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        if render_mode not in (None, *RENDER_MODES):
            raise Malformed(f"unknown render mode {render_mode!r}; use 'ansi', 'human' or None")
        if max_steps is not None and max_steps < 1:
            raise Malformed(f"max_steps is {max_steps}; it must be at least 1, or None for no limit")
        self.space: Final = space
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(space.seats)]
        self._seats: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._max_steps: Final = max_steps
        actions, size = len(space.actions), space.layout.size
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._random = Random()
        self._episode = Episode(space, self._random.randrange)

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions; it is always the same object, as PettingZoo requires."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations; it is always the same object, as PettingZoo requires."""
        return self.observation_spaces[agent]

    @property
    def episode(self) -> Episode:
        """The current match: its position, decision and outcome."""
        return self._episode

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; a seed determines all following draws."""
        if seed is not None:
            self._random = Random(seed)
        self._episode = Episode(self.space, self._random.randrange)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select(self._episode.seat or 0)

    def observe(self, agent: str) -> dict[str, Array]:
        """Return the observation and action mask of an agent."""
        seat = self._seats[agent]
        decision = self._episode.decision if seat == self._episode.seat else None
        return {"observation": self._episode.observe(seat), "action_mask": self.space.mask(decision)}

    def step(self, action: int | None) -> None:
        """Apply the action of the selected agent, or None if the agent's match is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Malformed(f"{agent} must move; pass an action index, not None")
        self._episode.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._episode.seat is None:
            returns = self.space.returns(self._episode.outcome)
            self.rewards = {name: returns[self._seats[name]] for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_steps is not None and self._episode.steps >= self._max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select((self._seats[agent] + 1) % self.space.seats if self._episode.seat is None else self._episode.seat)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self, seat: Seat) -> None:
        self.agent_selection = self.possible_agents[seat]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        decision = self._episode.decision
        if decision is not None:
            notations = map(self.space.game.format_action, decision.choices)
            choices = dict(zip(self.space.indices(decision), notations, strict=True))
            self.infos[self.agent_selection] = {"kind": str(decision.kind), "choices": choices}

    def render(self) -> str | None:
        """Return the board as text (`ansi`), or print it (`human`)."""
        from boardwire.dialects.dialect import Players
        from boardwire.terminal.colours import Paint
        from boardwire.terminal.screens import screen

        if self.render_mode is None:
            return None
        view = self.space.game.view(self._episode.position, None)
        text = screen(self.space.game.name).draw(view, None, Players(tuple(self.possible_agents)), Paint(False))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: an environment has no resources."""


def raw_env(
    game: str,
    *,
    seats: int | None = None,
    render_mode: str | None = None,
    max_steps: int | None = None,
    **options: Any,
) -> GameEnv:
    """Return the environment of a game without wrappers: an illegal action raises `Illegal`.

    `max_steps` truncates a match after that number of actions; see `space` for `seats` and the options.
    """
    return GameEnv(space(game, seats=seats, **options), render_mode, max_steps)


def env(
    game: str,
    *,
    seats: int | None = None,
    render_mode: str | None = None,
    max_steps: int | None = None,
    **options: Any,
) -> AECEnv:
    """Return the environment of a game with PettingZoo's usual wrappers: an illegal action ends the match with -1."""
    environment: Any = raw_env(game, seats=seats, render_mode=render_mode, max_steps=max_steps, **options)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)
