"""Train a small network for Forza Quattro by self-play: `python train_forza.py [ROUNDS]`.

A network with one hidden layer estimates the value of each column. Targets are TD(lambda): the result at the end of a
match, and before it a mixture of the next target and the best value estimated for the opponent.
After the default of 120 rounds, which take minutes, the agent wins more than 9 of 10 matches against a random player.
It needs boardwire[research].
"""

from sys import argv

import numpy as np

from boardwire.research import Array, Trajectory, epsilon_greedy, random_policy, self_play, space

MATCHES, HIDDEN, RATE, LAMBDA, EPSILON = 128, 128, 0.002, 0.8, 0.2
forza = space("forza")
generator = np.random.default_rng(1)
weights = [
    generator.normal(0, 0.1, (forza.layout.size, HIDDEN)),
    np.zeros(HIDDEN),
    generator.normal(0, 0.1, (HIDDEN, len(forza.actions))),
    np.zeros(len(forza.actions)),
]
moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
epsilon = 0.0


def forward(observations: Array) -> tuple[Array, Array]:
    hidden = np.maximum(0, observations @ weights[0] + weights[1])
    return hidden, np.tanh(hidden @ weights[2] + weights[3])


def agent(observations: Array, masks: Array) -> Array:
    return epsilon_greedy(forward(observations)[1], masks, epsilon, generator)


def targets(match: Trajectory) -> list[float]:
    best = np.where([turn.mask for turn in match.turns], forward(np.stack([t.observation for t in match.turns]))[1], -1)
    found = [match.returns[match.turns[-1].seat]]
    for value in best.max(axis=1)[:0:-1]:
        found.append(-(LAMBDA * found[-1] + (1 - LAMBDA) * value))
    return found[::-1]


def learn(matches: list[Trajectory]) -> None:
    turns = [turn for match in matches for turn in match.turns]
    goals = np.array([goal for match in matches for goal in targets(match)])
    for part in np.array_split(generator.permutation(len(turns)), max(1, len(turns) // 256)):
        seen, rows = np.stack([turns[index].observation for index in part]), np.arange(len(part))
        actions = [turns[index].action for index in part]
        hidden, values = forward(seen)
        slope = np.zeros_like(values)
        slope[rows, actions] = (values[rows, actions] - goals[part]) * (1 - values[rows, actions] ** 2) / len(part)
        back = (slope @ weights[2].T) * (hidden > 0)
        for each, (mean, square), change in zip(
            weights, moments, (seen.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)), strict=True
        ):
            mean += 0.1 * (change - mean)
            square += 0.01 * (change**2 - square)
            each -= RATE * mean / (np.sqrt(square) + 1e-6)


def win_rate(matches: int = 200) -> float:
    won = [match.returns[0] > 0 for match in self_play(forza, [agent, random_policy(1)], matches, keep=False)]
    won += [match.returns[1] > 0 for match in self_play(forza, [random_policy(2), agent], matches, keep=False)]
    return sum(won) / len(won)


print(f"before: {win_rate():.0%} won against a random player")
for number in range(1, 1 + (int(argv[1]) if len(argv) > 1 else 120)):
    epsilon = EPSILON
    learn(self_play(forza, agent, MATCHES, seed=number))
    epsilon = 0.0
    if number % 20 == 0:
        print(f"after {number} rounds: {win_rate():.0%} won")
