"""A real server with its own store, on free ports of this machine, and calls to it."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

from testing import PROGRAM, end, expect, made, until

# The server is on this machine: no proxy.
HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Server:
    def __enter__(self):
        expect(PROGRAM.is_file(), f"{PROGRAM} is missing: build it, or set AZULEJO_BIN")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="azulejo-languages-"))
        ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
        self.out = self.folder / "server.out"
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--store", self.folder / "arena.db", *ports],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.url = until("the server prints its address", self.address, 20)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(self.process)
        shutil.rmtree(self.folder)

    def address(self):
        expect(self.process.poll() is None, f"the server has ended: {self.out.read_text()}")
        found = re.search(r"gRPC and HTTP/JSON: +(http://[0-9.:]+)", self.out.read_text())
        return found and found[1]

    def call(self, method, **message):
        request = urllib.request.Request(
            f"{self.url}/azulejo.arena.v1.{method}",
            json.dumps(message).encode(),
            {"content-type": "application/json"},
        )
        try:
            with HTTP.open(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method}: {error.read().decode()}") from None

    def register(self, owner, name):
        """The token of a new bot."""
        return self.call("BotsService/RegisterBot", owner=owner, name=name)["token"]

    def ended(self, bot):
        """The matches of a bot that have a result, newest first."""
        status = "MATCH_STATUS_ENDED"
        request = {"bot": bot, "status": status, "pageSize": 200}
        return self.call("MatchesService/ListMatches", **request)["matches"]


def check_finished(match):
    """The match is rated, and its bots played to the end of the game."""
    expect(match["rated"], f"{match['id']} is not rated: {match['unratedReason']}")
    reasons = [seat["endReason"] for seat in match["result"]["seats"]]
    expect(set(reasons) == {"END_REASON_FINISHED"}, f"{match['id']}: {reasons}")
    by_server = any(seat["house"] for seat in match["seats"])
    expect(not by_server, f"the server played a seat of {match['id']}")


def check_record(server, match):
    """The record of the match is valid."""
    record = server.folder / f"{match['id']}.json"
    record.write_text(server.call("MatchesService/GetMatch", matchId=match["id"])["record"])
    # It fails if the record is not valid.
    made("verify", PROGRAM, "verify", record)


def check_ladder(server, match):
    """The official standings of the pool contain every bot of the match, within seconds."""
    pool = match["pool"]["name"]
    bots = {seat["bot"] for seat in match["seats"]}

    def listed():
        entries = server.call("LadderService/GetStandings", pool=pool)["entries"]
        return bots <= {entry["bot"] for entry in entries if entry["games"] > 0}

    until(f"{bots} are on the ladder {pool}", listed, 30)
