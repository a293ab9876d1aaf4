"""Nanoseconds of the engine in the process, beside the same work in Rust. One run, about a minute.

    sdk/python/develop && PYTHONPATH=src python benchmark.py [RULESET …]

Processor time, the minimum of seven runs of each; two threads by the clock. The Rust figures are
those of `cargo run --release -p azulejo-play --example throughput`, in the same run. Numbers in
brackets are ratios to the Rust playout, or to the Rust batch for batches.
"""

from __future__ import annotations

import pathlib
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import azulejo

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 7
GAMES = 1_024
STEPS = 100
print_line = sys.stdout.write


def fastest(run: Callable[[], int]) -> float:
    """Nanoseconds of processor time for one of the steps that a run returns."""
    best = float("inf")
    for _ in range(RUNS):
        began = time.process_time_ns()
        steps = run()
        best = min(best, (time.process_time_ns() - began) / steps)
    return best


def rust(rulesets: list[str]) -> dict[str, tuple[float, float, float]]:
    """Playout, batch of raw values, batch of scaled ones, by ruleset."""
    command = ["cargo", "run", "--quiet", "--locked", "--release", "-p", "azulejo-play"]
    command += ["--example", "throughput", "--", *rulesets]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pattern = r"^(\S+) +playout +([\d.]+) +raw +([\d.]+) .*scaled +([\d.]+)"
    found = re.findall(pattern, said, re.M)
    return {key: (float(one), float(raw), float(scaled)) for key, one, raw, scaled in found}


def batch(ruleset: str, *, raw: bool) -> float:
    made = azulejo.Batch(ruleset, GAMES, seed=1, raw=raw)

    def run() -> int:
        for _ in range(STEPS):
            made.step(made.sample())
        return STEPS * GAMES

    return fastest(run)


def single(ruleset: str) -> float:
    """Random games, move by move."""
    choose = random.Random(1).random

    def run() -> int:
        steps = 0
        for seed in range(100):
            game = azulejo.Game(ruleset, seed=seed)
            while actions := game.legal_actions():
                game.apply(actions[int(choose() * len(actions))])
                steps += 1
        return steps

    return fastest(run)


def copies(ruleset: str) -> float:
    """A copy of a game and a move on it."""
    game = azulejo.Game(ruleset, seed=1)
    action = game.legal_actions()[0]

    def run() -> int:
        for _ in range(20_000):
            game.clone().apply(action)
        return 20_000

    return fastest(run)


def playouts(ruleset: str) -> float:
    """Whole games inside."""

    def run() -> int:
        return sum(azulejo.playouts(ruleset, 1_500, seed=1).lengths)

    return fastest(run)


def calls(ruleset: str) -> dict[str, float]:
    """Single calls, with the loop around them."""
    game = azulejo.Game(ruleset, seed=1)
    action = game.legal_actions()[0]
    text = game.action_text(action)
    timed: dict[str, Callable[[], object]] = {
        "legal_actions": game.legal_actions,
        "mask": game.mask,
        "observe": game.observe,
        "clone": game.clone,
        "clone + apply(id)": lambda: game.clone().apply(action),
        "clone + apply(text)": lambda: game.clone().apply(text),
        "is_terminal": lambda: game.is_terminal,
        "current_player": lambda: game.current_player,
        "returns": game.returns,
        "scores": game.scores,
        "ranks": game.ranks,
        "hash": game.hash,
        "action_text": lambda: game.action_text(action),
        "action_id": lambda: game.action_id(text),
    }

    def timing(call: Callable[[], object]) -> float:
        def run() -> int:
            for _ in range(5_000):
                call()
            return 5_000

        return fastest(run)

    return {name: timing(call) for name, call in timed.items()}


