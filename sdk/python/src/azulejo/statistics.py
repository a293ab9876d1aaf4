"""Statistics of many games, as `playouts` returns them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Statistics:
    """What came of many games, one after the other. `print` shows a table.

    `scores` and `ranks` have a number for each seat of each game, `lengths` (moves) and `rounds`
    one for each game. `numpy.asarray` of them is an array.
    """

    ruleset: str
    bots: tuple[str, ...]
    seats: int
    scores: array[int]
    ranks: array[int]
    lengths: array[int]
    rounds: array[int]

    @classmethod
    def of(
        cls,
        ruleset: str,
        bots: Sequence[str],
        seats: int,
        scores: bytes,
        ranks: bytes,
        lengths: bytes,
        rounds: bytes,
    ) -> Statistics:
        """From the bytes that the engine writes."""
        return cls(
            ruleset,
            tuple(bots),
            seats,
            array("H", scores),
            array("B", ranks),
            array("I", lengths),
            array("B", rounds),
        )

    @property
    def games(self) -> int:
        return len(self.lengths)

    def bot(self, seat: int) -> str:
        """The bot that plays this seat."""
        return self.bots[seat % len(self.bots)]

    @property
    def wins(self) -> list[float]:
        """The share of each seat in all games; those who share a victory share its point."""
        won = [0.0] * self.seats
        for first in range(0, len(self.ranks), self.seats):
            game = self.ranks[first : first + self.seats]
            winners = game.count(1)
            for seat, rank in enumerate(game):
                if rank == 1:
                    won[seat] += 1 / winners
        return [number / self.games for number in won]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The 95 % confidence interval of each share in `wins`, by Wilson's score."""
        return [_wilson(share, self.games) for share in self.wins]

    def scores_of(self, seat: int) -> array[int]:
        """The points of a seat, by game."""
        return self.scores[seat :: self.seats]

    def table(self) -> str:
        """The statistics as text."""
        lines = [
            f"{self.ruleset}, {self.games:,} games: "
            f"{_mean(self.lengths):.1f} moves ({min(self.lengths)} to {max(self.lengths)}), "
            f"{_mean(self.rounds):.2f} rounds",
            f"{'seat':>4}  {'bot':<14} {'wins':>7} {'95 %':>17} {'points':>8} {'sd':>6} "
            f"{'least':>6} {'median':>7} {'most':>6}",
        ]
        for seat, (share, (low, high)) in enumerate(zip(self.wins, self.intervals, strict=True)):
            points = sorted(self.scores_of(seat))
            lines.append(
                f"{seat:>4}  {self.bot(seat):<14} {share:>7.2%} {low:>7.2%} - {high:>7.2%} "
                f"{_mean(points):>8.2f} {_deviation(points):>6.2f} "
                f"{points[0]:>6} {points[len(points) // 2]:>7} {points[-1]:>6}"
            )
        return "\n".join(lines)

    def plot(self) -> Figure:
        """Wins by seat, points and lengths as a figure. Requires matplotlib."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise ImportError("plots require matplotlib: pip install matplotlib") from None
        figure = Figure(figsize=(12, 3.5), layout="constrained")
        wins, points, lengths = figure.subplots(1, 3)
        names = [f"{seat}: {self.bot(seat)}" for seat in range(self.seats)]
        # Of a share of 1, rounding can put the end of the interval below it.
        ends = list(zip(self.wins, self.intervals, strict=True))
        below = [max(0.0, share - low) for share, (low, _) in ends]
        above = [max(0.0, high - share) for share, (_, high) in ends]
        wins.bar(names, self.wins, yerr=[below, above], capsize=4)
        wins.axhline(1 / self.seats, linestyle=":", color="gray")
        wins.set_title("share of wins, 95 %")
        most = max(self.scores)
        for seat, name in enumerate(names):
            bins = range(0, most + 2, max(1, most // 60))
            points.hist(self.scores_of(seat), bins=bins, histtype="step", label=name)
        points.legend()
        points.set_title("points")
        lengths.hist(self.lengths, bins=range(min(self.lengths), max(self.lengths) + 2))
        lengths.set_title("moves")
        figure.suptitle(f"{self.ruleset}, {self.games:,} games")
        return figure

    def _repr_html_(self) -> str:
        return f"<pre>{self.table()}</pre>"

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<azulejo.Statistics of {self.games} games of {self.ruleset}>"


def _wilson(share: float, games: int) -> tuple[float, float]:
    """Also valid for shares near 0 and 1."""
    z = 1.959964
    center = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (center - spread) / scale), min(1.0, (center + spread) / scale)


def _mean(numbers: Sequence[int] | array[int]) -> float:
    return sum(numbers) / len(numbers)


def _deviation(numbers: Sequence[int]) -> float:
    mean = _mean(numbers)
    squares: Any = sum((number - mean) ** 2 for number in numbers)
    return sqrt(squares / max(1, len(numbers) - 1))
