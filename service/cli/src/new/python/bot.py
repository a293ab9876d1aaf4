"""{{name}}: plays any legal move. Make it better!"""

import random

import azulejo


class MyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        # turn.state is the whole position, turn.left the seconds on the clock.
        return random.choice(turn.legal_moves)


if __name__ == "__main__":
    azulejo.run(MyBot(), name="{{name}}", games_at_once=2)
