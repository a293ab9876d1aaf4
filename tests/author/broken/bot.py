"""A bot that uses only Python's standard library and plain HTTP; with one defect, if one is given.

    bot.py              sound
    bot.py DEFECT       one of the keys below, each found by the check that it names
"""

import base64
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

DEFECTS = {
    "ends-at-once": "plays",
    "never-answers": "plays",
    "answers-illegally": "plays",
    "thinks-too-long": "clock",
    "has-no-patience": "slow-link",
    "ends-on-a-cut": "cut-stream",
    "dies-of-duplicates": "duplicates",
    "ignores-the-snapshot": "restart",
    "repeats-stale-answers": "stale-turn",
    "dies-of-a-refusal": "refused-answer",
    "forgets-after-a-crash": "crash",
    "ignores-sigterm": "stop",
    "never-rests": "idle",
}
DEFECT = sys.argv[1] if len(sys.argv) > 1 else None
SERVER, TOKEN = os.environ["AZULEJO_SERVER"], os.environ["AZULEJO_TOKEN"]


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


def call(method, patience=30.0, **message):
    """One call, retried until the server answers: every call of the service is safe to retry."""
    for attempt in range(100):
        request = urllib.request.Request(
            f"{SERVER}/azulejo.arena.v1.PlayService/{method}",
            json.dumps(message).encode(),
            {"content-type": "application/json", "authorization": f"Bearer {TOKEN}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            code = json.load(error).get("code")
            if code not in ("unavailable", "deadline_exceeded", "resource_exhausted"):
                raise Refused(code) from None
        except OSError:
            if DEFECT in ("ends-on-a-cut", "has-no-patience"):
                raise
        time.sleep(0.05 * min(attempt + 1, 10))
    sys.exit("the server does not answer")


class Bot:
    def __init__(self):
        self.answered = set()

    def submit(self, turn):
        legal = turn["legalMoves"][0].get("actionId", 0)
        action = 4_000_000_000 if DEFECT == "answers-illegally" else legal
        patience = 0.05 if DEFECT == "has-no-patience" else 30.0
        number = turn.get("turn", 0)
        for _ in range(50):
            try:
                call("SubmitMove", patience, matchId=turn["matchId"], turn=number, actionId=action)
                return
            except Refused as refused:
                if DEFECT == "dies-of-a-refusal" and refused.code == "invalid_argument":
                    sys.exit("I was refused")
                again = refused.code == "aborted" and DEFECT == "repeats-stale-answers"
                if not again and not (DEFECT == "answers-illegally"):
                    return

    def decide(self, turn):
        key = (turn["matchId"], turn.get("turn", 0))
        if DEFECT == "dies-of-duplicates" and key in self.answered:
            sys.exit(f"I have answered {key} already")
        self.answered.add(key)
        if DEFECT == "thinks-too-long":
            time.sleep(1.5)
        if DEFECT != "never-answers":
            self.submit(turn)

    def get_ready(self, starting):
        nonce = base64.b64encode(os.urandom(32)).decode()
        try:
            call("Ready", matchId=starting["match"]["id"], nonce=nonce)
        except Refused:
            pass  # It is ready already, with another nonce.

    def catch_up(self, snapshot):
        seatings = snapshot.get("seatings", [])
        if seatings and DEFECT in ("ignores-the-snapshot", "forgets-after-a-crash"):
            return
        for seating in seatings:
            if "starting" in seating:
                self.get_ready(seating["starting"])
            if "turn" in seating:
                self.decide(seating["turn"])

    def take(self, event):
        if "snapshot" in event:
            self.catch_up(event["snapshot"])
        elif "matchStarting" in event:
            self.get_ready(event["matchStarting"])
        elif "turn" in event:
            self.decide(event["turn"])
        elif "ping" in event:
            call("Heartbeat", ping=event["ping"]["number"])

    def play(self):
        hello = {"version": "1", "offer": {"maxConcurrentMatches": 1, "acceptsChallenges": True}}
        session, after = "", 0
        while True:
            try:
                asked = {"session": session, "afterSeq": after} if session else {"hello": hello}
                heard = call("NextEvents", maxWait="5s", **asked)
            except Refused:
                session, after = "", 0  # The session is gone: open a new one.
                continue
            session = heard["session"]
            for event in heard.get("events", []):
                self.take(event)
                after = max(after, int(event["seq"]))


if __name__ == "__main__":
    if DEFECT is not None and DEFECT not in DEFECTS:
        sys.exit(f"there is no defect {DEFECT}")
    if DEFECT == "ends-at-once":
        sys.exit("I am not in the mood")
    if DEFECT == "ignores-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if DEFECT == "never-rests":
        for _ in range(4):
            if os.fork() == 0:
                while True:
                    pass
    Bot().play()
