"""Learns by playing against itself: a small network in numpy, in minutes, on the processor.

    python examples/self_play.py --ruleset azul-colored-2 --rounds 50

Actor-critic: all seats use the same network. Each move is made more or less likely by how much the
end of its game was better than the network expected. Prints how often the network beats house bots.
Requires numpy.
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

import azulejo

Floats = NDArray[np.float32]
GAMES = 128
STEPS = 256
MINIBATCH = 2_048
HIDDEN = 128
# Leads of about this many points count as clear.
CLEAR = 20.0


class Network:
    """One hidden layer; logits of all actions, and the expected lead of the seat to move."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        def layer(rows: int, columns: int, scale: float) -> Floats:
            drawn = rng.standard_normal((rows, columns), np.float32)
            return np.asarray(drawn * (scale / np.sqrt(rows)), np.float32)

        self.weights = [
            layer(inputs, HIDDEN, 1.5),
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, actions + 1, 0.1),
            np.zeros(actions + 1, np.float32),
        ]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]
        self._updates = 0

    def forward(self, observations: Floats, mask: NDArray[np.bool_]) -> tuple[Floats, ...]:
        """The hidden layer, the probabilities of the actions, and the values."""
        inner, inner_bias, outer, outer_bias = self.weights
        hidden = np.maximum(observations @ inner + inner_bias, 0)
        out = hidden @ outer + outer_bias
        logits = np.where(mask, out[:, :-1], -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), np.tanh(out[:, -1])

    def act(
        self, observations: Floats, mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Actions drawn by their probabilities."""
        _, policy, _ = self.forward(observations, mask)
        draws = rng.random((len(policy), 1), np.float32)
        chosen = (policy.cumsum(axis=1) < draws * policy.sum(axis=1, keepdims=True)).sum(axis=1)
        legal = mask[np.arange(len(chosen)), np.minimum(chosen, mask.shape[1] - 1)]
        # Rounding can lead past the last legal action.
        return np.asarray(np.where(legal, chosen, policy.argmax(axis=1)), np.int64)

    def learn(
        self,
        observations: Floats,
        mask: NDArray[np.bool_],
        actions: NDArray[np.int64],
        results: Floats,
        rate: float,
    ) -> None:
        """One step of gradient descent."""
        hidden, policy, values = self.forward(observations, mask)
        rows = np.arange(len(actions))
        advantage = results - values
        spread = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        ahead = policy.copy()
        ahead[rows, actions] -= 1
        logs = np.log(np.maximum(policy, 1e-8))
        entropy = -(policy * logs).sum(axis=1, keepdims=True)
        out = np.empty((len(rows), policy.shape[1] + 1), np.float32)
        out[:, :-1] = ahead * spread[:, None] + 0.01 * policy * (logs + entropy)
        out[:, -1] = -advantage * (1 - values**2)
        out /= len(rows)
        inside = (out @ self.weights[2].T) * (hidden > 0)
        self._descend(
            [observations.T @ inside, inside.sum(axis=0), hidden.T @ out, out.sum(axis=0)], rate
        )

    def _descend(self, gradients: list[Floats], rate: float) -> None:
        """Adam."""
        self._updates += 1
        for weight, gradient, (mean, square) in zip(
            self.weights, gradients, self._moments, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            corrected = mean / (1 - 0.9**self._updates)
            weight -= rate * corrected / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-8)


def play(
    batch: azulejo.Batch, network: Network, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64], Floats]:
    """Observations, masks, actions and results of the decisions whose games have ended."""
    size, count = batch.observation_size, batch.action_count
    observations = np.empty((STEPS, GAMES, size), np.float32)
    masks = np.empty((STEPS, GAMES, count), np.bool_)
    actions = np.empty((STEPS, GAMES), np.int64)
    seats = np.empty((STEPS, GAMES), np.int64)
    ends = np.empty((STEPS, GAMES), np.bool_)
    rewards = np.empty((STEPS, GAMES, batch.players), np.float32)
    for step in range(STEPS):
        observations[step], masks[step], seats[step] = batch.obs, batch.mask, batch.seat
        actions[step] = network.act(batch.obs, batch.mask, rng)
        batch.step(actions[step])
        ends[step], rewards[step] = batch.done, batch.reward
    results = np.zeros((STEPS, GAMES), np.float32)
    known = np.zeros((STEPS, GAMES), np.bool_)
    last = np.zeros((GAMES, batch.players), np.float32)
    ended = np.zeros(GAMES, np.bool_)
    for step in reversed(range(STEPS)):
        last[ends[step]] = rewards[step, ends[step]]
        ended |= ends[step]
        results[step] = np.tanh(last[np.arange(GAMES), seats[step]] / CLEAR)
        known[step] = ended
    return observations[known], masks[known], actions[known], results[known]


def train(ruleset: str, rounds: int, seed: int = 1, *, quiet: bool = False) -> Network:
    """A network that has played against itself for this number of rounds."""
    rng = np.random.default_rng(seed)
    batch = azulejo.Batch(ruleset, GAMES, seed=seed, start="random", returns="margin")
    network = Network(batch.observation_size, batch.action_count, rng)
    began = time.monotonic()
    for number in range(1, rounds + 1):
        observations, masks, actions, results = play(batch, network, rng)
        order = rng.permutation(len(actions))
        rate = 2e-3 * (1 - (number - 1) / rounds)
        for first in range(0, len(order), MINIBATCH):
            chosen = order[first : first + MINIBATCH]
            part = observations[chosen], masks[chosen], actions[chosen], results[chosen]
            network.learn(*part, rate=rate)
        if not quiet and (number % 25 == 1 or number == rounds):
            wins = [f"{win_rate(network, ruleset, bot, 400):.1%}" for bot in ("random", "greedy")]
            took = time.monotonic() - began
            line = (
                f"round {number:4} {took:5.0f} s: wins against random {wins[0]}, greedy {wins[1]}"
            )
            print(line, flush=True)  # noqa: T201
    return network


def win_rate(network: Network, ruleset: str, bot: str, games: int, seed: int = 9) -> float:
    """The share of games that the network wins against a house bot, from random seats."""
    batch = azulejo.Batch(
        ruleset, min(games, 200), seed=seed, start="random", learner="random", opponents=bot
    )
    rows = np.arange(len(batch))
    results: list[float] = []
    while len(results) < games:
        seats = batch.seat.copy()
        _, policy, _ = network.forward(batch.obs, batch.mask)
        batch.step(policy.argmax(axis=1))
        results += batch.reward[rows, seats][batch.done].tolist()
    return float(np.mean(np.array(results) > 0))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ruleset", default="azul-colored-2", choices=azulejo.RULESETS)
    options.add_argument("--rounds", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    train(chosen.ruleset, chosen.rounds, chosen.seed)
