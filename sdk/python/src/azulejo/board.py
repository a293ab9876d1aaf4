"""A state as a picture, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .gen.game.v1 import game_pb2

if TYPE_CHECKING:
    from .engine import Engine


class Board:
    """Shows a state: in a notebook as SVG, with `print` as text. The engine draws it."""

    def __init__(
        self,
        state: game_pb2.GameState,
        *,
        engine: Engine | None = None,
        server: str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.state = state
        self._engine = engine
        self._server = server
        self._names = tuple(names)

    def svg(self) -> str:
        """The state as an SVG document."""
        return self._draw(text=False)

    def text(self) -> str:
        """The state as lines of text."""
        return self._draw(text=True)

    def _draw(self, *, text: bool) -> str:
        from .engine import Engine

        if self._engine is not None:
            return self._engine.render(self.state, text=text, names=self._names).drawing
        with Engine(self._server) as engine:
            return engine.render(self.state, text=text, names=self._names).drawing

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()
