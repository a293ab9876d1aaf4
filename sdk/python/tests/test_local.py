"""The code in the documentation."""

from __future__ import annotations

import doctest

import pytest
from support import ROOT, SDK

import azulejo


@pytest.mark.parametrize("page", ["LOCAL.md", "README.md"])
def test_the_sessions_of_the_documentation_are_true(page: str) -> None:
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest((SDK / page).read_text(), {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_the_sample_of_the_front_page_runs() -> None:
    page = (ROOT / "README.md").read_text()
    (sample,) = [
        part.split("```")[0] for part in page.split("```python\n")[1:] if "import azulejo" in part
    ]
    names: dict[str, object] = {}
    exec(sample, names)
    assert isinstance(names["batch"], azulejo.Batch)
