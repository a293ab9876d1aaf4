"""The chart and the program: the program accepts the arguments of all containers."""

from __future__ import annotations

import json
import re
import signal
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from objects import VALUE_SETS, WORKLOADS, argument, containers, labels_of, name_of, of_kind, rendered, servers
from support import PROGRAM, Running, fetch, free_port, is_serving, need_program, running, said, server, swarm_held, until

PORTS = {7700: "grpc", 7701: "admin"}


def here(words: list[str], folder: Path, ports: dict[int, int]) -> list[str]:
    """The arguments of a container, with ports and files of this machine."""
    changed = []
    for word in words:
        word = re.sub(r"=(0\.0\.0\.0|\[::\]):(\d+)$", lambda found: f"=127.0.0.1:{ports[int(found[2])]}", word)
        word = word.replace("=/var/lib/azulejo/", f"={folder}/").replace("=/etc/azulejo/tls/", f"={folder}/")
        word = word.replace("=/etc/azulejo/organiser/", f"={folder}/")
        # There is no collector here.
        word = re.sub(r"^--otlp-endpoint=.*", f"--otlp-endpoint=http://127.0.0.1:{ports[0]}", word)
        changed.append(word)
    return changed


def distinct_servers() -> dict[str, dict]:
    """Every server container with arguments of its own."""
    found = {}
    for values in VALUE_SETS:
        for each in servers(rendered(values)):
            container = containers(each)[0]
            found.setdefault(json.dumps(container["args"]), (f"{values.stem}: {name_of(each)}", container))
    return dict(found.values())


def probes_ask_what_a_server_started_as_in_its_container_answers() -> None:
    need_program()
    # They mostly wait, so they run in parallel.
    with ThreadPoolExecutor(4) as together:
        for tried in [together.submit(probed, *each) for each in distinct_servers().items()]:
            tried.result()


def probed(name: str, container: dict) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        certificate(folder)
        (folder / "token").write_text(f"aza_{'organiser' * 4}\n")
        ports = {7700: free_port(), 7701: free_port(), 0: free_port()}
        # Instead of a reference to a database.
        env = {"AZULEJO_STORE": "memory"} if container["args"][0] == "arena" else {}
        command = [PROGRAM, *here(container["args"], folder, ports)]
        with running(folder / "log", *command, env=env, cwd=folder) as process:
            check_probes(name, container, process, ports)
            check_named_ports(name, container)
            assert "rpc_server_call_duration_seconds" in fetch(f"http://127.0.0.1:{ports[7701]}/metrics")
            process.process.send_signal(signal.SIGTERM)
            drained(name, container, process, ports[7701])


def check_probes(name: str, container: dict, process: Running, ports: dict[int, int]) -> None:
    asked = set()
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        grpc = container[probe]["grpc"]
        asked.add((probe, grpc["service"]))

        def serves(grpc=grpc) -> bool:
            process.check()
            return is_serving(ports[grpc["port"]], grpc["service"])

        until(f"{name}: {probe} succeeds", serves)
        assert not is_serving(ports[grpc["port"]], "no-such-service"), f"{name}: reports any service as healthy"
    assert asked == {("startupProbe", "live"), ("readinessProbe", "ready"), ("livenessProbe", "live")}


def check_named_ports(name: str, container: dict) -> None:
    named = {port["containerPort"]: port["name"] for port in container["ports"]}
    assert named == PORTS, f"{name}: {named}"
    assert argument(container, "listen").endswith(":7700") and argument(container, "admin-listen").endswith(":7701")


def drained(name: str, container: dict, process: Running, admin: int) -> None:
    """After the signal it is live but not ready; then it exits with 0, in time."""
    drain, grace = (int(argument(container, word)) / 1000 for word in ("drain", "grace"))
    until(f"{name} reports not ready", lambda: not is_serving(admin, "ready"), drain)
    assert is_serving(admin, "live"), f"{name} would be killed while it drains"
    assert process.process.wait(drain + grace + 2) == 0, process.text()[-2000:]


def certificate(folder: Path) -> None:
    said("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "tls.key", "-out", folder / "tls.crt")


def bots_and_tests_of_the_chart_do_what_they_should() -> None:
    """Every client container, against a server: it plays, measures, tests, and exits with 0."""
    need_program()
    clients = {}
    for values in VALUE_SETS:
        for each in of_kind(rendered(values), *WORKLOADS):
            part = labels_of(each)["app.kubernetes.io/component"]
            for container in containers(each) if part in ("house-bot", "load-test", "smoke-test") else []:
                kind = " ".join(container["args"][:2])
                clients.setdefault(kind, (part, container["args"]))
    expected = {"bot greedy", "bot strong:250", "load engine", "load ladder", "load overload", "export /dev/null"}
    assert set(clients) == expected, f"{set(clients) ^ expected}"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with server(folder, "serve", "--store=memory") as (_process, url, _admin):
            for kind, (part, words) in clients.items():
                words = [re.sub(r"^--server=.*", f"--server={url}", word) for word in words]
                words = [re.sub(r"^--(seconds|bots)=.*", r"--\1=3", word) for word in words]
                if part == "house-bot":
                    plays(folder, kind, words, url)
                elif kind == "load ladder":
                    with running(folder / "swarm.log", PROGRAM, *words, "--think=5ms", "--json", cwd=folder) as bots:
                        swarm_held(bots)
                else:
                    said(PROGRAM, *words, cwd=folder, seconds=120)


def plays(folder: Path, kind: str, words: list[str], url: str) -> None:
    """With a token from its environment, until it is stopped."""
    owner = kind.split(" ")[1].replace(":", "-")
    body = json.dumps({"owner": f"house-{owner}", "name": owner}).encode()
    call = urllib.request.Request(f"{url}/azulejo.arena.v1.BotsService/RegisterBot", body, {"content-type": "application/json"})
    token = json.load(urllib.request.urlopen(call, timeout=10))["token"]
    with running(folder / f"{owner}.log", PROGRAM, *words, env={"AZULEJO_TOKEN": token}, cwd=folder) as bot:
        until(f"{kind} plays", lambda: (bot.check(), "plays at" in bot.text())[1])
        assert bot.stop(30) == 0, bot.text()


TESTS = [
    probes_ask_what_a_server_started_as_in_its_container_answers,
    bots_and_tests_of_the_chart_do_what_they_should,
]
