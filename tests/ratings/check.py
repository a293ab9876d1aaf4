"""A second opinion: the package openskill (Bradley-Terry full) on the cases that the tests wrote."""

import json
import sys

from openskill.models import BradleyTerryFull

model = BradleyTerryFull(mu=25.0, sigma=25.0 / 3.0, beta=25.0 / 3.0, kappa=0.000001, tau=0.0)
worst = 0.0
cases = 0
for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in case["before"]]
    after = model.rate(teams, ranks=case["placements"])
    for (team,), (mean, deviation) in zip(after, case["after"]):
        worst = max(worst, abs(team.mu - mean), abs(team.sigma - deviation))
    cases += 1
print(f"{cases} matches, the largest difference is {worst:.3g}")
if cases < 500 or worst > 1e-9:
    sys.exit("openskill gives other ratings")
