"""A second opinion: SciPy finds the maximum of the likelihood of the cases that the tests wrote.

The model, written down once more: in a match each pair of seats is a comparison; its log-odds are
the difference of strengths plus that of the seat advantages; a tie is half a win; a pair of
three players counts 0.745, of four 0.597. The prior of strengths has a deviation of 350 points
around the middle, that of seats 100. Points are 400 / ln 10 for each unit. Where house/greedy plays it has 1500, else
the field has, in which who plays more counts more.
"""

import json
import math
import sys

import numpy
from scipy.optimize import minimize

ELO = 400 / math.log(10)
WORTH = {2: 1.0, 3: 0.745, 4: 0.597}
worst = 0.0
cases = 0


def groups(bots: list[str], games: list) -> list[set[str]]:
    found = [{bot} for bot in bots]
    for game in games:
        met = {bot for bot, _ in game}
        linked = [group for group in found if group & met]
        found = [group for group in found if not group & met] + [set().union(*linked)]
    return found


for text in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(text)
    games, seats = case["games"], case["seats"]
    bots = sorted({bot for game in games for bot, _ in game})
    rows, scores, weights = [], [], []
    for game in games:
        for i, (a, first) in enumerate(game):
            for j, (b, second) in list(enumerate(game))[i + 1 :]:
                row = numpy.zeros(len(bots) + seats)
                row[bots.index(a)] += 1
                row[bots.index(b)] -= 1
                row[len(bots) + i] += 1
                row[len(bots) + j] -= 1
                rows.append(row)
                scores.append(1.0 if first < second else 0.5 if first == second else 0.0)
                weights.append(WORTH[len(game)])
    x, y, w = numpy.array(rows), numpy.array(scores), numpy.array(weights)
    spread = numpy.array([350 / ELO] * len(bots) + [100 / ELO] * seats)

    def loss(at):
        odds = x @ at
        return -(w * (y * odds - numpy.logaddexp(0, odds))).sum() + 0.5 * ((at / spread) ** 2).sum()

    best = minimize(loss, numpy.zeros(len(bots) + seats), method="BFGS", options={"gtol": 1e-9}).x
    played = {bot: sum(bot == other for game in games for other, _ in game) for bot in bots}
    ours = {line["player"]["bot"]: line for line in case["standings"]["lines"]}
    assert sorted(ours) == bots
    for group in groups(bots, games):
        field = sum(best[bots.index(bot)] * played[bot] for bot in group) / sum(played[bot] for bot in group)
        middle = best[bots.index("house/greedy")] if "house/greedy" in group else field
        for bot in group:
            worst = max(worst, abs(1500 + ELO * (best[bots.index(bot)] - middle) - ours[bot]["rating"]))
            assert ours[bot]["games"] == played[bot]
    terms = best[len(bots) :] - best[len(bots) :].mean()
    for term, points in zip(terms, case["standings"]["seat_points"]):
        worst = max(worst, abs(ELO * term - points))
    cases += 1

print(f"{cases} cases, the largest difference is {worst:.3f} points (ratings are rounded to 0.1)")
if cases < 40 or worst > 0.06:
    sys.exit("SciPy has another opinion")
