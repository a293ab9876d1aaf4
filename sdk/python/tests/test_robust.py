"""Random calls and memory, shortened: `fuzz.py` and `leaks.py` run for longer."""

from __future__ import annotations

import pytest
from fuzz import Fuzzer
from leaks import grown


@pytest.mark.parametrize("seed", [1, 2])
def test_random_calls_succeed_or_raise_an_error_with_a_reason(seed: int) -> None:
    counts = Fuzzer(seed).run(10_000)
    assert counts["succeeded"] > 1_000
    assert {"ILLEGAL_MOVE", "WRONG_TYPE", "WRONG_COUNT", "TypeError"} <= counts.keys()


def test_memory_does_not_grow_with_the_number_of_steps() -> None:
    assert grown(300_000) < 2_000
