"""A live server and a real Prometheus that scrapes it, with the configuration of compose."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tools
from support import DEPLOY, PROGRAM, fetch, free_port, need_program, running, said, server, until

CONFIG = DEPLOY / "prometheus" / "prometheus.yaml"


@dataclass
class Watched:
    """The metrics of a demo server after some matches and calls, and the data of Prometheus:
    query results, rules, targets."""

    scrape: str
    answers: dict[str, list[dict]]
    rules: list[dict]
    targets: list[dict]


@cache
def watched(queries: tuple[str, ...]) -> Watched:
    need_program()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with (server(folder, "serve", "--demo", "--store", folder / "azulejo.db") as (process, url, admin),
              prometheus(folder, admin) as api):
            said(PROGRAM, "load", "engine", "--server", url, "--seconds", 3, "--connections", 1)
            call_a_match_off(folder / "azulejo.db", url)
            try:
                until("matches have ended and standings are fitted", lambda: (process.check(), happened(admin))[1], 60, 1)
            except AssertionError:
                # The tests report what is missing, by name.
                process.check()
            # Rates need samples from before and after.
            seen = scrapes(api)
            until("Prometheus has scraped twice more", lambda: scrapes(api) >= seen + 2, 30)
            return Watched(
                fetch(f"{admin}/metrics"), {query: asked(api, query) for query in queries},
                [rule for group in get(api, "rules")["groups"] for rule in group["rules"]],
                get(api, "targets")["activeTargets"])


@contextmanager
def prometheus(folder: Path, admin: str) -> Iterator[str]:
    """Scrapes the admin port with the configuration of compose, only more often."""
    port = free_port()
    api = f"http://127.0.0.1:{port}/api/v1"
    config = re.sub(r"interval: \d+s", "interval: 1s", CONFIG.read_text())
    config = config.replace("server:7701", admin.removeprefix("http://")).replace("/etc/prometheus/", f"{CONFIG.parent}/")
    file = folder / "prometheus.yaml"
    file.write_text(config)
    with running(
        folder / "prometheus.log", tools.prometheus(), f"--config.file={file}", f"--storage.tsdb.path={folder}/series",
        f"--web.listen-address=127.0.0.1:{port}",
    ) as process:
        until("Prometheus has scraped", lambda: (process.check(), scrapes(api))[1], 60)
        yield api


def get(api: str, path: str, **words: str):
    answer = json.loads(fetch(f"{api}/{path}?{urllib.parse.urlencode(words)}"))
    assert answer["status"] == "success", f"{path}: {answer}"
    return answer["data"]


def asked(api: str, query: str) -> list[dict]:
    try:
        return get(api, "query", query=query)["result"]
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{query}: {error.read().decode()}") from error


def scrapes(api: str) -> int:
    """The number of scrapes of the server."""
    found = asked(api, 'count_over_time(up{job="azulejo"}[1h])')
    return int(found[0]["value"][1]) if found else 0


def call_a_match_off(store: Path, url: str) -> None:
    """As an organiser, with the token that the first start writes to a file."""
    token = store.with_name(f"{store.name}.admin-token").read_text().strip()

    def called_off() -> bool:
        running = called(url, "MatchesService/ListMatches", status="MATCH_STATUS_PLAYING").get("matches", [])
        words = ("admin", "void", running[0]["id"], "--reason", "a test", "--server", url, "--token", token) if running else ()
        return bool(words) and subprocess.run([PROGRAM, *words], capture_output=True, timeout=30).returncode == 0

    until("a match is called off", called_off, 60, 0.5)


def called(url: str, method: str, **message) -> dict:
    head = {"content-type": "application/json"}
    call = urllib.request.Request(f"{url}/azulejo.arena.v1.{method}", json.dumps(message).encode(), head)
    return json.load(urllib.request.urlopen(call, timeout=10))


def happened(admin: str) -> bool:
    """The slow parts: a match that was played to its end, and its standings."""
    live = samples(fetch(f"{admin}/metrics"))
    ended = live.get("azulejo_arena_matches_ended_total", [])
    return any(labels.get("how") == "finished" for labels in ended) and "azulejo_ladder_fit_seconds" in live


def samples(text: str) -> dict[str, list[dict[str, str]]]:
    """The metrics of a scrape: name -> labels of each series."""
    found: dict[str, list[dict[str, str]]] = {}
    for line in text.splitlines():
        if sample := re.match(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$", line):
            labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2] or ""))
            found.setdefault(sample[1], []).append(labels)
    return found