def threads(ruleset: str) -> float:
    """How much more two threads do than one, by the clock."""

    def steps(made: azulejo.Batch) -> None:
        for _ in range(3 * STEPS):
            made.step(made.sample())

    def seconds(count: int) -> float:
        batches = [azulejo.Batch(ruleset, GAMES, seed=seed) for seed in range(count)]
        running = [threading.Thread(target=steps, args=(made,)) for made in batches]
        began = time.perf_counter()
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return time.perf_counter() - began

    one = min(seconds(1) for _ in range(RUNS))
    return 2 * one / min(seconds(2) for _ in range(RUNS))


def environments(ruleset: str) -> dict[str, float]:
    """A random step of each environment whose library is installed."""
    import numpy as np

    import azulejo.gym
    import azulejo.openspiel
    import azulejo.pettingzoo

    rng = np.random.default_rng(1)

    def legal(mask: Any) -> int:
        return int(rng.choice(np.flatnonzero(mask)))

    def agents(env: Any) -> Callable[[], int]:
        def run() -> int:
            env.reset(seed=1)
            steps = 0
            while not all(env.terminations.values()):
                observation, *_ = env.last()
                env.step(legal(observation["action_mask"]))
                steps += 1
            return steps

        return run

    def learner() -> int:
        _, info = env.reset(seed=1)
        steps, ended = 0, False
        while not ended:
            _, _, ended, _, info = env.step(legal(info["action_mask"]))
            steps += 1
        return steps

    def vector() -> int:
        many.reset(seed=1)
        for _ in range(STEPS):
            many.step(many.batch.sample())
        return STEPS * GAMES

    def spiel(name: str) -> Callable[[], int]:
        game = azulejo.openspiel.pyspiel.load_game(name)

        def run() -> int:
            state = game.new_initial_state()
            steps = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[rng.integers(len(outcomes))][0])
                else:
                    state.apply_action(int(rng.choice(state.legal_actions())))
                    steps += 1
            return steps

        return run

    env = azulejo.gym.Env(ruleset, opponents="random")
    many = azulejo.gym.VectorEnv(ruleset, GAMES, opponents="random")
    return {
        "pettingzoo.raw_env": fastest(agents(azulejo.pettingzoo.raw_env(ruleset))),
        "pettingzoo.env": fastest(agents(azulejo.pettingzoo.env(ruleset))),
        "gym.Env": fastest(learner),
        "gym.VectorEnv": fastest(vector),
        "openspiel": fastest(spiel(f"azulejo(ruleset={ruleset})")),
        "OpenSpiel's backgammon": fastest(spiel("backgammon")),
    }


def main(rulesets: list[str]) -> None:
    compared = rust(rulesets)
    print_line(
        f"{'ruleset':26} {'rust':>6} {'single':>13} {'clone+apply':>13} {'playouts':>13}"
        f" {'batch':>7} {'of rust':>14} {'raw':>7} {'of rust':>14}\n"
    )
    for ruleset in rulesets:
        playout, rust_raw, rust_scaled = compared[ruleset]
        line = f"{ruleset:26} {playout:6.1f}"
        for measured in (single(ruleset), copies(ruleset), playouts(ruleset)):
            line += f" {measured:6.1f} ({measured / playout:4.2f})"
        for measured, other in (
            (batch(ruleset, raw=False), rust_scaled),
            (batch(ruleset, raw=True), rust_raw),
        ):
            line += f" {measured:7.1f} {other:7.1f} ({measured / other:4.2f})"
        print_line(line + "\n")
    first = rulesets[0]
    print_line(f"\ncalls, {first}: ")
    print_line(", ".join(f"{name} {took:.0f}" for name, took in calls(first).items()) + "\n")
    try:
        measured = environments(first)
        steps = ", ".join(f"{name} {took:,.0f}" for name, took in measured.items())
        print_line(f"a random step in an environment, {first}: {steps}\n")
    except ImportError as missing:
        print_line(f"no environments: {missing}\n")
    print_line(f"two threads, {first}: {threads(first):.2f} times one\n")


if __name__ == "__main__":
    main(sys.argv[1:] or list(azulejo.RULESETS))
