"""MaskablePPO learns: `sdk/python/test-torch` runs this."""

from __future__ import annotations

import pathlib
import runpy

EXAMPLE = pathlib.Path(__file__).parents[1] / "examples/maskable_ppo.py"


def test_maskable_ppo_gets_clearly_better_than_random() -> None:
    example = runpy.run_path(str(EXAMPLE))
    model = example["train"]("azul-colored-2", "random", 40_000)
    assert example["win_rate"](model, "azul-colored-2", "random", 100) > 0.75
