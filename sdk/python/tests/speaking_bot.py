"""A bot in its own process that prints what happens: `speaking_bot.py SETTINGS`."""

import ast
import sys
import time
from typing import Any

import azulejo
from azulejo import arena


class Speaking(azulejo.Bot):
    def __init__(self, pause: float) -> None:
        self.pause = pause

    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        say("turn", turn.match_id, turn.number)
        # Gives the tests time to interrupt the match.
        time.sleep(self.pause)
        return turn.legal_moves[turn.number % len(turn.legal_moves)]

    def match_ended(self, ended: azulejo.MatchEnded, fair: bool | None) -> None:
        reason = ended.match.result.seats[ended.seat].end_reason
        say("ended", ended.match.id, arena.EndReason.Name(reason), fair)


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


settings: dict[str, Any] = ast.literal_eval(sys.argv[1])
bot = Speaking(settings.pop("pause", 0.0))
try:
    azulejo.run(bot, **settings)
except azulejo.ReplacedError as replaced:
    say("replaced:", replaced)
    sys.exit(3)
say("stopped")
