"""The examples that learn and search, shortened."""

from __future__ import annotations

import runpy

from support import SDK

import azulejo.openspiel


def test_a_network_that_plays_against_itself_gets_clearly_better_than_random() -> None:
    example = runpy.run_path(str(SDK / "examples/self_play.py"))
    untrained = example["train"]("azul-colored-2", 0)
    assert example["win_rate"](untrained, "azul-colored-2", "random", 400) < 0.7
    trained = example["train"]("azul-colored-2", 3, quiet=True)
    assert example["win_rate"](trained, "azul-colored-2", "random", 400) > 0.9


def test_the_search_of_openspiel_plays_a_whole_game() -> None:
    example = runpy.run_path(str(SDK / "examples/openspiel_mcts.py"))
    assert sorted(example["play"]("azul-colored-2", 10, 1)) in ([-1, 1], [0, 0])


def test_the_evaluator_knows_who_has_won() -> None:
    state = azulejo.openspiel.AzulejoGame().new_initial_state()
    state.play.play_out(1)
    assert azulejo.openspiel.Evaluator(3).evaluate(state).tolist() == state.returns()
