"""{{name}}: plays a random legal move. Make it better!"""

import random

import azulejo


class MyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        # turn.state is the complete state, turn.time_left the seconds left on the clock. Every legal
        # move includes its effect.
        return random.choice(turn.legal_moves)


if __name__ == "__main__":
    azulejo.run(MyBot(), name="{{name}}", max_concurrent_matches=2)
