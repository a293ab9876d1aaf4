"""The compose project: starts and stops it, and queries its services from outside and inside."""

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

# Two more bots that think for a while: their matches are long enough to be interrupted.
SLOW = {"slow-one": "strong:100", "slow-two": "strong:101"}

# compose.yaml with the changes that this machine needs.
OVERRIDE = """services:
  # The ports of compose.yaml may be in use here.
  server: {{ ports: !override ["127.0.0.1:{page}:7700"] }}
  prometheus: {{ ports: !override ["127.0.0.1:{prometheus}:9090"] }}
  # Its image cannot be built here.
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
        """Waits until services with a health check are healthy, and the others run."""
        self("up", "--detach", "--no-build", "--wait", "--wait-timeout=240", seconds=300)

    def services(self) -> set[str]:
        return set(self("config", "--services").split())

    def containers(self) -> dict[str, dict]:
        """The state of each container, by service."""
        ids = self("ps", "--all", "--quiet").split()
        found = json.loads(self.docker("inspect", *ids)) if ids else []
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}

    def log(self, service: str) -> str:
        return self("logs", "--no-color", "--no-log-prefix", service)

    def ask(self, statement: str) -> list[str]:
        """A query to the database, over the network and with the password, as the server does."""
        query = ("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", "postgres", "-U", "azulejo", "-c", statement, "azulejo")
        return self("exec", "-T", "-e", f"PGPASSWORD={self.env['POSTGRES_PASSWORD']}", "postgres", *query).split()

    def results(self) -> set[str]:
        """The matches that have a rated result."""
        return set(self.ask("SELECT id FROM results JOIN matches ON matches.number = match_number WHERE rated"))

    def bots(self) -> list[str]:
        """Each bot with its number and registration time."""
        return self.ask("SELECT concat_ws(':', number, bot, registered) FROM bots ORDER BY number")

    def matches(self, status: str, **more: object) -> list[dict]:
        return called(self.page, "MatchesService/ListMatches", status=f"MATCH_STATUS_{status}", **more).get("matches", [])

    def match(self, name: str) -> dict:
        return called(self.page, "MatchesService/GetMatch", matchId=name)["match"]

    def query(self, question: str) -> list[dict]:
        """A result of Prometheus' API."""
        return json.loads(fetch(f"{self.prometheus}/api/v1/{question}"))["data"]

    def inside(self, host: str, port: int) -> str:
        """The metrics that a service exposes on the network of the containers, read by a neighbour."""
        talk = f'exec 3<>/dev/tcp/{host}/{port}; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3'
        return self("exec", "-T", "server", "bash", "-c", talk)

    def ended_since(self, moment: float) -> dict[str, int]:
        """Exit codes of containers by service, in the order in which they ended."""
        span = (f"--since={moment:.3f}", f"--until={time.time():.3f}")
        output = self.docker("events", *span, "--filter=event=die", "--format={{json .Actor.Attributes}}")
        ends = [json.loads(line) for line in output.splitlines()]
        return {end["com.docker.compose.service"]: int(end["exitCode"]) for end in ends}

    def token_shown(self) -> list[str]:
        """The organiser's token, if it is in the log."""
        return re.findall(r"aza_[\w-]+", self.log("server"))

    def token(self) -> str:
        """The organiser's token, which the first start writes to a file."""
        return self("exec", "-T", "server", "cat", "admin-token").strip()
