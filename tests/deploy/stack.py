"""Everything that compose.yaml starts, started: and what it says, asked from outside and from inside."""

from __future__ import annotations

import json
import re
import secrets
import time
from pathlib import Path

import images
from daemon import Docker
from metrics_live import called
from support import fetch, free_port, said

# Two more bots, which think for a while: their matches last long enough to be cut in the middle.
SLOW = {"slow-one": "strong:100", "slow-two": "strong:101"}

# compose.yaml as it is, but for what this computer asks for.
OVERRIDE = """services:
  # Others may use the ports of compose.yaml here.
  server: {{ ports: !override ["127.0.0.1:{page}:7700"] }}
  prometheus: {{ ports: !override ["127.0.0.1:{prometheus}:9090"] }}
  # Its image cannot be made here.
  grafana: {{ profiles: [elsewhere] }}
"""
SLOW_BOT = """  {name}:
    extends: {{ file: {file}, service: greedy }}
    command: [bot, "{bot}", --register={name}/{name}, --keep={name}.txt]
"""


class Stack:
    def __init__(self, docker: Docker, folder: Path) -> None:
        self.docker, self.program = docker, images.compose()
        ports = {"page": free_port(), "prometheus": free_port()}
        self.page, self.prometheus = (f"http://127.0.0.1:{port}" for port in ports.values())
        self.override = folder / "override.yaml"
        slow = (SLOW_BOT.format(name=name, bot=bot, file=images.COMPOSE) for name, bot in SLOW.items())
        self.override.write_text(OVERRIDE.format(**ports) + "".join(slow))
        self.env = {**docker.env, "DOCKER_HOST": f"unix://{docker.socket}", "POSTGRES_PASSWORD": secrets.token_hex(16)}

    def __call__(self, *arguments: object, seconds: float = 120, **options) -> str:
        files = ("-f", images.COMPOSE, "-f", self.override)
        return said(self.program, *files, *arguments, seconds=seconds, env=self.env, cwd="/", **options)

    def up(self) -> None:
        """Until whoever has a health check is healthy, and the others run."""
        self("up", "--detach", "--no-build", "--wait", "--wait-timeout=240", seconds=300)

    def services(self) -> set[str]:
        return set(self("config", "--services").split())

    def containers(self) -> dict[str, dict]:
        """By service: what docker knows of its container."""
        ids = self("ps", "--all", "--quiet").split()
        found = json.loads(self.docker("inspect", *ids)) if ids else []
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}

    def log(self, service: str) -> str:
        return self("logs", "--no-color", "--no-log-prefix", service)

    def ask(self, statement: str) -> list[str]:
        """The database, over the network and with the password, as the server does."""
        query = ("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", "postgres", "-U", "azulejo", "-c", statement, "azulejo")
        return self("exec", "-T", "-e", f"PGPASSWORD={self.env['POSTGRES_PASSWORD']}", "postgres", *query).split()

    def results(self) -> set[str]:
        """The matches that have a rated result."""
        return set(self.ask("SELECT id FROM results JOIN matches ON matches.number = match_number WHERE rated"))

    def bots(self) -> list[str]:
        """Each with its number and the time when it was registered."""
        return self.ask("SELECT concat_ws(':', number, bot, registered) FROM bots ORDER BY number")

    def matches(self, status: str, **more: object) -> list[dict]:
        return called(self.page, "MatchesService/ListMatches", status=f"MATCH_STATUS_{status}", **more).get("matches", [])

    def match(self, name: str) -> dict:
        return called(self.page, "MatchesService/GetMatch", matchId=name)["match"]

    def query(self, question: str) -> list[dict]:
        """What Prometheus answers."""
        return json.loads(fetch(f"{self.prometheus}/api/v1/{question}"))["data"]

    def inside(self, host: str, port: int) -> str:
        """The metrics that somebody serves on the network of the containers, seen by a neighbour."""
        talk = f'exec 3<>/dev/tcp/{host}/{port}; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3'
        return self("exec", "-T", "server", "bash", "-c", talk)

    def ended_since(self, moment: float) -> dict[str, int]:
        """By service, in the order of their ends: the exit codes of containers, gone or not."""
        span = (f"--since={moment:.3f}", f"--until={time.time():.3f}")
        told = self.docker("events", *span, "--filter=event=die", "--format={{json .Actor.Attributes}}")
        ends = [json.loads(line) for line in told.splitlines()]
        return {end["com.docker.compose.service"]: int(end["exitCode"]) for end in ends}

    def token_shown(self) -> list[str]:
        """The organiser's, as far as the log has it."""
        return re.findall(r"aza_[\w-]+", self.log("server"))
