"""The code in the documentation."""

from __future__ import annotations

import doctest

import pytest
from support import SDK


@pytest.mark.parametrize("page", ["LOCAL.md", "README.md"])
def test_the_sessions_of_the_documentation_are_true(page: str) -> None:
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest((SDK / page).read_text(), {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)
