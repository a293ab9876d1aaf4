"""The image: built by a real daemon, run read-only and unprivileged, played against, stopped."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import yaml

import daemon
import tools
from support import (
    DEPLOY, PROGRAM, ROOT, fetch, free_port, if_possible, is_serving, need_program, run_tests, running, said, until,
)

WHOLE = "--whole" in sys.argv
IMAGE = "azulejo:test"
COMPOSE = DEPLOY / "docker" / "compose.yaml"
DRAIN, GRACE = 500, 8000


class World:
    """Shared by the tests: the daemon, and files of this run."""

    docker: daemon.Docker
    folder: Path
    has_image = False


def build(*arguments: object, seconds: float) -> str:
    """`docker build`; a failure shows the end of its output."""
    command = ("build", "--network=host", "-f", DEPLOY / "docker" / "Dockerfile", *arguments)
    try:
        return World.docker(*command, seconds=seconds, errors_too=True)
    except AssertionError as error:
        raise AssertionError(f"{error}"[-3000:]) from error


def need_image() -> None:
    assert World.has_image, "there is no image"


def the_image_builds() -> None:
    assert daemon.names_in_the_dockerfile() == {daemon.BASE, daemon.RUST}
    daemon.load_base(World.docker)
    if WHOLE:
        daemon.load_rust(World.docker)
        build("-t", IMAGE, *cargo_settings(), ROOT, seconds=3600)
    else:
        # With the existing executable: the stages of the compiler are skipped.
        need_program()
        context = World.folder / "context"
        context.mkdir()
        said("strip", "-o", context / "azulejo", PROGRAM)
        build("-t", IMAGE, "--build-arg", "BINARY=given", context, seconds=600)
    World.has_image = True


def a_changed_source_leaves_the_dependencies_alone() -> None:
    need_image()
    context = World.folder / "changed"
    said("git", "clone", "-q", "--no-hardlinks", ROOT, context)
    for file in context.glob("service/*/src/*.rs"):
        file.write_text(file.read_text() + "\n// Changed.\n")
    output = build("--target=dependencies", *cargo_settings(), context, seconds=600)
    step = re.search(r"^#(\d+) \[dependencies.*RUN .*cargo build", output, re.M)
    assert step and f"#{step[1]} CACHED" in output, output[-3000:]


def cargo_settings() -> list[object]:
    """The cargo configuration of this machine."""
    config = Path.home() / ".cargo" / "config.toml"
    return ["--secret", f"id=cargo,src={config}"] if config.exists() else []


def the_image_is_small_and_for_a_user_without_rights() -> None:
    need_image()
    config = json.loads(World.docker("image", "inspect", IMAGE))[0]
    assert config["Config"]["User"] == "65532:65532", config["Config"]["User"]
    assert config["Config"]["Entrypoint"] == ["/usr/local/bin/azulejo"] and config["Config"]["Cmd"] == ["serve"]
    base = json.loads(World.docker("image", "inspect", daemon.BASE))[0]
    added = (config["Size"] - base["Size"]) / 1e6
    print(f"the image adds {added:.0f} MB to its base of {base['Size'] / 1e6:.0f} MB", flush=True)
    assert added < 60, f"{added} MB"


class Container:
    """The server, with the same restrictions as in a cluster."""

    def __init__(self, *arguments: str) -> None:
        need_image()
        self.port, self.admin = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.id = World.docker(
            "run", "--detach", "--pull=never", "--read-only", "--network=host", "--cap-drop=ALL", "--security-opt=no-new-privileges",
            "-e", f"AZULEJO_LISTEN=127.0.0.1:{self.port}", "-e", f"AZULEJO_ADMIN_LISTEN=127.0.0.1:{self.admin}",
            IMAGE, "serve", f"--drain={DRAIN}", f"--grace={GRACE}", *arguments,
        ).strip()
        try:
            until("the container is ready", lambda: is_serving(self.admin, "ready"))
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log()}") from error

    def log(self) -> str:
        return World.docker("logs", self.id)


@cache
def container() -> Container:
    return Container("--demo")


def the_container_runs_read_only_and_without_rights() -> None:
    box = container()
    assert World.docker.inspect(box.id, "{{.HostConfig.ReadonlyRootfs}}") == "true"
    assert World.docker("exec", box.id, "id", "-u").strip() == "65532"
    assert World.docker("exec", box.id, "sh", "-c", "touch /try 2>&1 || echo refused").strip().endswith("refused")
    rights = World.docker("exec", box.id, "sh", "-c", "grep CapEff /proc/1/status").split()[1]
    assert int(rights, 16) == 0, rights
    assert "azulejo.db" in World.docker("exec", box.id, "ls", "/var/lib/azulejo")


def it_plays_matches_against_a_bot_outside() -> None:
    box = container()
    command = ("bot", "greedy", "--register", "outside/greedy", "--server", box.url)
    with running(World.folder / "bot.log", PROGRAM, *command) as bot:
        until("the bot outside has finished a match",
              lambda: (bot.check(), re.search(r"placed [12] of 2", bot.text()))[1], 120, 0.5)
        assert "deals checked" in bot.text() and "NOT FAIR" not in bot.text(), bot.text()
    assert "outside/greedy" in fetch(f"{box.url}/"), "the ladder does not show it"


def it_stops_in_time_with_streams_open() -> None:
    box = container()
    swarm = ("load", "ladder", "--bots", 10, "--seconds", 60, "--server", box.url)
    with running(World.folder / "swarm.log", PROGRAM, *swarm, cwd=World.folder) as bots:
        until("streams are open", lambda: (bots.check(), active_calls(box) >= 10)[1], 30)
        began = time.monotonic()
        World.docker("stop", "--time=20", box.id)
        took = time.monotonic() - began
        code = World.docker.inspect(box.id, "{{.State.ExitCode}} {{.State.OOMKilled}}")
        print(f"stopped in {took:.1f} s, of {(DRAIN + GRACE) / 1000} s", flush=True)
        assert code == "0 false", f"{code}\n{box.log()[-2000:]}"
        assert DRAIN / 1000 <= took < (DRAIN + GRACE) / 1000 + 2, f"{took} s"


def active_calls(box: Container) -> int:
    return int(re.search(r"^azulejo_server_active_calls (\d+)", fetch(f"http://127.0.0.1:{box.admin}/metrics"), re.M)[1])


def the_demo_bot_of_compose_registers_once() -> None:
    """In a container, twice: the second start reuses the token of the first."""
    box, words = Container(), yaml.safe_load(COMPOSE.read_text())["services"]["greedy"]["command"]
    World.docker("volume", "create", "bots")
    for start in ("first", "second"):
        bot = World.docker(
            "run", "--detach", "--pull=never", "--read-only", "--network=host", "--cap-drop=ALL", "-v", "bots:/var/lib/azulejo",
            "-e", f"AZULEJO_SERVER={box.url}", IMAGE, *words).strip()
        until(f"its {start} start", lambda: active_calls(box) == 1, 20)
        World.docker("stop", "--time=10", bot)
        log = World.docker("logs", bot)
        assert World.docker.inspect(bot, "{{.State.ExitCode}}") == "0" and "azb_" not in log, log
        until("it is gone", lambda: active_calls(box) == 0, 20)
    World.docker("stop", "--time=20", box.id)


def compose_is_valid_and_what_it_mounts_exists() -> None:
    loader = tools.built("compose-go", "github.com/compose-spec/compose-go/v2/cmd", tools.COMPOSE)
    # The reference implementation of the format: schema, anchors, interpolation.
    refused = subprocess.run([loader, COMPOSE], capture_output=True, text=True, cwd=COMPOSE.parent)
    assert refused.returncode and "see the first lines of compose.yaml" in refused.stderr, "a missing password is not explained"
    # It does not expand environment variables, so the password is inserted.
    filled = World.folder / "compose.yaml"
    filled.write_text(re.sub(r"\$\{POSTGRES_PASSWORD:[^}]*\}", "password", COMPOSE.read_text()))
    said(loader, filled, cwd=COMPOSE.parent)
    compose = yaml.safe_load(COMPOSE.read_text())
    assert set(compose["services"]) >= {"server", "postgres", "prometheus", "grafana", "collector", "greedy"}
    for name, service in compose["services"].items():
        repository, _, tag = service["image"].rpartition(":")
        assert repository and tag != "latest", f"{name}: {service['image']} is not pinned"
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            known = (COMPOSE.parent / source).exists() if source.startswith(".") else source in compose["volumes"]
            assert known, f"{name}: {source} does not exist"


def the_server_accepts_the_arguments_of_compose() -> None:
    need_program()
    service = yaml.safe_load(COMPOSE.read_text())["services"]["server"]
    words, stop = service["command"], int(service["stop_grace_period"].rstrip("s"))
    needed = sum(int(word.split("=")[1]) for word in words if word.startswith(("--drain", "--grace"))) / 1000
    assert stop > needed, f"{stop} s to stop, but drain and grace take {needed} s"
    admin = free_port()
    ports = (f"--listen=127.0.0.1:{free_port()}", f"--admin-listen=127.0.0.1:{admin}", "--store=memory")
    with running(World.folder / "compose.log", PROGRAM, *words, *ports) as process:
        until("it is ready", lambda: (process.check(), is_serving(admin, "ready"))[1])
        assert process.stop() == 0


def main() -> None:
    with if_possible(), tempfile.TemporaryDirectory(prefix="azulejo-docker-test-") as folder:
        World.folder = Path(folder)
        with daemon.docker() as World.docker:
            run_tests([
                the_image_builds,
                *([a_changed_source_leaves_the_dependencies_alone] if WHOLE else []),
                the_image_is_small_and_for_a_user_without_rights,
                the_container_runs_read_only_and_without_rights,
                it_plays_matches_against_a_bot_outside,
                it_stops_in_time_with_streams_open,
                the_demo_bot_of_compose_registers_once,
                compose_is_valid_and_what_it_mounts_exists,
                the_server_accepts_the_arguments_of_compose,
            ])


if __name__ == "__main__":
    main()
