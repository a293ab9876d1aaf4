"""A small test runner. Names of tests are sentences; it prints a line for each and a summary."""

import contextlib
import os
import pathlib
import signal
import subprocess
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/tools/languages"
PROGRAM = pathlib.Path(os.environ.get("AZULEJO_BIN", ROOT / "target/release/azulejo")).resolve()

TESTS = []
# Resources that several tests share. They are closed after the last test.
SHARED = contextlib.ExitStack()


def test(*cases):
    """Registers a test. With cases, one test per case, whose name replaces CASE."""

    def register(function):
        for case in cases or ((),):
            name = function.__name__.replace("CASE", case[0].replace("-", "_") if case else "")
            TESTS.append((name, lambda case=case: function(*case)))
        return function

    return register


def run_tests(words):
    """Runs the tests whose names contain one of the words, or all."""
    chosen = [each for each in TESTS if not words or any(word in each[0] for word in words)]
    failed = 0
    for name, function in chosen:
        began = time.monotonic()
        try:
            function()
            verdict = "ok"
        except Exception:
            traceback.print_exc()
            failed += 1
            verdict = "FAILED"
        print(f"test {name} ... {verdict}", flush=True)
        print(f"  {time.monotonic() - began:.1f} s", flush=True)
    verdict = "ok" if chosen and not failed else "FAILED"
    print(f"test result: {verdict}. {len(chosen) - failed} passed; {failed} failed")
    return verdict == "ok"


def main(words):
    with SHARED:
        return run_tests(words)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def until(what, probe, seconds):
    """Returns the result of the probe as soon as it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = probe()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"not within {seconds} s: {what}")


def made(what, *command, folder=ROOT, environment=None, seconds=600):
    """Runs a command in its own process group and returns its output."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=seconds)
    finally:
        end(process)
    expect(process.returncode == 0, f"{what}: code {process.returncode}\n{printed[-3000:]}")
    return printed


def end(process):
    """Ends the process group of a process that was started here."""
    for word, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, word)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)


class Bot:
    """A running bot and its output."""

    def __init__(self, name, command, server, folder=ROOT, **settings):
        self.name = name
        self.log = server.folder / f"{name.replace('/', '.')}.log"
        others = {key: word for key, word in os.environ.items() if not key.startswith("AZULEJO_")}
        environment = {**others, "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        environment |= {"AZULEJO_SERVER": server.url, **settings}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)

    def ends_well(self, seconds):
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} did not end\n{self.printed()}") from None
        expect(code == 0, f"{self.name} ended with code {code}\n{self.printed()}")

    def printed(self):
        return self.log.read_text()[-3000:]
