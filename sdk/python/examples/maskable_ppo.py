"""MaskablePPO of sb3-contrib learns against a house bot.

    python examples/maskable_ppo.py --steps 200000

Requires azulejo-sdk[gym] and sb3-contrib, which requires PyTorch.
"""

import argparse

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from azulejo.gym import Env


def train(ruleset: str, opponents: str, steps: int, seed: int = 1) -> MaskablePPO:
    games = DummyVecEnv(
        [lambda: Env(ruleset, opponents=opponents, returns="win") for _ in range(16)]
    )
    model = MaskablePPO("MlpPolicy", games, n_steps=256, batch_size=1024, seed=seed, device="cpu")
    return model.learn(steps)


def win_rate(model: MaskablePPO, ruleset: str, opponents: str, games: int) -> float:
    env = Env(ruleset, opponents=opponents)
    results = []
    for number in range(games):
        observation, _ = env.reset(seed=number)
        ended = False
        reward = 0.0
        while not ended:
            masks = env.action_masks()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            observation, reward, ended, _, _ = env.step(action)
        results.append(reward > 0)
    return float(np.mean(results))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ruleset", default="azul-colored-2")
    options.add_argument("--opponents", default="random")
    options.add_argument("--steps", type=int, default=200_000)
    chosen = options.parse_args()
    model = train(chosen.ruleset, chosen.opponents, chosen.steps)
    print(win_rate(model, chosen.ruleset, chosen.opponents, 200))  # noqa: T201
