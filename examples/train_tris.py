"""Train a table of action values for Tris by self-play: `python train_tris.py [ROUNDS]`.

The value of an action is the result of the match if the action ends it, otherwise minus the opponent's best value.
After the default of 150 rounds, which take seconds, the agent loses no match against a random player.
It needs boardwire[research].
"""

from collections import defaultdict
from sys import argv

import numpy as np

from boardwire.research import Array, Trajectory, epsilon_greedy, random_policy, self_play, space

MATCHES = 200  # per round
EXPLORATION = 0.6  # share of random actions during training
UNTRIED = 0.1  # initial value of an action: above a draw, so that untried actions are chosen
tris = space("tris")
values: defaultdict[bytes, Array] = defaultdict(lambda: np.full(len(tris.actions), UNTRIED))
generator = np.random.default_rng(1)
epsilon = 0.0


def agent(observations: Array, masks: Array) -> Array:
    rows = np.stack([values[each.tobytes()] for each in observations])
    return epsilon_greedy(rows, masks, epsilon, generator)


def learn(match: Trajectory) -> None:
    target = match.returns[match.turns[-1].seat]
    for turn in reversed(match.turns):
        row = values[turn.observation.tobytes()]
        row[turn.action] = target
        target = -row[turn.mask == 1].max()


def score() -> str:
    results: list[float] = []
    for seat in range(2):
        players = [random_policy(seat), random_policy(seat)]
        players[seat] = agent
        results += [match.returns[seat] for match in self_play(tris, players, 250, keep=False)]
    won, drawn, lost = map(results.count, (1, 0, -1))
    return f"{won} won, {drawn} drawn, {lost} lost against a random player"


print(f"before: {score()}")
for number in range(int(argv[1]) if len(argv) > 1 else 150):
    epsilon = EXPLORATION
    for match in self_play(tris, agent, MATCHES, seed=number):
        learn(match)
epsilon = 0.0
print(f"after {len(values)} positions: {score()}")
