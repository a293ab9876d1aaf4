"""{{name}}: plays a random legal move. Make it better!"""

import random

import azulejo


class MyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        # Also in a turn: state is the whole position, time_left the seconds on the clock, and every
        # legal move carries its effect.
        return random.choice(turn.legal_moves)


if __name__ == "__main__":
    azulejo.run(MyBot(), name="{{name}}", max_concurrent_matches=2)
