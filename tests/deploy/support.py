"""Shared by the suites: a test runner, processes that always end, ports, the program."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import traceback
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "azulejo"
TOOLS = ROOT / "target" / "tools"
PROGRAM = Path(os.environ.get("AZULEJO_BIN") or ROOT / "target" / "release" / "azulejo")

CANNOT = 77


class Cannot(Exception):
    """The suite cannot run on this machine; the message says why."""


class Ended(Exception):
    """A process that should be running has ended: waiting is pointless."""


@contextmanager
def if_possible() -> Iterator[None]:
    """Prints why a suite cannot run here, and exits with the code for that."""
    try:
        yield
    except Cannot as reason:
        print(reason, flush=True)
        sys.exit(CANNOT)


def run_tests(tests: list[Callable[[], None]]) -> None:
    """Runs the tests, prints a line for each and a summary, and exits."""
    failed = 0
    with if_possible():
        for test in tests:
            name, began = test.__name__.replace("_", " "), time.monotonic()
            try:
                test()
            except Cannot:
                raise
            except Exception as error:  # one failure must not hide the others
                failed += 1
                frames = "" if isinstance(error, (AssertionError, Ended)) else traceback.format_exc()
                print(f"test {name} ... FAILED\n{frames or error}", flush=True)
            else:
                print(f"test {name} ... ok ({time.monotonic() - began:.1f} s)", flush=True)
    word = "FAILED" if failed else "ok"
    print(f"\ntest result: {word}. {len(tests) - failed} passed; {failed} failed", flush=True)
    sys.exit(1 if failed else 0)


def said(*command: object, seconds: float = 120, errors_too: bool = False, **options) -> str:
    """The output of a command; a failure is an error with that output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL, **options)
    assert done.returncode == 0, f"{' '.join(words)}: code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if errors_too else "")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what: str, holds: Callable[[], object], seconds: float = 30, pause: float = 0.1):
    """Waits until the condition is true, and returns its value."""
    end = time.monotonic() + seconds
    last: object = None
    while time.monotonic() < end:
        try:
            if answer := holds():
                return answer
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            last = error
        time.sleep(pause)
    raise AssertionError(f"not within {seconds} s: {what}" + (f" ({last})" if last else ""))


def fetch(url: str, seconds: float = 10) -> str:
    with urllib.request.urlopen(url, timeout=seconds) as answer:
        return answer.read().decode()


class Running:
    """A process of the test. Its output is in a file."""

    def __init__(self, log: Path, *command: object, env: dict[str, str] | None = None, **options) -> None:
        self.log = log
        self.words = [str(word) for word in command]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})}, **options,
            )

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def check(self) -> None:
        code = self.process.poll()
        if code is not None:
            raise Ended(f"{' '.join(self.words)} has ended with {code}:\n{self.text()[-2000:]}")

    def stop(self, seconds: float = 30) -> int:
        """Stops it and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{' '.join(self.words)} did not stop within {seconds} s") from None

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


@contextmanager
def running(log: Path, *command: object, **options) -> Iterator[Running]:
    process = Running(log, *command, **options)
    try:
        yield process
    finally:
        process.end()


@contextmanager
def server(folder: Path, *arguments: object, **options) -> Iterator[tuple[Running, str, str]]:
    """`azulejo VERB …` on free ports: the process, its public address, its admin address."""
    public, admin = free_port(), free_port()
    ports = (f"--listen=127.0.0.1:{public}", f"--admin-listen=127.0.0.1:{admin}")
    log = folder / f"server-{public}.log"
    with running(log, PROGRAM, *arguments, *ports, **options) as process:
        def answers() -> bool:
            process.check()
            return is_serving(admin, "ready")

        until("the server is ready", answers)
        yield process, f"http://127.0.0.1:{public}", f"http://127.0.0.1:{admin}"


def is_serving(port: int, service: str) -> bool:
    """A health check like the kubelet's: grpc.health.v1.Health/Check, in plaintext."""
    import grpc

    with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.enable_http_proxy", 0)]) as channel:
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        name = service.encode()
        try:
            return check(b"\x0a" + bytes([len(name)]) + name, timeout=2) == b"\x08\x01"
        except grpc.RpcError:
            return False


def swarm(folder: Path, url: str, *, bots: int, seconds: int, think: str) -> Running:
    """Starts bots that play; `swarm_held` checks them."""
    words = ("--bots", bots, "--seconds", seconds, "--think", think, "--server", url, "--json")
    return Running(folder / f"swarm-{time.monotonic_ns()}.log", PROGRAM, "load", "ladder", *words, cwd=folder)


def swarm_held(bots: Running, seconds: float = 120) -> dict:
    """The report of a swarm, if all checks passed. `charged` is excluded, as it depends on the load
    of the machine."""
    try:
        bots.process.wait(seconds)
    finally:
        bots.end()
    report = next((json.loads(line) for line in bots.text().splitlines() if line.startswith("{")), None)
    assert report, bots.text()[-2000:]
    wrong = [verdict for verdict in report["verdicts"] if verdict["holds"] is False and verdict["item"] != "charged"]
    assert not wrong, wrong
    return report


def need_program() -> None:
    assert PROGRAM.exists(), f"{PROGRAM} is missing: cargo build --release, or AZULEJO_BIN=…"


def anchors(markdown: str) -> set[str]:
    """The anchors of the headings."""
    heads = re.findall(r"^#+ (.+)$", markdown, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}
