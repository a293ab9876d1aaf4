"""{{name}}: searches with the engine in its own process. It plays on from every move to the end, at
random and many times, most often from the moves with the best results. Make it better!
"""

import math
import time

import azulejo

# Seconds for a move. It is less when little is left on the clock.
MOST = 0.2


class MyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        end = time.monotonic() + min(MOST, turn.time_left / 20)
        # The coming deals are not known: every playout draws its own.
        game = azulejo.Game.from_state(turn.state, chance="explicit")
        actions = game.legal_actions()
        visits = [0] * len(actions)
        totals = [0.0] * len(actions)
        number = 0
        while number < len(actions) or time.monotonic() < end:
            if number < len(actions):
                move = number
            else:
                bonus = 2 * math.log(number)
                bounds = [t / v + math.sqrt(bonus / v) for t, v in zip(totals, visits)]
                move = bounds.index(max(bounds))
            future = game.clone()
            future.apply(actions[move])
            future.play_out(seed=number)
            visits[move] += 1
            totals[move] += future.returns()[turn.seat]
            number += 1
        return actions[visits.index(max(visits))]


if __name__ == "__main__":
    azulejo.run(MyBot(), name="{{name}}", max_concurrent_matches=2)
